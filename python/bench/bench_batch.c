/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C side of bench.py: seconds a pair of sepx_ged_batch() on the graphs of
 * a file, each with the next, prepared before; the best of some repetitions.
 *
 *     batch FILE REPETITIONS LABEL...   (labels that are pinned)
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sepx.h"

struct work {
    struct sepx_names *names;
    struct sepx_graphs graphs;
    struct sepx_ged *ged;
    struct sepx_ged_graph **ready;
    struct sepx_ged_bounds *bounds;
};

static double
processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum sepx_err
prepare(struct work *work, const char *path, char **label, int count)
{
    uint16_t *pinned = calloc((size_t)count + 1, sizeof *pinned);
    struct sepx_ged_options options = {.pinned = pinned,
                                       .n_pinned = (size_t)count};
    struct sepx_msg msg = {0};
    enum sepx_err err;

    work->names = sepx_names_new();
    if (!work->names || !pinned)
        return SEPX_ENOMEM;
    err = sepx_graphs_read_file(&work->graphs, work->names, path, &msg);
    for (int i = 0; i < count && !err; i++)
        err = sepx_names_add(work->names, &pinned[i], label[i]);
    if (!err)
        err = sepx_ged_new(&work->ged, &options);
    free(pinned);
    work->ready = calloc(work->graphs.count + 1, sizeof *work->ready);
    work->bounds = calloc(work->graphs.count + 1, sizeof *work->bounds);
    if (!work->ready || !work->bounds)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < work->graphs.count && !err; i++)
        err = sepx_ged_prepare(work->ged, &work->ready[i], &work->graphs.at[i]);
    if (err)
        fprintf(stderr, "%s\n", msg.text);
    return err;
}

static enum sepx_err
measure(struct work *work, int repetitions, double *best)
{
    const struct sepx_ged_graph *const *ready =
        (const struct sepx_ged_graph *const *)work->ready;
    size_t pairs = work->graphs.count - 1;
    enum sepx_err err = SEPX_OK;

    *best = 1e9;
    for (int k = 0; k < repetitions && !err; k++) {
        double began = processor_seconds(), took;

        err = sepx_ged_batch(work->ged, work->bounds, ready, ready + 1, pairs,
                             NULL);
        took = (processor_seconds() - began) / (double)pairs;
        if (took < *best)
            *best = took;
    }
    return err;
}

int
main(int argc, char **argv)
{
    struct work work = {0};
    double best = 0, sum = 0;
    enum sepx_err err;

    if (argc < 3)
        return 2;
    err = prepare(&work, argv[1], argv + 3, argc - 3);
    if (!err && work.graphs.count > 1)
        err = measure(&work, atoi(argv[2]), &best);
    for (size_t i = 0; !err && i + 1 < work.graphs.count; i++)
        sum += work.bounds[i].upper;
    printf("%.9g %.0f\n", best, sum);
    for (size_t i = 0; work.ready && i < work.graphs.count; i++)
        sepx_ged_graph_free(work.ready[i]);
    free(work.ready);
    free(work.bounds);
    sepx_ged_free(work.ged);
    sepx_graphs_release(&work.graphs);
    sepx_names_free(work.names);
    return err ? 1 : 0;
}
