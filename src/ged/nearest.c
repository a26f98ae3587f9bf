/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of an index by their distance to another graph. All are bounded from
 * the lists of the index alone, in microseconds for thousands; then pairs are
 * solved in the order of their bounds, each only as far as it takes to tell
 * whether it is among the nearest so far. Once the next bound is above the
 * worst of those, the rest need no look.
 *
 * The bound, for equal costs of all edits: node edits are at least the larger
 * number of nodes less the labels both have. Edge edits are at least the same
 * for edges, and at least half the sum of differences of ascending degrees,
 * since an edge changes two of them by one.
 *
 * The answer is the least by distance, then by number, so that it does not
 * depend on which thread was first.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/private.h"
#include "ged/index.h"

/* ---- bounds ---- */

/* The graph asked for as an index would have it: lists, ascending. */
struct query {
    const struct sepx_graph *graph;
    uint32_t n, m;
    uint32_t n_labels, n_codes; /* of those that the index has at all */
    uint16_t *labels, *codes, *degrees;
};

struct candidate {
    uint32_t bound, number;
};

static int
by_value(const void *x, const void *y)
{
    const uint16_t a = *(const uint16_t *)x, b = *(const uint16_t *)y;

    return (a > b) - (a < b);
}

static int
by_bound(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;

    if (a->bound != b->bound)
        return a->bound < b->bound ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* Add the index's number of a label, if it has one. */
static void
add_label(const struct sepx_ged_index *x, uint16_t *list, uint32_t *count,
          uint16_t label)
{
    for (uint32_t i = 0; i < x->n_labels; i++)
        if (x->label[i] == label) {
            list[(*count)++] = (uint16_t)i;
            return;
        }
}

static SEPX_CHECKED enum sepx_err
query_init(struct query *q, const struct sepx_ged_index *x,
           const struct sepx_graph *graph)
{
    const uint32_t n = graph->n_nodes, m = graph->n_edges;

    *q = (struct query){.graph = graph, .n = n, .m = m};
    q->labels = sepx__calloc(2 * (size_t)n + m + 1, sizeof *q->labels);
    if (!q->labels)
        return SEPX_ENOMEM;
    q->codes = q->labels + n;
    q->degrees = q->codes + m;
    for (uint32_t i = 0; i < n; i++)
        add_label(x, q->labels, &q->n_labels, graph->label[i]);
    for (uint32_t e = 0; e < m; e++) {
        const struct sepx_edge *edge = &graph->edge[e];

        add_label(x, q->codes, &q->n_codes, edge->label);
        q->degrees[edge->from] =
            (uint16_t)(q->degrees[edge->from] +
                       (q->degrees[edge->from] < UINT16_MAX));
        q->degrees[edge->to] = (uint16_t)(q->degrees[edge->to] +
                                          (q->degrees[edge->to] < UINT16_MAX));
    }
    qsort(q->labels, q->n_labels, sizeof *q->labels, by_value);
    qsort(q->codes, q->n_codes, sizeof *q->codes, by_value);
    qsort(q->degrees, n, sizeof *q->degrees, by_value);
    return SEPX_OK;
}

/* How many of two ascending lists can be paired with an equal one. */
static uint32_t
in_both(const uint16_t *a, uint32_t n, const unsigned char *b, uint32_t m)
{
    uint32_t i = 0, k = 0, sum = 0;

    while (i < n && k < m) {
        const uint16_t other = sepx__get16(b + 2 * (size_t)k);

        sum += a[i] == other;
        if (a[i] < other) {
            i++;
        } else {
            i += a[i] == other;
            k++;
        }
    }
    return sum;
}

static uint32_t
degrees_apart(const struct query *q, const struct index_graph *g)
{
    const uint32_t most = q->n > g->n ? q->n : g->n;
    uint32_t sum = 0;

    for (uint32_t i = 1; i <= most; i++) {
        const int32_t a = i <= q->n ? q->degrees[q->n - i] : 0;
        const int32_t b =
            i <= g->n ? sepx__get16(g->degrees + 2 * (size_t)(g->n - i)) : 0;

        sum += (uint32_t)(a > b ? a - b : b - a);
    }
    return (sum + 1) / 2;
}

static uint32_t
bound_of(const struct query *q, const struct index_graph *g, bool ignore_labels)
{
    const uint32_t n = q->n > g->n ? q->n : g->n;
    const uint32_t less = q->n < g->n ? q->n : g->n;
    const uint32_t m = q->m > g->m ? q->m : g->m;
    const uint32_t edges = m - in_both(q->codes, q->n_codes, g->codes, g->m);
    const uint32_t apart = degrees_apart(q, g);

    return n -
           (ignore_labels ? less
                          : in_both(q->labels, q->n_labels, g->labels, g->n)) +
           (edges > apart ? edges : apart);
}

/* ---- the search ---- */

struct search {
    const struct sepx_ged_index *index;
    const struct sepx_ged_limits *limits;
    struct query query;
    struct candidate *candidate;
    double scale; /* what a bound of 1 is worth */
    double at_most;
    struct sepx_ged **ged; /* of each thread, with what it needs */
    struct sepx_ged_graph **asked;
    struct sepx_graph *scratch;
    unsigned threads;
    size_t most;
    pthread_mutex_t lock; /* of `hits` */
    struct sepx_ged_hits *hits;
};

static bool
is_before(const struct sepx_ged_hit *a, const struct sepx_ged_hit *b)
{
    if (a->upper != b->upper)
        return a->upper < b->upper;
    if (a->lower != b->lower)
        return a->lower < b->lower;
    return a->number < b->number;
}

/* What a graph may be away to be of interest; false: it is not at all. */
static bool
wanted(struct search *s, const struct candidate *c, double *at_most)
{
    const struct sepx_ged_hits *hits = s->hits;
    const double bound = c->bound * s->scale;
    bool is_wanted = s->most > 0;

    *at_most = s->at_most;
    pthread_mutex_lock(&s->lock);
    if (is_wanted && hits->count == s->most) {
        const struct sepx_ged_hit *worst = &hits->at[s->most - 1];

        if (worst->upper < *at_most)
            *at_most = worst->upper;
        is_wanted = bound < worst->upper || c->number < worst->number;
    }
    pthread_mutex_unlock(&s->lock);
    return is_wanted && bound <= *at_most;
}

static SEPX_CHECKED enum sepx_err
insert(struct sepx_ged_hits *hits, size_t most, const struct sepx_ged_hit *hit)
{
    size_t at = hits->count;
    enum sepx_err err;

    if (at == most) {
        if (!is_before(hit, &hits->at[at - 1]))
            return SEPX_OK;
        at--;
    } else {
        err = sepx__grow((void **)&hits->at, &hits->room, at + 1,
                         sizeof *hits->at);
        if (err)
            return err;
        hits->count++;
    }
    for (; at && is_before(hit, &hits->at[at - 1]); at--)
        hits->at[at] = hits->at[at - 1];
    hits->at[at] = *hit;
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
keep(struct search *s, const struct sepx_ged_result *result, size_t number,
     double at_most)
{
    const struct sepx_ged_hit hit = {number, result->lower, result->upper};
    enum sepx_err err = SEPX_OK;

    pthread_mutex_lock(&s->lock);
    s->hits->solved++;
    if (result->lower <= at_most) {
        s->hits->exact &= result->exact;
        if (result->upper <= s->at_most)
            err = insert(s->hits, s->most, &hit);
    }
    pthread_mutex_unlock(&s->lock);
    return err;
}

static enum sepx_err
solve(void *context, unsigned worker, size_t index)
{
    struct search *s = context;
    const struct candidate *c = &s->candidate[index];
    struct sepx_ged_graph *ready = NULL;
    struct sepx_ged_limits limits =
        s->limits ? *s->limits : (struct sepx_ged_limits){0};
    struct sepx_ged_result result;
    double at_most;
    enum sepx_err err;

    if (!wanted(s, c, &at_most))
        return SEPX_OK;
    limits.threshold = isfinite(at_most);
    limits.at_most = at_most;
    err = sepx_ged_index_graph(s->index, &s->scratch[worker], c->number);
    if (!err)
        err = sepx_ged_prepare(s->ged[worker], &ready, &s->scratch[worker]);
    if (!err)
        err = sepx_ged_run(s->ged[worker], &result, s->asked[worker], ready,
                           &limits);
    if (!err && result.stopped)
        err = SEPX_ESTOPPED;
    if (!err)
        err = keep(s, &result, c->number, at_most);
    sepx_ged_graph_free(ready);
    return err;
}

/* ---- set-up ---- */

static SEPX_CHECKED enum sepx_err
set_threads(struct search *s, const struct sepx_ged_options *options)
{
    enum sepx_err err = SEPX_OK;

    if (!s->threads)
        s->threads = sepx_processors();
    s->ged = sepx__calloc(s->threads, sizeof *s->ged);
    s->asked = sepx__calloc(s->threads, sizeof *s->asked);
    s->scratch = sepx__calloc(s->threads, sizeof *s->scratch);
    if (!s->ged || !s->asked || !s->scratch)
        return SEPX_ENOMEM;
    for (unsigned k = 0; k < s->threads && !err; k++) {
        err = sepx_ged_new(&s->ged[k], options);
        if (!err)
            err = sepx_ged_prepare(s->ged[k], &s->asked[k], s->query.graph);
    }
    return err;
}

static void
release(struct search *s)
{
    for (unsigned k = 0; k < s->threads; k++) {
        if (s->asked)
            sepx_ged_graph_free(s->asked[k]);
        if (s->ged)
            sepx_ged_free(s->ged[k]);
        if (s->scratch)
            sepx_graph_release(&s->scratch[k]);
    }
    sepx__free(s->ged);
    sepx__free(s->asked);
    sepx__free(s->scratch);
    sepx__free(s->candidate);
    sepx__free(s->query.labels);
}

static SEPX_CHECKED enum sepx_err
set_candidates(struct search *s)
{
    const struct sepx_ged *ged = s->ged[0];
    const size_t count = s->index->count;

    s->scale = ged->costs.unit ? ged->costs.one : 0;
    s->candidate = sepx__calloc(count + 1, sizeof *s->candidate);
    if (!s->candidate)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct index_graph g;

        sepx__index_graph(s->index, &g, i);
        s->candidate[i].number = (uint32_t)i;
        s->candidate[i].bound = bound_of(&s->query, &g, ged->ignore_labels);
    }
    qsort(s->candidate, count, sizeof *s->candidate, by_bound);
    return SEPX_OK;
}

void
sepx_ged_hits_release(struct sepx_ged_hits *hits)
{
    sepx__free(hits->at);
    *hits = (struct sepx_ged_hits){0};
}

enum sepx_err
sepx_ged_nearest(const struct sepx_ged_index *index, struct sepx_ged_hits *hits,
                 size_t most, const struct sepx_graph *query,
                 const struct sepx_ged_options *options,
                 const struct sepx_ged_limits *limits, unsigned threads)
{
    struct search s = {.index = index,
                       .limits = limits,
                       .threads = threads,
                       .most = most,
                       .at_most = INFINITY,
                       .hits = hits};
    enum sepx_err err;

    hits->count = hits->solved = 0;
    hits->exact = true;
    if (query->undirected != index->undirected && index->count)
        return SEPX_EINVAL;
    if (limits && limits->threshold)
        s.at_most = limits->at_most;
    if (pthread_mutex_init(&s.lock, NULL))
        return SEPX_ENOMEM;
    err = query_init(&s.query, index, query);
    if (!err)
        err = set_threads(&s, options);
    if (!err)
        err = set_candidates(&s);
    if (!err)
        err = sepx_parallel(s.threads, index->count, solve, &s);
    release(&s);
    pthread_mutex_destroy(&s.lock);
    return err;
}
