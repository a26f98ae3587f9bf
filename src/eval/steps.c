/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/answer.h"

#define STEPS_MOST 100000 /* that are kept of one evaluation */
#define STEP_BYTES 4096   /* longer lines are no step */

void
sepx_eval_steps_release(struct sepx_eval_steps *steps)
{
    sepx__free(steps->at);
    *steps = (struct sepx_eval_steps){0};
}

enum sepx_err
sepx_eval_steps_add(struct sepx_eval_steps *steps, uint32_t step, double value)
{
    enum sepx_err err = sepx__grow((void **)&steps->at, &steps->room,
                                   steps->count + 1, sizeof *steps->at);

    if (!err)
        steps->at[steps->count++] = (struct sepx_step){step, value};
    return err;
}

/* Steps ascend; one that does not is passed over. */
static bool
read_step(const struct sepx__step_reader *reader, struct sepx_step *step,
          const char *line, size_t len)
{
    const struct sepx_eval_steps *steps = reader->job->steps;
    struct sepx_json *root = NULL;
    struct sepx_text left = {0};
    const struct sepx_json *value;
    int64_t number;
    enum sepx_err err = sepx__answer_parse(&root, &left, line, len, NULL);

    sepx_text_release(&left);
    if (err)
        return false;
    number = sepx_json_integer(sepx_json_get(root, "step"), -1);
    value = sepx_json_get(root, "score");
    if (!value && *reader->name)
        value = sepx_json_get(root, *reader->name);
    step->step = (uint32_t)number;
    step->value = reader->sign * sepx_json_number(value, NAN);
    sepx_json_free(root);
    return number >= 0 && number < UINT32_MAX && isfinite(step->value) &&
           steps->count < STEPS_MOST &&
           (!steps->count || steps->at[steps->count - 1].step < step->step);
}

/* The limit at a step; NaN: none. */
static double
limit_at(const struct sepx_eval_job *job, uint32_t step)
{
    for (size_t i = 0; i < job->n_limits; i++) {
        if (job->limit[i].step == step)
            return job->limit[i].value;
    }
    return NAN;
}

bool
sepx__step_line(void *context, const char *line, size_t len)
{
    struct sepx__step_reader *reader = context;
    struct sepx_step step;
    double limit;

    while (len && (*line == ' ' || *line == '\t')) {
        line++;
        len--;
    }
    if (!len || *line != '{' || len > STEP_BYTES || reader->pruned ||
        !read_step(reader, &step, line, len))
        return false;
    reader->err =
        sepx_eval_steps_add(reader->job->steps, step.step, step.value);
    if (reader->err)
        return true;
    reader->best =
        isnan(reader->best) ? step.value : fmin(reader->best, step.value);
    limit = limit_at(reader->job, step.step);
    reader->pruned = reader->best > limit;
    if (reader->pruned)
        snprintf(reader->why, sizeof reader->why,
                 "at step %u the best so far is %.6g, the median of others "
                 "%.6g",
                 (unsigned)step.step, reader->sign * reader->best,
                 reader->sign * limit);
    return reader->pruned;
}
