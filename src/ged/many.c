/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many distances on many threads. Each thread has a solver of its own;
 * prepared graphs are shared. Every pair has its place in the output, so
 * nothing depends on the threads.
 */
#include <pthread.h>

#include "ged/internal.h"

struct job {
    const struct sepx_ged_limits *limits;
    struct sepx_ged **ged; /* one a thread */
    unsigned threads;
    struct sepx_ged_graph **ready;
    size_t count;
    struct sepx_ged_bounds *out;
    bool (*progress)(void *context, size_t done, size_t total);
    void *context;
    pthread_mutex_t lock; /* of `done` and `progress` */
    size_t done, total;
};

static void
release(struct job *job)
{
    for (unsigned k = 0; job->ged && k < job->threads; k++)
        sepx_ged_free(job->ged[k]);
    for (size_t i = 0; job->ready && i < job->count; i++)
        sepx_ged_graph_free(job->ready[i]);
    sepx__free(job->ged);
    sepx__free(job->ready);
}

static SEPX_CHECKED enum sepx_err
start(struct job *job, const struct sepx_ged_options *options, size_t count)
{
    enum sepx_err err = SEPX_OK;

    if (!job->threads)
        job->threads = sepx_processors();
    job->count = count;
    job->ged = sepx__calloc(job->threads, sizeof *job->ged);
    job->ready = sepx__calloc(count + 1, sizeof *job->ready);
    if (!job->ged || !job->ready)
        return SEPX_ENOMEM;
    for (unsigned k = 0; k < job->threads && !err; k++)
        err = sepx_ged_new(&job->ged[k], options);
    return err;
}

static SEPX_CHECKED enum sepx_err
run_pair(struct job *job, unsigned worker, struct sepx_ged_bounds *out,
         size_t i, size_t j)
{
    const struct sepx_ged_graph *a = job->ready[i], *b = job->ready[j];

    return sepx_ged_batch(job->ged[worker], out, &a, &b, 1, job->limits);
}

/* ---- one to many ---- */

static enum sepx_err
run_one(void *context, unsigned worker, size_t index)
{
    struct job *job = context;

    return run_pair(job, worker, &job->out[index], job->count - 1, index);
}

enum sepx_err
sepx_ged_one_to_many(const struct sepx_ged_options *options,
                     struct sepx_ged_bounds *out, const struct sepx_graph *one,
                     const struct sepx_graph *many, size_t count,
                     const struct sepx_ged_limits *limits, unsigned threads)
{
    struct job job = {.limits = limits, .threads = threads, .out = out};
    enum sepx_err err = start(&job, options, count + 1);

    if (!err)
        err = sepx_ged_prepare(job.ged[0], &job.ready[count], one);
    for (size_t i = 0; i < count && !err; i++)
        err = sepx_ged_prepare(job.ged[0], &job.ready[i], &many[i]);
    if (!err)
        err = sepx_parallel(job.threads, count, run_one, &job);
    release(&job);
    return err;
}

/* ---- all pairs ---- */

static SEPX_CHECKED enum sepx_err
tell(struct job *job, size_t pairs)
{
    bool go_on = true;

    if (!job->progress)
        return SEPX_OK;
    pthread_mutex_lock(&job->lock);
    job->done += pairs;
    go_on = job->progress(job->context, job->done, job->total);
    pthread_mutex_unlock(&job->lock);
    return go_on ? SEPX_OK : SEPX_ESTOPPED;
}

/* Row i above the diagonal, and its mirror: the same at unit costs. */
static enum sepx_err
run_row(void *context, unsigned worker, size_t i)
{
    struct job *job = context;
    enum sepx_err err = SEPX_OK;

    job->out[i * job->count + i] = (struct sepx_ged_bounds){0};
    for (size_t j = i + 1; j < job->count && !err; j++) {
        struct sepx_ged_bounds *out = &job->out[i * job->count + j];

        err = run_pair(job, worker, out, i, j);
        if (err)
            break;
        if (job->ged[worker]->costs.unit)
            job->out[j * job->count + i] = *out;
        else
            err = run_pair(job, worker, &job->out[j * job->count + i], j, i);
    }
    return err ? err : tell(job, job->count - 1 - i);
}

enum sepx_err
sepx_ged_matrix(const struct sepx_ged_options *options,
                struct sepx_ged_bounds *out, const struct sepx_graph *graphs,
                size_t count, const struct sepx_ged_limits *limits,
                unsigned threads,
                bool (*progress)(void *context, size_t done, size_t total),
                void *context)
{
    struct job job = {.limits = limits,
                      .threads = threads,
                      .out = out,
                      .progress = progress,
                      .context = context,
                      .total = count * (count - (count > 0)) / 2};
    enum sepx_err err;

    if (pthread_mutex_init(&job.lock, NULL))
        return SEPX_ENOMEM;
    err = start(&job, options, count);
    for (size_t i = 0; i < count && !err; i++)
        err = sepx_ged_prepare(job.ged[0], &job.ready[i], &graphs[i]);
    if (!err)
        err = sepx_parallel(job.threads, count, run_row, &job);
    release(&job);
    pthread_mutex_destroy(&job.lock);
    return err;
}
