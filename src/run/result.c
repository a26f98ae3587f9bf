/* SPDX-License-Identifier: Apache-2.0 */
/* What runs found, for statistics and for the record. */
#include "sepx/run.h"

void
sepx_runs_at(const struct sepx_runs *runs, uint32_t evals, double *out)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];
        uint32_t at = evals < run->evaluations ? evals : run->evaluations;

        out[i] = run->curve[at ? at - 1 : 0];
    }
}

uint32_t
sepx_runs_operators(const struct sepx_runs *runs,
                    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX])
{
    uint32_t count = 0;

    for (uint32_t j = 0; j < SEPX_RUN_OPERATORS_MAX; j++)
        sum[j] = (struct sepx_run_operator){0};
    for (size_t i = 0; i < runs->count; i++) {
        const struct sepx_run *run = &runs->at[i];

        count = run->n_operators;
        for (uint32_t j = 0; j < count; j++) {
            sum[j].name = run->op[j].name;
            sepx_cross_counts_add(&sum[j].counts, &run->op[j].counts);
            sum[j].evaluated += run->op[j].evaluated;
            sum[j].improved += run->op[j].improved;
            sum[j].gain += run->op[j].gain;
        }
    }
    return count;
}

static void
put_count(struct sepx_json_writer *w, const char *key, uint64_t value)
{
    sepx_json_key(w, key);
    sepx_json_put_integer(w, (int64_t)value);
}

void
sepx_run_operators_put_json(struct sepx_json_writer *w,
                            const struct sepx_run_operator *op, uint32_t count)
{
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct sepx_cross_counts *counts = &op[i].counts;

        sepx_json_open(w, '{');
        sepx_json_key(w, "name");
        sepx_json_put_string(w, op[i].name);
        put_count(w, "attempts", counts->attempts);
        put_count(w, "trials", counts->trials);
        put_count(w, "duplicates", counts->duplicates);
        put_count(w, "invalid", counts->invalid);
        put_count(w, "cyclic", counts->cyclic);
        put_count(w, "skipped", counts->skipped);
        put_count(w, "accepted", counts->accepted);
        put_count(w, "evaluated", op[i].evaluated);
        put_count(w, "improved", op[i].improved);
        sepx_json_key(w, "gain");
        sepx_json_put_number(w, op[i].gain);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

void
sepx_run_put_json(struct sepx_json_writer *w, const struct sepx_run *run)
{
    sepx_json_open(w, '{');
    put_count(w, "seed", run->seed);
    sepx_json_key(w, "best");
    sepx_json_put_number(w, run->best);
    put_count(w, "best_trial", run->best_trial);
    put_count(w, "evaluations", run->evaluations);
    sepx_json_key(w, "curve");
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < run->evaluations; i++)
        sepx_json_put_number(w, run->curve[i]);
    sepx_json_close(w, ']');
    sepx_json_key(w, "operators");
    sepx_run_operators_put_json(w, run->op, run->n_operators);
    sepx_json_key(w, "graph");
    sepx_graph_put_json(w, &run->graph);
    sepx_json_close(w, '}');
}
