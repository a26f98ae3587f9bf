/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of a running study, whoever evaluates: workers (study_run.c)
 * or the caller (outside.c).
 */
#include "run/study_internal.h"
#include "store/claims.h"

#include "run/study_numbers.h"

#include <time.h>

enum sepx_err
sepx__session_begin(struct sepx__session *session, struct sepx_study *study,
                    const struct sepx_study_plan *plan, struct sepx_msg *msg)
{
    enum sepx_err err;

    *session = (struct sepx__session){
        .study = study, .plan = plan, .msg = msg, .began = sepx_clock()};
    err = sepx__study_load(study, msg);
    if (err)
        return err;
    sepx_space_set_stop(study->space, &plan->stop);
    err = sepx__study_replay(study, &session->ledger, &session->before, msg);
    session->noted = session->before;
    return err;
}

void
sepx__session_end(struct sepx__session *session)
{
    sepx__session_announce(session, false);
    sepx__free(session->uncommitted);
    session->uncommitted = NULL;
    session->uncommitted_room = 0;
    if (session->study && session->study->space)
        sepx_space_set_stop(session->study->space, NULL);
    sepx__ledger_release(&session->ledger);
}

double
sepx__session_elapsed(const struct sepx__session *session)
{
    return session->before + sepx_clock() - session->began;
}

enum sepx_err
sepx__study_lock(struct sepx_study *study, struct sepx_msg *msg)
{
    struct sepx_store *store = study->store;
    enum sepx_err err = sepx_store_begin(store, msg);

    if (err || !store->ops->share || store->event == study->event)
        return err;
    store->ops->share->cut(store);
    return sepx_fail(msg, SEPX_EBUSY,
                     "%s: others changed the study meanwhile; try again",
                     store->path);
}

static enum sepx_err
writing(struct sepx__session *session)
{
    enum sepx_err err = SEPX_OK;

    if (!session->writing)
        err = sepx__study_lock(session->study, session->msg);
    session->writing = !err;
    return err;
}

enum sepx_err
sepx__session_commit(struct sepx__session *session)
{
    struct sepx_store *store = session->study->store;
    bool was = session->writing;
    enum sepx_err err = SEPX_OK;

    session->writing = false;
    if (was)
        err = sepx_store_commit(store, session->msg);
    if (was && !err)
        session->study->event = store->event;
    sepx__session_announce(session, was && !err);
    return err;
}

void
sepx__session_announce(struct sepx__session *session, bool committed)
{
    const struct sepx_study_plan *plan = session->plan;

    for (size_t i = 0; i < session->n_uncommitted; i++) {
        struct sepx__uncommitted *at = &session->uncommitted[i];

        if (committed)
            plan->told(plan->context, &at->entry);
        for (size_t k = 0; k < sizeof at->text / sizeof *at->text; k++)
            sepx__free(at->text[k]);
    }
    session->n_uncommitted = 0;
}

static enum sepx_err
keep_uncommitted(struct sepx__session *session, const struct sepx_entry *entry)
{
    struct sepx__uncommitted *kept;
    const char **from[5];
    enum sepx_err err =
        sepx__grow((void **)&session->uncommitted, &session->uncommitted_room,
                   session->n_uncommitted + 1, sizeof *session->uncommitted);

    if (err)
        return err;
    kept = &session->uncommitted[session->n_uncommitted++];
    *kept = (struct sepx__uncommitted){.entry = *entry};
    from[0] = &kept->entry.told.answer;
    from[1] = &kept->entry.told.errors;
    from[2] = &kept->entry.told.slot;
    from[3] = &kept->entry.told.numbers;
    from[4] = &kept->entry.told.steps;
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        if (!*from[k])
            continue;
        kept->text[k] = sepx__strdup(*from[k]);
        if (!kept->text[k])
            return SEPX_ENOMEM;
        *from[k] = kept->text[k];
    }
    return SEPX_OK;
}

/* A session may end before its first result, and in any way. */
enum sepx_err
sepx__session_note_time(struct sepx__session *session, double least)
{
    double now = sepx__session_elapsed(session);

    if (now - session->noted < least)
        return SEPX_OK;
    session->noted = now;
    return sepx_store_spend(session->study->store, now, session->msg);
}

enum sepx_err
sepx__session_tell(struct sepx__session *session, struct sepx__pending *pending,
                   struct sepx_told *told, const struct sepx_score *score)
{
    const struct sepx_study_plan *plan = session->plan;
    const struct sepx__share_ops *share = session->study->store->ops->share;
    struct sepx__ledger *ledger = &session->ledger;
    const struct sepx_ask *ask = &pending->ask;
    struct sepx_entry entry = {.is_asked = true, .is_told = true};
    struct timespec now;
    struct sepx_text numbers = {0};
    enum sepx_err err = writing(session);

    clock_gettime(CLOCK_REALTIME, &now);
    told->trial = ask->trial;
    told->attempt = ledger->known[ask->trial].attempt;
    told->outcome = sepx_outcome_name(score->outcome);
    told->value = score->value;
    told->test = score->test;
    told->cost = score->cost;
    told->cached = pending->same;
    told->finished = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    told->elapsed = sepx__session_elapsed(session);
    if (!err)
        err = sepx__numbers_write(&numbers, ledger->goals, score);
    told->numbers = numbers.at;
    entry.told = *told;
    entry.asked = (struct sepx_asked){
        .trial = ask->trial,
        .op = sepx_search_operator_name(ledger->search, ask->op),
        .parent = {ask->parent[0], ask->parent[1]},
        .fidelity = ask->fidelity,
        .same = pending->same,
    };
    if (!err)
        err = sepx_store_tell(session->study->store, told, session->msg);
    if (!err && share)
        err = share->drop(session->study->store, told->trial, told->attempt,
                          session->msg);
    if (!err)
        err = sepx__ledger_tell(ledger, pending, score);
    if (!err && plan->told)
        err = keep_uncommitted(session, &entry);
    told->numbers = NULL;
    sepx_text_release(&numbers);
    return err;
}

enum sepx_err
sepx__session_settle(struct sepx__session *session)
{
    struct sepx__ledger *ledger = &session->ledger;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < sepx__ledger_count(ledger) && !err; i++) {
        struct sepx__pending *pending = sepx__ledger_at(ledger, i);
        struct sepx_told told = {0};
        struct sepx_score score;

        if (!pending->used || pending->told || pending->same < 0)
            continue;
        if (!ledger->known[pending->same].told)
            continue;
        score = sepx__ledger_score(ledger, (uint32_t)pending->same);
        err = sepx__session_tell(session, pending, &told, &score);
    }
    return err;
}

struct sepx__pending *
sepx__session_left_over(struct sepx__session *session)
{
    struct sepx__ledger *ledger = &session->ledger;
    struct sepx__pending *first = NULL;

    for (size_t i = 0; i < sepx__ledger_count(ledger); i++) {
        struct sepx__pending *pending = sepx__ledger_at(ledger, i);

        if (pending->used && !pending->told && !pending->given &&
            pending->same < 0 &&
            (!first || pending->ask.trial < first->ask.trial))
            first = pending;
    }
    return first;
}

enum sepx_err
sepx__session_propose(struct sepx__session *session,
                      struct sepx__pending **pending)
{
    struct sepx_asked asked;
    enum sepx_err err = sepx__ledger_ask(&session->ledger, pending, &asked);

    if (!err)
        err = writing(session);
    if (!err)
        err = sepx_store_ask(session->study->store, &asked, session->msg);
    if (err || (*pending)->same < 0)
        return err;
    *pending = NULL;
    return sepx__session_settle(session);
}
