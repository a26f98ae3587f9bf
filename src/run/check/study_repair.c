/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A copy of a damaged study: the longest log that replays. The events of the
 * old log are tried in their order on a ledger, and the copy gets those that
 * follow. Nothing is made up in place of one that does not: a trial without a
 * result is under way in the copy, and the search makes a proposal that is
 * missing again, from the results that there are.
 */
#include "run/check/check.h"

#include <stdlib.h>

struct repairing {
    struct sepx_study *study;
    struct sepx__ledger ledger;
    struct sepx_study_repair *repair;
    void (*each)(void *context, const struct sepx_store_row *row,
                 const char *why, bool sentence);
    void *context;
    const struct sepx_stop *stop;
    /* The search made another proposal for this trial than the log has. */
    bool cut;
    uint32_t end;
};

void
sepx_study_repair_release(struct sepx_study_repair *repair)
{
    sepx__free(repair->lost);
    *repair = (struct sepx_study_repair){0};
}

/* Trials of the copy, as far as it is now. */
static uint32_t
trials(const struct repairing *r)
{
    return r->cut ? r->end : r->ledger.asked;
}

/* Whether the event is of a trial behind a proposal that was left out. */
static bool
is_later(const struct repairing *r, const struct sepx_store_row *row)
{
    if (!r->repair->left_out)
        return false;
    return row->trial > trials(r) ||
           (row->trial == trials(r) && (r->cut || !row->entry->is_asked));
}

static enum sepx_err
leave_out(struct repairing *r, const struct sepx_store_row *row)
{
    struct sepx_study_repair *repair = r->repair;
    enum sepx_err err = SEPX_OK;

    repair->left_out++;
    if (row->entry->is_told)
        err = sepx__grow((void **)&repair->lost, &repair->lost_room,
                         repair->n_lost + 1, sizeof *repair->lost);
    if (!err && row->entry->is_told)
        repair->lost[repair->n_lost++] = row->trial;
    return err;
}

/* A result that replays may still be another than the program's answer. */
static enum sepx_err
check_result(struct repairing *r, const struct sepx_entry *entry,
             struct sepx_msg *why)
{
    const struct sepx__pending *pending =
        sepx__ledger_find(&r->ledger, entry->told.trial);
    struct sepx_entry both = *entry;

    if (!pending)
        return SEPX_OK;
    both.asked.op =
        sepx_search_operator_name(r->ledger.search, pending->ask.op);
    both.asked.fidelity = pending->ask.fidelity;
    return sepx__check_answer(r->study, &both, why);
}

static enum sepx_err
try_event(struct repairing *r, const struct sepx_entry *entry,
          struct sepx_msg *why)
{
    uint32_t before = r->ledger.asked;
    enum sepx_err err = SEPX_OK;

    if (entry->is_told)
        err = check_result(r, entry, why);
    if (!err)
        err = sepx__ledger_replay(&r->ledger, entry, why);
    if (err == SEPX_EDATA && r->ledger.asked != before) {
        r->cut = true;
        r->end = before;
    }
    return err;
}

static enum sepx_err
keep(void *context, const struct sepx_store_row *row, bool *keeps,
     struct sepx_msg *msg)
{
    struct repairing *r = context;
    struct sepx_msg why = {0};
    enum sepx_err err = SEPX_OK;

    if (sepx__stop_asked(r->stop))
        return SEPX_ESTOPPED;
    if (row->fault) {
        r->each(r->context, row, row->fault, false);
        return leave_out(r, row);
    }
    if (is_later(r, row)) {
        r->repair->later++;
        return leave_out(r, row);
    }
    err = try_event(r, row->entry, &why);
    *keeps = !err;
    r->repair->kept += !err;
    if (err != SEPX_EDATA) {
        if (err && msg)
            *msg = why;
        return err;
    }
    r->each(r->context, row, why.text, true);
    return leave_out(r, row);
}

static int
by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

/* Of the results that were left out, trials of the copy that have none. */
static void
finish(struct repairing *r)
{
    struct sepx_study_repair *repair = r->repair;
    size_t count = 0;

    repair->trials = trials(r);
    if (repair->n_lost)
        qsort(repair->lost, repair->n_lost, sizeof *repair->lost, by_number);
    for (size_t i = 0; i < repair->n_lost; i++) {
        uint32_t trial = repair->lost[i];

        if (trial < repair->trials && !r->ledger.known[trial].told &&
            (!count || repair->lost[count - 1] != trial))
            repair->lost[count++] = trial;
    }
    repair->n_lost = count;
}

enum sepx_err
sepx_study_copy_repaired(struct sepx_study *study, const char *path,
                         void (*each)(void *context,
                                      const struct sepx_store_row *row,
                                      const char *why, bool sentence),
                         void *context, const struct sepx_stop *stop,
                         struct sepx_study_repair *repair, struct sepx_msg *msg)
{
    struct repairing r = {.study = study,
                          .repair = repair,
                          .each = each,
                          .context = context,
                          .stop = stop};
    const struct sepx_store_sieve sieve = {keep, &r};
    enum sepx_err err = sepx__study_ledger(study, &r.ledger, msg);

    *repair = (struct sepx_study_repair){0};
    if (!err)
        err = sepx_store_mend_sessions(study->store, &repair->elapsed,
                                       &repair->options);
    if (!err) {
        sepx_space_set_stop(study->space, stop);
        err = sepx_store_copy_some(study->store, path, &sieve, msg);
        sepx_space_set_stop(study->space, NULL);
    }
    if (!err)
        finish(&r);
    sepx__ledger_release(&r.ledger);
    return err;
}
