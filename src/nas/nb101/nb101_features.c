/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features of a cell, counted along its paths, edges and nodes.
 *
 * Paths carry most: C. White, W. Neiswanger and Y. Savani (BANANAS, AAAI
 * 2021) predict from the set of operation sequences between input and output.
 * Path index: the sum of 3^i (op_i + 1), from the input on; 0 is the bare
 * edge from input to output.
 */
#include <string.h>

#include "nas/nb101/nb101_features.h"

#define OPS 3
#define DEPTHS 6 /* edges on a path, at most; also inner nodes, plus one */
#define IN 3     /* the input's and the output's place among operations */
#define OUT 3

struct view {
    const struct sepx_nb101_cell *cell;
    unsigned last;                       /* the output */
    uint8_t from[SEPX_NB101_NODES];      /* in-neighbours as bits */
    uint8_t to[SEPX_NB101_NODES];        /* out-neighbours */
    uint8_t above[SEPX_NB101_NODES];     /* ancestors */
    uint8_t depth[2][SEPX_NB101_NODES];  /* shortest, longest from input */
    uint8_t height[2][SEPX_NB101_NODES]; /* the same to the output */
    uint8_t ways_in[SEPX_NB101_NODES], ways_out[SEPX_NB101_NODES];
};

/* Where features go: the place of the next one. */
struct sink {
    uint8_t *at, *end;
};

/* A group of `count` counters, zero. */
static uint8_t *
group(struct sink *sink, unsigned count)
{
    uint8_t *first = sink->at;

    sink->at += count;
    return first;
}

static void
put(struct sink *sink, unsigned value)
{
    *sink->at++ = (uint8_t)(value < 255 ? value : 255);
}

static unsigned
bits(unsigned set)
{
    return (unsigned)__builtin_popcount(set);
}

static void
view_init(struct view *view, const struct sepx_nb101_cell *cell)
{
    unsigned nodes =
        cell->nodes < SEPX_NB101_NODES ? cell->nodes : SEPX_NB101_NODES;

    *view = (struct view){.cell = cell, .last = nodes - 1};
    for (unsigned to = 1; to < nodes; to++) {
        for (unsigned from = 0; from < to; from++) {
            if (!(cell->edges >> sepx_nb101_bit(from, to) & 1))
                continue;
            view->from[to] |= (uint8_t)(1u << from);
            view->to[from] |= (uint8_t)(1u << to);
            view->above[to] |= (uint8_t)(view->above[from] | 1u << from);
        }
    }
}

