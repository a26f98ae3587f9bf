/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a fixture's study, for tests that compare and verify logs. */
#ifndef SEPX_TESTS_STUDY_LOG_H
#define SEPX_TESTS_STUDY_LOG_H

#include "unit/check.h"
#include "sepx/study.h"
#include "unit/study_fixture.h"

static void
begin(struct fixture *f, const struct sepx_study_settings *settings)
{
    struct sepx_study *study;
    enum sepx_err err;

    unlink(f->path);
    err = sepx_study_create(&study, f->path, settings, NULL, &f->msg);
    CHECK(!err, "%s", f->msg.text);
    sepx_study_close(study);
}

/* What is the same for any number of workers, as one text. */
static struct sepx_text export(struct fixture *f)
{
    struct sepx_text text = {0};
    struct sepx_study *study;
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more;

    assert_int_equal(sepx_study_open(&study, f->path, false, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_read(sepx_study_store(study), &cursor,
                                     SEPX_STORE_TRIALS, 0, &f->msg),
                     SEPX_OK);
    for (;;) {
        assert_int_equal(sepx_cursor_next(cursor, &entry, &more, &f->msg),
                         SEPX_OK);
        if (!more)
            break;
        assert_true(entry.is_told);
        assert_int_equal(
            sepx_text_print(&text, "%u %s %lld %lld %lld %s: %s %g %lld\n",
                            entry.asked.trial, entry.asked.op,
                            (long long)entry.asked.parent[0],
                            (long long)entry.asked.parent[1],
                            (long long)entry.asked.same, entry.asked.graph,
                            entry.told.outcome, entry.told.value,
                            (long long)entry.told.cached),
            SEPX_OK);
    }
    sepx_cursor_free(cursor);
    sepx_study_close(study);
    return text;
}

static void
verify(struct fixture *f, uint32_t trials)
{
    struct sepx_study *study;
    uint32_t asked = 0, told = 0;
    enum sepx_err err = sepx_study_open(&study, f->path, false, &f->msg);

    if (!err)
        err = sepx_study_verify(study, &asked, &told, &f->msg);
    CHECK(!err, "%s", f->msg.text);
    assert_int_equal(asked, trials);
    assert_int_equal(told, trials);
    sepx_study_close(study);
}

#endif
