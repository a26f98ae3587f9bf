/* SPDX-License-Identifier: Apache-2.0 */
/* Training logs of NAS-Bench-NLP to a table of losses. */
#include "nas/nbnlp/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct sepx_key key;
    size_t number; /* of the run */
    struct sepx_text graph;
    double validation, test;
    uint32_t runs; /* averaged into this one; 0: averaged into another */
};

struct runs {
    struct run *at;
    size_t count, room;
};

/* ---- a line ---- */

/* Python writes NaN and Infinity, which JSON has not: they become null. */
static enum sepx_err
repair(struct sepx_text *to, const char *line, size_t len)
{
    static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
    bool quoted = false;
    enum sepx_err err = SEPX_OK;

    to->len = 0;
    for (size_t i = 0; i < len && !err;) {
        size_t skip = 0;

        for (unsigned k = 0; k < 3 && !quoted && !skip; k++)
            if (len - i >= strlen(words[k]) &&
                !memcmp(line + i, words[k], strlen(words[k])))
                skip = strlen(words[k]);
        if (line[i] == '"')
            quoted = !quoted;
        if (skip) {
            err = sepx_text_add(to, "null", 4);
        } else {
            skip = line[i] == '\\' && quoted && i + 1 < len ? 2 : 1;
            err = sepx_text_add(to, line + i, skip);
        }
        i += skip;
    }
    return err;
}

static double
number_at(const struct sepx_json *array, size_t index)
{
    return sepx_json_number(sepx_json_at(array, index), NAN);
}

/* The best validation loss, and the test loss of that epoch. */
static void
read_losses(struct run *run, const struct sepx_json *log)
{
    const struct sepx_json *validation = sepx_json_get(log, "val_losses");
    const struct sepx_json *test = sepx_json_get(log, "test_losses");

    run->validation = sepx_json_number(sepx_json_get(log, "min_val_loss"), NAN);
    run->test = sepx_json_number(sepx_json_get(log, "test_at_min_val"), NAN);
    if (!isnan(run->validation))
        return;
    for (size_t i = 0; i < sepx_json_size(validation); i++) {
        double value = number_at(validation, i);

        if (isnan(value) || value >= run->validation)
            continue;
        run->validation = value;
        run->test = number_at(test, i);
    }
}

static enum sepx_err
read_recipe(struct sepx_graph *graph, const struct sepx_space *space,
            const struct sepx_json *log, struct sepx_msg *msg)
{
    const struct sepx_json *recipe = sepx_json_get(log, "recepie");
    struct sepx_json *parsed = NULL;
    const char *text;
    enum sepx_err err = SEPX_OK;

    if (!recipe)
        recipe = sepx_json_get(log, "recipe");
    if (!recipe)
        return sepx_fail(msg, SEPX_EDATA, "no \"recepie\" or \"recipe\"");
    text = sepx_json_string(recipe);
    if (text)
        err = sepx_json_parse(&parsed, text, strlen(text), msg);
    if (!err)
        err = sepx_recipe_read(graph, space, text ? parsed : recipe, msg);
    sepx_json_free(parsed);
    return err;
}

static enum sepx_err
add_run(struct runs *runs, const struct sepx_space *space,
        const struct sepx_json *log, struct sepx_msg *msg)
{
    struct sepx_graph graph = {0};
    struct run *run;
    enum sepx_err err = sepx__grow((void **)&runs->at, &runs->room,
                                   runs->count + 1, sizeof(*runs->at));

    if (err)
        return err;
    run = &runs->at[runs->count];
    *run = (struct run){.number = runs->count, .runs = 1};
    runs->count++;
    read_losses(run, log);
    err = read_recipe(&graph, space, log, msg);
    if (!err && !sepx_json_get(log, "min_val_loss") &&
        !sepx_json_get(log, "val_losses"))
        err = sepx_fail(msg, SEPX_EDATA,
                        "no \"min_val_loss\", and no \"val_losses\"");
    if (!err)
        err = sepx_graph_canon(&graph, NULL, &run->key);
    if (!err)
        err = sepx_graph_write_json(&run->graph, &graph);
    sepx_graph_release(&graph);
    return err;
}

static bool
is_blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r", line[i]) || !line[i])
            return false;
    return true;
}

static enum sepx_err
read_log(struct runs *runs, const struct sepx_space *space,
         const struct sepx__lines *lines, struct sepx_text *room,
         struct sepx_msg *msg)
{
    struct sepx_json *log = NULL;
    enum sepx_err err;

