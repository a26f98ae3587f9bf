/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "nas/nb101/nb101_noise.h"
#include "unit/shared.h"

#define BUDGETS SEPX__NB101_BUDGETS
#define TRIALS SEPX__NB101_TRIALS
#define DRAWS 20000
#define LATE 3
#define COLUMNS (BUDGETS + 1)

static struct sepx__nb101_trials
draw(double test, uint32_t number)
{
    struct sepx__nb101_trials out;
    struct sepx_rng rng;

    sepx_rng_init(&rng, 7, 0, number, 0);
    sepx__nb101_noise_draw(&out, test, &rng);
    return out;
}

static void
test_values_are_in_range(void **state)
{
    (void)state;
    for (uint32_t k = 0; k <= 1000; k++) {
        struct sepx__nb101_trials out = draw(k / 1000.0, k);

        for (unsigned b = 0; b < BUDGETS; b++) {
            for (unsigned i = 0; i < TRIALS; i++) {
                double v = out.validation[b][i], s = out.seconds[b][i];

                CHECK(v > 0.04 && v <= 1, "%g of test %u/1000", v, k);
                CHECK(s > 5 && s < 7000, "%g seconds", s);
                CHECK(isnan(out.test[b][i]) == (b != LATE), "budget %u", b);
            }
        }
    }
}

static void
test_same_stream_same_trials(void **state)
{
    struct sepx__nb101_trials a = draw(0.93, 1), b = draw(0.93, 1);

    (void)state;
    assert_memory_equal(a.validation, b.validation, sizeof(a.validation));
    assert_memory_equal(a.seconds, b.seconds, sizeof(a.seconds));
}

static void
test_trials_average_to_the_mean(void **state)
{
    static const double means[] = {0.1, 0.35, 0.46, 0.61, 0.8, 0.91, 0.943};

    (void)state;
    for (unsigned k = 0; k < sizeof means / sizeof means[0]; k++) {
        struct sepx__nb101_trials out = draw(means[k], k);
        const double *test = out.test[LATE];

        CHECK_NEAR((test[0] + test[1] + test[2]) / 3, means[k], 1e-12);
    }
}

/* How many trials failed shows in the mean; which ones is left to chance. */
static void
test_failed_trials(void **state)
{
    static const struct {
        double test;
        unsigned failed;
    } rows[] = {{0.1, 3}, {0.35, 2}, {0.46, 0}, {0.61, 1}, {0.9, 0}};

    (void)state;
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        unsigned count[TRIALS] = {0};

        for (uint32_t n = 0; n < 300; n++) {
            struct sepx__nb101_trials out = draw(rows[k].test, n);

            for (unsigned i = 0; i < TRIALS; i++)
                count[i] += out.validation[LATE][i] < 0.2;
        }
        for (unsigned i = 0; i < TRIALS; i++) {
            double share = count[i] / 300.0;

            CHECK(fabs(share - rows[k].failed / 3.0) < 0.1,
                  "test %g, trial %u: %g", rows[k].test, i, share);
        }
    }
}

/* At 0.91, a point of the tables: what the constants say. */
static void
test_moments_match_the_constants(void **state)
{
    const double mean = 0.916687, unit = 0.00243642, wide = 0.3, cell = 0.8;
    const double variance = unit * unit * (cell * cell + exp(2 * wide * wide));
    double sum = 0, square = 0, within = 0, early = 0;

    (void)state;
    for (uint32_t n = 0; n < DRAWS; n++) {
        struct sepx__nb101_trials out = draw(0.91, n);
        double off = out.validation[LATE][0] - mean;
        double apart = out.validation[LATE][0] - out.validation[LATE][1];

        sum += off;
        square += off * off;
        within += apart * apart / 2;
        early += out.validation[1][2] < 0.563884; /* the median, 12 epochs */
    }
    CHECK(fabs(sum / DRAWS) < 1e-4, "mean is off by %g", sum / DRAWS);
    CHECK_NEAR(square / DRAWS, variance, 0.05);
    CHECK_NEAR(within / DRAWS, 1.5 * unit * unit * exp(2 * wide * wide), 0.05);
    CHECK(fabs(early / DRAWS - 0.5) < 0.02, "%g below the median",
          early / DRAWS);
}

/* ---- the cells that the model was not fitted on ---- */

struct cell {
    double validation[BUDGETS], seconds, test;
};

struct cells {
    struct cell *at;
    size_t count;
};

