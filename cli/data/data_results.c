/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data for tables of results: table, info, verify and query. */
#include "data/data_command.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BYTES_MAX = 1 << 30, FLUSH_BYTES = 1 << 16 };

/* ---- info ---- */

static void
write_info(struct out *out, const struct sepx_results *results,
           const struct sepx_results_info *info)
{
    out_print(out, "%" PRIu32 " graphs of %s, %" PRIu64 " bytes\n",
              info->graphs,
              *info->space == '{' ? "a space of a file" : info->space,
              info->file_bytes);
    out_print(out,
              "source %" PRIu64 " rows, %" PRIu64 " bytes, CRC-32C %08" PRIx32
              "\n",
              info->rows, info->source_bytes, info->source_crc32c);
    if (info->skipped)
        out_print(out, "%" PRIu64 " rows skipped: not of the space\n",
                  info->skipped);
    if (info->repeated)
        out_print(out,
                  "%" PRIu32 " graphs have several rows, of %" PRIu32
                  " they differ; values are means\n",
                  info->repeated, info->differing);
    for (uint32_t i = 0; i < info->metrics; i++) {
        struct sepx_results_range range;

        sepx_results_range(results, i, &range);
        out_print(out, "%s: ", sepx_results_metric(results, i));
        if (range.known < info->graphs)
            out_print(out, "%" PRIu32 " known, ", range.known);
        if (range.known)
            out_print(out, "%.10g (%" PRIu32 ") to %.10g (%" PRIu32 ")\n",
                      range.least, range.at_least, range.most, range.at_most);
        else
            out_print(out, "none\n");
    }
}

static void
put_end(struct sepx_json_writer *w, const char *key, double value,
        uint32_t graphs, uint32_t first)
{
    sepx_json_key(w, key);
    sepx_json_open(w, '{');
    sepx_json_add_number(w, "value", value);
    sepx_json_add_integer(w, "graphs", graphs);
    sepx_json_add_integer(w, "entry", first);
    sepx_json_close(w, '}');
}

static void
put_metric(struct sepx_json_writer *w, const struct sepx_results *results,
           uint32_t metric)
{
    struct sepx_results_range range;

    sepx_results_range(results, metric, &range);
    sepx_json_key(w, sepx_results_metric(results, metric));
    sepx_json_open(w, '{');
    sepx_json_add_integer(w, "known", range.known);
    if (range.known) {
        put_end(w, "least", range.least, range.at_least, range.first_least);
        put_end(w, "most", range.most, range.at_most, range.first_most);
    }
    sepx_json_close(w, '}');
}

static void
write_info_json(struct out *out, const struct sepx_results *results,
                const struct sepx_results_info *info)
{
    struct sepx_json_writer w;
    struct {
        const char *key;
        uint64_t value;
    } rows[] = {{"graphs", info->graphs},
                {"rows", info->rows},
                {"skipped", info->skipped},
                {"repeated", info->repeated},
                {"differing", info->differing},
                {"bytes", info->file_bytes},
                {"source_bytes", info->source_bytes},
                {"source_crc32c", info->source_crc32c}};

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sepx_json_add_count(&w, rows[i].key, rows[i].value);
    }
    sepx_json_key(&w, "metrics");
    sepx_json_open(&w, '{');
    for (uint32_t i = 0; i < info->metrics; i++)
        put_metric(&w, results, i);
    sepx_json_close(&w, '}');
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

static void
report(struct out *out, const struct sepx_results *results, bool json)
{
    struct sepx_results_info info;

    sepx_results_info(results, &info);
    if (json)
        write_info_json(out, results, &info);
    else
        write_info(out, results, &info);
}

int
data_info_results(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_results *results;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_results_open(&results, call->operand[1], &msg);
    int status;

    if (!err)
        report(&out, results, settings->json);
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_results_close(results);
    return status;
}

int
data_verify_results(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_results *results;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_results_open(&results, call->operand[1], &msg);
    int status;

    if (!err) {
        err = sepx_results_verify(results, &msg);
        if (err == SEPX_EDATA)
            sepx_msg_prefix(&msg, "%s", call->operand[1]);
    }
    out_print(&out, settings->json ? "{\"ok\":true}\n" : "ok\n");
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_results_close(results);
    return status;
}

/* ---- table ---- */

