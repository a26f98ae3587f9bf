/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of a space of a file: the label of each inner node that has a
 * choice, then each edge that may be there. Every place must have one role
 * and group in all graphs, so inputs and outputs are of fixed number, and
 * inner nodes too, unless dead ones are allowed: then graphs gain bare nodes.
 */
#include <stdio.h>
#include <string.h>

#include "space/custom.h"

/* Places are in stored order; slots[] holds a label's `group`: 3 * g + role. */
static uint32_t
slot_labels(const struct custom *c, uint32_t place, uint16_t *label)
{
    uint32_t count = 0;

    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (c->label[i].group == c->slots[place] && c->rule[i].count.max)
            label[count++] = (uint16_t)(i + 1);
    return count;
}

/* Any label of a slot speaks for all: roles and groups decide. */
static bool
slot_joins(const struct custom *c, uint32_t from, uint32_t to)
{
    uint8_t a = c->slots[from], b = c->slots[to];

    return from != to && (from < to || c->ops.cyclic) && b % 3 != 0 &&
           a % 3 != 2 && c->link[a / 3][b / 3];
}

static uint32_t
n_slots(const struct custom *c)
{
    return c->nodes.max < c->sample.nodes.max ? c->nodes.max
                                              : c->sample.nodes.max;
}

/* What variable `number` is: a place with labels, or an edge from..to. */
static bool
find_variable(const struct custom *c, uint32_t number, uint32_t *from,
              uint32_t *to)
{
    uint16_t label[SEPX__LABELS_MAX];
    uint32_t n = n_slots(c);

    for (uint32_t i = 0; i < n; i++)
        if (slot_labels(c, i, label) > 1 && !number--) {
            *from = *to = i;
            return true;
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (slot_joins(c, i, j) && !number--) {
                *from = i;
                *to = j;
                return true;
            }
    return false;
}

static uint32_t
choices(const struct sepx_space *space, uint32_t number)
{
    const struct custom *c = custom_of(space);
    uint16_t label[SEPX__LABELS_MAX];
    uint32_t from = 0, to = 0;

    if (!find_variable(c, number, &from, &to))
        return 0;
    return from == to ? slot_labels(c, from, label) : c->n_edge_labels + 1u;
}

static void
variable(const struct sepx_space *space, uint32_t number, char *room,
         size_t size)
{
    uint32_t from = 0, to = 0;

    (void)find_variable(custom_of(space), number, &from, &to);
    if (from == to)
        snprintf(room, size, "op%u", from);
    else
        snprintf(room, size, "edge%u-%u", from, to);
}

static enum sepx_err
decode(const struct sepx_space *space, struct sepx_graph *graph, bool *valid,
       const uint16_t *value, struct sepx_msg *msg)
{
    const struct custom *c = custom_of(space);
    uint16_t label[SEPX__LABELS_MAX];
    struct cells cells;
    enum sepx_err err;

    cells.n = n_slots(c);
    for (uint32_t i = 0; i < cells.n; i++) {
        uint32_t count = slot_labels(c, i, label);

        cells.label[i] = label[count > 1 ? *value++ : 0];
    }
    for (uint32_t i = 0; i < cells.n; i++)
        for (uint32_t j = 0; j < cells.n; j++)
            cells.at[i][j] = slot_joins(c, i, j) ? (uint8_t)*value++ : 0;
    err = sepx__cells_write(space, graph, &cells);
    return err ? err : sepx_space_check(space, valid, graph, msg);
}

static uint16_t
choice_of(const struct custom *c, uint32_t place, uint16_t want)
{
    uint16_t label[SEPX__LABELS_MAX], i = 0;
    uint32_t count = slot_labels(c, place, label);

    while (i + 1u < count && label[i] != want)
        i++;
    return i;
}

/* A label of the slot of which there may be one more. */
static uint16_t
spare_label(const struct custom *c, const struct cells *cells, uint32_t place)
{
    uint16_t label[SEPX__LABELS_MAX];
    uint32_t count = slot_labels(c, place, label);

    for (uint32_t k = 0; k < count; k++) {
        uint32_t there = 0;

        for (uint32_t i = 0; i < cells->n; i++)
            there += cells->label[i] == label[k];
        if (there < c->rule[label[k] - 1].count.max)
            return label[k];
    }
    return label[0];
}

/* Missing nodes become bare ones behind the last inner node. */
static enum sepx_err
encode(const struct sepx_space *space, uint16_t *value,
       const struct sepx_graph *graph)
{
    const struct custom *c = custom_of(space);
    uint16_t label[SEPX__LABELS_MAX];
    struct cells cells;

    sepx__cells_read(c, &cells, graph);
    for (uint32_t i = 0; i < n_slots(c); i++)
        if (i >= cells.n || c->label[cells.label[i] - 1].group != c->slots[i])
            sepx__cells_insert(&cells, i, spare_label(c, &cells, i));
    for (uint32_t i = 0; i < cells.n; i++)
        if (slot_labels(c, i, label) > 1)
            *value++ = choice_of(c, i, cells.label[i]);
    for (uint32_t i = 0; i < cells.n; i++)
        for (uint32_t j = 0; j < cells.n; j++)
            if (slot_joins(c, i, j))
                *value++ = cells.at[i][j];
    return SEPX_OK;
}

/* ---- whether there is one ---- */

static bool
counts_are_fixed(const struct custom *c)
{
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (c->label[i].role != SEPX__INNER &&
            c->rule[i].count.min != c->rule[i].count.max)
            return false;
    return true;
}

/* Inner nodes of each group: their one number, or false. */
static bool
inner_counts(const struct custom *c, uint32_t *inner)
{
    bool fill = c->connected == CONNECTED_PRUNED && c->n_groups == 1;
    bool same = c->nodes.min == c->nodes.max && c->n_groups == 1;

    for (uint8_t g = 0; g < c->n_groups; g++) {
        uint32_t low = 0, high = 0, ends = 0;

        for (uint16_t i = 0; i < c->ops.n_labels; i++) {
            const struct label_rule *rule = &c->rule[i];

            if (rule->group != g)
                continue;
            if (c->label[i].role != SEPX__INNER)
                ends += rule->count.min;
            low += rule->count.min;
            high += rule->count.max > NODES ? NODES : rule->count.max;
        }
        if (c->group[g].nodes.min == c->group[g].nodes.max)
            low = high = c->group[g].nodes.min;
        if (fill || same)
            low = high = n_slots(c);
        if (low != high || low < ends || low > NODES)
            return false;
        inner[g] = low - ends;
    }
    return true;
}

/* Labels of one slot must be free to be any. */
static bool
set_slots(struct custom *c, const uint32_t *inner)
{
    uint32_t n = 0;

    for (uint8_t part = 0; part < 3 * c->n_groups; part++) {
        uint32_t count = part % 3 == 1 ? inner[part / 3] : 0, kinds = 0;

        for (uint16_t i = 0; i < c->ops.n_labels; i++) {
            if (c->label[i].group != part || !c->rule[i].count.max)
                continue;
            kinds++;
            count += part % 3 != 1 ? c->rule[i].count.min : 0;
        }
        if (n + count > NODES || (count && !kinds) ||
            (part % 3 != 1 && kinds > 1))
            return false;
        memset(c->slots + n, part, count);
        n += count;
    }
    return n == n_slots(c);
}

void
sepx__custom_vectors(struct custom *c)
{
    uint32_t inner[GROUPS_MAX], count = 0;
    uint16_t label[SEPX__LABELS_MAX];

    if (!counts_are_fixed(c) || !inner_counts(c, inner) || !set_slots(c, inner))
        return;
    for (uint32_t i = 0; i < n_slots(c); i++) {
        count += slot_labels(c, i, label) > 1;
        for (uint32_t j = 0; j < n_slots(c); j++)
            count += slot_joins(c, i, j);
    }
    c->ops.n_variables = count;
    c->ops.choices = choices;
    c->ops.variable = variable;
    c->ops.decode = decode;
    c->ops.encode = encode;
}
