/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps by tabu search: the images of two rows are exchanged, the best
 * exchange first, and a row does not soon go back to an image it left
 * (Taillard, Robust taboo search for the quadratic assignment problem, 1991).
 * Each class of nodes is padded with stand-ins until both sides are equally
 * large, and exchanges stay within a class.
 *
 * at[i][j] is the gain of row i on the image of row j if all others stay
 * where they are; an exchange changes few of these numbers where graphs are
 * sparse.
 */
#include <string.h>

#include "ged/split/split.h"

#define TABU_MOST 2048 /* rows; above, the tables are too large */
#define UNITS_MOST (INT64_C(1) << 26) /* sums of some stay in 32 bits */

struct tabu {
    uint32_t n, width;        /* rows with stand-ins; padded to 8 */
    int64_t quantum;          /* steps of a unit */
    bool classes;             /* more than one */
    uint16_t *class;          /* of each row */
    uint16_t *class_b;        /* of each column */
    int32_t *edge;            /* units, by labels as in the problem */
    int32_t *at, *back, *own; /* the table, its transpose, its diagonal */
    uint32_t *until;          /* by row and column: tabu before this step */
    uint8_t *adjacent;
    uint32_t *image, *row; /* of rows; of columns */
    int32_t *map;
    int32_t between; /* the most units that edges between two rows gain */
    int32_t penalty; /* units of a pair that the state has taken out */
    uint64_t draws;
    unsigned hits;
    void *memory;
};

/* ---- set-up ---- */

static size_t
lay_out(struct tabu *t, const struct ged_problem *p, uint8_t *base)
{
    const size_t cells = (size_t)t->width * t->width;
    size_t used = 0;

    t->class = sepx__ged_take(base, &used, t->n * sizeof *t->class);
    t->class_b = sepx__ged_take(base, &used, t->n * sizeof *t->class_b);
    t->edge = sepx__ged_take(base, &used,
                             (size_t)p->a.graph->n_codes * p->b.graph->n_codes *
                                 sizeof *t->edge);
    t->at = sepx__ged_take(base, &used, cells * sizeof *t->at);
    t->back = sepx__ged_take(base, &used, cells * sizeof *t->back);
    t->until = sepx__ged_take(base, &used, cells * sizeof *t->until);
    t->adjacent = sepx__ged_take(base, &used, cells);
    t->own = sepx__ged_take(base, &used, t->width * sizeof *t->own);
    t->image = sepx__ged_take(base, &used, t->n * sizeof *t->image);
    t->row = sepx__ged_take(base, &used, t->n * sizeof *t->row);
    t->map = sepx__ged_take(base, &used, p->n * sizeof *t->map);
    return used;
}

static uint32_t
padded(const struct ged_problem *p, uint32_t n_classes)
{
    uint32_t sum = 0;

    for (uint32_t c = 0; c < n_classes; c++)
        sum += p->a.graph->size[c] > p->b.graph->size[c] ? p->a.graph->size[c]
                                                         : p->b.graph->size[c];
    return sum;
}

static void
set_classes(struct tabu *t, const struct ged_problem *p, uint32_t n_classes)
{
    const struct sepx_ged_graph *a = p->a.graph, *b = p->b.graph;
    uint32_t i = p->n, k = p->m;

    memcpy(t->class, a->class, p->n * sizeof *t->class);
    memcpy(t->class_b, b->class, p->m * sizeof *t->class_b);
    for (uint32_t c = 0; c < n_classes; c++) {
        for (uint32_t x = a->size[c]; x < b->size[c]; x++)
            t->class[i++] = (uint16_t)c;
        for (uint32_t x = b->size[c]; x < a->size[c]; x++)
            t->class_b[k++] = (uint16_t)c;
    }
}

/*
 * Steps in units. Nothing that a map has saves more than all costs; labels
 * that the other graph alone has may, and pairs too dear to be mapped lose.
 */
static int32_t
in_units(const struct tabu *t, const struct ged_problem *p, int64_t steps)
{
    steps = steps > p->all ? p->all : steps;
    return (int32_t)((steps < -p->all ? -p->all : steps) / t->quantum);
}

static void
set_edges(struct tabu *t, struct ged_split *s)
{
    const struct ged_problem *p = &s->p;
    const struct sepx_ged_graph *a = p->a.graph, *b = p->b.graph;
    uint64_t work = 0;

    for (uint32_t x = 0; x < a->n_codes && !s->over; x++) {
        s->over = sepx__ged_is_over_by(s->task, &work, b->n_codes);
        for (uint32_t y = 0; y < b->n_codes; y++) {
            int32_t units =
                in_units(t, p, sepx__problem_edge(p, a->code[x], b->code[y]));

            t->edge[(size_t)x * b->n_codes + y] = units;
            if (units * 2 * (int32_t)p->classes > t->between)
                t->between = units * 2 * (int32_t)p->classes;
        }
    }
    memset(t->adjacent, 0, (size_t)t->width * t->width);
    for (unsigned g = 0; g < p->classes; g++)
        for (uint32_t i = 0; i < p->n; i++)
            for (uint32_t x = p->a.by[g].first[i]; x < p->a.by[g].first[i + 1];
                 x++)
                t->adjacent[(size_t)i * t->width + p->a.by[g].dart[x].node] = 1;
}

