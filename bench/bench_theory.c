/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds of expected improvement: all grids of the paper, exactly; and the
 * Monte Carlo estimate of single cells, with numpy's beside it.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TRIALS = 1000000,
    REPETITIONS = 9,
    CELLS = 3,
    NO_NUMPY = 3,
    NO_PYTHON = 127
};

static const char script[] = {
#include "theory_numpy.inc"
};

struct cell {
    enum sepx_bound which;
    struct sepx_theory at;
    double seconds, numpy_seconds; /* of all trials; NaN: no numpy */
    double exact, mean, se, numpy_mean;
};

struct board {
    struct cell cell[CELLS * (SEPX_BOUND_END - 1)];
    size_t count;
    size_t grids, grid_cells;
    double grid_seconds;
    char version[64];
};

/* ---- this program ---- */

static enum sepx_err
measure_grids(struct board *board)
{
    const struct sepx_theory_figure *figure =
        sepx_theory_figures(&board->grids);
    enum sepx_err err = SEPX_OK;

    board->grid_seconds = INFINITY;
    for (int i = 0; i < REPETITIONS && !err; i++) {
        double start = sepx_clock();

        board->grid_cells = 0;
        for (size_t k = 0; k < board->grids && !err; k++) {
            struct sepx_theory_grid grid = {0};

            err = sepx_theory_grid_fill(&grid, &figure[k].plan, NULL);
            board->grid_cells += grid.plan.x.count * grid.plan.y.count;
            sepx_theory_grid_release(&grid);
        }
        board->grid_seconds = fmin(board->grid_seconds, sepx_clock() - start);
    }
    return err;
}

static enum sepx_err
measure_cell(struct cell *cell, uint64_t seed)
{
    enum sepx_err err;

    cell->seconds = INFINITY;
    cell->numpy_seconds = cell->numpy_mean = NAN;
    err = sepx_theory_exact(&cell->exact, &cell->at, cell->which, NULL);
    for (int i = 0; i < REPETITIONS && !err; i++) {
        double start = sepx_clock();
        struct sepx_estimate estimate = {0};
        struct sepx_rng rng;

        sepx_rng_init(&rng, seed, 0, (uint32_t)i, 0);
        err = sepx_theory_sample(&estimate, &cell->at, cell->which, TRIALS,
                                 &rng, NULL);
        cell->seconds = fmin(cell->seconds, sepx_clock() - start);
        cell->mean = estimate.mean;
        cell->se = estimate.se;
    }
    return err;
}

/* Few, some and many edits: numpy's time depends on them. */
static enum sepx_err
measure_cells(struct board *board, uint64_t seed)
{
    static const uint32_t distance[CELLS][2] = {{1, 1}, {3, 4}, {10, 10}};
    enum sepx_err err = SEPX_OK;

    for (unsigned which = 1; which < SEPX_BOUND_END; which++) {
        for (int i = 0; i < CELLS && !err; i++) {
            struct cell *cell = &board->cell[board->count++];

            cell->which = which;
            cell->at = (struct sepx_theory){.n = 7,
                                            .edges = {9, 9, 9},
                                            .d_opt = distance[i][0],
                                            .d_12 = distance[i][1],
                                            .alpha_eta = 0.1};
            progress_show("cell", board->count,
                          sizeof board->cell / sizeof board->cell[0]);
            err = measure_cell(cell, seed);
        }
    }
    return err;
}

/* ---- numpy ---- */

static enum sepx_err
ask(struct sepx_text *input, const struct cell *cell)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, input);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "bound", sepx_bound_name(cell->which));
    sepx_json_add_integer(&w, "trials", TRIALS);
    sepx_json_key(&w, "setting");
    sepx_theory_put_json(&w, &cell->at);
    sepx_json_close(&w, '}');
    err = sepx_json_done(&w);
    return err ? err : sepx_text_add(input, "\n", 1);
}

static enum sepx_err
read_line(struct sepx_json **root, const char **at)
{
    const char *end = strchr(*at, '\n'), *start = *at;

    if (!end)
        return SEPX_EDATA;
    *at = end + 1;
    return sepx_json_parse(root, start, (size_t)(end - start), NULL);
}

static enum sepx_err
read_answers(struct board *board, const char *at)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = read_line(&root, &at);

    if (!err)
        snprintf(board->version, sizeof board->version,
                 "numpy %.20s, Python %.20s",
                 sepx_json_string(sepx_json_get(root, "numpy")),
                 sepx_json_string(sepx_json_get(root, "python")));
    sepx_json_free(root);
    for (size_t i = 0; i < board->count && !err; i++) {
        struct cell *cell = &board->cell[i];

        root = NULL;
        err = read_line(&root, &at);
        cell->numpy_seconds =
            sepx_json_number(sepx_json_get(root, "seconds"), NAN);
        cell->numpy_mean = sepx_json_number(sepx_json_get(root, "mean"), NAN);
        sepx_json_free(root);
    }
    return err;
}

