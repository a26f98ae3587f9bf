/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is better: two-sided Mann-Whitney tests of each run's mean over its
 * curve, so that both the speed and the end count. A claim about several
 * methods holds if every test does, at 5 % each; the hardest one, reversed
 * before not shown and then the smallest effect, stands for all.
 */
#include "comparison/comparison.h"

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
find_match(const struct comparison_run *run, const char *panel)
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

/* All tests of a claim, and the one that is shown. */
struct tally {
    const char *label;
    struct sepx_mann_whitney test;
    enum verdict verdict;
    size_t n;
    char against[VERDICTS][160]; /* labels by verdict */
};

/* A test that is reversed is harder than one that shows nothing, and so on. */
static bool
harder(const struct tally *tally, enum verdict verdict,
       const struct sepx_mann_whitney *test)
{
    static const int rank[VERDICTS] = {[NOT_SHOWN] = 1, [REVERSED] = 2};

    if (!tally->label || rank[verdict] != rank[tally->verdict])
        return !tally->label || rank[verdict] > rank[tally->verdict];
    if (test->effect != tally->test.effect)
        return test->effect < tally->test.effect;
    return test->p > tally->test.p;
}

static void
count_test(struct tally *tally, const struct trace *b,
           const struct sepx_mann_whitney *test, size_t n)
{
    enum verdict verdict = verdict_of_test(test->p, test->effect);
    char *list = tally->against[verdict];
    size_t len = strlen(list);

    snprintf(list + len, sizeof tally->against[0] - len, "%s%s",
             len ? ", " : "", b->who->label);
    if (!harder(tally, verdict, test))
        return;
    tally->label = b->who->label;
    tally->test = *test;
    tally->verdict = verdict;
    tally->n = n;
}

/* "SEP against RL, the hardest; holds against a, b; not shown against RL" */
static void
describe(char *text, size_t size, const struct tally *tally,
         const struct match *match, const struct duel *duel)
{
    bool several = !duel->worse || strchr(duel->worse, ',');
    int len = snprintf(text, size, "%s against %s%s", duel->better,
                       tally->label, several ? ", the hardest" : "");

    for (int i = 0; i < VERDICTS && several; i++)
        if (*tally->against[i])
            len += snprintf(text + len, size - (size_t)len, "; %s against %s",
                            verdict_names[i], tally->against[i]);
    if (match->source)
        snprintf(text + len, size - (size_t)len, "; scores: %s", match->source);
}

static enum sepx_err
test_duel(struct work *work, const struct match *match, const struct duel *duel)
{
    const struct trace *a = find(match, duel->better);
    struct tally tally = {0};
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
            count_test(&tally, b, &test, a->runs + b->runs);
    }
    if (err || !tally.label)
        return err;
    o.verdict = tally.verdict;
    o.p = tally.test.p;
    o.effect = tally.test.effect;
    o.n = tally.n;
    describe(o.detail, sizeof o.detail, &tally, match, duel);
    work_claim(work, &o);
    return SEPX_OK;
}

int
comparison_test(struct work *work, const struct comparison_run *run)
{
    enum sepx_err err = SEPX_OK;

    for (const struct duel *d = run->comparison->duel; d->claim && !err; d++) {
        const struct match *match = find_match(run, d->panel);

        if (match && match->shown[d->series])
            err = test_duel(work, match, d);
    }
    return err ? cli_fail("reproduce", err, NULL) : CLI_DONE;
}
