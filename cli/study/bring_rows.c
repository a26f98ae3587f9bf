/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of the user's, and what is known of them, from JSON Lines. */
#include "study/study_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/line_reader.h"

/* All lines of a file. */
struct rows {
    struct sepx_study_result *result;
    struct sepx_graph *graph;
    size_t *line; /* where each was */
    size_t count, room;
};

static void
rows_release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        sepx_graph_release(&rows->graph[i]);
    free(rows->result);
    free(rows->graph);
    free(rows->line);
}

/* Room for one more, which is empty. */
static enum sepx_err
rows_grow(struct rows *rows)
{
    size_t room = rows->room ? 2 * rows->room : 64;
    void *made;

    if (rows->count < rows->room)
        return SEPX_OK;
    made = realloc(rows->result, room * sizeof *rows->result);
    if (!made)
        return SEPX_ENOMEM;
    rows->result = made;
    made = realloc(rows->graph, room * sizeof *rows->graph);
    if (!made)
        return SEPX_ENOMEM;
    rows->graph = made;
    made = realloc(rows->line, room * sizeof *rows->line);
    if (!made)
        return SEPX_ENOMEM;
    rows->line = made;
    rows->room = room;
    return SEPX_OK;
}

/* ---- one line ---- */

/* A finite number if it is there; null counts as not. */
static enum sepx_err
read_number(double *value, const struct sepx_json *row, const char *key,
            struct sepx_msg *msg)
{
    const struct sepx_json *member = sepx_json_get(row, key);
    double number = sepx_json_number(member, NAN);

    if (!member || sepx_json_type(member) == SEPX_JSON_NULL)
        return SEPX_OK;
    if (!isfinite(number))
        return sepx_fail(msg, SEPX_EDATA, "\"%s\" is %s; a number is wanted",
                         key, sepx_json_type_name(member));
    *value = number;
    return SEPX_OK;
}

/* With goals, a member for each name; exports have them in "numbers". */
static enum sepx_err
read_numbers(struct sepx_score *score, const struct sepx_goals *goals,
             const struct sepx_json *row, struct sepx_msg *msg)
{
    const struct sepx_json *inner = sepx_json_get(row, "numbers");
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < goals->names && !err; i++) {
        score->number[i] = NAN;
        err = read_number(&score->number[i], inner ? inner : row,
                          goals->name[i], msg);
        if (!err && isnan(score->number[i]))
            err = sepx_fail(msg, SEPX_EDATA,
                            "no \"%s\", which is an objective or a constraint "
                            "of the study",
                            goals->name[i]);
    }
    score->value = goals->names ? score->number[0] : score->value;
    return err;
}

/* Exports call the score "value". */
static enum sepx_err
read_score(struct sepx_score *score, const struct sepx_goals *goals,
           const struct sepx_json *row, struct sepx_msg *msg)
{
    enum sepx_err err = read_number(&score->value, row, "value", msg);

    if (!err)
        err = read_number(&score->value, row, "score", msg);
    if (!err)
        err = read_number(&score->test, row, "test", msg);
    if (!err)
        err = read_number(&score->cost, row, "cost", msg);
    if (!err)
        err = read_numbers(score, goals, row, msg);
    if (!err && isnan(score->value))
        err = sepx_fail(msg, SEPX_EDATA,
                        "no \"score\"; write {\"graph\": ..., \"score\": "
                        "0.25}");
    return err;
}

/* Rows of an export that have no result of their own are passed over. */
static bool
has_result(const struct sepx_json *row)
{
    const char *outcome = sepx_json_string(sepx_json_get(row, "outcome"));

    return (!outcome || !strcmp(outcome, "scored")) &&
           sepx_json_integer(sepx_json_get(row, "cached"), -1) < 0;
}

