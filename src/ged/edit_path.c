/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The edit path: what a node map implies, in an order in which each edit can
 * be applied, and its application, whole or in part.
 */
#include <string.h>

#include "graph/internal.h"
#include "sepx/ged.h"

void
sepx_path_release(struct sepx_path *path)
{
    sepx__free(path->edit);
    *path = (struct sepx_path){0};
}

/* ---- from a map ---- */

struct maker {
    struct sepx_edit *at; /* NULL: only count */
    size_t count[SEPX_EDGE_INSERT + 1];
};

static void
emit(struct maker *m, struct sepx_edit edit)
{
    if (m->at)
        m->at[m->count[edit.kind]] = edit;
    m->count[edit.kind]++;
}

static void
emit_node(struct maker *m, enum sepx_edit_kind kind, unsigned node,
          uint16_t old_label, uint16_t new_label)
{
    emit(m, (struct sepx_edit){.kind = kind,
                               .node = (uint16_t)node,
                               .old_label = old_label,
                               .new_label = new_label});
}

static void
emit_edge(struct maker *m, enum sepx_edit_kind kind, unsigned from, unsigned to,
          uint16_t old_label, uint16_t new_label)
{
    emit(m, (struct sepx_edit){.kind = kind,
                               .from = (uint16_t)from,
                               .to = (uint16_t)to,
                               .old_label = old_label,
                               .new_label = new_label});
}

/* The edges between two nodes, by label. */
struct run {
    const struct sepx_edge *edge;
    uint32_t count;
};

static struct run
run_at(const struct sepx_graph *graph, const struct sepx_edge *edge)
{
    const struct sepx_edge *end = edge ? graph->edge + graph->n_edges : NULL;
    struct run run = {edge, 0};

    while (edge < end && sepx__edges_parallel(edge, run.edge)) {
        run.count++;
        edge++;
    }
    return run;
}

/* Where a walk through two runs is. */
struct walk {
    uint32_t i, j;
};

/* The next edge of x whose label is not matched by an edge of y, or NULL. */
static const struct sepx_edge *
next_unmatched(struct walk *walk, struct run x, struct run y,
               const struct sepx_names *names)
{
    while (walk->i < x.count) {
        uint16_t mine = x.edge[walk->i].label;

        if (walk->j < y.count && y.edge[walk->j].label == mine) {
            walk->i++;
            walk->j++;
        } else if (walk->j < y.count &&
                   sepx__names_key(names, y.edge[walk->j].label) <
                       sepx__names_key(names, mine)) {
            walk->j++;
        } else {
            return x.edge + walk->i++;
        }
    }
    return NULL;
}

/*
 * What run x of a becomes: edges of y with other labels while there are any.
 * Equal labels stay, which is the cheapest way if all relabellings cost the
 * same.
 */
static void
emit_old(struct maker *m, struct run x, struct run y,
         const struct sepx_names *names)
{
    struct walk out = {0}, in = {0};
    const struct sepx_edge *old;

    while ((old = next_unmatched(&out, x, y, names))) {
        const struct sepx_edge *new = next_unmatched(&in, y, x, names);

        if (new)
            emit_edge(m, SEPX_EDGE_RELABEL, old->from, old->to, old->label,
                      new->label);
        else
            emit_edge(m, SEPX_EDGE_DELETE, old->from, old->to, old->label, 0);
    }
}

/* The edges of run y of b that no edge of x becomes; ends in path numbers. */
static void
emit_new(struct maker *m, struct run x, struct run y, unsigned from,
         unsigned to, const struct sepx_names *names)
{
    struct walk out = {0}, in = {0};
    const struct sepx_edge *new;

    while ((new = next_unmatched(&in, y, x, names)))
        if (!next_unmatched(&out, x, y, names))
            emit_edge(m, SEPX_EDGE_INSERT, from, to, 0, new->label);
}

