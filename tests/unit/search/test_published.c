/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published rules give the published curves: means of the best score so
 * far agree with reference runs of the authors' algorithms at every count.
 * SEPX_PUBLISHED_RUNS sets the runs of each method; 40 unless given.
 */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sepx/run.h"
#include "unit/shared.h"

struct claim {
    const char *file, *reference; /* the CSV and its rows */
    const char *space, *eval, *method, *preset;
    double most; /* joint standard errors between the means */
};

/* clang-format off */
static const struct claim claims[] = {
    {"nb101", "random", "nb101", "target:optimum", "random", "published", 3},
    {"nb101", "mutation", "nb101", "target:optimum", "mutation", "published",
     3},
    {"nb101", "stdx", "nb101", "target:optimum", "standard", "published", 3},
    {"nb101", "rl_lr0.1_pruned", "nb101", "target-pruned:optimum",
     "reinforce", "published", 3},
    {"nb101", "matched", "nb101", "target:optimum", "matched", "published",
     4},
    {"nb101", "sepx_1trial", "nb101", "target:optimum", "sep", "published",
     4},
    {"nb101", "sepx_50trials", "nb101", "target:optimum", "sep", "paper", 4},
    {"nbnlp_gru", "random", "nbnlp", "target:gru", "random", "published", 3},
    {"nbnlp_gru", "mutation", "nbnlp", "target:gru", "mutation", "published",
     3},
    {"nbnlp_gru", "stdx", "nbnlp", "target:gru", "standard", "published", 4},
    {"nbnlp_gru", "sepx", "nbnlp", "target:gru", "sep", "published", 4},
    {"nbnlp_lstm", "random", "nbnlp", "target:lstm", "random", "published",
     3},
    {"nbnlp_lstm", "mutation", "nbnlp", "target:lstm", "mutation",
     "published", 3},
    {"nbnlp_lstm", "stdx", "nbnlp", "target:lstm", "standard", "published",
     4},
    {"nbnlp_lstm", "sepx", "nbnlp", "target:lstm", "sep", "published", 4},
};
/* clang-format on */

struct point {
    unsigned evals;
    double mean, se;
};

static unsigned
read_curve(struct point *point, unsigned room, const struct claim *claim)
{
    char name[128], line[512];
    unsigned count = 0;
    FILE *file;

    snprintf(name, sizeof name, "data/reference/%s_noise_free.csv",
             claim->file);
    file = shared_open(name);
    if (!file)
        exit(SHARED_SKIP);
    while (count < room && fgets(line, sizeof line, file)) {
        size_t len = strlen(claim->reference);
        unsigned runs;

        if (!strncmp(line, claim->reference, len) && line[len] == ',' &&
            sscanf(line + len, ",%u,%u,%lf,%lf", &runs, &point[count].evals,
                   &point[count].mean, &point[count].se) == 4)
            count++;
    }
    fclose(file);
    return count;
}

static void
make_runs(struct sepx_runs *runs, const struct claim *claim, uint32_t count,
          uint32_t evals)
{
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_method *method;
    struct sepx_run_plan plan = {.seed = 1, .runs = count, .evals = evals};

    assert_int_equal(sepx_space_open(&space, claim->space, NULL), SEPX_OK);
    assert_int_equal(sepx_eval_open(&eval, space, claim->eval, NULL), SEPX_OK);
    assert_int_equal(sepx_method_new(&method, space, claim->method,
                                     claim->preset, NULL, NULL),
                     SEPX_OK);
    plan.method = method;
    plan.eval = eval;
    assert_int_equal(sepx_runs_make(runs, &plan), SEPX_OK);
    /* Only the curves are looked at from here on. */
    sepx_method_free(method);
    sepx_eval_close(eval);
    sepx_space_close(space);
}

static unsigned
compare(const struct claim *claim, uint32_t count)
{
    struct point point[16];
    unsigned points = read_curve(point, 16, claim), far = 0;
    struct sepx_runs runs;
    double *value = calloc(count, sizeof *value);

    CHECK(points > 0 && value, "%s: no rows", claim->reference);
    make_runs(&runs, claim, count, point[points - 1].evals);
    print_message("%-10s %-16s", claim->file, claim->reference);
    for (unsigned i = 0; i < points; i++) {
        struct sepx_summary at;
        double z;

        sepx_runs_at(&runs, point[i].evals, value);
        assert_int_equal(sepx_summarize(&at, value, runs.count), SEPX_OK);
        z = (at.mean - point[i].mean) / (hypot(at.se, point[i].se) + 1e-3);
        print_message(" %5.2f", z);
        far += fabs(z) > claim->most;
    }
    print_message("\n");
    free(value);
    sepx_runs_release(&runs);
    return far;
}

static void
test_published_rules_give_published_curves(void **state)
{
    const char *wanted = getenv("SEPX_PUBLISHED_RUNS");
    uint32_t count = wanted ? (uint32_t)atoi(wanted) : 40;
    unsigned far = 0;

    (void)state;
    print_message("difference of means in joint standard errors, %u runs\n",
                  count);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
        far += compare(&claims[i], count);
    assert_int_equal(far, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_rules_give_published_curves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
