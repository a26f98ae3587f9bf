/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms that a space's graphs can have: for each shape (how many inputs,
 * inner nodes and outputs each group has), the sequences of labels that
 * counts allow, times the sets of labelled edges. Their number is a sum of
 * products, so it needs no enumeration, and of a form that is drawn at random
 * the chance is known.
 */
#include "space/language/forms.h"

#include <math.h>
#include <string.h>

static uint32_t
most_of(const struct custom *c, uint16_t label)
{
    uint32_t max = c->rule[label].count.max;

    return max < NODES ? max : NODES;
}

static void
fill_choose(struct forms *f)
{
    for (uint32_t n = 0; n <= NODES; n++)
        for (uint32_t k = 0; k <= n; k++)
            f->choose[n][k] =
                !k || k == n ? 1
                             : f->choose[n - 1][k - 1] + f->choose[n - 1][k];
}

/* Labels are taken from the last to the first. */
static void
count_words(struct forms *f, uint32_t part)
{
    const struct custom *c = f->c;
    double *words = f->words[part];

    words[0] = 1;
    for (uint16_t i = c->ops.n_labels; i-- > 0;) {
        if (c->label[i].group != part)
            continue;
        memcpy(f->rest[i], words, sizeof(f->rest[i]));
        for (uint32_t n = 0; n <= NODES; n++) {
            words[n] = 0;
            for (uint32_t k = c->rule[i].count.min; k <= most_of(c, i); k++)
                if (k <= n)
                    words[n] += f->choose[n][k] * f->rest[i][n - k];
        }
    }
}

/* ---- shapes ---- */

static bool
group_fits(const struct custom *c, const uint8_t *nodes, uint32_t group)
{
    const uint8_t *at = nodes + 3 * group;

    return in_range(c->group[group].nodes, (uint32_t)at[0] + at[1] + at[2]);
}

/* Nodes in groups that edges from `part` may lead to, as roles allow. */
static double
count_places(const struct custom *c, const uint8_t *nodes)
{
    double places = 0;

    for (uint32_t a = 0; a < 3u * c->n_groups; a++)
        for (uint32_t b = 0; b < 3u * c->n_groups; b++) {
            double n = nodes[a], m = nodes[b];

            if (a % 3 == 2 || b % 3 == 0 || !c->link[a / 3][b / 3])
                continue;
            if (a == b)
                places += n * (n - 1) / (c->ops.cyclic ? 1 : 2);
            else if (a < b || c->ops.cyclic)
                places += n * m;
        }
    return places;
}

static enum sepx_err
add_shape(struct forms *f, const uint8_t *nodes)
{
    struct shape shape = {{0}, 0, 0};
    enum sepx_err err;

    f->complete = f->count < SHAPES_MAX;
    if (!f->complete)
        return SEPX_OK;
    memcpy(shape.nodes, nodes, f->n_parts);
    shape.log_forms =
        count_places(f->c, nodes) * log(f->c->n_edge_labels + 1.0);
    for (uint32_t p = 0; p < f->n_parts; p++) {
        shape.log_forms += log(f->words[p][nodes[p]]);
        shape.log_orders += lgamma(nodes[p] + 1.0);
    }
    err = sepx__grow((void **)&f->shape, &f->room, f->count + 1,
                     sizeof(*f->shape));
    if (!err)
        f->shape[f->count++] = shape;
    return err;
}

/* Every way to fill the parts from `part` on. */
static enum sepx_err
add_shapes(struct forms *f, uint8_t *nodes, uint32_t part, uint32_t total)
{
    enum sepx_err err = SEPX_OK;

    if (part && part % 3 == 0 && !group_fits(f->c, nodes, part / 3 - 1))
        return SEPX_OK;
    if (part == f->n_parts)
        return total >= f->c->nodes.min ? add_shape(f, nodes) : SEPX_OK;
    for (uint32_t n = 0;
         total + n <= f->c->nodes.max && total + n <= NODES && !err; n++) {
        if (f->words[part][n] < 0.5 || !f->complete)
            continue;
        nodes[part] = (uint8_t)n;
        err = add_shapes(f, nodes, part + 1, total + n);
    }
    nodes[part] = 0;
    return err;
}

enum sepx_err
sepx__forms_init(struct forms *forms, const struct custom *c)
{
    uint8_t nodes[PARTS_MAX] = {0};
    double most = -INFINITY, sum = 0;
    enum sepx_err err;

    *forms = (struct forms){.c = c, .complete = true};
    forms->n_parts = 3u * c->n_groups;
    fill_choose(forms);
    for (uint32_t p = 0; p < forms->n_parts; p++)
        count_words(forms, p);
    err = add_shapes(forms, nodes, 0, 0);
    for (size_t i = 0; i < forms->count; i++)
        most = fmax(most, forms->shape[i].log_forms);
    for (size_t i = 0; i < forms->count; i++)
        sum += exp(forms->shape[i].log_forms - most);
    forms->log_total = sum > 0 ? most + log(sum) : -INFINITY;
    return err;
}

