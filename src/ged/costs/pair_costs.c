/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs by node and edge, as a solver with costs by label: nodes of a graph
 * that cost the same in every way are one label. Labels of the two graphs
 * are apart (struct ged_dense), unless each edit costs the same and every
 * label has at most one that it becomes for nothing, and the other way
 * round: then those two are one label, and the pair is one at unit costs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ged/internal.h"

#define ALL_STEPS 0x1p60 /* of deleting the one graph, inserting the other */

/* The nodes of two graphs, or their edges. {0} is empty. */
struct matter {
    uint32_t n, m;                      /* of the first graph, of the second */
    double *remove;                     /* n */
    double *insert;                     /* m */
    double *become;                     /* n rows of m */
    uint16_t *row;                      /* label of each of the n, from 0 on */
    uint16_t *column;                   /* of each of the m, from 0 on */
    uint32_t *row_first, *column_first; /* one with that label */
    uint32_t rows, columns;
};

static void
matter_release(struct matter *t)
{
    sepx__free(t->remove);
    sepx__free(t->insert);
    sepx__free(t->become);
    sepx__free(t->row);
    sepx__free(t->column);
    sepx__free(t->row_first);
    sepx__free(t->column_first);
}

static SEPX_CHECKED enum sepx_err
matter_init(struct matter *t, uint32_t n, uint32_t m)
{
    *t = (struct matter){.n = n, .m = m};
    t->remove = sepx__calloc(n + 1u, sizeof *t->remove);
    t->insert = sepx__calloc(m + 1u, sizeof *t->insert);
    t->become = sepx__calloc((size_t)n * m + 1, sizeof *t->become);
    t->row = sepx__calloc(n + 1u, sizeof *t->row);
    t->column = sepx__calloc(m + 1u, sizeof *t->column);
    t->row_first = sepx__calloc(n + 1u, sizeof *t->row_first);
    t->column_first = sepx__calloc(m + 1u, sizeof *t->column_first);
    return t->remove && t->insert && t->become && t->row && t->column &&
                   t->row_first && t->column_first
               ? SEPX_OK
               : SEPX_ENOMEM;
}

/* ---- the costs of each ---- */

/* What the options say of the labels of both graphs. */
struct rest {
    const struct ged_costs *costs;
    const struct ged_kind *kind;
    const uint16_t *a, *b;             /* labels */
    const struct ged_table *fields;    /* rows for them, or NULL */
    const uint16_t *class_a, *class_b; /* of nodes; else NULL */
};

static double
in_full(const struct rest *rest, int64_t steps)
{
    return (double)steps * rest->costs->num / rest->costs->den;
}

static double
relabel(const struct rest *rest, uint16_t x, uint16_t y)
{
    int64_t cost = -1;

    if (x != y && rest->fields)
        cost = sepx__ged_table_cost(rest->fields, x, y, -1);
    return in_full(rest, cost < 0 ? sepx__ged_become(rest->kind, x, y) : cost);
}

static void
fill_in(struct matter *t, const struct rest *rest, const double *become,
        const double *remove, const double *insert)
{
    for (uint32_t i = 0; i < t->n; i++)
        t->remove[i] =
            remove
                ? remove[i]
                : in_full(rest, sepx__ged_price(rest->kind, rest->a[i], false));
    for (uint32_t k = 0; k < t->m; k++)
        t->insert[k] =
            insert
                ? insert[k]
                : in_full(rest, sepx__ged_price(rest->kind, rest->b[k], true));
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = 0; k < t->m; k++) {
            double *cost = &t->become[(size_t)i * t->m + k];

            *cost = become ? become[(size_t)i * t->m + k]
                           : relabel(rest, rest->a[i], rest->b[k]);
            if (rest->class_a && rest->class_a[i] != rest->class_b[k])
                *cost = INFINITY;
        }
}

