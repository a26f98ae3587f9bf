/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutation in a space of a file: changes at each place with a probability of
 * their own, then some changes of kinds that weights choose. An invalid
 * outcome is the caller's to draw again.
 */
#include "space/language/language.h"

#define TRIES 64 /* to find a place for a change */

#define X(name, key, text) key,
const char *const sepx__change_keys[N_CHANGES + 1] = {CHANGES(X) NULL};
#undef X

/* ---- labels ---- */

/* A label that may take the place of `label`, or itself. */
static uint16_t
other_label(const struct custom *c, uint16_t label, struct sepx_rng *rng)
{
    uint16_t fit[SEPX__LABELS_MAX];
    uint32_t count = 0;

    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (!c->label[i].pinned && i + 1 != label &&
            c->label[i].group == c->label[label - 1].group)
            fit[count++] = (uint16_t)(i + 1);
    if (!count || c->label[label - 1].pinned)
        return label;
    return fit[sepx_rng_below(rng, count)];
}

static bool
relabel_node(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint16_t *label = &cells->label[sepx_rng_below(rng, cells->n)];
        uint16_t other = other_label(c, *label, rng);

        if (other != *label) {
            *label = other;
            return true;
        }
    }
    return false;
}

static bool
swap_labels(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint16_t *a = &cells->label[sepx_rng_below(rng, cells->n)], was = *a;
        uint16_t *b = &cells->label[sepx_rng_below(rng, cells->n)];

        if (*a == *b || c->label[*a - 1].pinned || c->label[*b - 1].pinned ||
            c->label[*a - 1].group != c->label[*b - 1].group)
            continue;
        *a = *b;
        *b = was;
        return true;
    }
    return false;
}

/* ---- edges ---- */

static bool
pick_edge(const struct cells *cells, uint32_t *from, uint32_t *to,
          struct sepx_rng *rng)
{
    uint32_t count = 0, pick;

    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            count += cells->at[i][j] != 0;
    if (!count)
        return false;
    pick = sepx_rng_below(rng, count);
    for (*from = 0;; ++*from)
        for (*to = 0; *to < cells->n; ++*to)
            if (cells->at[*from][*to] && !pick--)
                return true;
}

static void
flip_at(const struct custom *c, uint8_t *cell, struct sepx_rng *rng)
{
    *cell = *cell ? 0 : sepx__random_edge(c, rng);
}

static bool
flip_edge(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t from = sepx_rng_below(rng, cells->n);
        uint32_t to = sepx_rng_below(rng, cells->n);

        if (sepx__may_edge(c, cells, from, to)) {
            flip_at(c, &cells->at[from][to], rng);
            return true;
        }
    }
    return false;
}

static bool
move_edge(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    uint32_t from, to;

    if (!pick_edge(cells, &from, &to, rng))
        return false;
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t other = sepx_rng_below(rng, cells->n);
        bool source = sepx_rng_u32(rng) & 1;
        uint32_t a = source ? other : from, b = source ? to : other;

        if (!sepx__may_edge(c, cells, a, b) || cells->at[a][b])
            continue;
        cells->at[a][b] = cells->at[from][to];
        cells->at[from][to] = 0;
        return true;
    }
    return false;
}

static uint8_t
other_edge(const struct custom *c, uint8_t was, struct sepx_rng *rng)
{
    uint32_t n = c->n_edge_labels;

    if (n < 2)
        return was;
    return (uint8_t)(1 + (was + sepx_rng_below(rng, n - 1)) % n);
}

static bool
relabel_edge(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    uint32_t from, to;

    if (c->n_edge_labels < 2 || !pick_edge(cells, &from, &to, rng))
        return false;
    cells->at[from][to] = other_edge(c, cells->at[from][to], rng);
    return true;
}

/* ---- nodes ---- */

static uint32_t
count_label(const struct cells *cells, uint16_t label)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < cells->n; i++)
        count += cells->label[i] == label;
    return count;
}

static uint32_t
count_group(const struct custom *c, const struct cells *cells, uint8_t group)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < cells->n; i++)
        count += c->rule[cells->label[i] - 1].group == group;
    return count;
}

