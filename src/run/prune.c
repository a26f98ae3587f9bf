/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The median rule (Golovin et al. 2017, Vizier): a trial ends early if its
 * best value so far is worse than the median that earlier trials had at this
 * step. Earlier trials are those whose results the proposal was made from, so
 * the rule does not depend on who ends first.
 */
#include "run/prune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static int
by_step(const void *a, const void *b)
{
    const struct sepx_step *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

enum sepx_err
sepx__prune_limits(struct sepx_eval_steps *limit,
                   const struct sepx_eval_steps *const *steps, size_t count)
{
    struct sepx_eval_steps all = {0};
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < count && !err; i++) {
        for (size_t j = 0; j < steps[i]->count && !err; j++)
            err = sepx_eval_steps_add(&all, steps[i]->at[j].step,
                                      steps[i]->at[j].value);
    }
    if (!err && all.count)
        qsort(all.at, all.count, sizeof *all.at, by_step);
    for (size_t i = 0, end; i < all.count && !err; i = end) {
        size_t middle;

        for (end = i; end < all.count && all.at[end].step == all.at[i].step;)
            end++;
        middle = i + (end - i) / 2;
        if (end - i >= SEPX__PRUNE_LEAST)
            err = sepx_eval_steps_add(
                limit, all.at[i].step,
                (end - i) % 2
                    ? all.at[middle].value
                    : (all.at[middle - 1].value + all.at[middle].value) / 2);
    }
    sepx_eval_steps_release(&all);
    return err;
}

/* Both ascend. */
size_t
sepx__prune_at(const struct sepx_eval_steps *limit,
               const struct sepx_eval_steps *steps)
{
    double best = INFINITY;
    size_t k = 0;

    for (size_t i = 0; i < steps->count; i++) {
        best = fmin(best, steps->at[i].value);
        while (k < limit->count && limit->at[k].step < steps->at[i].step)
            k++;
        if (k < limit->count && limit->at[k].step == steps->at[i].step &&
            best > limit->at[k].value)
            return i + 1;
    }
    return 0;
}

enum sepx_err
sepx__steps_write(struct sepx_text *text, const struct sepx_eval_steps *steps)
{
    struct sepx_json_writer w;

    if (!steps->count)
        return SEPX_OK;
    sepx_json_begin(&w, text);
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < steps->count; i++) {
        sepx_json_open(&w, '[');
        sepx_json_put_integer(&w, steps->at[i].step);
        sepx_json_put_number(&w, steps->at[i].value);
        sepx_json_close(&w, ']');
    }
    sepx_json_close(&w, ']');
    return sepx_json_done(&w);
}

enum sepx_err
sepx__steps_read(struct sepx_eval_steps *steps, const char *text)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = SEPX_OK;
    int64_t before = -1;

    steps->count = 0;
    if (!text)
        return SEPX_OK;
    err = sepx_json_parse(&root, text, strlen(text), NULL);
    for (size_t i = 0; !err && i < sepx_json_size(root); i++) {
        const struct sepx_json *row = sepx_json_at(root, i);
        int64_t step = sepx_json_integer(sepx_json_at(row, 0), -1);
        double value = sepx_json_number(sepx_json_at(row, 1), NAN);

        if (step <= before || step >= UINT32_MAX || !isfinite(value))
            err = SEPX_EDATA;
        else
            err = sepx_eval_steps_add(steps, (uint32_t)step, value);
        before = step;
    }
    sepx_json_free(root);
    return err;
}
