/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx ged --pairs: a JSON object with two graphs a line, an answer a line.
 * Lines are read and parsed by one thread, since graphs share the table of
 * names, and solved by all; answers keep the order of the lines.
 */
#include "graph/ged_command.h"
#include "frame/line_reader.h"

#include <stdlib.h>
#include <string.h>

/* Lines a thread is given at a time: enough to hide the reading. */
enum { BLOCK = 64 };

/* What one line holds. {0} is empty. */
struct pair {
    struct sepx_graph a, b;
    uint16_t *pinned;
    size_t n_pinned;
    struct ged_given given;
    struct out out;
    size_t line;
    bool done; /* `out` has the answer */
};

/* A solver, and the pins it was made for. */
struct worker {
    struct sepx_ged *ged;
    uint16_t *pinned;
    size_t n_pinned;
};

struct stream {
    const struct ged_settings *settings;
    struct ged_setup *setup;
    struct lines lines;
    struct pair *pair;
    size_t n_pairs, room;
    struct worker *worker;
    unsigned threads;
};

/* ---- reading ---- */

static enum sepx_err
read_pinned(struct pair *pair, const struct ged_setup *setup,
            const struct sepx_json *value, struct sepx_msg *msg)
{
    size_t count = sepx_json_size(value);

    if (value && sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA,
                         "'pinned' is %s; it must be an array of labels",
                         sepx_json_type_name(value));
    free(pair->pinned);
    pair->n_pinned = 0;
    pair->pinned = calloc(count + 1, sizeof *pair->pinned);
    if (!pair->pinned)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const struct sepx_json *item = sepx_json_at(value, i);
        const char *text = sepx_json_string(item);
        enum sepx_err err;

        if (!text)
            return sepx_fail(msg, SEPX_EDATA,
                             "pinned[%zu] is %s; it must be a label, a string",
                             i, sepx_json_type_name(item));
        err = sepx_names_add(setup->names, &pair->pinned[i], text);
        if (err)
            return sepx_fail(msg, err, "pinned[%zu]: %s", i,
                             sepx_strerror(err));
    }
    pair->n_pinned = count;
    return SEPX_OK;
}

static enum sepx_err
read_graph(struct sepx_graph *graph, const struct ged_setup *setup,
           const struct sepx_json *root, const char *key, struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_get(root, key);
    enum sepx_err err;

    if (!value)
        return sepx_fail(msg, SEPX_EDATA,
                         "no '%s'; a line is {\"a\": GRAPH, \"b\": GRAPH, "
                         "\"pinned\": [LABEL, ...]}",
                         key);
    err = sepx_graph_from_json(graph, setup->names, value, msg);
    if (err)
        sepx_msg_prefix(msg, "graph '%s'", key);
    return err;
}

/* Whether a line has only the beginning of a JSON text. */
static bool
is_cut(const struct sepx_text *line)
{
    size_t len = line->len;

    while (len && strchr(" \t\r", line->at[len - 1]))
        len--;
    return len && strchr("{[,:", line->at[len - 1]);
}

static enum sepx_err
parse(struct sepx_json **root, const struct sepx_text *line,
      struct sepx_msg *msg)
{
    enum sepx_err err = sepx_json_parse(root, line->at, line->len, msg);

    if (err == SEPX_EDATA && is_cut(line))
        return sepx_fail(msg, err,
                         "the line has only a part of a pair; --pairs reads "
                         "one pair a line, so join the lines of each, as "
                         "'jq -c .' does");
    return err;
}

static enum sepx_err
read_roots(struct pair *pair, const struct ged_setup *setup,
           const struct sepx_json *value, struct sepx_msg *msg)
{
    struct sepx_ged_options options = setup->options;
    enum sepx_err err = ged_given_roots_json(&pair->given, value, msg);

    options.pinned = pair->pinned;
    options.n_pinned = pair->n_pinned;
    if (!err)
        err = ged_given_check(&pair->given, &pair->a, &pair->b, &options, msg);
    return err;
}

