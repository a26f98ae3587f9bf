/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Local search (White, Nolen, Savani, UAI 2021): score the neighbours of the
 * current graph, move to the best of them if it is better, else start again
 * from a random graph.
 *
 * Several asks may be under way: while one walk waits for the scores of its
 * last neighbours, another begins, so that each is the walk that it would be
 * alone. A walk that waits has an ask under way, so there are never more
 * walks than asks. Before version 0.2 there was one walk, and random graphs
 * filled in, a better one being as welcome as a neighbour; studies of that
 * time are replayed so (wait=random).
 */
#include <math.h>
#include <string.h>

#include "search/history.h"
#include "search/internal.h"

enum step { STEP_BEST, STEP_FIRST };
static const char *const step_names[] = {"best", "first", NULL};

enum wait { WAIT_WALK, WAIT_RANDOM };
static const char *const wait_names[] = {"walk", "random", NULL};

struct local_settings {
    uint32_t step, wait;
};

/* clang-format off */
static const struct sepx_option local_options[] = {
    {"step", SEPX_OPTION_CHOICE, offsetof(struct local_settings, step),
     STEP_BEST, .choices = step_names,
     .help = "move to the best of all neighbours, or to the first that is "
             "better"},
    {"wait", SEPX_OPTION_CHOICE, offsetof(struct local_settings, wait),
     WAIT_WALK, .choices = wait_names,
     .help = "what is asked for while scores are under way: another walk, or "
             "random graphs for the same one"},
    {0},
};
/* clang-format on */

enum { BY_SAMPLE, BY_MOVE };

struct place {
    struct sepx_graph graph;
    double score; /* INFINITY: nowhere */
    uint32_t trial;
};

/* One local search from one random graph. */
struct walk {
    struct place here, best; /* best: the best graph told since the move */
    uint32_t *move;          /* of `here`, in random order */
    size_t room;
    uint32_t moves, tried;
    uint32_t waiting; /* its asks that are not told */
};

struct pending {
    uint32_t trial;
    struct walk *walk;
};

struct local {
    const struct sepx__search_env *env;
    const struct local_settings *set;
    struct walk **walk; /* the oldest first; each waits, or has moves */
    size_t n_walks, walk_room;
    struct pending *pending;
    size_t n_pending, pending_room;
};

/* ---- walks ---- */

static void
walk_free(struct walk *walk)
{
    sepx_graph_release(&walk->here.graph);
    sepx_graph_release(&walk->best.graph);
    sepx__free(walk->move);
    sepx__free(walk);
}

static enum sepx_err
walk_begin(struct local *local, struct walk **begun)
{
    void *walks = local->walk;
    struct walk *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err = sepx__grow(&walks, &local->walk_room,
                                   local->n_walks + 1, sizeof *local->walk);

    local->walk = walks;
    if (err || !made) {
        sepx__free(made);
        return SEPX_ENOMEM;
    }
    made->here.score = made->best.score = INFINITY;
    made->here.graph.names = sepx_space_names(local->env->space);
    made->best.graph.names = made->here.graph.names;
    local->walk[local->n_walks++] = made;
    *begun = made;
    return SEPX_OK;
}

static void
walk_end(struct local *local, size_t at)
{
    walk_free(local->walk[at]);
    local->n_walks--;
    memmove(local->walk + at, local->walk + at + 1,
            (local->n_walks - at) * sizeof *local->walk);
}

/* To the best graph that it has heard of. */
static enum sepx_err
walk_go(const struct local *local, struct walk *walk)
{
    struct sepx_rng rng;
    void *move = walk->move;
    uint32_t count;
    enum sepx_err err = sepx_graph_copy(&walk->here.graph, &walk->best.graph);

    walk->here.score = walk->best.score;
    walk->here.trial = walk->best.trial;
    walk->best.score = INFINITY;
    count = sepx_space_moves(local->env->space, &walk->here.graph);
    if (!err)
        err = sepx__grow(&move, &walk->room, count + 1, sizeof *walk->move);
    walk->move = move;
    if (err)
        return err;
    sepx__search_rng(local->env, &rng, walk->here.trial, SEPX__STREAM_MOVES);
    sepx_rng_sample(&rng, walk->move, count, count);
    walk->moves = count;
    walk->tried = 0;
    return SEPX_OK;
}

/* A graph and its score: it is where the walk may go next. */
static enum sepx_err
walk_hear(struct walk *walk, const struct sepx_graph *graph, uint32_t trial,
          double score)
{
    if (!(score < walk->here.score && score < walk->best.score))
        return SEPX_OK;
    walk->best.score = score;
    walk->best.trial = trial;
    return sepx_graph_copy(&walk->best.graph, graph);
}

/*
 * A neighbour that was proposed before needs no evaluation: its mean score
 * is known, unless it is under way.
 */
static enum sepx_err
recall(const struct local *local, struct walk *walk,
       const struct sepx_graph *graph, bool *known)
{
    struct sepx__history *history = sepx__search_memory(local->env);
    uint32_t number;
    enum sepx_err err;

    *known = false;
    if (!local->env->mutation->fresh)
        return SEPX_OK;
    err = sepx__history_find(history, &number, graph);
    *known = !err && number != SEPX__UNKNOWN;
    if (!*known)
        return err;
    return walk_hear(walk, graph, history->graph[number].trial,
                     sepx__history_mean(history, number));
}

