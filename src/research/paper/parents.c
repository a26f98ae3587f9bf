/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which parents do crossovers meet, and what does the theory say of them?
 * Regularized evolution with SEP crossover under the paper's rules; every
 * attempt counts, with or without a child.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/experiment.h"
#include "paper.h"

enum { SIDE_MOST = 24 };

static const struct experiment_settings spaces[] = {
    {.space = "nb101", .eval = "target:optimum", .rules = "paper"},
    {.space = "nbnlp", .eval = "target:gru", .rules = "paper"},
};

/* What has been met: distances with parent 1 and edges, each counted. */
struct met {
    struct experiment_settings settings;
    struct experiment x;
    struct work *work;
    struct sepx_events pairs;    /* as they are */
    struct sepx_events distance; /* (d_opt, d_12) */
    struct sepx_events edges;    /* of parent 1 and parent 2 */
    struct sepx_assessment verdict;
};

/* ---- running ---- */

static bool
progress(void *context, uint64_t done, uint64_t total)
{
    struct met *met = context;

    return work_progress(met->work, 0.95 * (double)done / (double)total);
}

static void
crossed(void *context, uint32_t run, const struct sepx_graph *first,
        const struct sepx_graph *second, bool accepted)
{
    struct met *met = context;

    (void)accepted;
    frequencies_note(met->x.frequencies, run, first, second);
}

static enum sepx_err
count(struct met *met, const struct sepx_runs *runs)
{
    struct sepx_theory at = {.n = 1};
    enum sepx_err err = frequencies_sum(&met->pairs, &met->x, 0, runs);

    if (!err)
        err = frequencies_cells(&met->distance, &met->pairs, false);
    if (!err)
        err = frequencies_cells(&met->edges, &met->pairs, true);
    if (!err)
        err = sepx_events_assess(&met->verdict, &met->pairs, &at, NULL);
    return err;
}

static int
search(struct met *met, const struct sepx_method *method)
{
    struct sepx_run_plan plan = {
        .method = method,
        .eval = met->x.eval,
        .seed = met->settings.seed,
        .runs = (uint32_t)met->settings.runs,
        .evals = (uint32_t)met->settings.evals,
        .threads = (unsigned)met->settings.threads,
        .progress = progress,
        .crossed = crossed,
        .context = met,
    };
    struct sepx_runs runs = {0};
    enum sepx_err err = sepx_runs_make(&runs, &plan);
    int status = err == SEPX_ESTOPPED ? CLI_STOPPED : CLI_DONE;

    if (!err)
        err = count(met, &runs);
    if (err && !status)
        status = cli_fail("reproduce", err, NULL);
    sepx_runs_release(&runs);
    return status;
}

static int
meet(struct met *met)
{
    struct sepx_method *method = NULL;
    int status = experiment_open(&met->x, "reproduce", &met->settings);

    if (!status)
        status = frequencies_open(&met->x);
    if (!status)
        status = experiment_method(&met->x, &method, "sep");
    if (!status)
        status = search(met, method);
    sepx_method_free(method);
    return status;
}

/* ---- rows ---- */

static int
write_rows(const struct met *met)
{
    const struct sepx_events *const kinds[] = {&met->distance, &met->edges};
    static const char *const names[] = {"distance", "edges"};
    struct out out = {0};
    int status;

    out_print(&out, "kind,x,y,count\n");
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < kinds[k]->count; i++)
            out_print(&out, "%s,%u,%u,%llu\n", names[k], kinds[k]->at[i].d_opt,
                      kinds[k]->at[i].d_12,
                      (unsigned long long)kinds[k]->at[i].count);
    status = out.err
                 ? cli_fail("reproduce", out.err, NULL)
                 : work_write(met->work, "frequencies.csv", &out.text, true);
    out_release(&out);
    return status;
}

