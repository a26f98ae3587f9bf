/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work on a study with others, without a leader. Every process replays the
 * log and follows it, so each can make the next proposal, and all would make
 * the same one. Who appends holds the study's lock, has caught up with the
 * log, and commits results, proposals and claims together; the lock is held
 * for two round trips. Between turns nothing is held, and any failure is
 * answered by connecting again, catching up, and sending what was not sent.
 */
#include "run/share/share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LEASE 60.0
#define POLL_LEAST 0.01
#define POLL_MOST 0.5
#define POLL_SHARE 8 /* times what a poll takes, at least; others poll, too */
#define RETRY_MOST 5.0
#define SLOW_SECONDS 0.1 /* as the store has it */
#define ASK_SECONDS 0.02 /* others wait: longer for no trial taken ahead */
#define TRY_LEAST 0.01
#define TRY_MOST 0.25
#define TRY_SECONDS 3.0 /* then wait, whoever else does */
#define BEHIND_SECONDS 0.03
enum { LOST_MOST = 3, FEW_EVENTS = 4 };

double
sepx__share_jitter(struct sepx__share *share, double mean)
{
    uint64_t draw = sepx__mix((uint64_t)share->card.id +
                              0x9e3779b97f4a7c15 * ++share->draws);

    return mean * (0.5 + (double)(draw >> 11) * 0x1p-53);
}

/* ---- following the log ---- */

/* A result for a trial that is on a desk here makes the work there useless. */
static void
drop_desk(struct sepx__share *share, uint32_t trial)
{
    struct sepx__crew *crew = &share->run->crew;

    for (unsigned i = 0; i < crew->count; i++) {
        struct sepx__desk *desk = &crew->desk[i];

        if (desk->trial == trial)
            atomic_store(&desk->drop, true);
    }
}

static void
hear(struct sepx__share *share, const struct sepx_entry *entry,
     const struct sepx__pending *pending)
{
    struct sepx__run *run = share->run;
    const struct sepx_study_plan *plan = run->plan;
    double ahead = entry->told.elapsed - sepx__session_elapsed(&run->session);
    struct sepx_entry both = *entry;

    if (ahead > 0)
        run->session.before += ahead;
    drop_desk(share, entry->told.trial);
    if (!plan->heard || !pending)
        return;
    both.is_asked = true;
    both.asked = (struct sepx_asked){
        .trial = pending->ask.trial,
        .op = sepx_search_operator_name(run->session.ledger.search,
                                        pending->ask.op),
        .parent = {pending->ask.parent[0], pending->ask.parent[1]},
        .fidelity = pending->ask.fidelity,
        .same = pending->same,
    };
    plan->heard(plan->context, &both);
}

/* One event of others. Who asked for a trial has claimed it, as a rule. */
static enum sepx_err
take_in(struct sepx__share *share, const struct sepx_entry *entry)
{
    struct sepx__ledger *ledger = &share->run->session.ledger;
    struct sepx__pending *pending = NULL;
    enum sepx_err err;

    if (entry->is_told) {
        pending = sepx__ledger_find(ledger, entry->told.trial);
        hear(share, entry, pending);
    }
    err = sepx__ledger_replay(ledger, entry, &share->why);
    if (err == SEPX_EDATA)
        sepx_msg_prefix(&share->why, "%s", sepx_store_path(share->store));
    if (err || entry->is_told)
        return err;
    pending = sepx__ledger_find(ledger, entry->is_asked ? entry->asked.trial
                                                        : entry->retried);
    if (pending)
        pending->given = true;
    if (entry->is_retried)
        share->refresh_at = 0;
    return err;
}

/* All that the cursor has, which is freed. */
static enum sepx_err
take_all(struct sepx__share *share, struct sepx_cursor *cursor)
{
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, &share->why);
        if (err || !more)
            break;
        err = take_in(share, &entry);
        share->foreign++;
        if (err)
            break;
        share->mark = (struct sepx__mark){cursor->key, cursor->sum};
    }
    sepx_cursor_free(cursor);
    share->caught_up = sepx_clock();
    return err;
}

static enum sepx_err
catch_up(struct sepx__share *share)
{
    struct sepx_cursor *cursor = NULL;
    enum sepx_err err = share->ops->follow(share->store, &cursor, &share->mark,
                                           INT64_MAX, &share->why);

    return err ? err : take_all(share, cursor);
}

