/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random forest (L. Breiman, 2001) for regression on categorical variables,
 * with the uncertainty of F. Hutter, H. Hoos and K. Leyton-Brown (LION 2011):
 * how far the trees disagree.
 *
 * For squared error the best split of a variable's values in two is one of
 * those that cut them in the order of their means (Breiman et al. 1984), so
 * no others are tried, also where leaves must have some rows.
 */
#include "search/models/forest.h"

#include <math.h>
#include <string.h>

#define PURE 1e-8 /* a range of scores that is not worth a split */

/* A node to be: rows forest->row[from .. from + count). */
struct patch {
    uint32_t node, from, count, depth;
};

struct cell {
    double sum;
    double count;
};

struct split {
    double gain; /* sum^2/count of both sides; more is better */
    uint16_t variable, goes_left;
};

struct grower {
    struct sepx__forest *forest;
    const struct sepx__rows *rows;
    uint32_t features;    /* looked at for each split */
    struct sepx_rng *rng; /* NULL: no chance */
};

/* ---- splits ---- */

/* Cut the values of one variable where it pays best. */
static void
try_variable(const struct cell *cell, uint32_t choices, uint32_t variable,
             const struct cell *all, double least, struct split *best)
{
    uint32_t order[SEPX__FOREST_CHOICES], n = 0;
    struct cell left = {0, 0};
    uint16_t mask = 0;

    for (uint32_t k = 0; k < choices; k++) {
        uint32_t at = n;

        if (cell[k].count == 0)
            continue;
        for (; at && cell[order[at - 1]].sum * cell[k].count >
                         cell[k].sum * cell[order[at - 1]].count;
             at--)
            order[at] = order[at - 1];
        order[at] = k;
        n++;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        double right, gain;

        left.sum += cell[order[i]].sum;
        left.count += cell[order[i]].count;
        right = all->count - left.count;
        mask = (uint16_t)(mask | 1u << order[i]);
        if (left.count < least || right < least)
            continue;
        gain = left.sum * left.sum / left.count +
               (all->sum - left.sum) * (all->sum - left.sum) / right;
        if (gain > best->gain)
            *best = (struct split){gain, (uint16_t)variable, mask};
    }
}

/* Sums of scores by value, for each of the picked variables. */
static void
fill_cells(const struct grower *g, const struct patch *patch,
           struct cell (*cell)[SEPX__FOREST_CHOICES])
{
    const struct sepx__rows *rows = g->rows;
    const uint32_t *row = g->forest->row + patch->from;

    memset(cell, 0, g->features * sizeof *cell);
    for (uint32_t i = 0; i < patch->count; i++) {
        const uint16_t *value =
            rows->value + (size_t)rows->which[row[i]] * rows->variables;
        double y = rows->y[row[i]];

        for (uint32_t k = 0; k < g->features; k++) {
            struct cell *at = &cell[k][value[g->forest->pick[k]]];

            at->sum += y;
            at->count++;
        }
    }
}

static struct split
find_split(const struct grower *g, const struct patch *patch,
           const struct cell *all, struct cell (*cell)[SEPX__FOREST_CHOICES])
{
    const struct sepx__forest_rules *rules = &g->forest->rules;
    struct split best = {all->sum * all->sum / all->count, 0, 0};

    if (g->rng)
        sepx_rng_sample(g->rng, g->forest->pick, g->features,
                        g->rows->variables);
    fill_cells(g, patch, cell);
    best.gain += 1e-12 * fabs(best.gain);
    for (uint32_t k = 0; k < g->features; k++) {
        uint32_t v = g->forest->pick[k];

        try_variable(cell[k], g->rows->choices[v], v, all, rules->least_leaf,
                     &best);
    }
    return best;
}

/* ---- growing ---- */

/* Rows that go left move to the front; returns how many. */
static uint32_t
divide(const struct grower *g, const struct patch *patch,
       const struct split *split)
{
    const struct sepx__rows *rows = g->rows;
    uint32_t *row = g->forest->row + patch->from, left = 0;

    for (uint32_t i = 0; i < patch->count; i++) {
        uint32_t here = row[i];
        uint16_t value =
            rows->value[(size_t)rows->which[here] * rows->variables +
                        split->variable];

        if (split->goes_left >> value & 1) {
            row[i] = row[left];
            row[left++] = here;
        }
    }
    return left;
}

