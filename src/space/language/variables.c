/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of a space of a file: the label of each inner node that has a
 * choice, then each edge that may be there. Every place must have one role
 * and group in all graphs, so inputs and outputs are of fixed number, and
 * inner nodes too, unless dead ones are allowed: then graphs gain bare nodes.
 *
 * What the limits settle is no variable: an edge that no graph can have or
 * that none can lack (but its label may be one), a label without rival.
 */
#include <stdio.h>
#include <string.h>

#include "space/language/language.h"

/* Places are in stored order; slots[] holds a label's `group`: 3 * g + role. */
static uint32_t
n_slots(const struct custom *c)
{
    return c->nodes.max < c->sample.nodes.max ? c->nodes.max
                                              : c->sample.nodes.max;
}

/* A label that must fill all slots of its kind is the only one there. */
static uint32_t
slot_labels(const struct custom *c, uint32_t place, uint16_t *label)
{
    uint32_t count = 0, slots = 0;

    for (uint32_t i = 0; i < n_slots(c); i++)
        slots += c->slots[i] == c->slots[place];
    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        if (c->label[i].group != c->slots[place] || !c->rule[i].count.max)
            continue;
        label[count++] = (uint16_t)(i + 1);
        if (c->rule[i].count.min >= slots) {
            label[0] = (uint16_t)(i + 1);
            return 1;
        }
    }
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

/* Values that an edge can have; the least is 1 if it is always there. */
static uint32_t
edge_choices(const struct custom *c, uint32_t from, uint32_t to)
{
    switch ((enum edge_is)c->edge_is[from][to]) {
    case EDGE_NEVER:
        return 1;
    case EDGE_FREE:
        return c->n_edge_labels + 1u;
    case EDGE_ALWAYS:
        return c->n_edge_labels;
    }
    return 1;
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
            if (edge_choices(c, i, j) > 1 && !number--) {
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
    return from == to ? slot_labels(c, from, label) : edge_choices(c, from, to);
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
        for (uint32_t j = 0; j < cells.n; j++) {
            cells.at[i][j] = c->edge_is[i][j] == EDGE_ALWAYS;
            if (edge_choices(c, i, j) > 1)
                cells.at[i][j] += (uint8_t)*value++;
        }
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
    uint16_t label[SEPX__LABELS_MAX] = {0};
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
    if (cells.n > n_slots(c))
        return SEPX_EINVAL;
    for (uint32_t i = 0; i < cells.n; i++)
        if (slot_labels(c, i, label) > 1)
            *value++ = choice_of(c, i, cells.label[i]);
    for (uint32_t i = 0; i < cells.n; i++)
        for (uint32_t j = 0; j < cells.n; j++)
            if (edge_choices(c, i, j) > 1)
                *value++ = (uint16_t)(cells.at[i][j] -
                                      (c->edge_is[i][j] == EDGE_ALWAYS));
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

/* ---- what the limits settle ---- */

/* Edges of one row, one column or all: those that may and that must be. */
struct edge_set {
    uint32_t possible, sure;
};

static void
count_edge(struct edge_set *set, uint8_t edge_is)
{
    set->possible += edge_is != EDGE_NEVER;
    set->sure += edge_is == EDGE_ALWAYS;
}

/* If the range leaves no choice, what the free ones of the set are. */
static enum edge_is
settled(struct range range, const struct edge_set *set)
{
    if (range.min >= set->possible)
        return EDGE_ALWAYS;
    return range.max <= set->sure ? EDGE_NEVER : EDGE_FREE;
}

/* The widest range of a slot's labels; a path needs an edge at least. */
static struct range
slot_degree(const struct custom *c, uint32_t place, bool in)
{
    uint16_t label[SEPX__LABELS_MAX];
    uint32_t count = slot_labels(c, place, label);
    struct range all = {UNLIMITED, 0};

    for (uint32_t k = 0; k < count; k++) {
        const struct label_rule *rule = &c->rule[label[k] - 1];
        const struct range one = in ? rule->in : rule->out;

        all.min = one.min < all.min ? one.min : all.min;
        all.max = one.max > all.max ? one.max : all.max;
    }
    if ((in ? c->connected == CONNECTED_REQUIRED : needs_path(c)) && !all.min &&
        c->slots[place] % 3 != (in ? 0 : 2))
        all.min = 1;
    return all;
}

static bool
settle_edge(struct custom *c, uint32_t from, uint32_t to, enum edge_is is)
{
    if (is == EDGE_FREE || c->edge_is[from][to] != EDGE_FREE)
        return false;
    c->edge_is[from][to] = (uint8_t)is;
    return true;
}

/* By the degrees of one place, in one direction. */
static bool
settle_place(struct custom *c, uint32_t place, bool in)
{
    const uint32_t n = n_slots(c);
    struct edge_set set = {0};
    enum edge_is is;
    bool changed = false;

    for (uint32_t k = 0; k < n; k++)
        count_edge(&set, in ? c->edge_is[k][place] : c->edge_is[place][k]);
    is = settled(slot_degree(c, place, in), &set);
    for (uint32_t k = 0; k < n; k++)
        changed |=
            in ? settle_edge(c, k, place, is) : settle_edge(c, place, k, is);
    return changed;
}

static bool
settle_all(struct custom *c)
{
    const uint32_t n = n_slots(c);
    struct edge_set set = {0};
    enum edge_is is;
    bool changed = false;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            count_edge(&set, c->edge_is[i][j]);
    is = settled(c->edges, &set);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            changed |= settle_edge(c, i, j, is);
    return changed;
}

/* Limits look at live nodes alone, so where nodes may be dead all is open. */
static void
settle_edges(struct custom *c)
{
    const uint32_t n = n_slots(c);
    bool changed = c->connected != CONNECTED_PRUNED;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            c->edge_is[i][j] = slot_joins(c, i, j) ? EDGE_FREE : EDGE_NEVER;
    while (changed) {
        changed = settle_all(c);
        for (uint32_t i = 0; i < n; i++) {
            changed |= settle_place(c, i, true);
            changed |= settle_place(c, i, false);
        }
    }
}

void
sepx__custom_vectors(struct custom *c)
{
    uint32_t inner[GROUPS_MAX], count = 0;
    uint16_t label[SEPX__LABELS_MAX];

    if (c->nodes.max > NODES || !counts_are_fixed(c) ||
        !inner_counts(c, inner) || !set_slots(c, inner))
        return;
    settle_edges(c);
    for (uint32_t i = 0; i < n_slots(c); i++) {
        count += slot_labels(c, i, label) > 1;
        for (uint32_t j = 0; j < n_slots(c); j++)
            count += edge_choices(c, i, j) > 1;
    }
    c->ops.n_variables = count;
    c->ops.choices = choices;
    c->ops.variable = variable;
    c->ops.decode = decode;
    c->ops.encode = encode;
}
