/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Candidates as SMAC finds them: local searches over single changes, which
 * begin at the known vectors that promise most, and random vectors, all
 * sorted by expected improvement.
 */
#include "search/models/acquire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double
sepx__expected_improvement(double mean, double variance, double best)
{
    double sd = sqrt(fmax(variance, 1e-10)), z = (best - mean) / sd;
    double density = exp(-z * z / 2) * 0.3989422804014327;

    return (best - mean) * 0.5 * erfc(-z * 0.7071067811865476) + sd * density;
}

/* What one listing works with. */
struct seeker {
    struct sepx__acquire *list;
    const struct sepx__forest *forest;
    const uint16_t *choices;
    uint32_t variables, moves;
    double best;
    struct sepx_rng *rng;
    const struct sepx_stop *stop;
};

static double
promise(const struct seeker *s, const uint16_t *value)
{
    double mean, variance;

    sepx__forest_predict(s->forest, &mean, &variance, value);
    return sepx__expected_improvement(mean, variance, s->best);
}

/* Of a vector one change away from the traced one, which promises `here`. */
static double
promise_near(const struct seeker *s, const uint16_t *value,
             const struct sepx__trace *trace, uint32_t variable, double here)
{
    double mean, variance;

    if (!sepx__forest_predict_near(s->forest, &mean, &variance, value, trace,
                                   variable))
        return here;
    return sepx__expected_improvement(mean, variance, s->best);
}

/* ---- local search ---- */

/* One value changed; the old one is returned. */
static uint16_t
change(uint16_t *value, uint32_t move, uint16_t choices)
{
    uint32_t v = move >> 16;
    uint16_t old = value[v];

    value[v] = (uint16_t)((old + (move & 0xffff)) % choices);
    return old;
}

/*
 * To the first neighbour that promises more, or, `plateau` times in all, as
 * much if none promises more. False: nowhere to go.
 */
static bool
step(const struct seeker *s, uint16_t *value, double *here, uint32_t *plateau)
{
    const uint32_t *move = s->list->move;
    uint32_t equal = s->moves;
    struct sepx__trace trace = {.first = s->list->first};

    sepx_rng_shuffle(s->rng, s->list->move, s->moves, sizeof(*s->list->move));
    sepx__forest_trace(s->forest, &trace, value);
    for (uint32_t i = 0; i < s->moves; i++) {
        uint32_t v = move[i] >> 16;
        uint16_t old = change(value, move[i], s->choices[v]);
        double there = promise_near(s, value, &trace, v, *here);

        if (there > *here) {
            *here = there;
            return true;
        }
        if (there == *here && equal == s->moves)
            equal = i;
        value[v] = old;
    }
    if (equal == s->moves || !*plateau)
        return false;
    --*plateau;
    change(value, move[equal], s->choices[move[equal] >> 16]);
    return true;
}

static void
add(const struct seeker *s, const uint16_t *value, double promised)
{
    struct sepx__acquire *list = s->list;
    uint32_t at = (uint32_t)list->count++;

    memcpy(list->value + (size_t)at * s->variables, value,
           s->variables * sizeof *value);
    list->candidate[at] = (struct sepx__candidate){promised, at};
}

static void
search(const struct seeker *s, const uint16_t *from, double promised,
       uint32_t plateau)
{
    uint16_t *value = s->list->near;

    memcpy(value, from, s->variables * sizeof *value);
    while (!sepx__stop_asked(s->stop) && step(s, value, &promised, &plateau))
        ;
    add(s, value, promised);
}

/* ---- the list ---- */

static int
by_promise(const void *x, const void *y)
{
    const struct sepx__candidate *a = x, *b = y;

    if (a->promise != b->promise)
        return a->promise > b->promise ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void
search_all(const struct seeker *s, const uint16_t *known, uint32_t n,
           const struct sepx__acquire_rules *rules)
{
    struct sepx__candidate *start = s->list->start;

    for (uint32_t i = 0; i < n; i++)
        start[i] = (struct sepx__candidate){
            promise(s, known + (size_t)i * s->variables), i};
    qsort(start, n, sizeof *start, by_promise);
    for (uint32_t i = 0;
         i < n && i < rules->searches && !sepx__stop_asked(s->stop); i++)
        search(s, known + (size_t)start[i].at * s->variables, start[i].promise,
               rules->plateau);
}

static void
draw_all(const struct seeker *s, uint32_t count)
{
    uint16_t *value = s->list->near;

    while (count--) {
        for (uint32_t v = 0; v < s->variables; v++)
            value[v] = (uint16_t)sepx_rng_below(s->rng, s->choices[v]);
        add(s, value, promise(s, value));
    }
}

static enum sepx_err
make_room(struct seeker *s, uint32_t n, const struct sepx__acquire_rules *rules)
{
    struct sepx__acquire *list = s->list;
    size_t total = (size_t)rules->searches + rules->random;
    void *at = list->candidate;
    enum sepx_err err =
        sepx__grow(&at, &list->candidate_room, total, sizeof *list->candidate);

    list->candidate = at;
    at = list->value;
    if (!err)
        err = sepx__grow(&at, &list->value_room, total * s->variables,
                         sizeof *list->value);
    list->value = at;
    at = list->near;
    if (!err)
        err =
            sepx__grow(&at, &list->near_room, s->variables, sizeof *list->near);
    list->near = at;
    at = list->move;
    if (!err)
        err = sepx__grow(&at, &list->move_room, s->moves, sizeof *list->move);
    list->move = at;
    at = list->first;
    if (!err)
        err = sepx__grow(&at, &list->first_room,
                         (size_t)s->variables * s->forest->rules.trees,
                         sizeof *list->first);
    list->first = at;
    at = list->start;
    if (!err)
        err = sepx__grow(&at, &list->start_room, n, sizeof *list->start);
    list->start = at;
    return err;
}

enum sepx_err
sepx__acquire_list(struct sepx__acquire *list,
                   const struct sepx__forest *forest, const uint16_t *choices,
                   const uint16_t *known, uint32_t n, double best,
                   const struct sepx__acquire_rules *rules,
                   struct sepx_rng *rng)
{
    struct seeker s = {list, forest, choices, forest->variables,
                       0,    best,   rng,     &rules->stop};
    enum sepx_err err;

    for (uint32_t v = 0; v < s.variables; v++)
        s.moves += choices[v] - 1u;
    err = make_room(&s, n, rules);
    if (err)
        return err;
    s.moves = 0;
    for (uint32_t v = 0; v < s.variables; v++)
        for (uint32_t k = 1; k < choices[v]; k++)
            list->move[s.moves++] = v << 16 | k;
    list->count = 0;
    search_all(&s, known, n, rules);
    draw_all(&s, rules->random);
    qsort(list->candidate, list->count, sizeof *list->candidate, by_promise);
    return sepx__stop_asked(s.stop) ? SEPX_ESTOPPED : SEPX_OK;
}

void
sepx__acquire_release(struct sepx__acquire *list)
{
    sepx__free(list->candidate);
    sepx__free(list->value);
    sepx__free(list->near);
    sepx__free(list->move);
    sepx__free(list->first);
    sepx__free(list->start);
    *list = (struct sepx__acquire){0};
}
