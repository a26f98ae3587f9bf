/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study whose evaluator is a function: it is kept in a file, which
 * 'sepx study status', 'export' and 'verify' read, and continues where it
 * stopped if the program runs again.
 *
 *     cc own_study.c $(pkg-config --cflags --libs sepx) && ./a.out edges.study
 */
#include <stdio.h>

#include <sepx.h>

/* Cells should have six edges. Several threads may call this at once. */
static enum sepx_err
count_edges(void *context, struct sepx_score *score,
            const struct sepx_eval_job *job)
{
    double edges = job->graph->n_edges;

    (void)context;
    score->value = edges > 6 ? edges - 6 : 6 - edges;
    return SEPX_OK;
}

/* Begin the study, or open the one that is there. */
static enum sepx_err
open_study(struct sepx_study **study, const char *path, struct sepx_msg *msg)
{
    struct sepx_study_settings settings;
    enum sepx_err err = sepx_study_open(study, path, true, msg);

    if (err != SEPX_ENOINPUT)
        return err;
    sepx_study_settings_init(&settings);
    settings.space = "nb101";
    settings.method = "sep";
    settings.seed = 1;
    return sepx_study_create(study, path, &settings, NULL, msg);
}

static enum sepx_err
print_best(struct sepx_study *study, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = false;
    enum sepx_err err;

    err = sepx_store_read(sepx_study_store(study), &cursor, SEPX_STORE_BEST, 0,
                          msg);
    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && more)
        printf("best: %g in trial %u: %s\n", entry.told.value,
               entry.asked.trial, entry.asked.graph);
    sepx_cursor_free(cursor);
    return err;
}

int
main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "edges.study";
    struct sepx_study_plan plan = {0};
    struct sepx_study *study = NULL;
    struct sepx_eval *eval = NULL;
    struct sepx_msg msg = {0};
    enum sepx_err err = open_study(&study, path, &msg);

    if (!err)
        err = sepx_eval_from_function(&eval, "edges", count_edges, NULL);
    plan.evals = 200; /* in all, those of earlier sessions too */
    plan.workers = 2;
    plan.eval = eval;
    if (!err)
        err = sepx_study_run(study, &plan, &msg);
    if (!err)
        err = print_best(study, &msg);
    if (err)
        fprintf(stderr, "%s %s\n", sepx_strerror(err), msg.text);
    sepx_study_close(study);
    sepx_eval_close(eval);
    return err ? 1 : 0;
}
