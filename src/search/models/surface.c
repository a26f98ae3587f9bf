/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores are replaced by the normal scores of their ranks: the model then
 * does not care about their scale, and a few terrible ones do no harm.
 *
 * Distances are exact where the budget of the rule `align` allows; else the
 * length of the best path found counts, and what is not proven of it makes a
 * row noisier (blur).
 */
#include "search/models/surface.h"

#include <math.h>
#include <string.h>

#define CHOICE_MOST 150   /* rows that the kernel is chosen by */
#define CHOICE_GROWTH 1.3 /* of the scored rows, before it is chosen again */

/* ---- life ---- */

enum sepx_err
sepx__surface_init(struct sepx__surface *surface,
                   const struct sepx_space *space, uint32_t keep,
                   uint64_t align)
{
    struct sepx_ged_options options = {.rough = true};
    size_t square = (size_t)keep * keep;

    *surface =
        (struct sepx__surface){.space = space, .keep = keep, .align = align};
    options.pinned = sepx_space_pinned(space, &options.n_pinned);
    surface->row = sepx__calloc(keep, sizeof *surface->row);
    surface->distance = sepx__calloc(square, sizeof *surface->distance);
    surface->gap = sepx__calloc(square, sizeof *surface->gap);
    surface->near = sepx__calloc(keep, sizeof *surface->near);
    surface->near_gap = sepx__calloc(keep, sizeof *surface->near_gap);
    surface->order = sepx__calloc(keep, sizeof *surface->order);
    surface->best = sepx__calloc(keep, sizeof *surface->best);
    surface->y = sepx__calloc(keep, sizeof *surface->y);
    surface->scores = sepx__calloc(keep, sizeof *surface->scores);
    surface->blur = sepx__calloc(keep, sizeof *surface->blur);
    if (!surface->row || !surface->distance || !surface->gap ||
        !surface->near || !surface->near_gap || !surface->order ||
        !surface->best || !surface->y || !surface->scores || !surface->blur)
        return SEPX_ENOMEM;
    surface->pruned.names = sepx_space_names(space);
    return sepx_ged_new(&surface->ged, &options);
}

void
sepx__surface_release(struct sepx__surface *surface)
{
    for (uint32_t i = 0; surface->row && i < surface->keep; i++) {
        sepx_graph_release(&surface->row[i].graph);
        sepx_ged_graph_free(surface->row[i].ready);
    }
    sepx__free(surface->row);
    sepx__free(surface->distance);
    sepx__free(surface->gap);
    sepx__free(surface->near);
    sepx__free(surface->near_gap);
    sepx__free(surface->order);
    sepx__free(surface->best);
    sepx__free(surface->y);
    sepx__free(surface->scores);
    sepx__free(surface->blur);
    sepx__gauss_release(&surface->gauss);
    sepx_graph_release(&surface->pruned);
    sepx_ged_free(surface->ged);
    *surface = (struct sepx__surface){0};
}

/* ---- distances ---- */

static bool
go_on(void *context, double lower, double upper)
{
    (void)lower;
    (void)upper;
    return !sepx_space_stopped(context);
}

/* As for the crossovers: a tree node of n graph nodes costs about n * n. */
static uint64_t
node_limit(const struct sepx__surface *surface, uint64_t n)
{
    const uint64_t most = 64;

    return n < most ? surface->align * most * most / (n * n + !n)
                    : surface->align;
}

static enum sepx_err
measure(struct sepx__surface *surface, uint16_t *distance, uint16_t *gap,
        const struct sepx_ged_graph *a, const struct sepx_ged_graph *b,
        uint64_t nodes)
{
    const struct sepx_ged_limits limits = {
        .nodes = node_limit(surface, nodes),
        .watch = go_on,
        .context = (void *)(uintptr_t)surface->space};
    struct sepx_ged_result result;
    enum sepx_err err = sepx_ged_run(surface->ged, &result, a, b, &limits);

    if (err)
        return err;
    if (result.stopped)
        return SEPX_ESTOPPED;
    *distance = (uint16_t)fmin(result.upper, UINT16_MAX);
    *gap = (uint16_t)fmin(result.upper - result.lower, UINT16_MAX);
    return SEPX_OK;
}

/* Into `near`, from a graph without its dead nodes. */
static enum sepx_err
measure_all(struct sepx__surface *surface, const struct sepx_ged_graph *ready)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < surface->count && !err; i++) {
        const struct sepx__surface_row *row = &surface->row[i];
        uint32_t n = surface->pruned.n_nodes > row->graph.n_nodes
                         ? surface->pruned.n_nodes
                         : row->graph.n_nodes;

        err = measure(surface, &surface->near[i], &surface->near_gap[i], ready,
                      row->ready, n);
    }
    return err;
}