/* The same as the bounds see it: cells where SEPX is above MUTA or not. */
static int
write_regions(const struct met *met)
{
    const struct sepx_assessment *v = &met->verdict;
    struct out out = {0};
    int status;

    out_print(&out, "region,count\n");
    out_print(&out, "pairs,%llu\n", (unsigned long long)v->pairs);
    out_print(&out, "solved,%llu\n", (unsigned long long)v->solved);
    out_print(&out, "equal,%llu\n", (unsigned long long)v->equal);
    out_print(&out, "ahead,%llu\n", (unsigned long long)v->ahead);
    status = out.err ? cli_fail("reproduce", out.err, NULL)
                     : work_write(met->work, "regions.csv", &out.text, true);
    out_release(&out);
    return status;
}

/* ---- maps ---- */

struct map {
    struct sepx_heatmap heat;
    char tick[2][SIDE_MOST][8];
    const char *ticks[2][SIDE_MOST];
    double value[SIDE_MOST * SIDE_MOST];
};

static uint32_t
least(const struct sepx_events *cells, bool second)
{
    uint32_t low = UINT32_MAX;

    for (size_t i = 0; i < cells->count; i++) {
        uint32_t at = second ? cells->at[i].d_12 : cells->at[i].d_opt;

        low = at < low ? at : low;
    }
    return cells->count ? low : 0;
}

static uint32_t
most(const struct sepx_events *cells, bool second)
{
    uint32_t high = 0;

    for (size_t i = 0; i < cells->count; i++) {
        uint32_t at = second ? cells->at[i].d_12 : cells->at[i].d_opt;

        high = at > high ? at : high;
    }
    return high;
}

static size_t
make_ticks(struct map *map, int axis, uint32_t low, uint32_t high)
{
    size_t count = high - low + 1;

    count = count > SIDE_MOST ? SIDE_MOST : count;
    for (size_t i = 0; i < count; i++) {
        snprintf(map->tick[axis][i], sizeof map->tick[axis][i], "%u",
                 (low + (uint32_t)i) % 10000);
        map->ticks[axis][i] = map->tick[axis][i];
    }
    return count;
}

static void
fill_cells(struct map *map, const struct sepx_events *cells, uint32_t low,
           size_t side)
{
    double all = 0;

    for (size_t i = 0; i < cells->count; i++)
        all += (double)cells->at[i].count;
    for (size_t i = 0; i < side * side; i++)
        map->value[i] = NAN;
    for (size_t i = 0; i < cells->count; i++) {
        size_t column = cells->at[i].d_opt - low, row = cells->at[i].d_12 - low;

        if (column < side && row < side)
            map->value[row * side + column] =
                100 * (double)cells->at[i].count / all;
    }
    map->heat.columns = map->heat.rows = side;
    map->heat.x_tick = map->ticks[0];
    map->heat.y_tick = map->ticks[1];
    map->heat.value = map->value;
}

/*
 * Percent of all; cells that nobody met stay empty. Both axes are the same,
 * and reach from `low` to `high` at least.
 */
static void
fill(struct map *map, const struct sepx_events *cells, uint32_t low,
     uint32_t high)
{
    for (int i = 0; i < 2; i++) {
        low = least(cells, i) < low ? least(cells, i) : low;
        high = most(cells, i) > high ? most(cells, i) : high;
    }
    fill_cells(map, cells, low, make_ticks(map, 0, low, high));
    make_ticks(map, 1, low, high);
}

static enum sepx_err
draw(struct sepx_text *script, const void *map, enum sepx_picture kind,
     struct sepx_msg *msg)
{
    return sepx_heatmap_write(script, map, kind, msg);
}

