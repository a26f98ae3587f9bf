/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the search is asked and told.
 *
 * With a window of W, proposal k is made when exactly the results of the
 * trials up to k - W have been told, in the order of trials; which of them
 * ended first does not matter. Without (async), results are told in the
 * order of the log, and at most W trials are under way.
 */
#include "run/ledger.h"

#include <math.h>
#include <string.h>

enum sepx_err
sepx__ledger_init(struct sepx__ledger *ledger, const struct sepx_method *method,
                  uint64_t seed, uint32_t window, bool async, bool repeats)
{
    enum sepx_err err;

    *ledger = (struct sepx__ledger){
        .window = window, .async = async, .repeats = repeats};
    ledger->pending = sepx__calloc(window, sizeof *ledger->pending);
    if (!ledger->pending)
        return SEPX_ENOMEM;
    err = sepx_search_new(&ledger->search, method, seed, 0, NULL);
    if (!err)
        ledger->op = sepx_search_operators(ledger->search, &ledger->n_ops);
    return err;
}

void
sepx__ledger_release(struct sepx__ledger *ledger)
{
    for (uint32_t i = 0; ledger->pending && i < ledger->window; i++)
        sepx_ask_release(&ledger->pending[i].ask);
    sepx__free(ledger->pending);
    sepx__free(ledger->known);
    sepx__cache_release(&ledger->cache);
    sepx_text_release(&ledger->graph);
    sepx_search_free(ledger->search);
    *ledger = (struct sepx__ledger){0};
}

/* ---- telling ---- */

struct sepx__pending *
sepx__ledger_find(struct sepx__ledger *ledger, uint32_t trial)
{
    for (uint32_t i = 0; i < ledger->window; i++) {
        struct sepx__pending *pending = &ledger->pending[i];

        if (pending->used && pending->ask.trial == trial)
            return pending;
    }
    return NULL;
}

static enum sepx_err
hear(struct sepx__ledger *ledger, struct sepx__pending *pending)
{
    double value = ledger->known[pending->ask.trial].value;

    pending->used = false;
    ledger->heard++;
    return sepx_search_tell(ledger->search, &pending->ask, value);
}

enum sepx_err
sepx__ledger_tell(struct sepx__ledger *ledger, struct sepx__pending *pending,
                  const struct sepx_score *score)
{
    struct sepx__known *known = &ledger->known[pending->ask.trial];

    *known = (struct sepx__known){
        .value = score->outcome == SEPX_SCORED ? score->value : NAN,
        .test = score->test,
        .outcome = score->outcome,
        .told = true,
    };
    pending->told = true;
    ledger->told++;
    return ledger->async ? hear(ledger, pending) : SEPX_OK;
}

/* ---- asking ---- */

bool
sepx__ledger_ready(const struct sepx__ledger *ledger)
{
    uint32_t next = ledger->asked;

    if (next == UINT32_MAX)
        return false;
    if (ledger->async)
        return next - ledger->heard < ledger->window;
    return next < ledger->window || ledger->known[next - ledger->window].told;
}

static struct sepx__pending *
take_pending(struct sepx__ledger *ledger)
{
    for (uint32_t i = 0; i < ledger->window; i++) {
        struct sepx__pending *pending = &ledger->pending[i];

        if (!pending->used) {
            pending->used = true;
            pending->told = pending->given = false;
            pending->same = -1;
            return pending;
        }
    }
    return NULL;
}

static void
describe(const struct sepx__ledger *ledger, struct sepx_asked *asked,
         const struct sepx__pending *pending)
{
    const struct sepx_ask *ask = &pending->ask;

    *asked = (struct sepx_asked){
        .trial = ask->trial,
        .op = ledger->op[ask->op].name,
        .parent = {ask->parent[0], ask->parent[1]},
        .fidelity = ask->fidelity,
        .same = pending->same,
        .graph = ledger->graph.at,
    };
}

/* An ask that failed half-way leaves the ledger good for release only. */
enum sepx_err
sepx__ledger_ask(struct sepx__ledger *ledger, struct sepx__pending **pending,
                 struct sepx_asked *asked)
{
    uint32_t trial = ledger->asked, first = trial;
    struct sepx__pending *made;
    enum sepx_err err = sepx__grow((void **)&ledger->known, &ledger->known_room,
                                   (size_t)trial + 1, sizeof *ledger->known);