static enum sepx_err
prepare(struct sepx__surface *surface, struct sepx_ged_graph **ready,
        const struct sepx_graph *graph)
{
    enum sepx_err err =
        sepx_space_prune(surface->space, &surface->pruned, graph);

    *ready = NULL;
    return err ? err : sepx_ged_prepare(surface->ged, ready, &surface->pruned);
}

/* ---- rows ---- */

static struct sepx__surface_row *
find(const struct sepx__surface *surface, uint64_t number)
{
    for (uint32_t i = 0; i < surface->count; i++) {
        if (surface->row[i].number == number)
            return &surface->row[i];
    }
    return NULL;
}

/* a before b: the lower score, then the earlier; none comes last. */
static bool
precedes(const struct sepx__surface_row *a, const struct sepx__surface_row *b)
{
    if (isnan(a->score) || isnan(b->score))
        return !isnan(a->score);
    return a->score < b->score || (a->score == b->score && a->since < b->since);
}

/* surface->order: the scored rows, ascending. */
static void
sort_rows(struct sepx__surface *surface)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < surface->count; i++) {
        uint32_t at = n;

        if (isnan(surface->row[i].score))
            continue;
        while (at && precedes(&surface->row[i],
                              &surface->row[surface->order[at - 1]]))
            at--;
        memmove(surface->order + at + 1, surface->order + at,
                (n - at) * sizeof *surface->order);
        surface->order[at] = i;
        n++;
    }
    surface->scored = n;
}

/*
 * The oldest row with a score outside of the better half; the worst if there
 * is none, and the first row if none has a score.
 */
static uint32_t
pick_victim(struct sepx__surface *surface)
{
    uint32_t victim = 0;
    uint64_t oldest = UINT64_MAX;

    sort_rows(surface);
    if (surface->scored)
        victim = surface->order[surface->scored - 1];
    for (uint32_t i = surface->keep / 2; i < surface->scored; i++) {
        uint32_t row = surface->order[i];

        if (surface->row[row].since < oldest) {
            oldest = surface->row[row].since;
            victim = row;
        }
    }
    return victim;
}

static void
store_distances(struct sepx__surface *surface, uint32_t at)
{
    size_t keep = surface->keep;

    surface->near[at] = surface->near_gap[at] = 0;
    for (uint32_t i = 0; i < surface->count; i++) {
        surface->distance[at * keep + i] = surface->distance[i * keep + at] =
            surface->near[i];
        surface->gap[at * keep + i] = surface->gap[i * keep + at] =
            surface->near_gap[i];
    }
}

static enum sepx_err
add(struct sepx__surface *surface, struct sepx__surface_row **added,
    const struct sepx_graph *graph)
{
    struct sepx_ged_graph *ready;
    uint32_t at = surface->count;
    struct sepx__surface_row *row;
    enum sepx_err err = prepare(surface, &ready, graph);

    if (!err)
        err = measure_all(surface, ready);
    if (at == surface->keep)
        at = pick_victim(surface);
    row = &surface->row[at];
    row->graph.names = sepx_space_names(surface->space);
    if (!err)
        err = sepx_graph_copy(&row->graph, graph);
    if (err) {
        sepx_ged_graph_free(ready);
        return err;
    }
    sepx_ged_graph_free(row->ready);
    row->ready = ready;
    surface->count += at == surface->count;
    store_distances(surface, at);
    *added = row;
    return SEPX_OK;
}

enum sepx_err
sepx__surface_tell(struct sepx__surface *surface, uint64_t number,
                   const struct sepx_graph *graph, uint32_t trial, double score,
                   uint32_t count)
{
    struct sepx__surface_row *row = find(surface, number);
    double guess = 0;
    enum sepx_err err = SEPX_OK;

    if (!row && isnan(score) && sepx__surface_ready(surface)) {
        err = sepx__surface_fit(surface);
        if (!err)
            err = sepx__surface_ask(surface, &guess, NULL, graph);
    }
    if (!err && !row) {
        err = add(surface, &row, graph);
        if (err)
            return err;
        row->number = number;
        row->since = surface->clock++;
        row->trial = trial;
        row->guess = guess;
        row->score = NAN;
        row->count = 0;
    }
    if (err)
        return err;
    if (count) {
        row->score = score;
        row->count = count;
    }
    surface->stale = true;
    return SEPX_OK;
}

/* The last row takes its place. */
void
sepx__surface_drop(struct sepx__surface *surface, uint64_t number)
{
    struct sepx__surface_row *row = find(surface, number), spare;
    uint32_t at, last;

    if (!row || row->count)
        return;
    at = (uint32_t)(row - surface->row);
    last = --surface->count;
    spare = *row;
    *row = surface->row[last];
    surface->row[last] = spare;
    for (uint32_t i = 0; i < last; i++) {
        surface->near[i] = surface->distance[last * surface->keep + i];
        surface->near_gap[i] = surface->gap[last * surface->keep + i];
    }
    if (at < last)
        store_distances(surface, at);
    surface->stale = true;
}

