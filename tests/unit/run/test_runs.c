/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: the same for any number of threads; books that add up; stopping. */
#include "unit/check.h"
#include "unit/rounds.h"

#include <stdatomic.h>
#include <string.h>

#include "unit/faults.h"
#include "sepx/run.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_method *method;
};

static void
open_all(struct fixture *f, const char *space, const char *eval,
         const char *method)
{
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_space_open(&f->space, space, &msg), SEPX_OK);
    assert_int_equal(sepx_eval_open(&f->eval, f->space, eval, &msg), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&f->method, f->space, method, NULL, NULL, &msg),
        SEPX_OK);
}

static void
close_all(struct fixture *f)
{
    sepx_method_free(f->method);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
}

static struct sepx_run_plan
plan_of(const struct fixture *f, uint32_t runs, uint32_t evals)
{
    return (struct sepx_run_plan){.method = f->method,
                                  .eval = f->eval,
                                  .seed = 7,
                                  .runs = runs,
                                  .evals = evals,
                                  .threads = 1};
}

static struct sepx_text
as_json(const struct sepx_runs *runs)
{
    struct sepx_text text = {0};
    struct sepx_json_writer w;

    sepx_json_begin(&w, &text);
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < runs->count; i++)
        sepx_run_put_json(&w, &runs->at[i]);
    sepx_json_close(&w, ']');
    assert_int_equal(sepx_json_done(&w), SEPX_OK);
    return text;
}

static struct sepx_text
json_of(const struct fixture *f, unsigned threads, uint64_t seed)
{
    struct sepx_run_plan plan = plan_of(f, 4, rounds(400));
    struct sepx_runs runs;
    struct sepx_text text;

    plan.threads = threads;
    plan.seed = seed;
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    text = as_json(&runs);
    sepx_runs_release(&runs);
    return text;
}

static void
test_threads_do_not_matter(void **state)
{
    static const char *const methods[] = {
        "random",       "mutation",
        "standard",     "matched",
        "sep",          "reinforce",
        "local",        "bohb",
        "smac:refit=1", "model:start=10,candidates=4"};

    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct fixture f;
        struct sepx_text one, two, three, other;

        open_all(&f, "nb101", "target:optimum", methods[i]);
        one = json_of(&f, 1, 7);
        two = json_of(&f, 2, 7);
        three = json_of(&f, 3, 7);
        other = json_of(&f, 2, 700);
        assert_string_equal(one.at, two.at);
        assert_string_equal(one.at, three.at);
        assert_string_not_equal(one.at, other.at);
        sepx_text_release(&one);
        sepx_text_release(&two);
        sepx_text_release(&three);
        sepx_text_release(&other);
        close_all(&f);
    }
}

/* Run i of seed s is the first run of seed s + i. */
static void
test_a_run_can_be_repeated_alone(void **state)
{
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs many, one;

    (void)state;
    open_all(&f, "nbnlp", "target:gru", "sep");
    plan = plan_of(&f, 5, 200);
    assert_int_equal(sepx_runs_make(&many, &plan), SEPX_OK);
    plan.seed += 3;
    plan.runs = 1;
    assert_int_equal(sepx_runs_make(&one, &plan), SEPX_OK);
    assert_int_equal(many.at[3].seed, one.at[0].seed);
    assert_memory_equal(many.at[3].curve, one.at[0].curve,
                        200 * sizeof(double));
    assert_true(sepx_graph_equal(&many.at[3].graph, &one.at[0].graph));
    sepx_runs_release(&many);
    sepx_runs_release(&one);
    close_all(&f);
}

