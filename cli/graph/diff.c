/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/diff.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

enum { RUN_LEAST = 3 }; /* nodes that are worth a box of their own */

/* Line styles differ too, for people who see red and green alike. */
static const struct sepx_dot_mark deleted = {"deleted", "#cc3311", "dashed",
                                             1.8, false};
static const struct sepx_dot_mark inserted = {"inserted", "#00734f", "solid",
                                              2.6, false};
static const struct sepx_dot_mark relabelled = {"relabelled", "#9a6a00",
                                                "dotted", 2, false};
static const struct sepx_dot_mark *const legend[] = {&deleted, &inserted,
                                                     &relabelled, NULL};

/* ---- the diff ---- */

static enum sepx_err
merge_nodes(struct diff *d, const struct sepx_graph *a,
            const struct sepx_path *path)
{
    enum sepx_err err = sepx_graph_copy(&d->both, a);

    d->both.n_edges = 0;
    for (size_t k = 0; k < path->len && !err; k++) {
        const struct sepx_edit *edit = &path->edit[k];

        if (edit->kind == SEPX_NODE_DELETE) {
            d->node[edit->node] = &deleted;
        } else if (edit->kind == SEPX_NODE_INSERT) {
            d->node[edit->node] = &inserted;
            err = sepx_graph_add_node(&d->both, edit->new_label);
        } else if (edit->kind == SEPX_NODE_RELABEL) {
            d->node[edit->node] = &relabelled;
            d->node_was[edit->node] = edit->old_label;
            d->both.label[edit->node] = edit->new_label;
        }
    }
    return err;
}

/* An edge of both graphs together, its mark, and its label before. */
struct item {
    struct sepx_edge edge;
    const struct sepx_dot_mark *mark; /* NULL: it stays */
    int32_t was;
    const char *text; /* of its label */
};

/* The first edge that the edit may be about. */
static struct item *
find_item(struct item *item, const struct sepx_edit *edit)
{
    while (item->mark || item->edge.from != edit->from ||
           item->edge.to != edit->to || item->edge.label != edit->old_label)
        item++;
    return item;
}

/* Returns how many. */
static uint32_t
list_items(struct item *item, const struct sepx_graph *a,
           const struct sepx_path *path)
{
    uint32_t count = a->n_edges;

    for (uint32_t i = 0; i < count; i++)
        item[i] = (struct item){.edge = a->edge[i], .was = -1};
    for (size_t k = 0; k < path->len; k++) {
        const struct sepx_edit *edit = &path->edit[k];

        if (edit->kind == SEPX_EDGE_DELETE) {
            find_item(item, edit)->mark = &deleted;
        } else if (edit->kind == SEPX_EDGE_RELABEL) {
            struct item *old = find_item(item, edit);

            old->mark = &relabelled;
            old->was = edit->old_label;
            old->edge.label = edit->new_label;
        } else if (edit->kind == SEPX_EDGE_INSERT) {
            item[count++] =
                (struct item){.edge = {edit->from, edit->to, edit->new_label},
                              .mark = &inserted,
                              .was = -1};
        }
    }
    return count;
}

/* As a graph has its edges. */
static int
by_place(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    int order;

    if (a->edge.from != b->edge.from)
        return a->edge.from < b->edge.from ? -1 : 1;
    if (a->edge.to != b->edge.to)
        return a->edge.to < b->edge.to ? -1 : 1;
    order = strcmp(a->text, b->text);
    return order ? order : (a->was > b->was) - (a->was < b->was);
}

/* Edges that lead from or to a box of several nodes are drawn once. */
static bool
is_known(const struct diff *d, const struct item *item)
{
    const struct sepx_graph *graph = &d->both;
    const struct sepx_edge *last;

    if (!graph->n_edges ||
        (!d->hidden[item->edge.from] && !d->hidden[item->edge.to]))
        return false;
    last = &graph->edge[graph->n_edges - 1];
    return last->from == item->edge.from && last->to == item->edge.to;
}

