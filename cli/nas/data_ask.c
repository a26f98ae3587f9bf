/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data info, verify and query. */
#include "data/data_command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "frame/line_reader.h"

enum { FLUSH_BYTES = 1 << 16 };

/* ---- info ---- */

static const char *const origins[] = {"unknown", "measured", "modelled"};

/* The best known origin of a value among the trials. */
static enum sepx_table_origin
origin_of(const struct sepx_table *table, enum sepx_table_value value,
          unsigned budget, unsigned *trials)
{
    enum sepx_table_origin origin = SEPX_TABLE_UNKNOWN;

    *trials = 0;
    for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++) {
        enum sepx_table_origin one = sepx_table_origin(table, value, budget, t);

        if (one == SEPX_TABLE_UNKNOWN)
            continue;
        origin = one;
        ++*trials;
    }
    return origin;
}

static void
write_info(struct out *out, const struct sepx_table *table,
           const struct sepx_table_info *info)
{
    out_print(out, "%s\n", info->description);
    out_print(out, "%" PRIu32 " of %d cells, %" PRIu64 " bytes\n", info->cells,
              SEPX_NB101_CELLS, info->file_bytes);
    out_print(out, "source %" PRIu64 " bytes, CRC-32C %08" PRIx32 "\n",
              info->source_bytes, info->source_crc32c);
    if (!isnan(info->best_test))
        out_print(out, "best mean test accuracy %.10f, measured\n",
                  info->best_test);
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++) {
            unsigned trials;
            enum sepx_table_origin origin = origin_of(table, v, b, &trials);

            if (!trials)
                continue;
            out_print(out, "%3u epochs: %s, %s, %u %s", sepx_table_epochs(b),
                      sepx_table_value_name(v), origins[origin], trials,
                      trials == 1 ? "trial" : "trials");
            if (v == SEPX_TABLE_VALIDATION)
                out_print(out, ", best %.10f", info->best_validation[b]);
            out_print(out, "\n");
        }
}

static void
put_budget(struct sepx_json_writer *w, const struct sepx_table *table,
           const struct sepx_table_info *info, unsigned budget)
{
    char key[8];

    snprintf(key, sizeof key, "%u", sepx_table_epochs(budget));
    sepx_json_key(w, key);
    sepx_json_open(w, '{');
    for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++) {
        unsigned trials;
        enum sepx_table_origin origin = origin_of(table, v, budget, &trials);

        sepx_json_key(w, sepx_table_value_name(v));
        sepx_json_put_string(w, origins[origin]);
    }
    sepx_json_add_number(w, "best_validation", info->best_validation[budget]);
    sepx_json_close(w, '}');
}

static void
write_info_json(struct out *out, const struct sepx_table *table,
                const struct sepx_table_info *info)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "description", info->description);
    sepx_json_add_integer(&w, "cells", info->cells);
    sepx_json_add_bool(&w, "complete", info->cells == SEPX_NB101_CELLS);
    sepx_json_add_bool(&w, "modelled", info->modelled);
    sepx_json_add_count(&w, "bytes", info->file_bytes);
    sepx_json_add_count(&w, "source_bytes", info->source_bytes);
    sepx_json_add_integer(&w, "source_crc32c", info->source_crc32c);
    sepx_json_add_number(&w, "best_test", info->best_test);
    sepx_json_key(&w, "epochs");
    sepx_json_open(&w, '{');
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++)
        put_budget(&w, table, info, b);
    sepx_json_close(&w, '}');
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

int
data_info(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_table *table = NULL;
    struct sepx_table_info info;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (data_is_losses(call->operand[1]))
        return data_info_losses(call);
    err = sepx_table_open(&table, call->operand[1], &msg);
    if (!err) {
        sepx_table_info(table, &info);
        if (settings->json)
            write_info_json(&out, table, &info);
        else
            write_info(&out, table, &info);
    }
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_table_close(table);
    return status;
}

/* ---- verify ---- */

int
data_verify(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_table *table = NULL;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (data_is_losses(call->operand[1]))
        return data_info_losses(call);
    err = sepx_table_open(&table, call->operand[1], &msg);
    if (!err) {
        err = sepx_table_verify(table, &msg);
        if (err == SEPX_EDATA)
            sepx_msg_file(&msg, call->operand[1]);
    }
    out_print(&out, settings->json ? "{\"ok\":true}\n" : "ok\n");
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_table_close(table);
    return status;
}

/* ---- query ---- */

struct query {
    bool json;
    struct sepx_space *space;
    struct sepx_table *table;
    struct sepx_graph graph;
    struct lines lines;
    struct out out;
};

/* Trials whose value is known, in an array; nothing if none is. */
static void
put_trials(struct sepx_json_writer *w, const struct sepx_table *table,
           uint32_t entry, enum sepx_table_value value, unsigned budget)
{
    bool open = false;

    for (unsigned t = 0; t < SEPX_TABLE_TRIALS; t++) {
        double x = sepx_table_get(table, entry, value, budget, t);

        if (isnan(x))
            continue;
        if (!open) {
            sepx_json_key(w, sepx_table_value_name(value));
            sepx_json_open(w, '[');
        }
        open = true;
        sepx_json_put_number(w, x);
    }
    if (open)
        sepx_json_close(w, ']');
}

