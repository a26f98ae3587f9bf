/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores that are read from a table of a benchmark's results. For nb101 they
 * are as noisy as training: the value is the validation error of one of the
 * trials, drawn anew for each evaluation; what is reported is the mean test
 * error. With noise=no the value is the mean test error itself. For nbnlp
 * they are the validation and test losses of the cells that were trained.
 */
#include <math.h>
#include <string.h>

#include "eval/internal.h"
#include "sepx/data.h"

#define STREAM 1 /* evaluators have the purposes below 16 */
#define FULL (SEPX_TABLE_BUDGETS - 1)

struct table {
    const struct sepx_space *space;
    struct sepx_table *cells; /* nb101, else NULL */
    struct sepx_table_info info;
    struct sepx_losses *losses; /* nbnlp, else NULL */
    bool noisy;
};

struct worker {
    const struct table *table;
};

/* ---- opening ---- */

/* "FILE" or "FILE,noise=yes|no"; the name ends at `*len`. */
static enum sepx_err
read_argument(struct table *table, const char *text, size_t *len,
              struct sepx_msg *msg)
{
    const char *comma = strrchr(text, ',');

    table->noisy = true;
    *len = strlen(text);
    if (comma && !strncmp(comma, ",noise=", 7)) {
        const char *value = comma + 7;

        table->noisy = strcmp(value, "no") != 0;
        if (table->noisy && strcmp(value, "yes") != 0)
            return sepx_fail(msg, SEPX_EINVAL,
                             "table: noise is '%s', not 'yes' or 'no'", value);
        *len = (size_t)(comma - text);
    }
    if (*len)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "table: no file; write table:FILE or "
                     "table:FILE,noise=no");
}

static enum sepx_err
open_file(struct table *table, const char *path, struct sepx_msg *msg)
{
    const char *name = sepx_space_info(table->space)->name;
    enum sepx_err err;

    if (!strcmp(name, "nbnlp"))
        return sepx_losses_open(&table->losses, table->space, path, msg);
    if (strcmp(name, "nb101") != 0)
        return sepx_fail(msg, SEPX_EINVAL,
                         "table: no tables for space %s; choose nb101 or "
                         "nbnlp",
                         name);
    err = sepx_table_open(&table->cells, path, msg);
    if (!err)
        sepx_table_info(table->cells, &table->info);
    return err;
}

static enum sepx_err
table_open(void *state, const struct sepx_space *space, const char *argument,
           struct sepx_msg *msg)
{
    struct table *table = state;
    char *path;
    size_t len;
    enum sepx_err err = read_argument(table, argument, &len, msg);

    if (err)
        return err;
    path = sepx__strdup(argument);
    if (!path)
        return SEPX_ENOMEM;
    path[len] = '\0';
    table->space = space;
    err = open_file(table, path, msg);
    sepx__free(path);
    return err;
}

static void
table_close(void *state)
{
    struct table *table = state;

    sepx_table_close(table->cells);
    sepx_losses_close(table->losses);
}

static enum sepx_measure
table_measure(const void *state)
{
    const struct table *table = state;

    return table->losses ? SEPX_MEASURE_LOSS : SEPX_MEASURE_ERROR;
}

static double
table_optimum_test(const void *state)
{
    const struct table *table = state;

    return table->losses ? sepx_losses_best(table->losses).test
                         : 1 - table->info.best_test;
}

static double
table_optimum(const void *state)
{
    const struct table *table = state;

    if (!table->noisy)
        return table_optimum_test(state);
    return table->losses ? sepx_losses_best(table->losses).validation
                         : 1 - table->info.best_validation[FULL];
}

static const char *
table_source(const void *state)
{
    const struct table *table = state;

    return table->noisy && table->info.modelled ? "table, validation modelled"
                                                : NULL;
}

/* ---- scoring ---- */

