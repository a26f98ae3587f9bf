/* SPDX-License-Identifier: Apache-2.0 */
/* What the log of a study says, in numbers. */
#include "run/study_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
sepx_study_summary_release(struct sepx_study_summary *summary)
{
    sepx__free(summary->curve);
    sepx__free(summary->point);
    sepx__free(summary->merit);
    sepx__free(summary->entered);
    *summary = (struct sepx_study_summary){0};
}

/* NULL: more operators than there is room for. */
static struct sepx_study_operator *
operator_of(struct sepx_study_summary *summary, const char *name)
{
    struct sepx_study_operator *op = summary->op;

    for (uint32_t i = 0; i < summary->n_ops; i++, op++) {
        if (!strncmp(op->name, name, sizeof op->name - 1))
            return op;
    }
    if (summary->n_ops == SEPX_STUDY_OPERATORS_MAX)
        return NULL;
    summary->n_ops++;
    (void)snprintf(op->name, sizeof op->name, "%s", name);
    return op;
}

static void
keep_failure(struct sepx_study_summary *summary, const struct sepx_told *told,
             enum sepx_outcome outcome)
{
    struct sepx_study_failure *failure =
        &summary->failure[summary->n_failures++ % SEPX_STUDY_FAILURES_MAX];

    summary->n_failed += sepx__outcome_failed(outcome);
    failure->trial = told->trial;
    failure->outcome = outcome;
    sepx_eval_error_line(failure->line, sizeof failure->line,
                         told->errors ? told->errors : "");
}

static void
count_outcome(struct sepx_study_summary *summary, const struct sepx_told *told)
{
    enum sepx_outcome outcome;

    if (!sepx__outcome_find(&outcome, told->outcome))
        return;
    summary->outcome[outcome]++;
    if (outcome != SEPX_SCORED && told->cached < 0)
        keep_failure(summary, told, outcome);
}

static void
set_better(struct sepx_study_summary *summary, struct sepx_study_point *point,
           bool better)
{
    if (point->op < SEPX_STUDY_OPERATORS_MAX) {
        summary->op[point->op].improved += better && !point->better;
        summary->op[point->op].improved -= !better && point->better;
    }
    point->better = better;
}

static bool
has_goals(const struct sepx_study_summary *summary)
{
    return summary->goals && summary->goals->names;
}

/* Whether `a` is nowhere worse than `b`. */
static bool
covers(const struct sepx_merit *a, const struct sepx_merit *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->objective[i] > b->objective[i])
            return false;
    }
    return true;
}

/* Whether the point at `at` enters the front of those before it. */
static bool
enters(struct sepx_study_summary *summary, size_t at)
{
    const struct sepx_merit *merit = &summary->merit[at];

    if (isnan(summary->point[at].value) || merit->violation > 0)
        return false;
    for (size_t i = summary->n_entered; i-- > 0;) {
        if (covers(&summary->merit[summary->entered[i]], merit))
            return false;
    }
    summary->entered[summary->n_entered++] = at;
    return true;
}

/* With goals, who enters the front is better; the curve is of the first. */
static void
follow_front(struct sepx_study_summary *summary, size_t at)
{
    while (summary->n_entered && summary->entered[summary->n_entered - 1] >= at)
        summary->n_entered--;
    for (; at < summary->n_curve; at++) {
        struct sepx_study_point *point = &summary->point[at];
        double before = at ? summary->curve[at - 1] : NAN;
        bool entered = enters(summary, at);
        bool best = entered && (isnan(before) || point->value < before);

        set_better(summary, point, entered);
        summary->curve[at] = best ? point->value : before;
        point->best = best || !at ? point->trial : point[-1].best;
        point->since =
            entered ? 0 : (at ? point[-1].since : 0) + !point->cached;
    }
}

size_t
sepx_study_front(const struct sepx_study_summary *summary, size_t *at)
{
    size_t count = 0;

    for (size_t i = 0; i < summary->n_entered; i++) {
        const struct sepx_merit *merit = &summary->merit[summary->entered[i]];
        bool stays = true;
        size_t to;

        for (size_t j = i + 1; j < summary->n_entered && stays; j++)
            stays = !covers(&summary->merit[summary->entered[j]], merit);
        if (!stays)
            continue;
        for (to = count++; to && summary->merit[at[to - 1]].objective[0] >
                                     merit->objective[0];
             to--)
            at[to] = at[to - 1];
        at[to] = summary->entered[i];
    }
    return count;
}

/* Who was the best when, from point `at` on. */
static void
follow_best(struct sepx_study_summary *summary, size_t at)
{
    for (; at < summary->n_curve && !has_goals(summary); at++) {
        struct sepx_study_point *point = &summary->point[at];
        double before = at ? summary->curve[at - 1] : NAN;
        bool better =
            point->value < before || (isnan(before) && !isnan(point->value));

        set_better(summary, point, better);
        summary->curve[at] = better ? point->value : before;
        point->best = better || !at ? point->trial : point[-1].best;
        point->since = better ? 0 : (at ? point[-1].since : 0) + !point->cached;
    }
    if (has_goals(summary))
        follow_front(summary, at);
    at = summary->n_curve - 1;
    summary->best = summary->curve[at];
    summary->best_trial = summary->point[at].best;
    summary->since = summary->point[at].since;
}