static void
put_known(struct sepx_json_writer *w, const struct sepx_table *table,
          uint32_t entry)
{
    uint32_t parameters = sepx_table_parameters(table, entry);
    struct sepx_table_info info;

    sepx_table_info(table, &info);
    if (parameters) {
        sepx_json_add_integer(w, "parameters", parameters);
    }
    sepx_json_add_bool(w, "modelled", info.modelled);
    sepx_json_key(w, "epochs");
    sepx_json_open(w, '{');
    for (unsigned b = 0; b < SEPX_TABLE_BUDGETS; b++) {
        char key[8];

        snprintf(key, sizeof key, "%u", sepx_table_epochs(b));
        sepx_json_key(w, key);
        sepx_json_open(w, '{');
        for (unsigned v = 0; v < SEPX_TABLE_VALUES; v++)
            put_trials(w, table, entry, v, b);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, '}');
}

static void
write_answer(struct query *q, const char *hash, bool known, uint32_t entry)
{
    int32_t row = known ? sepx_table_row(q->table, entry) : -1;
    double test = known ? sepx_table_test_mean(q->table, entry) : NAN;
    struct sepx_json_writer w;

    if (!q->json) {
        out_print(&q->out, "%s", hash);
        out_print(&q->out, row < 0 ? " -" : " %" PRId32, row);
        out_print(&q->out, isnan(test) ? " -\n" : " %.10f\n", test);
        return;
    }
    sepx_json_begin(&w, &q->out.text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "hash", hash);
    sepx_json_key(&w, "row");
    if (row < 0)
        sepx_json_put_null(&w);
    else
        sepx_json_put_integer(&w, row);
    sepx_json_add_bool(&w, "known", known);
    sepx_json_add_number(&w, "test", test);
    if (known)
        put_known(&w, q->table, entry);
    sepx_json_close(&w, '}');
    if (!q->out.err)
        q->out.err = sepx_json_done(&w);
    out_print(&q->out, "\n");
}

static enum sepx_err
answer_line(struct query *q, struct sepx_msg *msg)
{
    struct sepx_nb101_cell cell;
    struct sepx_json *root;
    unsigned char hash[16];
    char digits[33];
    uint32_t entry = 0;
    bool known;
    enum sepx_err err =
        sepx_json_parse(&root, q->lines.line.at, q->lines.line.len, msg);

    if (!err)
        err = sepx_graph_from_json(&q->graph, sepx_space_names(q->space), root,
                                   msg);
    sepx_json_free(root);
    if (!err)
        err = sepx_nb101_cell_of(&cell, q->space, &q->graph, msg);
    if (err == SEPX_EINVAL)
        err = SEPX_EDATA;
    if (err)
        return err;
    sepx_nb101_cell_hash(&cell, hash);
    data_print_hash(digits, hash);
    known = sepx_table_find(q->table, &entry, &cell);
    write_answer(q, digits, known, entry);
    return SEPX_OK;
}

static bool
is_blank(const struct sepx_text *line)
{
    for (size_t i = 0; i < line->len; i++)
        if (line->at[i] != ' ' && line->at[i] != '\t' && line->at[i] != '\r')
            return false;
    return true;
}

/* Answers up to a bad line are written before it is complained about. */
static int
answer_all(struct query *q, const char *path)
{
    struct sepx_msg msg = {0};
    enum sepx_err err = lines_open(&q->lines, path, &msg);
    bool more = !err;
    int status = CLI_DONE;

    while (more && !err && !status) {
        err = lines_next(&q->lines, &more, &msg);
        if (err || !more || is_blank(&q->lines.line))
            continue;
        err = answer_line(q, &msg);
        if (err)
            sepx_msg_place(&msg,
                           path[0] == '-' && !path[1] ? "standard input" : path,
                           q->lines.number);
        if (q->out.text.len > FLUSH_BYTES)
            status = out_flush(&q->out);
    }
    if (!status)
        status = out_flush(&q->out);
    return err ? cli_fail("data", err, &msg) : status;
}

int
data_query(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct query q = {.json = settings->json};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status;

    if (data_is_losses(call->operand[1]))
        return data_query_losses(call);
    err = sepx_table_open(&q.table, call->operand[1], &msg);
    if (!err)
        err = sepx_space_open(&q.space, "nb101", &msg);
    if (err)
        status = cli_fail("data", err, &msg);
    else
        status = answer_all(&q, call->n_operands > 2 ? call->operand[2] : "-");
    lines_close(&q.lines);
    out_release(&q.out);
    sepx_graph_release(&q.graph);
    sepx_space_close(q.space);
    sepx_table_close(q.table);
    return status;
}
