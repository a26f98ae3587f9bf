/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several studies beside each other: the best so far of studies with equal
 * space, evaluator, direction and method form one curve with a band, and a
 * Mann-Whitney test compares the ends of each two. And the front of one study.
 */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, POINTS_MOST = 4000 };

#define NO_GROUP SIZE_MAX

static int
by_number(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static const char *
text_of(const char *text)
{
    return text ? text : "";
}

/* Lists that are ended by NULL, or are NULL. */
static bool
same_words(const char *const *a, const char *const *b)
{
    for (; a && *a && b && *b; a++, b++) {
        if (strcmp(*a, *b) != 0)
            return false;
    }
    return !(a && *a) && !(b && *b);
}

static bool
same_group(const struct page_study *a, const struct page_study *b)
{
    const struct sepx_study_settings *x = sepx_study_settings(a->s.study);
    const struct sepx_study_settings *y = sepx_study_settings(b->s.study);

    return a->s.maximize == b->s.maximize &&
           !strcmp(text_of(x->space), text_of(y->space)) &&
           !strcmp(text_of(x->method), text_of(y->method)) &&
           !strcmp(text_of(x->eval), text_of(y->eval)) &&
           !strcmp(text_of(x->rules), text_of(y->rules)) &&
           same_words(x->objective, y->objective) &&
           same_words(x->where, y->where);
}

/* The trials that all readable studies have; curves are compared up to there. */
static size_t
common_trials(const struct page *page)
{
    size_t least = SIZE_MAX;

    for (size_t i = 0; i < page->count; i++) {
        if (!page->study[i].fault.len && page->study[i].count < least)
            least = page->study[i].count;
    }
    return least == SIZE_MAX ? 0 : least;
}

/* Studies beside each other. */
struct comparison {
    const struct page *page;
    size_t trials, steps; /* of the curves */
    size_t *group;        /* of each study; NO_GROUP: it cannot be read */
    double *curve;        /* of each study: the best by each step; NaN: none */
    double *value;        /* room for one of each study */
};

static size_t
trial_of(const struct comparison *c, size_t step)
{
    return c->trials * (step + 1) / c->steps;
}

static void
fill_curve(const struct comparison *c, size_t study)
{
    const struct page_study *from = &c->page->study[study];
    double best = NAN;
    size_t i = 0;

    for (size_t k = 0; k < c->steps; k++) {
        for (; i < trial_of(c, k); i++) {
            double score = page_score(&from->trial[i]);

            if (page_better(from, score, best))
                best = score;
        }
        c->curve[study * c->steps + k] = best;
    }
}

/* Values of a group's studies at a step, sorted. */
static size_t
group_values(const struct comparison *c, size_t number, size_t step,
             double *value)
{
    size_t count = 0;

    for (size_t i = 0; i < c->page->count; i++) {
        double best = c->curve[i * c->steps + step];

        if (c->group[i] == number && !isnan(best))
            value[count++] = best;
    }
    qsort(value, count, sizeof *value, by_number);
    return count;
}

static void
put_group(struct sepx_json_writer *w, const struct comparison *c, size_t number)
{
    static const char *const keys[] = {"low", "median", "high"};
    size_t first = 0;

    while (c->group[first] != number)
        first++;
    sepx_json_open(w, '{');
    page_put_text(w, "method",
                  sepx_study_settings(c->page->study[first].s.study)->method);
    page_open_list(w, "studies");
    for (size_t i = 0; i < c->page->count; i++) {
        if (c->group[i] == number)
            sepx_json_put_integer(w, (int64_t)i);
    }
    sepx_json_close(w, ']');
    for (int q = 0; q < 3; q++) {
        page_open_list(w, keys[q]);
        for (size_t k = 0; k < c->steps; k++) {
            size_t n = group_values(c, number, k, c->value);

            sepx_json_put_number(
                w, n ? sepx_quantile(c->value, n, 0.25 * (q + 1)) : NAN);
        }
        sepx_json_close(w, ']');
    }
    sepx_json_close(w, '}');
}

static enum sepx_err
put_test(struct sepx_json_writer *w, const struct comparison *c, size_t a,
         size_t b)
{
    const size_t last = c->steps - 1;
    size_t x = group_values(c, a, last, c->value);
    size_t y = group_values(c, b, last, c->value + x);
    struct sepx_mann_whitney test;
    enum sepx_err err;

    if (!x || !y)
        return SEPX_OK;
    err = sepx_mann_whitney(&test, c->value, x, c->value + x, y);
    if (err)
        return err;
    sepx_json_open(w, '{');
    page_put_count(w, "a", (int64_t)a);
    page_put_count(w, "b", (int64_t)b);
    page_put_number(w, "p", test.p);
    page_put_number(w, "effect", test.effect);
    sepx_json_close(w, '}');
    return SEPX_OK;
}

static size_t
make_groups(const struct page *page, size_t *group)
{
    size_t count = 0;

    for (size_t i = 0; i < page->count; i++) {
        group[i] = NO_GROUP;
        if (page->study[i].fault.len)
            continue;
        group[i] = count;
        for (size_t j = 0; j < i && group[i] == count; j++) {
            if (group[j] != NO_GROUP &&
                same_group(&page->study[i], &page->study[j]))
                group[i] = group[j];
        }
        count += group[i] == count;
    }
    return count;
}

static enum sepx_err
put_comparison(struct sepx_json_writer *w, const struct comparison *c,
               size_t groups)
{
    enum sepx_err err = SEPX_OK;

    sepx_json_open(w, '{');
    page_put_count(w, "trials", (int64_t)c->trials);
    page_open_list(w, "trial");
    for (size_t k = 0; k < c->steps; k++)
        sepx_json_put_integer(w, (int64_t)trial_of(c, k));
    sepx_json_close(w, ']');
    page_open_list(w, "groups");
    for (size_t k = 0; k < groups; k++)
        put_group(w, c, k);
    sepx_json_close(w, ']');
    page_open_list(w, "tests");
    for (size_t a = 0; a < groups && c->steps && !err; a++) {
        for (size_t b = a + 1; b < groups && !err; b++)
            err = put_test(w, c, a, b);
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    return err;
}

enum sepx_err
page_write_compare(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    struct comparison c = {.page = page, .trials = common_trials(page)};
    enum sepx_err err = SEPX_ENOMEM;

    (void)study, (void)query, (void)msg;
    c.steps = c.trials < STEPS ? c.trials : STEPS;
    c.group = calloc(page->count + 1, sizeof *c.group);
    c.value = calloc(page->count + 1, sizeof *c.value);
    c.curve = calloc(page->count * c.steps + 1, sizeof *c.curve);
    if (c.group && c.value && c.curve) {
        const size_t groups = make_groups(page, c.group);

        for (size_t i = 0; i < page->count; i++) {
            if (c.group[i] != NO_GROUP)
                fill_curve(&c, i);
        }
        err = put_comparison(w, &c, groups);
    }
    free(c.group);
    free(c.value);
    free(c.curve);
    return err;
}

/* ---- several objectives of one study ---- */

/* A trial's state and its numbers. */
static void
put_point(struct sepx_json_writer *w, const struct page_study *study,
          size_t trial, bool front)
{
    const uint32_t names = study->s.goals->names;

    sepx_json_open(w, '{');
    page_put_count(w, "trial", (int64_t)trial);
    page_put_text(w, "state",
                  front                        ? "front"
                  : study->trial[trial].barred ? "barred"
                                               : "dominated");
    page_open_list(w, "values");
    for (uint32_t i = 0; i < names; i++)
        sepx_json_put_number(w, study->number[trial * names + i]);
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
}

/* Of the others, one in so many. */
static size_t
step_of(const struct page_study *study)
{
    size_t scored = 0;

    for (size_t i = 0; i < study->count; i++)
        scored += !isnan(study->trial[i].value) && study->trial[i].cached < 0;
    return scored / POINTS_MOST + 1;
}

enum sepx_err
page_write_front(struct page *page, struct page_study *study,
                 struct sepx_json_writer *w, const struct page_query *query,
                 struct sepx_msg *msg)
{
    const size_t step = study->number ? step_of(study) : 1;
    size_t *front = NULL, count = 0, seen = 0;
    bool *on = calloc(study->count + 1, sizeof *on);
    enum sepx_err err = on ? page_front(study, &front, &count) : SEPX_ENOMEM;

    (void)page, (void)query, (void)msg;
    if (err) {
        free(on);
        return err;
    }
    sepx_json_open(w, '{');
    page_put_bool(w, "thinned", step > 1);
    page_open_list(w, "points");
    for (size_t i = 0; i < count; i++) {
        on[front[i]] = true;
        put_point(w, study, front[i], true);
    }
    for (size_t i = 0; i < study->count && study->number; i++) {
        const struct page_trial *at = &study->trial[i];

        if (!isnan(at->value) && at->cached < 0 && !on[i] && seen++ % step == 0)
            put_point(w, study, i, false);
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    free(front);
    free(on);
    return SEPX_OK;
}
