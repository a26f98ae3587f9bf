/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results on their way to the log. They stay until a commit has come back,
 * however long the server is away; one that comes too late is thrown away.
 */
#include "run/share/share.h"

#include <math.h>
#include <string.h>

enum { FAILURES_MOST = 3 };

static void
parcel_release(struct sepx__parcel *parcel)
{
    sepx_graph_release(&parcel->graph);
    sepx_eval_output_release(&parcel->output);
    sepx_eval_steps_release(&parcel->steps);
}

void
sepx__outbox_release(struct sepx__share *share)
{
    for (size_t i = 0; i < share->n_parcels; i++)
        parcel_release(&share->parcel[i]);
    sepx__free(share->parcel);
}

bool
sepx__outbox_has(const struct sepx__share *share, uint32_t trial)
{
    for (size_t i = 0; i < share->n_parcels; i++) {
        if (share->parcel[i].trial == trial)
            return true;
    }
    return false;
}

/* A trial that the log lost with its server is proposed again. */
bool
sepx__outbox_waits(const struct sepx__share *share)
{
    for (size_t i = 0; i < share->n_parcels; i++) {
        if (share->parcel[i].trial < share->run->session.ledger.asked)
            return true;
    }
    return false;
}

/* Takes what the desk has. */
static enum sepx_err
pack(struct sepx__share *share, struct sepx__desk *desk)
{
    enum sepx_err err = sepx__grow((void **)&share->parcel, &share->parcel_room,
                                   share->n_parcels + 1, sizeof *share->parcel);

    if (err)
        return err;
    share->parcel[share->n_parcels++] = (struct sepx__parcel){
        .trial = desk->trial,
        .attempt = desk->attempt,
        .graph = desk->graph,
        .score = desk->score,
        .output = desk->output,
        .steps = desk->steps,
        .slot = desk->slot,
        .seconds = desk->seconds,
        .since = sepx_clock(),
    };
    desk->graph = (struct sepx_graph){0};
    desk->output = (struct sepx_eval_output){0};
    desk->steps = (struct sepx_eval_steps){0};
    share->seconds = desk->seconds;
    share->pace = fmax(desk->seconds, 0.8 * share->pace);
    return SEPX_OK;
}

static enum sepx_err
clear(struct sepx__share *share, struct sepx__desk *desk)
{
    enum sepx_err err = desk->err;

    if (err)
        (void)sepx_fail(
            &share->why, err, "trial %u cannot be evaluated: %s", desk->trial,
            desk->msg.text[0] ? desk->msg.text : sepx_strerror(err));
    else if (!sepx__desk_ended(desk, &share->plan.stop))
        err = pack(share, desk);
    sepx_eval_output_release(&desk->output);
    sepx__desk_set(desk, SEPX__DESK_FREE);
    return err;
}

enum sepx_err
sepx__outbox_fill(struct sepx__share *share)
{
    struct sepx__crew *crew = &share->run->crew;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < crew->count && !err; i++) {
        bool done;

        pthread_mutex_lock(&crew->lock);
        done = crew->desk[i].state == SEPX__DESK_DONE;
        pthread_mutex_unlock(&crew->lock);
        if (done)
            err = clear(share, &crew->desk[i]);
    }
    return err;
}

/* ---- telling ---- */

/* A trial number may have another graph by now, if the server lost one. */
static enum sepx_err
same_graph(const struct sepx_graph *a, const struct sepx_graph *b, bool *same)
{
    struct sepx_text one = {0}, two = {0};
    enum sepx_err err = sepx_graph_write_json(&one, a);

    if (!err)
        err = sepx_graph_write_json(&two, b);
    *same = !err && !strcmp(one.at, two.at);
    sepx_text_release(&one);
    sepx_text_release(&two);
    return err;
}

/*
 * Before its first success, a worker is not trusted with failures: the trial
 * goes to another host, if there is one, and counts as failed if it fails
 * there too. After three of them the worker is set aside.
 */
static enum sepx_err
note_failure(struct sepx__share *share, const struct sepx__parcel *parcel,
             bool *ours)
{
    const char *host = share->card.host;
    const char *failed_on;
    enum sepx_err err = sepx__share_refresh(share);

    *ours = false;
    failed_on = sepx__share_failed_on(share, parcel->trial, parcel->attempt);
    if (err || *failed_on || !sepx__share_others(share))
        return err;
    *ours = true;
    share->failures++;
    share->card.failed++;
    err = share->ops->give_back(share->store, parcel->trial, parcel->attempt,
                                host, &share->why);
    return err;
}

static enum sepx_err
send_one(struct sepx__share *share, struct sepx__parcel *parcel)
{
    struct sepx__ledger *ledger = &share->run->session.ledger;
    struct sepx__pending *pending;
    struct sepx_told told = {.slot = parcel->slot, .seconds = parcel->seconds};
    bool failed = sepx__outcome_failed(parcel->score.outcome);
    bool same, kept = false;
    enum sepx_err err;

    if (parcel->trial >= ledger->asked)
        return SEPX_OK;
    parcel->sent = true;
    pending = sepx__ledger_find(ledger, parcel->trial);
    if (!pending || pending->told ||
        ledger->known[parcel->trial].attempt != parcel->attempt)
        return SEPX_OK; /* another answer came first */
    err = same_graph(&parcel->graph, &pending->ask.graph, &same);
    if (!err && same && failed && !share->run->proven)
        err = note_failure(share, parcel, &kept);
    if (err || !same || kept)
        return err;
    share->card.told++;
    share->card.failed += failed;
    pending->given = false;
    return sepx__run_tell(share->run, pending, &told, &parcel->score,
                          &parcel->output, &parcel->steps);
}

enum sepx_err
sepx__outbox_send(struct sepx__share *share)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < share->n_parcels && !err; i++)
        err = send_one(share, &share->parcel[i]);
    return err;
}

enum sepx_err
sepx__outbox_check(struct sepx__share *share)
{
    if (share->run->proven || share->failures < FAILURES_MOST)
        return SEPX_OK;
    return sepx_fail(&share->why, SEPX_EUNSUPPORTED,
                     "set aside: %u evaluations failed on %s, and none "
                     "succeeded, while others work; mend what differs here "
                     "and start this worker again",
                     share->failures, share->card.host);
}

void
sepx__outbox_settle(struct sepx__share *share, bool committed)
{
    size_t kept = 0;

    for (size_t i = 0; i < share->n_parcels; i++) {
        struct sepx__parcel *parcel = &share->parcel[i];

        if (parcel->sent && committed) {
            parcel_release(parcel);
            continue;
        }
        parcel->sent = false;
        share->parcel[kept++] = *parcel;
    }
    share->n_parcels = kept;
}
