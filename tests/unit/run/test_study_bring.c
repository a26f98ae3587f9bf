/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that users bring to a study, before, within and behind its trials. */
#include "unit/check.h"

#include <string.h>

#include "unit/faults.h"
#include "unit/study_log.h"

enum { MOST = 40 };

static struct sepx_study_settings
settings_of(const char *method)
{
    struct sepx_study_settings set;

    sepx_study_settings_init(&set);
    set.space = "nb101";
    set.method = method;
    set.eval = "target:optimum";
    set.seed = 3;
    set.window = 4;
    return set;
}

/* `count` random graphs; their scores are `from` and on. */
struct gifts {
    struct sepx_space *space;
    struct sepx_graph graph[MOST];
    struct sepx_study_result result[MOST];
    size_t count;
};

static void
gifts_make(struct gifts *gifts, size_t count, double from, uint32_t run)
{
    *gifts = (struct gifts){.count = count};
    assert_int_equal(sepx_space_open(&gifts->space, "nb101", NULL), SEPX_OK);
    for (uint32_t i = 0; i < count; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, 77, run, i, 0);
        gifts->graph[i].names = sepx_space_names(gifts->space);
        assert_int_equal(
            sepx_space_sample(gifts->space, &gifts->graph[i], &rng), SEPX_OK);
        gifts->result[i].graph = &gifts->graph[i];
        gifts->result[i].score =
            (struct sepx_score){.value = from + i, .test = NAN, .cost = 1};
    }
}

static void
gifts_free(struct gifts *gifts)
{
    for (size_t i = 0; i < gifts->count; i++)
        sepx_graph_release(&gifts->graph[i]);
    sepx_space_close(gifts->space);
}

static enum sepx_err
bring(struct fixture *f, const struct gifts *gifts, bool import,
      struct sepx_study_brought *brought)
{
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, true, &f->msg);

    if (!err)
        err = sepx_study_bring(study, gifts->result, gifts->count, import,
                               brought, &f->msg);
    sepx_study_close(study);
    return err;
}

static void
go(struct fixture *f, uint32_t evals, unsigned workers)
{
    struct sepx_study_plan plan = {.evals = evals, .workers = workers};
    struct sepx_study *study;
    enum sepx_err err = sepx_study_open(&study, f->path, true, &f->msg);

    if (!err)
        err = sepx_study_run(study, &plan, &f->msg);
    CHECK(!err, "%s", f->msg.text);
    sepx_study_close(study);
}

/* ---- tests ---- */

/* More than the window, before the first proposal and between others. */
static void
play(struct fixture *f, const char *method, bool async, unsigned workers,
     struct sepx_text *text)
{
    struct sepx_study_settings set = settings_of(method);
    struct sepx_study_brought brought;
    struct gifts first, then;

    set.async = async;
    gifts_make(&first, 6, 0, 1);
    gifts_make(&then, 30, 2, 2);
    begin(f, &set);
    assert_int_equal(bring(f, &first, false, &brought), SEPX_OK);
    assert_int_equal(brought.trials + brought.known, 6);
    assert_int_equal(brought.first, 0);
    go(f, 30, workers);
    verify(f, 30);
    assert_int_equal(bring(f, &then, true, &brought), SEPX_OK);
    assert_int_equal(brought.first, 30);
    assert_int_equal(brought.trials + brought.known, 30);
    verify(f, 30 + brought.trials);
    assert_int_equal(bring(f, &then, true, &brought), SEPX_OK);
    assert_int_equal(brought.known, 30);
    gifts_free(&then);
    gifts_make(&then, 30, 2, 3);
    assert_int_equal(bring(f, &then, false, &brought), SEPX_OK);
    go(f, 90, workers);
    *text = export(f);
    gifts_free(&first);
    gifts_free(&then);
}

static void
test_the_same_for_any_number_of_workers(void **state)
{
    static const char *const methods[] = {"sep:population=8,tournament=3",
                                          "random",
                                          "local",
                                          "reinforce",
                                          "smac",
                                          "bohb"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct sepx_text one, four, async;

        play(f, methods[i], false, 1, &one);
        play(f, methods[i], false, 4, &four);
        CHECK(!strcmp(one.at, four.at), "%s", methods[i]);
        play(f, methods[i], true, 1, &async);
        assert_non_null(strstr(one.at, " added "));
        assert_non_null(strstr(one.at, " imported "));
        sepx_text_release(&one);
        sepx_text_release(&four);
        sepx_text_release(&async);
    }
}