/* *pure: nothing is to be gained here. */
static struct cell
sum_up(const struct grower *g, const struct patch *patch, bool *pure)
{
    const uint32_t *row = g->forest->row + patch->from;
    struct cell all = {0, patch->count};
    double low = INFINITY, high = -INFINITY;

    for (uint32_t i = 0; i < patch->count; i++) {
        double y = g->rows->y[row[i]];

        all.sum += y;
        low = fmin(low, y);
        high = fmax(high, y);
    }
    *pure = high - low < PURE;
    return all;
}

static enum sepx_err
add_nodes(struct sepx__forest *forest, uint32_t count, uint32_t *first)
{
    void *node = forest->node, *mean = forest->mean;
    size_t need = forest->n_nodes + count;
    enum sepx_err err =
        sepx__grow(&node, &forest->node_room, need, sizeof *forest->node);

    forest->node = node;
    if (!err)
        err = sepx__grow(&mean, &forest->mean_room, need, sizeof *forest->mean);
    forest->mean = mean;
    if (err)
        return err;
    *first = (uint32_t)forest->n_nodes;
    memset(forest->node + *first, 0, count * sizeof *forest->node);
    forest->n_nodes = need;
    return SEPX_OK;
}

/* Decide about one node; its two children, if any, into next[]. */
static enum sepx_err
grow_node(const struct grower *g, const struct patch *patch,
          struct patch next[2], bool *grown,
          struct cell (*cell)[SEPX__FOREST_CHOICES])
{
    struct sepx__forest *forest = g->forest;
    struct split split = {0};
    uint32_t children, left;
    bool pure;
    struct cell all = sum_up(g, patch, &pure);
    enum sepx_err err;

    *grown = false;
    forest->mean[patch->node] = all.sum / all.count;
    if (pure || patch->count < forest->rules.least_split ||
        patch->depth >= forest->rules.depth)
        return SEPX_OK;
    split = find_split(g, patch, &all, cell);
    if (!split.goes_left)
        return SEPX_OK;
    err = add_nodes(forest, 2, &children);
    if (err)
        return err;
    left = divide(g, patch, &split);
    forest->node[patch->node] =
        (struct sepx__forest_node){children, split.variable, split.goes_left};
    next[0] = (struct patch){children, patch->from, left, patch->depth + 1};
    next[1] = (struct patch){children + 1, patch->from + left,
                             patch->count - left, patch->depth + 1};
    *grown = true;
    return SEPX_OK;
}

/* On the rows forest->row[0 .. count). */
static enum sepx_err
grow_tree(const struct grower *g, uint32_t *root, uint32_t count)
{
    struct patch stack[128] = {{0}}; /* depth + 1 are in use at most */
    struct cell(*cell)[SEPX__FOREST_CHOICES] =
        sepx__calloc(g->features, sizeof *cell);
    unsigned top = 1;
    enum sepx_err err = cell ? add_nodes(g->forest, 1, root) : SEPX_ENOMEM;

    if (!err)
        stack[0] = (struct patch){*root, 0, count, 0};
    while (top && !err) {
        struct patch next[2], patch = stack[--top];
        bool grown;

        err = grow_node(g, &patch, next, &grown, cell);
        if (err || !grown)
            continue;
        stack[top++] = next[1];
        stack[top++] = next[0];
    }
    sepx__free(cell);
    return err;
}

static enum sepx_err
make_room(struct sepx__forest *forest, const struct sepx__rows *rows,
          const struct sepx__forest_rules *rules, uint32_t count)
{
    void *row = forest->row, *pick = forest->pick, *root = forest->root;
    enum sepx_err err =
        sepx__grow(&row, &forest->row_room, count, sizeof *forest->row);

    forest->row = row;
    if (!err)
        err = sepx__grow(&pick, &forest->pick_room, rows->variables,
                         sizeof *forest->pick);
    forest->pick = pick;
    if (!err)
        err = sepx__grow(&root, &forest->root_room, rules->trees,
                         sizeof *forest->root);
    forest->root = root;
    for (uint32_t v = 0; v < rows->variables && !err; v++) {
        forest->pick[v] = v;
        if (rows->choices[v] > SEPX__FOREST_CHOICES)
            err = SEPX_ELIMIT;
    }
    forest->rules = *rules;
    forest->variables = rows->variables;
    forest->n_nodes = 0;
    return rules->depth < 120 && rules->trees <= SEPX__FOREST_TREES
               ? err
               : SEPX_ELIMIT;
}

