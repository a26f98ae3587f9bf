/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every rule of docs/spaces.md, one by one, on an adjacency matrix and its
 * transitive closure. Shares nothing with the library but the JSON tree.
 */
#include "oracle/oracle_space.h"

#include <string.h>

#define N 64

struct world {
    const struct sepx_json *file, *nodes;
    const struct sepx_graph *graph;
    bool edge[N][N], way[N][N], live[N];
    bool pruned, required, ignored, cyclic;
};

static const char *
text_of(const struct world *w, uint32_t i)
{
    return sepx_names_text(w->graph->names, w->graph->label[i]);
}

static const struct sepx_json *
rule_of(const struct world *w, uint32_t i)
{
    return sepx_json_get(w->nodes, text_of(w, i));
}

static bool
is_role(const struct world *w, uint32_t i, const char *role)
{
    const char *has = sepx_json_string(sepx_json_get(rule_of(w, i), "role"));

    return has && !strcmp(has, role);
}

static const char *
group_of(const struct world *w, uint32_t i)
{
    const char *group = sepx_json_string(sepx_json_get(rule_of(w, i), "group"));

    return group ? group : "";
}

/* `value` within a number or [least, most]; NULL allows all. */
static bool
fits_low(const struct sepx_json *range, int64_t value)
{
    if (!range)
        return true;
    if (sepx_json_type(range) == SEPX_JSON_INTEGER)
        return value >= sepx_json_integer(range, 0);
    return value >= sepx_json_integer(sepx_json_at(range, 0), 0);
}

static bool
fits_high(const struct sepx_json *range, int64_t value)
{
    if (!range)
        return true;
    if (sepx_json_type(range) == SEPX_JSON_INTEGER)
        return value <= sepx_json_integer(range, 0);
    return value <= sepx_json_integer(sepx_json_at(range, 1), INT64_MAX);
}

static void
find_ways(struct world *w)
{
    uint32_t n = w->graph->n_nodes;

    memset(w->edge, 0, sizeof w->edge);
    for (uint32_t i = 0; i < w->graph->n_edges; i++)
        w->edge[w->graph->edge[i].from][w->graph->edge[i].to] = true;
    memcpy(w->way, w->edge, sizeof w->way);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                w->way[i][j] |= w->way[i][k] && w->way[k][j];
    for (uint32_t v = 0; v < n; v++) {
        bool from = is_role(w, v, "input"), to = is_role(w, v, "output");

        for (uint32_t u = 0; u < n; u++) {
            from |= w->way[u][v] && is_role(w, u, "input");
            to |= w->way[v][u] && is_role(w, u, "output");
        }
        w->live[v] = w->ignored || (from && to);
    }
}

static bool
is_linked(const struct world *w, const char *a, const char *b)
{
    const struct sepx_json *links = sepx_json_get(w->file, "links");

    if (!strcmp(a, b))
        return true;
    for (size_t i = 0; i < sepx_json_size(links); i++) {
        const struct sepx_json *pair = sepx_json_at(links, i);

        if (!strcmp(a, sepx_json_string(sepx_json_at(pair, 0))) &&
            !strcmp(b, sepx_json_string(sepx_json_at(pair, 1))))
            return true;
    }
    return false;
}

static bool
edges_fit(const struct world *w)
{
    const struct sepx_json *labels = sepx_json_get(w->file, "edge_labels");

    for (uint32_t i = 0; i < w->graph->n_edges; i++) {
        const struct sepx_edge *edge = &w->graph->edge[i];
        const char *text = sepx_names_text(w->graph->names, edge->label);
        bool known = !labels && !text[0];

        for (size_t k = 0; k < sepx_json_size(labels); k++)
            known |= !strcmp(text, sepx_json_string(sepx_json_at(labels, k)));
        if (!known || is_role(w, edge->to, "input") ||
            is_role(w, edge->from, "output") ||
            !is_linked(w, group_of(w, edge->from), group_of(w, edge->to)))
            return false;
        if (!w->cyclic && w->way[edge->to][edge->from])
            return false;
    }
    return true;
}

/* Nodes of a label or a group, or all; and of these, the live ones. */
static bool
count_fits(const struct world *w, const struct sepx_json *range,
           const char *label, const char *group)
{
    int64_t all = 0, live = 0;

    for (uint32_t i = 0; i < w->graph->n_nodes; i++) {
        if ((label && strcmp(label, text_of(w, i))) ||
            (group && strcmp(group, group_of(w, i))))
            continue;
        all++;
        live += w->live[i];
    }
    return fits_high(range, all) && fits_low(range, w->pruned ? live : all);
}

static bool
edge_count_fits(const struct world *w, const struct sepx_json *range,
                const char *group)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < w->graph->n_nodes; i++)
        for (uint32_t j = 0; j < w->graph->n_nodes; j++)
            count += w->edge[i][j] &&
                     (!w->pruned || (w->live[i] && w->live[j])) &&
                     (!group || (!strcmp(group, group_of(w, i)) &&
                                 !strcmp(group, group_of(w, j))));
    return fits_low(range, count) && fits_high(range, count);
}

static bool
degrees_fit(const struct world *w, uint32_t v)
{
    const struct sepx_json *in = sepx_json_get(rule_of(w, v), "in");
    const struct sepx_json *out = sepx_json_get(rule_of(w, v), "out");
    int64_t n_in = 0, n_out = 0;

    if (w->pruned && !w->live[v])
        return true;
    for (uint32_t u = 0; u < w->graph->n_nodes; u++) {
        bool counts = !w->pruned || w->live[u];

        n_in += w->edge[u][v] && counts;
        n_out += w->edge[v][u] && counts;
    }
    return fits_low(in, n_in) && fits_high(in, n_in) && fits_low(out, n_out) &&
           fits_high(out, n_out);
}

static bool
counts_fit(const struct world *w)
{
    const struct sepx_json *limits = sepx_json_get(w->file, "limits");
    const struct sepx_json *groups = sepx_json_get(w->file, "groups"), *value;
    const char *key;
    void *position = NULL;

    while (sepx_json_next(w->nodes, &position, &key, &value))
        if (!count_fits(w, sepx_json_get(value, "count"), key, NULL))
            return false;
    for (position = NULL;
         groups && sepx_json_next(groups, &position, &key, &value);)
        if (!count_fits(w, sepx_json_get(value, "nodes"), NULL, key) ||
            !edge_count_fits(w, sepx_json_get(value, "edges"), key))
            return false;
    return count_fits(w, sepx_json_get(limits, "nodes"), NULL, NULL) &&
           edge_count_fits(w, sepx_json_get(limits, "edges"), NULL);
}

bool
oracle_space_valid(const struct sepx_json *file, const struct sepx_graph *graph)
{
    const char *connected = sepx_json_string(sepx_json_get(file, "connected"));
    static struct world w;

    w.file = file;
    w.nodes = sepx_json_get(file, "nodes");
    w.graph = graph;
    w.pruned = connected && !strcmp(connected, "pruned");
    w.ignored = connected && !strcmp(connected, "ignored");
    w.required = !w.pruned && !w.ignored;
    w.cyclic = !sepx_json_bool(sepx_json_get(file, "acyclic"), true);
    if (!graph->n_nodes || graph->n_nodes > N)
        return false;
    for (uint32_t v = 0; v < graph->n_nodes; v++)
        if (!rule_of(&w, v))
            return false;
    find_ways(&w);
    for (uint32_t v = 0; v < graph->n_nodes; v++)
        if ((w.required && !w.live[v]) || !degrees_fit(&w, v))
            return false;
    return edges_fit(&w) && counts_fit(&w);
}
