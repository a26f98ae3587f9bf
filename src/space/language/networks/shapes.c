/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about the whole of a network. Along each edge goes a tensor, known by
 * how far its height and width are divided (the stride) and by its channels.
 * A label's fields say what a node does to it: s=2 halves height and width,
 * c=64 gives 64 channels. What several edges bring must fit: inputs of an
 * addition have one stride and as many channels, those of a concatenation one
 * stride. Nodes are met in topological order, each tells its readers.
 */
#include <inttypes.h>
#include <math.h>

#include "space/language/language.h"

const char *const sepx__join_keys[] = {"add", "concat", "flat", "any", NULL};

/* What comes into a node so far, and in the end what it gives. */
struct tensor {
    double least, most; /* strides of the paths from inputs; 0: none yet */
    double stride;      /* 0: neither height nor width; NaN: not known */
    uint64_t channels;  /* 0: not known */
    uint32_t inputs;
};

struct test {
    const struct custom *c;
    const struct sepx_graph *graph;
    const bool *counts;
    struct sepx_msg *msg;
    struct tensor at[SEPX__WIDE_NODES];
};

bool
sepx__custom_has_whole(const struct custom *c)
{
    return c->n_required || c->shapes.given;
}

static const struct label_rule *
rule_of(const struct test *t, uint32_t node)
{
    return &t->c->rule[t->graph->label[node] - 1];
}

static const struct sepx__label *
label_of(const struct test *t, uint32_t node)
{
    return &t->c->label[t->graph->label[node] - 1];
}

/* ---- required edges ---- */

static bool
leads_to(const struct test *t, uint32_t node, const bool *labels)
{
    const struct sepx_edge *end = t->graph->edge + t->graph->n_edges;

    for (const struct sepx_edge *e = sepx__first_edge(t->graph, node);
         e < end && e->from == node; e++)
        if (labels[t->graph->label[e->to] - 1])
            return true;
    return false;
}

static bool
check_required(const struct test *t)
{
    for (uint8_t k = 0; k < t->c->n_required; k++) {
        const struct edge_rule *rule = &t->c->required[k];

        for (uint32_t i = 0; i < t->graph->n_nodes; i++) {
            if (!t->counts[i] || !rule->is_from[t->graph->label[i] - 1] ||
                leads_to(t, i, rule->is_to))
                continue;
            sepx_fail(t->msg, SEPX_EINVAL,
                      "node %u ('%s') has no edge to a node '%s'", i,
                      label_of(t, i)->text, rule->to);
            return false;
        }
    }
    return true;
}

/* ---- shapes ---- */

/* Strides that are not known, or without height and width, fit all others. */
static bool
join_strides(struct tensor *sum, const struct tensor *more)
{
    if (isnan(sum->stride) || (sum->stride == 0 && !isnan(more->stride)))
        sum->stride = more->stride;
    return isnan(more->stride) || more->stride == 0 ||
           sum->stride == more->stride;
}

/* No more than there is room for: rows of concatenations double and double. */
static uint64_t
add_up(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static bool
join_channels(struct tensor *sum, const struct tensor *more, enum join join)
{
    bool fit =
        !sum->channels || !more->channels || sum->channels == more->channels;

    if (join == JOIN_CONCAT && sum->inputs) {
        sum->channels = sum->channels && more->channels
                            ? add_up(sum->channels, more->channels)
                            : 0;
        return true;
    }
    if (!sum->channels)
        sum->channels = more->channels;
    return fit;
}

static bool
receive(struct test *t, uint32_t node, const struct tensor *more)
{
    struct tensor *sum = &t->at[node];
    const struct tensor was = *sum;
    const enum join join = rule_of(t, node)->join;
    bool fit = true;

    if (more->most > 0) {
        sum->least = fmin(was.most > 0 ? was.least : more->least, more->least);
        sum->most = fmax(was.most, more->most);
    }
    if (t->c->shapes.check && join != JOIN_ANY) {
        fit = join_strides(sum, more);
        if (!fit)
            sepx_fail(t->msg, SEPX_EINVAL,
                      "node %u ('%s'): its inputs have strides %g and %g, "
                      "which do not fit",
                      node, label_of(t, node)->text, was.stride, more->stride);
    }
    if (fit && t->c->shapes.check && join != JOIN_ANY) {
        fit = join_channels(sum, more, join);
        if (!fit)
            sepx_fail(t->msg, SEPX_EINVAL,
                      "node %u ('%s'): its inputs have %" PRIu64 " and %" PRIu64
                      " channels, which do not fit",
                      node, label_of(t, node)->text, was.channels,
                      more->channels);
    }
    sum->inputs++;
    return fit;
}

/* What a node gives, from what came in. */
static void
pass(struct test *t, uint32_t node)
{
    const struct label_rule *rule = rule_of(t, node);
    struct tensor *at = &t->at[node];

    if (label_of(t, node)->role == SEPX__INPUT)
        at->least = at->most = at->stride = 1;
    at->least *= rule->stride;
    at->most *= rule->stride;
    at->stride *= rule->stride;
    if (rule->join == JOIN_FLAT)
        at->stride = 0;
    if (rule->channels)
        at->channels = rule->channels;
}

static bool
check_total(const struct test *t, uint32_t node)
{
    const struct tensor *at = &t->at[node];
    const struct range total = t->c->shapes.total;

    if (label_of(t, node)->role != SEPX__OUTPUT || !(at->most > 0) ||
        (at->least >= total.min &&
         (total.max == UNLIMITED || at->most <= total.max)))
        return true;
    if (at->least < at->most)
        sepx_fail(t->msg, SEPX_EINVAL,
                  "paths to node %u ('%s') have total strides from %g to %g; "
                  "at %s %u",
                  node, label_of(t, node)->text, at->least, at->most,
                  at->least < total.min ? "least" : "most",
                  at->least < total.min ? total.min : total.max);
    else
        sepx_fail(t->msg, SEPX_EINVAL,
                  "the total stride to node %u ('%s') is %g; at %s %u", node,
                  label_of(t, node)->text, at->least,
                  at->least < total.min ? "least" : "most",
                  at->least < total.min ? total.min : total.max);
    return false;
}

/* A node whose inputs have all been met tells its readers. */
static bool
check_shapes(struct test *t)
{
    uint16_t left[SEPX__WIDE_NODES] = {0}, queue[SEPX__WIDE_NODES];
    const struct sepx_graph *graph = t->graph;
    uint32_t head = 0, tail = 0;

    for (uint32_t i = 0; i < graph->n_edges; i++)
        left[graph->edge[i].to]++;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        t->at[i] = (struct tensor){.stride = NAN};
        if (!left[i])
            queue[tail++] = (uint16_t)i;
    }
    while (head < tail) {
        const uint32_t node = queue[head++];
        const struct sepx_edge *end = graph->edge + graph->n_edges;

        if (t->counts[node])
            pass(t, node);
        if (t->counts[node] && !check_total(t, node))
            return false;
        for (const struct sepx_edge *e = sepx__first_edge(graph, node);
             e < end && e->from == node; e++) {
            if (t->counts[node] && t->counts[e->to] &&
                !receive(t, e->to, &t->at[node]))
                return false;
            if (!--left[e->to])
                queue[tail++] = e->to;
        }
    }
    return true;
}

bool
sepx__custom_check_whole(const struct custom *c, const struct sepx_graph *graph,
                         const bool *counts, struct sepx_msg *msg)
{
    struct test t;

    t.c = c;
    t.graph = graph;
    t.counts = counts;
    t.msg = msg;
    return check_required(&t) && (!c->shapes.given || check_shapes(&t));
}