enum sepx_err
sepx__forest_grow(struct sepx__forest *forest, const struct sepx__rows *rows,
                  const struct sepx__forest_rules *rules, struct sepx_rng *rng)
{
    uint32_t count = rows->count < rules->rows ? rows->count : rules->rows;
    struct grower g = {forest, rows, 0, rng};
    enum sepx_err err = make_room(forest, rows, rules, count);

    g.features = (uint32_t)(rules->features * rows->variables);
    g.features = g.features ? g.features : 1;
    for (uint32_t t = 0; t < rules->trees && !err; t++) {
        for (uint32_t i = 0; i < count; i++)
            forest->row[i] = sepx_rng_below(rng, rows->count);
        err = grow_tree(&g, &forest->root[t], count);
        if (!err && sepx__stop_asked(&rules->stop))
            err = SEPX_ESTOPPED;
    }
    return err;
}

enum sepx_err
sepx__forest_grow_plain(struct sepx__forest *forest,
                        const struct sepx__rows *rows,
                        const struct sepx__forest_rules *rules)
{
    struct sepx__forest_rules one = *rules;
    struct grower g = {forest, rows, rows->variables, NULL};
    enum sepx_err err;

    one.trees = 1;
    err = make_room(forest, rows, &one, rows->count);
    for (uint32_t i = 0; i < rows->count && !err; i++)
        forest->row[i] = i;
    return err ? err : grow_tree(&g, &forest->root[0], rows->count);
}

void
sepx__forest_release(struct sepx__forest *forest)
{
    sepx__free(forest->root);
    sepx__free(forest->node);
    sepx__free(forest->mean);
    sepx__free(forest->row);
    sepx__free(forest->pick);
    *forest = (struct sepx__forest){0};
}

/* ---- predictions ---- */

static double
leaf_mean(const struct sepx__forest *forest, uint32_t at, const uint16_t *value)
{
    const struct sepx__forest_node *all = forest->node;

    while (all[at].left)
        at = all[at].left + !(all[at].goes_left >> value[all[at].variable] & 1);
    return forest->mean[at];
}

static void
moments(const struct sepx__forest *forest, double *mean, double *variance,
        const double *leaf)
{
    double sum = 0, squares = 0, trees = forest->rules.trees;

    for (uint32_t t = 0; t < forest->rules.trees; t++) {
        sum += leaf[t];
        squares += leaf[t] * leaf[t];
    }
    *mean = sum / trees;
    *variance = fmax(squares / trees - *mean * *mean, 0);
}

void
sepx__forest_predict(const struct sepx__forest *forest, double *mean,
                     double *variance, const uint16_t *value)
{
    double leaf[SEPX__FOREST_TREES];

    for (uint32_t t = 0; t < forest->rules.trees; t++)
        leaf[t] = leaf_mean(forest, forest->root[t], value);
    moments(forest, mean, variance, leaf);
}

void
sepx__forest_trace(const struct sepx__forest *forest, struct sepx__trace *trace,
                   const uint16_t *value)
{
    const struct sepx__forest_node *all = forest->node;
    uint32_t trees = forest->rules.trees;

    memset(trace->first, 0xff,
           (size_t)forest->variables * trees * sizeof *trace->first);
    for (uint32_t t = 0; t < trees; t++) {
        uint32_t at = forest->root[t];

        while (all[at].left) {
            uint32_t *first = &trace->first[all[at].variable * trees + t];

            *first = *first < at ? *first : at;
            at = all[at].left +
                 !(all[at].goes_left >> value[all[at].variable] & 1);
        }
        trace->mean[t] = forest->mean[at];
    }
}

bool
sepx__forest_predict_near(const struct sepx__forest *forest, double *mean,
                          double *variance, const uint16_t *value,
                          const struct sepx__trace *trace, uint32_t variable)
{
    const uint32_t *first = &trace->first[variable * forest->rules.trees];
    double leaf[SEPX__FOREST_TREES];
    bool changed = false;

    for (uint32_t t = 0; t < forest->rules.trees; t++) {
        leaf[t] = trace->mean[t];
        if (first[t] == SEPX__NEVER)
            continue;
        leaf[t] = leaf_mean(forest, first[t], value);
        changed = changed || leaf[t] != trace->mean[t];
    }
    if (changed)
        moments(forest, mean, variance, leaf);
    return changed;
}