static void
read_cells(struct cells *cells, const char *path)
{
    char command[4200], line[512], hash[40];
    FILE *file;

    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    file = popen(command, "r");
    assert_non_null(file);
    cells->at = calloc(30001, sizeof *cells->at);
    while (fgets(line, sizeof line, file) && cells->count < 30001) {
        struct cell *cell = &cells->at[cells->count];
        int got = sscanf(line,
                         "%32[^,],%*d,%*[^,],%*[^,],%*d,%lf,%lf,%lf,%lf,"
                         "%lf,%lf",
                         hash, &cell->validation[0], &cell->validation[1],
                         &cell->validation[2], &cell->validation[3],
                         &cell->seconds, &cell->test);

        if (got == 7 && strchr("13579bdf", hash[31]))
            cells->count++;
    }
    assert_int_equal(pclose(file), 0);
}

static int
ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Largest distance of the distribution of `at` from the uniform one. */
static double
distance_uniform(double *at, size_t count)
{
    double most = 0;

    qsort(at, count, sizeof *at, ascending);
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(at[i] - ((double)i + 0.5) / (double)count));
    return most;
}

/* Column 0..3: as the data has them (the last is the best trial); 4: time. */
static double
seen(const struct cell *cell, unsigned column)
{
    return column < BUDGETS ? cell->validation[column] : cell->seconds;
}

static double
drawn(const struct sepx__nb101_trials *out, unsigned column)
{
    const double *late = out->validation[LATE];

    if (column < LATE)
        return out->validation[column][0];
    return column > LATE ? out->seconds[LATE][0]
                         : fmax(fmax(late[0], late[1]), late[2]);
}

/* The share of draws below the data, for each column. */
static void
find_shares(double *const *share, size_t at, const struct cell *cell,
            uint32_t number)
{
    const uint32_t repeats = 40;

    for (unsigned column = 0; column < COLUMNS; column++)
        share[column][at] = 0;
    for (uint32_t n = 0; n < repeats; n++) {
        struct sepx__nb101_trials out = draw(cell->test, number * repeats + n);

        for (unsigned column = 0; column < COLUMNS; column++) {
            double x = drawn(&out, column), y = seen(cell, column);

            share[column][at] += (x < y ? 1 : x > y ? 0 : 0.5) / repeats;
        }
    }
}

/* Cell by cell, shares are uniform if the model holds. */
static void
check_band(const struct cells *cells, double low, double high, double most)
{
    double *share[COLUMNS];
    size_t used = 0;

    for (unsigned column = 0; column < COLUMNS; column++) {
        share[column] = calloc(cells->count, sizeof *share[column]);
        assert_non_null(share[column]);
    }
    for (uint32_t k = 0; k < cells->count; k++)
        if (cells->at[k].test >= low && cells->at[k].test < high)
            find_shares(share, used++, &cells->at[k], k);
    for (unsigned column = 0; column < COLUMNS; column++) {
        double far = distance_uniform(share[column], used);

        print_message("  test %.2f to %.2f, column %u, %zu cells: %.3f\n", low,
                      high, column, used, far);
        CHECK(far < most, "column %u, %g to %g: %g", column, low, high, far);
        free(share[column]);
    }
}

static void
test_holds_on_other_cells(void **state)
{
    static const double edge[] = {0.11, 0.86, 0.89, 0.91, 0.93, 0.95};
    static const double most[] = {0.12, 0.06, 0.06, 0.06, 0.06};
    const struct cells *cells = *state;

    if (!cells->at)
        skip();
    for (unsigned k = 0; k + 1 < sizeof edge / sizeof edge[0]; k++)
        check_band(cells, edge[k], edge[k + 1], most[k]);
}

int
main(void)
{
    static const char name[] = "data/nb101/val_subset.csv.gz";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_in_range),
        cmocka_unit_test(test_same_stream_same_trials),
        cmocka_unit_test(test_trials_average_to_the_mean),
        cmocka_unit_test(test_failed_trials),
        cmocka_unit_test(test_moments_match_the_constants),
    };
    struct cells cells = {0};
    const struct CMUnitTest data[] = {
        cmocka_unit_test_prestate(test_holds_on_other_cells, &cells),
    };
    const char *folder = getenv("SEPX_SHARED");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    FILE *file = shared_open(name);
    char path[4096];

    if (file) {
        fclose(file);
        snprintf(path, sizeof path, "%s/%s",
                 folder && *folder ? folder : SEPX_SOURCE_ROOT "/../shared",
                 name);
        read_cells(&cells, path);
        failed += cmocka_run_group_tests(data, NULL, NULL);
    }
    free(cells.at);
    return failed;
}
