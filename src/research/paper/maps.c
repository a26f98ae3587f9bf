/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The maps of expected improvement. Claims about a map are counts of cells:
 * those with something to gain (d_opt at least 1) and, where the parents'
 * distance is an axis, parents that differ; the paper leaves d_12 = 0 unset.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paper.h"

enum { MAPS_MAX = 3, FIGURES_MAX = 64 };

#define ALMOST_ALL 0.9
#define MOST 0.5

static const struct count_claim {
    const char *id;
    const char *map[MAPS_MAX];
    bool below;   /* the claim is that the difference is below 0 */
    double least; /* this share of cells or, at MOST, more than it */
} count_claims[] = {
    {"ei-muta", {"sepx-muta-nb101"}, false, ALMOST_ALL},
    {"ei-rlu", {"sepx-rlu-nb101"}, false, ALMOST_ALL},
    {"ei-rlo", {"sepx-rlo-nb101"}, false, ALMOST_ALL},
    {"ei-nlp", {"sepx-muta-nbnlp"}, false, MOST},
    {"ei-nlp-stdx", {"stdx-muta-nbnlp"}, true, MOST},
    {"ei-stdx-muta", {"stdx-muta-nb101"}, true, MOST},
    {"ei-stdx-rl", {"stdx-rlu-nb101", "stdx-rlo-nb101"}, true, MOST},
    {"ei-rlu-muta", {"rlu-muta-nb101"}, true, MOST},
    {"eps-0.1",
     {"sepx-muta-eps0.1", "sepx-rlu-eps0.1", "sepx-rlo-eps0.1"},
     false,
     ALMOST_ALL},
    {"eps-0.2",
     {"sepx-muta-eps0.2", "sepx-rlu-eps0.2", "sepx-rlo-eps0.2"},
     false,
     ALMOST_ALL},
    {"eps-0.3",
     {"sepx-muta-eps0.3", "sepx-rlu-eps0.3", "sepx-rlo-eps0.3"},
     false,
     ALMOST_ALL},
};

/* ---- counting ---- */

struct cells {
    size_t all, above, below;
};

static double
axis_value(const struct sepx_theory_plan *plan, enum sepx_theory_field field,
           size_t column, size_t row)
{
    if (plan->x.field == field)
        return plan->x.at[column];
    return plan->y.field == field ? plan->y.at[row] : 1;
}

static struct cells
count_cells(const struct sepx_theory_grid *grid)
{
    const struct sepx_theory_plan *plan = &grid->plan;
    struct cells cells = {0};

    for (size_t i = 0; i < plan->x.count * plan->y.count; i++) {
        size_t column = i % plan->x.count, row = i / plan->x.count;

        if (axis_value(plan, SEPX_AXIS_D_OPT, column, row) < 1 ||
            axis_value(plan, SEPX_AXIS_D_12, column, row) < 1)
            continue;
        cells.all++;
        cells.above += grid->difference[i] > 0;
        cells.below += grid->difference[i] < 0;
    }
    return cells;
}

/* All maps of the paper, filled. */
struct atlas {
    const struct sepx_theory_figure *figure;
    size_t count;
    struct sepx_theory_grid *grid; /* of each figure; some stay empty */
};

static const struct sepx_theory_grid *
find(const struct atlas *atlas, const char *name)
{
    for (size_t i = 0; i < atlas->count; i++)
        if (!strcmp(atlas->figure[i].name, name))
            return atlas->grid[i].difference ? &atlas->grid[i] : NULL;
    return NULL;
}

/* ---- claims ---- */

static enum verdict
verdict_of_count(const struct count_claim *claim, const struct cells *cells)
{
    size_t good = claim->below ? cells->below : cells->above;
    size_t bad = claim->below ? cells->above : cells->below;
    double share = (double)good / (double)cells->all;

    if (claim->least > MOST ? share >= claim->least : share > claim->least)
        return HOLDS;
    return bad > good ? REVERSED : MISSED;
}

/* Of a claim about several maps: one that is reversed stands for all. */
static enum verdict
worse_of(enum verdict a, enum verdict b)
{
    if (a == REVERSED || b == REVERSED)
        return REVERSED;
    return a ? a : b;
}

