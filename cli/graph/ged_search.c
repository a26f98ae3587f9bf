/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx ged --nearest and --within: graphs of a database by their distance to
 * each graph of a file. sepx ged --index: the database made ready.
 */
#include "graph/ged_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* {0} is empty. */
struct database {
    struct sepx_ged_index *index;
    struct sepx_text bytes; /* of an index made on the fly */
};

struct search {
    const struct ged_settings *settings;
    struct ged_setup *setup;
    struct sepx_graphs queries;
    struct database base;
    struct sepx_ged_hits hits;
    struct out out;
};

/* ---- the database ---- */

/* Graphs as one index, in bytes. */
static enum sepx_err
make_index(struct sepx_text *bytes, struct ged_setup *setup, const char *path,
           struct sepx_msg *msg)
{
    struct sepx_graphs graphs = {0};
    enum sepx_err err = sepx_graphs_read_file(&graphs, setup->names, path, msg);

    for (size_t i = 1; i < graphs.count && !err; i++) {
        char name[32];

        (void)snprintf(name, sizeof name, "graph %zu", i + 1);
        err =
            ged_check_alike(&graphs.at[0], "graph 1", &graphs.at[i], name, msg);
        if (err)
            sepx_msg_prefix(msg, "%s", path);
    }
    if (!err)
        err = sepx_ged_index_write(bytes, graphs.at, graphs.count);
    sepx_graphs_release(&graphs);
    return err;
}

static bool
is_index(const char *path)
{
    char begin[8] = {0};
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : NULL;
    size_t len = file ? fread(begin, 1, sizeof begin, file) : 0;

    if (file)
        (void)fclose(file);
    return sepx_ged_index_begins(begin, len);
}

static enum sepx_err
open_database(struct database *base, struct ged_setup *setup, const char *path,
              struct sepx_msg *msg)
{
    enum sepx_err err;

    if (is_index(path))
        return sepx_ged_index_open(&base->index, setup->names, path, msg);
    err = make_index(&base->bytes, setup, path, msg);
    if (!err)
        err = sepx_ged_index_open_bytes(&base->index, setup->names,
                                        base->bytes.at, base->bytes.len, msg);
    return err;
}

int
ged_index_run(const struct ged_settings *settings, struct ged_setup *setup)
{
    struct sepx_text bytes = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = make_index(&bytes, setup, settings->index, &msg);

    if (!err)
        err = sepx_file_write(settings->output, bytes.at, bytes.len, &msg);
    sepx_text_release(&bytes);
    return err ? cli_fail("ged", err, &msg) : CLI_DONE;
}

/* ---- answers ---- */

static void
put_hit(struct sepx_json_writer *w, const struct sepx_ged_hit *hit,
        const struct sepx_ged_index *index)
{
    const bool exact = hit->lower == hit->upper;
    char name[256] = {0};
    size_t len;
    const char *text = sepx_ged_index_name(index, hit->number, &len);

    memcpy(name, text, len);
    sepx_json_open(w, '{');
    sepx_json_key(w, "graph");
    sepx_json_put_integer(w, (int64_t)hit->number + 1);
    if (len) {
        sepx_json_key(w, "name");
        sepx_json_put_string(w, name);
    }
    sepx_json_key(w, "ged");
    sepx_json_put_number(w, exact ? hit->upper : NAN);
    sepx_json_key(w, "lower");
    sepx_json_put_number(w, hit->lower);
    sepx_json_key(w, "upper");
    sepx_json_put_number(w, hit->upper);
    sepx_json_close(w, '}');
}

static enum sepx_err
write_json(struct search *s)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &s->out.text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "graphs");
    sepx_json_put_integer(&w, (int64_t)sepx_ged_index_count(s->base.index));
    sepx_json_key(&w, "solved");
    sepx_json_put_integer(&w, (int64_t)s->hits.solved);
    sepx_json_key(&w, "exact");
    sepx_json_put_bool(&w, s->hits.exact);
    sepx_json_key(&w, "hits");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < s->hits.count; i++)
        put_hit(&w, &s->hits.at[i], s->base.index);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    err = sepx_json_done(&w);
    out_print(&s->out, "\n");
    return err;
}

