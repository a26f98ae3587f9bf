/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments, streams and workers of evaluators with modelled noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/noise.h"

static enum sepx_err
set_noise(struct sepx__noise_argument *out, const char *value,
          struct sepx_msg *msg)
{
    if (strcmp(value, "no") && strcmp(value, "yes"))
        return sepx_fail(msg, SEPX_EINVAL,
                         "noise=%s: write noise=no or noise=yes", value);
    out->noise = !strcmp(value, "yes");
    return SEPX_OK;
}

static enum sepx_err
set_spread(struct sepx__noise_argument *out, const char *value,
           struct sepx_msg *msg)
{
    char *end;

    out->spread = strtod(value, &end);
    if (end == value || *end || !(out->spread >= 0 && out->spread <= 1))
        return sepx_fail(msg, SEPX_EINVAL,
                         "spread=%s: not a standard deviation from 0 to 1",
                         value);
    return SEPX_OK;
}

/* Take options off the end, as a path may have commas too. */
static enum sepx_err
take_options(struct sepx__noise_argument *out, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    while (!err) {
        char *comma = strrchr(out->place, ',');
        char *word = comma ? comma + 1 : out->place;

        if (!strncmp(word, "noise=", 6))
            err = set_noise(out, word + 6, msg);
        else if (!strncmp(word, "spread=", 7))
            err = set_spread(out, word + 7, msg);
        else
            break;
        *(comma ? comma : word) = '\0';
    }
    return err;
}

enum sepx_err
sepx__noise_argument_parse(struct sepx__noise_argument *out, const char *text,
                           struct sepx_msg *msg)
{
    enum sepx_err err;

    *out = (struct sepx__noise_argument){sepx__strdup(text), true, NAN};
    if (!out->place)
        return SEPX_ENOMEM;
    err = take_options(out, msg);
    if (err)
        sepx__noise_argument_release(out);
    return err;
}

void
sepx__noise_argument_release(struct sepx__noise_argument *argument)
{
    sepx__free(argument->place);
    *argument = (struct sepx__noise_argument){0};
}

enum sepx_err
sepx__eval_needs_space(const struct sepx_space *space, const char *eval,
                       const char *name, struct sepx_msg *msg)
{
    const char *got = sepx_space_info(space)->name;

    if (!strcmp(got, name))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "evaluator '%s' scores graphs of space '%s', not '%s'",
                     eval, name, got);
}

void
sepx__noise_stream(struct sepx_rng *rng, const struct sepx_eval_job *job)
{
    sepx_rng_init(rng, job->seed, job->run, job->trial, SEPX__STREAM_NOISE);
}

/* ---- workers ---- */

enum sepx_err
sepx__plain_start(void *worker, const void *shared, struct sepx_msg *msg)
{
    (void)msg;
    ((struct sepx__plain_worker *)worker)->shared = shared;
    return SEPX_OK;
}

void
sepx__plain_stop(void *worker)
{
    (void)worker;
}

const void *
sepx__plain_shared(const void *worker)
{
    return ((const struct sepx__plain_worker *)worker)->shared;
}

const char *
sepx__surrogate_source(const void *state)
{
    (void)state;
    return "surrogate";
}