static void
check_run(const struct sepx_run *run, struct sepx_eval_worker *worker)
{
    struct sepx_eval_job job = {.graph = &run->graph, .fidelity = 1};
    struct sepx_score score;
    uint64_t evaluated = 0, improved = 0;
    double gain = 0;

    for (uint32_t i = 1; i < run->evaluations; i++)
        CHECK(run->curve[i] <= run->curve[i - 1], "evaluation %u", i);
    CHECK(run->best == run->curve[run->evaluations - 1], "%g", run->best);
    CHECK(run->curve[run->best_trial] == run->best &&
              (!run->best_trial || run->curve[run->best_trial - 1] > run->best),
          "trial %u", run->best_trial);
    assert_int_equal(sepx_eval_score(worker, &score, &job), SEPX_OK);
    CHECK(score.value == run->best, "%g %g", score.value, run->best);
    for (uint32_t i = 0; i < run->n_operators; i++) {
        evaluated += run->op[i].evaluated;
        improved += run->op[i].improved;
        gain += run->op[i].gain;
        assert_int_equal(run->op[i].evaluated, run->op[i].counts.accepted);
    }
    assert_int_equal(evaluated, run->evaluations);
    assert_true(improved >= 1);
    CHECK(fabs(gain - (run->curve[0] - run->best)) < 1e-9, "gain %g", gain);
}

static void
test_the_books_add_up(void **state)
{
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs runs;
    struct sepx_run_operator sum[SEPX_RUN_OPERATORS_MAX];
    struct sepx_eval_worker *worker;
    double at[4];

    (void)state;
    open_all(&f, "nb101", "target:optimum", "sep");
    plan = plan_of(&f, 4, 500);
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    assert_int_equal(runs.count, 4);
    assert_int_equal(runs.finished, 4);
    assert_int_equal(sepx_eval_worker_new(&worker, f.eval, NULL), SEPX_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(runs.at[i].seed, 7 + i);
        assert_int_equal(runs.at[i].evaluations, 500);
        check_run(&runs.at[i], worker);
    }
    sepx_runs_at(&runs, 500, at);
    CHECK(at[2] == runs.at[2].best, "%g", at[2]);
    sepx_runs_at(&runs, 9999, at);
    CHECK(at[2] == runs.at[2].best, "%g", at[2]);
    sepx_runs_at(&runs, 1, at);
    CHECK(at[2] == runs.at[2].curve[0], "%g", at[2]);
    assert_int_equal(sepx_runs_operators(&runs, sum), 4);
    assert_int_equal(sum[0].evaluated + sum[1].evaluated + sum[2].evaluated +
                         sum[3].evaluated,
                     2000);
    assert_int_equal(sum[3].evaluated, 0); /* distances have no noise */
    for (size_t i = 0; i < 4; i++)
        assert_in_range(runs.at[i].distinct, 495, 500);
    sepx_eval_worker_free(worker);
    sepx_runs_release(&runs);
    close_all(&f);
}

/* Four evaluations that cost 1/27, 1/27, 1/9 and 1; the third failed. */
static void
test_curves_are_read_by_evaluations_or_by_cost(void **state)
{
    static const struct {
        double at;
        uint32_t evals, spent;
    } cases[] = {
        {0, 1, 1}, {0.01, 1, 1}, {0.05, 1, 1}, {0.1, 1, 2}, {0.2, 1, 3},
        {1, 1, 3}, {1.5, 1, 4},  {2, 2, 4},    {3.9, 3, 4}, {4, 4, 4},
        {5, 4, 4}, {1e12, 4, 4}, {-1, 1, 1},
    };
    double curve[] = {0.3, 0.2, 0.2, 0.1}, test[] = {0.31, 0.25, 0.25, 0.4};
    double spent[] = {1.0 / 27, 2.0 / 27, 5.0 / 27, 32.0 / 27};
    struct sepx_run run = {
        .evaluations = 4, .curve = curve, .test = test, .spent = spent};
    struct sepx_runs runs = {&run, 1, 1};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double at = cases[i].at, out;

        assert_int_equal(sepx_run_until(&run, SEPX_AXIS_EVALS, at),
                         cases[i].evals);
        assert_int_equal(sepx_run_until(&run, SEPX_AXIS_SPENT, at),
                         cases[i].spent);
        sepx_runs_read(&runs, SEPX_CURVE_TEST, SEPX_AXIS_EVALS, at, &out);
        CHECK(out == test[cases[i].evals - 1], "%g at %g", out, at);
        sepx_runs_read(&runs, SEPX_CURVE_SCORE, SEPX_AXIS_SPENT, at, &out);
        CHECK(out == curve[cases[i].spent - 1], "%g at %g", out, at);
    }
}