enum sepx_err
sepx__tabu_new(struct ged_split *s)
{
    const struct ged_problem *p = &s->p;
    const uint32_t n_classes = p->a.graph->n_classes;
    struct tabu *t;

    if (padded(p, n_classes) > TABU_MOST)
        return SEPX_OK;
    t = sepx__calloc(1, sizeof *t);
    if (!t)
        return SEPX_ENOMEM;
    t->n = padded(p, n_classes);
    t->width = (t->n + 7) / 8 * 8;
    t->classes = n_classes > 1;
    t->quantum =
        p->all / p->unit < UNITS_MOST ? p->unit : p->all / UNITS_MOST + 1;
    t->penalty = in_units(
        t, p,
        p->costs->node.relabel > p->grade ? p->costs->node.relabel : p->grade);
    if (t->penalty < 1)
        t->penalty = 1;
    t->memory = sepx__aligned(lay_out(t, p, NULL), GED_ALIGN);
    if (!t->memory) {
        sepx__free(t);
        return SEPX_ENOMEM;
    }
    lay_out(t, p, t->memory);
    set_classes(t, p, n_classes);
    set_edges(t, s);
    s->tabu = t;
    return SEPX_OK;
}

void
sepx__tabu_free(struct tabu *t)
{
    if (!t)
        return;
    sepx__aligned_free(t->memory);
    sepx__free(t);
}

void
sepx__tabu_seed(struct tabu *t, uint64_t seed)
{
    if (t)
        t->draws = seed;
}

unsigned
sepx__tabu_hits(const struct tabu *t)
{
    return t ? t->hits : 0;
}

static uint32_t
draw(struct tabu *t, uint32_t below)
{
    return (uint32_t)((sepx__mix(++t->draws) >> 32) * below >> 32);
}

/* ---- the table ---- */

/* Row x leaves or reaches column k: its neighbours gain or lose by it. */
static void
add_row(struct tabu *t, const struct ged_problem *p, uint32_t x, uint32_t k,
        int32_t sign)
{
    if (x >= p->n || k >= p->m)
        return;
    for (unsigned g = 0; g < p->classes; g++) {
        const struct ged_darts *a = &p->a.by[g], *b = &p->b.by[g];

        for (uint32_t d = a->first[x]; d < a->first[x + 1]; d++) {
            const uint32_t i = a->dart[d].node;
            const int32_t *edge =
                t->edge + (size_t)a->dart[d].code * p->b.graph->n_codes;

            for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++) {
                const uint32_t j = t->row[b->dart[f].node];
                const int32_t amount = sign * edge[b->dart[f].code];

                t->at[(size_t)i * t->width + j] += amount;
                t->back[(size_t)j * t->width + i] += amount;
                if (i == j)
                    t->own[i] += amount;
            }
        }
    }
}

static bool
is_out(const struct ged_split *s, const struct split_state *st, uint32_t i,
       uint32_t k)
{
    uint32_t y;

    if (GED_IS_GONE(st->reward[(size_t)i * s->p.width + k]))
        return true;
    if (!s->layout.memory)
        return false;
    y = s->layout.pair[(size_t)i * s->p.m + k];
    return y == SPLIT_NONE || st->pair[y] == PAIR_DEAD;
}

/* Two nodes left over: without their edges, which the table has counted. */
static int32_t
units_apart(const struct ged_split *s, uint32_t i)
{
    const struct tabu *t = s->tabu;
    int64_t units = 0;

    for (unsigned g = 0; g < s->p.classes; g++)
        units += ged_degree(&s->p.a, g, i);
    units *= t->between / 2;
    return -(int32_t)(units < s->p.all / t->quantum ? units
                                                    : s->p.all / t->quantum);
}

/* Units of the pair itself. */
static int32_t
pair_units(const struct ged_split *s, const struct split_state *st, uint32_t i,
           uint32_t k)
{
    const struct tabu *t = s->tabu;
    int64_t saved;

    if (i >= s->p.n || k >= s->p.m || t->class[i] != t->class_b[k])
        return 0;
    saved = s->p.base[(size_t)i * s->p.width + k];
    if (GED_IS_GONE(saved))
        return units_apart(s, i);
    saved = s->p.grain == s->p.unit ? saved / s->p.scale * s->p.unit
                                    : sepx__problem_node(&s->p, i, k);
    return in_units(t, &s->p, saved) - (is_out(s, st, i, k) ? t->penalty : 0);
}