static enum sepx_err
worker_start(void *state, const void *shared)
{
    struct worker *worker = state;

    worker->table = shared;
    return SEPX_OK;
}

static void
worker_stop(void *state)
{
    (void)state;
}

/* The trials with a validation accuracy; returns how many. */
static unsigned
known_trials(const struct sepx_table *cells, uint32_t entry, unsigned budget,
             unsigned *trial)
{
    unsigned known = 0;

    for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++)
        if (!isnan(
                sepx_table_get(cells, entry, SEPX_TABLE_VALIDATION, budget, t)))
            trial[known++] = t;
    return known;
}

/* The least budget for at least this share of the epochs. */
static unsigned
find_budget(double fidelity)
{
    double epochs = fidelity * sepx_table_epochs(FULL);
    unsigned budget = 0;

    while (budget < FULL && sepx_table_epochs(budget) < epochs - 1e-6)
        budget++;
    return budget;
}

/* Not known at this budget: the next that is. */
static void
draw_trial(const struct sepx_table *cells, uint32_t entry,
           struct sepx_score *score, const struct sepx_eval_job *job)
{
    unsigned budget = find_budget(job->fidelity), trial[SEPX_TABLE_TRIALS];
    unsigned known = known_trials(cells, entry, budget, trial), pick;
    struct sepx_rng rng;
    double seconds;

    while (!known && budget < FULL)
        known = known_trials(cells, entry, ++budget, trial);
    if (!known)
        return;
    sepx_rng_init(&rng, job->seed, job->run, job->trial, STREAM);
    pick = trial[sepx_rng_below(&rng, known)];
    score->value =
        1 - sepx_table_get(cells, entry, SEPX_TABLE_VALIDATION, budget, pick);
    seconds = sepx_table_get(cells, entry, SEPX_TABLE_SECONDS, budget, pick);
    score->cost = isnan(seconds) ? (double)sepx_table_epochs(budget) /
                                       sepx_table_epochs(FULL)
                                 : seconds;
}

static enum sepx_err
score_cell(const struct table *table, struct sepx_score *score,
           const struct sepx_eval_job *job)
{
    struct sepx_nb101_cell cell;
    uint32_t entry;
    enum sepx_err err =
        sepx_nb101_cell_of(&cell, table->space, job->graph, NULL);

    if (err)
        return err == SEPX_EINVAL ? SEPX_OK : err;
    if (!sepx_table_find(table->cells, &entry, &cell))
        return SEPX_OK;
    draw_trial(table->cells, entry, score, job);
    score->test = 1 - sepx_table_test_mean(table->cells, entry);
    return SEPX_OK;
}

static enum sepx_err
score_losses(const struct table *table, struct sepx_score *score,
             const struct sepx_eval_job *job)
{
    struct sepx_loss loss;
    enum sepx_err err = sepx_losses_find(table->losses, &loss, job->graph);

    score->value = loss.validation;
    score->test = loss.test;
    return err;
}

static enum sepx_err
table_score(void *state, struct sepx_score *score,
            const struct sepx_eval_job *job)
{
    const struct table *table = ((struct worker *)state)->table;
    enum sepx_err err = table->losses ? score_losses(table, score, job)
                                      : score_cell(table, score, job);

    if (!table->noisy)
        score->value = score->test;
    if (isnan(score->test))
        score->test = score->value;
    if (isnan(score->value))
        score->outcome = SEPX_UNFIT;
    return err;
}

const struct sepx__eval_ops sepx__eval_table = {
    .info = {"table", "results of a benchmark, from a table of 'sepx data'",
             "FILE[,noise=no]"},
    .state_size = sizeof(struct table),
    .open = table_open,
    .close = table_close,
    .measure_here = table_measure,
    .optimum = table_optimum,
    .optimum_test = table_optimum_test,
    .source = table_source,
    .worker_size = sizeof(struct worker),
    .start = worker_start,
    .stop = worker_stop,
    .score = table_score,
};
