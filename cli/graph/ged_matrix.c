/* SPDX-License-Identifier: Apache-2.0 */
/* sepx ged --matrix: all distances among the graphs of a file. */
#include "graph/ged_command.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/display.h"
#include "graph/ged_families.h"

struct matrix {
    struct sepx_graphs graphs;
    struct sepx_ged_bounds *at; /* count * count */
    char **name;
};

/* Pairs done and all, for the display. */
struct count {
    atomic_size_t done;
    size_t all;
};

/* Inside a pair that takes long, from any thread. */
static bool
watch(void *context, double lower, double upper)
{
    struct count *count = context;

    (void)lower;
    (void)upper;
    progress_show("distances", count->done, count->all);
    return !interrupt_seen();
}

static bool
show(void *context, size_t done, size_t total)
{
    struct count *count = context;

    (void)total;
    count->done = done;
    return watch(count, 0, 0);
}

/* Graphs are all directed or all undirected. */
static enum sepx_err
check_alike(const struct matrix *matrix, const char *path, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;
    char name[32];

    for (size_t i = 1; i < matrix->graphs.count && !err; i++) {
        (void)snprintf(name, sizeof name, "graph %zu", i + 1);
        err = ged_check_alike(&matrix->graphs.at[0], "graph 1",
                              &matrix->graphs.at[i], name, msg);
    }
    if (err)
        sepx_msg_file(msg, path);
    return err;
}

static enum sepx_err
compute(struct matrix *matrix, const struct ged_settings *settings,
        struct ged_setup *setup, struct sepx_msg *msg)
{
    struct sepx_ged_limits limits = setup->limits;
    struct count shown = {0};
    size_t count;
    unsigned threads = settings->threads > 0 ? (unsigned)settings->threads : 0;
    enum sepx_err err;

    err = sepx_graphs_read_file(&matrix->graphs, setup->names, settings->matrix,
                                msg);
    if (!err)
        err = check_alike(matrix, settings->matrix, msg);
    if (err)
        return err;
    count = matrix->graphs.count;
    for (size_t i = 0; i < count; i++)
        ged_setup_meet(setup, &matrix->graphs.at[i]);
    ged_setup_warn(setup, "ged");
    if (count > SIZE_MAX / sizeof *matrix->at / (count ? count : 1))
        return SEPX_ENOMEM;
    matrix->at = calloc(count * count + 1, sizeof *matrix->at);
    if (!matrix->at)
        return sepx_fail(msg, SEPX_ENOMEM, "%zu graphs are %zu distances: %s",
                         count, count * count, sepx_strerror(SEPX_ENOMEM));
    shown.all = count * (count - (count > 0)) / 2;
    limits.watch = watch;
    limits.context = &shown;
    interrupt_catch();
    err = sepx_ged_matrix(&setup->options, matrix->at, matrix->graphs.at, count,
                          &limits, threads, show, &shown);
    display_end();
    return err;
}

/* Each distance as 2 d / (w + d). */
static enum sepx_err
normalize(struct matrix *matrix, const struct ged_setup *setup)
{
    const size_t count = matrix->graphs.count;
    struct sepx_ged_graph **ready = calloc(count + 1, sizeof(*ready));
    struct sepx_ged *ged = NULL;
    enum sepx_err err =
        ready ? sepx_ged_new(&ged, &setup->options) : SEPX_ENOMEM;

    for (size_t i = 0; i < count && !err; i++)
        err = sepx_ged_prepare(ged, &ready[i], &matrix->graphs.at[i]);
    for (size_t i = 0; i < count * count && !err; i++) {
        struct sepx_ged_bounds *each = &matrix->at[i];
        double whole;

        err = sepx_ged_whole(ged, &whole, ready[i / count], ready[i % count]);
        each->lower = sepx_ged_normalized(each->lower, whole);
        each->upper = sepx_ged_normalized(each->upper, whole);
    }
    for (size_t i = 0; i < count && ready; i++)
        sepx_ged_graph_free(ready[i]);
    sepx_ged_free(ged);
    free(ready);
    return err;
}

/* ---- names ---- */