/* Labels of --pinned count where the line has no 'pinned' of its own. */
static enum sepx_err
read_line(struct stream *stream, struct pair *pair, struct sepx_msg *msg)
{
    struct ged_setup *setup = stream->setup;
    const struct sepx_text *line = &stream->lines.line;
    struct sepx_json *root = NULL;
    enum sepx_err err;

    pair->line = stream->lines.number;
    err = parse(&root, line, msg);
    if (!err)
        err = read_graph(&pair->a, setup, root, "a", msg);
    if (!err)
        err = read_graph(&pair->b, setup, root, "b", msg);
    if (!err)
        err =
            ged_check_alike(&pair->a, "graph 'a'", &pair->b, "graph 'b'", msg);
    if (!err)
        err = read_pinned(pair, setup, sepx_json_get(root, "pinned"), msg);
    if (!err && !sepx_json_get(root, "pinned")) {
        uint16_t *copy =
            realloc(pair->pinned, (setup->options.n_pinned + 1) * sizeof *copy);

        if (copy) {
            memcpy(copy, setup->pinned, setup->options.n_pinned * sizeof *copy);
            pair->pinned = copy;
            pair->n_pinned = setup->options.n_pinned;
        } else {
            err = SEPX_ENOMEM;
        }
    }
    pair->given.n_roots = 0;
    if (!err && sepx_json_get(root, "roots"))
        err = read_roots(pair, setup, sepx_json_get(root, "roots"), msg);
    sepx_json_free(root);
    ged_setup_meet(setup, &pair->a);
    ged_setup_meet(setup, &pair->b);
    if (err)
        sepx_msg_place(msg, stream->lines.path, pair->line);
    return err;
}

static bool
is_blank(const struct sepx_text *line)
{
    for (size_t i = 0; i < line->len; i++) {
        if (!strchr(" \t\r", line->at[i]))
            return false;
    }
    return true;
}

/* Up to a block of pairs; fewer at the end or before a bad line. */
static enum sepx_err
read_block(struct stream *stream, struct sepx_msg *msg)
{
    bool more = true;

    stream->n_pairs = 0;
    while (stream->n_pairs < stream->room) {
        enum sepx_err err = lines_next(&stream->lines, &more, msg);

        if (err || !more)
            return err;
        if (is_blank(&stream->lines.line))
            continue;
        err = read_line(stream, &stream->pair[stream->n_pairs], msg);
        if (err)
            return err;
        stream->n_pairs++;
    }
    return SEPX_OK;
}

/* ---- solving ---- */

static enum sepx_err
worker_fit(struct worker *worker, const struct ged_setup *setup,
           const struct pair *pair)
{
    struct sepx_ged_options options = setup->options;
    size_t bytes = pair->n_pinned * sizeof *pair->pinned;
    uint16_t *copy;

    if (worker->ged && worker->n_pinned == pair->n_pinned &&
        !memcmp(worker->pinned, pair->pinned, bytes))
        return SEPX_OK;
    copy = realloc(worker->pinned, bytes + 1);
    if (!copy)
        return SEPX_ENOMEM;
    memcpy(copy, pair->pinned, bytes);
    worker->pinned = copy;
    worker->n_pinned = pair->n_pinned;
    sepx_ged_free(worker->ged);
    worker->ged = NULL;
    options.pinned = worker->pinned;
    options.n_pinned = worker->n_pinned;
    return sepx_ged_new(&worker->ged, &options);
}

static enum sepx_err
write_json(struct pair *pair, const struct ged_answer *answer,
           const struct ged_settings *settings)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &pair->out.text);
    sepx_json_open(&w, '{');
    err = answer_put_json(&w, answer, settings);
    sepx_json_close(&w, '}');
    if (!err)
        err = sepx_json_done(&w);
    out_print(&pair->out, "\n");
    return err;
}