/* ---- the fit ---- */

bool
sepx__surface_ready(const struct sepx__surface *surface)
{
    double first = NAN;

    for (uint32_t i = 0; i < surface->count; i++) {
        double score = surface->row[i].score;

        if (isnan(first))
            first = score;
        else if (!isnan(score) && score != first)
            return true;
    }
    return false;
}

/* Equal scores share the mean of their ranks. */
static void
rank(struct sepx__surface *surface)
{
    uint32_t n, last;

    sort_rows(surface);
    n = surface->scored;
    for (uint32_t i = 0; i < n; i = last) {
        double score = surface->row[surface->order[i]].score, y;

        last = i + 1;
        while (last < n && surface->row[surface->order[last]].score == score)
            last++;
        y = sepx__normal_quantile(0.5 * (i + last) / n);
        for (uint32_t k = i; k < last; k++)
            surface->y[surface->order[k]] = y;
    }
    for (uint32_t i = 0; i < surface->count; i++) {
        const struct sepx__surface_row *row = &surface->row[i];

        if (!row->count)
            surface->y[i] = row->guess;
        surface->scores[i] = row->count ? row->count : 1;
    }
}

/* How much correlation the gaps of each row lose, on average. */
static void
find_blur(struct sepx__surface *surface)
{
    for (uint32_t i = 0; i < surface->count; i++) {
        const uint16_t *gap = surface->gap + (size_t)i * surface->keep;
        double sum = 0;

        for (uint32_t k = 0; k < surface->count; k++) {
            if (gap[k])
                sum += 1 - sepx__gauss_kernel(&surface->gauss.kernel, gap[k]);
        }
        surface->blur[i] = sum / surface->count;
    }
}

static void
smooth(struct sepx__surface *surface)
{
    double noise = sepx__gauss_noise(&surface->gauss.kernel);

    for (uint32_t i = 0; i < surface->count; i++) {
        struct sepx__surface_row *row = &surface->row[i];
        double own = noise / surface->scores[i] +
                     (1 - noise) * surface->blur[i] + surface->gauss.jitter;
        uint32_t at = i;

        row->smooth = surface->y[i] - own * surface->gauss.weight[i];
        while (at && row->smooth < surface->row[surface->best[at - 1]].smooth)
            at--;
        memmove(surface->best + at + 1, surface->best + at,
                (i - at) * sizeof *surface->best);
        surface->best[at] = i;
    }
}

enum sepx_err
sepx__surface_fit(struct sepx__surface *surface)
{
    struct sepx__gauss_data data = {.distance = surface->distance,
                                    .stride = surface->keep,
                                    .y = surface->y,
                                    .scores = surface->scores,
                                    .blur = surface->blur,
                                    .count = surface->count};
    struct sepx__gauss_kernel kernel;
    enum sepx_err err = SEPX_OK;

    if (!surface->stale)
        return SEPX_OK;
    rank(surface);
    find_blur(surface);
    if (surface->scored >= CHOICE_GROWTH * surface->chosen) {
        if (data.count > CHOICE_MOST)
            data.count = CHOICE_MOST;
        err = sepx__gauss_choose(&surface->gauss, &data);
        data.count = surface->count;
        surface->chosen = surface->scored;
        find_blur(surface);
    }
    kernel = surface->gauss.kernel;
    if (!err)
        err = sepx__gauss_fit(&surface->gauss, &data, &kernel);
    if (err)
        return err;
    smooth(surface);
    surface->stale = false;
    return SEPX_OK;
}

/* ---- questions ---- */

enum sepx_err
sepx__surface_ask(struct sepx__surface *surface, double *mean,
                  double *deviation, const struct sepx_graph *graph)
{
    struct sepx_ged_graph *ready;
    double variance;
    enum sepx_err err = prepare(surface, &ready, graph);

    if (!err)
        err = measure_all(surface, ready);
    sepx_ged_graph_free(ready);
    if (err)
        return err;
    sepx__gauss_predict(&surface->gauss, mean, deviation ? &variance : NULL,
                        surface->near);
    if (deviation)
        *deviation = sqrt(variance);
    return SEPX_OK;
}

double
sepx__surface_score(const struct sepx__surface *surface, double normal)
{
    const uint32_t *order = surface->order;
    uint32_t n = surface->scored, high = 1, low;
    double y0, y1, s0, s1;

    while (high < n - 1 && surface->y[order[high]] < normal)
        high++;
    low = high - 1;
    while (low && surface->y[order[low]] == surface->y[order[high]])
        low--;
    while (high < n - 1 && surface->y[order[low]] == surface->y[order[high]])
        high++;
    y0 = surface->y[order[low]];
    y1 = surface->y[order[high]];
    s0 = surface->row[order[low]].score;
    s1 = surface->row[order[high]].score;
    return y1 > y0 ? s0 + (s1 - s0) * (normal - y0) / (y1 - y0) : s0;
}