static int
draw_map(const struct met *met, const struct sepx_events *cells,
         struct figure *figure, const char *const axes[2],
         const uint32_t range[2])
{
    struct map *map = calloc(1, sizeof *map);
    char subtitle[160];
    int status;

    if (!map)
        return cli_fail("reproduce", SEPX_ENOMEM, NULL);
    snprintf(subtitle, sizeof subtitle,
             "%s; %% of %llu crossover attempts in %u runs",
             met->settings.space, (unsigned long long)met->verdict.pairs,
             met->work->runs);
    map->heat.title = figure->title;
    map->heat.subtitle = subtitle;
    map->heat.root = true;
    map->heat.x_text = axes[0];
    map->heat.y_text = axes[1];
    fill(map, cells, range[0], range[1]);
    status = work_plot(met->work, figure, draw, &map->heat);
    free(map);
    return status;
}

static void
say_distances(char *text, size_t size, const struct met *met)
{
    const struct sepx_assessment *v = &met->verdict;
    double all = (double)v->pairs / 100;
    uint64_t below = v->pairs - v->solved - v->equal - v->ahead;

    snprintf(text, size,
             "Left column: nothing to gain, %.1f %%. Bottom row: equal "
             "parents, from which crossover gains nothing, %.1f %% more. Of "
             "all others the bound of SEP crossover is the larger one for "
             "%.1f %% of the pairs, not for %.1f %%. The axes are those of "
             "the maps of expected improvement; colours follow the square "
             "root of the share.",
             (double)v->solved / all, (double)v->equal / all,
             (double)v->ahead / all, (double)below / all);
}

static const struct sepx_event *
mode_of(const struct sepx_events *cells)
{
    const struct sepx_event *mode = NULL;

    for (size_t i = 0; i < cells->count; i++)
        if (!mode || cells->at[i].count > mode->count)
            mode = &cells->at[i];
    return mode;
}

static void
say_edges(char *text, size_t size, const struct met *met, uint32_t theory)
{
    const struct sepx_event *mode = mode_of(&met->edges);

    snprintf(text, size,
             "Most often the parents have %u and %u edges (%.1f %% of the "
             "pairs); the maps of expected improvement were computed for %u "
             "and %u. Colours follow the square root of the share.",
             mode->d_opt, mode->d_12,
             100 * (double)mode->count / (double)met->verdict.pairs, theory,
             theory);
}

static int
draw_maps(const struct met *met, bool nlp)
{
    static const char *const texts[][2] = {
        {"distance of parent 1 to the optimum, in edges",
         "distance of the parents"},
        {"edges of parent 1", "edges of parent 2"},
    };
    const uint32_t distances[2] = {0, nlp ? 20 : 10}, edges[2] = {99, 0};
    char made[256], see[2][480];
    struct figure figure[] = {
        {.name = "distances",
         .title = "Where the parents of crossovers lie",
         .see = see[0],
         .differs = "Shares in %. The axis has parent 1, as the paper's labels "
                    "say (its script plots parent 2); distances are exact.",
         .made = made},
        {.name = "edges",
         .title = "Edges of the parents of crossovers",
         .see = see[1],
         .differs = "Shares in %.",
         .made = made},
    };
    int status;

    say_distances(see[0], sizeof see[0], met);
    say_edges(see[1], sizeof see[1], met, nlp ? 11 : 9);
    snprintf(
        made, sizeof made,
        "sepx search --method sep --space %s --eval %s --rules paper --runs %u "
        "--evals %u --seed %llu --frequencies met.csv",
        met->settings.space, met->settings.eval, met->work->runs,
        met->work->evals, (unsigned long long)met->settings.seed);
    status = draw_map(met, &met->distance, &figure[0], texts[0], distances);
    if (!status)
        status = draw_map(met, &met->edges, &figure[1], texts[1], edges);
    return status;
}

/* ---- claims ---- */

