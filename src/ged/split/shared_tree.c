/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One tree for several threads, with the answer of one. The first thread
 * walks the tree as if it were alone. Others take branches that are to come,
 * the one nearest the root first: a copy of the node is searched as a job,
 * whose own branches may be taken in turn. Whoever comes to a branch that was
 * taken waits for the job, doing others meanwhile.
 *
 * What a search below a node finds is a function of the node, its path and
 * the cost of the best map (docs/algorithms.md). So if that cost is still
 * what it was when the branch was taken, the job's answer is the one that the
 * owner would have come to; otherwise it is dropped and the owner searches
 * the branch itself.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "ged/split/split.h"

#define NESTED 24 /* jobs that a thread may have begun */
#define THREADS_MOST 64
#define NAP 2000000 /* nanoseconds between looks at the limits */

/* A branch that another thread searches. */
struct shared_job {
    struct ged_split *split;
    struct ged_task task;
    struct ged_watch watch;
    int64_t entry; /* cost of the best map, when it began */
    bool done;
    bool failed; /* no answer */
    bool orphan; /* nobody waits for it */
    atomic_bool cancelled;
    struct shared_job *next; /* in the list it is in */
};

struct shared_tree {
    pthread_mutex_t lock; /* of all below, and of levels that are branched */
    pthread_cond_t changed;
    struct ged_split *main;
    struct shared_job *running, *spare;
    atomic_bool stop;
    unsigned waiting; /* threads */
    unsigned n_threads;
    pthread_t thread[THREADS_MOST];
};

/* ---- jobs ---- */

static void
job_free(struct shared_job *job)
{
    if (!job)
        return;
    sepx__split_free(job->split);
    sepx__free(job->task.map);
    sepx__free(job);
}

static struct shared_job *
job_new(struct shared_tree *t)
{
    const struct ged_task *task = t->main->task;
    struct shared_job *job = sepx__calloc(1, sizeof *job);

    if (!job)
        return NULL;
    sepx__ged_watch_init(&job->watch, NULL);
    job->task = (struct ged_task){.a = task->a,
                                  .b = task->b,
                                  .costs = task->costs,
                                  .watch = &job->watch,
                                  .step = task->step,
                                  .cap = task->cap};
    job->task.map = sepx__calloc(task->a->n + 1u, sizeof *job->task.map);
    if (!job->task.map || sepx__split_clone(&job->split, t->main, &job->task)) {
        job_free(job);
        return NULL;
    }
    job->split->shared = t;
    job->split->job = job;
    return job;
}

static void
take_from(struct shared_job **list, struct shared_job *job)
{
    while (*list != job)
        list = &(*list)->next;
    *list = job->next;
}

static void
retire(struct shared_tree *t, struct shared_job *job)
{
    job->next = t->spare;
    t->spare = job;
}

/* The claimable level of a search nearest its root, or NULL. */
static struct split_level *
claimable(const struct ged_split *s)
{
    for (uint32_t d = 0; d < s->depth; d++)
        if (s->level[d].branched && !s->level[d].job)
            return &s->level[d];
    return NULL;
}

/* Locked: the branch nearest the root that nobody works on. */
static struct split_level *
find_branch(struct shared_tree *t, struct ged_split **owner)
{
    struct split_level *best = claimable(t->main);

    *owner = t->main;
    for (struct shared_job *job = t->running; job; job = job->next) {
        struct split_level *level;

        if (atomic_load(&job->cancelled))
            continue;
        level = claimable(job->split);
        if (level && (!best || level->deep < best->deep)) {
            best = level;
            *owner = job->split;
        }
    }
    return best;
}

/* Locked: a job for some branch, NULL if there is none or no memory. */
static struct shared_job *
claim(struct shared_tree *t)
{
    struct ged_split *owner;
    struct split_level *level = find_branch(t, &owner), *mine;
    struct shared_job *job;

    if (!level)
        return NULL;
    if (!t->spare) {
        job = job_new(t);
        if (job)
            retire(t, job);
    }
    job = t->spare;
    if (!job || sepx__tree_want_level(job->split, 0))
        return NULL;
    t->spare = job->next;
    mine = &job->split->level[0];
    sepx__state_copy(&mine->state, &level->state);
    mine->i = level->i;
    mine->k = level->k;
    mine->path = level->path;
    mine->deep = level->deep;
    mine->branched = false;
    mine->job = NULL;
    job->entry = job->task.upper = owner->task->upper;
    job->task.lower = t->main->task->lower;
    job->task.nodes = job->split->iterations = job->split->tabu_steps = 0;
    job->split->target = owner->target;
    job->split->over = job->done = job->failed = job->orphan = false;
    atomic_store(&job->cancelled, false);
    job->split->depth = 1;
    job->next = t->running;
    t->running = job;
    level->job = job;
    return job;
}