/* A label of which there may be one more, or 0. */
static uint16_t
pick_new(const struct custom *c, const struct cells *cells,
         struct sepx_rng *rng)
{
    uint16_t fit[SEPX__LABELS_MAX];
    uint32_t count = 0;

    if (cells->n >= c->nodes.max || cells->n >= NODES)
        return 0;
    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        uint8_t group = c->rule[i].group;

        if (count_label(cells, (uint16_t)(i + 1)) < c->rule[i].count.max &&
            count_group(c, cells, group) < c->group[group].nodes.max)
            fit[count++] = (uint16_t)(i + 1);
    }
    return count ? fit[sepx_rng_below(rng, count)] : 0;
}

/* Between the ends of an edge, which stays with probability 1/2. */
static bool
insert_within(const struct custom *c, struct cells *cells, uint16_t label,
              struct sepx_rng *rng)
{
    uint32_t from, to, at;
    uint8_t was;

    for (unsigned i = 0; i < TRIES; i++) {
        if (!pick_edge(cells, &from, &to, rng))
            return false;
        if (!sepx__may_join(c, cells->label[from], label) ||
            !sepx__may_join(c, label, cells->label[to]))
            continue;
        was = cells->at[from][to];
        if (sepx_rng_u32(rng) & 1)
            cells->at[from][to] = 0;
        at = from < to ? from + 1 + sepx_rng_below(rng, to - from)
                       : sepx_rng_below(rng, cells->n + 1);
        sepx__cells_insert(cells, at, label);
        cells->at[from + (from >= at)][at] = was;
        cells->at[at][to + (to >= at)] = sepx__random_edge(c, rng);
        return true;
    }
    return false;
}

/* An input before all, an output behind all, else anywhere; one edge. */
static bool
insert_at_end(const struct custom *c, struct cells *cells, uint16_t label,
              struct sepx_rng *rng)
{
    enum sepx__role role = c->label[label - 1].role;
    uint32_t at = role == SEPX__INPUT    ? 0
                  : role == SEPX__OUTPUT ? cells->n
                                         : sepx_rng_below(rng, cells->n + 1);

    sepx__cells_insert(cells, at, label);
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t other = sepx_rng_below(rng, cells->n);
        uint32_t from = other < at ? other : at, to = other < at ? at : other;

        if (!sepx__may_edge(c, cells, from, to))
            continue;
        cells->at[from][to] = sepx__random_edge(c, rng);
        break;
    }
    return true;
}

static bool
insert_node(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    uint16_t label = pick_new(c, cells, rng);

    if (!label)
        return false;
    if (c->label[label - 1].role == SEPX__INNER &&
        insert_within(c, cells, label, rng))
        return true;
    return insert_at_end(c, cells, label, rng);
}

static bool
may_delete(const struct custom *c, const struct cells *cells, uint32_t node)
{
    uint16_t label = cells->label[node];
    const struct label_rule *rule = &c->rule[label - 1];

    return cells->n > c->nodes.min &&
           count_label(cells, label) > rule->count.min &&
           count_group(c, cells, rule->group) > c->group[rule->group].nodes.min;
}

static uint32_t
random_bit(uint64_t set, struct sepx_rng *rng)
{
    for (uint32_t k = sepx_rng_below(rng, sepx__count(set)); k; k--)
        set &= set - 1;
    return (uint32_t)__builtin_ctzll(set);
}

static void
join(const struct custom *c, struct cells *cells, uint32_t from, uint32_t to,
     uint8_t label)
{
    if (sepx__may_edge(c, cells, from, to) && !cells->at[from][to])
        cells->at[from][to] = label;
}

/* Neighbours that would be left without an edge get one past the node. */
static void
bypass(const struct custom *c, struct cells *cells, uint32_t node,
       struct sepx_rng *rng)
{
    struct sepx__rows rows;
    uint64_t in, out;