static void
fill_table(struct ged_split *s, const struct split_state *st)
{
    struct tabu *t = s->tabu;
    const size_t cells = (size_t)t->width * t->width;

    memset(t->at, 0, cells * sizeof *t->at);
    memset(t->back, 0, cells * sizeof *t->back);
    memset(t->until, 0, cells * sizeof *t->until);
    memset(t->own, 0, t->width * sizeof *t->own);
    for (uint32_t i = 0; i < s->p.n; i++)
        for (uint32_t j = 0; j < t->n; j++) {
            int32_t units = pair_units(s, st, i, t->image[j]);

            t->at[(size_t)i * t->width + j] = units;
            t->back[(size_t)j * t->width + i] = units;
        }
    for (uint32_t i = 0; i < t->n; i++)
        t->own[i] = t->at[(size_t)i * t->width + i];
    for (uint32_t i = 0; i < s->p.n; i++)
        add_row(t, &s->p, i, t->image[i], 1);
}

/* ---- exchanges ---- */

/* The row's dart of class g on the edge between columns k and l. */
static int32_t
edge_units(const struct tabu *t, const struct ged_problem *p, unsigned g,
           const struct ged_dart *d, uint32_t k, uint32_t l)
{
    const struct ged_darts *b = &p->b.by[g];

    if (k >= p->m || l >= p->m)
        return 0;
    for (uint32_t f = b->first[k]; f < b->first[k + 1]; f++)
        if (b->dart[f].node == l)
            return t
                ->edge[(size_t)d->code * p->b.graph->n_codes + b->dart[f].code];
    return 0;
}

/* Edges between i and j, which the table counts as if one of them stayed. */
static int32_t
between(const struct tabu *t, const struct ged_problem *p, uint32_t i,
        uint32_t j)
{
    int32_t sum = 0;

    for (unsigned g = 0; g < p->classes; g++)
        for (uint32_t x = p->a.by[g].first[i]; x < p->a.by[g].first[i + 1];
             x++) {
            const struct ged_dart *d = &p->a.by[g].dart[x];

            if (d->node == j)
                sum += edge_units(t, p, g, d, t->image[i], t->image[j]) +
                       edge_units(t, p, g, d, t->image[j], t->image[i]);
        }
    return sum;
}

struct move {
    uint32_t i, j, step, ties;
    int32_t gain, allowed; /* a gain above `allowed` lifts any tabu */
};

static void
consider(struct tabu *t, struct move *m, uint32_t i, uint32_t j, int32_t gain)
{
    if (gain < m->gain || (t->classes && t->class[i] != t->class[j]) ||
        (t->until[(size_t)i * t->width + t->image[j]] > m->step &&
         t->until[(size_t)j * t->width + t->image[i]] > m->step &&
         gain <= m->allowed))
        return;
    if (gain > m->gain) {
        m->gain = gain;
        m->ties = 0;
    }
    if (draw(t, ++m->ties) == 0) {
        m->i = i;
        m->j = j;
    }
}

/* The best exchange of row i with a row behind it. */
static void
scan_row(const struct ged_split *s, struct move *m, uint32_t i)
{
    struct tabu *t = s->tabu;
    const int32_t *at = t->at + (size_t)i * t->width;
    const int32_t *back = t->back + (size_t)i * t->width;
    const uint8_t *adjacent = t->adjacent + (size_t)i * t->width;

    for (unsigned g = 0; g < s->p.classes; g++)
        for (uint32_t x = s->p.a.by[g].first[i]; x < s->p.a.by[g].first[i + 1];
             x++) {
            const uint32_t j = s->p.a.by[g].dart[x].node;
            const int32_t gain = at[j] + back[j] - t->own[i] - t->own[j];

            if (j > i && gain + t->between >= m->gain)
                consider(t, m, i, j, gain + between(t, &s->p, i, j));
        }
    for (uint32_t j = i + 1;; j++) {
        if (!s->vectors->next_at_least(at, back, t->own, m->gain + t->own[i],
                                       t->n, &j) ||
            j >= t->n)
            return;
        if (!adjacent[j])
            consider(t, m, i, j, at[j] + back[j] - t->own[i] - t->own[j]);
    }
}

