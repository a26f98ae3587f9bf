/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a study ends.
 *
 * Whether proposal k is made may depend on the results of the trials up to
 * k - W alone, as the proposal itself does, so that the rules which read
 * results do not break the promise of window mode: the same trials for any
 * number of workers. Failures in a row are counted as they come, in the order
 * of trials: a broken evaluator should not run for the rest of the window.
 */
#include "run/study_internal.h"

#include <math.h>

/* Isomorphic proposals in a row after which there may be no other graph. */
#define REPEATS_MOST 1000

void
sepx__limits_init(struct sepx__limits *limits,
                  const struct sepx_study_plan *plan,
                  struct sepx__ledger *ledger)
{
    *limits = (struct sepx__limits){.plan = plan, .best = NAN};
    for (uint32_t i = 0; i < ledger->asked; i++)
        ledger->known[i].earlier = ledger->known[i].told;
}

void
sepx__limits_release(struct sepx__limits *limits)
{
    sepx__archive_release(&limits->front);
}

/* With goals, what is allowed and enters the front is a new best. */
static enum sepx_err
look_at_merit(struct sepx__limits *limits, const struct sepx__ledger *ledger,
              uint32_t trial)
{
    struct sepx_score score = sepx__ledger_score(ledger, trial);
    struct sepx_merit merit;
    bool entered;
    enum sepx_err err;

    if (score.outcome != SEPX_SCORED)
        return SEPX_OK;
    sepx_goals_merit(ledger->goals, &merit, score.number);
    err = sepx__archive_add(&limits->front, &merit, &entered);
    if (err || !entered)
        return err;
    limits->since = 0;
    if (isnan(limits->best) || merit.objective[0] < limits->best)
        limits->best = merit.objective[0];
    return SEPX_OK;
}

/* Take in the results of the trials below `end`. */
static enum sepx_err
look_at(struct sepx__limits *limits, const struct sepx__ledger *ledger,
        uint32_t end)
{
    enum sepx_err err = SEPX_OK;

    for (; limits->seen < end && !err; limits->seen++) {
        const struct sepx__known *known = &ledger->known[limits->seen];

        if (!known->told)
            break;
        if (!known->cached && !known->imported)
            limits->since++;
        if (ledger->goals->names)
            err = look_at_merit(limits, ledger, limits->seen);
        else if (known->value < limits->best ||
                 (isnan(limits->best) && !isnan(known->value))) {
            limits->best = known->value;
            limits->since = 0;
        }
    }
    return err;
}

static enum sepx_study_end
rule_met(const struct sepx__limits *limits)
{
    const struct sepx_study_plan *plan = limits->plan;

    if (plan->until && limits->best <= *plan->until)
        return SEPX_STUDY_REACHED;
    if (plan->patience && limits->since >= plan->patience)
        return SEPX_STUDY_STALLED;
    return SEPX_STUDY_OPEN;
}

enum sepx_err
sepx__limits_next(struct sepx__limits *limits,
                  const struct sepx__ledger *ledger, enum sepx_study_end *end)
{
    const struct sepx_study_plan *plan = limits->plan;
    uint32_t made = plan->count_evaluations ? ledger->evaluations
                                            : ledger->asked - ledger->imported;
    bool prompt = ledger->async || plan->kill_at_limit;
    enum sepx_err err = SEPX_OK;

    *end = SEPX_STUDY_OPEN;
    if (made >= plan->evals)
        *end = SEPX_STUDY_COMPLETE;
    else if (plan->count_evaluations && ledger->repeated >= REPEATS_MOST)
        *end = SEPX_STUDY_EXHAUSTED;
    if (*end)
        return SEPX_OK;
    if (prompt)
        err = look_at(limits, ledger, ledger->asked);
    else if (ledger->asked >= ledger->window)
        err = look_at(limits, ledger, ledger->asked - ledger->window + 1);
    *end = rule_met(limits);
    /* Trials under way at that point may have made a new best. */
    if (!err && *end && ledger->told == ledger->asked) {
        err = look_at(limits, ledger, ledger->asked);
        *end = rule_met(limits);
    }
    return err;
}

bool
sepx__limits_failing(struct sepx__limits *limits,
                     const struct sepx__ledger *ledger)
{
    uint32_t most = limits->plan->max_failures;

    for (; limits->counted < ledger->asked; limits->counted++) {
        const struct sepx__known *known = &ledger->known[limits->counted];

        if (!known->told || (most && limits->in_row >= most))
            break;
        if (known->earlier || known->cached || known->outcome == SEPX_UNFIT ||
            known->outcome == SEPX_LOST || known->outcome == SEPX_PRUNED)
            continue;
        limits->in_row = known->outcome == SEPX_SCORED ? 0 : limits->in_row + 1;
    }
    return most && limits->in_row >= most;
}

enum sepx_study_end
sepx_study_ended(const struct sepx_study_summary *summary,
                 const struct sepx_study_plan *plan)
{
    const struct sepx__limits limits = {plan, .best = summary->best,
                                        .since = summary->since};
    uint32_t made = summary->told - summary->imported -
                    (plan->count_evaluations ? summary->cached : 0);

    if (summary->told < summary->asked)
        return SEPX_STUDY_OPEN;
    return made >= plan->evals ? SEPX_STUDY_COMPLETE : rule_met(&limits);
}
