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
    const struct sepx_goals *goals = desk->crew->goals;
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
        .steps_maximized = goals->names && goals->objective[0].maximize,
        .limit = desk->limit.at,
        .n_limits = desk->limit.count,
    };

    desk->steps.count = 0;
    desk->err = sepx_eval_score(desk->hand->worker, &desk->score, &job);
    desk->seconds = sepx_clock() - desk->began;
    sepx__numbers_finish(goals, &desk->score);
    if (desk->score.outcome == SEPX_SCORED && isnan(desk->score.value))
        desk->score.outcome = SEPX_UNFIT;
    if (desk->score.outcome != SEPX_SCORED)
        desk->score.value = desk->score.test = NAN;
}

/* What nobody wants any more does not begin. */
static void
work_on(struct sepx__desk *desk)
{
    if (!should_stop(desk)) {
        evaluate(desk);
        return;
    }
    desk->err = SEPX_OK;
    desk->steps.count = 0;
    desk->seconds = 0;
    desk->score = (struct sepx_score){
        .value = NAN, .test = NAN, .cost = NAN, .outcome = SEPX_CANCELLED};
}

/* The first trial that waits; NULL: none. */
static struct sepx__desk *
next_desk(const struct sepx__hand *hand)
{
    struct sepx__desk *next = NULL;

    for (unsigned i = 0; i < hand->crew->depth; i++) {
        struct sepx__desk *desk = &hand->desk[i];

        if (desk->state == SEPX__DESK_GIVEN &&
            (!next || desk->trial < next->trial))
            next = desk;
    }
    return next;
}

/* Desks that are not done, and not free. */
static unsigned
to_go(const struct sepx__hand *hand)
{
    unsigned count = 0;

    for (unsigned i = 0; i < hand->crew->depth; i++)
        count += hand->desk[i].state != SEPX__DESK_FREE &&
                 hand->desk[i].state != SEPX__DESK_DONE;
    return count;
}

static void *
work(void *argument)
{
    struct sepx__hand *hand = argument;
    struct sepx__crew *crew = hand->crew;
    struct sepx__desk *desk;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (!(desk = next_desk(hand)) && !crew->closing)
            pthread_cond_wait(&hand->call, &crew->lock);
        if (!desk)
            break;
        desk->state = SEPX__DESK_BUSY;
        desk->began = sepx_clock();
        pthread_mutex_unlock(&crew->lock);
        work_on(desk);
        pthread_mutex_lock(&crew->lock);
        desk->state = SEPX__DESK_DONE;
        if (to_go(hand) < crew->low)
            pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static enum sepx_err
hand_start(struct sepx__hand *hand, const struct sepx_eval *eval,
           struct sepx_msg *msg)
{
    enum sepx_err err = sepx_eval_worker_new(&hand->worker, eval, msg);

    if (err)
        return err;
    pthread_cond_init(&hand->call, NULL);
    hand->started = pthread_create(&hand->thread, NULL, work, hand) == 0;
    if (hand->started)
        return SEPX_OK;
    pthread_cond_destroy(&hand->call);
    return sepx_fail(msg, SEPX_EIO,
                     "cannot start a thread for each of %u workers; raise the "
                     "limit of processes (ulimit -u) or use fewer workers",
                     hand->crew->hands);
}

static enum sepx_err
furnish(struct sepx__crew *crew, const struct sepx_study_plan *plan,
        unsigned depth)
{
    unsigned count = plan->workers * depth;

    crew->hand = sepx__calloc(plan->workers, sizeof *crew->hand);
    crew->desk = sepx__calloc(count, sizeof *crew->desk);
    if (!crew->hand || !crew->desk)
        return SEPX_ENOMEM;
    crew->hands = plan->workers;
    crew->depth = depth;
    crew->count = count;
    crew->low = 1;
    for (unsigned i = 0; i < crew->hands; i++) {
        struct sepx__hand *hand = &crew->hand[i];

        hand->crew = crew;
        hand->desk = &crew->desk[i * depth];
        for (unsigned j = 0; j < depth; j++) {
            hand->desk[j].crew = crew;
            hand->desk[j].hand = hand;
            hand->desk[j].slot = plan->slot ? plan->slot[i] : NULL;
        }
    }
    return SEPX_OK;
}

enum sepx_err
sepx__crew_start(struct sepx__crew *crew, const struct sepx_study_plan *plan,
                 unsigned depth, const struct sepx_eval *eval,
                 struct sepx_msg *msg)
{
    pthread_condattr_t clock;
    enum sepx_err err;

    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->done, &clock);
    pthread_condattr_destroy(&clock);
    err = furnish(crew, plan, depth);
    for (unsigned i = 0; i < crew->hands && !err; i++)
        err = hand_start(&crew->hand[i], eval, msg);
    return err;
}