#define SCORE(v, t, c, how) .value = v, .test = t, .cost = c, .outcome = how

static enum sepx_err
scripted(void *context, struct sepx_score *score,
         const struct sepx_eval_job *job)
{
    static const struct sepx_score play[] = {
        {SCORE(NAN, NAN, 0.125, SEPX_FAILED)},
        {SCORE(0.5, 0.25, 1, SEPX_SCORED)},
        {SCORE(0.5, 0.125, 1, SEPX_SCORED)},
        {SCORE(0.25, 0.75, 0.5, SEPX_SCORED)},
        {SCORE(NAN, NAN, 0.125, SEPX_UNFIT)},
        {SCORE(0.375, 0.0, 2, SEPX_SCORED)},
    };

    (void)context;
    *score = play[job->trial];
    return SEPX_OK;
}

/* The first of equal scores stays; failures cost, and change nothing else. */
static void
test_what_is_reported_is_the_incumbents(void **state)
{
    static const double curve[] = {INFINITY, 0.5, 0.5, 0.25, 0.25, 0.25};
    static const double test[] = {INFINITY, 0.25, 0.25, 0.75, 0.75, 0.75};
    static const double spent[] = {0.125, 1.125, 2.125, 2.625, 2.75, 4.75};
    struct fixture f = {0};
    struct sepx_run_plan plan;
    struct sepx_runs runs;
    struct sepx_text json;

    (void)state;
    assert_int_equal(sepx_space_open(&f.space, "nb101", NULL), SEPX_OK);
    assert_int_equal(
        sepx_method_new(&f.method, f.space, "random", NULL, NULL, NULL),
        SEPX_OK);
    assert_int_equal(sepx_eval_from_function(&f.eval, "play", scripted, NULL),
                     SEPX_OK);
    plan = plan_of(&f, 1, 6);
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    assert_int_equal(runs.at[0].evaluations, 6);
    assert_memory_equal(runs.at[0].curve, curve, sizeof curve);
    assert_memory_equal(runs.at[0].test, test, sizeof test);
    assert_memory_equal(runs.at[0].spent, spent, sizeof spent);
    assert_int_equal(runs.at[0].best_trial, 3);
    assert_int_equal(runs.at[0].reached, UINT32_MAX);
    json = as_json(&runs);
    assert_non_null(strstr(json.at, "\"spent\":[0.125,1.125,"));
    assert_non_null(strstr(json.at, "\"reached\":null,\"visited\":null"));
    sepx_text_release(&json);
    sepx_runs_release(&runs);
    /* Nothing but failures. */
    plan.evals = 1;
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    json = as_json(&runs);
    sepx_text_release(&json);
    sepx_runs_release(&runs);
    close_all(&f);
}

/* A distance is its own test value, and every evaluation is a full one. */
static void
test_exact_scores_are_reached_and_visited_at_once(void **state)
{
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs runs;
    unsigned reached = 0;

    (void)state;
    open_all(&f, "nb101", "target:optimum", "sep");
    plan = plan_of(&f, 4, 1000);
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    for (size_t i = 0; i < 4; i++) {
        const struct sepx_run *run = &runs.at[i];

        assert_memory_equal(run->curve, run->test, 1000 * sizeof(double));
        CHECK(run->spent[999] == 1000, "%g", run->spent[999]);
        assert_int_equal(run->reached, run->visited);
        assert_int_equal(run->reached,
                         run->best > 0 ? UINT32_MAX : run->best_trial);
        reached += run->best == 0;
    }
    assert_true(reached > 0);
    sepx_runs_release(&runs);
    close_all(&f);
}

