/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validity in a space of a file. Upper limits of nodes hold for the whole
 * graph; all else holds for what is live: the whole graph, or with
 * "connected": "pruned" the nodes on a path from an input to an output.
 */
#include "space/language/language.h"

uint64_t
sepx__custom_live(const struct custom *c, const uint16_t *label,
                  const struct sepx__rows *rows)
{
    uint64_t in = 0, out = 0;

    if (c->connected == CONNECTED_IGNORED)
        return rows->n ? UINT64_MAX >> (64 - rows->n) : 0;
    for (uint32_t i = 0; i < rows->n; i++) {
        enum sepx__role role = c->label[label[i] - 1].role;

        in |= (uint64_t)(role == SEPX__INPUT) << i;
        out |= (uint64_t)(role == SEPX__OUTPUT) << i;
    }
    if (c->connected == CONNECTED_TO_OUTPUT)
        return sepx__rows_before(rows, out);
    return sepx__rows_after(rows, in) & sepx__rows_before(rows, out);
}

/* ---- with a reason ---- */

/* A graph under test. */
struct test {
    const struct custom *c;
    const struct sepx_graph *graph;
    const struct sepx__rows *rows;
    uint64_t live;
    struct sepx_msg *msg;
};

static const char *
label_text(const struct test *t, uint32_t node)
{
    return t->c->label[t->graph->label[node] - 1].text;
}

static uint8_t
group_of(const struct test *t, uint32_t node)
{
    return t->c->rule[t->graph->label[node] - 1].group;
}

static bool
known_edge_label(const struct custom *c, uint16_t label)
{
    for (uint8_t k = 0; k < c->n_edge_labels; k++)
        if (c->edge_label[k] == label)
            return true;
    return false;
}

static bool
fail_edge(const struct test *t, const struct sepx_edge *edge, const char *why)
{
    sepx_fail(t->msg, SEPX_EINVAL, "edge %u-%u from '%s' to '%s': %s",
              edge->from, edge->to, label_text(t, edge->from),
              label_text(t, edge->to), why);
    return false;
}

static bool
check_edges(const struct test *t)
{
    for (uint32_t i = 0; i < t->graph->n_edges; i++) {
        const struct sepx_edge *edge = &t->graph->edge[i];
        uint16_t from = t->graph->label[edge->from];
        uint16_t to = t->graph->label[edge->to];

        if (!known_edge_label(t->c, edge->label))
            return fail_edge(t, edge, "its label is not one of the space");
        if (t->c->label[to - 1].role == SEPX__INPUT)
            return fail_edge(t, edge, "no edge leads to an input");
        if (t->c->label[from - 1].role == SEPX__OUTPUT)
            return fail_edge(t, edge, "no edge leaves an output");
        if (!sepx__may_join(t->c, from, to))
            return fail_edge(t, edge, "these groups are not linked");
    }
    return true;
}

/* "3 nodes of group 'a'; 4 to 6 are allowed" */
static bool
check_range(const struct test *t, struct range range, uint32_t all,
            uint32_t live, const char *what, const char *whose)
{
    const char *kind = t->c->connected == CONNECTED_PRUNED ? " live" : "";

    if (all > range.max)
        sepx_fail(t->msg, SEPX_EINVAL, "%u %s%s; at most %u are allowed", all,
                  what, whose, range.max);
    else if (live < range.min)
        sepx_fail(t->msg, SEPX_EINVAL, "%u%s %s%s; at least %u are needed",
                  live, kind, what, whose, range.min);
    return all <= range.max && live >= range.min;
}

static bool
check_nodes(const struct test *t)
{
    uint32_t all[SEPX__LABELS_MAX] = {0}, live[SEPX__LABELS_MAX] = {0};
    uint32_t of_all[GROUPS_MAX] = {0}, of_live[GROUPS_MAX] = {0};
    const struct custom *c = t->c;

    for (uint32_t i = 0; i < t->graph->n_nodes; i++) {
        bool lives = t->live >> i & 1;

        all[t->graph->label[i] - 1]++;
        live[t->graph->label[i] - 1] += lives;
        of_all[group_of(t, i)]++;
        of_live[group_of(t, i)] += lives;
    }
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (!check_range(t, c->rule[i].count, all[i], live[i],
                         "nodes labelled ", c->label[i].text))
            return false;
    for (uint8_t g = 0; g < c->n_groups && c->group[0].name; g++)
        if (!check_range(t, c->group[g].nodes, of_all[g], of_live[g],
                         "nodes of group ", c->group[g].name))
            return false;
    return check_range(t, c->nodes, t->graph->n_nodes, sepx__count(t->live),
                       "nodes", "");
}

static bool
check_edge_counts(const struct test *t)
{
    uint32_t all = 0, of[GROUPS_MAX] = {0};
    const struct custom *c = t->c;

    for (uint32_t i = 0; i < t->graph->n_edges; i++) {
        uint32_t from = t->graph->edge[i].from, to = t->graph->edge[i].to;
        bool lives = t->live >> from & t->live >> to & 1;

        all += lives;
        of[group_of(t, from)] += lives && group_of(t, from) == group_of(t, to);
    }
    for (uint8_t g = 0; g < c->n_groups && c->group[0].name; g++)
        if (!check_range(t, c->group[g].edges, of[g], of[g], "edges of group ",
                         c->group[g].name))
            return false;
    return check_range(
        t, c->edges, all, all,
        c->connected == CONNECTED_PRUNED ? "live edges" : "edges", "");
}

