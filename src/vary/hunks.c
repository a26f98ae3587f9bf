/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits by hunk. Every node has an in-port and an out-port. An edge edit
 * joins the out-port of its source with the in-port of its target; inserting
 * or deleting a node joins its two ports; relabelling a node that has another
 * number of edges in the other parent joins its in-port. Edits that are
 * joined are one hunk, and a hunk is taken whole: then each in-port has the
 * edges of the one parent or of the other, never some of both, so that every
 * rule about incoming edges that both parents keep, the child keeps. Where
 * single edits of a path between two networks hardly ever give a network,
 * hunks nearly always do.
 *
 * The hunks that are taken have together ceil(d/2) edits, or the nearest
 * number that hunks can have; among all such choices each is as likely.
 *
 * A hunk of more than half of the edits is split along in-ports: the edits of
 * one in-port stay together, an inserted node comes before whoever reads it,
 * and a deleted one goes together with all edges that leave it. Such sets
 * keep the rules about incoming edges too. A node that loses its readers goes
 * or gets others, as far as the path has them; the rest is for the space to
 * check. A row of nodes that cannot be split so is cut short (rows.c).
 */
#include <string.h>

#include "vary/internal.h"

enum { PROBES = 16 };

/* ---- which edits are joined ---- */

static uint32_t
find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void
join(uint32_t *parent, uint32_t i, uint32_t j)
{
    i = find_root(parent, i);
    j = find_root(parent, j);
    /* The smaller number leads: the result does not depend on the order. */
    if (i < j)
        parent[j] = i;
    else
        parent[i] = j;
}

static uint32_t
edges_into(const struct sepx_graph *graph, uint32_t node)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < graph->n_edges; i++)
        count += graph->edge[i].to == node;
    return count;
}

static bool
is_node_edit(const struct sepx_edit *edit)
{
    return edit->kind == SEPX_NODE_DELETE || edit->kind == SEPX_NODE_INSERT ||
           edit->kind == SEPX_NODE_RELABEL;
}

/* Ports of node v are 2v (in) and 2v + 1 (out); edits follow. */
static void
join_edit(const struct sepx_cross *cross, uint32_t *parent, uint32_t at,
          const struct sepx_edit *edit, const struct sepx__parents *p)
{
    if (!is_node_edit(edit)) {
        join(parent, at, 2u * edit->from + 1);
        join(parent, at, 2u * edit->to);
    } else if (edit->kind != SEPX_NODE_RELABEL) {
        join(parent, at, 2u * edit->node);
        join(parent, at, 2u * edit->node + 1);
    } else if (edges_into(p->a, edit->node) !=
               edges_into(p->b, (uint32_t)cross->map[edit->node])) {
        join(parent, at, 2u * edit->node);
    }
}

/* Number the hunks by their first edits. */
static void
number_hunks(struct sepx__hunks *h, uint32_t *parent, uint32_t ports)
{
    h->count = 0;
    for (uint32_t i = 0; i < h->edits; i++)
        h->of[i] = UINT32_MAX;
    for (uint32_t i = 0; i < h->edits; i++) {
        uint32_t root = find_root(parent, ports + i);

        for (uint32_t k = 0; k < i && h->of[i] == UINT32_MAX; k++) {
            if (find_root(parent, ports + k) == root)
                h->of[i] = h->of[k];
        }
        if (h->of[i] == UINT32_MAX) {
            h->size[h->count] = 0;
            h->of[i] = h->count++;
        }
        h->size[h->of[i]]++;
    }
}

void
sepx__hunks_release(struct sepx__hunks *h)
{
    sepx__free(h->of);
    sepx__free(h->size);
    sepx__free(h->ways);
    sepx__free(h->set);
    *h = (struct sepx__hunks){0};
}

static SEPX_CHECKED enum sepx_err
make_room(struct sepx__hunks *h, uint32_t edits, uint32_t nodes)
{
    enum sepx_err err =
        sepx__grow((void **)&h->of, &h->of_room, edits + 1, sizeof(*h->of));

    if (!err)
        err = sepx__grow((void **)&h->size, &h->size_room, edits + 1,
                         sizeof(*h->size));
    if (!err)
        err = sepx__grow((void **)&h->set, &h->set_room,
                         (size_t)2 * nodes + edits + 1, sizeof(*h->set));
    h->edits = edits;
    return err;
}

/*
 * ways[k][s]: choices among the first k hunks that have s edits together,
 * scaled so that no row overflows; the scale of a row does not matter.
 */
static SEPX_CHECKED enum sepx_err
count_ways(struct sepx__hunks *h)
{
    const size_t width = (size_t)h->edits + 1;
    enum sepx_err err =
        sepx__grow((void **)&h->ways, &h->ways_room,
                   ((size_t)h->count + 1) * width, sizeof(*h->ways));

    if (err)
        return err;
    memset(h->ways, 0, width * sizeof(*h->ways));
    h->ways[0] = 1;
    for (uint32_t k = 0; k < h->count; k++) {
        const double *from = h->ways + k * width;
        double *to = h->ways + (k + 1) * width;

        for (size_t s = 0; s < width; s++) {
            to[s] = from[s];
            if (s >= h->size[k])
                to[s] += from[s - h->size[k]];
            to[s] *= 0.5;
        }
    }
    return SEPX_OK;
}