static void
emit_edges(struct maker *m, const struct sepx_graph *a,
           const struct sepx_graph *b, const int16_t *map, const uint16_t *back)
{
    struct run x, y;

    for (unsigned e = 0; e < a->n_edges; e += x.count) {
        const int from = map[a->edge[e].from], to = map[a->edge[e].to];

        x = run_at(a, &a->edge[e]);
        y = run_at(b,
                   from < 0 || to < 0
                       ? NULL
                       : sepx_graph_find_edge(b, (unsigned)from, (unsigned)to));
        emit_old(m, x, y, a->names);
    }
    for (unsigned e = 0; e < b->n_edges; e += y.count) {
        unsigned from = back[b->edge[e].from], to = back[b->edge[e].to];

        if (b->undirected && from > to) {
            from = to;
            to = back[b->edge[e].from];
        }
        y = run_at(b, &b->edge[e]);
        x = run_at(a, to >= a->n_nodes || from >= a->n_nodes
                          ? NULL
                          : sepx_graph_find_edge(a, from, to));
        emit_new(m, x, y, from, to, a->names);
    }
}

/* Both directions: `map` from a to b, `back` from b to path numbers. */
static void
emit_all(struct maker *m, const struct sepx_graph *a,
         const struct sepx_graph *b, const int16_t *map, const uint16_t *back,
         bool ignore_labels)
{
    for (unsigned i = 0; i < a->n_nodes; i++)
        if (map[i] < 0)
            emit_node(m, SEPX_NODE_DELETE, i, a->label[i], 0);
        else if (!ignore_labels && a->label[i] != b->label[map[i]])
            emit_node(m, SEPX_NODE_RELABEL, i, a->label[i], b->label[map[i]]);
    for (unsigned j = 0; j < b->n_nodes; j++)
        if (back[j] >= a->n_nodes)
            emit_node(m, SEPX_NODE_INSERT, back[j], 0, b->label[j]);
    emit_edges(m, a, b, map, back);
}

/* Path numbers of b's nodes; false if `map` is no map. */
static bool
invert(uint16_t *back, uint16_t *n_insert, const struct sepx_graph *a,
       const struct sepx_graph *b, const int16_t *map)
{
    unsigned next = a->n_nodes;

    for (unsigned j = 0; j < b->n_nodes; j++)
        back[j] = UINT16_MAX;
    for (unsigned i = 0; i < a->n_nodes; i++) {
        if (map[i] == SEPX_NONE)
            continue;
        if (map[i] < 0 || map[i] >= (int)b->n_nodes ||
            back[map[i]] != UINT16_MAX)
            return false;
        back[map[i]] = (uint16_t)i;
    }
    for (unsigned j = 0; j < b->n_nodes; j++)
        if (back[j] == UINT16_MAX)
            back[j] = (uint16_t)next++;
    *n_insert = (uint16_t)(next - a->n_nodes);
    return true;
}

/* Turn counts by kind into the position of each kind's first edit. */
static size_t
number_kinds(struct maker *m)
{
    size_t sum = 0;

    for (unsigned k = 0; k <= SEPX_EDGE_INSERT; k++) {
        size_t count = m->count[k];

        m->count[k] = sum;
        sum += count;
    }
    return sum;
}

enum sepx_err
sepx_path_from_map(struct sepx_path *path, const struct sepx_graph *a,
                   const struct sepx_graph *b, const int16_t *map,
                   bool ignore_labels)
{
    struct maker m = {0};
    uint16_t *back = sepx__calloc(b->n_nodes + 1, sizeof *back);
    enum sepx_err err = SEPX_OK;
    size_t len;

    if (!back)
        return SEPX_ENOMEM;
    sepx_path_release(path);
    if (a->undirected != b->undirected ||
        !invert(back, &path->n_insert, a, b, map)) {
        err = SEPX_EINVAL;
        goto done;
    }
    emit_all(&m, a, b, map, back, ignore_labels);
    len = number_kinds(&m);
    m.at = path->edit = sepx__calloc(len + 1, sizeof *path->edit);
    if (!path->edit) {
        err = SEPX_ENOMEM;
        goto done;
    }
    emit_all(&m, a, b, map, back, ignore_labels);
    path->len = len;
    path->n_first = (uint16_t)a->n_nodes;
done:
    if (err)
        sepx_path_release(path);
    sepx__free(back);
    return err;
}