/* Results come nearly in order: all but the last few stay in place. */
static SEPX_CHECKED enum sepx_err
insert_point(struct sepx_study_summary *summary, struct sepx_study_point point,
             const struct sepx_merit *merit)
{
    size_t at = summary->n_curve;
    enum sepx_err err =
        sepx__grow((void **)&summary->curve, &summary->curve_room, at + 1,
                   sizeof *summary->curve);

    if (!err)
        err = sepx__grow((void **)&summary->point, &summary->point_room, at + 1,
                         sizeof *summary->point);
    if (!err && merit)
        err = sepx__grow((void **)&summary->merit, &summary->merit_room, at + 1,
                         sizeof *summary->merit);
    if (!err && merit)
        err = sepx__grow((void **)&summary->entered, &summary->entered_room,
                         at + 1, sizeof *summary->entered);
    if (err)
        return err;
    summary->n_curve++;
    for (; at && summary->point[at - 1].trial > point.trial; at--) {
        summary->point[at] = summary->point[at - 1];
        if (merit)
            summary->merit[at] = summary->merit[at - 1];
    }
    summary->point[at] = point;
    if (merit)
        summary->merit[at] = *merit;
    follow_best(summary, at);
    return SEPX_OK;
}

static enum sepx_err
add_told(struct sepx_study_summary *summary, const struct sepx_told *told,
         struct sepx_study_operator *op, bool imported)
{
    struct sepx_study_point point = {.value = told->value,
                                     .trial = told->trial,
                                     .cached = told->cached >= 0 || imported,
                                     .op = op ? (uint32_t)(op - summary->op)
                                              : SEPX_STUDY_OPERATORS_MAX};
    struct sepx_merit merit = {0};
    double number[SEPX_GOALS_MAX] = {0};
    enum sepx_err err = SEPX_OK;

    /* Damaged numbers are left to verifying; here they are no score. */
    if (has_goals(summary) && !isnan(told->value)) {
        err = sepx_study_numbers(summary->goals, number, told->numbers);
        if (err == SEPX_ENOMEM)
            return err;
        if (err)
            point.value = NAN;
        else
            sepx_goals_merit(summary->goals, &merit, number);
    }
    err = insert_point(summary, point, has_goals(summary) ? &merit : NULL);
    if (err)
        return err;
    summary->told++;
    summary->cached += told->cached >= 0;
    summary->imported += imported;
    summary->evaluating += told->seconds;
    summary->elapsed = fmax(summary->elapsed, told->elapsed);
    summary->last = fmax(summary->last, told->finished);
    count_outcome(summary, told);
    if (op)
        op->told++;
    return SEPX_OK;
}

enum sepx_err
sepx_study_summary_add(struct sepx_study_summary *summary,
                       const struct sepx_entry *entry)
{
    struct sepx_study_operator *op = operator_of(summary, entry->asked.op);

    if (!summary->asked)
        summary->best = NAN;
    summary->asked++;
    if (op)
        op->asked++;
    return entry->is_told ? add_told(summary, &entry->told, op,
                                     !strcmp(entry->asked.op, "imported"))
                          : SEPX_OK;
}

/* The operator of such graphs has the same name in all methods. */
bool
sepx_study_starts(const struct sepx_study_summary *summary, uint32_t *done,
                  uint32_t *total)
{
    const struct sepx_method_start *start = &summary->start;
    bool drawn = false;

    for (uint32_t i = 0; i < summary->n_ops; i++) {
        const char *name = summary->op[i].name;

        if (!strcmp(name, "random"))
            drawn = true;
        else if (strcmp(name, "added") != 0 && strcmp(name, "imported") != 0)
            return false;
    }
    *total = start->trials ? start->trials : start->scores;
    *done = start->trials ? summary->told : summary->outcome[SEPX_SCORED];
    if (*done > *total)
        *done = *total;
    return drawn && *total;
}

enum sepx_err
sepx_study_summarize(struct sepx_study_summary *summary,
                     struct sepx_study *study, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(study->store, &cursor, SEPX_STORE_TRIALS, 0, msg);

    summary->best = NAN;
    summary->goals = &study->goals;
    /* A method that this version does not know is left to verifying. */
    if (!err && sepx_method_start(&summary->start, study->settings.method,
                                  study->settings.rules, NULL) == SEPX_ENOMEM)
        err = SEPX_ENOMEM;
    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        err = sepx_study_summary_add(summary, &entry);
    }
    sepx_cursor_free(cursor);
    summary->elapsed = fmax(summary->elapsed, sepx_store_elapsed(study->store));
    if (err)
        sepx_study_summary_release(summary);
    return err;
}