static enum sepx_err
read_row(struct rows *rows, const struct study *s, const struct lines *lines,
         bool import, struct sepx_msg *msg)
{
    const struct sepx_space *space;
    struct sepx_json *root = NULL;
    const struct sepx_json *graph;
    struct sepx_graph *made;
    struct sepx_score score = {.value = NAN, .test = NAN, .cost = 1};
    enum sepx_err err = sepx_study_space(s->study, &space, msg);

    if (!err)
        err = rows_grow(rows);
    if (!err)
        err = sepx_json_parse(&root, lines->line.at, lines->line.len, msg);
    if (!err && import && has_result(root))
        err = read_score(&score, s->goals, root, msg);
    graph = sepx_json_get(root, "graph");
    if (err || (import && isnan(score.value))) {
        sepx_json_free(root);
        return err;
    }
    made = &rows->graph[rows->count];
    *made = (struct sepx_graph){.names = sepx_space_names(space)};
    rows->result[rows->count] = (struct sepx_study_result){.score = score};
    rows->line[rows->count++] = lines->number;
    err = sepx_graph_from_json(made, made->names, graph ? graph : root, msg);
    sepx_json_free(root);
    return err;
}

static enum sepx_err
read_rows(struct rows *rows, const struct study *s, const char *path,
          bool import, struct sepx_msg *msg)
{
    struct lines lines;
    bool more = true;
    enum sepx_err err = lines_open(&lines, path, msg);

    while (!err) {
        err = lines_next(&lines, &more, msg);
        if (err || !more)
            break;
        if (!lines.line.len || strspn(lines.line.at, " \t\r") >= lines.line.len)
            continue;
        err = read_row(rows, s, &lines, import, msg);
        if (err && err != SEPX_ENOMEM)
            sepx_msg_prefix(msg, "%s:%zu", path, lines.number);
    }
    lines_close(&lines);
    if (!err && !rows->count)
        err = sepx_fail(msg, SEPX_EDATA, "%s: no %s in it", path,
                        import ? "result" : "graph");
    return err;
}

/* ---- the commands ---- */

static int
answer(const struct study *s, const struct sepx_study_brought *brought,
       bool import, bool json)
{
    struct out out = {0};
    int status;

    if (json) {
        out_print(&out, "{\"%s\":%u,\"first\":", import ? "imported" : "added",
                  brought->trials);
        out_print(&out, brought->trials ? "%u" : "null", brought->first);
        out_print(&out, ",\"known\":%u}\n", brought->known);
    } else {
        out_print(&out, "%s: %u %s", s->path, brought->trials,
                  import ? "imported" : "added");
        if (brought->trials)
            out_print(&out, ", trials %u to %u", brought->first,
                      brought->first + brought->trials - 1);
        if (brought->known)
            out_print(&out, "; %u were there already", brought->known);
        out_print(&out, "\n");
    }
    status = out_flush(&out);
    out_release(&out);
    return status;
}

enum sepx_err
study_read_graphs(const struct study *s, const char *path,
                  struct sepx_graph **graphs, size_t **line, size_t *count,
                  struct sepx_msg *msg)
{
    struct rows rows = {0};
    enum sepx_err err = read_rows(&rows, s, path, false, msg);

    *graphs = rows.graph;
    *line = rows.line;
    *count = rows.count;
    free(rows.result);
    return err;
}

int
study_bring(const char *command, char *const *operand, bool import, bool json)
{
    struct sepx_study_brought brought = {0};
    struct sepx_msg msg = {0};
    struct rows rows = {0};
    struct study s;
    enum sepx_err err;
    int status = study_open(&s, command, operand[0], true);

    if (status)
        return status;
    err = read_rows(&rows, &s, operand[1], import, &msg);
    for (size_t i = 0; i < rows.count; i++)
        rows.result[i].graph = &rows.graph[i];
    if (!err) {
        err = sepx_study_bring(s.study, rows.result, rows.count, import,
                               &brought, &msg);
        if (err == SEPX_EINVAL && brought.failed < rows.count)
            sepx_msg_prefix(&msg, "%s:%zu", operand[1],
                            rows.line[brought.failed]);
        if (err == SEPX_EINVAL)
            err = SEPX_EDATA;
    }
    status =
        err ? cli_fail(command, err, &msg) : answer(&s, &brought, import, json);
    rows_release(&rows);
    study_close(&s);
    return status;
}