/* The key "name" or "id" of what was read, or its number. */
static enum sepx_err
name_graph(char **name, const struct sepx_graph *graph, size_t number)
{
    static const char *const keys[] = {"name", "id"};
    struct sepx_json *root = NULL;
    char otherwise[32];
    enum sepx_err err = SEPX_OK;

    if (graph->extra)
        err = sepx_json_parse(&root, graph->extra, strlen(graph->extra), NULL);
    for (unsigned i = 0; i < 2 && !err && !*name; i++) {
        const char *text = sepx_json_string(sepx_json_get(root, keys[i]));

        if (text)
            *name = strdup(text);
    }
    (void)snprintf(otherwise, sizeof otherwise, "graph %zu", number);
    if (!*name)
        *name = strdup(otherwise);
    sepx_json_free(root);
    return err ? err : *name ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
name_all(struct matrix *matrix)
{
    enum sepx_err err = SEPX_OK;

    matrix->name = calloc(matrix->graphs.count + 1, sizeof *matrix->name);
    if (!matrix->name)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < matrix->graphs.count && !err; i++)
        err = name_graph(&matrix->name[i], &matrix->graphs.at[i], i + 1);
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

/* A field of CSV, in quotes where it needs them. */
static void
print_field(struct out *out, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;

    out_print(out, quoted ? "\"" : "");
    for (; *text; text++)
        out_print(out, *text == '"' ? "\"\"" : "%c", *text);
    out_print(out, quoted ? "\"" : "");
}

static int
write_csv(const struct matrix *matrix, struct out *out)
{
    size_t count = matrix->graphs.count;
    int status;

    out_print(out, "graph");
    for (size_t i = 0; i < count; i++) {
        out_print(out, ",");
        print_field(out, matrix->name[i]);
    }
    out_print(out, "\n");
    status = out_flush(out);
    for (size_t i = 0; i < count && !status; i++) {
        print_field(out, matrix->name[i]);
        for (size_t j = 0; j < count; j++) {
            const struct sepx_ged_bounds *each = &matrix->at[i * count + j];

            out_print(out, ",");
            answer_print_distance(out, each->lower, each->upper,
                                  is_exact(each));
        }
        out_print(out, "\n");
        status = out_flush(out);
    }
    return status;
}

/* By the best maps found, both ways on average. */
static enum sepx_err
draw(const struct matrix *matrix, const struct ged_settings *settings,
     struct sepx_msg *msg)
{
    const size_t count = matrix->graphs.count;
    double *distance = calloc(count * count + 1, sizeof *distance);
    struct out out = {0};
    char title[96];
    enum sepx_err err = distance ? SEPX_OK : SEPX_ENOMEM;

    if (!count || count > FAMILIES_MOST)
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: pictures are of 1 to %d graphs, got %zu",
                        settings->matrix, FAMILIES_MOST, count);
    for (size_t i = 0; i < count * count && !err; i++)
        distance[i] = (matrix->at[i].upper +
                       matrix->at[i % count * count + i / count].upper) /
                      2;
    (void)snprintf(title, sizeof title,
                   "%zu graphs by their %sedit distance: a tree, and a map",
                   count, settings->normalize ? "normalised " : "");
    if (!err)
        err = families_draw(&out, title, matrix->name, distance, count);
    if (!err)
        err = out.err;
    if (!err)
        err = sepx_file_write(settings->output, out.text.at, out.text.len, msg);
    out_release(&out);
    free(distance);
    return err;
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
    sepx_json_add_count(&w, "count", count);
    sepx_json_add_bool(&w, "exact", exact);
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

    if (!err && settings->normalize)
        err = normalize(&matrix, setup);
    if (!err)
        err = name_all(&matrix);
    if (!err && settings->output)
        err = draw(&matrix, settings, &msg);
    if (err)
        status = cli_fail("ged", err, &msg);
    else if (settings->json)
        status = write_json(&matrix, &out);
    else if (settings->csv)
        status = write_csv(&matrix, &out);
    else
        status = write_text(&matrix, &out);
    out_release(&out);
    for (size_t i = 0; matrix.name && i < matrix.graphs.count; i++)
        free(matrix.name[i]);
    free(matrix.name);
    free(matrix.at);
    sepx_graphs_release(&matrix.graphs);
    return status;
}
