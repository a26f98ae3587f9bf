/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All distances among some graphs as a picture: a tree by average linkage
 * (Sokal and Michener 1958), and points whose distances are as near as a plane
 * allows (classical scaling by Torgerson 1952, then SMACOF by de Leeuw 1977).
 * Both share the colours of the largest branches.
 */
#include "graph/ged_families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW 15.0   /* of a leaf */
#define TREE 330.0 /* widths */
#define NAMES 150.0
#define MARGIN 24.0
#define TITLE 30.0
#define LETTER 5.6 /* about, of the small font */
#define COLOURS 8
#define GREY 8
#define LABELLED 120 /* points that still get their names */
#define BENDS 300    /* steps of SMACOF */

/* Okabe and Ito's, for people who see colours differently; then grey. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9",
                                      "#8c6bb1", "#7f5f00", "#777777"};

/* A node of the tree; the first `count` are leaves. */
struct knot {
    int left, right; /* -1: a leaf */
    size_t size;
    double height, x, y;
    unsigned colour;
};

struct point {
    double x, y;
};

struct families {
    size_t count;
    char **name;
    const double *distance; /* count * count */
    struct knot *knot;      /* 2 * count - 1 */
    double *between;        /* of the knots alive, (2 * count)^2 */
    struct point *at, *next;
    struct out *out;
};

/* ---- the tree ---- */

static double *
between(struct families *f, size_t a, size_t b)
{
    return &f->between[a * 2 * f->count + b];
}

/* The two nearest knots that are alive; the first pair of equally near. */
static void
find_nearest(struct families *f, const bool *alive, size_t n, size_t *a,
             size_t *b)
{
    double least = INFINITY;

    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; alive[i] && k < n; k++)
            if (alive[k] && *between(f, i, k) < least) {
                least = *between(f, i, k);
                *a = i;
                *b = k;
            }
}

static void
join(struct families *f, bool *alive, size_t n, size_t a, size_t b)
{
    const struct knot *x = &f->knot[a], *y = &f->knot[b];
    const double all = (double)(x->size + y->size);

    f->knot[n] = (struct knot){.left = (int)a,
                               .right = (int)b,
                               .size = x->size + y->size,
                               .height = *between(f, a, b)};
    for (size_t k = 0; k < n; k++) {
        const double mean = (*between(f, a, k) * (double)x->size +
                             *between(f, b, k) * (double)y->size) /
                            all;

        *between(f, n, k) = *between(f, k, n) = mean;
    }
    alive[a] = alive[b] = false;
    alive[n] = true;
}

static enum sepx_err
grow_tree(struct families *f)
{
    const size_t n = f->count;
    bool *alive = calloc(2 * n, sizeof *alive);

    if (!alive)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        alive[i] = true;
        f->knot[i] = (struct knot){.left = -1, .right = -1, .size = 1};
        for (size_t k = 0; k < n; k++)
            *between(f, i, k) = f->distance[i * n + k];
    }
    for (size_t made = n; made < 2 * n - 1; made++) {
        size_t a = 0, b = 0;

        find_nearest(f, alive, made, &a, &b);
        join(f, alive, made, a, b);
    }
    free(alive);
    return SEPX_OK;
}

/* Paint a branch. */
static void
paint(struct families *f, size_t k, unsigned colour)
{
    f->knot[k].colour = colour;
    if (f->knot[k].left < 0)
        return;
    paint(f, (size_t)f->knot[k].left, colour);
    paint(f, (size_t)f->knot[k].right, colour);
}

/*
 * Cut the highest knots until there are enough branches of several leaves, or
 * none is left to cut; those branches get colours, the largest first.
 */
static void
paint_all(struct families *f)
{
    const size_t n = f->count, top = 2 * n - 2;
    size_t branch[2 * COLOURS + 2] = {top}, count = 1;

    while (count < 2 * COLOURS) {
        size_t highest = 0;
        struct knot *k;

        for (size_t i = 1; i < count; i++)
            if (f->knot[branch[i]].height > f->knot[branch[highest]].height)
                highest = i;
        k = &f->knot[branch[highest]];
        if (k->left < 0)
            break;
        branch[count++] = (size_t)k->right;
        branch[highest] = (size_t)k->left;
    }
    paint(f, top, GREY);
    for (unsigned colour = 0; colour < COLOURS; colour++) {
        size_t best = count;

        for (size_t i = 0; i < count; i++)
            if (f->knot[branch[i]].size > 1 &&
                (best == count ||
                 f->knot[branch[i]].size > f->knot[branch[best]].size))
                best = i;
        if (best == count)
            return;
        paint(f, branch[best], colour);
        branch[best] = branch[--count];
    }
}

/* Leaves from top to bottom, small branches below large ones. */
static void
place(struct families *f, size_t k, double *y, double scale)
{
    struct knot *knot = &f->knot[k];
    size_t first, second;

    knot->x = MARGIN + TREE - knot->height * scale;
    if (knot->left < 0) {
        knot->y = *y;
        *y += ROW;
        return;
    }
    first = (size_t)knot->left;
    second = (size_t)knot->right;
    if (f->knot[second].size > f->knot[first].size) {
        first = (size_t)knot->right;
        second = (size_t)knot->left;
    }
    place(f, first, y, scale);
    place(f, second, y, scale);
    knot->y = (f->knot[first].y + f->knot[second].y) / 2;
}

