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

#include "run/study_numbers.h"
#include "run/private.h"
#include "run/prune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum sepx_err
sepx__ledger_init(struct sepx__ledger *ledger, const struct sepx_method *method,
                  uint64_t seed, uint32_t window, bool async, bool repeats)
{
    static const struct sepx_goals none;
    enum sepx_err err;

    *ledger = (struct sepx__ledger){
        .window = window, .async = async, .repeats = repeats, .goals = &none};
    ledger->space = sepx_method_space(method);
    ledger->pending = sepx__calloc(window, sizeof *ledger->pending);
    if (!ledger->pending)
        return SEPX_ENOMEM;
    ledger->slots = window;
    err = sepx_search_new(&ledger->search, method, seed, 0, NULL);
    if (!err && !repeats)
        sepx_search_expect_cache(ledger->search);
    return err;
}

static void
pending_release(struct sepx__pending *pending)
{
    sepx_ask_release(&pending->ask);
    sepx_eval_steps_release(&pending->limit);
}

void
sepx__ledger_release(struct sepx__ledger *ledger)
{
    for (size_t i = 0; i < ledger->slots; i++)
        pending_release(&ledger->pending[i]);
    for (size_t i = 0; i < ledger->n_late; i++)
        pending_release(&ledger->late[i]);
    sepx__free(ledger->late);
    sepx__free(ledger->pending);
    sepx__free(ledger->known);
    sepx__free(ledger->number);
    for (uint32_t i = 0; i < ledger->n_steps; i++)
        sepx_eval_steps_release(&ledger->steps[i]);
    sepx__free(ledger->steps);
    sepx__cache_release(&ledger->cache);
    sepx_text_release(&ledger->graph);
    sepx_search_free(ledger->search);
    *ledger = (struct sepx__ledger){0};
}

/* ---- telling ---- */

size_t
sepx__ledger_count(const struct sepx__ledger *ledger)
{
    return ledger->slots + (ledger->n_again ? ledger->n_late : 0);
}

struct sepx__pending *
sepx__ledger_at(struct sepx__ledger *ledger, size_t at)
{
    return at < ledger->slots ? &ledger->pending[at]
                              : &ledger->late[at - ledger->slots];
}

struct sepx__pending *
sepx__ledger_find(struct sepx__ledger *ledger, uint32_t trial)
{
    if (trial < ledger->asked && ledger->known[trial].late) {
        struct sepx__pending *late =
            &ledger->late[ledger->known[trial].late - 1];

        return late->used ? late : NULL;
    }
    for (size_t i = 0; i < ledger->slots; i++) {
        struct sepx__pending *pending = &ledger->pending[i];

        if (pending->used && pending->ask.trial == trial)
            return pending;
    }
    return NULL;
}

bool
sepx__outcome_failed(enum sepx_outcome outcome)
{
    return outcome != SEPX_SCORED && outcome != SEPX_UNFIT &&
           outcome != SEPX_PRUNED;
}

static bool
has_failed(const struct sepx__known *known)
{
    return known->told && sepx__outcome_failed(known->outcome);
}

/* Takes over what `pending` holds. */
static enum sepx_err
keep_late(struct sepx__ledger *ledger, struct sepx__pending *pending)
{
    void *late = ledger->late;
    enum sepx_err err = sepx__grow(&late, &ledger->late_room,
                                   ledger->n_late + 1, sizeof *ledger->late);

    if (err)
        return err;
    ledger->late = late;
    ledger->late[ledger->n_late++] = *pending;
    ledger->known[pending->ask.trial].late = (uint32_t)ledger->n_late;
    pending->ask = (struct sepx_ask){0};
    pending->limit = (struct sepx_eval_steps){0};
    return SEPX_OK;
}

static void
drop_late(struct sepx__ledger *ledger, struct sepx__pending *late)
{
    struct sepx__pending *last = &ledger->late[--ledger->n_late];

    ledger->known[late->ask.trial].late = 0;
    pending_release(late);
    if (late == last)
        return;
    *late = *last;
    ledger->known[late->ask.trial].late = (uint32_t)(late - ledger->late) + 1;
}

/* The numbers of a trial. */
static double *
numbers_of(const struct sepx__ledger *ledger, uint32_t trial)
{
    return ledger->number + (size_t)trial * ledger->goals->names;
}

