/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels with fields, such as "conv k=3 s=2": relabelling costs a part for
 * each field that differs. Costs of label pairs are put in a table when two
 * graphs meet.
 */
#include <math.h>
#include <string.h>

#include "ged/internal.h"

/* ---- the list ---- */

enum sepx_err
sepx__ged_fields_init(struct ged_fields *to,
                      const struct sepx_field_weight *weight, size_t count,
                      double relabel, double steps)
{
    double sum = 0;

    if (!count)
        return SEPX_OK;
    to->field = sepx__calloc(count, sizeof *to->field);
    if (!to->field)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++)
        sum += weight[i].weight;
    for (size_t i = 0; i < count; i++) {
        const size_t size = strlen(weight[i].field) + 1;

        to->field[i].name = sepx__alloc(size);
        if (!to->field[i].name)
            return SEPX_ENOMEM;
        memcpy(to->field[i].name, weight[i].field, size);
        to->field[i].cost = llround(relabel * (weight[i].weight / sum) * steps);
        to->count = i + 1;
    }
    return SEPX_OK;
}

void
sepx__ged_fields_release(struct ged_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++)
        sepx__free(fields->field[i].name);
    sepx__free(fields->field);
    *fields = (struct ged_fields){0};
}

/* ---- two labels ---- */

static bool
differ(const char *x, const char *y, const char *name)
{
    struct sepx__word a, b;

    do {
        a = sepx__label_word(&x, name);
        b = sepx__label_word(&y, name);
        if (a.len != b.len || (a.len && memcmp(a.at, b.at, a.len)))
            return true;
    } while (a.len);
    return false;
}

static int64_t
price(const struct ged_fields *fields, const char *x, const char *y)
{
    int64_t sum = 0;

    for (size_t i = 0; i < fields->count; i++)
        if (differ(x, y, fields->field[i].name))
            sum += fields->field[i].cost;
    return sum;
}

/* ---- all pairs of labels ---- */

enum { SET = (UINT16_MAX + 1) / 8 }; /* bytes of a set of labels */

static void
put(uint8_t *set, uint16_t label)
{
    set[label / 8] |= (uint8_t)(1u << label % 8);
}

static bool
has(const uint8_t *set, uint32_t label)
{
    return set[label / 8] >> label % 8 & 1;
}

static uint32_t
size_of(const uint8_t *set)
{
    uint32_t count = 0;

    for (uint32_t x = 0; x <= UINT16_MAX; x++)
        count += has(set, x);
    return count;
}

/* Labels of rooted.c have no text; nothing else is mapped onto them. */
static const char *
text_of(const struct sepx_names *names, uint16_t label)
{
    return label < sepx_names_count(names) ? sepx_names_text(names, label) : "";
}

/* The rows of the table, and for all other pairs of labels what fields say. */
static SEPX_CHECKED enum sepx_err
compile(struct ged_table *to, const struct ged_kind *kind,
        const struct sepx_names *names, const uint8_t *from_set,
        const uint8_t *to_set)
{
    const size_t most = (size_t)size_of(from_set) * size_of(to_set);
    size_t count = 0;

    to->row = sepx__calloc(most + 1, sizeof *to->row);
    if (!to->row)
        return SEPX_ENOMEM;
    for (uint32_t x = 0; x <= UINT16_MAX; x++) {
        if (!has(from_set, x))
            continue;
        for (uint32_t y = 0; y <= UINT16_MAX; y++) {
            struct ged_relabel *row = &to->row[count];

            if (x == y || !has(to_set, y))
                continue;
            *row = (struct ged_relabel){(uint16_t)x, (uint16_t)y, -1};
            row->cost =
                sepx__ged_table_cost(&kind->relabels, row->from, row->to, -1);
            if (row->cost < 0)
                row->cost = price(&kind->fields, text_of(names, row->from),
                                  text_of(names, row->to));
            count++;
        }
    }
    to->count = count;
    return SEPX_OK;
}

enum sepx_err
sepx__ged_compile(const struct ged_costs *costs, const struct sepx_ged_graph *a,
                  const struct sepx_ged_graph *b, struct ged_table *node,
                  struct ged_table *edge)
{
    const struct sepx_ged_graph *const side[] = {a, b};
    enum sepx_err err = SEPX_OK;
    uint8_t *sets;

    if (!costs->node.fields.count && !costs->edge.fields.count)
        return SEPX_OK;
    sets = sepx__calloc(4, SET);
    if (!sets)
        return SEPX_ENOMEM;
    for (unsigned x = 0; x < 2; x++) {
        for (uint32_t i = 0; i < side[x]->n; i++)
            put(sets + x * SET, side[x]->label[i]);
        for (uint32_t e = 0; e < side[x]->m; e++)
            put(sets + (2 + x) * SET, side[x]->edge[e].label);
    }
    if (costs->node.fields.count)
        err = compile(node, &costs->node, costs->names, sets, sets + SET);
    if (!err && costs->edge.fields.count)
        err = compile(edge, &costs->edge, costs->names, sets + 2 * SET,
                      sets + 3 * SET);
    sepx__free(sets);
    return err;
}