static enum sepx_err
add_items(struct diff *d, struct item *item, uint32_t count)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < count; i++)
        item[i].text = sepx_names_text(d->both.names, item[i].edge.label);
    qsort(item, count, sizeof *item, by_place);
    for (uint32_t i = 0; i < count && !err; i++) {
        if (is_known(d, &item[i]))
            continue;
        d->edge[d->both.n_edges] = item[i].mark;
        d->edge_was[d->both.n_edges] = item[i].was;
        err = sepx_graph_add_parallel(&d->both, item[i].edge.from,
                                      item[i].edge.to, item[i].edge.label);
    }
    return err;
}

static bool
make_room(struct diff *d, uint32_t nodes, uint32_t edges)
{
    d->node = calloc(nodes + 1, sizeof *d->node);
    d->edge = calloc(edges + 1, sizeof *d->edge);
    d->node_was = calloc(nodes + 1, sizeof *d->node_was);
    d->edge_was = calloc(edges + 1, sizeof *d->edge_was);
    d->number = calloc(nodes + 1, sizeof *d->number);
    d->hidden = calloc(nodes + 1, sizeof *d->hidden);
    if (!d->node || !d->edge || !d->node_was || !d->edge_was || !d->number ||
        !d->hidden)
        return false;
    for (uint32_t i = 0; i < nodes; i++) {
        d->node_was[i] = -1;
        d->number[i] = i;
    }
    return true;
}

enum sepx_err
diff_make(struct diff *d, const struct sepx_graph *a,
          const struct sepx_graph *b, const int16_t *map, bool ignore_labels)
{
    uint32_t edges = a->n_edges + b->n_edges;
    struct item *item = calloc(edges + 1, sizeof *item);
    struct sepx_path path = {0};
    enum sepx_err err = SEPX_ENOMEM;

    if (make_room(d, a->n_nodes + b->n_nodes, edges) && item)
        err = sepx_path_from_map(&path, a, b, map, ignore_labels);
    if (!err)
        err = merge_nodes(d, a, &path);
    if (!err)
        err = add_items(d, item, list_items(item, a, &path));
    sepx_path_release(&path);
    free(item);
    return err;
}

void
diff_release(struct diff *d)
{
    free(d->node);
    free(d->edge);
    free(d->node_was);
    free(d->edge_was);
    free(d->number);
    free(d->hidden);
    sepx_graph_release(&d->both);
    *d = (struct diff){0};
}

void
diff_style(const struct diff *d, struct sepx_dot_style *style)
{
    style->legend = legend;
    style->node = (const struct sepx_dot_mark *const *)d->node;
    style->edge = (const struct sepx_dot_mark *const *)d->edge;
    style->node_was = d->node_was;
    style->edge_was = d->edge_was;
    style->number = d->number;
    style->hidden = d->hidden;
}

/* ---- less of it ---- */

/*
 * The diff with its nodes at other places: place[i], below `count`, or
 * SEPX_NONE if node i is left out. Nodes of one place are one box.
 */
static enum sepx_err
reduce(struct diff *d, const uint32_t *place, uint32_t count)
{
    struct diff less = {
        .both = {.names = d->both.names, .undirected = d->both.undirected},
        .left_out = d->left_out};
    struct item *item = calloc(d->both.n_edges + 1, sizeof *item);
    uint32_t n = 0;
    enum sepx_err err = SEPX_ENOMEM;

    if (make_room(&less, count, d->both.n_edges) && item)
        err = SEPX_OK;
    for (uint32_t i = 0; i < d->both.n_nodes && !err; i++) {
        if (place[i] == NOWHERE) {
            less.left_out++;
        } else if (place[i] < less.both.n_nodes) {
            less.hidden[place[i]] += less.hidden[place[i]] ? 1 : 2;
        } else {
            less.node[place[i]] = d->node[i];
            less.node_was[place[i]] = d->node_was[i];
            less.number[place[i]] = d->number[i];
            less.hidden[place[i]] = d->hidden[i];
            err = sepx_graph_add_node(&less.both, d->both.label[i]);
        }
    }
    for (uint32_t i = 0; i < d->both.n_edges && !err; i++) {
        struct sepx_edge edge = d->both.edge[i];
        bool within = place[edge.from] == place[edge.to];

        if (place[edge.from] == NOWHERE || place[edge.to] == NOWHERE ||
            (within && less.hidden[place[edge.from]]))
            continue;
        edge.from = (uint16_t)place[edge.from];
        edge.to = (uint16_t)place[edge.to];
        if (less.both.undirected && edge.from > edge.to)
            edge = (struct sepx_edge){edge.to, edge.from, edge.label};
        if (less.hidden[edge.from] || less.hidden[edge.to])
            edge.label = 0;
        item[n++] = (struct item){edge, d->edge[i], d->edge_was[i], NULL};
    }
    if (!err)
        err = add_items(&less, item, n);
    free(item);
    if (err) {
        diff_release(&less);
        return err;
    }
    diff_release(d);
    *d = less;
    return SEPX_OK;
}