static unsigned
less(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned
more(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* Distances and numbers of paths, from the input to `node`. */
static void
measure_in(struct view *view, unsigned node)
{
    view->depth[0][node] = node ? 255 : 0;
    view->ways_in[node] = !node;
    for (unsigned i = 0; i < node; i++) {
        if (!(view->from[node] >> i & 1))
            continue;
        view->depth[0][node] =
            (uint8_t)less(view->depth[0][node], view->depth[0][i] + 1u);
        view->depth[1][node] =
            (uint8_t)more(view->depth[1][node], view->depth[1][i] + 1u);
        view->ways_in[node] = (uint8_t)(view->ways_in[node] + view->ways_in[i]);
    }
}

static void
measure_out(struct view *view, unsigned node)
{
    view->height[0][node] = node < view->last ? 255 : 0;
    view->ways_out[node] = node == view->last;
    for (unsigned i = node + 1; i <= view->last; i++) {
        if (!(view->to[node] >> i & 1))
            continue;
        view->height[0][node] =
            (uint8_t)less(view->height[0][node], view->height[0][i] + 1u);
        view->height[1][node] =
            (uint8_t)more(view->height[1][node], view->height[1][i] + 1u);
        view->ways_out[node] =
            (uint8_t)(view->ways_out[node] + view->ways_out[i]);
    }
}

/* ---- the cell as a whole ---- */

static void
put_sizes(struct sink *sink, const struct view *view)
{
    const struct sepx_nb101_cell *cell = view->cell;
    unsigned ends = bits(view->from[view->last] & ~1u);
    unsigned count[OPS] = {0}, weight, side = ends ? ends : 1;
    bool skip = view->from[view->last] & 1;

    for (unsigned i = 1; i < view->last; i++)
        count[cell->op[i]]++;
    put(sink, cell->nodes);
    put(sink, bits(cell->edges));
    for (unsigned op = 0; op < OPS; op++)
        put(sink, count[op]);
    put(sink, ends);
    put(sink, bits(view->to[0]));
    put(sink, skip);
    put(sink, view->ways_in[view->last]);
    put(sink, view->depth[1][view->last]);
    put(sink, view->depth[0][view->last]);
    /* Parameters: the channels are divided among the output's inputs. */
    weight = 9 * count[0] + count[1];
    put(sink, 5 * weight / (side * side));
    put(sink, 10 * (bits(view->to[0]) - skip) / side + 10 * skip);
}

/* ---- nodes ---- */

static void
put_nodes(struct sink *sink, const struct view *view)
{
    const struct sepx_nb101_cell *cell = view->cell;
    uint8_t *inputs = group(sink, OPS), *outputs = group(sink, OPS);
    uint8_t *joins = group(sink, OPS), *cuts = group(sink, OPS);
    uint8_t *depth = group(sink, 2 * OPS * 5);
    uint8_t *height = group(sink, 2 * OPS * 5);
    uint8_t *ways = group(sink, OPS), *most = group(sink, OPS);

    for (unsigned i = 1; i < view->last; i++) {
        unsigned op = cell->op[i];
        unsigned through = (unsigned)view->ways_in[i] * view->ways_out[i];

        inputs[op] = (uint8_t)(inputs[op] + bits(view->from[i]));
        outputs[op] = (uint8_t)(outputs[op] + bits(view->to[i]));
        joins[op] = (uint8_t)(joins[op] + (bits(view->from[i]) > 1));
        cuts[op] = (uint8_t)(cuts[op] + (through == view->ways_in[view->last]));
        ways[op] = (uint8_t)(ways[op] + through);
        most[op] = (uint8_t)more(most[op], through);
        for (unsigned k = 0; k < 2; k++) {
            depth[(k * OPS + op) * 5 + view->depth[k][i] - 1]++;
            height[(k * OPS + op) * 5 + view->height[k][i] - 1]++;
        }
    }
    put(sink, bits(view->from[view->last]));
}

/* ---- edges, and pairs of which one is an ancestor ---- */

static void
put_pairs(struct sink *sink, const struct view *view)
{
    const struct sepx_nb101_cell *cell = view->cell;
    uint8_t *edge = group(sink, 16), *above = group(sink, 9);

    for (unsigned to = 1; to <= view->last; to++) {
        unsigned b = to < view->last ? cell->op[to] : OUT;

        for (unsigned from = 0; from < to; from++) {
            unsigned a = from ? cell->op[from] : IN;

            edge[4 * a + b] =
                (uint8_t)(edge[4 * a + b] + (view->from[to] >> from & 1));
            if (from && to < view->last)
                above[OPS * a + b] = (uint8_t)(above[OPS * a + b] +
                                               (view->above[to] >> from & 1));
        }
    }
}

/* ---- paths ---- */

struct path {
    unsigned count[OPS], length; /* inner nodes */
    unsigned index, power;       /* of 3 */
    unsigned first, last;        /* operations */
};

struct paths {
    uint8_t *by_length, *by_count, *first, *last, *index;
    uint8_t *low, *high, *deep; /* of operations on a path */
    uint8_t *bare;              /* without a convolution */
};

static void
path_end(struct paths *paths, const struct path *path, unsigned longest)
{
    paths->by_length[path->length]++;
    paths->index[path->index]++;
    if (path->length) {
        paths->first[path->first]++;
        paths->last[path->last]++;
    }
    *paths->bare = (uint8_t)(*paths->bare +
                             (path->length && path->count[2] == path->length));
    for (unsigned op = 0; op < OPS; op++) {
        unsigned n = path->count[op];

        paths->by_count[DEPTHS * op + n]++;
        paths->low[op] = (uint8_t)less(paths->low[op], n);
        paths->high[op] = (uint8_t)more(paths->high[op], n);
        if (path->length == longest)
            paths->deep[op] = (uint8_t)more(paths->deep[op], n);
    }
}

/* At most 5 deep: every node is behind those before it. */
static void
walk(struct paths *paths, const struct view *view, struct path path,
     unsigned node)
{
    if (node == view->last) {
        path_end(paths, &path, view->depth[1][node] - 1u);
        return;
    }
    if (node) {
        unsigned op = view->cell->op[node];

        if (!path.length)
            path.first = op;
        path.last = op;
        path.length++;
        path.count[op]++;
        path.index += path.power * (op + 1);
        path.power *= 3;
    }
    for (unsigned i = node + 1; i <= view->last; i++) {
        if (view->to[node] >> i & 1)
            walk(paths, view, path, i);
    }
}

static void
put_paths(struct sink *sink, const struct view *view)
{
    struct paths paths = {
        .by_length = group(sink, DEPTHS),
        .by_count = group(sink, OPS * DEPTHS),
        .first = group(sink, OPS),
        .last = group(sink, OPS),
        .low = group(sink, OPS),
        .high = group(sink, OPS),
        .deep = group(sink, OPS),
        .bare = group(sink, 1),
        .index = sink->end - SEPX__NB101_PATHS,
    };

    memset(paths.low, 255, OPS);
    walk(&paths, view, (struct path){.power = 1}, 0);
}

void
sepx__nb101_features(uint8_t feature[SEPX__NB101_FEATURES],
                     const struct sepx_nb101_cell *cell)
{
    struct sink sink = {feature, feature + SEPX__NB101_FEATURES};
    struct view view;

    memset(feature, 0, SEPX__NB101_FEATURES);
    view_init(&view, cell);
    for (unsigned i = 0; i <= view.last; i++)
        measure_in(&view, i);
    for (unsigned i = view.last + 1; i-- > 0;)
        measure_out(&view, i);
    put_sizes(&sink, &view);
    put_nodes(&sink, &view);
    put_pairs(&sink, &view);
    put_paths(&sink, &view);
}
