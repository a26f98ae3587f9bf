/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is better: two-sided Mann-Whitney tests of each run's mean over its
 * curve, so that both the speed and the end count. A claim about several
 * methods holds if every test does, at 5 % each; the one with the smallest
 * effect stands for all.
 */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct trace *
find(const struct match *match, const char *label)
{
    for (size_t i = 0; i < match->count; i++)
        if (!strcmp(match->trace[i].who->label, label))
            return &match->trace[i];
    return NULL;
}

/* Whether the label is one of "a,b,c"; NULL is all. */
static bool
listed(const char *list, const char *label)
{
    size_t len = strlen(label);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (!strncmp(at, label, len) && (!at[len] || at[len] == ','))
            return true;
    }
    return !list;
}

static const struct match *
find_match(const struct contest_run *run, const char *panel)
{
    for (size_t i = 0; i < run->count; i++)
        if (!strcmp(run->match[i].panel->key, panel))
            return &run->match[i];
    return NULL;
}

/* Tells the chance that `a` is better, whichever way scores go. */
static enum sepx_err
compare(struct sepx_mann_whitney *test, const struct match *match,
        enum series series, const struct trace *a, const struct trace *b)
{
    bool smaller = match->smaller && series == SERIES_SCORE;
    enum sepx_err err = sepx_mann_whitney(test, a->mean[series], a->runs,
                                          b->mean[series], b->runs);

    test->effect = smaller ? test->effect : 1 - test->effect;
    return err;
}

struct worst {
    const char *label;
    struct sepx_mann_whitney test;
    size_t n;
    bool all; /* every test so far was for the claim */
};

static void
keep_worst(struct worst *worst, const struct trace *b,
           const struct sepx_mann_whitney *test, size_t n)
{
    bool good = test->p < 0.05 && test->effect > 0.5;
    bool equal = test->effect == worst->test.effect;

    worst->all = worst->all && good;
    if (worst->label && (test->effect > worst->test.effect ||
                         (equal && test->p <= worst->test.p)))
        return;
    worst->label = b->who->label;
    worst->test = *test;
    worst->n = n;
}

static enum sepx_err
judge_duel(struct work *work, const struct match *match,
           const struct duel *duel)
{
    const struct trace *a = find(match, duel->better);
    bool several = !duel->worse || strchr(duel->worse, ',');
    struct worst worst = {.all = true};
    enum sepx_err err = SEPX_OK;
    struct outcome o = {.id = duel->claim,
                        .test = "Mann-Whitney, mean of the curve"};

    for (size_t i = 0; a && i < match->count && !err; i++) {
        const struct trace *b = &match->trace[i];
        struct sepx_mann_whitney test;

        if (b == a || !listed(duel->worse, b->who->label))
            continue;
        err = compare(&test, match, duel->series, a, b);
        if (!err)
            keep_worst(&worst, b, &test, a->runs + b->runs);
    }
    if (err || !worst.label)
        return err;
    o.holds = worst.all;
    o.p = worst.test.p;
    o.effect = worst.test.effect;
    o.n = worst.n;
    snprintf(o.detail, sizeof o.detail, "%s against %s%s%s%s", duel->better,
             worst.label, several ? ", the hardest" : "",
             match->source ? "; scores: " : "",
             match->source ? match->source : "");
    work_claim(work, &o);
    return SEPX_OK;
}

int
contest_judge(struct work *work, const struct contest_run *run)
{
    enum sepx_err err = SEPX_OK;

    for (const struct duel *d = run->contest->duel; d->claim && !err; d++) {
        const struct match *match = find_match(run, d->panel);

        if (match && match->shown[d->series])
            err = judge_duel(work, match, d);
    }
    return err ? cli_fail("reproduce", err, NULL) : CLI_DONE;
}
