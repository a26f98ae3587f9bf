/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a study stands: its summary, its history thinned to what a picture can
 * show, its operators and its workers over time.
 */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_ALL = 4000, /* histories up to here are sent whole */
    BINS = 800,        /* of a longer one, by trial */
    TICKS_MOST = 1000, /* failed trials that are sent */
    STEPS = 24,        /* of operators over time */
    SPANS_MOST = 3000, /* evaluations of slots */
    FAILURES_MOST = 20
};

/* ---- summary ---- */

static void
put_settings(struct sepx_json_writer *w, const struct page_study *study)
{
    const struct sepx_study_settings *set = sepx_study_settings(study->s.study);

    sepx_json_key(w, "settings");
    sepx_json_open(w, '{');
    /* A space from a file is kept as its text. */
    page_put_text(w, "space",
                  set->space && *set->space == '{' ? "a space from a file"
                                                   : set->space);
    page_put_text(w, "method", set->method);
    page_put_text(w, "evaluator", set->eval);
    page_put_text(w, "rules", set->rules ? set->rules : "default");
    page_put_count(w, "window", set->window);
    page_put_bool(w, "async", set->async);
    sepx_json_add_count(w, "seed", set->seed);
    sepx_json_close(w, '}');
}

/* Names of what is asked for, and the constraints as they were written. */
static void
put_goals(struct sepx_json_writer *w, const struct page_study *study)
{
    const struct sepx_study_settings *set = sepx_study_settings(study->s.study);
    const struct sepx_goals *goals = study->s.goals;

    page_open_list(w, "numbers");
    for (uint32_t i = 0; i < goals->names; i++)
        sepx_json_put_string(w, goals->name[i]);
    sepx_json_close(w, ']');
    page_open_list(w, "objectives");
    for (uint32_t i = 0; i < goals->objectives; i++) {
        sepx_json_open(w, '{');
        page_put_text(w, "name", goals->name[goals->objective[i].number]);
        page_put_bool(w, "maximize", goals->objective[i].maximize);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    page_open_list(w, "where");
    for (uint32_t i = 0; set->where && set->where[i]; i++)
        sepx_json_put_string(w, set->where[i]);
    sepx_json_close(w, ']');
}

static double
elapsed_of(const struct page_study *study)
{
    double most = sepx_store_elapsed(study->s.store);

    for (size_t i = 0; i < study->count; i++)
        most = fmax(most, study->trial[i].elapsed);
    return most;
}

/* Of a study that cannot be read, its name and the reason. */
static void
put_summary(struct sepx_json_writer *w, const struct page_study *study)
{
    const struct page_trial *best = page_best(study);
    char name[256];
    double until;
    struct sepx_study_plan plan = {0};

    sepx_json_open(w, '{');
    study_name(&study->s, name, sizeof name);
    page_put_text(w, "name", name);
    if (study->fault.len) {
        page_put_text(w, "fault", study->fault.at);
        sepx_json_close(w, '}');
        return;
    }
    page_put_count(w, "events", (int64_t)study->events);
    page_put_bool(w, "running", study->running);
    page_put_bool(w, "maximize", study->s.maximize);
    page_put_count(w, "asked", (int64_t)study->count);
    page_put_count(w, "told", (int64_t)study->told);
    page_put_count(w, "cached", (int64_t)study->cached);
    page_put_count(w, "failed", (int64_t)study->failed);
    /* A study whose options cannot be read has no goal to show. */
    if (!study_last_plan(&study->s, &plan, &until, NULL))
        page_put_count(w, "goal", plan.evals);
    page_put_number(w, "elapsed", elapsed_of(study));
    page_put_number(w, "best", best ? best->value : NAN);
    page_put_number(w, "best_test", best ? best->test : NAN);
    sepx_json_key(w, "best_trial");
    if (best)
        sepx_json_put_integer(w, best - study->trial);
    else
        sepx_json_put_null(w);
    put_goals(w, study);
    put_settings(w, study);
    sepx_json_close(w, '}');
}

enum sepx_err
page_write_summary(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    (void)page, (void)query, (void)msg;
    put_summary(w, study);
    return SEPX_OK;
}

enum sepx_err
page_write_studies(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    (void)study, (void)query, (void)msg;
    sepx_json_open(w, '[');
    for (size_t i = 0; i < page->count; i++)
        put_summary(w, &page->study[i]);
    sepx_json_close(w, ']');
    return SEPX_OK;
}

/* ---- history ---- */

/*
 * Points of a picture: parallel arrays are small and quick to read. `spent`
 * is the cost of all trials up to each.
 */
static void
put_points(struct sepx_json_writer *w, const struct page_study *study,
           const double *spent, const uint32_t *trial, size_t count)
{
    static const char *const keys[] = {"trial", "value", "elapsed",
                                       "spent", "op",    "outcome"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        page_open_list(w, keys[k]);
        for (size_t i = 0; i < count; i++) {
            const struct page_trial *at = &study->trial[trial[i]];

            if (k == 0)
                sepx_json_put_integer(w, trial[i]);
            else if (k == 4 || k == 5)
                sepx_json_put_integer(w, k == 4 ? at->op : at->outcome);
            else
                sepx_json_put_number(w, k == 1   ? at->value
                                        : k == 2 ? at->elapsed
                                                 : spent[trial[i]]);
        }
        sepx_json_close(w, ']');
    }
}

/*
 * Trials with a score of their own: all, or in each bin of trials and of
 * each operator the first, the smallest and the largest value.
 */
static size_t
pick_points(const struct page_study *study, uint32_t *picked,
            uint32_t *first_of, uint32_t *low, uint32_t *high)
{
    const size_t per = study->count > POINTS_ALL ? study->count / BINS + 1 : 1;
    size_t count = 0;

    for (size_t first = 0; first < study->count; first += per) {
        size_t end = first + per < study->count ? first + per : study->count;

        for (uint32_t k = 0; k < study->ops.count; k++)
            first_of[k] = low[k] = high[k] = PAGE_NO_WORD;
        for (size_t i = first; i < end; i++) {
            const struct page_trial *at = &study->trial[i];

            if (isnan(at->value) || at->cached >= 0)
                continue;
            if (first_of[at->op] == PAGE_NO_WORD)
                first_of[at->op] = (uint32_t)i;
            if (low[at->op] == PAGE_NO_WORD ||
                at->value < study->trial[low[at->op]].value)
                low[at->op] = (uint32_t)i;
            if (high[at->op] == PAGE_NO_WORD ||
                at->value > study->trial[high[at->op]].value)
                high[at->op] = (uint32_t)i;
        }
        for (uint32_t k = 0; k < study->ops.count; k++) {
            if (low[k] == PAGE_NO_WORD)
                continue;
            picked[count++] = low[k];
            if (high[k] != low[k])
                picked[count++] = high[k];
            if (first_of[k] != low[k] && first_of[k] != high[k])
                picked[count++] = first_of[k];
        }
    }
    return count;
}

static size_t
pick_bests(const struct page_study *study, uint32_t *picked)
{
    double best = NAN;
    size_t count = 0;

    for (size_t i = 0; i < study->count; i++) {
        if (page_better(study, page_score(&study->trial[i]), best)) {
            best = study->trial[i].value;
            picked[count++] = (uint32_t)i;
        }
    }
    return count;
}

/* Without a score; the last ones if there are very many. */
static size_t
pick_failed(const struct page_study *study, uint32_t *picked)
{
    size_t count = 0;

    for (size_t i = study->count; i-- > 0 && count < TICKS_MOST;) {
        if (study->trial[i].told && isnan(study->trial[i].value))
            picked[count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t swap = picked[i];

        picked[i] = picked[count - 1 - i];
        picked[count - 1 - i] = swap;
    }
    return count;
}

static void
add_up(const struct page_study *study, double *spent)
{
    double sum = 0;

    for (size_t i = 0; i < study->count; i++) {
        const double cost = study->trial[i].cost;

        sum += isnan(cost) ? 0 : cost;
        spent[i] = sum;
    }
}

/* `room` has places for all points, and `range` three for each operator. */
static void
put_history(struct sepx_json_writer *w, const struct page_study *study,
            const double *spent, uint32_t *room, uint32_t *range)
{
    const size_t ops = study->ops.count + 1;
    size_t count;

    for (int k = 0; k < 3; k++) {
        static const char *const keys[] = {"points", "best", "failed"};

        count = k == 0   ? pick_points(study, room, range, range + ops,
                                       range + 2 * ops)
                : k == 1 ? pick_bests(study, room)
                         : pick_failed(study, room);
        sepx_json_key(w, keys[k]);
        sepx_json_open(w, '{');
        put_points(w, study, spent, room, count);
        sepx_json_close(w, '}');
    }
}

enum sepx_err
page_write_history(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    const size_t ops = study->ops.count + 1;
    uint32_t *room =
        malloc((study->count + 3 * ops + TICKS_MOST) * sizeof *room);
    uint32_t *range = malloc(3 * ops * sizeof *range);
    double *spent = malloc((study->count + 1) * sizeof *spent);

    (void)page, (void)query, (void)msg;
    if (room && range && spent) {
        add_up(study, spent);
        sepx_json_open(w, '{');
        page_put_count(w, "events", (int64_t)study->events);
        page_put_count(w, "trials", (int64_t)study->count);
        page_put_bool(w, "thinned", study->count > POINTS_ALL);
        page_put_words(w, "ops", &study->ops);
        page_put_words(w, "outcomes", &study->outcomes);
        put_history(w, study, spent, room, range);
        page_put_number(w, "elapsed", elapsed_of(study));
        sepx_json_close(w, '}');
    } else {
        w->err = SEPX_ENOMEM;
    }
    free(room);
    free(range);
    free(spent);
    return w->err;
}

/* ---- operators ---- */

struct tally {
    uint32_t asked, scored, bred, better, best;
};

/* The best value of the parents that a trial has; NaN: it has none. */
static double
parents_best(const struct page_study *study, const struct page_trial *at)
{
    double best = NAN;

    for (int k = 0; k < 2; k++) {
        if (at->parent[k] >= 0 && (size_t)at->parent[k] < study->count &&
            page_better(study, study->trial[at->parent[k]].value, best))
            best = study->trial[at->parent[k]].value;
    }
    return best;
}

static void
put_tallies(struct sepx_json_writer *w, const struct tally *tally, size_t count)
{
    static const char *const keys[] = {"asked", "scored", "bred", "better",
                                       "best"};

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        page_open_list(w, keys[k]);
        for (size_t i = 0; i < count; i++)
            sepx_json_put_integer(w, k == 0   ? tally[i].asked
                                     : k == 1 ? tally[i].scored
                                     : k == 2 ? tally[i].bred
                                     : k == 3 ? tally[i].better
                                              : tally[i].best);
        sepx_json_close(w, ']');
    }
}

/* `gain`, by operator: what was won over the better parent, added up. */
static void
tally_trials(const struct page_study *study, struct tally *tally, double *gain,
             size_t per)
{
    double best = NAN;

    for (size_t i = 0; i < study->count; i++) {
        const struct page_trial *at = &study->trial[i];
        struct tally *to = &tally[at->op * STEPS + i / per];
        double before = parents_best(study, at);

        to->asked++;
        to->scored += isnan(at->value) ? 0 : 1;
        to->bred += isnan(at->value) || isnan(before) ? 0 : 1;
        if (!isnan(before) && page_better(study, at->value, before)) {
            to->better++;
            gain[at->op] += fabs(at->value - before);
        }
        if (page_better(study, page_score(at), best)) {
            best = at->value;
            to->best++;
        }
    }
}

enum sepx_err
page_write_operators(struct page *page, struct page_study *study,
                     struct sepx_json_writer *w, const struct page_query *query,
                     struct sepx_msg *msg)
{
    const size_t per = study->count / STEPS + 1;
    struct tally *tally = calloc((study->ops.count + 1) * STEPS, sizeof *tally);
    double *gain = calloc(study->ops.count + 1, sizeof *gain);

    (void)page, (void)query, (void)msg;
    if (!tally || !gain) {
        free(tally);
        free(gain);
        return SEPX_ENOMEM;
    }
    tally_trials(study, tally, gain, per);
    sepx_json_open(w, '{');
    page_put_count(w, "per", (int64_t)per);
    page_open_list(w, "ops");
    for (uint32_t k = 0; k < study->ops.count; k++) {
        sepx_json_open(w, '{');
        page_put_text(w, "name", study->ops.at[k]);
        put_tallies(w, tally + k * STEPS, STEPS);
        page_put_number(w, "gain", gain[k]);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    free(tally);
    free(gain);
    return SEPX_OK;
}

/* ---- workers ---- */

static void
put_spans(struct sepx_json_writer *w, const struct page_study *study)
{
    size_t left = SPANS_MOST;

    page_open_list(w, "spans");
    for (size_t i = study->count; i-- > 0 && left > 0;) {
        const struct page_trial *at = &study->trial[i];

        if (!at->told || at->cached >= 0)
            continue;
        left--;
        sepx_json_open(w, '[');
        sepx_json_put_integer(w, (int64_t)i);
        sepx_json_put_integer(w, at->slot == PAGE_NO_WORD ? -1
                                                          : (int64_t)at->slot);
        sepx_json_put_number(w, at->elapsed - at->seconds);
        sepx_json_put_number(w, at->elapsed);
        sepx_json_put_integer(w, at->outcome);
        sepx_json_close(w, ']');
    }
    sepx_json_close(w, ']');
}

/* The trial's texts, from the store. */
static enum sepx_err
put_failure(struct sepx_json_writer *w, struct page_study *study, size_t trial,
            struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = false;
    enum sepx_err err = sepx_store_read(
        study->s.store, &cursor, SEPX_STORE_TRIALS, (uint32_t)trial, msg);

    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && more && entry.is_told) {
        sepx_json_open(w, '{');
        page_put_count(w, "trial", (int64_t)trial);
        page_put_text(w, "outcome", entry.told.outcome);
        page_put_text(w, "slot", entry.told.slot);
        page_put_number(w, "seconds", entry.told.seconds);
        page_put_text(w, "errors", entry.told.errors);
        sepx_json_close(w, '}');
    }
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
page_write_workers(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;
    size_t left = FAILURES_MOST;

    (void)page, (void)query;
    sepx_json_open(w, '{');
    page_put_words(w, "slots", &study->slots);
    page_put_words(w, "outcomes", &study->outcomes);
    page_put_number(w, "elapsed", elapsed_of(study));
    put_spans(w, study);
    page_open_list(w, "failures");
    for (size_t i = study->count; i-- > 0 && left > 0 && !err;) {
        const struct page_trial *at = &study->trial[i];

        if (!at->told || !isnan(at->value) || at->cached >= 0)
            continue;
        left--;
        err = put_failure(w, study, i, msg);
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    return err;
}
