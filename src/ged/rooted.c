/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances in which given nodes are mapped onto each other. Both nodes of
 * such a pair get a label that nothing else has, and the label is pinned: two
 * nodes alone in their class are always mapped, since that saves deleting one
 * and inserting the other. What the relabelling costs is the same for all
 * such maps, and is added to every answer.
 */
#include <string.h>

#include "ged/internal.h"

#define LABEL_MOST (GED_NO_LABEL - 1)

/* {0} is empty. */
struct rooted {
    const struct sepx_ged_options *options;
    struct sepx_graph a, b;
    uint16_t *pinned; /* those of the options, then one for each pair */
    size_t n_pinned, n_roots;
};

static void
release(struct rooted *r)
{
    sepx_graph_release(&r->a);
    sepx_graph_release(&r->b);
    sepx__free(r->pinned);
}

static bool
has_label(const struct sepx_graph *graph, uint16_t label)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (graph->label[i] == label)
            return true;
    return false;
}

static bool
is_pinned(const struct rooted *r, uint16_t label)
{
    for (size_t x = 0; x < r->n_pinned; x++)
        if (r->pinned[x] == label)
            return true;
    return false;
}

/* The largest label below `label` that is free. */
static SEPX_CHECKED enum sepx_err
next_label(const struct rooted *r, uint16_t *label)
{
    while (--*label)
        if (!has_label(&r->a, *label) && !has_label(&r->b, *label) &&
            !is_pinned(r, *label))
            return SEPX_OK;
    return SEPX_ELIMIT;
}

/* The relabelling of a root, by the price of two graphs of one node. */
static SEPX_CHECKED enum sepx_err
price_root(double *cost, const struct sepx_ged_options *options, uint16_t from,
           uint16_t to)
{
    const struct sepx_graph a = {.n_nodes = 1, .label = &from};
    const struct sepx_graph b = {.n_nodes = 1, .label = &to};
    const int16_t map[1] = {0};
    struct sepx_ged_graph *ready_a = NULL, *ready_b = NULL;
    struct sepx_ged *ged = NULL;
    enum sepx_err err = sepx_ged_new(&ged, options);

    if (!err)
        err = sepx_ged_prepare(ged, &ready_a, &a);
    if (!err)
        err = sepx_ged_prepare(ged, &ready_b, &b);
    if (!err)
        err = sepx_ged_map_cost(ged, cost, ready_a, ready_b, map);
    sepx_ged_graph_free(ready_a);
    sepx_ged_graph_free(ready_b);
    sepx_ged_free(ged);
    return err;
}

static SEPX_CHECKED enum sepx_err
copy(struct rooted *r, const struct sepx_graph *a, const struct sepx_graph *b,
     size_t n_roots)
{
    const struct sepx_ged_options *options = r->options;
    enum sepx_err err = sepx_graph_copy(&r->a, a);

    if (!err)
        err = sepx_graph_copy(&r->b, b);
    if (err)
        return err;
    r->pinned =
        sepx__calloc(options->n_pinned + n_roots + 1, sizeof *r->pinned);
    if (!r->pinned)
        return SEPX_ENOMEM;
    if (!options->ignore_labels) {
        r->n_pinned = options->n_pinned;
        if (r->n_pinned)
            memcpy(r->pinned, options->pinned, r->n_pinned * sizeof *r->pinned);
        return SEPX_OK;
    }
    if (a->n_nodes)
        memset(r->a.label, 0, a->n_nodes * sizeof *a->label);
    if (b->n_nodes)
        memset(r->b.label, 0, b->n_nodes * sizeof *b->label);
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
set_roots(struct rooted *r, double *extra, const struct sepx_ged_root *root,
          size_t n_roots)
{
    uint16_t fresh = LABEL_MOST;

    for (size_t x = 0; x < n_roots; x++) {
        const uint16_t i = root[x].a, k = root[x].b;
        double cost;
        enum sepx_err err;

        if (i >= r->a.n_nodes || k >= r->b.n_nodes)
            return SEPX_EINVAL;
        for (size_t y = 0; y < x; y++)
            if (root[y].a == i || root[y].b == k)
                return SEPX_EINVAL;
        err = price_root(&cost, r->options, r->a.label[i], r->b.label[k]);
        if (!err)
            err = next_label(r, &fresh);
        if (err)
            return err;
        *extra += cost;
        r->a.label[i] = r->b.label[k] = fresh;
        r->pinned[r->n_pinned++] = fresh;
        r->n_roots++;
    }
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
make(struct rooted *r, struct sepx_ged **ged, struct sepx_ged_graph **ready_a,
     struct sepx_ged_graph **ready_b, double extra)
{
    struct sepx_ged_options options = *r->options;
    enum sepx_err err;

    options.pinned = r->pinned;
    options.n_pinned = r->n_pinned;
    options.ignore_labels = false;
    err = sepx_ged_new(ged, &options);
    if (err)
        return err;
    (*ged)->extra = extra;
    (*ged)->first_root = (uint32_t)(r->n_pinned - r->n_roots) + 1;
    err = sepx_ged_prepare(*ged, ready_a, &r->a);
    if (!err)
        err = sepx_ged_prepare(*ged, ready_b, &r->b);
    if (err) {
        sepx_ged_graph_free(*ready_a);
        sepx_ged_free(*ged);
        *ready_a = NULL;
        *ged = NULL;
    }
    return err;
}

enum sepx_err
sepx_ged_new_rooted(struct sepx_ged **ged, struct sepx_ged_graph **ready_a,
                    struct sepx_ged_graph **ready_b,
                    const struct sepx_ged_options *options,
                    const struct sepx_graph *a, const struct sepx_graph *b,
                    const struct sepx_ged_root *root, size_t n_roots)
{
    const struct sepx_ged_options none = {0};
    struct rooted r = {.options = options ? options : &none};
    double extra = 0;
    enum sepx_err err = SEPX_OK;

    *ged = NULL;
    *ready_a = *ready_b = NULL;
    if (a->undirected != b->undirected)
        return SEPX_EINVAL;
    err = copy(&r, a, b, n_roots);
    if (!err)
        err = set_roots(&r, &extra, root, n_roots);
    if (!err)
        err = make(&r, ged, ready_a, ready_b, extra);
    release(&r);
    return err;
}

enum sepx_err
sepx_ged_start(struct sepx_ged *ged, const int16_t *map, uint32_t n_nodes)
{
    int16_t *copied = NULL;

    if (map) {
        copied = sepx__calloc(n_nodes + 1, sizeof *copied);
        if (!copied)
            return SEPX_ENOMEM;
        memcpy(copied, map, n_nodes * sizeof *copied);
    }
    sepx__free(ged->start);
    ged->start = copied;
    ged->n_start = map ? n_nodes : 0;
    return SEPX_OK;
}

double
sepx_ged_normalized(double distance, double whole)
{
    return distance > 0 ? 2 * distance / (whole + distance) : 0;
}