static enum sepx_err
tell_search(struct sepx__ledger *ledger, const struct sepx_ask *ask, bool late)
{
    double value = ledger->known[ask->trial].value;
    struct sepx_merit merit;

    if (ledger->goals->names) {
        sepx_goals_merit(ledger->goals, &merit, numbers_of(ledger, ask->trial));
        return sepx_search_tell_merit(ledger->search, ask,
                                      isnan(value) ? NULL : &merit);
    }
    return (late ? sepx_search_tell_late : sepx_search_tell)(ledger->search,
                                                             ask, value);
}

static enum sepx_err
hear(struct sepx__ledger *ledger, struct sepx__pending *pending)
{
    const struct sepx__known *known = &ledger->known[pending->ask.trial];
    enum sepx_err err;

    pending->used = false;
    ledger->heard += ledger->async || !known->imported;
    err = tell_search(ledger, &pending->ask, false);
    return !err && has_failed(known) ? keep_late(ledger, pending) : err;
}

/* The end of another attempt; if it failed, too, there may be one more. */
static enum sepx_err
hear_late(struct sepx__ledger *ledger, struct sepx__pending *late)
{
    const struct sepx__known *known = &ledger->known[late->ask.trial];
    enum sepx_err err = SEPX_OK;

    late->used = false;
    ledger->n_again--;
    if (!isnan(known->value))
        err = tell_search(ledger, &late->ask, true);
    if (!has_failed(known))
        drop_late(ledger, late);
    return err;
}

/* All of them, in the order of trials. */
static enum sepx_err
hear_all_late(struct sepx__ledger *ledger)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; ledger->n_again && i < ledger->asked && !err; i++) {
        struct sepx__pending *late =
            ledger->known[i].late ? sepx__ledger_find(ledger, i) : NULL;

        if (late)
            err = hear_late(ledger, late);
    }
    return err;
}

bool
sepx__ledger_failed(const struct sepx__ledger *ledger, uint32_t trial)
{
    return trial < ledger->asked && has_failed(&ledger->known[trial]);
}

void
sepx__ledger_retry(struct sepx__ledger *ledger, uint32_t trial)
{
    struct sepx__known *known = &ledger->known[trial];
    struct sepx__pending *pending = sepx__ledger_find(ledger, trial);

    if (!pending) { /* the search was told that it failed */
        pending = &ledger->late[known->late - 1];
        pending->used = true;
        ledger->n_again++;
    }
    if (known->late)
        ledger->n_open++;
    pending->told = false;
    known->told = false;
    known->attempt++;
    ledger->told--;
    ledger->cached -= known->cached;
}

struct sepx_score
sepx__ledger_score(const struct sepx__ledger *ledger, uint32_t trial)
{
    const struct sepx__known *known = &ledger->known[trial];
    struct sepx_score score = {
        .value = known->value, .test = known->test, .outcome = known->outcome};

    if (ledger->goals->names)
        memcpy(score.number, numbers_of(ledger, trial),
               ledger->goals->names * sizeof *score.number);
    return score;
}

enum sepx_err
sepx__ledger_tell(struct sepx__ledger *ledger, struct sepx__pending *pending,
                  const struct sepx_score *score)
{
    struct sepx__known *known = &ledger->known[pending->ask.trial];

    assert(pending->used && !pending->told);
    assert(pending->ask.trial < ledger->asked && !known->told);
    known->value = score->outcome == SEPX_SCORED ? score->value : NAN;
    known->test = score->test;
    known->outcome = score->outcome;
    known->told = true;
    if (ledger->goals->names)
        memcpy(numbers_of(ledger, pending->ask.trial), score->number,
               ledger->goals->names * sizeof *score->number);
    pending->told = true;
    ledger->told++;
    ledger->cached += known->cached;
    assert(ledger->told <= ledger->asked && ledger->cached <= ledger->told);
    assert(!known->late || ledger->n_open);
    if (known->late)
        ledger->n_open--;
    if (!ledger->async && !known->imported)
        return SEPX_OK;
    return (known->late ? hear_late : hear)(ledger, pending);
}

/* ---- asking ---- */

/* Those below `heard` are. */
static bool
all_told(const struct sepx__ledger *ledger, uint32_t end)
{
    for (uint32_t i = ledger->heard; i < end; i++) {
        if (!ledger->known[i].told)
            return false;
    }
    return true;
}

bool
sepx__ledger_ready(const struct sepx__ledger *ledger)
{
    uint32_t next = ledger->asked;

    if (next == UINT32_MAX || ledger->stopped)
        return false;
    if (ledger->async)
        return next - ledger->heard < ledger->window;
    if (ledger->n_open)
        return false;
    return next < ledger->window || all_told(ledger, next - ledger->window + 1);
}

