/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores from a table of results of any benchmark: the metrics that the
 * argument names are value, test and cost. The answer has all metrics.
 */
#include <math.h>
#include <string.h>

#include "eval/internal.h"
#include "sepx/results.h"

struct lookup {
    const struct sepx_space *space;
    struct sepx_results *results;
    uint32_t metrics;
    int score, test, cost;        /* metrics; -1: none */
    int number[SEPX_NUMBERS_MAX]; /* of numbers that are wanted */
    const char *const *wanted;    /* their names; NULL: none */
    bool maximized;
    double optimum, optimum_test; /* signs turned if maximised */
};

struct lookup_worker {
    const struct lookup *shared;
};

/* ---- the argument ---- */

/* Its parts, in a copy that is cut into pieces. */
struct parts {
    char *file;
    const char *score, *test, *cost;
};

/* Take "KEY=NAME" pieces off the end, as long as there are any. */
static enum sepx_err
split(struct parts *parts, struct sepx_msg *msg)
{
    struct {
        const char *key;
        const char **value;
    } rows[] = {{"score=", &parts->score},
                {"test=", &parts->test},
                {"cost=", &parts->cost}};
    char *comma;

    while ((comma = strrchr(parts->file, ',')) != NULL) {
        size_t i = 0;

        while (i < 3 && strncmp(comma + 1, rows[i].key, strlen(rows[i].key)))
            i++;
        if (i == 3)
            break;
        if (*rows[i].value)
            return sepx_fail(msg, SEPX_EINVAL, "table: %s is there twice",
                             rows[i].key);
        *rows[i].value = comma + 1 + strlen(rows[i].key);
        *comma = '\0';
    }
    return SEPX_OK;
}

/* "a, b, c", as far as there is room. */
static void
list_metrics(char *room, size_t size, const struct sepx_results *results,
             uint32_t metrics)
{
    size_t len = 0;

    room[0] = '\0';
    for (uint32_t i = 0; i < metrics; i++) {
        const char *name = sepx_results_metric(results, i);
        size_t need = strlen(name) + 2;

        if (len + need + 6 > size) {
            memcpy(room + len, ", ...", 6);
            break;
        }
        memcpy(room + len, ", ", len ? 2 : 0);
        memcpy(room + len + (len ? 2 : 0), name, need - 1);
        len = strlen(room);
    }
}

static enum sepx_err
unknown_metric(const struct lookup *l, const char *name, struct sepx_msg *msg)
{
    char list[300];

    list_metrics(list, sizeof(list), l->results, l->metrics);
    if (!name)
        return sepx_fail(msg, SEPX_EINVAL,
                         "table: which metric is the score? write "
                         "table:FILE,score=NAME, or score=-NAME if larger is "
                         "better (metrics: %s)",
                         list);
    return sepx_fail(msg, SEPX_EINVAL,
                     "table: there is no metric '%.60s' (metrics: %s)", name,
                     list);
}

/*
 * "NAME", "-NAME" or "NAME:max" and "NAME:min". Without any, the metric
 * "score" or the only one; or none, if others are wanted later.
 */
static enum sepx_err
find_score(struct lookup *l, const char *text, struct sepx_msg *msg)
{
    char name[256];
    size_t len;

    if (!text && l->metrics == 1)
        text = sepx_results_metric(l->results, 0);
    l->score = sepx_results_find_metric(l->results, text ? text : "score");
    if (l->score >= 0 || !text)
        return SEPX_OK;
    l->maximized = *text == '-';
    len = strlen(text);
    if (len > 4 &&
        (!strcmp(text + len - 4, ":max") || !strcmp(text + len - 4, ":min"))) {
        l->maximized = text[len - 2] == 'a';
        len -= 4;
    } else if (*text == '-') {
        text++;
        len--;
    }
    if (len >= sizeof(name))
        return unknown_metric(l, text, msg);
    memcpy(name, text, len);
    name[len] = '\0';
    l->score = sepx_results_find_metric(l->results, name);
    return l->score < 0 ? unknown_metric(l, name, msg) : SEPX_OK;
}

static enum sepx_err
find_other(const struct lookup *l, int *metric, const char *name,
           struct sepx_msg *msg)
{
    *metric = name ? sepx_results_find_metric(l->results, name) : -1;
    return name && *metric < 0 ? unknown_metric(l, name, msg) : SEPX_OK;
}

/* ---- opening ---- */

/* Whether the argument's file is such a table; else it is another's. */
static bool
lookup_accepts(const char *argument)
{
    char path[4096];
    size_t len = strlen(argument);
    const char *comma = strstr(argument, ",test=");

    if (strstr(argument, ",score="))
        return true;
    comma = comma ? comma : strstr(argument, ",cost=");
    len = comma ? (size_t)(comma - argument) : len;
    if (len >= sizeof(path))
        return false;
    memcpy(path, argument, len);
    path[len] = '\0';
    return sepx_results_is_file(path);
}

static double
best(const struct lookup *l, int metric)
{
    struct sepx_results_range range;

    sepx_results_range(l->results, (uint32_t)metric, &range);
    return l->maximized ? -range.most : range.least;
}

static enum sepx_err
open_parts(struct lookup *l, const struct parts *parts, struct sepx_msg *msg)
{
    struct sepx_results_info info;
    enum sepx_err err = sepx_results_open(&l->results, parts->file, msg);

    if (err)
        return err;
    sepx_results_info(l->results, &info);
    l->metrics = info.metrics;
    err = find_score(l, parts->score, msg);
    if (!err)
        err = find_other(l, &l->test, parts->test, msg);
    if (!err)
        err = find_other(l, &l->cost, parts->cost, msg);
    if (err)
        return err;
    err = sepx_results_match(l->results, l->space, msg);
    if (err) {
        sepx_msg_prefix(msg, "%s", parts->file);
        return err;
    }
    l->optimum = l->score < 0 ? NAN : best(l, l->score);
    l->optimum_test = l->test < 0 ? l->optimum : best(l, l->test);
    return SEPX_OK;
}

