/* SPDX-License-Identifier: Apache-2.0 */
/* The names of bounds and fields, and the setting: checked, and as JSON. */
#include <math.h>
#include <string.h>

#include "graph/private.h"
#include "research/theory/internal.h"

#define TRIALS_MOST (1u << 26) /* of a binomial: memory stays below 20 MB */

/* ---- names ---- */

struct row {
    const char *name, *text;
};

#define X(id, name, text) [id] = {name, text},
static const struct row bounds[SEPX_BOUND_END] = {SEPX_BOUNDS(X)};
static const struct row readings[SEPX_STDX_END] = {SEPX_STDX_TRIALS(X)};
static const struct row fields[SEPX_AXIS_END] = {SEPX_THEORY_AXES(X)};
#undef X

static unsigned
find(const struct row *rows, unsigned count, const char *name,
     unsigned otherwise)
{
    for (unsigned i = 0; i < count; i++)
        if (rows[i].name && strcmp(rows[i].name, name) == 0)
            return i;
    return otherwise;
}

const char *
sepx_bound_name(enum sepx_bound which)
{
    return which < SEPX_BOUND_END ? bounds[which].name : NULL;
}

const char *
sepx_bound_text(enum sepx_bound which)
{
    return which < SEPX_BOUND_END ? bounds[which].text : NULL;
}

enum sepx_bound
sepx_bound_find(const char *name)
{
    return find(bounds, SEPX_BOUND_END, name, SEPX_BOUND_NONE);
}

const char *
sepx_stdx_trials_name(enum sepx_stdx_trials reading)
{
    return reading < SEPX_STDX_END ? readings[reading].name : NULL;
}

enum sepx_stdx_trials
sepx_stdx_trials_find(const char *name)
{
    return find(readings, SEPX_STDX_END, name, SEPX_STDX_END);
}

const char *
sepx_theory_field_name(enum sepx_theory_field field)
{
    return field < SEPX_AXIS_END ? fields[field].name : NULL;
}

const char *
sepx_theory_field_text(enum sepx_theory_field field)
{
    return field < SEPX_AXIS_END ? fields[field].text : NULL;
}

enum sepx_theory_field
sepx_theory_field_find(const char *name)
{
    return find(fields, SEPX_AXIS_END, name, SEPX_AXIS_END);
}

/* ---- the setting ---- */

/* NaN fails both comparisons, so it is out of every range. */
static enum sepx_err
check_range(const char *field, double value, double most, struct sepx_msg *msg)
{
    if (value >= 0 && value <= most)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL, "%s is %g; it must be in 0 to %g", field,
                     value, most);
}

static enum sepx_err
check_least(const char *field, double value, struct sepx_msg *msg)
{
    if (value >= 0 && isfinite(value))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "%s is %g; it must be a finite number, at least 0", field,
                     value);
}

static enum sepx_err
check_count(const char *field, uint32_t value, const struct sepx_theory *at,
            struct sepx_msg *msg)
{
    uint32_t most = at->n * (at->n - 1);

    if (value <= most)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "%s is %u; n = %u nodes have n(n-1) = %u places for "
                     "an edge, so it must be in 0 to %u",
                     field, value, at->n, most, most);
}

static enum sepx_err
check_counts(const struct sepx_theory *at, struct sepx_msg *msg)
{
    static const char *const graph[3] = {
        "edges of the optimum", "edges of parent 1", "edges of parent 2"};
    enum sepx_err err = check_count("d_opt", at->d_opt, at, msg);

    if (!err)
        err = check_count("d_12", at->d_12, at, msg);
    for (int i = 0; i < 3 && !err; i++)
        err = check_count(graph[i], at->edges[i], at, msg);
    return err;
}

enum sepx_err
sepx_theory_check(const struct sepx_theory *at, struct sepx_msg *msg)
{
    enum sepx_err err;

    if (at->n < 1)
        return sepx_fail(msg, SEPX_EINVAL,
                         "n is 0; a graph has 1 node or "
                         "more");
    if (at->n > SEPX_NODES_MAX)
        return sepx_fail(msg, SEPX_ELIMIT, "n is %u; the most is %d", at->n,
                         SEPX_NODES_MAX);
    if (at->trials >= SEPX_STDX_END)
        return sepx_fail(msg, SEPX_EINVAL,
                         "unknown reading %u of the trials "
                         "of stdx",
                         (unsigned)at->trials);
    err = check_counts(at, msg);
    if (!err)
        err = check_range("b", at->b, (double)at->n * (at->n - 1), msg);
    if (!err)
        err = check_range("p_m", at->p_m, 1, msg);
    if (!err)
        err = check_least("alpha_eta", at->alpha_eta, msg);
    if (!err)
        err = check_least("epsilon", at->epsilon, msg);
    if (!err && at->d_12 * (1 + at->epsilon) > TRIALS_MOST)
        err = sepx_fail(msg, SEPX_ELIMIT,
                        "epsilon is %g; d_12 (1 + epsilon) must stay below %u",
                        at->epsilon, TRIALS_MOST);
    return err;
}

enum sepx_err
sepx__theory_check(const struct sepx_theory *at, enum sepx_bound which,
                   struct sepx_msg *msg)
{
    if (!sepx_bound_name(which))
        return sepx_fail(msg, SEPX_EINVAL, "unknown bound %u", (unsigned)which);
    return sepx_theory_check(at, msg);
}

double
sepx_theory_mutation_rate(const struct sepx_theory *at)
{
    if (at->p_m > 0)
        return at->p_m;
    return at->n > 1 ? 1.0 / ((double)at->n * (at->n - 1)) : 0;
}

void
sepx_theory_put_json(struct sepx_json_writer *w, const struct sepx_theory *at)
{
    sepx_json_open(w, '{');
    sepx_json_add_integer(w, "n", at->n);
    sepx_json_key(w, "edges");
    sepx_json_open(w, '[');
    for (int i = 0; i < 3; i++)
        sepx_json_put_integer(w, at->edges[i]);
    sepx_json_close(w, ']');
    sepx_json_add_integer(w, "d_opt", at->d_opt);
    sepx_json_add_integer(w, "d_12", at->d_12);
    sepx_json_add_number(w, "b", at->b > 0 ? at->b : at->d_opt);
    sepx_json_add_number(w, "alpha_eta", at->alpha_eta);
    sepx_json_add_number(w, "epsilon", at->epsilon);
    sepx_json_add_number(w, "p_m", sepx_theory_mutation_rate(at));
    sepx_json_add_string(w, "stdx_trials", sepx_stdx_trials_name(at->trials));
    sepx_json_add_bool(w, "clip_rl", at->clip_rl);
    sepx_json_close(w, '}');
}
