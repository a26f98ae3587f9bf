/* SPDX-License-Identifier: Apache-2.0 */
/* Objectives and constraints as people write them, and what they amount to. */
#include "sepx/front.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"

void
sepx_goals_release(struct sepx_goals *goals)
{
    for (uint32_t i = 0; i < goals->names; i++)
        sepx__free(goals->name[i]);
    *goals = (struct sepx_goals){0};
}

/* ---- reading ---- */

/* The place of a name, which is added if it is new. */
static enum sepx_err
take_name(struct sepx_goals *goals, uint32_t *at, const char *text, size_t len,
          struct sepx_msg *msg)
{
    char *copy;

    for (*at = 0; *at < goals->names; (*at)++) {
        if (strlen(goals->name[*at]) == len &&
            !memcmp(goals->name[*at], text, len))
            return SEPX_OK;
    }
    if (goals->names == SEPX_GOALS_MAX)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "objectives and constraints name more than %d numbers",
                         SEPX_GOALS_MAX);
    copy = sepx__alloc(len + 1);
    if (!copy)
        return SEPX_ENOMEM;
    memcpy(copy, text, len);
    copy[len] = '\0';
    goals->name[goals->names++] = copy;
    return SEPX_OK;
}

/* All of `text` is a finite number. */
static bool
read_number(double *value, const char *text)
{
    char *end;

    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

static enum sepx_err
bad_objective(const char *text, struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EINVAL,
                     "the objective '%.60s' is not NAME, NAME:max or -NAME, "
                     "with a reference value behind it or without, such as "
                     "error:0.5 or accuracy:max:0.9",
                     text);
}

static enum sepx_err
read_objective(struct sepx_goals *goals, const char *text, struct sepx_msg *msg)
{
    struct sepx_objective *made = &goals->objective[goals->objectives];
    const char *name = text + (*text == '-'), *rest;
    size_t len = strcspn(name, ":<>=");
    enum sepx_err err;

    rest = name + len;
    if (!len || *name == '-' || (*rest && *rest != ':'))
        return bad_objective(text, msg);
    *made = (struct sepx_objective){
        .maximize = *text == '-', .open = *text != '-', .reference = NAN};
    if (!strncmp(rest, ":max", 4) || !strncmp(rest, ":min", 4)) {
        made->maximize = made->maximize != (rest[2] == 'a');
        made->open = false;
        rest += 4;
    }
    if (*rest && (*rest != ':' || !read_number(&made->reference, rest + 1)))
        return bad_objective(text, msg);
    err = take_name(goals, &made->number, name, len, msg);
    for (uint32_t i = 0; i < goals->objectives && !err; i++) {
        if (goals->objective[i].number == made->number)
            err = sepx_fail(msg, SEPX_EINVAL,
                            "'%s' is an objective twice; leave one out",
                            goals->name[made->number]);
    }
    goals->objectives += !err;
    return err;
}

static enum sepx_err
read_constraint(struct sepx_goals *goals, const char *text,
                struct sepx_msg *msg)
{
    struct sepx_constraint *made = &goals->constraint[goals->constraints];
    size_t len = strcspn(text, "<>=");
    const char *rest = text + len;
    enum sepx_err err;

    if (goals->constraints == SEPX_GOALS_MAX)
        return sepx_fail(msg, SEPX_ELIMIT, "more than %d constraints",
                         SEPX_GOALS_MAX);
    made->least = *rest == '>';
    if (!len || !*rest || *rest == '=' || rest[1] != '=' ||
        !read_number(&made->limit, rest + 2))
        return sepx_fail(msg, SEPX_EINVAL,
                         "the constraint '%.60s' is not NAME<=NUMBER or "
                         "NAME>=NUMBER",
                         text);
    err = take_name(goals, &made->number, text, len, msg);
    goals->constraints += !err;
    return err;
}

enum sepx_err
sepx_goals_read(struct sepx_goals *goals, const char *const *objective,
                const char *const *where, struct sepx_msg *msg)
{
    static const char *const score[] = {"score", NULL};
    enum sepx_err err = SEPX_OK;

    *goals = (struct sepx_goals){0};
    if (where && *where && (!objective || !*objective))
        objective = score;
    for (; objective && *objective && !err; objective++)
        err = goals->objectives == SEPX_GOALS_MAX
                  ? sepx_fail(msg, SEPX_ELIMIT, "more than %d objectives",
                              SEPX_GOALS_MAX)
                  : read_objective(goals, *objective, msg);
    for (; where && *where && !err; where++)
        err = read_constraint(goals, *where, msg);
    if (err)
        sepx_goals_release(goals);
    return err;
}

void
sepx_goals_maximize(struct sepx_goals *goals)
{
    for (uint32_t i = 0; i < goals->objectives; i++) {
        struct sepx_objective *objective = &goals->objective[i];
        const char *name = goals->name[objective->number];

        if (objective->open &&
            (!strcmp(name, "score") || !strcmp(name, "test")))
            objective->maximize = true;
    }
}

/* ---- judging ---- */

double
sepx_goals_turn(const struct sepx_goals *goals, uint32_t at, double value)
{
    return goals->objective[at].maximize ? 0 - value : value;
}

/* How far a number is beyond its limit, as a share of the limit. */
static double
excess(const struct sepx_constraint *constraint, double value)
{
    double limit = constraint->limit;
    double over = constraint->least ? limit - value : value - limit;

    return over > 0 ? over / (limit == 0 ? 1 : fabs(limit)) : 0;
}

void
sepx_goals_merit(const struct sepx_goals *goals, struct sepx_merit *merit,
                 const double *number)
{
    *merit = (struct sepx_merit){.count = goals->objectives};
    for (uint32_t i = 0; i < goals->objectives; i++)
        merit->objective[i] =
            sepx_goals_turn(goals, i, number[goals->objective[i].number]);
    for (uint32_t i = 0; i < goals->constraints; i++)
        merit->violation +=
            excess(&goals->constraint[i], number[goals->constraint[i].number]);
}