/* Proposals never need more slots than the window; what users bring may. */
static enum sepx_err
take_pending(struct sepx__ledger *ledger, struct sepx__pending **taken)
{
    size_t at = 0, room = ledger->slots;
    enum sepx_err err = SEPX_OK;

    while (at < ledger->slots && ledger->pending[at].used)
        at++;
    if (at == ledger->slots)
        err = sepx__grow((void **)&ledger->pending, &room, at + 1,
                         sizeof *ledger->pending);
    if (err)
        return err;
    for (; ledger->slots < room; ledger->slots++)
        ledger->pending[ledger->slots] = (struct sepx__pending){0};
    *taken = &ledger->pending[at];
    (*taken)->used = true;
    (*taken)->told = (*taken)->given = false;
    (*taken)->same = (*taken)->holder = -1;
    (*taken)->lost = 0;
    return SEPX_OK;
}

static void
describe(const struct sepx__ledger *ledger, struct sepx_asked *asked,
         const struct sepx__pending *pending)
{
    const struct sepx_ask *ask = &pending->ask;

    *asked = (struct sepx_asked){
        .trial = ask->trial,
        .op = sepx_search_operator_name(ledger->search, ask->op),
        .parent = {ask->parent[0], ask->parent[1]},
        .fidelity = ask->fidelity,
        .same = pending->same,
        .graph = ledger->graph.at,
    };
}

static enum sepx_err
make_room(struct sepx__ledger *ledger, uint32_t trial)
{
    size_t need = (size_t)trial + 1;
    enum sepx_err err = sepx__grow((void **)&ledger->known, &ledger->known_room,
                                   need, sizeof *ledger->known);

    if (!err && ledger->goals->names)
        err = sepx__grow((void **)&ledger->number, &ledger->number_room,
                         need * ledger->goals->names, sizeof *ledger->number);
    return err;
}

/* The results that trial `next` is made from, in the order of trials. */
static enum sepx_err
hear_window(struct sepx__ledger *ledger, uint32_t next)
{
    enum sepx_err err = SEPX_OK;

    while (!err && ledger->heard + ledger->window <= next) {
        if (ledger->known[ledger->heard].imported)
            ledger->heard++;
        else
            err = hear(ledger, sepx__ledger_find(ledger, ledger->heard));
    }
    return err;
}

/* ---- pruning ---- */

enum sepx_err
sepx__ledger_steps(struct sepx__ledger *ledger, uint32_t trial,
                   const struct sepx_eval_steps *steps)
{
    struct sepx_eval_steps *to;
    enum sepx_err err = SEPX_OK;

    if (!ledger->prune)
        return SEPX_OK;
    err = sepx__grow((void **)&ledger->steps, &ledger->steps_room,
                     (size_t)trial + 1, sizeof *ledger->steps);
    if (err)
        return err;
    for (; ledger->n_steps <= trial; ledger->n_steps++)
        ledger->steps[ledger->n_steps] = (struct sepx_eval_steps){0};
    to = &ledger->steps[trial];
    to->count = 0;
    for (size_t i = 0; i < steps->count && !err; i++)
        err = sepx_eval_steps_add(to, steps->at[i].step, steps->at[i].value);
    return err;
}

/* From the scored trials that the search has heard of. */
static enum sepx_err
set_limits(struct sepx__ledger *ledger, struct sepx__pending *made)
{
    const struct sepx_eval_steps **from;
    uint32_t end = ledger->async ? ledger->asked : ledger->heard;
    size_t count = 0;
    enum sepx_err err;

    made->limit.count = 0;
    if (!ledger->prune || !ledger->n_steps)
        return SEPX_OK;
    from = sepx__calloc((size_t)ledger->n_steps + 1, sizeof *from);
    if (!from)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < end && i < ledger->n_steps; i++) {
        const struct sepx__known *known = &ledger->known[i];

        if (known->told && known->outcome == SEPX_SCORED && !known->cached)
            from[count++] = &ledger->steps[i];
    }
    err = sepx__prune_limits(&made->limit, from, count);
    sepx__free(from);
    return err;
}

/* What is known of a trial whose ask is complete. */
static enum sepx_err
enter(struct sepx__ledger *ledger, struct sepx__pending *made,
      struct sepx_asked *asked)
{
    uint32_t trial = made->ask.trial, first = trial;
    bool imported = made->ask.op == SEPX_OPERATOR_IMPORTED;
    enum sepx_err err = SEPX_OK;

