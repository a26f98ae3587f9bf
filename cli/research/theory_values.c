/* SPDX-License-Identifier: Apache-2.0 */
/* sepx theory: numbers, lists and ranges as the user wrote them. */
#include "research/theory_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 4096 };

static const double otherwise[SEPX_AXIS_END] = {[SEPX_AXIS_ALPHA_ETA] = 0.1};

/* ---- one word ---- */

static bool
read_number(const char *word, double *value)
{
    char *end;

    *value = strtod(word, &end);
    return end != word && !*end && isfinite(*value);
}

/* FROM..TO, or one number. */
static bool
read_range(const char *word, double *from, double *to)
{
    const char *dots = strstr(word, "..");
    char first[32];

    if (!dots) {
        bool good = read_number(word, from);

        *to = *from;
        return good;
    }
    if ((size_t)(dots - word) >= sizeof first)
        return false;
    memcpy(first, word, (size_t)(dots - word));
    first[dots - word] = 0;
    return read_number(first, from) && read_number(dots + 2, to) &&
           *to >= *from;
}

/* ---- all words of a field ---- */

/* The option of a field: its name with dashes. */
static void
option_name(char *text, size_t room, enum sepx_theory_field field)
{
    const char *name = sepx_theory_field_name(field);
    size_t i;

    for (i = 0; name[i] && i + 1 < room; i++)
        text[i] = name[i] == '_' ? '-' : name[i];
    text[i] = 0;
}

static int
read_field(struct theory_values *values, enum sepx_theory_field field,
           const struct word_list *words)
{
    char name[32];

    option_name(name, sizeof name, field);
    values->at[field] = calloc(VALUES_MAX, sizeof *values->at[field]);
    if (!values->at[field])
        return cli_fail("theory", SEPX_ENOMEM, NULL);
    if (!words->count)
        values->at[field][values->count[field]++] = otherwise[field];
    for (size_t i = 0; i < words->count; i++) {
        double from, to;

        if (!read_range(words->at[i], &from, &to))
            return cli_usage("theory",
                             "--%s '%s' is no number and no range FROM..TO",
                             name, words->at[i]);
        for (double step = 0; step <= to - from; step++) {
            if (values->count[field] == VALUES_MAX)
                return cli_usage("theory", "--%s has more than %d values", name,
                                 VALUES_MAX);
            values->at[field][values->count[field]++] = from + step;
        }
    }
    return CLI_DONE;
}

int
theory_values_init(struct theory_values *values,
                   const struct theory_settings *settings)
{
    int status = CLI_DONE;

    for (unsigned i = 0; i < SEPX_AXIS_END && !status; i++)
        status = read_field(values, i, &settings->field[i]);
    return status;
}

void
theory_values_release(struct theory_values *values)
{
    for (unsigned i = 0; i < SEPX_AXIS_END; i++)
        free(values->at[i]);
}

/* ---- the setting ---- */

/* Without --edges, those of the paper's setting, if it is the paper's n. */
static int
read_edges(struct sepx_theory *at, const struct word_list *words)
{
    if (!words->count && at->n == 7) {
        at->edges[0] = at->edges[1] = at->edges[2] = 9;
        return CLI_DONE;
    }
    if (words->count != 3)
        return cli_usage("theory",
                         "--edges needs three numbers, of the optimum and of "
                         "both parents; got %zu",
                         words->count);
    for (int i = 0; i < 3; i++) {
        double value;

        if (!read_number(words->at[i], &value) || value < 0 ||
            value > UINT32_MAX || value != floor(value))
            return cli_usage("theory", "--edges: '%s' is no number of edges",
                             words->at[i]);
        at->edges[i] = (uint32_t)value;
    }
    return CLI_DONE;
}

static int
read_distance(uint32_t *distance, double value, const char *option)
{
    if (value < 0 || value > UINT32_MAX || value != floor(value))
        return cli_usage("theory",
                         "--%s %g: a distance is a whole number, at least 0",
                         option, value);
    *distance = (uint32_t)value;
    return CLI_DONE;
}

/* 0 means 1/N to the library, but a user who writes 0 means 0. */
static int
check_rates(const struct theory_settings *settings,
            const struct theory_values *values)
{
    const struct word_list *words = &settings->field[SEPX_AXIS_P_M];

    for (size_t i = 0; words->count && i < values->count[SEPX_AXIS_P_M]; i++) {
        if (!(values->at[SEPX_AXIS_P_M][i] > 0))
            return cli_usage("theory",
                             "--p-m %g: a mutation rate is above 0, at most "
                             "1; without it, nothing would ever change",
                             values->at[SEPX_AXIS_P_M][i]);
    }
    return CLI_DONE;
}

int
theory_setting(struct sepx_theory *at, const struct theory_settings *settings,
               const struct theory_values *values)
{
    struct sepx_msg msg = {0};
    int status;

    *at = (struct sepx_theory){
        .n = (uint32_t)settings->n,
        .b = isnan(settings->b) ? 0 : settings->b,
        .alpha_eta = values->at[SEPX_AXIS_ALPHA_ETA][0],
        .epsilon = values->at[SEPX_AXIS_EPSILON][0],
        .p_m = values->at[SEPX_AXIS_P_M][0],
        .trials = sepx_stdx_trials_find(settings->stdx_trials),
        .clip_rl = settings->clip_rl,
    };
    status = read_edges(at, &settings->edges);
    if (!status)
        status = check_rates(settings, values);
    if (!status)
        status =
            read_distance(&at->d_opt, values->at[SEPX_AXIS_D_OPT][0], "d-opt");
    if (!status)
        status =
            read_distance(&at->d_12, values->at[SEPX_AXIS_D_12][0], "d-12");
    if (!status && sepx_theory_check(at, &msg))
        return cli_usage("theory", "%s", msg.text);
    return status;
}