/* Whether all are costs; -0 becomes 0, and "never" is infinite. */
static bool
are_costs(struct matter *t)
{
    bool fine = true;

    for (uint32_t i = 0; i < t->n; i++) {
        t->remove[i] += 0.0;
        fine &= t->remove[i] >= 0 && isfinite(t->remove[i]);
    }
    for (uint32_t k = 0; k < t->m; k++) {
        t->insert[k] += 0.0;
        fine &= t->insert[k] >= 0 && isfinite(t->insert[k]);
    }
    for (size_t x = 0; x < (size_t)t->n * t->m; x++) {
        t->become[x] += 0.0;
        fine &= t->become[x] >= 0;
    }
    return fine;
}

static double
price_all(const struct matter *t)
{
    double sum = 0;

    for (uint32_t i = 0; i < t->n; i++)
        sum += t->remove[i];
    for (uint32_t k = 0; k < t->m; k++)
        sum += t->insert[k];
    return sum;
}

/*
 * Substitutions that never pay are infinite, however large they are: an edge's
 * above deletion and insertion; a node's if `more`, all that edges can save,
 * would not make up for it.
 */
static void
cut(struct matter *t, double more)
{
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = 0; k < t->m; k++) {
            double *cost = &t->become[(size_t)i * t->m + k];

            if (*cost > t->remove[i] + t->insert[k] + more)
                *cost = INFINITY;
        }
}

/* ---- labels ---- */

static bool
same_rows(const struct matter *t, uint32_t i, uint32_t j)
{
    return t->remove[i] == t->remove[j] &&
           (!t->m ||
            !memcmp(&t->become[(size_t)i * t->m], &t->become[(size_t)j * t->m],
                    t->m * sizeof *t->become));
}

static bool
same_columns(const struct matter *t, uint32_t k, uint32_t l)
{
    if (t->insert[k] != t->insert[l])
        return false;
    for (uint32_t r = 0; r < t->rows; r++) {
        const double *row = &t->become[(size_t)t->row_first[r] * t->m];

        if (row[k] != row[l])
            return false;
    }
    return true;
}

static uint64_t
mix_in(uint64_t hash, double cost)
{
    uint64_t bits;

    memcpy(&bits, &cost, sizeof bits);
    return sepx__mix(hash ^ bits);
}

static uint64_t
hash_of(const struct matter *t, uint32_t x, bool column)
{
    uint64_t hash = mix_in(column, column ? t->insert[x] : t->remove[x]);

    for (uint32_t k = 0; !column && k < t->m; k++)
        hash = mix_in(hash, t->become[(size_t)x * t->m + k]);
    for (uint32_t r = 0; column && r < t->rows; r++)
        hash = mix_in(hash, t->become[(size_t)t->row_first[r] * t->m + x]);
    return hash;
}

/* Number different rows (or columns, once rows are), in their order. */
static SEPX_CHECKED enum sepx_err
number(struct matter *t, bool column)
{
    const uint32_t count = column ? t->m : t->n;
    uint32_t *first = column ? t->column_first : t->row_first;
    uint16_t *label = column ? t->column : t->row;
    uint32_t room = 16, labels = 0;
    uint32_t *slot; /* label + 1 by hash */

    while (room < 2 * count)
        room *= 2;
    slot = sepx__calloc(room, sizeof *slot);
    if (!slot)
        return SEPX_ENOMEM;
    for (uint32_t x = 0; x < count; x++) {
        uint32_t at = (uint32_t)hash_of(t, x, column) & (room - 1);

        while (slot[at] && !(column ? same_columns(t, first[slot[at] - 1], x)
                                    : same_rows(t, first[slot[at] - 1], x)))
            at = (at + 1) & (room - 1);
        if (!slot[at]) {
            first[labels] = x;
            slot[at] = ++labels;
        }
        label[x] = (uint16_t)(slot[at] - 1);
        if (labels > UINT16_MAX)
            break;
    }
    sepx__free(slot);
    *(column ? &t->columns : &t->rows) = labels;
    return labels > UINT16_MAX || t->rows + t->columns > UINT16_MAX
               ? SEPX_ELIMIT
               : SEPX_OK;
}

/* ---- steps ---- */

