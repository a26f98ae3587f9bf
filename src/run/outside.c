/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study whose graphs are evaluated outside: the caller asks and tells. The
 * same ledger and log as with workers, so either may continue what the
 * other began.
 */
#include "run/study_internal.h"

#include <math.h>
#include <string.h>

#include "eval/answer.h"
#include "run/study_numbers.h"

struct sepx_session {
    struct sepx__session log;
    struct sepx_study_plan plan;
    double until; /* the plan's, if it has one */
    struct sepx__limits limits;
};

enum sepx_err
sepx_session_begin(struct sepx_session **session, struct sepx_study *study,
                   const struct sepx_study_plan *plan, struct sepx_msg *msg)
{
    struct sepx_session *made = sepx__calloc(1, sizeof *made);
    enum sepx_err err;

    *session = NULL;
    if (!made)
        return SEPX_ENOMEM;
    made->plan = *plan;
    made->until = plan->until ? *plan->until : NAN;
    made->plan.until = plan->until ? &made->until : NULL;
    err = sepx__session_begin(&made->log, study, &made->plan, msg);
    sepx__limits_init(&made->limits, &made->plan, &made->log.ledger);
    if (!err)
        err = sepx__session_settle(&made->log);
    if (!err)
        err = sepx__session_commit(&made->log);
    if (!err) {
        *session = made;
        return SEPX_OK;
    }
    sepx__session_end(&made->log);
    sepx__free(made);
    return err;
}

enum sepx_err
sepx_session_end(struct sepx_session *session, struct sepx_msg *msg)
{
    enum sepx_err err;

    if (!session)
        return SEPX_OK;
    session->log.msg = msg;
    err = sepx__session_note_time(&session->log, 0);
    sepx__session_end(&session->log);
    sepx__limits_release(&session->limits);
    sepx__free(session);
    return err;
}

/* Why nothing more is to be proposed. */
static enum sepx_err
find_end(struct sepx_session *session, enum sepx_study_end *end)
{
    struct sepx__ledger *ledger = &session->log.ledger;
    double seconds = session->plan.seconds;

    *end = SEPX_STUDY_OPEN;
    if (sepx__limits_failing(&session->limits, ledger))
        *end = SEPX_STUDY_FAILING;
    else if (seconds > 0 && sepx__session_elapsed(&session->log) >= seconds)
        *end = SEPX_STUDY_TIME;
    else if (sepx__ledger_ready(ledger))
        return sepx__limits_next(&session->limits, ledger, end);
    return SEPX_OK;
}

/* Isomorphs of earlier trials need nobody: on to the next. */
static enum sepx_err
propose(struct sepx_session *session, struct sepx__pending **pending,
        enum sepx_study_end *end)
{
    enum sepx_err err = SEPX_OK;

    while (!err && !*pending) {
        err = find_end(session, end);
        if (err || *end || !sepx__ledger_ready(&session->log.ledger))
            break;
        err = sepx__session_propose(&session->log, pending);
    }
    return err;
}

enum sepx_err
sepx_session_ask(struct sepx_session *session, const struct sepx_ask **ask,
                 enum sepx_study_end *end, struct sepx_msg *msg)
{
    enum sepx_study_end why = SEPX_STUDY_OPEN;
    struct sepx__pending *pending;
    enum sepx_err err, committed;

    *ask = NULL;
    session->log.msg = msg;
    pending = sepx__session_left_over(&session->log);
    err = propose(session, &pending, &why);
    committed = sepx__session_commit(&session->log);
    if (!err)
        err = committed;
    if (end)
        *end = why;
    if (err || !pending)
        return err;
    pending->given = true;
    *ask = &pending->ask;
    return SEPX_OK;
}

/* Answers as they were given; scores are minimised. */
static enum sepx_err
read_answer(const struct sepx_session *session, struct sepx_score *score,
            struct sepx_text *line, const struct sepx_session_result *result,
            struct sepx_msg *why)
{
    const struct sepx_goals *goals = &session->log.study->goals;
    const char *answer = result->answer ? result->answer : "";
    enum sepx_err err;

    score->outcome = result->outcome;
    if (result->outcome != SEPX_SCORED)
        return SEPX_OK;
    err = sepx__answer_read(score, line, (const char *const *)goals->name,
                            answer, strlen(answer), true, why);
    sepx__study_turn(session->log.study, score);
    if (!err)
        sepx__eval_fill(score, (const char *const *)goals->name, 1);
    if (!err)
        sepx__numbers_finish(goals, score);
    if (err != SEPX_EDATA)
        return err;
    *score = (struct sepx_score){
        .value = NAN, .test = NAN, .cost = score->cost, .outcome = SEPX_FAILED};
    sepx_text_release(line);
    return SEPX_OK;
}

enum sepx_err
sepx_session_tell(struct sepx_session *session, uint32_t trial,
                  const struct sepx_session_result *result,
                  struct sepx_msg *msg)
{
    struct sepx__pending *pending =
        sepx__ledger_find(&session->log.ledger, trial);
    struct sepx_told told = {.slot = result->slot, .seconds = result->seconds};
    struct sepx_score score = {.value = NAN, .test = NAN};
    struct sepx_text line = {0};
    struct sepx_msg why = {0};
    enum sepx_err err;

    if (!pending || !pending->given)
        return sepx_fail(msg, SEPX_EINVAL,
                         "trial %u is not under way; tell each trial that was "
                         "asked, once",
                         trial);
    session->log.msg = msg;
    pending->given = false;
    if (result->outcome == SEPX_CANCELLED)
        return SEPX_OK;
    score.cost = pending->ask.fidelity;
    err = read_answer(session, &score, &line, result, &why);
    told.answer = line.at;
    told.errors = why.text[0] ? why.text : result->errors;
    if (!err)
        err = sepx__session_tell(&session->log, pending, &told, &score);
    if (!err)
        err = sepx__session_settle(&session->log);
    if (!err)
        err = sepx__session_commit(&session->log);
    sepx_text_release(&line);
    return err;
}
