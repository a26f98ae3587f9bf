/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawing a graph of a space of a file: how many nodes of each label, in
 * random order, then each edge by a coin. Limits of nodes form a tree (label,
 * group, graph), so filling up the lower limits first never ends in a dead
 * end. Where coins seldom give a valid graph, edges are drawn within the
 * degrees of each node instead, and what is still at fault is repaired.
 */
#include <math.h>
#include <string.h>

#include "space/language/language.h"

#define TRIALS 300 /* draws of each kind when the space is opened */
#define SELDOM 30  /* valid ones among them that make repairs needless */
#define PATIENCE 20000
#define WORK 60000 /* steps of repair before a space counts as empty */

/* ---- labels ---- */

struct counts {
    uint32_t label[SEPX__LABELS_MAX], group[GROUPS_MAX], all;
};

static void
count_one(const struct custom *c, struct counts *n, uint16_t label)
{
    n->label[label]++;
    n->group[c->rule[label].group]++;
    n->all++;
}

static bool
has_room(const struct custom *c, const struct counts *n, uint16_t label)
{
    uint8_t group = c->rule[label].group;

    return n->label[label] < c->rule[label].count.max &&
           n->group[group] < c->group[group].nodes.max;
}

/* One more node of `group`, or of any if it is n_groups. */
static bool
add_any(const struct custom *c, struct counts *n, uint8_t group,
        struct sepx_rng *rng)
{
    uint16_t fit[SEPX__LABELS_MAX];
    uint32_t count = 0;

    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if ((group == c->n_groups || c->rule[i].group == group) &&
            has_room(c, n, i))
            fit[count++] = i;
    if (count)
        count_one(c, n, fit[sepx_rng_below(rng, count)]);
    return count;
}

static void
draw_counts(const struct custom *c, struct counts *n, struct sepx_rng *rng)
{
    uint32_t low, high, want;

    memset(n, 0, sizeof(*n));
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        for (uint32_t k = 0; k < c->rule[i].count.min; k++)
            count_one(c, n, i);
    for (uint8_t g = 0; g < c->n_groups; g++)
        while (n->group[g] < c->group[g].nodes.min && add_any(c, n, g, rng))
            ;
    low = n->all > c->sample.nodes.min ? n->all : c->sample.nodes.min;
    high = c->sample.nodes.max > low ? c->sample.nodes.max : low;
    want = low + sepx_rng_below(rng, high - low + 1);
    while (n->all < want && add_any(c, n, c->n_groups, rng))
        ;
}

void
sepx__draw_labels(const struct custom *c, struct cells *cells,
                  struct sepx_rng *rng)
{
    struct counts n;

    draw_counts(c, &n, rng);
    cells->n = 0;
    for (uint32_t part = 0; part < 3u * c->n_groups; part++) {
        uint32_t first = cells->n;

        for (uint16_t i = 0; i < c->ops.n_labels; i++)
            for (uint32_t k = 0; c->label[i].group == part && k < n.label[i];
                 k++)
                cells->label[cells->n++] = (uint16_t)(i + 1);
        sepx_rng_shuffle(rng, cells->label + first, cells->n - first,
                         sizeof(uint16_t));
    }
}

/* ---- edges ---- */

static void
draw_edges(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    for (uint32_t i = 0; i < cells->n; i++)
        for (uint32_t j = 0; j < cells->n; j++)
            cells->at[i][j] = sepx__may_edge(c, cells, i, j) &&
                                      sepx_rng_chance(rng, c->sample.edge)
                                  ? sepx__random_edge(c, rng)
                                  : 0;
}

/* ---- edges within the degrees ---- */

/* Nodes that may lead to `to` and have an edge to spare. */
static uint32_t
list_sources(const struct custom *c, const struct cells *cells,
             const struct sepx__rows *rows, uint32_t to, uint32_t *source)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < cells->n; i++)
        if (sepx__may_edge(c, cells, i, to) &&
            sepx__count(rows->out[i]) < c->rule[cells->label[i] - 1].out.max)
            source[count++] = i;
    return count;
}