    ledger->graph.len = 0;
    if (!ledger->repeats)
        err = sepx__cache_note(&ledger->cache, &first, &made->ask.graph,
                               made->ask.fidelity, trial);
    if (!err)
        err = sepx_graph_write_json(&ledger->graph, &made->ask.graph);
    if (!err)
        err = set_limits(ledger, made);
    if (err)
        return err;
    made->same = first == trial ? -1 : (int64_t)first;
    ledger->known[trial].cached = made->same >= 0;
    ledger->known[trial].imported = imported;
    ledger->imported += imported;
    ledger->evaluations += made->same < 0 && !imported;
    ledger->repeated = made->same < 0 ? 0 : ledger->repeated + 1;
    describe(ledger, asked, made);
    return SEPX_OK;
}

/* An ask that failed half-way leaves the ledger good for release only. */
enum sepx_err
sepx__ledger_ask(struct sepx__ledger *ledger, struct sepx__pending **pending,
                 struct sepx_asked *asked)
{
    uint32_t trial = ledger->asked;
    struct sepx__pending *made;
    enum sepx_err err = make_room(ledger, trial);

    assert(sepx__ledger_ready(ledger));
    if (!err && !ledger->async)
        err = hear_all_late(ledger);
    if (!err && !ledger->async)
        err = hear_window(ledger, trial);
    if (!err)
        err = take_pending(ledger, &made);
    if (err)
        return err;
    ledger->known[trial] = (struct sepx__known){0};
    ledger->asked++;
    err = sepx_search_ask(ledger->search, &made->ask);
    if (err == SEPX_ESTOPPED) {
        ledger->stopped = true;
        ledger->asked--;
        made->used = false;
    }
    if (!err)
        err = enter(ledger, made, asked);
    assert(err || made->ask.trial == trial);
    assert(ledger->heard <= ledger->asked);
    *pending = made;
    return err;
}

static enum sepx_err
check_brought(const struct sepx__ledger *ledger, const struct sepx_graph *graph,
              struct sepx_msg *msg)
{
    bool valid;
    enum sepx_err err = sepx_space_check(ledger->space, &valid, graph, msg);

    if (err || valid)
        return err;
    sepx_msg_prefix(msg, "no graph of %s",
                    sepx_space_info(ledger->space)->name);
    return SEPX_EINVAL;
}

