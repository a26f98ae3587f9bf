/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs that users bring: proposals that the search did not make, and
 * results that nobody has to evaluate. Both are trials like any other.
 */
#include "run/study_internal.h"

#include "run/study_numbers.h"

#include <math.h>
#include <time.h>

struct bringing {
    struct sepx_study *study;
    struct sepx__ledger ledger;
    double elapsed;
    struct sepx_msg *msg;
};

static enum sepx_err
tell(struct bringing *b, struct sepx__pending *pending,
     const struct sepx_study_result *result)
{
    const struct sepx_goals *goals = &b->study->goals;
    struct sepx_score score = result->score;
    struct sepx_text numbers = {0};
    struct sepx_told told = {.trial = pending->ask.trial,
                             .outcome = sepx_outcome_name(SEPX_SCORED),
                             .cost = score.cost,
                             .cached = -1,
                             .elapsed = b->elapsed};
    struct timespec now;
    enum sepx_err err;

    if (isnan(score.test))
        score.test = score.value;
    sepx__study_turn(b->study, &score);
    sepx__numbers_finish(goals, &score);
    told.value = score.value;
    told.test = score.test;
    err = sepx__numbers_write(&numbers, goals, &score);
    told.numbers = numbers.at;
    clock_gettime(CLOCK_REALTIME, &now);
    told.finished = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (!err)
        err = sepx_store_tell(b->study->store, &told, b->msg);
    if (!err)
        err = sepx__ledger_tell(&b->ledger, pending, &score);
    sepx_text_release(&numbers);
    return err;
}

static enum sepx_err
check_score(const struct sepx_goals *goals,
            const struct sepx_study_result *result, struct sepx_msg *msg)
{
    for (uint32_t i = 0; i < goals->names; i++) {
        if (!isfinite(result->score.number[i]))
            return sepx_fail(msg, SEPX_EINVAL,
                             "'%s' is %g; it has to be finite", goals->name[i],
                             result->score.number[i]);
    }
    if ((goals->names || isfinite(result->score.value)) &&
        !isinf(result->score.test) && isfinite(result->score.cost))
        return SEPX_OK;
    return sepx_fail(
        msg, SEPX_EINVAL, "the score %g, test %g or cost %g is not finite",
        result->score.value, result->score.test, result->score.cost);
}

/* `result`: of imported graphs only. */
static enum sepx_err
bring(struct bringing *b, const struct sepx_graph *graph,
      const struct sepx_study_result *result, bool *known)
{
    struct sepx__pending *pending = NULL;
    struct sepx_asked asked;
    enum sepx_err err =
        result ? check_score(&b->study->goals, result, b->msg) : SEPX_OK;

    if (!err)
        err = sepx__ledger_bring(
            &b->ledger, &pending, &asked, graph,
            result ? SEPX_OPERATOR_IMPORTED : SEPX_OPERATOR_ADDED, b->msg);
    *known = !pending;
    if (err || !pending)
        return err;
    err = sepx_store_ask(b->study->store, &asked, b->msg);
    return err || !result ? err : tell(b, pending, result);
}

/* All or nothing. */
static enum sepx_err
bring_all(struct bringing *b, const struct sepx_study_result *result,
          size_t count, bool import, struct sepx_study_brought *brought)
{
    enum sepx_err err = sepx__study_lock(b->study, b->msg);

    for (size_t i = 0; i < count && !err; i++) {
        bool known;

        err = bring(b, result[i].graph, import ? &result[i] : NULL, &known);
        brought->known += known;
        brought->trials += !known;
        if (err == SEPX_EINVAL)
            brought->failed = i;
    }
    return err ? err : sepx_store_commit(b->study->store, b->msg);
}

enum sepx_err
sepx_study_bring(struct sepx_study *study,
                 const struct sepx_study_result *result, size_t count,
                 bool import, struct sepx_study_brought *brought,
                 struct sepx_msg *msg)
{
    struct bringing b = {.study = study, .msg = msg};
    enum sepx_err err = sepx__study_replay(study, &b.ledger, &b.elapsed, msg);

    *brought =
        (struct sepx_study_brought){.first = b.ledger.asked, .failed = count};
    if (!err)
        err = bring_all(&b, result, count, import, brought);
    sepx__ledger_release(&b.ledger);
    return err;
}