/* ---- application ---- */

struct applier {
    struct sepx_graph *child; /* nodes of a, then inserted ones as they come */
    bool *keep;               /* by child node */
    int16_t *place;           /* child node of each path node, or SEPX_NONE */
    size_t dropped;
};

static SEPX_CHECKED enum sepx_err
apply_node(struct applier *t, const struct sepx_edit *edit)
{
    int16_t at = t->place[edit->node];
    enum sepx_err err;

    switch (edit->kind) {
    case SEPX_NODE_INSERT:
        err = sepx_graph_add_node(t->child, edit->new_label);
        if (err)
            return err;
        t->place[edit->node] = (int16_t)(t->child->n_nodes - 1);
        t->keep[t->child->n_nodes - 1] = true;
        break;
    case SEPX_NODE_DELETE:
        t->keep[at] = false;
        t->place[edit->node] = SEPX_NONE;
        break;
    default:
        t->child->label[at] = edit->new_label;
        break;
    }
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
apply_edge(struct applier *t, const struct sepx_edit *edit)
{
    const int16_t from = t->place[edit->from], to = t->place[edit->to];

    if (from < 0 || to < 0) {
        t->dropped++;
        return SEPX_OK;
    }
    if (edit->kind != SEPX_EDGE_INSERT &&
        !sepx_graph_remove_parallel(t->child, (unsigned)from, (unsigned)to,
                                    edit->old_label))
        return SEPX_EINVAL;
    return edit->kind == SEPX_EDGE_DELETE
               ? SEPX_OK
               : sepx_graph_add_parallel(t->child, (unsigned)from, (unsigned)to,
                                         edit->new_label);
}

static SEPX_CHECKED enum sepx_err
apply_edits(struct applier *t, const struct sepx_path *path, const bool *take)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < path->len && !err; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (take && !take[i])
            continue;
        if (edit->kind == SEPX_NODE_DELETE || edit->kind == SEPX_NODE_INSERT ||
            edit->kind == SEPX_NODE_RELABEL)
            err = apply_node(t, edit);
        else
            err = apply_edge(t, edit);
    }
    return err;
}

/* Deleted nodes go at the end, so that numbers hold while edits apply. */
static void
sweep(struct applier *t, size_t n)
{
    int16_t gone = 0;

    for (unsigned i = 0; i < t->child->n_nodes; i++) {
        gone = (int16_t)(gone + !t->keep[i]);
        for (size_t k = 0; k < n && gone; k++)
            if (t->place[k] == (int16_t)i)
                t->place[k] = (int16_t)(t->place[k] - gone);
    }
    if (gone)
        sepx_graph_keep(t->child, t->keep);
}

enum sepx_err
sepx_path_apply(const struct sepx_path *path, struct sepx_graph *child,
                const struct sepx_graph *a, const bool *take, size_t *dropped,
                int16_t *node_of)
{
    const size_t n = (size_t)path->n_first + path->n_insert;
    struct applier t = {.child = child};
    enum sepx_err err = SEPX_ENOMEM;

    if (path->n_first != a->n_nodes)
        return SEPX_EINVAL;
    t.keep = sepx__calloc(n + 1, sizeof *t.keep);
    t.place = sepx__calloc(n + 1, sizeof *t.place);
    if (!t.keep || !t.place)
        goto done;
    err = sepx_graph_copy(child, a);
    if (err)
        goto done;
    for (size_t i = 0; i < n; i++) {
        t.place[i] = i < path->n_first ? (int16_t)i : SEPX_NONE;
        t.keep[i] = i < path->n_first;
    }
    err = apply_edits(&t, path, take);
    if (err)
        goto done;
    sweep(&t, n);
    if (dropped)
        *dropped = t.dropped;
    if (node_of)
        memcpy(node_of, t.place, n * sizeof *node_of);
done:
    sepx__free(t.place);
    sepx__free(t.keep);
    return err;
}
