/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs as integers. A cost is a fraction p/q if q times it is an integer up
 * to the rounding of doubles; q is found among the convergents of its
 * continued fraction. If all costs are such fractions and their common
 * denominator is small, steps of that size make every sum exact. Otherwise a
 * step is a power of two, as small as the range of sums allows.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ged/internal.h"

#define DENOMINATOR_MAX 1e6 /* of one cost */
#define STEPS_MAX 1e9       /* in a cost of 1, if all are whole */
#define LABEL_STEPS 0x1p40  /* of one cost, if graphs are not known yet */

/* ---- scale ---- */

static bool
is_whole(double x)
{
    return fabs(x - nearbyint(x)) <= 8 * DBL_EPSILON * fmax(1, x);
}

/* The least q with x * q whole; 0: none up to DENOMINATOR_MAX. */
static double
denominator(double x)
{
    double rest = x, before = 0, q = 1;

    while (!is_whole(x * q)) {
        const double part = rest - floor(rest);
        double next;

        if (part < 1 / DENOMINATOR_MAX / DENOMINATOR_MAX)
            return 0;
        rest = 1 / part;
        next = floor(rest) * q + before;
        if (next > DENOMINATOR_MAX)
            return 0;
        before = q;
        q = next;
    }
    return q;
}

void
sepx__ged_scale_see(struct ged_scale *scale, double cost)
{
    double q;

    if (!(scale->steps > 0))
        *scale = (struct ged_scale){.steps = 1, .whole = true};
    scale->most = fmax(scale->most, cost);
    if (!scale->whole)
        return;
    q = denominator(cost * scale->steps);
    if (q > 0 && scale->steps * q <= STEPS_MAX)
        scale->steps *= q;
    else
        scale->whole = false;
}

void
sepx__ged_scale_end(struct ged_scale *scale, double most, double most_steps)
{
    int exponent;

    if (!(scale->steps > 0))
        *scale = (struct ged_scale){.steps = 1, .whole = true};
    if (scale->whole && scale->steps * most <= most_steps)
        return;
    (void)frexp(most_steps / most, &exponent);
    scale->steps = ldexp(1, exponent - 1);
    scale->whole = false;
}

/* ---- from the public form ---- */

static bool
see(struct ged_scale *scale, double cost)
{
    if (!(cost >= 0 && cost <= GED_COST_MAX))
        return false;
    sepx__ged_scale_see(scale, cost);
    return true;
}

static bool
see_relabels(struct ged_scale *scale, const struct sepx_relabel_cost *row,
             size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!see(scale, row[i].cost))
            return false;
    return true;
}

static bool
see_labels(struct ged_scale *scale, const struct sepx_label_cost *row,
           size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!see(scale, row[i].cost))
            return false;
    return true;
}

/* Every part of the cost of relabelling that a field stands for. */
static bool
see_fields(struct ged_scale *scale, const struct sepx_field_weight *field,
           size_t count, double relabel)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (!(field[i].weight >= 0 && field[i].weight <= GED_COST_MAX) ||
            !field[i].field)
            return false;
        sum += field[i].weight;
    }
    for (size_t i = 0; i < count && sum > 0; i++)
        sepx__ged_scale_see(scale, relabel * (field[i].weight / sum));
    return !count || sum > 0;
}

static bool
see_all(struct ged_scale *scale, const struct sepx_costs *c)
{
    return see(scale, c->node_insert) && see(scale, c->node_delete) &&
           see(scale, c->node_relabel) && see(scale, c->edge_insert) &&
           see(scale, c->edge_delete) && see(scale, c->edge_relabel) &&
           see_relabels(scale, c->node_table, c->n_node_table) &&
           see_relabels(scale, c->edge_table, c->n_edge_table) &&
           see_labels(scale, c->node_insert_table, c->n_node_insert_table) &&
           see_labels(scale, c->node_delete_table, c->n_node_delete_table) &&
           see_labels(scale, c->edge_insert_table, c->n_edge_insert_table) &&
           see_labels(scale, c->edge_delete_table, c->n_edge_delete_table) &&
           see_fields(scale, c->node_fields, c->n_node_fields,
                      c->node_relabel) &&
           see_fields(scale, c->edge_fields, c->n_edge_fields,
                      c->edge_relabel) &&
           ((!c->n_node_fields && !c->n_edge_fields) || c->names);
}

