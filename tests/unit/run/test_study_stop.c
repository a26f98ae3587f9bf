/* SPDX-License-Identifier: Apache-2.0 */
/* A stop in the middle of a proposal, or of a replay, loses nothing. */
#include "unit/check.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "sepx/study.h"
#include "unit/custom_files.h"
#include "unit/study_fixture.h"
#include "unit/study_log.h"

#define EVALS 40

/* Large enough that an alignment asks more than once. */
#define SPACE_LARGE \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS ", \"a\": {}, \"b\": {}, \"c\": {}}, " \
    "\"limits\": {\"nodes\": 24}, \"sample\": {\"edge_probability\": 0.2}}"

static const char *const methods[] = {"sep:population=6,tournament=2", "local",
                                      "smac:candidates=100,searches=2", "bohb"};

struct countdown {
    atomic_long left;
};

static bool
count_down(void *context)
{
    struct countdown *c = context;

    return atomic_fetch_sub(&c->left, 1) <= 0;
}

static enum sepx_err
count_edges(void *context, struct sepx_score *score,
            const struct sepx_eval_job *job)
{
    (void)context;
    score->value = score->test = job->graph->n_edges;
    return SEPX_OK;
}

static void
begin_with(struct fixture *f, const char *method)
{
    struct sepx_study_settings settings;
    char space[96];

    sepx_study_settings_init(&settings);
    snprintf(space, sizeof space, "%s/space.json", f->folder);
    assert_int_equal(
        sepx_file_write(space, SPACE_LARGE, strlen(SPACE_LARGE), &f->msg),
        SEPX_OK);
    settings.space = space;
    settings.method = method;
    settings.seed = 2;
    settings.window = 4;
    begin(f, &settings);
}

/* A session that is asked to stop at the call after `calls`. */
static enum sepx_err
go_on(struct fixture *f, long calls)
{
    struct countdown c;
    struct sepx_study_plan plan = {
        .evals = EVALS, .workers = 2, .stop = {count_down, &c}};
    struct sepx_study *study;
    struct sepx_eval *eval;
    enum sepx_err err;

    atomic_init(&c.left, calls);
    assert_int_equal(sepx_eval_from_function(&eval, "edges", count_edges, NULL),
                     SEPX_OK);
    plan.eval = eval;
    assert_int_equal(sepx_study_open(&study, f->path, true, &f->msg), SEPX_OK);
    err = sepx_study_run(study, &plan, &f->msg);
    sepx_study_close(study);
    sepx_eval_close(eval);
    return err;
}

static void
test_a_stop_anywhere_loses_nothing(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        struct sepx_text whole, parts;
        enum sepx_err err = SEPX_ESTOPPED;
        unsigned stops = 0;

        begin_with(f, methods[i]);
        assert_int_equal(go_on(f, LONG_MAX), SEPX_OK);
        whole = export(f);
        begin_with(f, methods[i]);
        for (long calls = 1; err == SEPX_ESTOPPED; calls += 3 + calls / 8) {
            err = go_on(f, calls);
            stops += err == SEPX_ESTOPPED;
        }
        CHECK(!err, "%s: %s", methods[i], f->msg.text);
        CHECK(stops > 3, "%s: %u stops", methods[i], stops);
        verify(f, EVALS);
        parts = export(f);
        assert_string_equal(parts.at, whole.at);
        sepx_text_release(&whole);
        sepx_text_release(&parts);
    }
}

/* A study that an earlier version began has alignments without limit. */
static void
test_old_studies_keep_their_alignments(void **state)
{
    static const char *const settings[] = {
        "{\"space\":\"s.json\",\"method\":\"sep\",\"window\":2,\"rule\":[]}",
        "{\"space\":\"s.json\",\"method\":\"sep\",\"window\":2,\"rule\":["
        "\"align=7\"],\"bounded\":true}"};
    struct fixture *f = *state;

    for (int i = 0; i < 2; i++) {
        struct sepx_study *study;
        const char *const *rule;

        unlink(f->path);
        assert_int_equal(sepx_store_create(f->path, settings[i], NULL, &f->msg),
                         SEPX_OK);
        assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg),
                         SEPX_OK);
        rule = sepx_study_settings(study)->rule;
        assert_string_equal(rule[0], i ? "align=7" : "align=0");
        assert_null(rule[1]);
        sepx_study_close(study);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_stop_anywhere_loses_nothing,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_old_studies_keep_their_alignments,
                                        set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
