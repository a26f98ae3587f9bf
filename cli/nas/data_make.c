/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data import, build and cells. */
#include "data/data_command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame/display.h"

enum { FLUSH_BYTES = 1 << 20 };

void
data_print_hash(char text[33], const unsigned char hash[16])
{
    static const char digits[] = "0123456789abcdef";

    for (unsigned i = 0; i < 32; i++)
        text[i] = digits[hash[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[32] = '\0';
}

/* ---- tables ---- */

struct making {
    const struct data_settings *settings;
    const char *action;
    struct sepx_nb101_cells *cells;
    struct sepx_table_builder *builder;
    struct sepx_text bytes;
    struct sepx_msg msg;
};

static bool
show_cells(void *context, size_t done, size_t total)
{
    struct out out = {0};

    (void)context;
    if (!display_due())
        return true;
    out_print(&out, "all cells: %zu %%", 100 * done / total);
    display_draw(&out);
    return true;
}

/*
 * Listing the cells takes seconds, so a missing file and a folder are noticed
 * first.
 */
static enum sepx_err
begin(struct making *m, const char *input)
{
    struct stat about;
    enum sepx_err err;

    if (strcmp(input, "-") != 0 && access(input, R_OK) != 0)
        return sepx_fail(&m->msg, SEPX_ENOINPUT,
                         "%s: cannot open: %s; check the path", input,
                         strerror(errno));
    if (strcmp(input, "-") != 0 && stat(input, &about) == 0 &&
        S_ISDIR(about.st_mode))
        return sepx_fail(&m->msg, SEPX_ENOINPUT,
                         "%s: cannot read: %s; name a file", input,
                         strerror(EISDIR));
    err = sepx_nb101_cells_new(&m->cells, 0, show_cells, NULL);
    return err ? err : sepx_table_builder_new(&m->builder, m->cells);
}

static void
report(struct out *out, const struct making *m, const struct sepx_table *table)
{
    struct sepx_table_info info;
    struct sepx_json_writer w;

    sepx_table_info(table, &info);
    if (!m->settings->json) {
        out_print(out, "%s: %" PRIu32 " of %d cells, %" PRIu64 " bytes\n",
                  m->settings->out, info.cells, SEPX_NB101_CELLS,
                  info.file_bytes);
        return;
    }
    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "table", m->settings->out);
    sepx_json_add_integer(&w, "cells", info.cells);
    sepx_json_add_count(&w, "bytes", info.file_bytes);
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

/* The builder's table, written whole or not at all. */
static enum sepx_err
finish(struct making *m, struct out *out)
{
    struct sepx_table *table;
    enum sepx_err err =
        sepx_table_builder_write(m->builder, &m->bytes, &m->msg);

    if (!err)
        err = sepx_file_write(m->settings->out, m->bytes.at, m->bytes.len,
                              &m->msg);
    if (!err)
        err = sepx_table_open_bytes(&table, m->bytes.at, m->bytes.len, &m->msg);
    if (err)
        return err;
    report(out, m, table);
    sepx_table_close(table);
    return SEPX_OK;
}

static int
end(struct making *m, enum sepx_err err)
{
    struct out out = {0};
    int status;

    if (!err)
        err = finish(m, &out);
    status = err ? cli_fail("data", err, &m->msg) : out_flush(&out);
    out_release(&out);
    sepx_text_release(&m->bytes);
    sepx_table_builder_free(m->builder);
    sepx_nb101_cells_free(m->cells);
    return status;
}

static void
show_records(void *context, uint64_t records)
{
    struct out out = {0};

    (void)context;
    if (!display_due())
        return;
    out_print(&out, "import: %" PRIu64 " records", records);
    display_draw(&out);
}

int
data_import(const struct call *call)
{
    struct making m = {.settings = call->settings};
    enum sepx_err err;

    if (call->n_operands != 2)
        return data_one_file(call);
    if (!m.settings->out)
        return cli_usage("data", "import needs --out TABLE");
    if (m.settings->nbnlp)
        return data_import_losses(call);
    err = begin(&m, call->operand[1]);
    if (!err)
        err = sepx_table_builder_tfrecord(m.builder, call->operand[1],
                                          show_records, NULL, &m.msg);
    return end(&m, err);
}

int
data_build(const struct call *call)
{
    struct making m = {.settings = call->settings};
    enum sepx_err err;

    if (call->n_operands != 1 || !m.settings->out || !m.settings->test_sums)
        return cli_usage("data",
                         "build needs --nb101-test-sums FILE and --out TABLE");
    err = begin(&m, m.settings->test_sums);
    if (!err)
        err = sepx_table_builder_test_sums(m.builder, m.settings->test_sums,
                                           m.settings->seed, &m.msg);
    return end(&m, err);
}

/* ---- cells ---- */

static void
write_counts(struct out *out, const struct sepx_nb101_cells *cells, bool json)
{
    const char *comma = "";

    out_print(out, json ? "{\"cells\":%u,\"vertices\":{" : "cells %u\n",
              sepx_nb101_cells_count(cells, 0));
    for (unsigned n = 2; n <= SEPX_NB101_NODES; n++, comma = ",")
        if (json)
            out_print(out, "%s\"%u\":%u", comma, n,
                      sepx_nb101_cells_count(cells, n));
        else
            out_print(out, "%u vertices %u\n", n,
                      sepx_nb101_cells_count(cells, n));
    if (json)
        out_print(out, "}}\n");
}

static void
write_cell(struct out *out, const struct sepx_nb101_cells *cells, uint32_t row)
{
    struct sepx_nb101_cell cell;
    char hash[33], matrix[50] = "", ops[SEPX_NB101_NODES] = "";
    unsigned n, at = 0;

    sepx_nb101_cells_get(cells, &cell, row);
    n = cell.nodes;
    data_print_hash(hash, sepx_nb101_cells_hash(cells, row));
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            matrix[at++] =
                i < j && cell.edges >> sepx_nb101_bit(i, j) & 1 ? '1' : '0';
    for (unsigned i = 1; i + 1 < n; i++)
        ops[i - 1] = (char)('0' + cell.op[i]);
    out_print(out, "%u,%s,%u,%s,%s\n", row, hash, n, matrix, ops);
}

static int
write_all(struct out *out, const struct sepx_nb101_cells *cells)
{
    int status = CLI_DONE;

    out_print(out, "row,hash,vertices,adj,ops\n");
    for (uint32_t i = 0; i < SEPX_NB101_CELLS && !status; i++) {
        write_cell(out, cells, i);
        if (out->text.len > FLUSH_BYTES)
            status = out_flush(out);
    }
    return status;
}

int
data_cells(const struct call *call)
{
    const struct data_settings *settings = call->settings;
    struct sepx_nb101_cells *cells;
    struct out out = {0};
    enum sepx_err err;
    int status = CLI_DONE;

    if (call->n_operands != 1)
        return cli_usage("data", "cells takes no file");
    err = sepx_nb101_cells_new(&cells, 0, show_cells, NULL);
    if (err)
        return cli_fail("data", err, NULL);
    if (settings->csv)
        status = write_all(&out, cells);
    else
        write_counts(&out, cells, settings->json);
    if (!status)
        status = out_flush(&out);
    out_release(&out);
    sepx_nb101_cells_free(cells);
    return status;
}
