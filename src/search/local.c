/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search (White, Nolen, Savani, UAI 2021): score the neighbours of the
 * current graph, move to the best of them if it is better, else start again
 * from a random graph.
 */
#include <math.h>

#include "search/internal.h"

enum step { STEP_BEST, STEP_FIRST };
static const char *const step_names[] = {"best", "first", NULL};

struct local_settings {
    uint32_t step;
};

/* clang-format off */
static const struct sepx_option local_options[] = {
    {"step", SEPX_OPTION_CHOICE, offsetof(struct local_settings, step),
     STEP_BEST, .choices = step_names,
     .help = "move to the best of all neighbours, or to the first that is "
             "better"},
    {0},
};
/* clang-format on */

enum { BY_SAMPLE, BY_MOVE };

struct place {
    struct sepx_graph graph;
    double score; /* INFINITY: nowhere */
    uint32_t trial;
};

struct local {
    const struct sepx__search_env *env;
    const struct local_settings *set;
    struct place here, best; /* best: the best graph told since the move */
    uint32_t *move;          /* of `here`, in random order */
    size_t room;
    uint32_t moves, tried;
    uint32_t under_way; /* asked and not told */
};

/* ---- the neighbourhood ---- */

static enum sepx_err
go(struct local *local, struct place *from)
{
    struct sepx_rng rng;
    void *move = local->move;
    uint32_t count;
    enum sepx_err err = sepx_graph_copy(&local->here.graph, &from->graph);

    local->here.score = from->score;
    local->here.trial = from->trial;
    from->score = INFINITY;
    count = sepx_space_moves(local->env->space, &local->here.graph);
    if (!err)
        err = sepx__grow(&move, &local->room, count + 1, sizeof *local->move);
    if (err)
        return err;
    local->move = move;
    sepx__search_rng(local->env, &rng, local->here.trial, SEPX__STREAM_MOVES);
    sepx_rng_sample(&rng, local->move, count, count);
    local->moves = count;
    local->tried = 0;
    return SEPX_OK;
}

/* The next neighbour that the space allows; *found is false past the last. */
static enum sepx_err
neighbour(struct local *local, struct sepx_ask *next, bool *found)
{
    struct sepx_cross_counts *counts = &local->env->op[BY_MOVE].counts;
    enum sepx_err err = SEPX_OK;

    *found = false;
    while (local->tried < local->moves && !*found && !err) {
        err = sepx_space_move(local->env->space, &next->graph, found,
                              &local->here.graph, local->move[local->tried++]);
        counts->trials++;
        counts->invalid += !*found;
    }
    counts->attempts += *found;
    counts->accepted += *found;
    next->op = BY_MOVE;
    next->parent[0] = local->here.trial;
    return err;
}

/* ---- ask and tell ---- */

/*
 * Past the last neighbour with some still under way, or with no place to be,
 * random graphs fill in; a better one is as welcome as a neighbour.
 */
static enum sepx_err
local_ask(void *state, struct sepx_ask *next)
{
    struct local *local = state;
    bool found = false;
    enum sepx_err err = SEPX_OK;

    if (local->here.score < INFINITY)
        err = neighbour(local, next, &found);
    if (!err && !found && !local->under_way) {
        local->here.score = INFINITY;
        if (local->best.score < INFINITY)
            err = go(local, &local->best);
        if (!err && local->here.score < INFINITY)
            err = neighbour(local, next, &found);
    }
    if (!err && !found) {
        next->parent[0] = -1;
        err = sepx__search_sample(local->env, next, BY_SAMPLE);
    }
    local->under_way += !err;
    return err;
}

static enum sepx_err
local_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct local *local = state;
    bool nowhere = !(local->here.score < INFINITY);
    enum sepx_err err = SEPX_OK;

    local->under_way--;
    if (score < local->here.score && score < local->best.score) {
        local->best.score = score;
        local->best.trial = asked->trial;
        err = sepx_graph_copy(&local->best.graph, &asked->graph);
    }
    if (err || !(local->best.score < INFINITY))
        return err;
    if (nowhere || local->set->step == STEP_FIRST)
        return go(local, &local->best);
    return SEPX_OK;
}

/* ---- life ---- */

static void
local_release(void *state)
{
    struct local *local = state;

    sepx_graph_release(&local->here.graph);
    sepx_graph_release(&local->best.graph);
    sepx__free(local->move);
}

static enum sepx_err
local_init(void *state, const struct sepx__search_env *env,
           struct sepx_msg *msg)
{
    struct local *local = state;

    (void)msg;
    local->env = env;
    local->set = env->settings;
    local->here.score = local->best.score = INFINITY;
    local->here.graph.names = sepx_space_names(env->space);
    local->best.graph.names = local->here.graph.names;
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MOVE].name = "move";
    return SEPX_OK;
}

const struct sepx__search_ops sepx__search_local = {
    .info = {"local", "local search over single changes, with restarts",
             local_options},
    .settings_size = sizeof(struct local_settings),
    .state_size = sizeof(struct local),
    .init = local_init,
    .ask = local_ask,
    .tell = local_tell,
    .release = local_release,
};