static void
see(struct ged_scale *scale, const struct matter *t)
{
    for (uint32_t r = 0; r < t->rows; r++) {
        const size_t i = t->row_first[r];

        sepx__ged_scale_see(scale, t->remove[i]);
        for (uint32_t c = 0; c < t->columns; c++) {
            const double cost = t->become[i * t->m + t->column_first[c]];

            if (isfinite(cost))
                sepx__ged_scale_see(scale, cost);
        }
    }
    for (uint32_t c = 0; c < t->columns; c++)
        sepx__ged_scale_see(scale, t->insert[t->column_first[c]]);
}

static int64_t
to_steps(double cost, double steps)
{
    return isfinite(cost) ? llround(cost * steps) : GED_NEVER;
}

static SEPX_CHECKED enum sepx_err
set_dense(struct ged_dense *d, const struct matter *t, double steps)
{
    *d = (struct ged_dense){.rows = t->rows, .columns = t->columns};
    d->remove = sepx__calloc(t->rows + 1u, sizeof *d->remove);
    d->insert = sepx__calloc(t->columns + 1u, sizeof *d->insert);
    d->become =
        sepx__calloc((size_t)t->rows * t->columns + 1, sizeof *d->become);
    if (!d->remove || !d->insert || !d->become)
        return SEPX_ENOMEM;
    for (uint32_t r = 0; r < t->rows; r++) {
        const size_t i = t->row_first[r];

        d->remove[r] = to_steps(t->remove[i], steps);
        for (uint32_t c = 0; c < t->columns; c++)
            d->become[(size_t)r * t->columns + c] =
                to_steps(t->become[i * t->m + t->column_first[c]], steps);
    }
    for (uint32_t c = 0; c < t->columns; c++)
        d->insert[c] = to_steps(t->insert[t->column_first[c]], steps);
    return SEPX_OK;
}

/* ---- unit costs ---- */

/* Whether every edit costs `one` (-1: not known yet). */
static bool
is_even(const struct ged_dense *d, int64_t *one)
{
    for (uint32_t r = 0; r < d->rows; r++) {
        *one = *one < 0 ? d->remove[r] : *one;
        if (d->remove[r] != *one)
            return false;
    }
    for (uint32_t c = 0; c < d->columns; c++) {
        *one = *one < 0 ? d->insert[c] : *one;
        if (d->insert[c] != *one)
            return false;
    }
    for (size_t x = 0; x < (size_t)d->rows * d->columns; x++)
        if (d->become[x] && d->become[x] != *one)
            return false;
    return true;
}

/* The row that a column is free for, or `rows`; false: not one to one. */
static bool
find_partner(const struct ged_dense *d, uint32_t c, uint32_t *partner)
{
    *partner = d->rows;
    for (uint32_t r = 0; r < d->rows; r++) {
        if (d->become[(size_t)r * d->columns + c])
            continue;
        if (*partner < d->rows)
            return false;
        for (uint32_t x = 0; x < c; x++)
            if (!d->become[(size_t)r * d->columns + x])
                return false;
        *partner = r;
    }
    return true;
}

/* Labels of columns as if they were equal to their rows'. */
static bool
unify(uint16_t *label, const struct ged_dense *d)
{
    for (uint32_t c = 0; c < d->columns; c++) {
        uint32_t partner;

        if (!find_partner(d, c, &partner))
            return false;
        label[c] = (uint16_t)(partner < d->rows ? partner : d->rows + c);
    }
    return true;
}

/* ---- graphs ---- */