/* ---- a turn: everything that changes the log ---- */

static bool
may_begin(const struct sepx__share *share)
{
    const struct sepx__run *run = share->run;

    return !run->stopped && !sepx__run_given_up(run) &&
           (!share->plan.most || share->begun < share->plan.most);
}

static enum sepx_err
tell_lost(struct sepx__share *share, struct sepx__pending *pending)
{
    struct sepx_score score = {
        .value = NAN, .test = NAN, .cost = NAN, .outcome = SEPX_LOST};
    struct sepx_told told = {
        .errors = "the workers that had it went away, three times"};

    return sepx__session_tell(&share->run->session, pending, &told, &score);
}

static enum sepx_err
take(struct sepx__share *share, struct sepx__desk *desk,
     struct sepx__pending *pending)
{
    enum sepx_err err = sepx__run_lay(share->run, desk, pending);

    if (!err)
        err = share->ops->take(share->store, desk->trial, desk->attempt,
                               desk->slot, pending->lost, pending->holder,
                               &share->why);
    share->take[share->n_takes++] = desk;
    share->begun++;
    return err;
}

/* Whether the next proposal may be made now, by the rules of the plan. */
static bool
is_ready(struct sepx__share *share)
{
    struct sepx__run *run = share->run;

    if (sepx__run_given_up(run) || !sepx__ledger_ready(&run->session.ledger))
        return false;
    if (sepx__limits_next(&run->limits, &run->session.ledger, &run->end))
        return false; /* no memory now; the next turn tries again */
    return !run->end;
}

/* *pending is NULL if there is none, or none that needs a desk. */
static enum sepx_err
next_trial(struct sepx__share *share, struct sepx__pending **pending,
           bool *more)
{
    enum sepx_err err = SEPX_OK;

    *pending = sepx__session_left_over(&share->run->session);
    *more = true;
    if (*pending && (*pending)->lost >= LOST_MOST) {
        err = tell_lost(share, *pending);
        *pending = NULL;
        return err ? err : sepx__session_settle(&share->run->session);
    }
    if (*pending)
        return err;
    *more = is_ready(share);
    if (!*more)
        return err;
    err = sepx__session_propose(&share->run->session, pending);
    if (err == SEPX_ESTOPPED) {
        share->run->stopped = true;
        *more = false;
        *pending = NULL;
        err = SEPX_OK;
    }
    return err;
}

static enum sepx_err
lay_out(struct sepx__share *share)
{
    double began = sepx_clock();
    struct sepx__desk *desk;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err && more && may_begin(share)) {
        bool quick = sepx_clock() - began < ASK_SECONDS;
        struct sepx__pending *pending;

        desk = sepx__crew_free_desk(&share->run->crew,
                                    quick ? sepx__share_ahead(share) : 1);
        if (!desk)
            break;

        err = next_trial(share, &pending, &more);
        if (err || !pending)
            continue;
        if (sepx__outbox_has(share, pending->ask.trial))
            pending->given = true; /* it only has to be told */
        else
            err = take(share, desk, pending);
    }
    return err;
}

/* What the commit did not grant is somebody else's. */
static void
check_takes(struct sepx__share *share, bool committed)
{
    for (size_t i = 0; i < share->n_takes; i++) {
        struct sepx__desk *desk = share->take[i];

        if (committed && share->ops->taken(share->store, i))
            continue;
        sepx__desk_set(desk, SEPX__DESK_FREE);
        share->begun--;
    }
    share->n_takes = 0;
}

static enum sepx_err
work_under_lock(struct sepx__share *share)
{
    struct sepx__run *run = share->run;
    enum sepx_err err;

    share->stale = true;
    err = sepx__outbox_send(share);
    if (!err)
        err = sepx__session_settle(&run->session);
    if (!err)
        sepx__run_limits(run);
    if (!err)
        err = lay_out(share);
    if (!err && share->n_takes && !(share->seconds <= SLOW_SECONDS))
        share->ops->durable(share->store);
    if (!err)
        err = sepx_store_commit(share->store, &share->why);
    return err;
}

/*
 * Many who wait in line for the lock would all be far behind the log when
 * their turn comes, and catch up while the others wait. So the line has one
 * place; who finds it taken catches up, and tries again.
 */