/* Edges that must leave a node. */
static int
must_leave(const struct custom *c, uint16_t label)
{
    int least = (int)c->rule[label - 1].out.min;

    if (needs_path(c) && !least && c->label[label - 1].role != SEPX__OUTPUT)
        least = 1;
    return least;
}

/* How many more must leave node i. */
static int
lacks(const struct custom *c, const struct cells *cells,
      const struct sepx__rows *rows, uint32_t i)
{
    int more = must_leave(c, cells->label[i]) - (int)sepx__count(rows->out[i]);

    return more > 0 ? more : 0;
}

/* Edges that nodes of the group behind `at` can take in but not give out. */
static int
room_behind(const struct custom *c, const struct cells *cells, uint32_t at)
{
    uint8_t group = c->rule[cells->label[at] - 1].group;
    int room = 0;

    for (uint32_t i = at + 1; i < cells->n; i++) {
        const struct label_rule *rule = &c->rule[cells->label[i] - 1];

        if (rule->group == group)
            room += (int)(rule->in.max < NODES ? rule->in.max : NODES) -
                    must_leave(c, cells->label[i]);
    }
    return room;
}

/*
 * Coins say how many edges lead to `to`, the label's range has the last
 * word. *open of them start where edges are still missing, because later
 * nodes have no room for all that are.
 */
static uint32_t
draw_degree(const struct custom *c, const struct cells *cells,
            const struct sepx__rows *rows, uint32_t to, const uint32_t *source,
            uint32_t sources, uint32_t *open, struct sepx_rng *rng)
{
    struct range range = c->rule[cells->label[to] - 1].in;
    int need = must_leave(c, cells->label[to]) - room_behind(c, cells, to);
    uint32_t count = 0;

    for (uint32_t i = 0; i < sources; i++) {
        need += lacks(c, cells, rows, source[i]);
        count += sepx_rng_chance(rng, c->sample.edge);
    }
    if (c->connected == CONNECTED_REQUIRED && !range.min)
        range.min = 1;
    if (need > 0 && count < (uint32_t)need)
        count = (uint32_t)need;
    if (count < range.min)
        count = range.min;
    if (count > range.max)
        count = range.max;
    *open = need > 0 ? (uint32_t)need : 0;
    return count < sources ? count : sources;
}

/* A random source; one that lacks an edge if possible, or if met by chance. */
static uint32_t
pick_source(const struct custom *c, const struct cells *cells,
            const struct sepx__rows *rows, uint32_t *source, uint32_t count,
            bool open, struct sepx_rng *rng)
{
    uint32_t best = sepx_rng_below(rng, count), pick;

    for (uint32_t i = 0; i < (open ? count : 1); i++) {
        if (lacks(c, cells, rows, source[best]))
            break;
        best = open ? (best + 1) % count : sepx_rng_below(rng, count);
    }
    pick = source[best];
    source[best] = source[count - 1];
    return pick;
}

/* Node by node, so that no degree is above its range and few are below. */
static void
draw_degrees(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    struct sepx__rows rows = {.n = cells->n};
    uint32_t source[NODES];

    for (uint32_t i = 0; i < cells->n; i++)
        memset(cells->at[i], 0, cells->n);
    for (uint32_t to = 0; to < cells->n; to++) {
        uint32_t count = list_sources(c, cells, &rows, to, source), open;
        uint32_t degree =
            draw_degree(c, cells, &rows, to, source, count, &open, rng);

        for (uint32_t k = 0; k < degree; k++) {
            uint32_t from =
                pick_source(c, cells, &rows, source, count - k, k < open, rng);

            rows.out[from] |= sepx__bit(to);
            cells->at[from][to] = sepx__random_edge(c, rng);
        }
    }
}

static uint32_t
repair_steps(uint32_t n)
{
    return 50 + 10 * n;
}

static void
draw(const struct custom *c, struct cells *cells, struct sepx_rng *rng)
{
    sepx__draw_labels(c, cells, rng);
    if (c->repair) {
        draw_degrees(c, cells, rng);
        sepx__custom_repair(c, cells, repair_steps(cells->n), rng);
    } else {
        draw_edges(c, cells, rng);
    }
    /* Else a graph of the size that was drawn is wanted, not what is left. */
    if (c->ops.prune && c->connected == CONNECTED_PRUNED)
        sepx__cells_prune(c, cells);
}

