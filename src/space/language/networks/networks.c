/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Networks of more than 64 nodes in a space of a file: validity, by the same
 * rules as in check.c, and mutation by changes that keep a network one:
 * another label that fits the edges, a node put into an edge, a node bypassed.
 */
#include "space/language/language.h"

struct test {
    const struct custom *c;
    const struct sepx_graph *graph;
    const bool *live;
    struct sepx_msg *msg;
};

static const struct label_rule *
rule_of(const struct test *t, uint32_t node)
{
    return &t->c->rule[t->graph->label[node] - 1];
}

static const char *
text_of(const struct test *t, uint32_t node)
{
    return t->c->label[t->graph->label[node] - 1].text;
}

static bool
counts(const struct test *t, uint32_t node)
{
    return t->live[node] || t->c->connected == CONNECTED_IGNORED;
}

static bool
check_edges(const struct test *t)
{
    for (uint32_t i = 0; i < t->graph->n_edges; i++) {
        const struct sepx_edge *edge = &t->graph->edge[i];
        bool known = false;

        for (uint8_t k = 0; k < t->c->n_edge_labels; k++)
            known = known || t->c->edge_label[k] == edge->label;
        if (known && sepx__may_join(t->c, t->graph->label[edge->from],
                                    t->graph->label[edge->to]))
            continue;
        sepx_fail(t->msg, SEPX_EINVAL, "edge %u-%u from '%s' to '%s': %s",
                  edge->from, edge->to, text_of(t, edge->from),
                  text_of(t, edge->to),
                  known ? "the space has no such edge"
                        : "its label is not one of the space");
        return false;
    }
    return true;
}

static bool
check_paths(const struct test *t)
{
    for (uint32_t i = 0; i < t->graph->n_nodes; i++) {
        if (t->live[i] || !needs_path(t->c))
            continue;
        sepx_fail(t->msg, SEPX_EINVAL, "node %u ('%s') is on no path %s", i,
                  text_of(t, i), path_text(t->c));
        return false;
    }
    return true;
}

static bool
check_range(const struct test *t, struct range range, uint32_t count,
            const char *what, const char *whose)
{
    if (in_range(range, count))
        return true;
    sepx_fail(t->msg, SEPX_EINVAL, "%u %s%s; at %s %u", count, what, whose,
              count < range.min ? "least" : "most",
              count < range.min ? range.min : range.max);
    return false;
}

/* Upper limits of nodes hold for the whole graph, lower ones for live nodes. */
struct node_count {
    uint32_t all, live;
};

static void
count_node(struct node_count *count, bool lives)
{
    count->all++;
    count->live += lives;
}

static bool
check_nodes(const struct test *t, struct range range,
            const struct node_count *count, const char *what, const char *whose)
{
    return check_range(t, range,
                       count->all > range.max ? count->all : count->live, what,
                       whose);
}

static bool
check_counts(const struct test *t)
{
    const struct custom *c = t->c;
    struct node_count of[SEPX__LABELS_MAX] = {{0, 0}}, nodes = {0, 0};
    struct node_count in[GROUPS_MAX] = {{0, 0}};
    uint32_t within[GROUPS_MAX] = {0}, all = 0;

    for (uint32_t i = 0; i < t->graph->n_nodes; i++) {
        count_node(&of[t->graph->label[i] - 1], counts(t, i));
        count_node(&in[rule_of(t, i)->group], counts(t, i));
        count_node(&nodes, counts(t, i));
    }
    for (uint32_t i = 0; i < t->graph->n_edges; i++) {
        const struct sepx_edge *edge = &t->graph->edge[i];
        uint8_t group = rule_of(t, edge->from)->group;

        if (!counts(t, edge->from) || !counts(t, edge->to))
            continue;
        all++;
        within[group] += group == rule_of(t, edge->to)->group;
    }
    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        if (!check_nodes(t, c->rule[i].count, &of[i], "nodes labelled ",
                         c->label[i].text))
            return false;
    }
    for (uint8_t g = 0; g < c->n_groups && c->group[0].name; g++) {
        if (!check_nodes(t, c->group[g].nodes, &in[g], "nodes of group ",
                         c->group[g].name) ||
            !check_range(t, c->group[g].edges, within[g], "edges of group ",
                         c->group[g].name))
            return false;
    }
    return check_nodes(t, c->nodes, &nodes, "nodes", "") &&
           check_range(t, c->edges, all, "edges", "");
}

static bool
check_degrees(const struct test *t, uint16_t *in, uint16_t *out)
{
    for (uint32_t i = 0; i < t->graph->n_edges; i++) {
        const struct sepx_edge *edge = &t->graph->edge[i];

        if (!counts(t, edge->from) || !counts(t, edge->to))
            continue;
        out[edge->from]++;
        in[edge->to]++;
    }
    for (uint32_t i = 0; i < t->graph->n_nodes; i++) {
        if (counts(t, i) &&
            (!check_range(t, rule_of(t, i)->in, in[i],
                          "edges lead to a node labelled ", text_of(t, i)) ||
             !check_range(t, rule_of(t, i)->out, out[i],
                          "edges leave a node labelled ", text_of(t, i))))
            return false;
    }
    return true;
}

