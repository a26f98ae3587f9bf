/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that is not part of the project: below the folder that SEPX_SHARED
 * names, or "shared" beside the present one. And distances that are limited
 * by processor time, since the machine may have other things to do.
 */
#include "bench_shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

FILE *
bench_shared_open(const char *name)
{
    const char *folder = getenv("SEPX_SHARED");
    char path[4096];

    if (!folder || !*folder)
        folder = "../shared";
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "r");
}

double
bench_processor(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now))
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool
is_over(void *context, double lower, double upper)
{
    const double *end = context;

    (void)lower;
    (void)upper;
    return !interrupt_seen() && bench_processor() < *end;
}

enum sepx_err
bench_limited(struct sepx_ged *ged, struct sepx_ged_result *result,
              const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
              double seconds, double *spent)
{
    const double start = bench_processor();
    double end = start + seconds;
    const struct sepx_ged_limits limits = {.watch = is_over, .context = &end};
    enum sepx_err err = sepx_ged_run(ged, result, a, b, &limits);

    *spent = bench_processor() - start;
    if (!err && interrupt_seen())
        err = SEPX_ESTOPPED;
    return err;
}

/* The next line as JSON; *root is NULL at the end. */
static enum sepx_err
next_json(FILE *file, struct sepx_json **root)
{
    char *line = NULL;
    size_t room = 0;
    const ssize_t len = getline(&line, &room, file);
    enum sepx_err err = SEPX_OK;

    *root = NULL;
    if (len > 0)
        err = sepx_json_parse(root, line, (size_t)len, NULL);
    free(line);
    return err;
}

enum sepx_err
bench_shared_pair(FILE *file, struct bench_shared_pair *pair, bool *more)
{
    struct sepx_json *root;
    enum sepx_err err = next_json(file, &root);

    bench_shared_release(pair);
    *more = root != NULL;
    if (err || !root)
        return err;
    pair->names = sepx_names_new();
    if (!pair->names)
        err = SEPX_ENOMEM;
    if (!err)
        err = sepx_graph_from_json(&pair->a, pair->names,
                                   sepx_json_get(root, "a"), NULL);
    if (!err)
        err = sepx_graph_from_json(&pair->b, pair->names,
                                   sepx_json_get(root, "b"), NULL);
    pair->ged = sepx_json_number(sepx_json_get(root, "ged"), -1);
    sepx_json_free(root);
    return err;
}

void
bench_shared_release(struct bench_shared_pair *pair)
{
    sepx_graph_release(&pair->a);
    sepx_graph_release(&pair->b);
    sepx_names_free(pair->names);
    *pair = (struct bench_shared_pair){0};
}