void
sepx__crew_end(struct sepx__crew *crew)
{
    atomic_store(&crew->stop, true);
    pthread_mutex_lock(&crew->lock);
    crew->closing = true;
    for (unsigned i = 0; i < crew->hands; i++) {
        if (crew->hand[i].started)
            pthread_cond_signal(&crew->hand[i].call);
    }
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->hands; i++) {
        struct sepx__hand *hand = &crew->hand[i];

        if (hand->started) {
            pthread_join(hand->thread, NULL);
            pthread_cond_destroy(&hand->call);
        }
        sepx_eval_worker_free(hand->worker);
    }
    for (unsigned i = 0; i < crew->count; i++) {
        struct sepx__desk *desk = &crew->desk[i];

        sepx_eval_output_release(&desk->output);
        sepx_eval_steps_release(&desk->steps);
        sepx_eval_steps_release(&desk->limit);
        sepx_graph_release(&desk->graph);
    }
    sepx__free(crew->hand);
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
    busy = crew_has(crew, SEPX__DESK_GIVEN) ||
           crew_has(crew, SEPX__DESK_BUSY) || crew_has(crew, SEPX__DESK_DONE);
    pthread_mutex_unlock(&crew->lock);
    return busy;
}

unsigned
sepx__crew_busy_hands(struct sepx__crew *crew)
{
    unsigned count = 0;

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->hands; i++)
        count += to_go(&crew->hand[i]) > 0;
    pthread_mutex_unlock(&crew->lock);
    return count;
}

/* Whether someone is done who has little left. */
static bool
is_called(const struct sepx__crew *crew)
{
    for (unsigned i = 0; i < crew->hands; i++) {
        const struct sepx__hand *hand = &crew->hand[i];

        for (unsigned j = 0; j < crew->depth; j++) {
            if (hand->desk[j].state == SEPX__DESK_DONE &&
                to_go(hand) < crew->low)
                return true;
        }
    }
    return false;
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
    while (!is_called(crew)) {
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

static struct sepx__desk *
free_of(const struct sepx__hand *hand)
{
    for (unsigned i = 0; i < hand->crew->depth; i++) {
        if (hand->desk[i].state == SEPX__DESK_FREE)
            return &hand->desk[i];
    }
    return NULL;
}

struct sepx__desk *
sepx__crew_free_desk(struct sepx__crew *crew, unsigned most)
{
    struct sepx__desk *found = NULL;

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->hands && most; i++) {
        struct sepx__desk *desk = free_of(&crew->hand[i]);
        unsigned count = desk ? to_go(&crew->hand[i]) : most;

        if (count < most) {
            most = count;
            found = desk;
        }
    }
    pthread_mutex_unlock(&crew->lock);
    return found;
}

void
sepx__crew_set_low(struct sepx__crew *crew, unsigned low)
{
    pthread_mutex_lock(&crew->lock);
    crew->low = low;
    pthread_mutex_unlock(&crew->lock);
}

struct sepx__desk *
sepx__crew_take_back(struct sepx__crew *crew, double seconds)
{
    struct sepx__desk *found = NULL;
    double now = sepx_clock();

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count && !found; i++) {
        const struct sepx__desk *desk = &crew->desk[i];

        if (desk->state == SEPX__DESK_BUSY && now - desk->began >= seconds)
            found = next_desk(desk->hand);
    }
    if (found)
        found->state = SEPX__DESK_FREE;
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
            pthread_cond_signal(&desk->hand->call);
        }
    }
    pthread_mutex_unlock(&crew->lock);
}