static enum sepx_err
measure_numpy(struct board *board, const char *python)
{
    const char *argv[] = {python, "-c", script, NULL};
    struct sepx_text input = {0}, output = {0};
    enum sepx_err err = SEPX_OK;
    int status = 0;

    for (size_t i = 0; i < board->count && !err; i++)
        err = ask(&input, &board->cell[i]);
    progress_step("cell", board->count, board->count, "numpy");
    if (!err)
        err = child_run(argv, &input, &output, &status, NULL);
    if (!err && (status == NO_NUMPY || status == NO_PYTHON))
        cli_say("bench",
                "%s has no numpy, so its columns stay empty; install the "
                "package 'python3-numpy'",
                python);
    else if (!err && status)
        cli_say("bench", "numpy failed with status %d; its columns stay empty",
                status);
    else if (!err)
        err = read_answers(board, output.at ? output.at : "");
    sepx_text_release(&input);
    sepx_text_release(&output);
    return err;
}

/* ---- the table ---- */

static double
ratio(const struct cell *cell)
{
    return cell->numpy_seconds / cell->seconds;
}

static void
print_table(struct out *out, const struct board *board)
{
    double least = INFINITY;

    out_print(out, "exact: %zu grids, %zu cells, %.2f ms\n", board->grids,
              board->grid_cells, board->grid_seconds * 1e3);
    out_print(out, "sampled: %d trials a cell, n = 7, edges 9 9 9%s%s\n\n",
              TRIALS, *board->version ? "; " : "", board->version);
    out_print(out,
              "bound  d_opt  d_12      exact       mean        se"
              "       ms%s\n",
              *board->version ? "  numpy ms  ratio" : "");
    for (size_t i = 0; i < board->count; i++) {
        const struct cell *cell = &board->cell[i];

        out_print(out, "%-5s %6u %5u %10.7f %10.7f %9.2g %8.3f",
                  sepx_bound_name(cell->which), cell->at.d_opt, cell->at.d_12,
                  cell->exact, cell->mean, cell->se, cell->seconds * 1e3);
        if (!isnan(cell->numpy_seconds))
            out_print(out, " %9.2f %6.1f", cell->numpy_seconds * 1e3,
                      ratio(cell));
        out_print(out, "\n");
        least = fmin(least, ratio(cell));
    }
    if (isfinite(least))
        out_print(out, "\nsmallest ratio: %.1f\n", least);
}

static void
put_board(struct out *out, const struct board *board)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_number(&w, "grids", (double)board->grids);
    sepx_json_add_number(&w, "grid_cells", (double)board->grid_cells);
    sepx_json_add_number(&w, "grid_seconds", board->grid_seconds);
    sepx_json_add_string(&w, "numpy", board->version);
    sepx_json_add_number(&w, "trials", TRIALS);
    sepx_json_key(&w, "cells");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < board->count; i++) {
        const struct cell *cell = &board->cell[i];

        sepx_json_open(&w, '{');
        sepx_json_add_string(&w, "bound", sepx_bound_name(cell->which));
        sepx_json_add_number(&w, "d_opt", cell->at.d_opt);
        sepx_json_add_number(&w, "d_12", cell->at.d_12);
        sepx_json_add_number(&w, "exact", cell->exact);
        sepx_json_add_number(&w, "mean", cell->mean);
        sepx_json_add_number(&w, "se", cell->se);
        sepx_json_add_number(&w, "seconds", cell->seconds);
        sepx_json_add_number(&w, "numpy_mean", cell->numpy_mean);
        sepx_json_add_number(&w, "numpy_seconds", cell->numpy_seconds);
        sepx_json_add_number(&w, "ratio", ratio(cell));
        sepx_json_close(&w, '}');
    }
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

int
bench_theory_run(const struct bench_settings *settings)
{
    struct board board = {0};
    struct out out = {0};
    enum sepx_err err = measure_grids(&board);
    int status;

    if (!err)
        err = measure_cells(&board, (uint64_t)settings->seed);
    if (!err && !settings->no_numpy)
        err = measure_numpy(&board, settings->python);
    if (err)
        return cli_fail("bench", err, NULL);
    if (settings->json)
        put_board(&out, &board);
    else
        print_table(&out, &board);
    status = out_flush(&out);
    out_release(&out);
    return status;
}
