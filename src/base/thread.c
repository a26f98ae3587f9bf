/* SPDX-License-Identifier: Apache-2.0 */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

unsigned
sepx_processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        online = CPU_COUNT(&set);
#endif
    return online < 1 ? 1 : (unsigned)online;
}

/*
 * Indices are handed out in order and each that was handed out is finished.
 * So every index below a failed one has run, and the failure of the smallest
 * index is the same for any number of threads.
 */
struct pool {
    enum sepx_err (*job)(void *context, unsigned worker, size_t index);
    void *context;
    size_t count;
    atomic_size_t next;
    atomic_bool stop;
    pthread_mutex_t lock; /* of the two below */
    size_t failed;        /* an index, if err */
    enum sepx_err err;
};

struct worker {
    struct pool *pool;
    unsigned number;
    pthread_t thread;
};

static void
note_failure(struct pool *pool, size_t index, enum sepx_err err)
{
    atomic_store(&pool->stop, true);
    pthread_mutex_lock(&pool->lock);
    if (!pool->err || index < pool->failed) {
        pool->failed = index;
        pool->err = err;
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *
work(void *argument)
{
    struct worker *self = argument;
    struct pool *pool = self->pool;

    while (!atomic_load(&pool->stop)) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        enum sepx_err err;

        if (index >= pool->count)
            break;
        err = pool->job(pool->context, self->number, index);
        if (err)
            note_failure(pool, index, err);
    }
    return NULL;
}

/* The caller is worker 0; threads that cannot start are done without. */
static void
run_workers(struct worker *worker, unsigned threads, struct pool *pool)
{
    unsigned started = 1;

    for (unsigned i = 0; i < threads; i++)
        worker[i] = (struct worker){.pool = pool, .number = i};
    while (started < threads && pthread_create(&worker[started].thread, NULL,
                                               work, &worker[started]) == 0)
        started++;
    (void)work(&worker[0]);
    for (unsigned i = 1; i < started; i++)
        (void)pthread_join(worker[i].thread, NULL);
}

static enum sepx_err
run_inline(size_t count,
           enum sepx_err (*job)(void *context, unsigned worker, size_t index),
           void *context)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < count && !err; i++)
        err = job(context, 0, i);
    return err;
}

enum sepx_err
sepx_parallel(unsigned threads, size_t count,
              enum sepx_err (*job)(void *context, unsigned worker,
                                   size_t index),
              void *context)
{
    struct pool pool = {.job = job, .context = context, .count = count};
    struct worker *worker;

    if (!threads)
        threads = sepx_processors();
    if (threads > count)
        threads = (unsigned)count;
    if (threads <= 1)
        return run_inline(count, job, context);
    worker = sepx__calloc(threads, sizeof(*worker));
    if (!worker)
        return SEPX_ENOMEM;
    pthread_mutex_init(&pool.lock, NULL);
    run_workers(worker, threads, &pool);
    pthread_mutex_destroy(&pool.lock);
    sepx__free(worker);
    return pool.err;
}
