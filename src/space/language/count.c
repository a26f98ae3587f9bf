/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many graphs a space of a file has: all forms looked at if they are
 * few, else an estimate from forms that are drawn at random. An estimate is
 * given only where it can be trusted: its error is small, and shapes of which
 * no valid form was met cannot hold much. Else the number is not known, and
 * there is a bound.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "space/language/forms.h"

#define DRAWS 100000
#define ERROR_MOST 0.2   /* of an estimate that is worth the name */
#define MISSED_MOST -2.0 /* log10 of what shapes not met may add to it */

/* ---- one by one ---- */

struct census {
    const struct sepx_space *space;
    const struct custom *c;
    struct cells cells;
    struct sepx_graph graph;
    struct sepx_key *key;
    size_t count, room;
    uint64_t valid;
};

/* Rules that edges and degrees say nothing of; `graph` is room. */
static enum sepx_err
check_rest(const struct sepx_space *space, const struct cells *cells,
           struct sepx_graph *graph, bool *valid)
{
    enum sepx_err err;

    *valid = true;
    if (!sepx__custom_has_whole(custom_of(space)))
        return SEPX_OK;
    err = sepx__cells_write(space, graph, cells);
    return err ? err : sepx_space_check(space, valid, graph, NULL);
}

static enum sepx_err
note(struct census *s)
{
    struct sepx_key key;
    enum sepx_err err = sepx__cells_write(s->space, &s->graph, &s->cells);

    s->valid++;
    if (!err)
        err = sepx_graph_canon(&s->graph, NULL, &key);
    if (!err)
        err = sepx__grow((void **)&s->key, &s->room, s->count + 1,
                         sizeof(*s->key));
    if (!err)
        s->key[s->count++] = key;
    return err;
}

/* The next set of edges, as a number of base n_edge_labels + 1. */
static bool
next_edges(struct census *s, const uint8_t *from, const uint8_t *to,
           uint32_t places)
{
    for (uint32_t k = 0; k < places; k++) {
        uint8_t *at = &s->cells.at[from[k]][to[k]];

        if (*at < s->c->n_edge_labels) {
            ++*at;
            return true;
        }
        *at = 0;
    }
    return false;
}

static enum sepx_err
visit_edges(struct census *s)
{
    uint8_t from[NODES * NODES], to[NODES * NODES];
    uint32_t places = sepx__forms_places(s->c, &s->cells, from, to);
    struct sepx__rows rows;
    enum sepx_err err = SEPX_OK;
    bool valid;

    for (uint32_t i = 0; i < s->cells.n; i++)
        memset(s->cells.at[i], 0, s->cells.n);
    do {
        sepx__cells_rows(&s->cells, &rows);
        if (sepx__custom_faults(s->c, s->cells.label, &rows))
            continue;
        err = check_rest(s->space, &s->cells, &s->graph, &valid);
        if (!err && valid)
            err = note(s);
    } while (!err && next_edges(s, from, to, places));
    return err;
}

/* Whether no label is there too seldom or too often. */
static bool
counts_fit(const struct census *s, bool whole)
{
    uint32_t count[SEPX__LABELS_MAX] = {0};

    for (uint32_t i = 0; i < s->cells.n; i++)
        count[s->cells.label[i] - 1]++;
    for (uint16_t i = 0; i < s->c->ops.n_labels; i++)
        if (count[i] > s->c->rule[i].count.max ||
            (whole && count[i] < s->c->rule[i].count.min))
            return false;
    return true;
}

/* Every sequence of labels of the shape, from place `at` of the part on. */
static enum sepx_err
visit_labels(struct census *s, const struct shape *shape, uint32_t part,
             uint32_t at)
{
    enum sepx_err err = SEPX_OK;

    while (part < 3u * s->c->n_groups && at == shape->nodes[part]) {
        part++;
        at = 0;
    }
    if (part == 3u * s->c->n_groups)
        return counts_fit(s, true) ? visit_edges(s) : SEPX_OK;
    for (uint16_t i = 0; i < s->c->ops.n_labels && !err; i++) {
        if (s->c->label[i].group != part)
            continue;
        s->cells.label[s->cells.n++] = (uint16_t)(i + 1);
        if (counts_fit(s, false))
            err = visit_labels(s, shape, part, at + 1);
        s->cells.n--;
    }
    return err;
}

static int
compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct sepx_key));
}