/* Whether a walk has somewhere to go already. */
static bool
may_leave(const struct local *local, const struct walk *walk)
{
    return local->set->step == STEP_FIRST && walk->best.score < INFINITY;
}

/*
 * The next neighbour that the space allows and nobody knows; *found is false
 * past the last, or when the walk is to move.
 */
static enum sepx_err
neighbour(const struct local *local, struct walk *walk, struct sepx_ask *next,
          bool *found)
{
    struct sepx_cross_counts *counts = &local->env->op[BY_MOVE].counts;
    bool known = false;
    enum sepx_err err = SEPX_OK;

    while (walk->tried < walk->moves && !*found && !err &&
           !may_leave(local, walk)) {
        err = sepx_space_move(local->env->space, &next->graph, found,
                              &walk->here.graph, walk->move[walk->tried++]);
        counts->trials++;
        counts->invalid += !*found;
        if (!err && *found)
            err = recall(local, walk, &next->graph, &known);
        counts->duplicates += *found && known;
        *found = *found && !known;
    }
    counts->attempts += *found;
    counts->accepted += *found;
    next->op = BY_MOVE;
    next->parent[0] = walk->here.trial;
    return err;
}

/* ---- ask and tell ---- */

static enum sepx_err
pending_add(struct local *local, uint32_t trial, struct walk *walk)
{
    void *pending = local->pending;
    enum sepx_err err =
        sepx__grow(&pending, &local->pending_room, local->n_pending + 1,
                   sizeof *local->pending);

    local->pending = pending;
    if (err)
        return err;
    local->pending[local->n_pending++] = (struct pending){trial, walk};
    walk->waiting++;
    return SEPX_OK;
}

/*
 * A neighbour for the oldest walk that has one. A walk that heard of all its
 * neighbours moves, or ends where none is better.
 */
static enum sepx_err
ask_walks(struct local *local, struct sepx_ask *next, struct walk **asker)
{
    enum sepx_err err = SEPX_OK;
    bool found = false;

    for (size_t i = 0; i < local->n_walks && !err;) {
        struct walk *walk = local->walk[i];

        err = neighbour(local, walk, next, &found);
        if (found) {
            *asker = walk;
            break;
        }
        if (walk->waiting && !may_leave(local, walk))
            i++;
        else if (walk->best.score < INFINITY && !err)
            err = walk_go(local, walk);
        else if (!err)
            walk_end(local, i);
    }
    return err;
}

/* If all walks wait for results, another begins from a random graph. */
static enum sepx_err
local_ask(void *state, struct sepx_ask *next)
{
    struct local *local = state;
    struct walk *walk = NULL;
    enum sepx_err err = ask_walks(local, next, &walk);

    if (!err && !walk) {
        next->parent[0] = -1;
        if (local->n_walks && local->set->wait == WAIT_RANDOM)
            walk = local->walk[0];
        else
            err = walk_begin(local, &walk);
        if (!err)
            err = sepx__search_sample(local->env, next, BY_SAMPLE);
    }
    return err ? err : pending_add(local, next->trial, walk);
}

static enum sepx_err
local_tell(void *state, const struct sepx_ask *asked, double score)
{
    struct local *local = state;
    struct walk *walk;
    size_t i = 0;
    enum sepx_err err = SEPX_OK;

    while (i < local->n_pending && local->pending[i].trial != asked->trial)
        i++;
    if (i == local->n_pending)
        return SEPX_EINVAL;
    walk = local->pending[i].walk;
    local->pending[i] = local->pending[--local->n_pending];
    walk->waiting--;
    err = walk_hear(walk, &asked->graph, asked->trial, score);
    if (err || !(walk->best.score < INFINITY))
        return err;
    if (!(walk->here.score < INFINITY) || local->set->step == STEP_FIRST)
        return walk_go(local, walk);
    return SEPX_OK;
}

/* ---- life ---- */

static void
local_preset(void *settings, const char *preset)
{
    struct local_settings *set = settings;

    if (strcmp(preset, "default") != 0)
        set->wait = WAIT_RANDOM;
}

static void
local_release(void *state)
{
    struct local *local = state;

    for (size_t i = 0; i < local->n_walks; i++)
        walk_free(local->walk[i]);
    sepx__free(local->walk);
    sepx__free(local->pending);
}

static enum sepx_err
local_init(void *state, const struct sepx__search_env *env,
           struct sepx_msg *msg)
{
    struct local *local = state;

    (void)msg;
    local->env = env;
    local->set = env->settings;
    env->op[BY_SAMPLE].name = "random";
    env->op[BY_MOVE].name = "move";
    return SEPX_OK;
}

const struct sepx__search_ops sepx__search_local = {
    .info = {"local", "local search over single changes, with restarts",
             local_options},
    .settings_size = sizeof(struct local_settings),
    .preset = local_preset,
    .recalls = true,
    .state_size = sizeof(struct local),
    .init = local_init,
    .ask = local_ask,
    .tell = local_tell,
    .release = local_release,
};