static enum sepx_err
enter(struct sepx__share *share, bool *locked)
{
    struct sepx_cursor *cursor = NULL;
    double now = sepx_clock();
    bool patient;
    enum sepx_err err = SEPX_OK;

    if (share->wait == 0)
        share->tried = now;
    patient = now - share->tried >= TRY_SECONDS;
    /* Better now than while others wait for us. */
    if (share->foreign > FEW_EVENTS && now - share->caught_up > BEHIND_SECONDS)
        err = catch_up(share);
    share->foreign = 0;
    if (!err)
        err = share->ops->enter(share->store, &cursor, &share->mark, patient,
                                locked, &share->why);
    if (err) {
        sepx_cursor_free(cursor);
        return err;
    }
    share->wait =
        *locked ? 0 : fmin(fmax(2 * share->wait, TRY_LEAST), TRY_MOST);
    share->try_at = now + sepx__share_jitter(share, share->wait);
    return take_all(share, cursor);
}

static enum sepx_err
turn(struct sepx__share *share)
{
    struct sepx__run *run = share->run;
    bool locked;
    enum sepx_err err = enter(share, &locked);

    if (err || !locked)
        return err;
    run->session.writing = true;
    err = work_under_lock(share);
    run->session.writing = false;
    check_takes(share, !err);
    sepx__session_announce(&run->session, !err);
    sepx__outbox_settle(share, !err);
    if (err)
        return err;
    share->stale = false;
    share->mark = (struct sepx__mark){share->store->event, share->store->sum};
    share->pause = POLL_LEAST;
    sepx__crew_set_low(&run->crew, (sepx__share_ahead(share) + 1) / 2);
    sepx__crew_hand_over(&run->crew);
    return sepx__outbox_check(share);
}

/* ---- between turns ---- */

static enum sepx_err
beat(struct sepx__share *share)
{
    int64_t session = share->session;
    struct sepx__run *run = share->run;
    enum sepx_err err =
        share->ops->beat(share->store, &share->card, &share->why);
    int64_t event;

    share->beat_at =
        sepx_clock() + sepx__share_jitter(share, share->card.lease / 6);
    if (!err)
        err = share->ops->head(share->store, &event, &session, &share->why);
    if (!err && session != share->session && share->session >= 0) {
        err = share->ops->renew(share->store, &share->why);
        if (!err && share->plan.renew && sepx_store_options(share->store)) {
            share->plan.renew(share->plan.context,
                              sepx_store_options(share->store), &share->plan);
            if (run->end != SEPX_STUDY_FAILING &&
                run->end != SEPX_STUDY_UNSTARTED)
                run->end = SEPX_STUDY_OPEN;
        }
    }
    share->session = session;
    if (!err)
        err = sepx_store_spend(
            share->store, sepx__session_elapsed(&run->session), &share->why);
    return err;
}

static bool
has_free_desk(struct sepx__share *share, unsigned most)
{
    return may_begin(share) && sepx__crew_free_desk(&share->run->crew, most);
}

/*
 * Without a lock: is there anything new? Less often if there never is,
 * or nobody here waits for it.
 */
static enum sepx_err
poll_log(struct sepx__share *share)
{
    int64_t before = share->mark.event;
    double began = sepx_clock();
    enum sepx_err err = catch_up(share);
    double least = fmax(POLL_LEAST, POLL_SHARE * (sepx_clock() - began));

    share->pause = before != share->mark.event ? least : 2 * share->pause;
    share->pause = fmin(fmax(share->pause, least), POLL_MOST);
    share->poll_at =
        sepx_clock() + sepx__share_jitter(share, has_free_desk(share, 1)
                                                     ? share->pause
                                                     : POLL_MOST);
    if (!err && sepx_clock() >= share->refresh_at)
        err = sepx__share_refresh(share);
    return err;
}

static bool
needs_turn(struct sepx__share *share)
{
    if (sepx_clock() < share->try_at)
        return false;
    if (sepx__share_must_send(share))
        return true;
    if (!has_free_desk(share, (sepx__share_ahead(share) + 1) / 2))
        return false;
    return sepx__session_left_over(&share->run->session) || is_ready(share);
}