static int
by_place(const void *left, const void *right)
{
    const struct sepx_edge *x = left, *y = right;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

/* The graph with other labels, prepared; its names are none. */
static SEPX_CHECKED enum sepx_err
prepare(struct sepx_ged *ged, struct sepx_ged_graph **ready,
        const struct sepx_graph *graph, const uint16_t *node,
        const uint16_t *edge)
{
    struct sepx_graph copy = *graph;
    enum sepx_err err = SEPX_ENOMEM;

    copy.label = sepx__calloc(graph->n_nodes + 1u, sizeof *copy.label);
    copy.edge = sepx__calloc(graph->n_edges + 1u, sizeof *copy.edge);
    if (copy.label && copy.edge) {
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            copy.label[i] = node[i];
        for (uint32_t e = 0; e < graph->n_edges; e++) {
            copy.edge[e] = graph->edge[e];
            copy.edge[e].label = edge[e];
        }
        qsort(copy.edge, copy.n_edges, sizeof *copy.edge, by_place);
        err = sepx_ged_prepare(ged, ready, &copy);
    }
    sepx__free(copy.label);
    sepx__free(copy.edge);
    return err;
}

/* ---- all of it ---- */

struct work {
    struct sepx_ged *base; /* as the options say */
    struct sepx_ged_graph *a, *b;
    struct ged_table node_rows, edge_rows;
    struct matter node, edge;
    uint16_t *edge_label_a, *edge_label_b;
};

static void
work_release(struct work *w)
{
    sepx_ged_free(w->base);
    sepx_ged_graph_free(w->a);
    sepx_ged_graph_free(w->b);
    sepx__free(w->node_rows.row);
    sepx__free(w->edge_rows.row);
    matter_release(&w->node);
    matter_release(&w->edge);
    sepx__free(w->edge_label_a);
    sepx__free(w->edge_label_b);
}

static SEPX_CHECKED enum sepx_err
work_init(struct work *w, const struct sepx_ged_options *options,
          const struct sepx_graph *a, const struct sepx_graph *b)
{
    enum sepx_err err = sepx_ged_new(&w->base, options);

    if (!err)
        err = sepx_ged_prepare(w->base, &w->a, a);
    if (!err)
        err = sepx_ged_prepare(w->base, &w->b, b);
    if (!err)
        err = sepx__ged_compile(&w->base->costs, w->a, w->b, &w->node_rows,
                                &w->edge_rows);
    if (!err)
        err = matter_init(&w->node, a->n_nodes, b->n_nodes);
    if (!err)
        err = matter_init(&w->edge, a->n_edges, b->n_edges);
    if (err)
        return err;
    w->edge_label_a = sepx__calloc(a->n_edges + 1u, sizeof(uint16_t));
    w->edge_label_b = sepx__calloc(b->n_edges + 1u, sizeof(uint16_t));
    if (!w->edge_label_a || !w->edge_label_b)
        return SEPX_ENOMEM;
    for (uint32_t e = 0; e < a->n_edges; e++)
        w->edge_label_a[e] = a->edge[e].label;
    for (uint32_t e = 0; e < b->n_edges; e++)
        w->edge_label_b[e] = b->edge[e].label;
    return SEPX_OK;
}

/* Every cost, then labels for all that have the same ones. */
static SEPX_CHECKED enum sepx_err
set_costs(struct work *w, const struct sepx_pair_costs *given)
{
    const struct ged_costs *costs = &w->base->costs;
    const struct rest node = {costs,
                              &costs->node,
                              w->a->label,
                              w->b->label,
                              w->node_rows.row ? &w->node_rows : NULL,
                              w->a->class,
                              w->b->class};
    const struct rest edge = {costs,
                              &costs->edge,
                              w->edge_label_a,
                              w->edge_label_b,
                              w->edge_rows.row ? &w->edge_rows : NULL,
                              NULL,
                              NULL};
    enum sepx_err err;

    fill_in(&w->node, &node, given->node_substitute, given->node_delete,
            given->node_insert);
    fill_in(&w->edge, &edge, given->edge_substitute, given->edge_delete,
            given->edge_insert);
    if (!are_costs(&w->node) || !are_costs(&w->edge))
        return SEPX_EINVAL;
    cut(&w->node, price_all(&w->edge));
    cut(&w->edge, 0);
    err = number(&w->node, false);
    if (!err)
        err = number(&w->node, true);
    if (!err)
        err = number(&w->edge, false);
    if (!err)
        err = number(&w->edge, true);
    return err;
}

/* The costs of `ged` in steps; whether all are one, costs->one. */
static SEPX_CHECKED enum sepx_err
set_steps(struct work *w, struct sepx_ged *ged, bool *unit)
{
    const double all = price_all(&w->node) + price_all(&w->edge);
    struct ged_scale scale = {0};
    struct ged_costs *costs = &ged->costs;
    int64_t one = -1;
    enum sepx_err err;

    if (!isfinite(all))
        return SEPX_EINVAL;
    see(&scale, &w->node);
    see(&scale, &w->edge);
    sepx__ged_scale_end(&scale, all, ALL_STEPS);
    costs->num = 1;
    costs->den = scale.steps;
    costs->rounded = !scale.whole;
    err = set_dense(&costs->node.dense, &w->node, scale.steps);
    if (!err)
        err = set_dense(&costs->edge.dense, &w->edge, scale.steps);
    *unit = !err && is_even(&costs->node.dense, &one) &&
            is_even(&costs->edge.dense, &one) && one > 0;
    costs->one = *unit ? (double)one : 0;
    return err;
}

/* From now on `ged` has only its dense costs, whose labels are apart. */
static void
keep_apart(struct sepx_ged *ged, struct matter *t, const struct ged_dense *d)
{
    ged->costs.unit = false;
    sepx__aligned_free(ged->tables);
    ged->tables = NULL;
    for (uint32_t k = 0; k < t->m; k++)
        t->column[k] = (uint16_t)(d->rows + t->column[k]);
}

/* The labels of both graphs, and costs by them. */
static SEPX_CHECKED enum sepx_err
set_labels(struct work *w, struct sepx_ged *ged)
{
    struct ged_costs *costs = &ged->costs;
    struct matter *const matter[] = {&w->node, &w->edge};
    struct ged_dense *const dense[] = {&costs->node.dense, &costs->edge.dense};
    uint16_t *label[2] = {NULL, NULL};
    enum sepx_err err;
    bool unit = false;

    err = set_steps(w, ged, &unit);
    for (unsigned x = 0; x < 2 && unit && !err; x++) {
        label[x] = sepx__calloc(dense[x]->columns + 1u, sizeof *label[x]);
        if (!label[x])
            err = SEPX_ENOMEM;
        else
            unit = unify(label[x], dense[x]);
    }
    for (unsigned x = 0; x < 2 && !err; x++) {
        if (!unit) {
            keep_apart(ged, matter[x], dense[x]);
            continue;
        }
        for (uint32_t k = 0; k < matter[x]->m; k++)
            matter[x]->column[k] = label[x][matter[x]->column[k]];
        sepx__ged_dense_release(dense[x]);
    }
    if (unit && !err) {
        costs->num = costs->one;
        costs->one /= costs->den;
        costs->den *= GED_UNIT;
    }
    sepx__free(label[0]);
    sepx__free(label[1]);
    return err;
}

enum sepx_err
sepx_ged_new_pair(struct sepx_ged **ged, struct sepx_ged_graph **ready_a,
                  struct sepx_ged_graph **ready_b,
                  const struct sepx_ged_options *options,
                  const struct sepx_graph *a, const struct sepx_graph *b,
                  const struct sepx_pair_costs *costs)
{
    static const struct sepx_pair_costs none = {0};
    const struct sepx_ged_options alone = {.plain = options && options->plain};
    struct work w = {0};
    enum sepx_err err = SEPX_EINVAL;

    *ged = NULL;
    *ready_a = *ready_b = NULL;
    if (a->undirected == b->undirected)
        err = work_init(&w, options, a, b);
    if (!err)
        err = set_costs(&w, costs ? costs : &none);
    if (!err)
        err = sepx_ged_new(ged, &alone);
    if (!err)
        err = set_labels(&w, *ged);
    if (!err)
        err = prepare(*ged, ready_a, a, w.node.row, w.edge.row);
    if (!err)
        err = prepare(*ged, ready_b, b, w.node.column, w.edge.column);
    if (err) {
        sepx_ged_free(*ged);
        sepx_ged_graph_free(*ready_a);
        sepx_ged_graph_free(*ready_b);
        *ged = NULL;
        *ready_a = *ready_b = NULL;
    }
    work_release(&w);
    return err;
}