/* How many edges each node is away from an edit; UINT32_MAX: no way. */
static void
measure(const struct diff *d, uint32_t *away)
{
    const struct sepx_graph *graph = &d->both;
    bool more = true;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        away[i] = d->node[i] ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        if (d->edge[i])
            away[graph->edge[i].from] = away[graph->edge[i].to] = 0;
    }
    for (uint32_t step = 0; more; step++) {
        more = false;
        for (uint32_t i = 0; i < graph->n_edges; i++) {
            const uint16_t end[] = {graph->edge[i].from, graph->edge[i].to};

            for (int k = 0; k < 2; k++) {
                if (away[end[k]] == step && away[end[!k]] > step + 1) {
                    away[end[!k]] = step + 1;
                    more = true;
                }
            }
        }
    }
}

enum sepx_err
diff_limit(struct diff *d, uint32_t around)
{
    uint32_t *place = calloc(d->both.n_nodes + 1, sizeof *place);
    uint32_t count = 0;
    enum sepx_err err;

    if (!place)
        return SEPX_ENOMEM;
    measure(d, place);
    for (uint32_t i = 0; i < d->both.n_nodes; i++)
        place[i] = place[i] <= around ? count++ : NOWHERE;
    err = reduce(d, place, count);
    free(place);
    return err;
}

/*
 * Sets of nodes: which of the `kept` ones lead to a node (row 2i), and to
 * which it leads (row 2i + 1). Nodes whose sets are equal can be one box
 * without a new cycle: whoever stood between two of them would have the same
 * sets. A graph with cycles has no such order, and gets empty rows.
 */
struct reach {
    uint64_t *row;
    size_t words; /* of a row */
};

static void
join(const struct reach *reach, size_t to, size_t from, uint32_t from_kept)
{
    for (size_t w = 0; w < reach->words; w++)
        reach->row[to * reach->words + w] |=
            reach->row[from * reach->words + w];
    if (from_kept != NOWHERE)
        reach->row[to * reach->words + from_kept / 64] |= (uint64_t)1
                                                          << from_kept % 64;
}

/* An order in which edges lead forward, in `order`; false: there is none. */
static bool
sort_nodes(const struct sepx_graph *graph, uint32_t *order, uint32_t *degree)
{
    uint32_t count = 0;

    if (graph->undirected)
        return false;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        degree[i] = 0;
    for (uint32_t i = 0; i < graph->n_edges; i++)
        degree[graph->edge[i].to]++;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (!degree[i])
            order[count++] = i;
    }
    for (uint32_t at = 0; at < count; at++) {
        for (uint32_t i = 0; i < graph->n_edges; i++) {
            if (graph->edge[i].from == order[at] &&
                --degree[graph->edge[i].to] == 0)
                order[count++] = graph->edge[i].to;
        }
    }
    return count == graph->n_nodes;
}

/* `kept`: the number of each node that is, NOWHERE for others. */
static void
find_reach(const struct sepx_graph *graph, const struct reach *reach,
           const uint32_t *kept, const uint32_t *order)
{
    for (uint32_t at = 0; at < graph->n_nodes; at++) {
        const uint32_t up = order[at], down = order[graph->n_nodes - 1 - at];

        for (uint32_t i = 0; i < graph->n_edges; i++) {
            const struct sepx_edge *edge = &graph->edge[i];

            if (edge->to == up)
                join(reach, 2 * (size_t)up, 2 * (size_t)edge->from,
                     kept[edge->from]);
            if (edge->from == down)
                join(reach, 2 * (size_t)down + 1, 2 * (size_t)edge->to + 1,
                     kept[edge->to]);
        }
    }
}

