/* SPDX-License-Identifier: Apache-2.0 */
#include "run/crew.h"

#include "run/study_numbers.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define TURN_SECONDS 0.1 /* between two looks at the outside */

static bool
should_stop(void *context)
{
    struct sepx__desk *desk = context;

    return atomic_load(&desk->crew->stop) || atomic_load(&desk->drop);
}

static void
evaluate(struct sepx__desk *desk)
{
    struct sepx_eval_job job = {
        .graph = &desk->graph,
        .fidelity = desk->fidelity,
        .seed = desk->crew->seed,
        .trial = desk->trial,
        .slot = desk->slot,
        .output = &desk->output,
        .msg = &desk->msg,
        .stop = should_stop,
        .context = desk,
        .steps = &desk->steps,
        .limit = desk->limit.at,
        .n_limits = desk->limit.count,
    };

    desk->steps.count = 0;
    desk->err = sepx_eval_score(desk->worker, &desk->score, &job);
    desk->seconds = sepx_clock() - desk->began;
    sepx__numbers_finish(desk->crew->goals, &desk->score);
    if (desk->score.outcome == SEPX_SCORED && isnan(desk->score.value))
        desk->score.outcome = SEPX_UNFIT;
    if (desk->score.outcome != SEPX_SCORED)
        desk->score.value = desk->score.test = NAN;
}

static void *
work(void *argument)
{
    struct sepx__desk *desk = argument;
    struct sepx__crew *crew = desk->crew;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (desk->state != SEPX__DESK_GIVEN && !crew->closing)
            pthread_cond_wait(&desk->call, &crew->lock);
        if (desk->state != SEPX__DESK_GIVEN)
            break;
        pthread_mutex_unlock(&crew->lock);
        evaluate(desk);
        pthread_mutex_lock(&crew->lock);
        desk->state = SEPX__DESK_DONE;
        pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static enum sepx_err
desk_start(struct sepx__desk *desk, struct sepx__crew *crew,
           const struct sepx_eval *eval, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_eval_worker_new(&desk->worker, eval, msg);

    desk->crew = crew;
    if (err)
        return err;
    pthread_cond_init(&desk->call, NULL);
    desk->started = pthread_create(&desk->thread, NULL, work, desk) == 0;
    if (desk->started)
        return SEPX_OK;
    pthread_cond_destroy(&desk->call);
    return sepx_fail(msg, SEPX_EIO,
                     "cannot start a thread for each of %u workers; raise the "
                     "limit of processes (ulimit -u) or use fewer workers",
                     crew->count);
}

enum sepx_err
sepx__crew_start(struct sepx__crew *crew, const struct sepx_study_plan *plan,
                 const struct sepx_eval *eval, struct sepx_msg *msg)
{
    pthread_condattr_t clock;
    enum sepx_err err = SEPX_OK;

    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->done, &clock);
    pthread_condattr_destroy(&clock);
    crew->desk = sepx__calloc(plan->workers, sizeof *crew->desk);
    if (!crew->desk)
        return SEPX_ENOMEM;
    crew->count = plan->workers;
    for (unsigned i = 0; i < crew->count && !err; i++) {
        crew->desk[i].slot = plan->slot ? plan->slot[i] : NULL;
        err = desk_start(&crew->desk[i], crew, eval, msg);
    }
    return err;
}

void
sepx__crew_end(struct sepx__crew *crew)
{
    atomic_store(&crew->stop, true);
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    for (unsigned i = 0; i < crew->count; i++) {
        if (crew->desk[i].started)
            pthread_cond_signal(&crew->desk[i].call);
    }
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->count; i++) {
        struct sepx__desk *desk = &crew->desk[i];

        if (desk->started) {
            pthread_join(desk->thread, NULL);
            pthread_cond_destroy(&desk->call);
        }
        sepx_eval_worker_free(desk->worker);
        sepx_eval_output_release(&desk->output);
        sepx_eval_steps_release(&desk->steps);
        sepx_eval_steps_release(&desk->limit);
        sepx_graph_release(&desk->graph);
    }
    sepx__free(crew->desk);
    pthread_cond_destroy(&crew->done);
    pthread_mutex_destroy(&crew->lock);
}

static bool
crew_has(const struct sepx__crew *crew, enum sepx__desk_state state)
{
    for (unsigned i = 0; i < crew->count; i++) {
        if (crew->desk[i].state == state)
            return true;
    }
    return false;
}

bool
sepx__crew_busy(struct sepx__crew *crew)
{
    bool busy;

    pthread_mutex_lock(&crew->lock);
    busy = crew_has(crew, SEPX__DESK_GIVEN) || crew_has(crew, SEPX__DESK_DONE);
    pthread_mutex_unlock(&crew->lock);
    return busy;
}

void
sepx__crew_wait(struct sepx__crew *crew)
{
    sepx__crew_wait_for(crew, TURN_SECONDS);
}

void
sepx__crew_wait_for(struct sepx__crew *crew, double seconds)
{
    struct timespec until;

    if (!(seconds < TURN_SECONDS))
        seconds = TURN_SECONDS;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&crew->lock);
    while (!crew_has(crew, SEPX__DESK_DONE)) {
        if (pthread_cond_timedwait(&crew->done, &crew->lock, &until))
            break;
    }
    pthread_mutex_unlock(&crew->lock);
}

bool
sepx__desk_ended(const struct sepx__desk *desk, const struct sepx_stop *stop)
{
    if (desk->score.outcome == SEPX_CANCELLED)
        return true;
    return sepx__outcome_failed(desk->score.outcome) && stop->asked &&
           stop->asked(stop->context);
}

void
sepx__desk_set(struct sepx__desk *desk, enum sepx__desk_state state)
{
    pthread_mutex_lock(&desk->crew->lock);
    desk->state = state;
    pthread_mutex_unlock(&desk->crew->lock);
}

struct sepx__desk *
sepx__crew_free_desk(struct sepx__crew *crew)
{
    struct sepx__desk *found = NULL;

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count && !found; i++) {
        if (crew->desk[i].state == SEPX__DESK_FREE)
            found = &crew->desk[i];
    }
    pthread_mutex_unlock(&crew->lock);
    return found;
}

void
sepx__crew_hand_over(struct sepx__crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count; i++) {
        struct sepx__desk *desk = &crew->desk[i];

        if (desk->state == SEPX__DESK_LAID) {
            desk->state = SEPX__DESK_GIVEN;
            desk->began = sepx_clock();
            pthread_cond_signal(&desk->call);
        }
    }
    pthread_mutex_unlock(&crew->lock);
}