    while (!err && !ledger->async && ledger->heard + ledger->window <= trial)
        err = hear(ledger, sepx__ledger_find(ledger, ledger->heard));
    if (err)
        return err;
    made = take_pending(ledger);
    ledger->known[trial] = (struct sepx__known){0};
    ledger->asked++;
    ledger->graph.len = 0;
    err = sepx_search_ask(ledger->search, &made->ask);
    if (!err && !ledger->repeats)
        err = sepx__cache_note(&ledger->cache, &first, &made->ask.graph,
                               made->ask.fidelity, trial);
    if (!err)
        err = sepx_graph_write_json(&ledger->graph, &made->ask.graph);
    if (err)
        return err;
    made->same = first == trial ? -1 : (int64_t)first;
    describe(ledger, asked, made);
    *pending = made;
    return SEPX_OK;
}

/* ---- replaying ---- */

static const char *
difference(const struct sepx_asked *a, const struct sepx_asked *b)
{
    if (strcmp(a->op, b->op) != 0)
        return "operator";
    if (a->parent[0] != b->parent[0] || a->parent[1] != b->parent[1])
        return "parents";
    if (a->fidelity != b->fidelity)
        return "fidelity";
    if (a->same != b->same)
        return "isomorphic trial";
    return strcmp(a->graph, b->graph) != 0 ? "graph" : NULL;
}

static enum sepx_err
replay_asked(struct sepx__ledger *ledger, const struct sepx_asked *logged,
             struct sepx_msg *msg)
{
    struct sepx__pending *pending;
    struct sepx_asked asked;
    const char *what;
    enum sepx_err err;

    if (logged->trial != ledger->asked)
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u is in the log where trial %u belongs",
                         logged->trial, ledger->asked);
    if (!sepx__ledger_ready(ledger))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u was proposed before the results that it "
                         "depends on",
                         logged->trial);
    err = sepx__ledger_ask(ledger, &pending, &asked);
    if (err)
        return err;
    what = difference(logged, &asked);
    if (!what)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "trial %u does not follow from settings, seed and log "
                     "(%s); the log was changed, or another version of sepx "
                     "made it",
                     logged->trial, what);
}

static bool
same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A result that was taken from another trial is that trial's. */
static bool
cached_fits(const struct sepx__ledger *ledger, int64_t same,
            const struct sepx_told *told, const struct sepx_score *score)
{
    const struct sepx__known *first;

    if (same != told->cached)
        return false;
    if (same < 0)
        return true;
    first = &ledger->known[same];
    return first->told && first->outcome == score->outcome &&
           same_number(first->value, told->value) &&
           same_number(first->test, told->test);
}

static bool
outcome_find(enum sepx_outcome *outcome, const char *name)
{
    for (int i = SEPX_SCORED; i < SEPX_CANCELLED; i++) {
        *outcome = (enum sepx_outcome)i;
        if (!strcmp(sepx_outcome_name(*outcome), name))
            return true;
    }
    return false;
}

static enum sepx_err
replay_told(struct sepx__ledger *ledger, const struct sepx_told *told,
            struct sepx_msg *msg)
{
    struct sepx_score score = {told->value, told->test, told->cost,
                               SEPX_SCORED};
    struct sepx__pending *pending = sepx__ledger_find(ledger, told->trial);

    if (!pending || pending->told)
        return sepx_fail(msg, SEPX_EDATA,
                         "the log has a result of trial %u, which is not "
                         "under way",
                         told->trial);
    if (!outcome_find(&score.outcome, told->outcome) ||
        isnan(told->value) != (score.outcome != SEPX_SCORED))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: outcome '%.40s' does not fit its value",
                         told->trial, told->outcome);
    if (!cached_fits(ledger, pending->same, told, &score))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: its result is not that of the isomorphic "
                         "trial",
                         told->trial);
    return sepx__ledger_tell(ledger, pending, &score);
}

enum sepx_err
sepx__ledger_replay(struct sepx__ledger *ledger, const struct sepx_entry *entry,
                    struct sepx_msg *msg)
{
    return entry->is_asked ? replay_asked(ledger, &entry->asked, msg)
                           : replay_told(ledger, &entry->told, msg);
}