static bool
check_degree(const struct test *t, uint32_t node, struct range range,
             uint32_t count, const char *what)
{
    if (in_range(range, count))
        return true;
    sepx_fail(t->msg, SEPX_EINVAL, "node %u ('%s') has %u edges %s; at %s %u",
              node, label_text(t, node), count, what,
              count < range.min ? "least" : "most",
              count < range.min ? range.min : range.max);
    return false;
}

static bool
check_degrees(const struct test *t)
{
    for (uint64_t set = t->live; set;) {
        uint32_t i = sepx__take_lowest(&set);
        const struct label_rule *rule = &t->c->rule[t->graph->label[i] - 1];

        if (!check_degree(t, i, rule->in, sepx__count(t->rows->in[i] & t->live),
                          "in") ||
            !check_degree(t, i, rule->out,
                          sepx__count(t->rows->out[i] & t->live), "out"))
            return false;
    }
    return true;
}

static bool
check_paths(const struct test *t)
{
    uint64_t dead = t->rows->n ? ~t->live & UINT64_MAX >> (64 - t->rows->n) : 0;

    if (!needs_path(t->c) || !dead)
        return true;
    sepx_fail(t->msg, SEPX_EINVAL, "node %d ('%s') is on no path %s",
              __builtin_ctzll(dead),
              label_text(t, (uint32_t)__builtin_ctzll(dead)), path_text(t->c));
    return false;
}

static bool
check_whole(const struct test *t)
{
    bool counts[NODES];

    if (!sepx__custom_has_whole(t->c))
        return true;
    for (uint32_t i = 0; i < t->graph->n_nodes; i++)
        counts[i] = t->live >> i & 1;
    return sepx__custom_check_whole(t->c, t->graph, counts, t->msg);
}

bool
sepx__custom_check(const struct sepx_space *space,
                   const struct sepx_graph *graph,
                   const struct sepx__rows *rows, struct sepx_msg *msg)
{
    struct test t = {custom_of(space), graph, rows, 0, msg};

    t.live = sepx__custom_live(t.c, graph->label, rows);
    return check_edges(&t) && check_paths(&t) && check_nodes(&t) &&
           check_edge_counts(&t) && check_degrees(&t) && check_whole(&t);
}

/* ---- as a number ---- */

static uint32_t
distance_to(struct range range, uint32_t value)
{
    if (value < range.min)
        return range.min - value;
    return value > range.max ? value - range.max : 0;
}

static uint32_t
faults_of_edges(const struct custom *c, const uint16_t *label,
                const struct sepx__rows *rows, uint64_t live)
{
    uint32_t all = 0, faults = 0, of[GROUPS_MAX] = {0};
    uint64_t member[GROUPS_MAX] = {0};

    for (uint32_t i = 0; i < rows->n; i++)
        member[c->rule[label[i] - 1].group] |= sepx__bit(i);
    for (uint64_t set = live; set;) {
        uint32_t i = sepx__take_lowest(&set);
        const struct label_rule *rule = &c->rule[label[i] - 1];
        uint32_t out = sepx__count(rows->out[i] & live);

        all += out;
        of[rule->group] +=
            sepx__count(rows->out[i] & live & member[rule->group]);
        faults += distance_to(rule->out, out) +
                  distance_to(rule->in, sepx__count(rows->in[i] & live));
    }
    for (uint8_t g = 0; g < c->n_groups; g++)
        faults += distance_to(c->group[g].edges, of[g]);
    return faults + distance_to(c->edges, all);
}

/* Too few live nodes, of each label and in all. */
static uint32_t
faults_of_paths(const struct custom *c, const uint16_t *label,
                const struct sepx__rows *rows, uint64_t live)
{
    uint32_t faults = 0, of[SEPX__LABELS_MAX] = {0}, in[GROUPS_MAX] = {0};

    if (c->connected == CONNECTED_IGNORED)
        return 0;
    if (needs_path(c))
        return 2 * (rows->n - sepx__count(live));
    for (uint64_t set = live; set;) {
        uint32_t i = sepx__take_lowest(&set);

        of[label[i] - 1]++;
        in[c->rule[label[i] - 1].group]++;
    }
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (of[i] < c->rule[i].count.min)
            faults += c->rule[i].count.min - of[i];
    for (uint8_t g = 0; g < c->n_groups; g++)
        if (in[g] < c->group[g].nodes.min)
            faults += c->group[g].nodes.min - in[g];
    if (sepx__count(live) < c->nodes.min)
        faults += c->nodes.min - sepx__count(live);
    return faults;
}

uint32_t
sepx__custom_faults(const struct custom *c, const uint16_t *label,
                    const struct sepx__rows *rows)
{
    uint64_t live = sepx__custom_live(c, label, rows);

    return faults_of_edges(c, label, rows, live) +
           faults_of_paths(c, label, rows, live);
}