enum sepx_err
sepx__ledger_bring(struct sepx__ledger *ledger, struct sepx__pending **pending,
                   struct sepx_asked *asked, const struct sepx_graph *graph,
                   uint32_t op, struct sepx_msg *msg)
{
    uint32_t trial = ledger->asked, first = trial;
    struct sepx__pending *made = NULL;
    enum sepx_err err = check_brought(ledger, graph, msg);

    *pending = NULL;
    if (!err && !ledger->repeats)
        err = sepx__cache_find(&ledger->cache, &first, graph, 1, trial);
    if (err || first != trial)
        return err;
    err = make_room(ledger, trial);
    if (!err)
        err = take_pending(ledger, &made);
    if (!err)
        err = sepx_graph_copy(&made->ask.graph, graph);
    if (!err)
        err = sepx_search_give(ledger->search, &made->ask, op);
    if (err)
        return err;
    ledger->known[trial] = (struct sepx__known){0};
    ledger->asked++;
    *pending = made;
    return enter(ledger, made, asked);
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

/* What the user brought is in the log, and nowhere else. */
static enum sepx_err
replay_brought(struct sepx__ledger *ledger, const struct sepx_asked *logged,
               uint32_t op, struct sepx_msg *msg)
{
    struct sepx_graph graph = {.names = sepx_space_names(ledger->space)};
    struct sepx__pending *pending = NULL;
    struct sepx_asked asked;
    enum sepx_err err =
        sepx_graph_read(&graph, graph.names, logged->graph,
                        strlen(logged->graph), SEPX_FORMAT_JSON, msg);

    if (!err)
        err = sepx__ledger_bring(ledger, &pending, &asked, &graph, op, msg);
    sepx_graph_release(&graph);
    if (err && err != SEPX_ENOMEM && err != SEPX_ESTOPPED) {
        sepx_msg_prefix(msg, "trial %u", logged->trial);
        return SEPX_EDATA;
    }
    if (!err && (!pending || difference(logged, &asked)))
        err = sepx_fail(msg, SEPX_EDATA,
                        "trial %u was %s, but not as the log has it",
                        logged->trial, logged->op);
    return err;
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
    for (uint32_t op = SEPX_OPERATOR_ADDED; op; op++) {
        if (!strcmp(logged->op, sepx_search_operator_name(ledger->search, op)))
            return replay_brought(ledger, logged, op, msg);
    }
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
           same_number(first->test, told->test) &&
           (!ledger->goals->names || isnan(told->value) ||
            !memcmp(numbers_of(ledger, (uint32_t)same), score->number,
                    ledger->goals->names * sizeof *score->number));
}

bool
sepx__outcome_find(enum sepx_outcome *outcome, const char *name)
{
    for (int i = SEPX_SCORED; i < SEPX_CANCELLED; i++) {
        *outcome = (enum sepx_outcome)i;
        if (!strcmp(sepx_outcome_name(*outcome), name))
            return true;
    }
    return false;
}

/* With goals a score has numbers, and its value follows from them. */
static bool
numbers_fit(const struct sepx__ledger *ledger, const struct sepx_told *told,
            struct sepx_score *score)
{
    if (!ledger->goals->names || score->outcome != SEPX_SCORED)
        return !told->numbers;
    if (sepx_study_numbers(ledger->goals, score->number, told->numbers))
        return false;
    sepx__numbers_finish(ledger->goals, score);
    return score->value == told->value;
}

/* A trial is pruned at the first step that its limits do not allow. */
static enum sepx_err
replay_steps(struct sepx__ledger *ledger, const struct sepx__pending *pending,
             const struct sepx_told *told, enum sepx_outcome outcome,
             struct sepx_msg *msg)
{
    struct sepx_eval_steps steps = {0};
    enum sepx_err err = sepx__steps_read(&steps, told->steps);
    bool ends = outcome == SEPX_PRUNED && told->cached < 0;
    size_t at = err ? 0 : sepx__prune_at(&pending->limit, &steps);

    if (!err && (ends ? !at || at != steps.count : at > 0))
        err = SEPX_EDATA;
    if (!err)
        err = sepx__ledger_steps(ledger, told->trial, &steps);
    sepx_eval_steps_release(&steps);
    if (err == SEPX_EDATA)
        (void)sepx_fail(msg, err,
                        "trial %u: its intermediate values and its outcome "
                        "'%.40s' do not follow from the rule that ends trials "
                        "early",
                        told->trial, told->outcome);
    return err;
}

static enum sepx_err
replay_told(struct sepx__ledger *ledger, const struct sepx_told *told,
            struct sepx_msg *msg)
{
    struct sepx_score score = {
        .value = told->value, .test = told->test, .cost = told->cost};
    struct sepx__pending *pending = sepx__ledger_find(ledger, told->trial);
    enum sepx_err err;

    if (!pending || pending->told)
        return sepx_fail(msg, SEPX_EDATA,
                         "the log has a result of trial %u, which is not "
                         "under way",
                         told->trial);
    if (told->attempt != ledger->known[told->trial].attempt)
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: its result is of attempt %u, but attempt "
                         "%u is under way",
                         told->trial, told->attempt,
                         ledger->known[told->trial].attempt);
    if (!sepx__outcome_find(&score.outcome, told->outcome) ||
        isnan(told->value) != (score.outcome != SEPX_SCORED))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: outcome '%.40s' does not fit its value",
                         told->trial, told->outcome);
    if (!numbers_fit(ledger, told, &score))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: its numbers do not fit the objectives of "
                         "the study, or its value",
                         told->trial);
    err = replay_steps(ledger, pending, told, score.outcome, msg);
    if (err)
        return err;
    if (ledger->known[told->trial].imported && score.outcome != SEPX_SCORED)
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u was imported, but has no score",
                         told->trial);
    if (!cached_fits(ledger, pending->same, told, &score))
        return sepx_fail(msg, SEPX_EDATA,
                         "trial %u: its result is not that of the isomorphic "
                         "trial",
                         told->trial);
    return sepx__ledger_tell(ledger, pending, &score);
}

static enum sepx_err
replay_retried(struct sepx__ledger *ledger, uint32_t trial,
               struct sepx_msg *msg)
{
    if (!sepx__ledger_failed(ledger, trial))
        return sepx_fail(msg, SEPX_EDATA,
                         "the log retries trial %u, which has not failed",
                         trial);
    sepx__ledger_retry(ledger, trial);
    return SEPX_OK;
}

enum sepx_err
sepx__ledger_replay(struct sepx__ledger *ledger, const struct sepx_entry *entry,
                    struct sepx_msg *msg)
{
    if (entry->is_retried)
        return replay_retried(ledger, entry->retried, msg);
    return entry->is_asked ? replay_asked(ledger, &entry->asked, msg)
                           : replay_told(ledger, &entry->told, msg);
}