static uint32_t
root_of(uint32_t *root, uint32_t i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

static bool
same_reach(const struct reach *reach, uint32_t a, uint32_t b)
{
    const size_t both = 2 * reach->words;

    return !memcmp(reach->row + a * both, reach->row + b * both,
                   both * sizeof *reach->row);
}

/* Nodes of one root are one box, small boxes come apart again. */
static uint32_t
number_boxes(uint32_t nodes, uint32_t *root, uint32_t *size, uint32_t *place)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < nodes; i++) {
        size[i] = 0;
        place[i] = NOWHERE;
    }
    for (uint32_t i = 0; i < nodes; i++)
        size[root_of(root, i)]++;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t top = root_of(root, i);

        if (size[top] < RUN_LEAST)
            place[i] = count++;
        else if (place[top] == NOWHERE)
            place[i] = place[top] = count++;
        else
            place[i] = place[top];
    }
    return count;
}

/* Join neighbours that may be one box. */
static uint32_t
place_nodes(const struct diff *d, const struct reach *reach,
            const uint32_t *kept, uint32_t *root, uint32_t *size,
            uint32_t *place)
{
    const struct sepx_graph *graph = &d->both;

    for (uint32_t i = 0; i < graph->n_nodes; i++)
        root[i] = i;
    for (uint32_t i = 0; i < graph->n_edges; i++) {
        uint32_t a = graph->edge[i].from, b = graph->edge[i].to;

        if (kept[a] == NOWHERE && kept[b] == NOWHERE && same_reach(reach, a, b))
            root[root_of(root, a)] = root_of(root, b);
    }
    return number_boxes(graph->n_nodes, root, size, place);
}

enum sepx_err
diff_collapse(struct diff *d)
{
    const uint32_t nodes = d->both.n_nodes;
    uint32_t *room = calloc(4 * (size_t)nodes + 1, sizeof *room);
    uint32_t *kept = room, *order, *size, *place;
    struct reach reach = {0};
    uint32_t count = 0;
    enum sepx_err err = SEPX_ENOMEM;

    if (!room)
        return err;
    order = kept + nodes;
    size = order + nodes;
    place = size + nodes;
    measure(d, kept);
    for (uint32_t i = 0; i < nodes; i++)
        kept[i] = kept[i] <= 1 ? count++ : NOWHERE;
    reach.words = count / 64 + 1;
    reach.row = calloc(2 * nodes * reach.words + 1, sizeof *reach.row);
    if (reach.row) {
        if (sort_nodes(&d->both, order, size))
            find_reach(&d->both, &reach, kept, order);
        count = place_nodes(d, &reach, kept, order, size, place);
        err = reduce(d, place, count);
    }
    free(reach.row);
    free(room);
    return err;
}

enum sepx_err
diff_fold(struct diff *d, const struct sepx_graph *graph)
{
    const uint32_t nodes = graph->n_nodes, edges = graph->n_edges;
    uint32_t *room = calloc(5 * (size_t)nodes + 1, sizeof *room);
    uint32_t *in = room, *out, *root, *size, *place;
    enum sepx_err err = SEPX_ENOMEM;

    if (!room)
        return err;
    out = in + nodes;
    root = out + nodes;
    size = root + nodes;
    place = size + nodes;
    if (make_room(d, nodes, edges))
        err = sepx_graph_copy(&d->both, graph);
    for (uint32_t i = 0; i < nodes && !err; i++)
        root[i] = i;
    for (uint32_t i = 0; i < edges && !err; i++) {
        out[graph->edge[i].from]++;
        in[graph->edge[i].to]++;
        d->edge_was[i] = -1;
    }
    /* Where the row begins and ends stays in sight. */
    for (uint32_t i = 0; i < edges && !err; i++) {
        uint32_t a = graph->edge[i].from, b = graph->edge[i].to;

        if (out[a] == 1 && in[b] == 1 && in[a] == 1 && out[b] == 1)
            root[root_of(root, b)] = root_of(root, a);
    }
    if (!err)
        err = reduce(d, place, number_boxes(nodes, root, size, place));
    free(room);
    return err;
}