/* The first children of a study that knows good graphs are theirs. */
static void
test_evolution_learns_from_what_is_imported(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("mutation:population=8");
    struct sepx_study_brought brought;
    struct gifts gifts;
    struct sepx_text text;

    gifts_make(&gifts, 8, -9, 1);
    begin(f, &set);
    go(f, 8, 2);
    assert_int_equal(bring(f, &gifts, true, &brought), SEPX_OK);
    go(f, 9, 2);
    text = export(f);
    /* The best of the four that are still alive is the oldest of them. */
    CHECK(strstr(text.at, "\n16 mutation 12 -1 "), "%s", text.at);
    sepx_text_release(&text);
    gifts_free(&gifts);
}

static void
test_isomorphs_get_the_imported_result(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("random");
    struct sepx_study_brought brought;
    struct gifts gifts;
    struct sepx_text text;

    gifts_make(&gifts, 2, 5, 1);
    begin(f, &set);
    assert_int_equal(sepx_graph_copy(&gifts.graph[1], &gifts.graph[0]),
                     SEPX_OK);
    assert_int_equal(bring(f, &gifts, true, &brought), SEPX_OK);
    assert_int_equal(brought.trials, 1);
    assert_int_equal(brought.known, 1);
    set.repeats = true;
    begin(f, &set);
    assert_int_equal(bring(f, &gifts, true, &brought), SEPX_OK);
    assert_int_equal(brought.trials, 2);
    go(f, 3, 1);
    verify(f, 5);
    text = export(f);
    assert_non_null(strstr(text.at, "0 imported -1 -1 -1 "));
    sepx_text_release(&text);
    gifts_free(&gifts);
}

static void
test_what_is_wrong_changes_nothing(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("random");
    struct sepx_study_brought brought;
    struct gifts gifts;
    static const char lone[] = "{\"nodes\":[\"input\"],\"edges\":[]}";
    struct sepx_graph bad = {0};

    gifts_make(&gifts, 3, 0, 1);
    begin(f, &set);
    gifts.result[2].score.value = INFINITY;
    assert_int_equal(bring(f, &gifts, true, &brought), SEPX_EINVAL);
    assert_int_equal(brought.failed, 2);
    assert_non_null(strstr(f->msg.text, "not finite"));
    verify(f, 0);
    bad.names = sepx_space_names(gifts.space);
    assert_int_equal(sepx_graph_read(&bad, bad.names, lone, strlen(lone),
                                     SEPX_FORMAT_JSON, NULL),
                     SEPX_OK);
    gifts.result[1].graph = &bad;
    assert_int_equal(bring(f, &gifts, false, &brought), SEPX_EINVAL);
    assert_int_equal(brought.failed, 1);
    assert_non_null(strstr(f->msg.text, "no graph of nb101"));
    verify(f, 0);
    sepx_graph_release(&bad);
    gifts_free(&gifts);
}

static void
test_every_allocation_may_fail(void **state)
{
    struct fixture *f = *state;
    struct sepx_study_settings set = settings_of("sep:population=4");
    struct sepx_study_brought brought;
    struct gifts gifts;

    gifts_make(&gifts, 6, 0, 1);
    for (long n = 0;; n++) {
        enum sepx_err err;

        begin(f, &set);
        fault_after(n);
        err = bring(f, &gifts, n % 2, &brought);
        if (!fault_hit()) {
            assert_int_equal(err, SEPX_OK);
            break;
        }
        CHECK(err == SEPX_ENOMEM, "%d after %ld", err, n);
        fault_stop();
        verify(f, 0);
    }
    fault_stop();
    gifts_free(&gifts);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_same_for_any_number_of_workers),
        TEST(test_evolution_learns_from_what_is_imported),
        TEST(test_isomorphs_get_the_imported_result),
        TEST(test_what_is_wrong_changes_nothing),
        TEST(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
