/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quick evaluations. A turn costs a millisecond or two of everybody's time,
 * and so much is nothing beside a minute of training. Evaluations that take
 * no longer themselves are claimed and told several at once: each worker has
 * some more desks to go while the results of the last are on their way. Half
 * of the window is left to others who have nothing to do.
 */
#include "run/share/share.h"

#include <math.h>

#define AHEAD_SECONDS 0.2 /* of work that is taken ahead, at most */
#define HOLD_SECONDS 0.05 /* a result waits so long for others to be sent */
#define STUCK_SECONDS 0.5 /* what waits behind a longer one is given back */

unsigned
sepx__share_ahead(const struct sepx__share *share)
{
    const struct sepx__ledger *ledger = &share->run->session.ledger;

    if (!share->run->proven || !(share->pace < AHEAD_SECONDS / 2) ||
        ledger->asked - ledger->told >= ledger->window / 2)
        return 1;
    return (unsigned)fmin(AHEAD_SECONDS / fmax(share->pace, 1e-6),
                          SEPX__SHARE_DEPTH);
}

bool
sepx__share_must_send(struct sepx__share *share)
{
    unsigned low = (sepx__share_ahead(share) + 1) / 2;
    double since = INFINITY;

    if (!sepx__outbox_waits(share))
        return false;
    for (size_t i = 0; i < share->n_parcels; i++)
        since = fmin(since, share->parcel[i].since);
    return sepx_clock() - since >= HOLD_SECONDS ||
           sepx__crew_free_desk(&share->run->crew, low);
}

enum sepx_err
sepx__share_give_back(struct sepx__share *share)
{
    struct sepx__desk *desk;
    enum sepx_err err = SEPX_OK;

    while (!err && (desk = sepx__crew_take_back(&share->run->crew,
                                                STUCK_SECONDS)) != NULL) {
        share->pace = STUCK_SECONDS;
        share->begun--;
        share->refresh_at = 0;
        err = share->ops->give_back(share->store, desk->trial, desk->attempt,
                                    NULL, &share->why);
    }
    return err;
}