/* ---- the map ---- */

/* v becomes (B + shift) v, B the doubly centred squares; its length. */
static double
multiply(const struct families *f, const double *b, double shift, double *v,
         double *room)
{
    const size_t n = f->count;
    double length = 0;

    for (size_t i = 0; i < n; i++) {
        room[i] = shift * v[i];
        for (size_t k = 0; k < n; k++)
            room[i] += b[i * n + k] * v[k];
        length += room[i] * room[i];
    }
    length = sqrt(length);
    for (size_t i = 0; i < n; i++)
        v[i] = length > 0 ? room[i] / length : 0;
    return length;
}

static void
remove_part(double *v, const double *other, size_t n)
{
    double dot = 0;

    for (size_t i = 0; i < n; i++)
        dot += v[i] * other[i];
    for (size_t i = 0; i < n; i++)
        v[i] -= dot * other[i];
}

static void
centre(double *b, const struct families *f, double *mean)
{
    const size_t n = f->count;
    double all = 0;

    for (size_t i = 0; i < n; i++) {
        mean[i] = 0;
        for (size_t k = 0; k < n; k++)
            mean[i] += f->distance[i * n + k] * f->distance[i * n + k];
        mean[i] /= (double)n;
        all += mean[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            b[i * n + k] =
                -0.5 * (f->distance[i * n + k] * f->distance[i * n + k] -
                        mean[i] - mean[k] + all);
}

/* The two largest eigenvectors, by powers of a shifted matrix. */
static enum sepx_err
scale_down(struct families *f)
{
    const size_t n = f->count;
    const unsigned steps = n < 300 ? 600 : 120;
    double *b = calloc(n * n + 4 * n, sizeof *b), *v[2], *room, shift = 0;

    if (!b)
        return SEPX_ENOMEM;
    v[0] = b + n * n;
    v[1] = v[0] + n;
    room = v[1] + n;
    centre(b, f, room);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;

        for (size_t k = 0; k < n; k++)
            sum += fabs(b[i * n + k]);
        shift = fmax(shift, sum / 4);
    }
    for (unsigned x = 0; x < 2; x++) {
        double value = 0;

        for (size_t i = 0; i < n; i++)
            v[x][i] = sin((double)(i + 1) * (x ? 2.3 : 1.7));
        for (unsigned step = 0; step < steps; step++) {
            if (x)
                remove_part(v[1], v[0], n);
            value = multiply(f, b, shift, v[x], room);
        }
        value = sqrt(fmax(value - shift, 0));
        for (size_t i = 0; i < n; i++)
            *(x ? &f->at[i].y : &f->at[i].x) = value * v[x][i];
    }
    free(b);
    return SEPX_OK;
}

/* Move each point to where the others want it on average. */
static void
bend(struct families *f)
{
    const size_t n = f->count;

    for (unsigned step = 0; step < (n < 300 ? BENDS : BENDS / 10); step++) {
        for (size_t i = 0; i < n; i++) {
            struct point sum = {0, 0};

            for (size_t k = 0; k < n; k++) {
                const double x = f->at[i].x - f->at[k].x;
                const double y = f->at[i].y - f->at[k].y;
                const double now = sqrt(x * x + y * y);
                const double want = f->distance[i * n + k];

                sum.x += f->at[k].x + (now > 0 ? want * x / now : 0);
                sum.y += f->at[k].y + (now > 0 ? want * y / now : 0);
            }
            f->next[i] = (struct point){sum.x / (double)n, sum.y / (double)n};
        }
        memcpy(f->at, f->next, n * sizeof *f->at);
    }
}

/* Into a square, the middle in the middle. */
static void
fit(struct families *f, double left, double top, double size)
{
    struct point low = f->at[0], high = f->at[0];
    double scale;

    for (size_t i = 0; i < f->count; i++) {
        low.x = fmin(low.x, f->at[i].x);
        low.y = fmin(low.y, f->at[i].y);
        high.x = fmax(high.x, f->at[i].x);
        high.y = fmax(high.y, f->at[i].y);
    }
    scale = fmax(fmax(high.x - low.x, high.y - low.y), 1e-9);
    for (size_t i = 0; i < f->count; i++) {
        f->at[i].x =
            left + size * (0.5 + (f->at[i].x - (low.x + high.x) / 2) / scale);
        f->at[i].y =
            top + size * (0.5 + (f->at[i].y - (low.y + high.y) / 2) / scale);
    }
}

/* ---- drawing ---- */

static void
print_text(struct out *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            out_print(out, "&lt;");
        else if (*text == '>')
            out_print(out, "&gt;");
        else if (*text == '&')
            out_print(out, "&amp;");
        else if ((unsigned char)*text >= 32)
            out_print(out, "%c", *text);
    }
}