static enum sepx_err
step(struct sepx__share *share)
{
    double now = sepx_clock();
    enum sepx_err err = sepx__outbox_fill(share);

    sepx__run_limits(share->run);
    if (!err && now >= share->beat_at)
        err = beat(share);
    if (!err)
        err = sepx__share_give_back(share);
    if (!err && now >= share->refresh_at)
        err = sepx__share_refresh(share);
    if (!err && !share->run->stopped && needs_turn(share))
        return turn(share);
    /* Who tries for the lock follows the log by that. */
    if (err || now < share->try_at || share->run->stopped)
        return err;
    share->wait = 0;
    if (now >= share->poll_at)
        err = poll_log(share);
    return err;
}

/* ---- when the server is away ---- */

static enum sepx_err
rebuild(struct sepx__share *share)
{
    struct sepx__run *run = share->run;
    double elapsed;
    enum sepx_err err;

    sepx__limits_release(&run->limits);
    sepx__ledger_release(&run->session.ledger);
    err = sepx__study_replay(run->session.study, &run->session.ledger, &elapsed,
                             &share->why);
    if (err)
        return err;
    sepx__limits_init(&run->limits, &share->plan, &run->session.ledger);
    share->mark =
        (struct sepx__mark){run->session.study->event, run->session.study->sum};
    share->stale = false;
    share->n_watch = 0;
    return SEPX_OK;
}

/* Connect, and bring the ledger and our claims to what the log says. */
static enum sepx_err
join(struct sepx__share *share)
{
    struct sepx__ledger *ledger = &share->run->session.ledger;
    bool holds = false;
    enum sepx_err err =
        share->ops->beat(share->store, &share->card, &share->why);

    if (!err && !share->stale)
        err =
            share->ops->holds(share->store, &share->mark, &holds, &share->why);
    if (!err && !holds)
        err = rebuild(share);
    if (!err)
        err = catch_up(share);
    for (size_t i = 0; !err && i < sepx__ledger_count(ledger); i++)
        sepx__ledger_at(ledger, i)->given = true;
    return err ? err : sepx__share_refresh(share);
}

static bool
is_passing(struct sepx__share *share, enum sepx_err err)
{
    return err == SEPX_EIO && share->ops->passing(share->store);
}

/* Look at the outside until then; false: it asks to stop. */
static bool
pause_for(struct sepx__share *share, double seconds)
{
    struct sepx__run *run = share->run;
    double until = sepx_clock() + seconds;

    while (!run->stopped && sepx_clock() < until) {
        run->stopped = !sepx__run_look(run);
        /* A desk that is done would end each wait at once. */
        if (sepx__outbox_fill(share))
            break;
        sepx__crew_wait_for(&run->crew, until - sepx_clock());
    }
    return !run->stopped;
}

static enum sepx_err
recover(struct sepx__share *share)
{
    struct sepx_msg first = share->why;
    double wait = 0.1;
    enum sepx_err err = SEPX_EIO;

    share->run->trouble = first.text;
    share->ops->cut(share->store);
    while (is_passing(share, err)) {
        if (!pause_for(share, sepx__share_jitter(share, wait)))
            break;
        err = join(share);
        share->stale = share->stale || err;
        wait = fmin(2 * wait, RETRY_MOST);
    }
    share->run->trouble = NULL;
    if (share->run->stopped || err == SEPX_ESTOPPED) {
        share->run->stopped = true;
        return SEPX_OK;
    }
    return err;
}

/* ---- the whole ---- */

static void
tick(struct sepx__share *share)
{
    struct sepx__crew *crew = &share->run->crew;
    double now = sepx_clock(), spent = now - share->ticked;
    unsigned busy = sepx__crew_busy_hands(crew);

    share->ticked = now;
    share->card.worked += spent * busy;
    share->card.waited += spent * (crew->hands - busy);
    if (busy)
        share->idle_since = now;
}

static bool
is_over(struct sepx__share *share)
{
    const struct sepx__run *run = share->run;
    const struct sepx__ledger *ledger = &run->session.ledger;
    double idle = share->plan.idle_exit;

    if (sepx__crew_busy(&share->run->crew))
        return false;
    if (run->stopped)
        return true;
    if (sepx__outbox_waits(share))
        return false;
    if (sepx__run_given_up(run))
        return true;
    if (share->plan.most && share->begun >= share->plan.most)
        return true;
    if (idle > 0 && sepx_clock() - share->idle_since >= idle)
        return true;
    /* Others may go away with what they have: then it is for us. */
    return run->end && ledger->told == ledger->asked;
}

