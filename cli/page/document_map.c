/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distances between trials, from which the page draws a map: the best and
 * some of the others, as many as take seconds. The answer is kept until the
 * study has grown by a tenth. Others may read the page meanwhile.
 */
#include "page/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS_MOST = 400 };

#define SECONDS 3.0
/* Of the search tree of one distance: exact for cells, bounds above. */
#define GED_NODES 20000

/* How many graphs are tried, until one takes less than SECONDS. */
static const size_t sizes[] = {GRAPHS_MOST, 160, 80, 30, 0};

/* The better half of what is wanted, then others at even steps of the rank. */
static size_t
choose(uint32_t *chosen, const uint32_t *rank, size_t count, size_t most)
{
    const size_t half = most / 2;
    size_t n = 0;

    if (count <= most) {
        memcpy(chosen, rank, count * sizeof *rank);
        return count;
    }
    for (; n < half; n++)
        chosen[n] = rank[n];
    for (; n < most; n++)
        chosen[n] = rank[half + (n - half) * (count - half) / (most - half)];
    return n;
}

/* How long all distances may take, and who else may end them. */
struct patience {
    double end;
    const struct family *family;
};

static bool
go_on(void *context, double lower, double upper)
{
    const struct patience *patience = context;
    const struct family *family = patience->family;

    if (interrupt_seen() || sepx_clock() >= patience->end)
        return false;
    return !family->watch || family->watch(family->context, lower, upper);
}

static bool
in_time(void *context, size_t done, size_t total)
{
    (void)done, (void)total;
    return go_on(context, 0, INFINITY);
}

/* What a map is made from, apart from the study. */
struct chart {
    uint32_t chosen[GRAPHS_MOST];
    struct sepx_graph graph[GRAPHS_MOST];
    size_t count;
    struct sepx_ged_bounds *bounds;
};

static void
chart_clear(struct chart *chart)
{
    for (size_t i = 0; i < GRAPHS_MOST; i++)
        sepx_graph_release(&chart->graph[i]);
    chart->count = 0;
}

static enum sepx_err
fetch_all(struct page_study *study, struct chart *chart, struct sepx_msg *msg)
{
    struct family *family = &study->family;
    enum sepx_err err = SEPX_OK;

    family_clear(family);
    for (size_t i = 0; i < chart->count && !err; i++)
        err = family_fetch(family, chart->chosen[i], msg);
    for (size_t i = 0; i < chart->count && !err; i++)
        err = sepx_graph_copy(&chart->graph[i], &family->person[i].graph);
    family_clear(family);
    return err;
}

/* The lock is not held. SEPX_ESTOPPED if it takes too long. */
static enum sepx_err
measure_all(const struct family *family, struct chart *chart)
{
    struct patience patience = {sepx_clock() + SECONDS, family};
    const struct sepx_ged_limits limits = {
        .nodes = GED_NODES, .watch = go_on, .context = &patience};
    struct sepx_ged_options options = {0};

    options.pinned = sepx_space_pinned(family->space, &options.n_pinned);
    return sepx_ged_matrix(&options, chart->bounds, chart->graph, chart->count,
                           &limits, 0, in_time, &patience);
}

static void
put_chosen(struct sepx_json_writer *w, const struct page_study *study,
           const uint32_t *chosen, size_t count)
{
    page_open_list(w, "trials");
    for (size_t i = 0; i < count; i++)
        sepx_json_put_integer(w, chosen[i]);
    sepx_json_close(w, ']');
    page_open_list(w, "values");
    for (size_t i = 0; i < count; i++)
        sepx_json_put_number(w, study->trial[chosen[i]].value);
    sepx_json_close(w, ']');
}

/* Row by row, what is right of the diagonal. */
static void
put_distances(struct sepx_json_writer *w, const struct sepx_ged_bounds *bounds,
              size_t count)
{
    size_t open = 0;

    page_open_list(w, "distances");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const struct sepx_ged_bounds *b = &bounds[i * count + j];

            open += b->lower < b->upper;
            sepx_json_put_number(w, b->upper);
        }
    }
    sepx_json_close(w, ']');
    page_put_count(w, "open", (int64_t)open);
}

/* Fewer and fewer graphs, until all of their distances are known in time. */
static enum sepx_err
measure_some(struct page *page, struct page_study *study, struct chart *chart,
             const uint32_t *rank, size_t count, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (int k = 0; sizes[k]; k++) {
        chart_clear(chart);
        chart->count = choose(chart->chosen, rank, count, sizes[k]);
        err = fetch_all(study, chart, msg);
        if (err)
            return err;
        pthread_mutex_unlock(&page->lock);
        err = measure_all(&study->family, chart);
        pthread_mutex_lock(&page->lock);
        if (err != SEPX_ESTOPPED || interrupt_seen())
            return err;
    }
    chart_clear(chart);
    return SEPX_OK;
}

static enum sepx_err
put_map(struct page *page, struct page_study *study, struct sepx_json_writer *w,
        struct sepx_msg *msg)
{
    struct chart *chart = calloc(1, sizeof *chart);
    uint32_t *rank = NULL;
    size_t count = 0;
    enum sepx_err err = page_rank(study, &rank, &count);

    if (!err && chart)
        chart->bounds =
            malloc((size_t)GRAPHS_MOST * GRAPHS_MOST * sizeof *chart->bounds);
    if (!err && !(chart && chart->bounds))
        err = SEPX_ENOMEM;
    if (!err)
        err = measure_some(page, study, chart, rank, count, msg);
    if (!err) {
        sepx_json_open(w, '{');
        page_put_count(w, "told", (int64_t)study->map_told);
        page_put_count(w, "scored", (int64_t)count);
        put_chosen(w, study, chart->chosen, chart->count);
        put_distances(w, chart->bounds, chart->count);
        sepx_json_close(w, '}');
    }
    if (chart) {
        chart_clear(chart);
        free(chart->bounds);
    }
    free(chart);
    free(rank);
    return err;
}

enum sepx_err
page_write_map(struct page *page, struct page_study *study,
               struct sepx_json_writer *w, const struct page_query *query,
               struct sepx_msg *msg)
{
    struct sepx_json_writer own;
    struct sepx_text text = {0};
    enum sepx_err err = SEPX_OK;

    (void)query;
    while (study->mapping)
        pthread_cond_wait(&page->changed, &page->lock);
    if (!study->map.len || study->told > study->map_told * 11 / 10) {
        study->mapping = true;
        study->map_told = study->told;
        sepx_json_begin(&own, &text);
        err = put_map(page, study, &own, msg);
        if (!err)
            err = sepx_json_done(&own);
        sepx_text_release(&study->map);
        study->map = text;
        study->mapping = false;
        pthread_cond_broadcast(&page->changed);
    }
    if (err)
        sepx_text_release(&study->map);
    else
        sepx_json_put_raw(w, study->map.at);
    return err;
}
