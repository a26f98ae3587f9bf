/* SPDX-License-Identifier: Apache-2.0 */
/* What the log of a study says, in numbers. */
#include "run/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
sepx_study_summary_release(struct sepx_study_summary *summary)
{
    sepx__free(summary->curve);
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
count_outcome(struct sepx_study_summary *summary, const char *name)
{
    for (int i = 0; i <= SEPX_CANCELLED; i++)
        summary->outcome[i] +=
            !strcmp(sepx_outcome_name((enum sepx_outcome)i), name);
}

static enum sepx_err
add_told(struct sepx_study_summary *summary, const struct sepx_told *told,
         struct sepx_study_operator *op)
{
    bool better = told->value < summary->best ||
                  (isnan(summary->best) && !isnan(told->value));
    enum sepx_err err =
        sepx__grow((void **)&summary->curve, &summary->curve_room,
                   summary->n_curve + 1, sizeof *summary->curve);

    if (err)
        return err;
    summary->told++;
    summary->cached += told->cached >= 0;
    summary->evaluating += told->seconds;
    summary->elapsed = fmax(summary->elapsed, told->elapsed);
    summary->last = fmax(summary->last, told->finished);
    count_outcome(summary, told->outcome);
    if (better) {
        summary->best = told->value;
        summary->best_trial = told->trial;
    }
    if (op) {
        op->told++;
        op->improved += better;
    }
    summary->curve[summary->n_curve++] = summary->best;
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
    return entry->is_told ? add_told(summary, &entry->told, op) : SEPX_OK;
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
    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        err = sepx_study_summary_add(summary, &entry);
    }
    sepx_cursor_free(cursor);
    if (err)
        sepx_study_summary_release(summary);
    return err;
}