static enum sepx_err
build(const struct call *call, struct sepx_space *space,
      struct sepx_text *table, struct sepx_msg *msg)
{
    const struct data_settings *s = call->settings;
    struct sepx_results_options options = {.graph = s->graph,
                                           .metrics = s->metrics,
                                           .skip = s->skip,
                                           .once = s->once};
    const char *path = call->operand[1];
    struct sepx_results_builder *builder;
    struct sepx_text rows = {0};
    enum sepx_err err = sepx_results_builder_new(&builder, space, &options);

    if (!err)
        err = sepx_file_read(&rows, path, BYTES_MAX, msg);
    if (!err)
        err = sepx_results_builder_read(
            builder, rows.at, rows.len,
            strcmp(path, "-") ? path : "standard input", msg);
    if (!err) {
        err = sepx_results_builder_write(builder, table, msg);
        if (err == SEPX_EDATA)
            sepx_msg_prefix(msg, "%s", path);
    }
    sepx_text_release(&rows);
    sepx_results_builder_free(builder);
    return err;
}

int
data_table(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_results *results = NULL;
    struct sepx_space *space = NULL;
    struct sepx_text table = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (call->n_operands != 2 || !settings->space || !settings->out)
        return cli_usage("data",
                         "table needs --space SPACE, ROWS and --out TABLE");
    err = sepx_space_open(&space, settings->space, &msg);
    if (!err) {
        interrupt_catch();
        sepx_space_set_stop(space, &interrupt_stop);
        err = build(call, space, &table, &msg);
    }
    if (!err)
        err = sepx_results_open_bytes(&results, table.at, table.len, &msg);
    if (!err)
        err = sepx_file_write(settings->out, table.at, table.len, &msg);
    if (!err)
        report(&out, results, settings->json);
    status = err ? cli_fail("data", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_results_close(results);
    sepx_text_release(&table);
    sepx_space_close(space);
    return status;
}

/* ---- query ---- */

static void
print_values(struct out *out, const struct sepx_results *results,
             uint32_t metrics, uint32_t entry, bool known)
{
    for (uint32_t i = 0; i < metrics; i++) {
        double value = known ? sepx_results_get(results, entry, i) : NAN;

        out_print(out, isnan(value) ? "%s-" : "%s%.10g", i ? " " : "", value);
    }
    out_print(out, "\n");
}

static void
put_values(struct out *out, const struct sepx_results *results,
           uint32_t metrics, uint32_t entry, bool known)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_bool(&w, "known", known);
    for (uint32_t i = 0; i < metrics && known; i++) {
        sepx_json_key(&w, sepx_results_metric(results, i));
        sepx_json_put_number(&w, sepx_results_get(results, entry, i));
    }
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

static enum sepx_err
answer(struct out *out, const struct sepx_results *results,
       const struct sepx_space *space, const struct sepx_graph *graph,
       bool json, struct sepx_msg *msg)
{
    struct sepx_results_info info;
    uint32_t entry = 0;
    bool known = false;
    enum sepx_err err = sepx_space_check(space, &known, graph, msg);

    if (!err && !known)
        err = SEPX_EDATA;
    if (!err)
        err = sepx_results_find(results, &entry, &known, space, graph);
    if (err)
        return err;
    sepx_results_info(results, &info);
    (json ? put_values : print_values)(out, results, info.metrics, entry,
                                       known);
    return SEPX_OK;
}

int
data_query_results(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    const char *path = call->n_operands > 2 ? call->operand[2] : "-";
    struct sepx_results *results;
    struct sepx_graphs graphs = {0};
    struct sepx_space *space = NULL;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_results_open(&results, call->operand[1], &msg);
    int status = CLI_DONE;

    if (!err)
        err = sepx_results_open_space(results, &space, &msg);
    if (!err)
        err = sepx_results_match(results, space, &msg);
    if (!err)
        err =
            sepx_graphs_read_file(&graphs, sepx_space_names(space), path, &msg);
    for (size_t i = 0; i < graphs.count && !err && !status; i++) {
        err = answer(&out, results, space, &graphs.at[i], settings->json, &msg);
        if (err)
            sepx_msg_prefix(&msg, "graph %zu", i + 1);
        if (out.text.len > FLUSH_BYTES)
            status = out_flush(&out);
    }
    if (!status)
        status = out_flush(&out);
    if (err)
        status = cli_fail("data", err, &msg);
    out_release(&out);
    sepx_graphs_release(&graphs);
    sepx_space_close(space);
    sepx_results_close(results);
    return status;
}
