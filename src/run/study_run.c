/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study at work. One thread asks, tells and writes the log; each worker is
 * a thread with a desk, on which it finds a graph and leaves a score. What
 * goes onto a desk is in the log first.
 */
#include "run/study.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define TURN_SECONDS 0.1 /* between two looks at the outside */

enum desk_state { DESK_FREE, DESK_LAID, DESK_GIVEN, DESK_DONE };

struct desk {
    struct crew *crew;
    pthread_t thread;
    bool started;
    pthread_cond_t call;
    struct sepx_eval_worker *worker;
    const char *slot;      /* NULL: none */
    enum desk_state state; /* under the lock; LAID: not handed over yet */
    struct sepx_graph graph;
    double fidelity;
    uint32_t trial;
    const char *op;
    struct sepx_score score;
    struct sepx_eval_words words;
    double began, seconds;
    enum sepx_err err;
};

struct crew {
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool closing; /* under the lock */
    atomic_bool stop;
    struct desk *desk;
    unsigned count;
    uint64_t seed;
};

struct run {
    struct sepx_study *study;
    const struct sepx_study_plan *plan;
    struct sepx_msg *msg;
    struct sepx__ledger ledger;
    struct crew crew;
    struct sepx_study_running *running; /* for the view */
    double began, before; /* now, and the study's seconds until then */
    bool writing;         /* a transaction is open */
    bool stopped;         /* on request, not by the budget */
};

/* ---- workers ---- */

static bool
should_stop(void *context)
{
    struct crew *crew = context;

    return atomic_load(&crew->stop);
}

static void
evaluate(struct desk *desk)
{
    struct sepx_eval_job job = {
        .graph = &desk->graph,
        .fidelity = desk->fidelity,
        .seed = desk->crew->seed,
        .trial = desk->trial,
        .slot = desk->slot,
        .words = &desk->words,
        .stop = should_stop,
        .context = desk->crew,
    };

    desk->err = sepx_eval_score(desk->worker, &desk->score, &job);
    desk->seconds = sepx_clock() - desk->began;
    if (desk->score.outcome == SEPX_SCORED && isnan(desk->score.value))
        desk->score.outcome = SEPX_UNFIT;
    if (desk->score.outcome != SEPX_SCORED)
        desk->score.value = desk->score.test = NAN;
}

static void *
work(void *argument)
{
    struct desk *desk = argument;
    struct crew *crew = desk->crew;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (desk->state != DESK_GIVEN && !crew->closing)
            pthread_cond_wait(&desk->call, &crew->lock);
        if (desk->state != DESK_GIVEN)
            break;
        pthread_mutex_unlock(&crew->lock);
        evaluate(desk);
        pthread_mutex_lock(&crew->lock);
        desk->state = DESK_DONE;
        pthread_cond_signal(&crew->done);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

static enum sepx_err
desk_start(struct desk *desk, struct crew *crew, const struct sepx_eval *eval)
{
    enum sepx_err err = sepx_eval_worker_new(&desk->worker, eval);

    desk->crew = crew;
    if (err)
        return err;
    pthread_cond_init(&desk->call, NULL);
    desk->started = pthread_create(&desk->thread, NULL, work, desk) == 0;
    if (desk->started)
        return SEPX_OK;
    pthread_cond_destroy(&desk->call);
    return SEPX_ENOMEM;
}

static enum sepx_err
crew_start(struct crew *crew, const struct sepx_study_plan *plan,
           const struct sepx_eval *eval)
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
        err = desk_start(&crew->desk[i], crew, eval);
    }
    return err;
}

/* Evaluations under way are given up. */
static void
crew_end(struct crew *crew)
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
        struct desk *desk = &crew->desk[i];

        if (desk->started) {
            pthread_join(desk->thread, NULL);
            pthread_cond_destroy(&desk->call);
        }
        sepx_eval_worker_free(desk->worker);
        sepx_eval_words_release(&desk->words);
        sepx_graph_release(&desk->graph);
    }
    sepx__free(crew->desk);
    pthread_cond_destroy(&crew->done);
    pthread_mutex_destroy(&crew->lock);
}

static bool
crew_has(const struct crew *crew, enum desk_state state)
{
    for (unsigned i = 0; i < crew->count; i++) {
        if (crew->desk[i].state == state)
            return true;
    }
    return false;
}

static bool
crew_busy(struct crew *crew)
{
    bool busy;

    pthread_mutex_lock(&crew->lock);
    busy = crew_has(crew, DESK_GIVEN) || crew_has(crew, DESK_DONE);
    pthread_mutex_unlock(&crew->lock);
    return busy;
}

/* Until someone is done, or it is time to look at the outside. */
static void
crew_wait(struct crew *crew)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(TURN_SECONDS * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&crew->lock);
    while (!crew_has(crew, DESK_DONE)) {
        if (pthread_cond_timedwait(&crew->done, &crew->lock, &until))
            break;
    }
    pthread_mutex_unlock(&crew->lock);
}

/* ---- the log ---- */