static void
test_count(struct work *work, const struct atlas *atlas,
           const struct count_claim *claim)
{
    struct outcome o = {.id = claim->id,
                        .verdict = HOLDS,
                        .test = "exact count of cells",
                        .p = NAN,
                        .effect = 1};
    size_t len = 0;

    for (int i = 0; i < MAPS_MAX && claim->map[i]; i++) {
        const struct sepx_theory_grid *grid = find(atlas, claim->map[i]);
        struct cells cells;
        size_t good;
        double share;

        if (!grid)
            return;
        cells = count_cells(grid);
        good = claim->below ? cells.below : cells.above;
        share = (double)good / (double)cells.all;
        o.effect = share < o.effect ? share : o.effect;
        o.n += cells.all;
        o.verdict = worse_of(o.verdict, verdict_of_count(claim, &cells));
        len +=
            (size_t)snprintf(o.detail + len, sizeof o.detail - len,
                             "%s%s against %s: %zu of %zu cells", i ? "; " : "",
                             sepx_bound_method(grid->plan.a),
                             sepx_bound_method(grid->plan.b), good, cells.all);
    }
    snprintf(o.detail + len, sizeof o.detail - len, "; asked for %s",
             claim->least > MOST ? "90 %" : "more than half");
    work_claim(work, &o);
}

static double
row_mean(const struct sepx_theory_grid *grid, size_t row)
{
    double sum = 0;

    for (size_t i = 0; i < grid->plan.x.count; i++)
        sum += grid->difference[row * grid->plan.x.count + i];
    return sum / (double)grid->plan.x.count;
}

/* "Best trade-off" is read as the largest sum of both agents' means. */
static void
test_rate(struct work *work, const struct atlas *atlas)
{
    const struct sepx_theory_grid *rlu = find(atlas, "rlu-nb101");
    const struct sepx_theory_grid *rlo = find(atlas, "rlo-nb101");
    struct outcome o = {
        .id = "ei-rate", .test = "sum of both means", .p = NAN, .effect = NAN};
    const double *rate = rlu ? rlu->plan.y.at : NULL;
    size_t best = 0, alone = 0;

    if (!rlu || !rlo)
        return;
    for (size_t i = 0; i < rlu->plan.y.count; i++) {
        if (row_mean(rlu, i) + row_mean(rlo, i) >
            row_mean(rlu, best) + row_mean(rlo, best))
            best = i;
        if (row_mean(rlu, i) > row_mean(rlu, alone))
            alone = i;
    }
    /* Exact sums: another rate has the larger one, or none has. */
    o.verdict = rate[best] == 0.1 ? HOLDS : REVERSED;
    o.n = rlu->plan.x.count * rlu->plan.y.count;
    snprintf(o.detail, sizeof o.detail,
             "the sum of the means of both agents is largest at %g; the mean "
             "of the unbiased one alone at %g",
             rate[best], rate[alone]);
    work_claim(work, &o);
}

static void
test_oracle(struct work *work, const struct atlas *atlas)
{
    const struct sepx_theory_grid *grid = find(atlas, "rlo-muta-nb101");
    struct outcome o = {
        .id = "ei-rlo-muta", .test = "exact count of cells", .p = NAN};
    struct cells cells;

    if (!grid)
        return;
    cells = count_cells(grid);
    o.verdict = cells.above && cells.below ? HOLDS : MISSED;
    o.effect = (double)cells.above / (double)cells.all;
    o.n = cells.all;
    snprintf(o.detail, sizeof o.detail, "better in %zu, worse in %zu of %zu",
             cells.above, cells.below, cells.all);
    work_claim(work, &o);
}

static void
test_claims(struct work *work, const struct atlas *atlas)
{
    for (size_t i = 0; i < sizeof count_claims / sizeof count_claims[0]; i++)
        test_count(work, atlas, &count_claims[i]);
    test_rate(work, atlas);
    test_oracle(work, atlas);
}

/* ---- maps ---- */

struct picture {
    const struct sepx_theory_grid *grid;
    double most;
};

