/* SPDX-License-Identifier: Apache-2.0 */
/* sepx ged --matrix: all distances among the graphs of a file. */
#include "ged.h"

#include <math.h>
#include <stdlib.h>

struct matrix {
    struct sepx_graphs graphs;
    struct sepx_ged_bounds *at; /* count * count */
};

static bool
show(void *context, size_t done, size_t total)
{
    progress_show(context, done, total);
    return true;
}

static enum sepx_err
compute(struct matrix *matrix, const struct ged_settings *settings,
        struct ged_setup *setup, struct sepx_msg *msg)
{
    struct progress progress = {.title = "distances"};
    size_t count;
    unsigned threads = settings->threads > 0 ? (unsigned)settings->threads : 0;
    enum sepx_err err;

    err = sepx_graphs_read_file(&matrix->graphs, setup->names, settings->matrix,
                                msg);
    if (err)
        return err;
    count = matrix->graphs.count;
    if (count > SIZE_MAX / sizeof *matrix->at / (count ? count : 1))
        return SEPX_ENOMEM;
    matrix->at = calloc(count * count + 1, sizeof *matrix->at);
    if (!matrix->at)
        return sepx_fail(msg, SEPX_ENOMEM, "%zu graphs are %zu distances: %s",
                         count, count * count, sepx_strerror(SEPX_ENOMEM));
    err = sepx_ged_matrix(&setup->options, matrix->at, matrix->graphs.at, count,
                          &setup->limits, threads, show, &progress);
    progress_end(&progress);
    return err;
}

static bool
is_exact(const struct sepx_ged_bounds *bounds)
{
    return bounds->lower == bounds->upper;
}

static int
write_text(const struct matrix *matrix, struct out *out)
{
    size_t count = matrix->graphs.count;
    int status = CLI_DONE;

    for (size_t i = 0; i < count && !status; i++) {
        for (size_t j = 0; j < count; j++) {
            const struct sepx_ged_bounds *each = &matrix->at[i * count + j];

            out_print(out, j ? "\t" : "");
            answer_print_distance(out, each->lower, each->upper,
                                  is_exact(each));
        }
        out_print(out, "\n");
        status = out_flush(out);
    }
    return status;
}

enum field { GED, LOWER, UPPER };

static void
put_field(struct sepx_json_writer *w, const struct matrix *matrix,
          const char *key, enum field field)
{
    size_t count = matrix->graphs.count;

    sepx_json_key(w, key);
    sepx_json_open(w, '[');
    for (size_t i = 0; i < count; i++) {
        sepx_json_open(w, '[');
        for (size_t j = 0; j < count; j++) {
            const struct sepx_ged_bounds *each = &matrix->at[i * count + j];
            double known = is_exact(each) ? each->upper : NAN;

            sepx_json_put_number(w, field == GED     ? known
                                    : field == LOWER ? each->lower
                                                     : each->upper);
        }
        sepx_json_close(w, ']');
    }
    sepx_json_close(w, ']');
}

static int
write_json(const struct matrix *matrix, struct out *out)
{
    size_t count = matrix->graphs.count;
    struct sepx_json_writer w;
    bool exact = true;

    for (size_t i = 0; i < count * count; i++)
        exact = exact && is_exact(&matrix->at[i]);
    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "count");
    sepx_json_put_integer(&w, (int64_t)count);
    sepx_json_key(&w, "exact");
    sepx_json_put_bool(&w, exact);
    put_field(&w, matrix, "ged", GED);
    if (!exact) {
        put_field(&w, matrix, "lower", LOWER);
        put_field(&w, matrix, "upper", UPPER);
    }
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
    return out_flush(out);
}

int
ged_matrix_run(const struct ged_settings *settings, struct ged_setup *setup)
{
    struct matrix matrix = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = compute(&matrix, settings, setup, &msg);
    int status;

    if (err)
        status = cli_fail("ged", err, &msg);
    else if (settings->json)
        status = write_json(&matrix, &out);
    else
        status = write_text(&matrix, &out);
    out_release(&out);
    free(matrix.at);
    sepx_graphs_release(&matrix.graphs);
    return status;
}