    if (is_blank(lines->line, lines->len))
        return SEPX_OK;
    err = repair(room, lines->line, lines->len);
    if (!err)
        err = sepx_json_parse(&log, room->at, room->len, msg);
    if (!err)
        err = add_run(runs, space, log, msg);
    if (err)
        sepx_msg_line(msg, lines->number, 0);
    sepx_json_free(log);
    return err;
}

/* ---- the table ---- */

static int
by_key(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    if (x->key.high != y->key.high)
        return x->key.high < y->key.high ? -1 : 1;
    if (x->key.low != y->key.low)
        return x->key.low < y->key.low ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int
by_number(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

/* A run that diverged has no loss, and takes no part in the mean. */
static void
join(struct run *first, struct run *run)
{
    run->runs = 0;
    if (isnan(run->validation))
        return;
    if (isnan(first->validation)) {
        first->validation = run->validation;
        first->test = run->test;
        return;
    }
    first->runs++;
    first->validation += (run->validation - first->validation) / first->runs;
    first->test += (run->test - first->test) / first->runs;
}

/* Runs of one cell become their mean, in the place of the first. */
static void
average(struct runs *runs)
{
    struct run *first = runs->at;

    qsort(runs->at, runs->count, sizeof(*runs->at), by_key);
    for (size_t i = 1; i < runs->count; i++) {
        struct run *run = &runs->at[i];

        if (run->key.high != first->key.high ||
            run->key.low != first->key.low) {
            first = run;
            continue;
        }
        join(first, run);
    }
    qsort(runs->at, runs->count, sizeof(*runs->at), by_number);
}

static enum sepx_err
write_rows(struct sepx_text *body, const struct runs *runs, size_t *cells)
{
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < runs->count && !err; i++) {
        const struct run *run = &runs->at[i];

        if (!run->runs)
            continue;
        ++*cells;
        sepx_json_begin(&w, body);
        sepx_json_open(&w, '{');
        sepx_json_key(&w, "graph");
        sepx_json_put_raw(&w, run->graph.at);
        sepx_json_add_number(&w, "validation", run->validation);
        sepx_json_add_number(&w, "test", run->test);
        sepx_json_add_integer(&w, "runs", run->runs);
        sepx_json_close(&w, '}');
        err = sepx_json_done(&w);
        if (!err)
            err = sepx_text_add(body, "\n", 1);
    }
    return err;
}

static enum sepx_err
write_head(struct sepx_text *table, const struct sepx_text *body, size_t cells,
           const struct runs *runs, const char *bytes, size_t len)
{
    struct sepx__crc32c crc;

    sepx__crc32c_init(&crc);
    return sepx_text_print(
        table,
        "{\"format\":\"%s\",\"version\":%d,\"space\":\"nbnlp\","
        "\"description\":\"NAS-Bench-NLP, %zu training runs of %zu cells\","
        "\"cells\":%zu,\"source_bytes\":%zu,\"source_crc32c\":%u,"
        "\"crc32c\":%u}\n",
        SEPX__LOSSES_FORMAT, SEPX__LOSSES_VERSION, runs->count, cells, cells,
        len, sepx__crc32c_add(&crc, 0, bytes, len),
        sepx__crc32c_add(&crc, 0, body->at, body->len));
}

static enum sepx_err
write_table(struct sepx_text *table, struct runs *runs, const char *bytes,
            size_t len)
{
    struct sepx_text body = {0};
    size_t cells = 0;
    enum sepx_err err;

    average(runs);
    err = write_rows(&body, runs, &cells);
    if (!err)
        err = write_head(table, &body, cells, runs, bytes, len);
    if (!err)
        err = sepx_text_add(table, body.at, body.len);
    sepx_text_release(&body);
    return err;
}

enum sepx_err
sepx_losses_import(struct sepx_text *table, const struct sepx_space *space,
                   const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct sepx__lines lines = {.at = bytes, .end = bytes + len};
    struct sepx_text room = {0};
    struct runs runs = {0};
    enum sepx_err err = SEPX_OK;

    while (!err && sepx__lines_next(&lines))
        err = read_log(&runs, space, &lines, &room, msg);
    if (!err && !runs.count)
        err = sepx_fail(msg, SEPX_EDATA, "no training runs");
    if (!err)
        err = write_table(table, &runs, bytes, len);
    for (size_t i = 0; i < runs.count; i++)
        sepx_text_release(&runs.at[i].graph);
    sepx__free(runs.at);
    sepx_text_release(&room);
    return err;
}