static enum sepx_err
lookup_open(void *state, const struct sepx_space *space, const char *argument,
            struct sepx_msg *msg)
{
    struct lookup *l = state;
    struct parts parts = {.file = sepx__strdup(argument)};
    enum sepx_err err = parts.file ? split(&parts, msg) : SEPX_ENOMEM;

    l->space = space;
    if (!err)
        err = open_parts(l, &parts, msg);
    sepx__free(parts.file);
    return err;
}

static void
lookup_close(void *state)
{
    sepx_results_close(((struct lookup *)state)->results);
}

static bool
lookup_maximized(const void *state)
{
    return ((const struct lookup *)state)->maximized;
}

static double
lookup_optimum(const void *state)
{
    return ((const struct lookup *)state)->optimum;
}

static double
lookup_optimum_test(const void *state)
{
    return ((const struct lookup *)state)->optimum_test;
}

/*
 * The driver fills in "score", "test" and "cost"; a metric of that name is
 * meant unless the argument named another.
 */
static enum sepx_err
lookup_want(void *state, const char *const *name, struct sepx_msg *msg)
{
    struct lookup *l = state;

    for (int i = 0; i < SEPX_NUMBERS_MAX && name[i]; i++) {
        int metric = sepx_results_find_metric(l->results, name[i]);

        l->number[i] = metric;
        if (!strcmp(name[i], "test"))
            l->test = l->test < 0 ? metric : l->test;
        else if (!strcmp(name[i], "cost"))
            l->cost = l->cost < 0 ? metric : l->cost;
        else if (metric < 0 && (strcmp(name[i], "score") || l->score < 0))
            return unknown_metric(l, name[i], msg);
    }
    l->wanted = name;
    return SEPX_OK;
}

/* ---- scoring ---- */

static enum sepx_err
lookup_start(void *worker, const void *state, struct sepx_msg *msg)
{
    const struct lookup *l = state;

    ((struct lookup_worker *)worker)->shared = l;
    return l->score < 0 && !l->wanted ? unknown_metric(l, NULL, msg) : SEPX_OK;
}

static void
lookup_stop(void *worker)
{
    (void)worker;
}

/* All metrics that are known, as the program of a user would answer. */
static enum sepx_err
put_answer(const struct lookup *l, uint32_t entry, char **answer)
{
    struct sepx_text text = {0};
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &text);
    sepx_json_open(&w, '{');
    for (uint32_t i = 0; i < l->metrics; i++) {
        double value = sepx_results_get(l->results, entry, i);

        if (isnan(value))
            continue;
        sepx_json_key(&w, sepx_results_metric(l->results, i));
        sepx_json_put_number(&w, value);
    }
    sepx_json_close(&w, '}');
    err = sepx_json_done(&w);
    if (err)
        sepx_text_release(&text);
    *answer = text.at;
    return err;
}

static double
get(const struct lookup *l, uint32_t entry, int metric)
{
    return metric < 0 ? NAN
                      : sepx_results_get(l->results, entry, (uint32_t)metric);
}

/* False if a number is missing that makes the score. */
static bool
take_row(const struct lookup *l, struct sepx_score *score, uint32_t entry)
{
    double sign = l->maximized ? -1 : 1, cost = get(l, entry, l->cost);
    bool all = l->wanted || !isnan(get(l, entry, l->score));

    score->value = sign * get(l, entry, l->score);
    score->test = sign * get(l, entry, l->test);
    score->cost = isnan(cost) ? score->cost : cost;
    for (int i = 0; l->wanted && l->wanted[i]; i++) {
        bool other =
            !strcmp(l->wanted[i], "test") || !strcmp(l->wanted[i], "cost");

        score->number[i] = get(l, entry, l->number[i]);
        if (!strcmp(l->wanted[i], "score"))
            all = all && !isnan(score->value);
        else
            all = all && (other || !isnan(score->number[i]));
    }
    return all;
}

static enum sepx_err
lookup_score(void *worker, struct sepx_score *score,
             const struct sepx_eval_job *job)
{
    const struct lookup *l = ((struct lookup_worker *)worker)->shared;
    uint32_t entry;
    bool known;
    enum sepx_err err =
        sepx_results_find(l->results, &entry, &known, l->space, job->graph);

    if (err)
        return err;
    if (known && job->output)
        err = put_answer(l, entry, &job->output->answer);
    if (!known || !take_row(l, score, entry))
        score->outcome = SEPX_UNFIT;
    if (isnan(score->test))
        score->test = score->value;
    return err;
}

const struct sepx__eval_ops sepx__eval_results = {
    .info = {"table", "results of any benchmark, from 'sepx data table'",
             "FILE,score=[-]METRIC[,test=METRIC][,cost=METRIC]"},
    .state_size = sizeof(struct lookup),
    .accepts = lookup_accepts,
    .open = lookup_open,
    .close = lookup_close,
    .measure = SEPX_MEASURE_SCORE,
    .maximized = lookup_maximized,
    .optimum = lookup_optimum,
    .optimum_test = lookup_optimum_test,
    .exact = sepx__eval_always,
    .want = lookup_want,
    .worker_size = sizeof(struct lookup_worker),
    .start = lookup_start,
    .stop = lookup_stop,
    .score = lookup_score,
};