/* A start graph with some changes. */
static enum sepx_err
sample_start(const struct sepx_space *space, struct sepx_graph *graph,
             struct sepx_rng *rng)
{
    const struct custom *c = custom_of(space);
    uint32_t changes = 1 + sepx_rng_below(rng, 4);
    enum sepx_err err = sepx_graph_copy(
        graph, &c->start.at[sepx_rng_below(rng, (uint32_t)c->start.count)]);

    if (!err)
        sepx__forget_extra(graph);
    while (changes-- && !err)
        err = sepx__custom_mutate_wide(space, graph, rng);
    return err;
}

enum sepx_err
sepx__custom_sample(const struct sepx_space *space, struct sepx_graph *graph,
                    struct sepx_rng *rng)
{
    struct cells cells;

    if (custom_of(space)->from_starts)
        return sample_start(space, graph, rng);
    draw(custom_of(space), &cells, rng);
    return sepx__cells_write(space, graph, &cells);
}

/* ---- what the file leaves open ---- */

static double
at_most(double value, uint32_t limit, double places)
{
    double share = limit == UNLIMITED ? value : 0.75 * limit / places;

    return share < value ? share : value;
}

/* 1/2, or what makes 3/4 of the edges that limits allow. */
static double
usual_density(const struct custom *c, struct sepx_rng *rng)
{
    uint64_t in = 0, out = 0;
    struct cells cells;
    double places = 0, value = 0.5;

    sepx__draw_labels(c, &cells, rng);
    for (uint32_t i = 0; i < cells.n; i++) {
        in += c->rule[cells.label[i] - 1].in.max;
        out += c->rule[cells.label[i] - 1].out.max;
        for (uint32_t j = 0; j < cells.n; j++)
            places += sepx__may_edge(c, &cells, i, j);
    }
    if (places < 1)
        return value;
    value = at_most(value, c->edges.max, places);
    value = at_most(value, in < UNLIMITED ? (uint32_t)in : UNLIMITED, places);
    return at_most(value, out < UNLIMITED ? (uint32_t)out : UNLIMITED, places);
}

/* Valid graphs among `trials` draws; stops at `enough`. */
static enum sepx_err
try_draws(const struct sepx_space *space, uint32_t trials, uint32_t enough,
          uint32_t *found, struct sepx_msg *why)
{
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&rng, 1, 0, 0, 0);
    *found = 0;
    for (uint32_t i = 0; i < trials && *found < enough && !err; i++) {
        bool valid = false;

        err = sepx__custom_sample(space, &graph, &rng);
        if (!err)
            err = sepx_space_check(space, &valid, &graph, why);
        *found += valid;
    }
    sepx_graph_release(&graph);
    return err;
}

static uint32_t
count_trials(const struct custom *c)
{
    uint32_t steps = WORK / repair_steps(c->sample.nodes.max);

    if (!c->repair)
        return PATIENCE;
    return steps < TRIALS ? steps : TRIALS;
}

enum sepx_err
sepx__custom_settle(struct sepx_space *space, struct custom *c,
                    struct sepx_msg *msg)
{
    struct sepx_msg why = {0};
    struct sepx_rng rng;
    uint32_t found = 0;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&rng, 1, 0, 0, 0);
    if (c->only_starts) {
        c->sample.edge = isnan(c->sample.edge) ? 0.5 : c->sample.edge;
        c->from_starts = true;
        return SEPX_OK;
    }
    if (isnan(c->sample.edge))
        c->sample.edge = usual_density(c, &rng);
    if (!c->set_repair) {
        err = try_draws(space, TRIALS, SELDOM, &found, &why);
        c->repair = found < SELDOM;
    }
    if (!err)
        err = try_draws(space, count_trials(c), 1, &found, &why);
    if (c->repair)
        c->ops.mend = sepx__custom_mend;
    c->from_starts = !err && !found && c->start.count;
    if (err || found || c->from_starts)
        return err;
    return sepx_fail(msg, SEPX_EDATA,
                     "no valid graph was found in %u draws; the last one: "
                     "%.300s; loosen that rule or give start graphs",
                     count_trials(c), why.text);
}