/* The number nearest to half that hunks can have; neither none nor all. */
static uint32_t
find_total(const struct sepx__hunks *h)
{
    const double *ways = h->ways + (size_t)h->count * (h->edits + 1);
    const uint32_t half = (h->edits + 1) / 2;

    for (uint32_t off = 0; off < h->edits; off++) {
        if (half + off < h->edits && ways[half + off] > 0)
            return half + off;
        if (off < half && ways[half - off] > 0)
            return half - off;
    }
    return 0;
}

enum sepx_err
sepx__hunks_find(struct sepx_cross *cross, const struct sepx__parents *p)
{
    struct sepx__hunks *h = &cross->hunks;
    const struct sepx_path *path = &cross->path;
    const uint32_t nodes = (uint32_t)path->n_first + path->n_insert;
    enum sepx_err err = make_room(h, (uint32_t)path->len, nodes);

    if (err)
        return err;
    for (uint32_t i = 0; i < 2 * nodes + h->edits; i++)
        h->set[i] = i;
    for (uint32_t i = 0; i < h->edits; i++)
        join_edit(cross, h->set, 2 * nodes + i, &path->edit[i], p);
    number_hunks(h, h->set, 2 * nodes);
    h->first = p->a;
    err = count_ways(h);
    if (!err)
        h->total = find_total(h);
    return err;
}

/* ---- which are taken ---- */

/* Backwards through the table: each choice of that total is as likely. */
static void
take_total(struct sepx_cross *cross, struct sepx_rng *rng)
{
    const struct sepx__hunks *h = &cross->hunks;
    const size_t width = (size_t)h->edits + 1;
    uint32_t left = h->total;

    memset(cross->held, 0, h->edits * sizeof(*cross->held));
    for (uint32_t k = h->count; k-- > 0;) {
        const double *ways = h->ways + k * width;
        double without = ways[left];
        double with = left >= h->size[k] ? ways[left - h->size[k]] : 0;
        bool take = sepx_rng_unit(rng) * (with + without) >= without;

        cross->held[k] = take && with > 0;
        if (cross->held[k])
            left -= h->size[k];
    }
    for (uint32_t i = 0; i < h->edits; i++)
        cross->take[i] = cross->held[h->of[i]];
}

/* The node whose in-port an edit is about. */
static uint32_t
port_of(const struct sepx_edit *edit)
{
    return is_node_edit(edit) ? edit->node : edit->to;
}

/* The kind of a node edit of `node`; SEPX_EDGE_DELETE: there is none. */
static enum sepx_edit_kind
fate_of(const struct sepx_path *path, uint32_t node)
{
    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (is_node_edit(edit) && edit->node == node)
            return edit->kind;
    }
    return SEPX_EDGE_DELETE;
}

/*
 * Take all edits of the in-port of `node`, and of those that they need.
 * Returns how many edits were added.
 */
static uint32_t
take_port(struct sepx_cross *cross, uint32_t node)
{
    const struct sepx_path *path = &cross->path;
    const bool goes = fate_of(path, node) == SEPX_NODE_DELETE;
    uint32_t added = 0;

    for (uint32_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (cross->take[i])
            continue;
        if (port_of(edit) == node) {
            cross->take[i] = true;
            added++;
            if (edit->kind == SEPX_EDGE_INSERT &&
                fate_of(path, edit->from) == SEPX_NODE_INSERT)
                added += take_port(cross, edit->from);
        } else if (goes && edit->kind == SEPX_EDGE_DELETE &&
                   edit->from == node) {
            added += take_port(cross, edit->to);
        }
    }
    return added;
}

/* How many edges of the child leave each node. */
static void
count_readers(const struct sepx_cross *cross, const struct sepx_graph *a,
              int32_t readers[2 * SEPX__WIDE_NODES])
{
    const struct sepx_path *path = &cross->path;

    memset(readers, 0, 2 * SEPX__WIDE_NODES * sizeof(*readers));
    for (uint32_t i = 0; i < a->n_edges; i++)
        readers[a->edge[i].from]++;
    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (!cross->take[i])
            continue;
        readers[edit->from] += edit->kind == SEPX_EDGE_INSERT;
        readers[edit->from] -= edit->kind == SEPX_EDGE_DELETE;
    }
}

/*
 * A node that lost its readers goes, if it may, or gets one that the other
 * parent has. Returns how many edits were added.
 */
static uint32_t
take_for_reader(struct sepx_cross *cross, uint32_t node)
{
    const struct sepx_path *path = &cross->path;
    const bool leaves = fate_of(path, node) == SEPX_NODE_DELETE;

    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (cross->take[i])
            continue;
        if (leaves ? edit->kind == SEPX_NODE_DELETE && edit->node == node
                   : edit->kind == SEPX_EDGE_INSERT && edit->from == node)
            return take_port(cross, port_of(edit));
    }
    return 0;
}

