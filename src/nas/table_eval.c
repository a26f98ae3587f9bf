/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores that are read from a table of a benchmark's results. For nb101 they
 * are as noisy as training: the value is the validation error of one of the
 * trainings, drawn anew for each evaluation; what is reported is the mean test
 * error. With noise=mean the value is the mean over the trainings, with
 * noise=no the mean test error itself. For nbnlp they are the validation and
 * test losses of the cells that were trained.
 */
#include <math.h>
#include <string.h>

#include "eval/internal.h"
#include "sepx/nas.h"

#define FULL (SEPX_TABLE_BUDGETS - 1)

enum noise { NOISE_YES, NOISE_MEAN, NOISE_NO };
static const char *const noise_names[] = {"yes", "mean", "no"};

struct table {
    const struct sepx_space *space;
    struct sepx_table *cells; /* nb101, else NULL */
    struct sepx_table_info info;
    struct sepx_losses *losses; /* nbnlp, else NULL */
    enum noise noise;
    double best_mean; /* accuracy over the trainings of a cell, if asked for */
    int place[SEPX_NUMBERS_MAX]; /* of wanted numbers; see number_names */
    uint32_t wanted;
};

struct worker {
    const struct table *table;
};

/* ---- trainings ---- */

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

/* The mean over trainings, NaN where none is known. */
static double
mean_of(const struct sepx_table *cells, uint32_t entry,
        enum sepx_table_value field, unsigned budget, const unsigned *trial,
        unsigned count)
{
    double sum = 0;

    for (unsigned i = 0; i < count; i++)
        sum += sepx_table_get(cells, entry, field, budget, trial[i]);
    return count ? sum / count : NAN;
}

/* The best that an evaluation by the mean can answer. */
static double
find_best_mean(const struct sepx_table *cells, uint32_t count)
{
    unsigned trial[SEPX_TABLE_TRIALS];
    double best = NAN;

    for (uint32_t i = 0; i < count; i++) {
        unsigned known = known_trials(cells, i, FULL, trial);

        best = fmax(
            best, mean_of(cells, i, SEPX_TABLE_VALIDATION, FULL, trial, known));
    }
    return best;
}

/* ---- opening ---- */

static enum sepx_err
read_noise(struct table *table, const char *value, struct sepx_msg *msg)
{
    for (unsigned i = 0; i < sizeof noise_names / sizeof *noise_names; i++) {
        if (!strcmp(value, noise_names[i])) {
            table->noise = (enum noise)i;
            return SEPX_OK;
        }
    }
    return sepx_fail(msg, SEPX_EINVAL,
                     "table: noise is '%s', not 'yes', 'mean' or 'no'", value);
}

/* "FILE" or "FILE,noise=yes|mean|no"; the name ends at `*len`. */
static enum sepx_err
read_argument(struct table *table, const char *text, size_t *len,
              struct sepx_msg *msg)
{
    const char *comma = strrchr(text, ',');
    enum sepx_err err = SEPX_OK;

    *len = strlen(text);
    if (comma && !strncmp(comma, ",noise=", 7)) {
        err = read_noise(table, comma + 7, msg);
        *len = (size_t)(comma - text);
    }
    if (err || *len)
        return err;
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
    if (err)
        return err;
    sepx_table_info(table->cells, &table->info);
    if (table->noise == NOISE_MEAN)
        table->best_mean = find_best_mean(table->cells, table->info.cells);
    return SEPX_OK;
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

/* What a table knows beside the score: of nb101, and of nbnlp. */
enum { NUMBER_ERROR, NUMBER_PARAMS };
static const char *const number_names[] = {"error", "params", NULL};
static const char *const loss_names[] = {"loss", NULL};

static enum sepx_err
table_want(void *state, const char *const *name, struct sepx_msg *msg)
{
    struct table *table = state;

    for (table->wanted = 0; name[table->wanted];)
        table->wanted++;
    return sepx__eval_match(table->place, name,
                            table->losses ? loss_names : number_names, msg);
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

    if (table->noise == NOISE_NO)
        return table_optimum_test(state);
    if (table->noise == NOISE_MEAN && table->cells)
        return 1 - table->best_mean;
    return table->losses ? sepx_losses_best(table->losses).validation
                         : 1 - table->info.best_validation[FULL];
}

static const char *
table_source(const void *state)
{
    const struct table *table = state;

    return table->noise != NOISE_NO && table->info.modelled
               ? "table, validation modelled"
               : NULL;
}

static bool
table_exact(const void *state)
{
    const struct table *table = state;

    return table->losses || table->noise != NOISE_YES;
}

/* ---- scoring ---- */

static enum sepx_err
worker_start(void *state, const void *shared, struct sepx_msg *msg)
{
    struct worker *worker = state;

    (void)msg;
    worker->table = shared;
    return SEPX_OK;
}

static void
worker_stop(void *state)
{
    (void)state;
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
draw_trial(const struct table *table, uint32_t entry, struct sepx_score *score,
           const struct sepx_eval_job *job)
{
    const struct sepx_table *cells = table->cells;
    unsigned budget = find_budget(job->fidelity), trial[SEPX_TABLE_TRIALS];
    unsigned known = known_trials(cells, entry, budget, trial);
    struct sepx_rng rng;
    double seconds;

    while (!known && budget < FULL)
        known = known_trials(cells, entry, ++budget, trial);
    if (!known)
        return;
    if (table->noise != NOISE_MEAN) {
        sepx_rng_init(&rng, job->seed, job->run, job->trial,
                      SEPX__STREAM_TRAINING);
        trial[0] = trial[sepx_rng_below(&rng, known)];
        known = 1;
    }
    score->value =
        1 - mean_of(cells, entry, SEPX_TABLE_VALIDATION, budget, trial, known);
    seconds = mean_of(cells, entry, SEPX_TABLE_SECONDS, budget, trial, known);
    score->cost = isnan(seconds) ? (double)sepx_table_epochs(budget) /
                                       sepx_table_epochs(FULL)
                                 : seconds;
}

/* The table's own if it has them. */
static void
put_parameters(const struct table *table, struct sepx_score *score,
               const struct sepx_nb101_cell *cell, uint32_t entry)
{
    uint32_t known = sepx_table_parameters(table->cells, entry);

    for (uint32_t i = 0; i < table->wanted; i++) {
        if (table->place[i] == NUMBER_PARAMS)
            score->number[i] = known ? known : sepx_nb101_cell_parameters(cell);
    }
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
    draw_trial(table, entry, score, job);
    score->test = 1 - sepx_table_test_mean(table->cells, entry);
    if (table->wanted)
        put_parameters(table, score, &cell, entry);
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

    if (table->noise == NOISE_NO)
        score->value = score->test;
    if (isnan(score->test))
        score->test = score->value;
    if (isnan(score->value))
        score->outcome = SEPX_UNFIT;
    for (uint32_t i = 0; i < table->wanted; i++) {
        if (table->place[i] == NUMBER_ERROR)
            score->number[i] = score->value;
    }
    return err;
}

const struct sepx__eval_ops sepx__eval_table = {
    .info = {"table", "results of a benchmark, from a table of 'sepx data'",
             "FILE[,noise=mean|no]"},
    .state_size = sizeof(struct table),
    .open = table_open,
    .close = table_close,
    .measure_here = table_measure,
    .optimum = table_optimum,
    .optimum_test = table_optimum_test,
    .source = table_source,
    .exact = table_exact,
    .want = table_want,
    .worker_size = sizeof(struct worker),
    .start = worker_start,
    .stop = worker_stop,
    .score = table_score,
};