void
sepx__forms_release(struct forms *forms)
{
    sepx__free(forms->shape);
    *forms = (struct forms){0};
}

/* ---- drawing ---- */

/* How many of the n nodes have label i, the first of those left. */
static uint32_t
draw_count(const struct forms *f, uint16_t i, uint32_t n, struct sepx_rng *rng)
{
    const struct custom *c = f->c;
    double total = 0, at;
    uint32_t k = c->rule[i].count.min, last = k;

    for (uint32_t m = k; m <= most_of(c, i) && m <= n; m++)
        total += f->choose[n][m] * f->rest[i][n - m];
    at = sepx_rng_unit(rng) * total;
    for (; k <= most_of(c, i) && k <= n; k++) {
        double share = f->choose[n][k] * f->rest[i][n - k];

        if (share > 0)
            last = k;
        at -= share;
        if (at < 0)
            break;
    }
    return last;
}

uint32_t
sepx__forms_places(const struct custom *c, const struct cells *cells,
                   uint8_t *from, uint8_t *to)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            if (sepx__may_edge(c, cells, i, j)) {
                if (from) {
                    from[count] = (uint8_t)i;
                    to[count] = (uint8_t)j;
                }
                count++;
            }
    return count;
}

/* Every form must have a chance. */
static double
coin(const struct custom *c)
{
    return fmin(fmax(c->sample.edge, 0.02), 0.98);
}

/* Edges to a node of this label, as far as the rules tell beforehand. */
static struct range
degree_range(const struct custom *c, uint16_t label, uint32_t sources)
{
    struct range range = {0, sources};

    if (c->connected == CONNECTED_PRUNED)
        return range;
    range = c->rule[label - 1].in;
    if (c->connected == CONNECTED_REQUIRED && !range.min &&
        c->label[label - 1].role != SEPX__INPUT)
        range.min = 1;
    if (range.max > sources)
        range.max = sources;
    return range;
}

/* The number of heads among n coins, given that it is in the range. */
static uint32_t
draw_degree(const struct forms *f, struct range range, uint32_t n,
            double *log_total, struct sepx_rng *rng)
{
    double p = coin(f->c), share[NODES + 1], total = 0, at;
    uint32_t k;

    for (k = range.min; k <= range.max; k++) {
        share[k] = f->choose[n][k] * pow(p, k) * pow(1 - p, n - k);
        total += share[k];
    }
    *log_total = total > 0 ? log(total) : -INFINITY;
    at = sepx_rng_unit(rng) * total;
    for (k = range.min; k < range.max; k++) {
        at -= share[k];
        if (at < 0)
            break;
    }
    return k;
}

/*
 * Coins for the edges, on condition that in-degrees are right; returns the
 * logarithm of one over the chance of the outcome.
 */
static double
draw_edges(const struct forms *f, struct cells *cells, struct sepx_rng *rng)
{
    const struct custom *c = f->c;
    double p = coin(c), sum = 0;

    for (uint32_t i = 0; i < cells->n; i++)
        memset(cells->at[i], 0, cells->n);
    for (uint32_t to = 0; to < cells->n; to++) {
        uint32_t source[NODES], pick[NODES], n = 0, degree;
        struct range range;
        double log_total;

        for (uint32_t i = 0; i < cells->n; i++)
            if (sepx__may_edge(c, cells, i, to))
                source[n++] = i;
        range = degree_range(c, cells->label[to], n);
        if (range.min > range.max)
            return 0; /* not valid, whatever the other edges are */
        degree = draw_degree(f, range, n, &log_total, rng);
        sepx_rng_sample(rng, pick, degree, n ? n : 1);
        for (uint32_t k = 0; k < degree; k++)
            cells->at[source[pick[k]]][to] = sepx__random_edge(c, rng);
        sum += log_total + degree * log(c->n_edge_labels / p) -
               (n - degree) * log1p(-p);
    }
    return sum;
}

double
sepx__forms_draw(const struct forms *f, struct cells *cells, size_t *which,
                 struct sepx_rng *rng)
{
    const struct shape *shape;
    double sum = log((double)f->count);

    *which = sepx_rng_below(rng, (uint32_t)f->count);
    shape = &f->shape[*which];
    cells->n = 0;
    for (uint32_t p = 0; p < f->n_parts; p++) {
        uint32_t first = cells->n, left = shape->nodes[p];

        sum += log(f->words[p][left]);
        for (uint16_t i = 0; i < f->c->ops.n_labels; i++) {
            uint32_t n;

            if (f->c->label[i].group != p)
                continue;
            n = draw_count(f, i, left, rng);
            for (left -= n; n; n--)
                cells->label[cells->n++] = (uint16_t)(i + 1);
        }
        sepx_rng_shuffle(rng, cells->label + first, cells->n - first,
                         sizeof(uint16_t));
    }
    return sum + draw_edges(f, cells, rng);
}