static enum sepx_err
draw(struct sepx_text *script, const void *what, enum sepx_picture kind,
     struct sepx_msg *msg)
{
    const struct picture *p = what;

    return sepx_theory_grid_draw(script, p->grid, p->most, kind, msg);
}

/* Of the same axes and the same first bound. */
static bool
compared(const struct sepx_theory_plan *a, const struct sepx_theory_plan *b)
{
    return a->a == b->a && a->x.field == b->x.field &&
           a->y.field == b->y.field && a->x.count == b->x.count &&
           a->y.count == b->y.count;
}

/* The largest magnitude of all maps that are compared with this one. */
static double
shared_most(const struct atlas *atlas, const struct sepx_theory_grid *grid)
{
    double most = 0;

    for (size_t k = 0; k < atlas->count; k++) {
        const struct sepx_theory_grid *other = &atlas->grid[k];

        if (!other->difference || !compared(&other->plan, &grid->plan))
            continue;
        for (size_t i = 0; i < other->plan.x.count * other->plan.y.count; i++)
            if (isfinite(other->difference[i]))
                most = fmax(most, fabs(other->difference[i]));
    }
    return most;
}

static int
make_map(struct work *work, const struct atlas *atlas, size_t index)
{
    const struct sepx_theory_figure *figure = &atlas->figure[index];
    const struct sepx_theory_grid *grid = &atlas->grid[index];
    struct picture picture = {grid, shared_most(atlas, grid)};

    char made[256], file[128], title[192], see[320];
    struct figure f = {.name = figure->name,
                       .title = title,
                       .see = see,
                       .made = made,
                       .differs = "Exact sums in place of 10^6 Monte Carlo "
                                  "trials; the row d_12 = 0 is computed."};
    struct sepx_text csv = {0};
    struct cells cells = count_cells(grid);
    enum sepx_err err = sepx_theory_grid_write_csv(&csv, grid);
    int status;

    snprintf(title, sizeof title, "Expected improvement: %s", figure->about);
    snprintf(see, sizeof see,
             "Blue: %s; orange: %s. Above 0 in %zu, below in %zu of the %zu "
             "cells with something to gain. Maps with the same first bound "
             "and axes share their scale.",
             grid->plan.b ? "the first bound is larger" : "above 0",
             grid->plan.b ? "the second" : "below", cells.above, cells.below,
             cells.all);
    snprintf(made, sizeof made, "sepx theory --figure %s -o map.svg",
             figure->name);
    snprintf(file, sizeof file, "%s.csv", figure->name);
    status = err ? cli_fail("reproduce", err, NULL)
                 : work_write(work, file, &csv, true);
    if (!status)
        status = work_plot(work, &f, draw, &picture);
    sepx_text_release(&csv);
    return status;
}

static bool
has_error(const struct sepx_theory_figure *figure)
{
    return strstr(figure->name, "-eps");
}

int
make_maps(struct work *work)
{
    struct atlas atlas;
    struct sepx_theory_grid grid[FIGURES_MAX];
    bool errors = work->item->data; /* those with errors of the distance */
    size_t all = 0, made = 0;
    int status = CLI_DONE;

    memset(grid, 0, sizeof grid);
    atlas.figure = sepx_theory_figures(&atlas.count);
    atlas.grid = grid;
    for (size_t i = 0; i < atlas.count && i < FIGURES_MAX && !status; i++) {
        struct sepx_msg msg = {0};
        enum sepx_err err;

        if (has_error(&atlas.figure[i]) != errors)
            continue;
        all++;
        err = sepx_theory_grid_fill(&grid[i], &atlas.figure[i].plan, &msg);
        status = err ? cli_fail("reproduce", err, &msg) : CLI_DONE;
    }
    for (size_t i = 0; i < atlas.count && i < FIGURES_MAX && !status; i++) {
        if (has_error(&atlas.figure[i]) != errors)
            continue;
        status = make_map(work, &atlas, i);
        if (!work_progress(work, (double)++made / (double)all))
            status = CLI_STOPPED;
    }
    if (!status)
        test_claims(work, &atlas);
    for (size_t i = 0; i < FIGURES_MAX; i++)
        sepx_theory_grid_release(&grid[i]);
    return status;
}