/* Search the branch of a claimed job; `host` is the first thread's search. */
static void
run_job(struct shared_tree *t, struct shared_job *job, struct ged_split *host,
        unsigned nested)
{
    struct ged_split *s = job->split;
    struct split_level *level = &s->level[0];
    enum sepx_err err;

    s->host = host;
    s->nested = nested;
    sepx__split_forget(s);
    sepx__split_set_need(s);
    sepx__tree_open(s, level);
    err = sepx__tree_run(s, UINT64_MAX);
    pthread_mutex_lock(&t->lock);
    s->depth = 0;
    job->failed = err || s->over;
    job->done = true;
    take_from(&t->running, job);
    if (job->orphan)
        retire(t, job);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

static void
wait_a_little(struct shared_tree *t)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NAP;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    t->waiting++;
    pthread_cond_timedwait(&t->changed, &t->lock, &until);
    t->waiting--;
}

static void *
work(void *context)
{
    struct shared_tree *t = context;

    pthread_mutex_lock(&t->lock);
    while (!atomic_load(&t->stop)) {
        struct shared_job *job = claim(t);

        if (!job) {
            t->waiting++;
            pthread_cond_wait(&t->changed, &t->lock);
            t->waiting--;
            continue;
        }
        pthread_mutex_unlock(&t->lock);
        run_job(t, job, NULL, 0);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- the owner's side ---- */

void
sepx__shared_lock(struct ged_split *s)
{
    if (s->shared)
        pthread_mutex_lock(&s->shared->lock);
}

void
sepx__shared_unlock(struct ged_split *s)
{
    if (!s->shared)
        return;
    if (s->shared->waiting)
        pthread_cond_broadcast(&s->shared->changed);
    pthread_mutex_unlock(&s->shared->lock);
}

bool
sepx__shared_is_over(struct ged_split *s)
{
    if (!s->job)
        return false;
    if (s->host) {
        sepx__split_check(s->host);
        if (s->host->over)
            return true;
    }
    return atomic_load_explicit(&s->shared->stop, memory_order_relaxed) ||
           atomic_load_explicit(&s->job->cancelled, memory_order_relaxed);
}

/* Locked: nobody waits for the job of this level any more. */
static void
disown(struct shared_tree *t, struct split_level *level)
{
    struct shared_job *job = level->job;

    level->job = NULL;
    if (!job)
        return;
    atomic_store(&job->cancelled, true);
    job->orphan = true;
    if (job->done)
        retire(t, job);
}

void
sepx__shared_improved(struct ged_split *s)
{
    for (uint32_t d = 0; s->shared && d < s->depth; d++)
        if (s->level[d].job && s->level[d].job->entry != s->task->upper)
            disown(s->shared, &s->level[d]);
}

void
sepx__shared_abandon(struct ged_split *s)
{
    sepx__shared_lock(s);
    for (uint32_t d = 0; s->shared && d < s->depth; d++)
        disown(s->shared, &s->level[d]);
    sepx__shared_unlock(s);
}

/* Locked: what a job found is found here. */
static void
accept(struct ged_split *s, struct split_level *level)
{
    struct shared_job *job = level->job;

    s->iterations += job->split->iterations;
    s->tabu_steps += job->split->tabu_steps;
    s->task->nodes += job->task.nodes;
    level->job = NULL;
    if (job->task.upper < s->task->upper) {
        s->task->upper = job->task.upper;
        memcpy(s->task->map, job->task.map,
               s->task->a->n * sizeof *s->task->map);
        memcpy(s->best, job->split->best, s->p.n * sizeof *s->best);
        s->has_best = true;
        sepx__split_set_need(s);
        sepx__shared_improved(s);
    }
    retire(s->shared, job);
}

bool
sepx__shared_collect(struct ged_split *s)
{
    struct shared_tree *t = s->shared;
    struct split_level *top = &s->level[s->depth - 1];
    bool accepted = false;

    if (!t) {
        top->branched = false;
        return false;
    }
    pthread_mutex_lock(&t->lock);
    for (;;) {
        struct shared_job *job = top->job, *other;

        if (!job || job->done || s->over)
            break;
        other = s->nested < NESTED ? claim(t) : NULL;
        if (!other)
            wait_a_little(t);
        pthread_mutex_unlock(&t->lock);
        if (other)
            run_job(t, other, s->job ? s->host : s, s->nested + 1);
        sepx__split_check(s);
        pthread_mutex_lock(&t->lock);
    }
    if (top->job && top->job->done && !top->job->failed &&
        top->job->entry == s->task->upper) {
        accept(s, top);
        accepted = true;
    }
    disown(t, top);
    top->branched = false;
    pthread_mutex_unlock(&t->lock);
    return accepted;
}

/* ---- threads ---- */

void
sepx__shared_start(struct ged_split *s, unsigned threads)
{
    struct shared_tree *t = sepx__calloc(1, sizeof *t);

    if (!t)
        return; /* one thread will do */
    if (threads > THREADS_MOST)
        threads = THREADS_MOST;
    t->main = s;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    s->shared = t;
    while (t->n_threads + 1 < threads &&
           !pthread_create(&t->thread[t->n_threads], NULL, work, t))
        t->n_threads++;
}

void
sepx__shared_end(struct ged_split *s)
{
    struct shared_tree *t = s->shared;

    if (!t || t->main != s)
        return;
    sepx__shared_abandon(s);
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->stop, true);
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    for (unsigned x = 0; x < t->n_threads; x++)
        pthread_join(t->thread[x], NULL);
    while (t->spare) {
        struct shared_job *job = t->spare;

        t->spare = job->next;
        job_free(job);
    }
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    sepx__free(t);
    s->shared = NULL;
}