static double
elapsed(const struct run *run)
{
    return run->before + sepx_clock() - run->began;
}

static enum sepx_err
writing(struct run *run)
{
    enum sepx_err err = SEPX_OK;

    if (!run->writing)
        err = sepx_store_begin(run->study->store, run->msg);
    run->writing = !err;
    return err;
}

static enum sepx_err
commit(struct run *run)
{
    bool was = run->writing;

    run->writing = false;
    return was ? sepx_store_commit(run->study->store, run->msg) : SEPX_OK;
}

/* To the log, the ledger and whoever listens. */
static enum sepx_err
tell(struct run *run, struct sepx__pending *pending, struct sepx_told *told,
     const struct sepx_score *score)
{
    const struct sepx_study_plan *plan = run->plan;
    const struct sepx_ask *ask = &pending->ask;
    struct sepx_entry entry = {.is_asked = true, .is_told = true};
    struct timespec now;
    enum sepx_err err = writing(run);

    clock_gettime(CLOCK_REALTIME, &now);
    told->trial = ask->trial;
    told->outcome = sepx_outcome_name(score->outcome);
    told->value = score->value;
    told->test = score->test;
    told->cost = score->cost;
    told->cached = pending->same;
    told->finished = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    told->elapsed = elapsed(run);
    entry.told = *told;
    entry.asked = (struct sepx_asked){
        .trial = ask->trial,
        .op = run->ledger.op[ask->op].name,
        .parent = {ask->parent[0], ask->parent[1]},
        .fidelity = ask->fidelity,
        .same = pending->same,
    };
    if (!err)
        err = sepx_store_tell(run->study->store, told, run->msg);
    if (!err)
        err = sepx__ledger_tell(&run->ledger, pending, score);
    if (!err && plan->told)
        plan->told(plan->context, &entry);
    return err;
}

/* Trials whose isomorph has its result get it, too. */
static enum sepx_err
settle(struct run *run)
{
    struct sepx__ledger *ledger = &run->ledger;
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < ledger->window && !err; i++) {
        struct sepx__pending *pending = &ledger->pending[i];
        const struct sepx__known *first;
        struct sepx_told told = {0};
        struct sepx_score score;

        if (!pending->used || pending->told || pending->same < 0)
            continue;
        first = &ledger->known[pending->same];
        score =
            (struct sepx_score){first->value, first->test, 0, first->outcome};
        if (first->told)
            err = tell(run, pending, &told, &score);
    }
    return err;
}

/* ---- desks ---- */

static void
desk_set(struct desk *desk, enum desk_state state)
{
    pthread_mutex_lock(&desk->crew->lock);
    desk->state = state;
    pthread_mutex_unlock(&desk->crew->lock);
}

static enum sepx_err
desk_lay(struct run *run, struct desk *desk, struct sepx__pending *pending)
{
    const struct sepx_ask *ask = &pending->ask;

    pending->given = true;
    desk->trial = ask->trial;
    desk->fidelity = ask->fidelity;
    desk->op = run->ledger.op[ask->op].name;
    desk_set(desk, DESK_LAID);
    return sepx_graph_copy(&desk->graph, &ask->graph);
}

static enum sepx_err
desk_clear(struct run *run, struct desk *desk)
{
    struct sepx__pending *pending =
        sepx__ledger_find(&run->ledger, desk->trial);
    struct sepx_told told = {
        .answer = desk->words.answer,
        .errors = desk->words.errors,
        .slot = desk->slot,
        .seconds = desk->seconds,
    };
    enum sepx_err err = desk->err;

    desk_set(desk, DESK_FREE);
    pending->given = false;
    if (err)
        (void)sepx_fail(run->msg, err, "trial %u: cannot be evaluated: %s",
                        desk->trial, sepx_strerror(err));
    else if (desk->score.outcome != SEPX_CANCELLED)
        err = tell(run, pending, &told, &desk->score);
    sepx_eval_words_release(&desk->words);
    return err;
}

/* Take what is done; `lock` is not held while it is written. */
static enum sepx_err
collect(struct run *run)
{
    struct crew *crew = &run->crew;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < crew->count && !err; i++) {
        bool done;

        pthread_mutex_lock(&crew->lock);
        done = crew->desk[i].state == DESK_DONE;
        pthread_mutex_unlock(&crew->lock);
        if (done)
            err = desk_clear(run, &crew->desk[i]);
    }
    return err ? err : settle(run);
}

static struct desk *
free_desk(struct crew *crew)
{
    struct desk *found = NULL;

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count && !found; i++) {
        if (crew->desk[i].state == DESK_FREE)
            found = &crew->desk[i];
    }
    pthread_mutex_unlock(&crew->lock);
    return found;
}

/* Asked before this start, and never told. */
static struct sepx__pending *
left_over(struct sepx__ledger *ledger)
{
    struct sepx__pending *first = NULL;

    for (uint32_t i = 0; i < ledger->window; i++) {
        struct sepx__pending *pending = &ledger->pending[i];

        if (pending->used && !pending->told && !pending->given &&
            pending->same < 0 &&
            (!first || pending->ask.trial < first->ask.trial))
            first = pending;
    }
    return first;
}

