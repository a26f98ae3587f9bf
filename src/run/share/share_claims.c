/* SPDX-License-Identifier: Apache-2.0 */
/* Who works on what, and which trials may be taken over. */
#include "run/share/share.h"

#include <math.h>
#include <string.h>

static const struct sepx__claim *
find_claim(const struct sepx__share *share, uint32_t trial, uint32_t attempt)
{
    const struct sepx__claims *claims = &share->claims;
    size_t low = 0, high = claims->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (claims->at[mid].trial < trial)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < claims->count && claims->at[low].trial == trial; low++) {
        if (claims->at[low].attempt == attempt)
            return &claims->at[low];
    }
    return NULL;
}

bool
sepx__share_others(const struct sepx__share *share)
{
    for (size_t i = 0; i < share->claims.count; i++) {
        const struct sepx__claim *claim = &share->claims.at[i];

        if (claim->worker >= 0 && !claim->open && !claim->late &&
            strncmp(claim->host, share->card.host, sizeof claim->host - 4) != 0)
            return true;
    }
    return false;
}

const char *
sepx__share_failed_on(const struct sepx__share *share, uint32_t trial,
                      uint32_t attempt)
{
    const struct sepx__claim *claim = find_claim(share, trial, attempt);

    return claim ? claim->failed_on : "";
}

static bool
on_desk(struct sepx__share *share, uint32_t trial, uint32_t attempt)
{
    struct sepx__crew *crew = &share->run->crew;
    bool found = false;

    pthread_mutex_lock(&crew->lock);
    for (unsigned i = 0; i < crew->count && !found; i++) {
        const struct sepx__desk *desk = &crew->desk[i];

        found = desk->state != SEPX__DESK_FREE && desk->trial == trial &&
                desk->attempt == attempt;
    }
    pthread_mutex_unlock(&crew->lock);
    return found || sepx__outbox_has(share, trial);
}

/* The note that we keep of a claim, a new one if it is not the same. */
static enum sepx_err
note_of(struct sepx__share *share, const struct sepx__claim *claim,
        struct sepx__watch **note)
{
    enum sepx_err err = SEPX_OK;
    size_t i = 0;

    while (i < share->n_watch && (share->watch[i].trial != claim->trial ||
                                  share->watch[i].attempt != claim->attempt))
        i++;
    if (i == share->n_watch) {
        err = sepx__grow((void **)&share->watch, &share->watch_room, i + 1,
                         sizeof *share->watch);
        if (err)
            return err;
        share->n_watch++;
        share->watch[i].worker = -2;
    }
    *note = &share->watch[i];
    if ((*note)->worker != claim->worker || (*note)->beat != claim->beat)
        **note = (struct sepx__watch){claim->trial, claim->attempt,
                                      claim->worker, claim->beat, sepx_clock()};
    return err;
}

/* Whether a claim has been as it is for so long, by our own clock. */
static enum sepx_err
has_lasted(struct sepx__share *share, const struct sepx__claim *claim,
           double seconds, bool *lasted)
{
    struct sepx__watch *note;
    enum sepx_err err = note_of(share, claim, &note);

    *lasted = !err && sepx_clock() - note->since >= seconds;
    return err;
}

/* Whether a trial under way may be taken; sets holder and losses if so. */
static enum sepx_err
may_take(struct sepx__share *share, struct sepx__pending *pending, bool *free)
{
    uint32_t trial = pending->ask.trial;
    uint32_t attempt = share->run->session.ledger.known[trial].attempt;
    const struct sepx__claim *claim = find_claim(share, trial, attempt);
    double lease = share->card.lease;
    enum sepx_err err = SEPX_OK;

    pending->holder = claim ? claim->worker : -1;
    pending->lost = claim ? claim->lost : 0;
    *free = false;
    if (on_desk(share, trial, attempt))
        return err;
    *free = true;
    if (!claim || claim->worker == share->card.id)
        return err;
    /* A trial that failed on this host is for another, if there is one. */
    if (claim->open && claim->failed_on[0] &&
        !strncmp(claim->failed_on, share->card.host,
                 sizeof claim->failed_on - 4))
        return has_lasted(share, claim, lease, free);
    if (claim->open)
        return err;
    *free = false;
    if (claim->late)
        err = has_lasted(share, claim, lease / 2, free);
    if (*free)
        pending->lost++;
    return err;
}

enum sepx_err
sepx__share_refresh(struct sepx__share *share)
{
    struct sepx__ledger *ledger = &share->run->session.ledger;
    double wait = share->card.lease / 8;
    enum sepx_err err =
        share->ops->claims(share->store, &share->claims, &share->why);

    for (size_t i = 0; i < sepx__ledger_count(ledger) && !err; i++) {
        struct sepx__pending *pending = sepx__ledger_at(ledger, i);
        bool free;

        if (!pending->used || pending->told || pending->same >= 0)
            continue;
        err = may_take(share, pending, &free);
        pending->given = !free;
    }
    /* Who is idle looks more often, unless there is much to look at. */
    if (sepx__crew_free_desk(&share->run->crew, 1))
        wait = fmin(wait, 1 + (double)share->claims.count / 200);
    share->refresh_at = sepx_clock() + sepx__share_jitter(share, wait);
    return err;
}
