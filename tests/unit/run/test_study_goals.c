/* SPDX-License-Identifier: Apache-2.0 */
/* Studies with several objectives and constraints. */
#include "unit/check.h"

#include <string.h>

#include "run/private.h"
#include "unit/faults.h"
#include "unit/study_log.h"

#include <sqlite3.h>

static const char *const objectives[] = {"edges", "nodes:max", NULL};
static const char *const where[] = {"labels<=4", NULL};

/* Edges are to be few, nodes with an edge into them many. */
static enum sepx_err
count(void *context, struct sepx_score *score, const struct sepx_eval_job *job)
{
    const struct sepx_graph *graph = job->graph;
    uint64_t labels = 0, reached = 0;

    (void)context;
    if (graph->n_edges == 5) {
        score->outcome = SEPX_UNFIT;
        return SEPX_OK;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        labels |= UINT64_C(1) << (graph->label[i] % 64);
    for (uint32_t i = 0; i < graph->n_edges; i++)
        reached |= UINT64_C(1) << graph->edge[i].to;
    score->number[0] = graph->n_edges;
    score->number[1] = score->number[2] = 0;
    for (; reached; reached &= reached - 1)
        score->number[1]++;
    for (; labels; labels &= labels - 1)
        score->number[2]++;
    return SEPX_OK;
}

static struct sepx_study_settings
settings_of(const char *method)
{
    struct sepx_study_settings set;

    sepx_study_settings_init(&set);
    set.space = "nb101";
    set.method = method;
    set.objective = objectives;
    set.where = where;
    set.seed = 5;
    set.window = 4;
    return set;
}

static enum sepx_err
try_run(struct fixture *f, const struct sepx_study_plan *plan)
{
    static const char *const names[] = {"edges", "nodes", "labels", NULL};
    struct sepx_study_plan own = *plan;
    struct sepx_study *study = NULL;
    struct sepx_eval *eval;
    enum sepx_err err = sepx_eval_from_function(&eval, "count", count, NULL);

    if (!err)
        err = sepx_eval_want(eval, names, &f->msg);
    own.eval = eval;
    if (!err)
        err = sepx_study_open(&study, f->path, true, &f->msg);
    if (!err)
        err = sepx_study_run(study, &own, &f->msg);
    sepx_study_close(study);
    sepx_eval_close(eval);
    return err;
}

static void
go(struct fixture *f, uint32_t evals, unsigned workers)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = workers};
    enum sepx_err err = try_run(f, &plan);

    CHECK(!err, "%s", f->msg.text);
}

/* The front of the summary is that of all merits at once. */
static void
check_front(struct fixture *f)
{
    struct sepx_study_summary summary = {0};
    struct sepx_study *study;
    size_t at[400], wanted[400], found, expected;

    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    found = sepx_study_front(&summary, at);
    for (size_t i = 0; i < summary.n_curve; i++) {
        summary.merit[i].count = 2;
        if (isnan(summary.point[i].value))
            summary.merit[i].violation = 1;
    }
    expected = sepx_front_find(wanted, summary.merit, summary.n_curve);
    assert_int_equal(found, expected);
    CHECK(found >= 1, "%zu", found);
    for (size_t i = 0; i < found; i++)
        assert_int_equal(at[i], wanted[i]);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
}

static void
test_the_same_for_any_number_of_workers(void **state)
{
    static const char *const methods[] = {"sep:population=10,tournament=3",
                                          "mutation:population=10",
                                          "standard:population=10",
                                          "matched:population=10",
                                          "random",
                                          "model:start=8,candidates=4"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct sepx_study_settings set = settings_of(methods[i]);
        struct sepx_text text[3];

        for (unsigned k = 0; k < 3; k++) {
            begin(f, &set);
            go(f, 40, 1u << k);
            go(f, 120, 1u << k);
            verify(f, 120);
            text[k] = export(f);
        }
        CHECK(!strcmp(text[0].at, text[1].at), "%s", methods[i]);
        CHECK(!strcmp(text[0].at, text[2].at), "%s", methods[i]);
        check_front(f);
        for (unsigned k = 0; k < 3; k++)
            sepx_text_release(&text[k]);
    }
}