/* One more proposal, into the log; *pending is NULL if it needs no desk. */
static enum sepx_err
propose(struct run *run, struct sepx__pending **pending)
{
    struct sepx_asked asked;
    enum sepx_err err = sepx__ledger_ask(&run->ledger, pending, &asked);

    if (!err)
        err = writing(run);
    if (!err)
        err = sepx_store_ask(run->study->store, &asked, run->msg);
    if (err || (*pending)->same < 0)
        return err;
    *pending = NULL;
    return settle(run);
}

/* A graph onto every free desk, as far as the results allow. */
static enum sepx_err
lay_out(struct run *run)
{
    struct sepx__ledger *ledger = &run->ledger;
    struct desk *desk;
    enum sepx_err err = SEPX_OK;

    while (!err && (desk = free_desk(&run->crew)) != NULL) {
        struct sepx__pending *pending = left_over(ledger);

        if (!pending) {
            if (ledger->asked >= run->plan->evals ||
                !sepx__ledger_ready(ledger))
                break;
            err = propose(run, &pending);
        }
        if (!err && pending)
            err = desk_lay(run, desk, pending);
    }
    return err;
}

static void
hand_over(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count; i++) {
        struct desk *desk = &crew->desk[i];

        if (desk->state == DESK_LAID) {
            desk->state = DESK_GIVEN;
            desk->began = sepx_clock();
            pthread_cond_signal(&desk->call);
        }
    }
    pthread_mutex_unlock(&crew->lock);
}

/* ---- turns ---- */

/* False: the outside asks to stop. */
static bool
look(struct run *run)
{
    const struct sepx_study_plan *plan = run->plan;
    struct sepx_study_view view = {
        .asked = run->ledger.asked,
        .told = run->ledger.told,
        .evals = plan->evals,
        .elapsed = elapsed(run),
        .running = run->running,
    };

    if (!plan->watch)
        return true;
    pthread_mutex_lock(&run->crew.lock);
    for (unsigned i = 0; i < run->crew.count; i++) {
        const struct desk *desk = &run->crew.desk[i];

        if (desk->state == DESK_GIVEN)
            run->running[view.n_running++] = (struct sepx_study_running){
                desk->trial, desk->op, desk->slot, sepx_clock() - desk->began};
    }
    pthread_mutex_unlock(&run->crew.lock);
    return plan->watch(plan->context, &view);
}

static bool
out_of_time(const struct run *run)
{
    double seconds = run->plan->seconds;

    return seconds > 0 && elapsed(run) >= seconds;
}

static bool
finished(const struct run *run)
{
    return run->ledger.asked >= run->plan->evals &&
           run->ledger.told == run->ledger.asked;
}

/* Desks are handed over behind the commit: what runs is in the log. */
static enum sepx_err
turns(struct run *run)
{
    struct crew *crew = &run->crew;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        if (out_of_time(run))
            atomic_store(&crew->stop, true);
        err = collect(run);
        if (!err && !atomic_load(&crew->stop))
            err = lay_out(run);
        if (!err)
            err = commit(run);
        if (err || finished(run))
            break;
        hand_over(crew);
        if (!look(run)) {
            run->stopped = true;
            atomic_store(&crew->stop, true);
        }
        if (atomic_load(&crew->stop) && !crew_busy(crew))
            break;
        crew_wait(crew);
    }
    return err;
}

static enum sepx_err
run_with(struct run *run, const struct sepx_eval *eval)
{
    enum sepx_err err = crew_start(&run->crew, run->plan, eval);

    if (!err)
        err = settle(run);
    if (!err)
        err = turns(run);
    crew_end(&run->crew);
    if (!err && run->stopped && !finished(run))
        err = SEPX_ESTOPPED;
    return err;
}

enum sepx_err
sepx_study_run(struct sepx_study *study, const struct sepx_study_plan *plan,
               struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    struct run run = {.study = study, .plan = plan, .msg = msg};
    struct sepx_eval *opened = NULL;
    enum sepx_err err = SEPX_OK;

    if (plan->workers < 1 || plan->workers > set->window)
        return sepx_fail(msg, SEPX_EINVAL,
                         "%u workers do not fit a window of %u: at most so "
                         "many trials are under way",
                         plan->workers, set->window);
    run.running = sepx__calloc(plan->workers, sizeof *run.running);
    if (!run.running)
        return SEPX_ENOMEM;
    run.crew.seed = set->seed;
    run.began = sepx_clock();
    err = sepx__study_replay(study, &run.ledger, &run.before, msg);
    if (!err && !plan->eval)
        err = sepx__study_eval(study, &opened, msg);
    if (!err)
        err = run_with(&run, plan->eval ? plan->eval : opened);
    sepx_eval_close(opened);
    sepx__ledger_release(&run.ledger);
    sepx__free(run.running);
    return err;
}