/* Seconds until there is something to do but hearing who is done. */
static double
until_next(struct sepx__share *share)
{
    double now = sepx_clock();
    double next = has_free_desk(share, 1) ? share->poll_at - now : 1;

    if (share->try_at > now)
        next = fmin(next, share->try_at - now);
    return fmax(next, 0.001);
}

static enum sepx_err
turns(struct sepx__share *share)
{
    struct sepx__run *run = share->run;
    struct sepx__crew *crew = &run->crew;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        err = step(share);
        if (err == SEPX_ESTOPPED) {
            run->stopped = true;
            err = SEPX_OK;
        }
        if (is_passing(share, err))
            err = recover(share);
        if (err)
            break;
        tick(share);
        run->stopped = !sepx__run_look(run) || run->stopped;
        if (run->stopped || (share->plan.kill_at_limit && run->end &&
                             run->end != SEPX_STUDY_COMPLETE))
            atomic_store(&crew->stop, true);
        if (is_over(share))
            break;
        if (!needs_turn(share) || run->stopped)
            sepx__crew_wait_for(crew, until_next(share));
    }
    return err;
}

static enum sepx_err
write_card(struct sepx__share *share)
{
    const struct sepx_study_plan *plan = share->run->plan;
    struct sepx__card *card = &share->card;
    struct timespec now;
    enum sepx_err err = sepx_text_print(&share->slots, "%s", "");

    (void)gethostname(share->host, sizeof share->host - 1);
    for (unsigned i = 0; plan->slot && i < plan->workers && !err; i++)
        err =
            sepx_text_print(&share->slots, "%s%s", i ? "," : "", plan->slot[i]);
    clock_gettime(CLOCK_REALTIME, &now);
    card->host = plan->host ? plan->host : share->host;
    card->slots = share->slots.at;
    card->pid = getpid();
    card->lease = plan->lease > 0 ? plan->lease : LEASE;
    card->id =
        (int64_t)(sepx__mix(sepx__mix((uint64_t)now.tv_nsec ^
                                      (uint64_t)now.tv_sec << 30) ^
                            (uint64_t)getpid() ^
                            sepx__hash(card->host, strlen(card->host)).high) >>
                  1);
    return err;
}

static void
release(struct sepx__share *share)
{
    sepx__outbox_release(share);
    sepx_text_release(&share->slots);
    sepx__free(share->claims.at);
    sepx__free(share->watch);
    sepx__free(share->take);
}

/* What is done when we are asked to stop may have waited for the lock. */
static void
send_last(struct sepx__share *share)
{
    enum sepx_err err = SEPX_OK;

    if (!share->n_parcels)
        return;
    if (share->stale)
        err = join(share);
    share->tried = -INFINITY; /* this one waits in line */
    share->wait = TRY_MOST;
    if (!err && sepx__outbox_waits(share))
        err = turn(share);
    if (err)
        share->ops->cut(share->store);
}

enum sepx_err
sepx__share_turns(struct sepx__run *run)
{
    struct sepx__share share = {
        .run = run,
        .store = run->session.study->store,
        .ops = run->session.study->store->ops->share,
        .plan = *run->plan,
        .mark = {run->session.study->event, run->session.study->sum},
        .session = -1,
        .seconds = NAN,
        .pace = NAN,
        .pause = POLL_LEAST,
        .ticked = sepx_clock(),
        .idle_since = sepx_clock(),
    };
    enum sepx_err err = write_card(&share);

    share.take = sepx__calloc(run->crew.count, sizeof *share.take);
    if (!share.take)
        err = SEPX_ENOMEM;
    run->session.msg = &share.why;
    run->plan = run->session.plan = &share.plan;
    run->limits.plan = &share.plan;
    share.ops->set_stop(share.store, &share.plan.stop);
    if (!err)
        err = join(&share);
    if (is_passing(&share, err))
        err = recover(&share);
    if (!err)
        err = turns(&share);
    share.ops->set_stop(share.store, NULL);
    share.ops->hasten(share.store);
    if (!err)
        send_last(&share);
    if (!err)
        (void)!share.ops->beat(share.store, &share.card, NULL);
    if (share.ops->leave(share.store, err ? share.why.text : NULL, NULL))
        share.ops->cut(share.store);
    run->plan = run->session.plan = run->caller;
    run->session.msg = run->caller_msg;
    if (err)
        (void)sepx_fail(run->session.msg, err, "%s", share.why.text);
    release(&share);
    return err;
}
