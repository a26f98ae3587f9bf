/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A label is the attribute "label", "op" or "operation", the first of them
 * with a value; a node without one is labelled by its name. Empty values and
 * a node's label "\N" are no values: Graphviz has them as defaults, and
 * writes them or leaves them out as it likes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/formats/dot_graph.h"

void
sepx__dot_override(struct sepx__dot_values *values,
                   const struct sepx__dot_values *by)
{
    for (int i = 0; i < SEPX__DOT_LABELS; i++)
        if (by->at[i])
            values->at[i] = by->at[i];
}

enum sepx_err
sepx__dot_push(struct sepx__dot *d, struct sepx__dot_attributes added,
               uint32_t *number)
{
    const struct sepx__dot_attributes *last =
        d->n_attributes ? &d->attributes[d->n_attributes - 1] : NULL;

    *number = (uint32_t)d->n_attributes;
    if (last && last->key == added.key &&
        !memcmp(&last->own, &added.own, sizeof(last->own)) &&
        !memcmp(&last->all, &added.all, sizeof(last->all))) {
        --*number;
        return SEPX_OK;
    }
    if (sepx__grow((void **)&d->attributes, &d->attributes_room,
                   d->n_attributes + 1, sizeof(*d->attributes)))
        return sepx__dot_no_memory(&d->t);
    d->attributes[d->n_attributes++] = added;
    return SEPX_OK;
}

/* ---- edges that are one ---- */

struct place {
    uint32_t ends, key, edge;
};

static int
compare_places(const void *x, const void *y)
{
    const struct place *a = x, *b = y;

    if (a->ends != b->ends)
        return a->ends < b->ends ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* The first of edges that are one takes what the `n - 1` others say. */
static enum sepx_err
merge_run(struct sepx__dot *d, const struct place *run, size_t n, bool *drop)
{
    struct sepx__dot_attributes merged = d->attributes[d->edge[run->edge]];
    enum sepx_err err = SEPX_OK;

    for (size_t i = 1; i < n; i++) {
        const struct sepx__dot_attributes *more =
            &d->attributes[d->edge[run[i].edge]];

        /* A strict graph does not make a second edge for a new key. */
        if (!more->key || more->key == merged.key)
            sepx__dot_override(&merged.all, &more->own);
        drop[run[i].edge] = true;
    }
    if (n > 1)
        err = sepx__dot_push(d, merged, &d->edge[run->edge]);
    return err;
}

/* Edges of the same ends in a strict graph, or of the same ends and key. */
static enum sepx_err
merge_edges(struct sepx__dot *d, struct place *place, bool *drop)
{
    const struct sepx_graph *graph = &d->builder.graph;
    uint32_t n = graph->n_edges, to;
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < n; i++) {
        unsigned a = graph->edge[i].from, b = graph->edge[i].to;
        bool turn = graph->undirected && a > b;

        place[i] = (struct place){
            .ends = turn ? b << 16 | a : a << 16 | b,
            .key = d->strict ? 0 : d->attributes[d->edge[i]].key,
            .edge = i,
        };
    }
    qsort(place, n, sizeof(*place), compare_places);
    for (uint32_t from = 0; from < n && !err; from = to) {
        bool single = !d->strict && !place[from].key;

        for (to = from + 1; to < n && !single &&
                            place[to].ends == place[from].ends &&
                            place[to].key == place[from].key;)
            to++;
        err = merge_run(d, &place[from], to - from, drop);
    }
    return err;
}

static enum sepx_err
merge(struct sepx__dot *d)
{
    struct sepx_graph *graph = &d->builder.graph;
    struct place *place;
    bool *drop;
    uint32_t kept = 0;
    enum sepx_err err;

    if ((!d->strict && !d->keyed) || graph->n_edges < 2)
        return SEPX_OK;
    place = sepx__calloc(graph->n_edges, sizeof(*place));
    drop = sepx__calloc(graph->n_edges, sizeof(*drop));
    err = place && drop ? merge_edges(d, place, drop)
                        : sepx__dot_no_memory(&d->t);
    for (uint32_t i = 0; i < graph->n_edges && !err; i++) {
        if (drop[i])
            continue;
        graph->edge[kept] = graph->edge[i];
        d->edge[kept++] = d->edge[i];
    }
    if (!err)
        graph->n_edges = kept;
    sepx__free(place);
    sepx__free(drop);
    return err;
}

/* ---- labels ---- */

/* The first that has a value, or NULL; `skip`: a label that is none. */
static const char *
chosen(const struct sepx__dot *d, const struct sepx__dot_values *values,
       const char *skip)
{
    for (int i = 0; i < SEPX__DOT_LABELS; i++) {
        const char *text = values->at[i] ? d->pool.at + values->at[i] - 1 : "";

        if (values->at[i] && strcmp(text, i ? "" : skip) != 0)
            return text;
    }
    return NULL;
}

