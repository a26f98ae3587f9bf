/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every value of the reference tables, which were computed elsewhere with
 * exact rational arithmetic and are printed with 12 decimals.
 */
#include "unit/check.h"

#include <string.h>

#include "sepx/theory.h"
#include "unit/shared.h"

#define TOLERANCE 1e-10
#define COLUMNS_MOST 32

struct column {
    const char *name;
    enum sepx_bound a, b;
    double epsilon;
    enum sepx_stdx_trials trials;
    bool clip;
};

#define SEPX SEPX_BOUND_SEPX
#define STDX SEPX_BOUND_STDX
#define MUTA SEPX_BOUND_MUTA
#define RLU SEPX_BOUND_RLU
#define RLO SEPX_BOUND_RLO
#define NONE SEPX_BOUND_NONE

/* clang-format off */
static const struct column columns[] = {
    {"LBEI_SEPX", SEPX, NONE, 0, 0, false},
    {"LBEI_SEPX_eps0.1", SEPX, NONE, 0.1, 0, false},
    {"LBEI_SEPX_eps0.2", SEPX, NONE, 0.2, 0, false},
    {"LBEI_SEPX_eps0.3", SEPX, NONE, 0.3, 0, false},
    {"LBEI_MUTA", MUTA, NONE, 0, 0, false},
    {"LBEI_STDX_round", STDX, NONE, 0, SEPX_STDX_ROUND, false},
    {"LBEI_STDX_round14", STDX, NONE, 0, SEPX_STDX_ROUND, false},
    {"LBEI_STDX_mix", STDX, NONE, 0, SEPX_STDX_MIX, false},
    {"LBEI_STDX_mix14_15", STDX, NONE, 0, SEPX_STDX_MIX, false},
    {"LBEI_STDX_ceil15", STDX, NONE, 0, SEPX_STDX_CEIL, false},
    {"LBEI_RLU", RLU, NONE, 0, 0, false},
    {"LBEI_RLU_0.1", RLU, NONE, 0, 0, false},
    {"LBEI_RLO", RLO, NONE, 0, 0, false},
    {"LBEI_RLO_0.1", RLO, NONE, 0, 0, false},
    {"RLU_with_max0", RLU, NONE, 0, 0, true},
    {"RLO_with_max0", RLO, NONE, 0, 0, true},
    {"SEPX-MUTA", SEPX, MUTA, 0, 0, false},
    {"SEPX-STDX", SEPX, STDX, 0, 0, false},
    {"SEPX-RLU", SEPX, RLU, 0, 0, false},
    {"SEPX-RLO", SEPX, RLO, 0, 0, false},
    {"STDX_round-MUTA", STDX, MUTA, 0, 0, false},
    {"RLO-RLU", RLO, RLU, 0, 0, false},
    {"RLU-MUTA", RLU, MUTA, 0, 0, false},
    {"RLO-MUTA", RLO, MUTA, 0, 0, false},
};
/* clang-format on */

static const struct column *
find_column(const char *name)
{
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        if (strcmp(columns[i].name, name) == 0)
            return &columns[i];
    return NULL;
}

static double
exact(struct sepx_theory at, const struct column *column)
{
    double a = NAN, b = 0;

    at.epsilon = column->epsilon;
    at.trials = column->trials;
    at.clip_rl = column->clip;
    assert_int_equal(sepx_theory_exact(&a, &at, column->a, NULL), SEPX_OK);
    if (column->b)
        assert_int_equal(sepx_theory_exact(&b, &at, column->b, NULL), SEPX_OK);
    return a - b;
}

/* A leading column sets its field; false if the name is no field's. */
static bool
set_field(struct sepx_theory *at, const char *name, double value)
{
    if (strcmp(name, "d_opt1") == 0 || strcmp(name, "b") == 0)
        at->d_opt = (uint32_t)value;
    else if (strcmp(name, "d_12") == 0)
        at->d_12 = (uint32_t)value;
    else if (strcmp(name, "alpha_eta") == 0)
        at->alpha_eta = value;
    else
        return false;
    return true;
}

static size_t
split(char *line, char **part)
{
    size_t count = 0;

    for (char *at = strtok(line, ",\r\n"); at; at = strtok(NULL, ",\r\n")) {
        assert_true(count < COLUMNS_MOST);
        part[count++] = at;
    }
    return count;
}

/* Returns the number of values compared. */
static unsigned
check_table(FILE *file, struct sepx_theory at)
{
    char head[2048], line[2048], *name[COLUMNS_MOST], *value[COLUMNS_MOST];
    unsigned compared = 0;
    size_t count;

    assert_non_null(fgets(head, sizeof(head), file));
    count = split(head, name);
    while (fgets(line, sizeof(line), file)) {
        assert_int_equal(split(line, value), count);
        for (size_t i = 0; i < count; i++) {
            double want = strtod(value[i], NULL), got;
            const struct column *column = find_column(name[i]);

            if (set_field(&at, name[i], want))
                continue;
            CHECK(column, "unknown column %s", name[i]);
            got = exact(at, column);
            CHECK(fabs(got - want) <= TOLERANCE,
                  "%s at d_opt %u, d_12 %u, alpha_eta %g: %.13f, not %.13f",
                  name[i], at.d_opt, at.d_12, at.alpha_eta, got, want);
            compared++;
        }
    }
    return compared;
}

static void
check_file(const char *name, struct sepx_theory at, unsigned values)
{
    FILE *file = shared_open(name);

    if (!file)
        skip();
    assert_int_equal(check_table(file, at), values);
    fclose(file);
}

static const struct sepx_theory nb101 = {
    .n = 7, .edges = {9, 9, 9}, .alpha_eta = 0.1};
static const struct sepx_theory nbnlp = {.n = 12, .edges = {14, 11, 11}};

static void
test_nb101_grid(void **state)
{
    (void)state;
    check_file("data/theory/theory_101_grid.csv", nb101, 110 * 13);
}

static void
test_nb101_one_dimension(void **state)
{
    (void)state;
    check_file("data/theory/theory_101_onedim.csv", nb101, 11 * 5);
}

static void
test_nb101_agents(void **state)
{
    (void)state;
    check_file("data/theory/theory_101_rl.csv", nb101, 50 * 8);
}

static void
test_nbnlp_grid(void **state)
{
    (void)state;
    check_file("data/theory/theory_nlp_grid.csv", nbnlp, 420 * 9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nb101_grid),
        cmocka_unit_test(test_nb101_one_dimension),
        cmocka_unit_test(test_nb101_agents),
        cmocka_unit_test(test_nbnlp_grid),
    };
    FILE *file = shared_open("data/theory/theory_101_grid.csv");

    if (!file)
        return SHARED_SKIP;
    fclose(file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