static void
test_region(const struct met *met, const char *id)
{
    const struct sepx_assessment *v = &met->verdict;
    uint64_t decided = v->pairs - v->solved;
    double all = v->pairs ? (double)v->pairs / 100 : 1;
    struct outcome o = {
        .id = id,
        .verdict = decided && v->ahead == decided - v->equal ? HOLDS : MISSED,
        .test = "exact count of pairs",
        .p = NAN,
        .effect = decided ? (double)v->ahead / (double)decided : NAN,
        .n = (size_t)v->pairs,
    };

    snprintf(o.detail, sizeof o.detail,
             "solved (d_opt = 0) %.1f %%, equal parents (d_12 = 0) %.1f %%, "
             "SEP above mutation %.1f %%, below %.1f %%",
             (double)v->solved / all, (double)v->equal / all,
             (double)v->ahead / all,
             (double)(decided - v->equal - v->ahead) / all);
    work_claim(met->work, &o);
}

/* Whether the mode is within `reach` of (at, at). */
static void
test_mode(const struct met *met, const char *id, uint32_t at, uint32_t reach)
{
    const struct sepx_event *mode = mode_of(&met->edges);
    double all = 0;
    struct outcome o = {.id = id, .test = "mode of the counts", .p = NAN};

    for (size_t i = 0; i < met->edges.count; i++)
        all += (double)met->edges.at[i].count;
    if (!mode)
        return;
    o.verdict = mode->d_opt + reach >= at && mode->d_opt <= at + reach &&
                        mode->d_12 + reach >= at && mode->d_12 <= at + reach
                    ? HOLDS
                    : MISSED;
    o.effect = (double)mode->count / all;
    o.n = (size_t)all;
    snprintf(o.detail, sizeof o.detail,
             "mode at %u and %u edges, %.1f %% of the pairs; in the paper %u "
             "and %u%s",
             mode->d_opt, mode->d_12, 100 * o.effect, at, at,
             reach ? ", one more or less" : "");
    work_claim(met->work, &o);
}

/* The paper's table of times covers so many edits. */
static void
test_range(const struct met *met, const char *id, uint32_t edits)
{
    uint64_t near = 0, all = 0;
    struct outcome o = {.id = id, .test = "exact count of pairs", .p = NAN};

    for (size_t i = 0; i < met->distance.count; i++) {
        const struct sepx_event *cell = &met->distance.at[i];

        all += cell->count;
        near += cell->d_12 <= edits ? cell->count : 0;
    }
    o.effect = (double)near / (double)all;
    o.verdict = o.effect > 0.999 ? HOLDS : MISSED;
    o.n = (size_t)all;
    snprintf(o.detail, sizeof o.detail,
             "%llu of %llu pairs, %.2f %%, are at most %u edits of edges "
             "apart; asked for more than 99.9 %%",
             (unsigned long long)near, (unsigned long long)all, 100 * o.effect,
             edits);
    work_claim(met->work, &o);
}

int
make_frequencies(struct work *work)
{
    const bool *nlp = work->item->data;
    struct met met = {.settings = spaces[nlp ? 1 : 0], .work = work};
    int status;

    met.settings.x = experiment_axes[SEPX_AXIS_EVALS];
    met.settings.runs = work->runs;
    met.settings.evals = work->evals;
    met.settings.seed = (uint64_t)work->paper->settings->seed;
    met.settings.threads = work->paper->settings->threads;
    status = meet(&met);
    if (!status)
        status = write_rows(&met);
    if (!status)
        status = write_regions(&met);
    if (!status && met.verdict.pairs)
        status = draw_maps(&met, nlp);
    if (!status && met.verdict.pairs) {
        test_region(&met, nlp ? "freq-nbnlp" : "freq-nb101");
        test_mode(&met, nlp ? "freq-nbnlp-edges" : "freq-nb101-edges",
                  nlp ? 11 : 9, nlp ? 1 : 0);
        test_range(&met, nlp ? "freq-nbnlp-range" : "freq-nb101-range",
                   nlp ? 13 : 7);
    }
    sepx_events_release(&met.pairs);
    sepx_events_release(&met.distance);
    sepx_events_release(&met.edges);
    experiment_close(&met.x);
    return status;
}