static enum sepx_err
solve(void *context, unsigned number, size_t index)
{
    struct stream *stream = context;
    struct worker *worker = &stream->worker[number];
    struct pair *pair = &stream->pair[index];
    struct ged_answer answer = {.a = &pair->a,
                                .b = &pair->b,
                                .given = &pair->given,
                                .normalize = stream->settings->normalize};
    struct sepx_ged_options options = stream->setup->options;
    struct ged_follow follow = {
        .title = "line", .number = pair->line, .began = sepx_clock()};
    struct sepx_ged_limits limits = stream->setup->limits;
    enum sepx_err err;

    pair->done = false;
    if (interrupt_seen())
        return SEPX_OK;
    limits.watch = ged_watch;
    limits.context = &follow;
    options.pinned = pair->pinned;
    options.n_pinned = pair->n_pinned;
    answer.options = &options;
    err = worker_fit(worker, stream->setup, pair);
    if (!err)
        err = answer_compute(&answer, worker->ged, &limits);
    if (!err)
        err = stream->settings->json
                  ? write_json(pair, &answer, stream->settings)
                  : answer_print(&pair->out, &answer, stream->settings);
    pair->done = !err;
    answer_release(&answer);
    return err;
}

/* ---- the stream ---- */

static enum sepx_err
stream_open(struct stream *stream, struct sepx_msg *msg)
{
    int64_t threads = stream->settings->threads;

    if (threads < 0)
        threads = 1;
    stream->threads = threads ? (unsigned)threads : sepx_processors();
    stream->room = stream->threads == 1 ? 1 : (size_t)BLOCK * stream->threads;
    stream->pair = calloc(stream->room, sizeof *stream->pair);
    stream->worker = calloc(stream->threads, sizeof *stream->worker);
    if (!stream->pair || !stream->worker)
        return SEPX_ENOMEM;
    return lines_open(&stream->lines, stream->settings->pairs, msg);
}

static void
stream_close(struct stream *stream)
{
    for (size_t i = 0; stream->pair && i < stream->room; i++) {
        sepx_graph_release(&stream->pair[i].a);
        sepx_graph_release(&stream->pair[i].b);
        free(stream->pair[i].pinned);
        ged_given_release(&stream->pair[i].given);
        out_release(&stream->pair[i].out);
    }
    for (unsigned i = 0; stream->worker && i < stream->threads; i++) {
        sepx_ged_free(stream->worker[i].ged);
        free(stream->worker[i].pinned);
    }
    free(stream->pair);
    free(stream->worker);
    lines_close(&stream->lines);
}

static int
write_block(struct stream *stream)
{
    int status = CLI_DONE;

    for (size_t i = 0; i < stream->n_pairs && !status; i++)
        status = stream->pair[i].done ? out_flush(&stream->pair[i].out)
                                      : CLI_STOPPED;
    return status || !interrupt_seen() ? status : CLI_STOPPED;
}

int
ged_pairs_run(const struct ged_settings *settings, struct ged_setup *setup)
{
    struct stream stream = {.settings = settings, .setup = setup};
    struct sepx_msg msg = {0};
    enum sepx_err err, solved = SEPX_OK;
    int status = CLI_DONE;

    err = stream_open(&stream, &msg);
    do {
        if (!err)
            err = read_block(&stream, &msg);
        interrupt_catch();
        solved = sepx_parallel(stream.threads, stream.n_pairs, solve, &stream);
        if (!solved)
            status = write_block(&stream);
        interrupt_release();
    } while (!err && !solved && !status && stream.n_pairs);
    if (solved)
        status = cli_fail("ged", solved, NULL);
    else if (err && !status)
        status = cli_fail("ged", err, &msg);
    else if (!status)
        ged_setup_warn(setup, "ged");
    stream_close(&stream);
    return status;
}