/* ---- progress and stopping ---- */

struct looker {
    uint64_t last, total, stop_at;
    atomic_uint crossed;
};

static bool
look(void *context, uint64_t done, uint64_t total)
{
    struct looker *looker = context;

    CHECK(done > looker->last && done <= total, "%llu of %llu",
          (unsigned long long)done, (unsigned long long)total);
    looker->last = done;
    looker->total = total;
    return done < looker->stop_at;
}

static void
watch(void *context, uint32_t run, const struct sepx_graph *first,
      const struct sepx_graph *second, bool accepted)
{
    struct looker *looker = context;

    (void)accepted;
    assert_true(run < 4);
    assert_true(first != second);
    atomic_fetch_add(&looker->crossed, 1);
}

static void
test_progress_sees_every_evaluation(void **state)
{
    struct looker looker = {.stop_at = UINT64_MAX};
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs runs;

    (void)state;
    open_all(&f, "nb101", "target:optimum", "sep");
    plan = plan_of(&f, 4, 300);
    plan.progress = look;
    plan.crossed = watch;
    plan.context = &looker;
    plan.threads = 2;
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_OK);
    assert_int_equal(looker.last, 1200);
    assert_int_equal(looker.total, 1200);
    assert_true(atomic_load(&looker.crossed) > 100);
    sepx_runs_release(&runs);
    close_all(&f);
}

/* A stop keeps what is finished, and it is what it would have been. */
static void
test_a_stop_keeps_finished_runs(void **state)
{
    struct looker looker = {.stop_at = 1201}; /* in the fourth run */
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs all, some;

    (void)state;
    open_all(&f, "nb101", "target:optimum", "mutation");
    plan = plan_of(&f, 10, 400);
    assert_int_equal(sepx_runs_make(&all, &plan), SEPX_OK);
    plan.progress = look;
    plan.context = &looker;
    assert_int_equal(sepx_runs_make(&some, &plan), SEPX_ESTOPPED);
    assert_int_equal(some.finished, 3);
    assert_int_equal(some.count, 3);
    for (size_t i = 0; i < some.count; i++)
        assert_memory_equal(some.at[i].curve, all.at[i].curve,
                            400 * sizeof(double));
    sepx_runs_release(&some);
    sepx_runs_release(&all);
    close_all(&f);
}

static void
test_empty_plans_are_refused(void **state)
{
    struct fixture f;
    struct sepx_run_plan plan;
    struct sepx_runs runs;

    (void)state;
    open_all(&f, "nb101", "target:optimum", "random");
    plan = plan_of(&f, 0, 10);
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_EINVAL);
    plan = plan_of(&f, 10, 0);
    assert_int_equal(sepx_runs_make(&runs, &plan), SEPX_EINVAL);
    close_all(&f);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture f;
    struct sepx_run_plan plan;

    (void)state;
    open_all(&f, "nb101", "target:optimum", "sep:population=4");
    plan = plan_of(&f, 2, 12);
    EACH_FAULT (fault) {
        struct sepx_runs runs;

        fault.err = sepx_runs_make(&runs, &plan);
        sepx_runs_release(&runs);
    }
    close_all(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_a_run_can_be_repeated_alone),
        cmocka_unit_test(test_the_books_add_up),
        cmocka_unit_test(test_curves_are_read_by_evaluations_or_by_cost),
        cmocka_unit_test(test_what_is_reported_is_the_incumbents),
        cmocka_unit_test(test_exact_scores_are_reached_and_visited_at_once),
        cmocka_unit_test(test_progress_sees_every_evaluation),
        cmocka_unit_test(test_a_stop_keeps_finished_runs),
        cmocka_unit_test(test_empty_plans_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
