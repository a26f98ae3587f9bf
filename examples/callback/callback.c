/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sepx.h>
#include <sepx/run.h>

/* The work of a cell, 9 for each edge into a 3x3 operation, should be 50. */
static enum sepx_err
work(void *names, struct sepx_score *score, const struct sepx_eval_job *job)
{
    double sum = 0;

    for (unsigned i = 0; i < job->graph->n_edges; i++) {
        uint16_t label = job->graph->label[job->graph->edge[i].to];

        sum += strstr(sepx_names_text(names, label), "3x3") ? 9 : 1;
    }
    score->value = fabs(sum - 50);
    return SEPX_OK;
}

int
main(void)
{
    struct sepx_run_plan plan = {.seed = 1, .runs = 4, .evals = 200};
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_eval *eval;
    struct sepx_runs runs = {0};

    if (sepx_space_open(&space, "nb101", NULL) ||
        sepx_method_new(&method, space, "sep", NULL, NULL, NULL) ||
        sepx_eval_from_function(&eval, "work", work, sepx_space_names(space)))
        return 1;
    plan.method = method;
    plan.eval = eval;
    if (sepx_runs_make(&runs, &plan))
        return 1;
    for (size_t i = 0; i < runs.finished; i++)
        printf("run %zu: best %g in trial %u\n", i, runs.at[i].best,
               runs.at[i].best_trial);
    sepx_runs_release(&runs);
    sepx_eval_close(eval);
    sepx_method_free(method);
    sepx_space_close(space);
    return 0;
}
