/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graphs of the best means wait to be scored again, the best first, until
 * each has as many scores as the rules give it. Where the first repeats all
 * change nothing there is no noise, and no more of them are made.
 *
 * The graphs kept are bounded: beyond the first few dozen no graph has its
 * turn before a better one comes.
 */
#include "search/again.h"

#include <math.h>

#include "search/history.h"

#define EQUAL_MOST 5 /* repeats without effect before they end */

void
sepx__again_release(struct sepx__again *again)
{
    for (uint32_t i = 0; i < SEPX__AGAIN_ROWS; i++)
        sepx_graph_release(&again->row[i].graph);
    *again = (struct sepx__again){0};
}

bool
sepx__again_exact(const struct sepx__again *again)
{
    return !again->noisy && again->equal >= EQUAL_MOST;
}

/* ---- asking ---- */

static bool
is_open(const struct sepx__again_row *row, const struct sepx__search_env *env)
{
    return env->history->graph[row->number].asked < env->mutation->scores;
}

/* a before b: the lower mean, then the earlier. */
static bool
precedes(const struct sepx__again_row *a, const struct sepx__again_row *b,
         const struct sepx__search_env *env)
{
    double x = sepx__history_mean(env->history, a->number);
    double y = sepx__history_mean(env->history, b->number);

    return x < y || (x == y && a->trial < b->trial);
}

static const struct sepx__again_row *
pick(const struct sepx__again *again, const struct sepx__search_env *env)
{
    const struct sepx__again_row *best = NULL;

    for (uint32_t i = 0; i < again->count; i++) {
        const struct sepx__again_row *row = &again->row[i];

        if (is_open(row, env) && (!best || precedes(row, best, env)))
            best = row;
    }
    return best;
}

enum sepx_err
sepx__again_ask(struct sepx__again *again, const struct sepx__search_env *env,
                struct sepx_ask *next, uint32_t op, bool *found)
{
    const uint64_t share = env->mutation->repeat;
    const struct sepx__again_row *row;

    *found = false;
    if (!share || env->cached || sepx__again_exact(again))
        return SEPX_OK;
    again->turn++;
    if (again->turn * share / 100 == (again->turn - 1) * share / 100)
        return SEPX_OK;
    row = pick(again, env);
    if (!row)
        return SEPX_OK;
    *found = true;
    sepx__search_count(env, op);
    next->op = op;
    next->parent[0] = row->trial;
    return sepx_graph_copy(&next->graph, &row->graph);
}

/* ---- telling ---- */

static struct sepx__again_row *
find(struct sepx__again *again, uint32_t number)
{
    for (uint32_t i = 0; i < again->count; i++) {
        if (again->row[i].number == number)
            return &again->row[i];
    }
    return NULL;
}

/* A row for one more graph: a new one, one that is done, or the worst. */
static struct sepx__again_row *
spare(struct sepx__again *again, const struct sepx__search_env *env)
{
    struct sepx__again_row *worst = &again->row[0];

    if (again->count < SEPX__AGAIN_ROWS)
        return &again->row[again->count];
    for (uint32_t i = 0; i < again->count; i++) {
        struct sepx__again_row *row = &again->row[i];

        if (!is_open(row, env))
            return row;
        if (precedes(worst, row, env))
            worst = row;
    }
    return worst;
}

enum sepx_err
sepx__again_tell(struct sepx__again *again, const struct sepx__search_env *env,
                 const struct sepx_ask *asked, uint32_t op, double score)
{
    struct sepx__again_row made = {.number = env->history->of[asked->trial],
                                   .trial = asked->trial,
                                   .score = score};
    struct sepx__again_row *row = find(again, made.number);
    enum sepx_err err;

    if (!env->mutation->repeat || isnan(score))
        return SEPX_OK;
    if (row) {
        if (asked->op == op && score == row->score)
            again->equal++;
        else if (asked->op == op)
            again->noisy = true;
        return SEPX_OK;
    }
    row = spare(again, env);
    if (!is_open(&made, env) ||
        (row < again->row + again->count && is_open(row, env) &&
         !precedes(&made, row, env)))
        return SEPX_OK;
    err = sepx_graph_copy(&row->graph, &asked->graph);
    if (err)
        return err;
    made.graph = row->graph;
    *row = made;
    again->count += row == again->row + again->count;
    return SEPX_OK;
}