static void
exchange(struct tabu *t, const struct ged_problem *p, uint32_t i, uint32_t j)
{
    const uint32_t k = t->image[i], l = t->image[j];

    for (uint32_t r = 0; r < t->n; r++) {
        int32_t *x = &t->at[(size_t)r * t->width];
        int32_t swap = x[i];

        x[i] = x[j];
        x[j] = swap;
        x = &t->back[(size_t)i * t->width + r];
        swap = *x;
        *x = t->back[(size_t)j * t->width + r];
        t->back[(size_t)j * t->width + r] = swap;
    }
    t->own[i] = t->at[(size_t)i * t->width + i];
    t->own[j] = t->at[(size_t)j * t->width + j];
    t->row[k] = j;
    t->row[l] = i;
    t->image[i] = l;
    t->image[j] = k;
    add_row(t, p, i, k, -1);
    add_row(t, p, i, l, 1);
    add_row(t, p, j, l, -1);
    add_row(t, p, j, k, 1);
}

/* ---- a run ---- */

/* Each row a column of its class: those of `map`, the others in order. */
static void
set_images(struct ged_split *s, const int32_t *map)
{
    struct tabu *t = s->tabu;

    for (uint32_t k = 0; k < t->n; k++)
        t->row[k] = t->n;
    for (uint32_t i = 0; i < t->n; i++) {
        t->image[i] = t->n;
        if (i < s->p.n && map[i] >= 0) {
            t->image[i] = (uint32_t)map[i];
            t->row[map[i]] = i;
        }
    }
    for (uint32_t i = 0, k = 0; i < t->n; i++) {
        if (t->image[i] < t->n)
            continue;
        if (t->classes)
            k = 0;
        while (t->row[k] < t->n || t->class[i] != t->class_b[k])
            k++;
        t->image[i] = k;
        t->row[k] = i;
    }
}

static void
shake(struct tabu *t)
{
    for (uint32_t x = 0; x < t->n / 2; x++) {
        const uint32_t i = draw(t, t->n), j = draw(t, t->n);
        const uint32_t k = t->image[i], l = t->image[j];

        if (t->class[i] != t->class[j])
            continue;
        t->image[i] = l;
        t->image[j] = k;
        t->row[l] = i;
        t->row[k] = j;
    }
}

static bool
offer(struct ged_split *s)
{
    struct tabu *t = s->tabu;

    for (uint32_t i = 0; i < s->p.n; i++) {
        const uint32_t k = t->image[i];

        t->map[i] =
            k >= s->p.m || GED_IS_GONE(s->p.base[(size_t)i * s->p.width + k])
                ? -1
                : (int32_t)k;
    }
    return sepx__split_offer(s, t->map);
}

/* Units saved by the present images, dead pairs penalised. */
static int64_t
units_now(const struct ged_split *s, const struct split_state *st)
{
    const struct tabu *t = s->tabu;
    int64_t sum = 0;

    for (uint32_t i = 0; i < s->p.n; i++)
        sum +=
            t->at[(size_t)i * t->width + i] + pair_units(s, st, i, t->image[i]);
    return sum / 2; /* each edge was counted at both of its ends */
}

static int64_t
units_best(const struct ged_split *s)
{
    return (s->p.all - s->task->upper) / s->tabu->quantum;
}

void
sepx__tabu_run(struct ged_split *s, const struct split_state *st,
               struct tabu_plan plan)
{
    struct tabu *t = s->tabu;
    int64_t now, best;
    uint32_t idle = 0;
    bool better = false;

    if (!t || s->task->visit || t->n < 2)
        return;
    sepx__split_read_map(s, st);
    set_images(s, (plan.shaken || plan.best) && s->has_best ? s->best : s->map);
    if (plan.shaken)
        shake(t);
    fill_table(s, st);
    better |= offer(s);
    now = best = units_now(s, st);
    for (uint32_t step = 1;
         step <= plan.steps && idle < plan.patience && !s->over; step++) {
        struct move m = {.step = step, .gain = INT32_MIN / 2, .i = t->n};

        s->tabu_steps++;
        if (step % 64 == 0 || t->n > 256)
            sepx__split_check(s);
        m.allowed = (int32_t)(best - now);
        for (uint32_t i = 0; i < s->p.n; i++)
            scan_row(s, &m, i);
        if (m.i == t->n)
            break;
        t->until[(size_t)m.i * t->width + t->image[m.i]] =
            step + t->n / 2 + draw(t, t->n);
        t->until[(size_t)m.j * t->width + t->image[m.j]] =
            step + t->n / 2 + draw(t, t->n);
        exchange(t, &s->p, m.i, m.j);
        now += m.gain;
        idle++;
        if (now > best) {
            best = now;
            idle = 0;
        }
        if (now > units_best(s) && offer(s)) {
            better = true;
            if (s->task->upper <= s->task->lower)
                break;
        }
    }
    if (better && best >= units_best(s))
        t->hits = 1;
    else if (best == units_best(s))
        t->hits++;
    else if (better)
        t->hits = 0;
}