/* The name of a node. */
static const char *
name_of(const struct sepx__dot *d, uint32_t node)
{
    return sepx_names_text(d->ids, (uint16_t)(node + 1)) + 1;
}

/* Replace "\N", or another letter, in a label of this node or edge. */
static enum sepx_err
put_object(const struct sepx__dot *d, struct sepx_text *text, char letter,
           const struct sepx_edge *edge, const char *node)
{
    const char *tail = edge ? name_of(d, edge->from) : "";
    const char *head = edge ? name_of(d, edge->to) : "";
    const char escape[] = {'\\', letter, '\0'};
    const char *shown = escape;

    if (letter == 'G')
        shown = d->graph_name ? d->pool.at + d->graph_name - 1 : "";
    else if (letter == 'N' && node)
        shown = node;
    else if (letter == 'T' && edge)
        shown = tail;
    else if (letter == 'H' && edge)
        shown = head;
    else if (letter == 'E' && edge)
        return sepx_text_print(text, "%s%s%s", tail,
                               d->builder.graph.undirected ? "--" : "->", head)
                   ? sepx__dot_no_memory(&d->t)
                   : SEPX_OK;
    return sepx__dot_add(&d->t, text, shown, strlen(shown));
}

/*
 * Names in place of their escapes, behind what `text` holds. *varies: the
 * result depends on the ends of the edge.
 */
static enum sepx_err
put_names(const struct sepx__dot *d, struct sepx_text *text, const char *raw,
          const struct sepx_edge *edge, const char *node, bool *varies)
{
    enum sepx_err err = SEPX_OK;

    while (*raw && !err) {
        size_t plain = strcspn(raw, "\\");

        if (plain || !raw[1]) {
            plain += !plain;
            err = sepx__dot_add(&d->t, text, raw, plain);
            raw += plain;
        } else {
            *varies |= edge && strchr("ETH", raw[1]);
            err = put_object(d, text, raw[1], edge, node);
            raw += 2;
        }
    }
    return err;
}

/* "\n", "\l" and "\r" end a line, any other letter is itself. */
static void
unescape(struct sepx_text *text)
{
    size_t kept = 0;

    for (size_t i = 0; i < text->len; i++) {
        if (text->at[i] == '\\' && i + 1 < text->len) {
            char letter = text->at[++i];

            text->at[kept++] = strchr("nlr", letter) ? '\n' : letter;
        } else {
            text->at[kept++] = text->at[i];
        }
    }
    text->len = kept;
}

static enum sepx_err
label_node(struct sepx__dot *d, uint32_t node, struct sepx_text *text)
{
    const char *name = name_of(d, node);
    const char *raw = chosen(d, &d->node[node], "\\N");
    bool varies = false;
    char where[300];
    enum sepx_err err;

    text->len = 0;
    err = raw ? put_names(d, text, raw, NULL, name, &varies)
              : sepx__dot_add(&d->t, text, name, strlen(name));
    if (err)
        return err;
    unescape(text);
    (void)snprintf(where, sizeof(where), "node \"%.60s\"", name);
    return sepx__builder_label(&d->builder, &d->builder.graph.label[node],
                               text->at, text->len, where, d->t.msg);
}

static enum sepx_err
label_edge(struct sepx__dot *d, uint32_t number, struct sepx_text *text)
{
    struct sepx_edge *edge = &d->builder.graph.edge[number];
    struct sepx__dot_attributes *attributes = &d->attributes[d->edge[number]];
    const char *raw = chosen(d, &attributes->all, "");
    bool varies = false;
    char where[300];
    enum sepx_err err = SEPX_OK;

    edge->label = attributes->label;
    if (attributes->known || !raw)
        return SEPX_OK;
    text->len = 0;
    err = put_names(d, text, raw, edge, NULL, &varies);
    if (err)
        return err;
    unescape(text);
    (void)snprintf(where, sizeof(where), "the edge of \"%.60s\" and \"%.60s\"",
                   name_of(d, edge->from), name_of(d, edge->to));
    err = sepx__builder_label(&d->builder, &edge->label, text->at, text->len,
                              where, d->t.msg);
    attributes->label = varies ? 0 : edge->label;
    attributes->known = !varies;
    return err;
}

enum sepx_err
sepx__dot_finish(struct sepx__dot *d)
{
    struct sepx_text text = {0};
    enum sepx_err err = merge(d);

    for (uint32_t i = 0; i < d->builder.graph.n_nodes && !err; i++)
        err = label_node(d, i, &text);
    for (uint32_t i = 0; i < d->builder.graph.n_edges && !err; i++)
        err = label_edge(d, i, &text);
    sepx__edges_order(&d->builder.graph);
    sepx_text_release(&text);
    return err;
}