/* "3\t17\tname": distance, number and name; the query's number first. */
static enum sepx_err
write_text(struct search *s, size_t query)
{
    for (size_t i = 0; i < s->hits.count; i++) {
        const struct sepx_ged_hit *hit = &s->hits.at[i];
        size_t len;
        const char *name =
            sepx_ged_index_name(s->base.index, hit->number, &len);
        enum sepx_err err = SEPX_OK;

        if (s->queries.count > 1)
            out_print(&s->out, "%zu\t", query + 1);
        answer_print_distance(&s->out, hit->lower, hit->upper,
                              hit->lower == hit->upper);
        out_print(&s->out, "\t%zu%s", hit->number + 1, len ? "\t" : "");
        if (len)
            err = sepx_text_add_visible(&s->out.text, name, len);
        if (err)
            return err;
        out_print(&s->out, "\n");
    }
    if (!s->hits.exact)
        cli_say("ged",
                "query %zu: not exact, the time limit came first for "
                "some graphs; raise --time-limit",
                query + 1);
    return SEPX_OK;
}

/* ---- searching ---- */

static enum sepx_err
check_query(const struct search *s, size_t query, const char *path,
            struct sepx_msg *msg)
{
    static const char *const kind[] = {"directed", "undirected"};
    const bool a = s->queries.at[query].undirected;
    const bool b = sepx_ged_index_undirected(s->base.index);

    if (a == b || !sepx_ged_index_count(s->base.index))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: graph %zu is %s, but those of the database are %s; "
                     "there is no distance between the two kinds",
                     path, query + 1, kind[a], kind[b]);
}

static enum sepx_err
ask(struct search *s, size_t query)
{
    const struct ged_settings *settings = s->settings;
    struct ged_follow follow = {
        .title = "query", .number = query + 1, .began = sepx_clock()};
    struct sepx_ged_limits limits = s->setup->limits;
    const unsigned threads =
        settings->threads > 0 ? (unsigned)settings->threads : 0;
    enum sepx_err err;

    limits.watch = ged_watch;
    limits.context = &follow;
    limits.threshold = !isnan(settings->within);
    limits.at_most = settings->within;
    err = sepx_ged_nearest(
        s->base.index, &s->hits,
        settings->nearest < 0 ? SIZE_MAX : (size_t)settings->nearest,
        &s->queries.at[query], &s->setup->options, &limits, threads);
    if (err)
        return err;
    return settings->json ? write_json(s) : write_text(s, query);
}

static enum sepx_err
ask_all(struct search *s, char **operand, int *status, struct sepx_msg *msg)
{
    enum sepx_err err =
        sepx_graphs_read_file(&s->queries, s->setup->names, operand[0], msg);

    if (!err)
        err = open_database(&s->base, s->setup, operand[1], msg);
    interrupt_catch();
    for (size_t i = 0; i < s->queries.count && !err && !*status; i++) {
        err = check_query(s, i, operand[0], msg);
        if (!err)
            err = ask(s, i);
        if (!err)
            *status = out_flush(&s->out);
    }
    return err;
}

int
ged_search_run(const struct ged_settings *settings, struct ged_setup *setup,
               char **operand)
{
    struct search s = {.settings = settings, .setup = setup};
    struct sepx_msg msg = {0};
    int status = CLI_DONE;
    enum sepx_err err = ask_all(&s, operand, &status, &msg);

    if (err)
        status = cli_fail("ged", err, &msg);
    out_release(&s.out);
    sepx_ged_hits_release(&s.hits);
    sepx_ged_index_close(s.base.index);
    sepx_text_release(&s.base.bytes);
    sepx_graphs_release(&s.queries);
    return status;
}