/* Until every node that is touched has a reader, or nothing helps. */
static void
take_readers(struct sepx_cross *cross, const struct sepx_graph *a)
{
    const struct sepx_path *path = &cross->path;
    int32_t readers[2 * SEPX__WIDE_NODES];
    uint32_t added = 1;

    count_readers(cross, a, readers);
    while (added) {
        added = 0;
        for (size_t i = 0; i < path->len; i++) {
            const struct sepx_edit *edit = &path->edit[i];
            uint32_t node = is_node_edit(edit) ? edit->node : edit->from, more;

            if (!cross->take[i] || edit->kind == SEPX_NODE_DELETE ||
                edit->kind == SEPX_NODE_RELABEL || readers[node] > 0)
                continue;
            more = take_for_reader(cross, node);
            if (more)
                count_readers(cross, a, readers);
            added += more;
        }
    }
}

/* In-ports at random, each with what it needs, until half is taken. */
static void
take_ports(struct sepx_cross *cross, struct sepx_rng *rng)
{
    const uint32_t len = (uint32_t)cross->path.len, half = (len + 1) / 2;
    uint32_t taken = 0;

    memset(cross->take, 0, len * sizeof(*cross->take));
    sepx_rng_sample(rng, cross->pick, len, len);
    for (uint32_t i = 0; i < len && taken < half; i++) {
        if (!cross->take[cross->pick[i]])
            taken +=
                take_port(cross, port_of(&cross->path.edit[cross->pick[i]]));
    }
    take_readers(cross, cross->hunks.first);
}

/* Some choice of whole hunks is within a quarter of the path of half. */
static bool
has_half(const struct sepx__hunks *h)
{
    const uint32_t half = (h->edits + 1) / 2;
    const uint32_t off = h->total > half ? h->total - half : half - h->total;

    return h->total && 4 * off <= h->edits;
}

typedef void take_fn(struct sepx_cross *cross, struct sepx_rng *rng);

/* Whether some of a few draws are valid and no parent. */
static SEPX_CHECKED enum sepx_err
try_some(struct sepx_cross *cross, bool *can, take_fn *take,
         const struct sepx__parents *p, struct sepx_rng *rng)
{
    enum sepx_err err = SEPX_OK;

    *can = false;
    for (int i = 0; i < PROBES && !err && !*can; i++) {
        uint32_t taken = 0;

        take(cross, rng);
        for (uint32_t k = 0; k < cross->hunks.edits; k++)
            taken += cross->take[k];
        if (taken && taken < cross->hunks.edits)
            err = sepx__cross_check(cross, can, p);
    }
    return err;
}

/* Whole hunks, far from half as they are; rather than none, a row cut short. */
static SEPX_CHECKED enum sepx_err
plan_uneven(struct sepx_cross *cross, const struct sepx__parents *p,
            struct sepx_rng *rng)
{
    struct sepx_rng probe = *rng; /* what is tried changes no draw */
    bool can = false;
    enum sepx_err err = SEPX_OK;

    if (cross->hunks.total)
        err = try_some(cross, &can, take_total, p, &probe);
    if (err || can)
        return err;
    err = sepx__row_cut(cross, &can, p, rng);
    if (!err && can)
        cross->hunks.how = SEPX__HUNKS_CUT;
    return err;
}

enum sepx_err
sepx__hunks_plan(struct sepx_cross *cross, const struct sepx__parents *p,
                 struct sepx_rng *rng)
{
    struct sepx__hunks *h = &cross->hunks;
    bool can = false;
    enum sepx_err err;

    h->how = SEPX__HUNKS_WHOLE;
    if (has_half(h) || cross->ops->take_hunks != sepx__hunks_take)
        return SEPX_OK;
    err = try_some(cross, &can, take_ports, p, rng);
    if (err)
        return err;
    if (can)
        h->how = SEPX__HUNKS_SPLIT;
    return can ? SEPX_OK : plan_uneven(cross, p, rng);
}

void
sepx__hunks_take(struct sepx_cross *cross, struct sepx_rng *rng)
{
    switch (cross->hunks.how) {
    case SEPX__HUNKS_WHOLE:
        take_total(cross, rng);
        break;
    case SEPX__HUNKS_SPLIT:
        take_ports(cross, rng);
        break;
    case SEPX__HUNKS_CUT: /* taken already */
        break;
    }
}

void
sepx__hunks_take_by_coin(struct sepx_cross *cross, struct sepx_rng *rng)
{
    const struct sepx__hunks *h = &cross->hunks;

    for (uint32_t k = 0; k < h->count; k++)
        cross->held[k] = sepx_rng_u32(rng) & 1;
    for (uint32_t i = 0; i < h->edits; i++)
        cross->take[i] = cross->held[h->of[i]];
}
