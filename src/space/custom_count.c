/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many graphs a space of a file has: all forms looked at if they are
 * few, else an estimate from forms that are drawn at random.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "space/forms.h"

#define DRAWS 100000

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

    for (uint32_t i = 0; i < s->cells.n; i++)
        memset(s->cells.at[i], 0, s->cells.n);
    do {
        sepx__cells_rows(&s->cells, &rows);
        if (!sepx__custom_faults(s->c, s->cells.label, &rows))
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

/* Importance sampling: a valid form counts for one over its chance. */
static void
estimate(const struct forms *forms, struct sepx_space_size *size)
{
    struct sums sums = {-INFINITY, 0, 0};
    double log_orders = 0;
    struct sepx_rng rng;

    sepx_rng_init(&rng, 1, 0, 0, 1);
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct sepx__rows rows;
        struct cells cells;
        double log_weight = sepx__forms_draw(forms, &cells, &rng);

        sepx__cells_rows(&cells, &rows);
        if (!sepx__custom_faults(forms->c, cells.label, &rows))
            add_weight(&sums, log_weight);
    }
    size->log10_forms = forms->log_total / log(10);
    if (!(sums.one > 0))
        return;
    for (size_t i = 0; i < forms->count; i++)
        log_orders = fmax(log_orders, forms->shape[i].log_orders);
    size->log10_forms = (sums.log_scale + log(sums.one) - log(DRAWS)) / log(10);
    size->log10_least = fmax(0, size->log10_forms - log_orders / log(10));
    size->relative_error =
        sqrt(fmax(0, sums.two / (sums.one * sums.one) - 1.0 / DRAWS));
}

enum sepx_err
sepx_space_measure(const struct sepx_space *space, struct sepx_space_size *size,
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
    if (!err && forms->complete && forms->count) {
        if (forms->log_total <= log((double)effort))
            err = count_all(space, forms, size);
        else
            estimate(forms, size);
    }
    sepx__forms_release(forms);
    sepx__free(forms);
    return err;
}
