/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a log follow from its settings? Its proposals, by replaying it; its
 * results as far as they can be known without evaluating again: what a
 * program answered is in the log, and so is what was made of it.
 */
#include "run/check/check.h"

#include <math.h>
#include <string.h>

#include "eval/answer.h"
#include "run/study_numbers.h"

/* Of one program for each trial; a mean has the answer of its last only. */
static bool
has_answers(const struct sepx_study_settings *set)
{
    return set->eval && set->program.repeats == 1 &&
           (!strncmp(set->eval, "command:", 8) ||
            !strncmp(set->eval, "shell:", 6));
}

static bool
differs(double a, double b)
{
    return !(a == b || (isnan(a) && isnan(b)));
}

/* Whether the log has other numbers than the answer. */
static bool
numbers_differ(const struct sepx_goals *goals, const struct sepx_told *told,
               const struct sepx_score *score)
{
    double number[SEPX_GOALS_MAX];

    if (!goals->names)
        return false;
    if (sepx_study_numbers(goals, number, told->numbers))
        return true;
    for (uint32_t i = 0; i < goals->names; i++) {
        if (number[i] != score->number[i])
            return true;
    }
    return false;
}

/* *what: the column that differs from the answer, or NULL. */
static enum sepx_err
compare_answer(const char **what, const struct sepx_study *study,
               const struct sepx_entry *entry)
{
    const char *const *name = (const char *const *)study->goals.name;
    const struct sepx_told *told = &entry->told;
    const char *answer = told->answer ? told->answer : "";
    struct sepx_score score = {.cost = entry->asked.fidelity};
    struct sepx_text line = {0};
    enum sepx_err err = sepx__answer_read(&score, &line, name, answer,
                                          strlen(answer), true, NULL);

    *what = NULL;
    if (!err && study->goals.names) {
        sepx__eval_fill(&score, name, 1);
        sepx__numbers_finish(&study->goals, &score);
    }
    sepx__study_turn(study, &score);
    if (err == SEPX_EDATA || differs(told->value, score.value))
        *what = "value";
    else if (differs(told->test, score.test))
        *what = "test value";
    else if (differs(told->cost, score.cost))
        *what = "cost";
    else if (numbers_differ(&study->goals, told, &score))
        *what = "list of numbers";
    sepx_text_release(&line);
    return err == SEPX_EDATA ? SEPX_OK : err;
}

enum sepx_err
sepx__check_answer(const struct sepx_study *study,
                   const struct sepx_entry *entry, struct sepx_msg *msg)
{
    const struct sepx_told *told = &entry->told;
    const char *what;
    enum sepx_err err;

    if (!has_answers(&study->settings) || !entry->is_told ||
        isnan(told->value) || told->cached >= 0 ||
        !strcmp(entry->asked.op, "imported"))
        return SEPX_OK;
    err = compare_answer(&what, study, entry);
    if (err || !what)
        return err;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: the %s of trial %u is not that of the program's "
                     "answer; the file was changed or is damaged, restore a "
                     "copy",
                     sepx_store_path(study->store), what, told->trial);
}

static enum sepx_err
check_answers(const struct sepx_study *study, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = has_answers(&study->settings);
    enum sepx_err err = SEPX_OK;

    if (more)
        err = sepx_store_read(study->store, &cursor, SEPX_STORE_TRIALS, 0, msg);
    while (!err && more) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (!err && more)
            err = sepx__check_answer(study, &entry, msg);
    }
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
sepx_study_verify(struct sepx_study *study, uint32_t *asked, uint32_t *told,
                  struct sepx_msg *msg)
{
    struct sepx__ledger ledger = {0};
    double elapsed;
    enum sepx_err err = sepx_store_check(study->store, msg);

    if (!err)
        err = sepx__study_replay(study, &ledger, &elapsed, msg);
    if (!err)
        err = check_answers(study, msg);
    *asked = ledger.asked;
    *told = ledger.told;
    sepx__ledger_release(&ledger);
    return err;
}
