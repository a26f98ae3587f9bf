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

static void
judge_count(struct work *work, const struct atlas *atlas,
            const struct count_claim *claim)
{
    struct outcome o = {.id = claim->id,
                        .holds = true,
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
        o.holds = o.holds && (claim->least > MOST ? share >= claim->least
                                                  : share > claim->least);
        len += (size_t)snprintf(o.detail + len, sizeof o.detail - len,
                                "%s%s: %zu of %zu cells", i ? "; " : "",
                                claim->map[i], good, cells.all);
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
judge_rate(struct work *work, const struct atlas *atlas)
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
    o.holds = rate[best] == 0.1;
    o.n = rlu->plan.x.count * rlu->plan.y.count;
    snprintf(o.detail, sizeof o.detail,
             "mean of RLU plus mean of RLO is largest at %g; that of RLU alone "
             "at %g",
             rate[best], rate[alone]);
    work_claim(work, &o);
}

static void
judge_oracle(struct work *work, const struct atlas *atlas)
{
    const struct sepx_theory_grid *grid = find(atlas, "rlo-muta-nb101");
    struct outcome o = {
        .id = "ei-rlo-muta", .test = "exact count of cells", .p = NAN};
    struct cells cells;

    if (!grid)
        return;
    cells = count_cells(grid);
    o.holds = cells.above && cells.below;
    o.effect = (double)cells.above / (double)cells.all;
    o.n = cells.all;
    snprintf(o.detail, sizeof o.detail, "better in %zu, worse in %zu of %zu",
             cells.above, cells.below, cells.all);
    work_claim(work, &o);
}

static void
judge(struct work *work, const struct atlas *atlas)
{
    for (size_t i = 0; i < sizeof count_claims / sizeof count_claims[0]; i++)
        judge_count(work, atlas, &count_claims[i]);
    judge_rate(work, atlas);
    judge_oracle(work, atlas);
}

/* ---- maps ---- */

static enum sepx_err
draw(struct sepx_text *script, const void *grid, enum sepx_picture kind,
     struct sepx_msg *msg)
{
    return sepx_theory_grid_draw(script, grid, kind, msg);
}

static int
make_map(struct work *work, const struct sepx_theory_figure *figure,
         struct sepx_theory_grid *grid)
{
    char made[256], file[128], title[192], see[256];
    struct figure f = {.name = figure->name,
                       .title = title,
                       .see = see,
                       .made = made,
                       .differs = "Exact sums in place of 10^6 Monte Carlo "
                                  "trials; the row d_12 = 0 is computed."};
    struct sepx_text csv = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_theory_grid_fill(grid, &figure->plan, &msg);
    struct cells cells = {0};
    int status;

    if (!err)
        cells = count_cells(grid);
    snprintf(title, sizeof title, "Expected improvement: %s", figure->about);
    snprintf(see, sizeof see,
             "Orange: the first bound is larger; blue: the second. Above 0 in "
             "%zu, below in %zu of the %zu cells with something to gain.",
             cells.above, cells.below, cells.all);
    snprintf(made, sizeof made, "sepx theory --figure %s -o map.svg",
             figure->name);
    snprintf(file, sizeof file, "%s.csv", figure->name);
    if (!err)
        err = sepx_theory_grid_write_csv(&csv, grid);
    status = err ? cli_fail("reproduce", err, &msg)
                 : work_write(work, file, &csv, true);
    if (!status)
        status = work_plot(work, &f, draw, grid);
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
    for (size_t i = 0; i < atlas.count; i++)
        all += has_error(&atlas.figure[i]) == errors;
    for (size_t i = 0; i < atlas.count && i < FIGURES_MAX && !status; i++) {
        if (has_error(&atlas.figure[i]) != errors)
            continue;
        status = make_map(work, &atlas.figure[i], &grid[i]);
        if (!work_progress(work, (double)++made / (double)all))
            status = CLI_STOPPED;
    }
    if (!status)
        judge(work, &atlas);
    for (size_t i = 0; i < FIGURES_MAX; i++)
        sepx_theory_grid_release(&grid[i]);
    return status;
}