static bool
check_whole(const struct test *t)
{
    bool all[SEPX__WIDE_NODES];

    if (!sepx__custom_has_whole(t->c))
        return true;
    for (uint32_t i = 0; i < t->graph->n_nodes; i++)
        all[i] = counts(t, i);
    return sepx__custom_check_whole(t->c, t->graph, all, t->msg);
}

bool
sepx__custom_check_wide(const struct sepx_space *space,
                        const struct sepx_graph *graph, const bool *live,
                        struct sepx_msg *msg)
{
    struct test t = {custom_of(space), graph, live, msg};
    uint16_t in[SEPX__WIDE_NODES] = {0}, out[SEPX__WIDE_NODES] = {0};

    return check_edges(&t) && check_paths(&t) && check_counts(&t) &&
           check_degrees(&t, in, out) && check_whole(&t);
}

/* ---- mutation ---- */

static bool
fits(const struct custom *c, uint16_t label, uint32_t in, uint32_t out)
{
    return c->label[label - 1].role == SEPX__INNER &&
           in_range(c->rule[label - 1].in, in) &&
           in_range(c->rule[label - 1].out, out);
}

/* A label for a node with these edges; 0: there is no other one. */
static uint16_t
draw_label(const struct custom *c, uint32_t in, uint32_t out, uint16_t but,
           struct sepx_rng *rng)
{
    uint16_t found[SEPX__LABELS_MAX];
    uint32_t count = 0;

    for (uint16_t k = 1; k <= c->ops.n_labels; k++) {
        if (k != but && fits(c, k, in, out))
            found[count++] = k;
    }
    return count ? found[sepx_rng_below(rng, count)] : 0;
}

static void
count_degrees(const struct sepx_graph *graph, uint32_t node, uint32_t *in,
              uint32_t *out)
{
    *in = *out = 0;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        *in += graph->edge[i].to == node;
        *out += graph->edge[i].from == node;
    }
}

static void
relabel(const struct custom *c, struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node = sepx_rng_below(rng, graph->n_nodes), in, out;
    uint16_t label;

    if (c->label[graph->label[node] - 1].role != SEPX__INNER)
        return;
    count_degrees(graph, node, &in, &out);
    label = draw_label(c, in, out, graph->label[node], rng);
    if (label)
        graph->label[node] = label;
}

static SEPX_CHECKED enum sepx_err
insert(const struct custom *c, struct sepx_graph *graph, struct sepx_rng *rng)
{
    struct sepx_edge edge;
    uint16_t label = draw_label(c, 1, 1, 0, rng);
    uint32_t node = graph->n_nodes;
    enum sepx_err err;

    if (!label || !graph->n_edges || node >= c->nodes.max)
        return SEPX_OK;
    edge = graph->edge[sepx_rng_below(rng, graph->n_edges)];
    sepx_graph_remove_edge(graph, edge.from, edge.to);
    err = sepx_graph_add_node(graph, label);
    if (!err)
        err = sepx_graph_add_edge(graph, edge.from, node, edge.label);
    if (!err)
        err = sepx_graph_add_edge(graph, node, edge.to, edge.label);
    return err;
}

/* A node with one edge in: who read it reads what it read. */
static SEPX_CHECKED enum sepx_err
bypass(const struct custom *c, struct sepx_graph *graph, struct sepx_rng *rng)
{
    uint32_t node = sepx_rng_below(rng, graph->n_nodes), in, out;
    uint32_t source = 0;
    enum sepx_err err = SEPX_OK;

    count_degrees(graph, node, &in, &out);
    if (in != 1 || c->label[graph->label[node] - 1].role != SEPX__INNER)
        return SEPX_OK;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        if (graph->edge[i].to == node)
            source = graph->edge[i].from;
    }
    for (uint32_t to = 0; to < graph->n_nodes && !err; to++) {
        const struct sepx_edge *edge = sepx_graph_find_edge(graph, node, to);

        if (edge && !sepx_graph_find_edge(graph, source, to))
            err = sepx_graph_add_edge(graph, source, to, edge->label);
    }
    if (!err)
        sepx_graph_remove_node(graph, node);
    return err;
}

enum sepx_err
sepx__custom_mutate_wide(const struct sepx_space *space,
                         struct sepx_graph *child, struct sepx_rng *rng)
{
    const struct custom *c = custom_of(space);

    switch (sepx_rng_below(rng, 4)) {
    case 0:
        return insert(c, child, rng);
    case 1:
        return bypass(c, child, rng);
    default:
        relabel(c, child, rng);
        return SEPX_OK;
    }
}