static void
test_patience_waits_for_the_front(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("random");
    enum sepx_study_end end;
    struct sepx_study_plan plan = {
        .evals = 1000, .workers = 2, .patience = 20, .end = &end};
    struct sepx_study_summary summary = {0};
    struct sepx_study *study;

    begin(f, &set);
    assert_int_equal(try_run(f, &plan), SEPX_OK);
    assert_int_equal(end, SEPX_STUDY_STALLED);
    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_summarize(&summary, study, &f->msg), SEPX_OK);
    CHECK(summary.since >= 20 && summary.since < 40, "%u", summary.since);
    assert_int_equal(sepx_study_ended(&summary, &plan), SEPX_STUDY_STALLED);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
}

static void
refused(struct fixture *f, const struct sepx_study_settings *set,
        enum sepx_err wanted, const char *why)
{
    struct sepx_study *study;

    unlink(f->path);
    f->msg.text[0] = '\0';
    assert_int_equal(sepx_study_create(&study, f->path, set, NULL, &f->msg),
                     wanted);
    CHECK(strstr(f->msg.text, why), "%s", f->msg.text);
}

static void
test_what_does_not_fit_is_refused(void **state)
{
    static const char *const bad[] = {"a:b", NULL};
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("local");
    struct sepx_study_plan plan = {.evals = 5, .workers = 1};
    struct sepx_study *study;
    struct sepx_eval *eval;

    refused(f, &set, SEPX_EUNSUPPORTED, "local knows one score");
    set.method = "sep";
    set.eval = "target:optimum";
    refused(f, &set, SEPX_EINVAL, "knows no number 'edges'");
    set.eval = NULL;
    set.program.maximize = true;
    refused(f, &set, SEPX_EINVAL, "NAME:max");
    set.program.maximize = false;
    set.objective = bad;
    refused(f, &set, SEPX_EINVAL, "the objective 'a:b'");
    set.objective = objectives;
    begin(f, &set);
    assert_int_equal(sepx_eval_from_function(&eval, "x", count, NULL), SEPX_OK);
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    plan.eval = eval;
    assert_int_equal(sepx_study_run(study, &plan, &f->msg), SEPX_EINVAL);
    CHECK(strstr(f->msg.text, "sepx_eval_want()"), "%s", f->msg.text);
    sepx_study_close(study);
    sepx_eval_close(eval);
}

static void
test_changed_numbers_are_found(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("random");
    struct sepx_study *study;
    uint32_t asked, told;
    sqlite3 *db;

    begin(f, &set);
    go(f, 12, 2);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "DROP TRIGGER told_stays; UPDATE told SET numbers ="
                     " replace(numbers, '[', '[1') WHERE trial = 3;"
                     "CREATE TRIGGER told_stays BEFORE UPDATE ON told"
                     "  BEGIN SELECT RAISE(ABORT, 'the log is append-only');"
                     " END",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_study_verify(study, &asked, &told, &f->msg),
                     SEPX_EDATA);
    CHECK(strstr(f->msg.text, "trial 3, differs from its checksum"), "%s",
          f->msg.text);
    sepx_study_close(study);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("mutation:population=4");
    struct sepx_study_plan plan = {.evals = 10, .workers = 1, .patience = 50};

    for (long n = 0;; n += 1 + n / 8) {
        enum sepx_err err;

        begin(f, &set);
        fault_after(n);
        err = try_run(f, &plan);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        fault_stop();
        go(f, 10, 1);
        verify(f, 10);
    }
    fault_stop();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_same_for_any_number_of_workers),
        TEST(test_patience_waits_for_the_front),
        TEST(test_what_does_not_fit_is_refused),
        TEST(test_changed_numbers_are_found),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