    sepx__cells_rows(cells, &rows);
    in = rows.in[node];
    out = rows.out[node];
    if (!in || !out)
        return;
    for (uint64_t set = in; set;) {
        uint32_t i = sepx__take_lowest(&set);

        if (sepx__count(rows.out[i]) == 1)
            join(c, cells, i, random_bit(out, rng), cells->at[i][node]);
    }
    for (uint64_t set = out; set;) {
        uint32_t i = sepx__take_lowest(&set);

        if (sepx__count(rows.in[i]) == 1)
            join(c, cells, random_bit(in, rng), i, cells->at[node][i]);
    }
}

static bool
delete_node(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    for (unsigned i = 0; i < TRIES; i++) {
        uint32_t node = sepx_rng_below(rng, cells->n);

        if (!may_delete(c, cells, node))
            continue;
        bypass(c, cells, node, rng);
        sepx__cells_remove(cells, node);
        return true;
    }
    return false;
}

/* ---- the mutant ---- */

static bool (*const apply[N_CHANGES])(const struct custom *, struct cells *,
                                      struct sepx_rng *) = {
    [FLIP_EDGE] = flip_edge,       [MOVE_EDGE] = move_edge,
    [RELABEL_NODE] = relabel_node, [SWAP_LABELS] = swap_labels,
    [RELABEL_EDGE] = relabel_edge, [INSERT_NODE] = insert_node,
    [DELETE_NODE] = delete_node,
};

/* Bare nodes, so that small graphs can grow by flips alone. */
static void
fill(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    while (cells->n < c->mutation.fill) {
        uint16_t label = pick_new(c, cells, rng);
        uint32_t at = cells->n;

        if (!label)
            return;
        while (at && c->label[cells->label[at - 1] - 1].group >
                         c->label[label - 1].group)
            at--;
        sepx__cells_insert(cells, at, label);
    }
}

static void
change_each(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    const double *each = c->mutation.each;

    for (uint32_t i = 0; i < cells->n && each[FLIP_EDGE] > 0; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            if (sepx__may_edge(c, cells, i, j) &&
                sepx_rng_chance(rng, each[FLIP_EDGE]))
                flip_at(c, &cells->at[i][j], rng);
    for (uint32_t i = 0; i < cells->n && each[RELABEL_EDGE] > 0; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            if (cells->at[i][j] && sepx_rng_chance(rng, each[RELABEL_EDGE]))
                cells->at[i][j] = other_edge(c, cells->at[i][j], rng);
    for (uint32_t i = 0; i < cells->n && each[RELABEL_NODE] > 0; i++)
        if (!c->label[cells->label[i] - 1].pinned &&
            sepx_rng_chance(rng, each[RELABEL_NODE]))
            cells->label[i] = other_label(c, cells->label[i], rng);
}

static void
change_one(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    double total = 0, at;
    unsigned kind = 0;
    bool done = false;

    for (unsigned k = 0; k < N_CHANGES; k++)
        total += c->mutation.weight[k];
    for (unsigned i = 0; i < N_CHANGES * 4 && !done && total > 0; i++) {
        at = sepx_rng_unit(rng) * total;
        for (kind = 0; kind + 1 < N_CHANGES && at >= c->mutation.weight[kind];
             kind++)
            at -= c->mutation.weight[kind];
        done = c->mutation.weight[kind] > 0 && apply[kind](c, cells, rng);
    }
}

enum sepx_err
sepx__custom_mutate(const struct sepx_space *space, struct sepx_graph *child,
                    const struct sepx_rules *rules, struct sepx_rng *rng)
{
    const struct custom *c = custom_of(space);
    struct range range = c->mutation.changes;
    struct cells cells;
    uint32_t changes;

    (void)rules;
    if (sepx__custom_has_whole(c) && !c->mutation.given)
        return sepx__custom_mutate_wide(space, child, rng);
    sepx__cells_read(c, &cells, child);
    fill(c, &cells, rng);
    change_each(c, &cells, rng);
    changes = range.min + sepx_rng_below(rng, range.max - range.min + 1);
    while (changes--)
        change_one(c, &cells, rng);
    if (c->ops.prune)
        sepx__cells_prune(c, &cells);
    if (c->repair && cells.n)
        sepx__custom_repair(c, &cells, SEPX__REPAIRS, rng);
    if (c->ops.prune)
        sepx__cells_prune(c, &cells);
    return sepx__cells_write(space, child, &cells);
}
