/* SPDX-License-Identifier: Apache-2.0 */
/* Objectives and constraints of a study, for people and programs. */
#include "study/study_command.h"

#include <math.h>
#include <stdlib.h>

bool
study_has_goals(const struct study *s)
{
    return s->goals->names;
}

/* The numbers of a result; false, and NaN: it has none. */
static bool
numbers_of(const struct study *s, double *number, double *violation,
           const struct sepx_told *told)
{
    struct sepx_merit merit;

    *violation = NAN;
    if (sepx_study_numbers(s->goals, number, told ? told->numbers : NULL))
        return false;
    sepx_goals_merit(s->goals, &merit, number);
    *violation = merit.violation;
    return true;
}

void
study_print_numbers(struct out *out, const struct study *s,
                    const struct sepx_told *told, const char *form,
                    const char *between)
{
    double number[SEPX_GOALS_MAX], violation;

    if (!numbers_of(s, number, &violation, told))
        return;
    for (uint32_t i = 0; i < s->goals->names; i++) {
        out_print(out, "%s", i ? between : "");
        out_print(out, form, s->goals->name[i], number[i]);
    }
    if (violation > 0) {
        out_print(out, "%s", between);
        out_print(out, form, "violation", violation);
    }
}

void
study_put_numbers(struct sepx_json_writer *w, const struct study *s,
                  const struct sepx_told *told)
{
    double number[SEPX_GOALS_MAX], violation;

    if (!study_has_goals(s))
        return;
    (void)numbers_of(s, number, &violation, told);
    sepx_json_key(w, "numbers");
    sepx_json_open(w, '{');
    for (uint32_t i = 0; i < s->goals->names; i++) {
        sepx_json_add_number(w, s->goals->name[i], number[i]);
    }
    sepx_json_close(w, '}');
    sepx_json_add_number(w, "violation", violation);
}

void
study_csv_numbers(struct out *out, const struct study *s,
                  const struct sepx_told *told)
{
    double number[SEPX_GOALS_MAX], violation;

    if (!study_has_goals(s))
        return;
    (void)numbers_of(s, number, &violation, told);
    for (uint32_t i = 0; i <= s->goals->names; i++) {
        study_csv_number(out, i < s->goals->names ? number[i] : violation);
    }
}

void
study_csv_names(struct out *out, const struct study *s)
{
    for (uint32_t i = 0; i < s->goals->names; i++) {
        out_print(out, ",");
        out_print_field(out, s->goals->name[i]);
    }
    if (study_has_goals(s))
        out_print(out, ",violation");
}

/* ---- the front ---- */

enum sepx_err
study_front(const struct sepx_study_summary *summary, size_t **at,
            size_t *count)
{
    *count = 0;
    *at = calloc(summary->n_entered + 1, sizeof **at);
    if (!*at)
        return SEPX_ENOMEM;
    *count = sepx_study_front(summary, *at);
    return SEPX_OK;
}

static void
print_best(struct out *out, const struct study *s,
           const struct sepx_study_summary *sum, uint32_t objective)
{
    const struct sepx_goals *goals = s->goals;
    size_t best = sum->entered[0];

    for (size_t i = 1; i < sum->n_entered; i++) {
        if (sum->merit[sum->entered[i]].objective[objective] <
            sum->merit[best].objective[objective])
            best = sum->entered[i];
    }
    out_print(out, "best      %s %.12g, trial %u; %s\n",
              goals->name[goals->objective[objective].number],
              sepx_goals_turn(goals, objective,
                              sum->merit[best].objective[objective]),
              sum->point[best].trial,
              study_direction(goals->objective[objective].maximize));
}

void
study_print_front(struct out *out, const struct study *s,
                  const struct sepx_study_summary *sum)
{
    size_t *at, count;

    if (out->err || (out->err = study_front(sum, &at, &count)))
        return;
    out_print(out, "front     %zu trial%s\n", count, count == 1 ? "" : "s");
    for (uint32_t i = 0; count && i < s->goals->objectives; i++)
        print_best(out, s, sum, i);
    free(at);
}

void
study_put_front(struct sepx_json_writer *w,
                const struct sepx_study_summary *sum, enum sepx_err *err)
{
    size_t *at, count;

    *err = study_front(sum, &at, &count);
    if (*err)
        return;
    sepx_json_key(w, "front");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < count; i++)
        sepx_json_put_integer(w, sum->point[at[i]].trial);
    sepx_json_close(w, ']');
    free(at);
}