static void
draw_tree(const struct families *f)
{
    for (size_t i = 0; i < 2 * f->count - 1; i++) {
        const struct knot *knot = &f->knot[i];

        if (knot->left < 0) {
            out_print(f->out, "<text x='%.1f' y='%.1f' fill='%s'>", knot->x + 5,
                      knot->y + 3.5, colours[knot->colour]);
            print_text(f->out, f->name[i]);
            out_print(f->out, "</text>\n");
            continue;
        }
        for (int side = 0; side < 2; side++) {
            const struct knot *child =
                &f->knot[side ? knot->right : knot->left];

            out_print(
                f->out,
                "<path d='M%.1f %.1fV%.1fH%.1f' fill='none' "
                "stroke='%s' stroke-width='1.4'/>\n",
                knot->x, knot->y, child->y, child->x,
                colours[child->colour == knot->colour ? child->colour : GREY]);
        }
    }
}

/* Where a name covers the fewest others: around its point. */
static struct point
place_name(const struct families *f, struct point *taken, size_t i)
{
    static const struct point ways[] = {{6, 3},  {-6, 3}, {0, -6},  {0, 12},
                                        {6, -5}, {6, 11}, {-6, -5}, {-6, 11}};
    const double width = LETTER * (double)strlen(f->name[i]);
    struct point best = {0, 0};
    double least = INFINITY;

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct point p = {f->at[i].x + ways[w].x, f->at[i].y + ways[w].y};
        double cost = (double)w / 100;

        p.x -= ways[w].x < 0 ? width : ways[w].x > 0 ? 0 : width / 2;
        for (size_t k = 0; k < f->count; k++) {
            const double other = LETTER * (double)strlen(f->name[k]);

            if (f->at[k].x > p.x - 4 && f->at[k].x < p.x + width + 4 &&
                f->at[k].y > p.y - 11 && f->at[k].y < p.y + 4)
                cost += 1;
            if (k < i && taken[k].x < p.x + width && p.x < taken[k].x + other &&
                fabs(taken[k].y - p.y) < 10)
                cost += 2;
        }
        if (cost < least) {
            least = cost;
            best = p;
        }
    }
    taken[i] = best;
    return best;
}

static void
draw_map(struct families *f)
{
    for (size_t i = 0; i < f->count; i++)
        out_print(f->out, "<circle cx='%.1f' cy='%.1f' r='3.6' fill='%s'/>\n",
                  f->at[i].x, f->at[i].y, colours[f->knot[i].colour]);
    for (size_t i = 0; i < f->count && f->count <= LABELLED; i++) {
        const struct point p = place_name(f, f->next, i);

        out_print(f->out, "<text class='s' x='%.1f' y='%.1f' fill='%s'>", p.x,
                  p.y, colours[f->knot[i].colour]);
        print_text(f->out, f->name[i]);
        out_print(f->out, "</text>\n");
    }
}

static void
draw(struct families *f, const char *title)
{
    const double high = fmax((double)f->count * ROW, 420);
    const double map = fmin(high, 760);
    const double left = 2 * MARGIN + TREE + NAMES + 50;
    const double width = left + map + 90, height = high + TITLE + 2 * MARGIN;
    const double top = f->knot[2 * f->count - 2].height;
    double y = MARGIN + TITLE + ROW / 2;

    place(f, 2 * f->count - 2, &y, top > 0 ? TREE / top : 0);
    fit(f, left, MARGIN + TITLE + (high - map) / 2, map);
    out_print(f->out,
              "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' "
              "height='%.0f' viewBox='0 0 %.0f %.0f' "
              "font-family='sans-serif' font-size='11'>\n"
              "<style>.s{font-size:10px} .t{font-size:14px}</style>\n"
              "<rect width='100%%' height='100%%' fill='white'/>\n",
              width, height, width, height);
    out_print(f->out, "<text class='t' x='%.0f' y='%.0f'>", MARGIN, MARGIN + 4);
    print_text(f->out, title);
    out_print(f->out, "</text>\n");
    draw_tree(f);
    draw_map(f);
    out_print(f->out, "</svg>\n");
}

enum sepx_err
families_draw(struct out *out, const char *title, char **name,
              const double *distance, size_t count)
{
    struct families f = {
        .count = count, .name = name, .distance = distance, .out = out};
    enum sepx_err err = SEPX_ENOMEM;

    if (!count || count > FAMILIES_MOST)
        return SEPX_EINVAL;
    f.knot = calloc(2 * count, sizeof *f.knot);
    f.between = calloc(4 * count * count, sizeof *f.between);
    f.at = calloc(count, sizeof *f.at);
    f.next = calloc(count, sizeof *f.next);
    if (f.knot && f.between && f.at && f.next)
        err = grow_tree(&f);
    if (!err)
        err = scale_down(&f);
    if (!err) {
        paint_all(&f);
        bend(&f);
        draw(&f, title);
    }
    free(f.knot);
    free(f.between);
    free(f.at);
    free(f.next);
    return err;
}