static int
by_labels(const void *x, const void *y)
{
    const struct ged_relabel *a = x, *b = y;

    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

static SEPX_CHECKED enum sepx_err
copy_relabels(struct ged_table *to, const struct sepx_relabel_cost *from,
              size_t count, double steps)
{
    if (!count)
        return SEPX_OK;
    to->row = sepx__calloc(count, sizeof *to->row);
    if (!to->row)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++)
        to->row[i] = (struct ged_relabel){from[i].from, from[i].to,
                                          llround(from[i].cost * steps)};
    to->count = count;
    qsort(to->row, count, sizeof *to->row, by_labels);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
copy_labels(struct ged_table *to, const struct sepx_label_cost *from,
            size_t count, double steps)
{
    if (!count)
        return SEPX_OK;
    to->row = sepx__calloc(count, sizeof *to->row);
    if (!to->row)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++)
        to->row[i] = (struct ged_relabel){from[i].label, 0,
                                          llround(from[i].cost * steps)};
    to->count = count;
    qsort(to->row, count, sizeof *to->row, by_labels);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
copy_nodes(struct ged_kind *to, const struct sepx_costs *c, double steps)
{
    enum sepx_err err;

    to->insert = llround(c->node_insert * steps);
    to->remove = llround(c->node_delete * steps);
    to->relabel = llround(c->node_relabel * steps);
    err = copy_relabels(&to->relabels, c->node_table, c->n_node_table, steps);
    if (!err)
        err = copy_labels(&to->inserts, c->node_insert_table,
                          c->n_node_insert_table, steps);
    if (!err)
        err = copy_labels(&to->removes, c->node_delete_table,
                          c->n_node_delete_table, steps);
    if (!err)
        err = sepx__ged_fields_init(&to->fields, c->node_fields,
                                    c->n_node_fields, c->node_relabel, steps);
    return err;
}

static SEPX_CHECKED enum sepx_err
copy_edges(struct ged_kind *to, const struct sepx_costs *c, double steps)
{
    enum sepx_err err;

    to->insert = llround(c->edge_insert * steps);
    to->remove = llround(c->edge_delete * steps);
    to->relabel = llround(c->edge_relabel * steps);
    err = copy_relabels(&to->relabels, c->edge_table, c->n_edge_table, steps);
    if (!err)
        err = copy_labels(&to->inserts, c->edge_insert_table,
                          c->n_edge_insert_table, steps);
    if (!err)
        err = copy_labels(&to->removes, c->edge_delete_table,
                          c->n_edge_delete_table, steps);
    if (!err)
        err = sepx__ged_fields_init(&to->fields, c->edge_fields,
                                    c->n_edge_fields, c->edge_relabel, steps);
    return err;
}

static bool
is_even(const struct ged_kind *kind, int64_t cost)
{
    return kind->insert == cost && kind->remove == cost &&
           kind->relabel == cost && !kind->relabels.count &&
           !kind->inserts.count && !kind->removes.count && !kind->fields.count;
}

/* Edits that all cost the same are counted, and multiplied at the end. */
static void
count_edits(struct ged_costs *costs)
{
    struct ged_kind *const kinds[] = {&costs->node, &costs->edge};
    const int64_t cost = costs->node.insert;

    costs->unit =
        cost && is_even(&costs->node, cost) && is_even(&costs->edge, cost);
    if (!costs->unit)
        return;
    costs->one = (double)cost / costs->den;
    costs->num = (double)cost;
    costs->den *= GED_UNIT;
    for (unsigned k = 0; k < 2; k++)
        kinds[k]->insert = kinds[k]->remove = kinds[k]->relabel = GED_UNIT;
}

enum sepx_err
sepx__ged_costs_init(struct ged_costs *to, const struct sepx_costs *from)
{
    struct ged_scale scale = {0};
    enum sepx_err err;

    if (!see_all(&scale, from))
        return SEPX_EINVAL;
    sepx__ged_scale_end(&scale, scale.most, LABEL_STEPS);
    to->num = 1;
    to->den = scale.steps;
    to->rounded = !scale.whole;
    to->names = from->names;
    err = copy_nodes(&to->node, from, scale.steps);
    if (!err)
        err = copy_edges(&to->edge, from, scale.steps);
    if (!err)
        count_edits(to);
    return err;
}

void
sepx__ged_dense_release(struct ged_dense *dense)
{
    sepx__free(dense->remove);
    sepx__free(dense->insert);
    sepx__free(dense->become);
    *dense = (struct ged_dense){0};
}

static void
release_kind(struct ged_kind *kind)
{
    sepx__free(kind->inserts.row);
    sepx__free(kind->removes.row);
    sepx__free(kind->relabels.row);
    sepx__ged_dense_release(&kind->dense);
    sepx__ged_fields_release(&kind->fields);
}

void
sepx__ged_costs_release(struct ged_costs *costs)
{
    release_kind(&costs->node);
    release_kind(&costs->edge);
}

/* ---- one cost ---- */

int64_t
sepx__ged_table_cost(const struct ged_table *table, uint16_t from, uint16_t to,
                     int64_t otherwise)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t mid = (low + high) / 2;
        const struct ged_relabel *row = &table->row[mid];

        if (row->from < from || (row->from == from && row->to < to))
            low = mid + 1;
        else
            high = mid;
    }
    if (low < table->count && table->row[low].from == from &&
        table->row[low].to == to)
        return table->row[low].cost;
    return otherwise;
}

int64_t
sepx__ged_price(const struct ged_kind *kind, uint16_t label, bool insert)
{
    const struct ged_dense *dense = &kind->dense;

    if (!dense->remove)
        return insert ? sepx__ged_table_cost(&kind->inserts, label, 0,
                                             kind->insert)
                      : sepx__ged_table_cost(&kind->removes, label, 0,
                                             kind->remove);
    if (insert)
        return label < dense->rows ? 0 : dense->insert[label - dense->rows];
    return label < dense->rows ? dense->remove[label] : 0;
}

int64_t
sepx__ged_become(const struct ged_kind *kind, uint16_t x, uint16_t y)
{
    const struct ged_dense *dense = &kind->dense;

    if (dense->remove)
        return x < dense->rows && y >= dense->rows
                   ? dense->become[(size_t)x * dense->columns + y - dense->rows]
                   : GED_NEVER;
    return x == y ? 0
                  : sepx__ged_table_cost(&kind->relabels, x, y, kind->relabel);
}
