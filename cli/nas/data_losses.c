/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data for tables of losses, those of NAS-Bench-NLP. */
#include "data/data_command.h"

#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 1 << 30 };

bool
data_is_losses(const char *path)
{
    FILE *file = fopen(path, "rb");
    int first = file ? fgetc(file) : EOF;

    if (file)
        fclose(file);
    return first == '{';
}

static void
put_loss(struct sepx_json_writer *w, const struct sepx_loss *loss)
{
    sepx_json_add_number(w, "validation", loss->validation);
    sepx_json_add_number(w, "test", loss->test);
    sepx_json_add_integer(w, "runs", loss->runs);
}

static void
write_info(struct out *out, const struct sepx_losses *losses, bool json)
{
    struct sepx_loss best = sepx_losses_best(losses);
    struct sepx_json_writer w;

    if (!json) {
        out_print(out, "%s\n", sepx_losses_description(losses));
        out_print(out, "best validation loss %.6f, best test loss %.6f\n",
                  best.validation, best.test);
        return;
    }
    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "description", sepx_losses_description(losses));
    sepx_json_add_integer(&w, "cells", (int64_t)sepx_losses_count(losses));
    sepx_json_key(&w, "best");
    sepx_json_open(&w, '{');
    put_loss(&w, &best);
    sepx_json_close(&w, '}');
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

int
data_import_losses(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_text logs = {0}, table = {0};
    struct sepx_losses *losses = NULL;
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_space_open(&space, "nbnlp", &msg);
    int status;

    if (!err)
        err = sepx_file_read(&logs, call->operand[1], BYTES_MAX, &msg);
    if (!err) {
        err = sepx_losses_import(&table, space, logs.at, logs.len, &msg);
        if (err)
            sepx_msg_file(&msg, call->operand[1]);
    }
    if (!err)
        err = sepx_losses_open_bytes(&losses, space, table.at, table.len, &msg);
    if (!err)
        err = sepx_file_write(settings->out, table.at, table.len, &msg);
    if (!err)
        write_info(&out, losses, settings->json);
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_losses_close(losses);
    sepx_text_release(&table);
    sepx_text_release(&logs);
    sepx_space_close(space);
    return status;
}

int
data_info_losses(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_losses *losses = NULL;
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_space_open(&space, "nbnlp", &msg);
    int status;

    if (!err)
        err = sepx_losses_open(&losses, space, call->operand[1], &msg);
    if (!err && !strcmp(call->operand[0], "verify"))
        out_print(&out, settings->json ? "{\"ok\":true}\n" : "ok\n");
    else if (!err)
        write_info(&out, losses, settings->json);
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_losses_close(losses);
    sepx_space_close(space);
    return status;
}

/* ---- query ---- */

static enum sepx_err
answer(struct out *out, const struct sepx_losses *losses,
       const struct sepx_graph *graph, bool json)
{
    struct sepx_json_writer w;
    struct sepx_loss loss;
    enum sepx_err err = sepx_losses_find(losses, &loss, graph);

    if (err)
        return err;
    if (!json) {
        out_print(out, loss.runs ? "%.6f %.6f\n" : "- -\n", loss.validation,
                  loss.test);
        return SEPX_OK;
    }
    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_bool(&w, "known", loss.runs > 0);
    put_loss(&w, &loss);
    sepx_json_key(&w, "recipe");
    sepx_recipe_put_json(&w, graph);
    sepx_json_close(&w, '}');
    out_print(out, "\n");
    return sepx_json_done(&w);
}

static enum sepx_err
answer_all(struct out *out, const struct sepx_losses *losses,
           const struct sepx_space *space, const struct sepx_graphs *graphs,
           bool json, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < graphs->count && !err; i++) {
        bool valid;

        err = sepx_space_check(space, &valid, &graphs->at[i], msg);
        if (!err && !valid)
            err = SEPX_EDATA;
        if (!err)
            err = answer(out, losses, &graphs->at[i], json);
        if (err)
            sepx_msg_prefix(msg, "graph %zu", i + 1);
    }
    return err;
}

int
data_query_losses(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    const char *path = call->n_operands > 2 ? call->operand[2] : "-";
    struct sepx_losses *losses = NULL;
    struct sepx_graphs graphs = {0};
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_space_open(&space, "nbnlp", &msg);
    int status;

    if (!err)
        err = sepx_losses_open(&losses, space, call->operand[1], &msg);
    if (!err)
        err =
            sepx_graphs_read_file(&graphs, sepx_space_names(space), path, &msg);
    if (!err)
        err = answer_all(&out, losses, space, &graphs, settings->json, &msg);
    status = out_flush(&out);
    if (err)
        status = cli_fail("data", err, &msg);
    out_release(&out);
    sepx_graphs_release(&graphs);
    sepx_losses_close(losses);
    sepx_space_close(space);
    return status;
}