static enum sepx_err
count_all(const struct sepx_space *space, const struct forms *forms,
          struct sepx_space_size *size)
{
    struct census s = {.space = space, .c = forms->c};
    size_t classes = 0;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < forms->count && !err; i++)
        err = visit_labels(&s, &forms->shape[i], 0, 0);
    if (!err && s.count)
        qsort(s.key, s.count, sizeof(*s.key), compare_keys);
    for (size_t i = 0; i < s.count && !err; i++)
        classes += !i || compare_keys(&s.key[i - 1], &s.key[i]);
    *size =
        (struct sepx_space_size){true, (double)classes, log10((double)s.valid),
                                 log10((double)classes), 0};
    sepx_graph_release(&s.graph);
    sepx__free(s.key);
    return err;
}

/* ---- by a sample ---- */

/* Sums of weights and of their squares, scaled by the largest. */
struct sums {
    double log_scale, one, two;
};

static void
add_weight(struct sums *sums, double log_weight)
{
    double shrink;

    if (log_weight > sums->log_scale) {
        shrink = exp(sums->log_scale - log_weight);
        sums->one *= shrink;
        sums->two *= shrink * shrink;
        sums->log_scale = log_weight;
    }
    shrink = exp(log_weight - sums->log_scale);
    sums->one += shrink;
    sums->two += shrink * shrink;
}

/* log10 of the forms, valid or not, of shapes of which none was met. */
static double
count_missed(const struct forms *forms, const bool *met)
{
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i < forms->count; i++)
        if (!met[i])
            most = fmax(most, forms->shape[i].log_forms);
    for (size_t i = 0; i < forms->count; i++)
        if (!met[i])
            sum += exp(forms->shape[i].log_forms - most);
    return sum > 0 ? (most + log(sum)) / log(10) : -INFINITY;
}

/* Importance sampling: a valid form counts for one over its chance. */
static enum sepx_err
draw_forms(const struct sepx_space *space, const struct forms *forms,
           struct sums *sums, bool *met)
{
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&rng, 1, 0, 0, 1);
    for (uint32_t i = 0; i < DRAWS && !err; i++) {
        struct sepx__rows rows;
        struct cells cells;
        size_t shape;
        double log_weight = sepx__forms_draw(forms, &cells, &shape, &rng);
        bool valid;

        sepx__cells_rows(&cells, &rows);
        if (sepx__custom_faults(forms->c, cells.label, &rows))
            continue;
        err = check_rest(space, &cells, &graph, &valid);
        if (err || !valid)
            continue;
        add_weight(sums, log_weight);
        met[shape] = true;
    }
    sepx_graph_release(&graph);
    return err;
}

static enum sepx_err
estimate(const struct sepx_space *space, const struct forms *forms,
         struct sepx_space_size *size)
{
    struct sums sums = {-INFINITY, 0, 0};
    double log_orders = 0, about, error;
    bool *met = sepx__calloc(forms->count, sizeof(*met));
    enum sepx_err err =
        met ? draw_forms(space, forms, &sums, met) : SEPX_ENOMEM;

    size->log10_forms = forms->log_total / log(10);
    about = (sums.log_scale + log(sums.one) - log(DRAWS)) / log(10);
    error = sqrt(fmax(0, sums.two / (sums.one * sums.one) - 1.0 / DRAWS));
    if (!err && sums.one > 0 && error <= ERROR_MOST &&
        count_missed(forms, met) <= about + MISSED_MOST) {
        for (size_t i = 0; i < forms->count; i++)
            log_orders = fmax(log_orders, forms->shape[i].log_orders);
        size->log10_forms = about;
        size->log10_least = fmax(0, about - log_orders / log(10));
        size->relative_error = error;
    }
    sepx__free(met);
    return err;
}

enum sepx_err
sepx_space_count(const struct sepx_space *space, struct sepx_space_size *size,
                 uint64_t effort)
{
    struct forms *forms;
    enum sepx_err err;

    *size = (struct sepx_space_size){false, NAN, NAN, 0, NAN};
    if (!space->state)
        return SEPX_EUNSUPPORTED;
    forms = sepx__calloc(1, sizeof(*forms));
    if (!forms)
        return SEPX_ENOMEM;
    err = sepx__forms_init(forms, custom_of(space));
    /* Graphs above NODES nodes are not among the forms. */
    if (!err && forms->complete && forms->count &&
        custom_of(space)->nodes.max <= NODES) {
        if (forms->log_total <= log((double)effort))
            err = count_all(space, forms, size);
        else
            err = estimate(space, forms, size);
    }
    sepx__forms_release(forms);
    sepx__free(forms);
    return err;
}
