/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs in one block of bytes, read where they lie. Little-endian:
 *
 *   head      "SEPXGEX\n", version, flags (1: undirected), bytes of all,
 *             CRC-32C of what follows the head, number of labels, graphs
 *   labels    length and text of each; the first is ""
 *   places    where each graph begins, and where the last one ends
 *   graphs    nodes, edges, bytes of the name; labels of nodes; from, to
 *             and label of edges; then, for the bounds, labels of nodes,
 *             labels of edges and degrees, each ascending; the name
 *
 * An index is checked as a whole when it is opened, so that nothing read from
 * it later can lead outside.
 */
#include "ged/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define MAGIC "SEPXGEX\n"
#define VERSION 1
#define HEAD 40
#define GRAPH_HEAD 12
#define UNDIRECTED 1
#define NAME_MOST 255
#define REMEDY "make it again with 'sepx ged --index'"

/* ---- writing ---- */

static int
by_value(const void *x, const void *y)
{
    const uint16_t a = *(const uint16_t *)x, b = *(const uint16_t *)y;

    return (a > b) - (a < b);
}

static SEPX_CHECKED enum sepx_err
put(struct sepx_text *to, uint64_t value, unsigned bytes)
{
    unsigned char raw[8];

    sepx__put_bytes(raw, value, bytes);
    return sepx_text_add(to, (const char *)raw, bytes);
}

static SEPX_CHECKED enum sepx_err
put_sorted(struct sepx_text *to, uint16_t *list, uint32_t count)
{
    enum sepx_err err = SEPX_OK;

    if (count)
        qsort(list, count, sizeof *list, by_value);
    for (uint32_t i = 0; i < count && !err; i++)
        err = put(to, list[i], 2);
    return err;
}

/* What is written, with room for the lists of one graph. */
struct writer {
    struct sepx_text *to;
    uint16_t *place; /* of each label of the names, 0 before it was met */
    const struct sepx_names *names;
    uint16_t *text; /* the labels met, in order */
    uint32_t n_texts;
    uint16_t *list;
    size_t list_room;
};

/* The index's number of a label, new ones at the end. */
static uint16_t
place_of(struct writer *w, uint16_t label)
{
    if (label && !w->place[label]) {
        w->text[w->n_texts] = label;
        w->place[label] = (uint16_t)w->n_texts++;
    }
    return w->place[label];
}

static SEPX_CHECKED enum sepx_err
put_edges(struct writer *w, const struct sepx_graph *graph)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t e = 0; e < graph->n_edges && !err; e++) {
        const struct sepx_edge *edge = &graph->edge[e];

        w->list[e] = place_of(w, edge->label);
        err = put(w->to,
                  edge->from | (uint64_t)edge->to << 16 |
                      (uint64_t)w->list[e] << 32,
                  6);
    }
    return err;
}

static SEPX_CHECKED enum sepx_err
put_degrees(struct writer *w, const struct sepx_graph *graph)
{
    memset(w->list, 0, graph->n_nodes * sizeof *w->list);
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        uint16_t *from = &w->list[graph->edge[e].from];
        uint16_t *to = &w->list[graph->edge[e].to];

        *from = (uint16_t)(*from + (*from < UINT16_MAX));
        *to = (uint16_t)(*to + (*to < UINT16_MAX));
    }
    return put_sorted(w->to, w->list, graph->n_nodes);
}

/* "name" or "id", a string, of what was read beside the graph. */
static SEPX_CHECKED enum sepx_err
find_name(struct sepx_text *name, const struct sepx_graph *graph)
{
    static const char *const keys[] = {"name", "id"};
    struct sepx_json *root = NULL;
    enum sepx_err err;

    if (!graph->extra)
        return SEPX_OK;
    err = sepx_json_parse(&root, graph->extra, strlen(graph->extra), NULL);
    for (unsigned i = 0; i < 2 && !err && !name->len; i++) {
        const char *text = sepx_json_string(sepx_json_get(root, keys[i]));

        if (text && strlen(text) <= NAME_MOST)
            err = sepx_text_add(name, text, strlen(text));
    }
    sepx_json_free(root);
    return err;
}

static SEPX_CHECKED enum sepx_err
put_graph(struct writer *w, const struct sepx_graph *graph)
{
    const uint32_t n = graph->n_nodes, m = graph->n_edges;
    struct sepx_text name = {0};
    enum sepx_err err;

    err = sepx__grow((void **)&w->list, &w->list_room, (n > m ? n : m) + 1,
                     sizeof *w->list);
    if (!err)
        err = find_name(&name, graph);
    if (!err)
        err = put(w->to, n | (uint64_t)m << 32, 8);
    if (!err)
        err = put(w->to, name.len, 4);
    for (uint32_t i = 0; i < n && !err; i++)
        err = put(w->to, place_of(w, graph->label[i]), 2);
    if (!err)
        err = put_edges(w, graph);
    for (uint32_t i = 0; i < n && !err; i++)
        w->list[i] = place_of(w, graph->label[i]);
    if (!err)
        err = put_sorted(w->to, w->list, n);
    for (uint32_t e = 0; e < m && !err; e++)
        w->list[e] = place_of(w, graph->edge[e].label);
    if (!err)
        err = put_sorted(w->to, w->list, m);
    if (!err)
        err = put_degrees(w, graph);
    if (!err && name.len)
        err = sepx_text_add(w->to, name.at, name.len);
    sepx_text_release(&name);
    return err;
}

static SEPX_CHECKED enum sepx_err
put_labels(struct writer *w, struct sepx_text *to)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < w->n_texts && !err; i++) {
        const char *text = i ? sepx_names_text(w->names, w->text[i]) : "";

        err = put(to, strlen(text), 1);
        if (!err)
            err = sepx_text_add(to, text, strlen(text));
    }
    return err;
}

/* Head, labels and places before the graphs, then the checksum. */
static SEPX_CHECKED enum sepx_err
put_together(struct writer *w, struct sepx_text *bytes, const uint64_t *place,
             size_t count, bool undirected)
{
    struct sepx_text labels = {0};
    struct sepx__crc32c *crc = sepx__alloc(sizeof *crc);
    const size_t begin = bytes->len;
    enum sepx_err err = crc ? put_labels(w, &labels) : SEPX_ENOMEM;
    const uint64_t first = HEAD + labels.len + 8 * ((uint64_t)count + 1);

    if (!err)
        err = sepx_text_add(bytes, MAGIC, 8);
    if (!err)
        err = put(bytes,
                  VERSION | (uint64_t)(undirected ? UNDIRECTED : 0) << 32, 8);
    if (!err)
        err = put(bytes, first + w->to->len, 8);
    if (!err)
        err = put(bytes, (uint64_t)w->n_texts << 32, 8);
    if (!err)
        err = put(bytes, count, 8);
    if (!err && labels.len)
        err = sepx_text_add(bytes, labels.at, labels.len);
    for (size_t i = 0; i <= count && !err; i++)
        err = put(bytes, first + place[i], 8);
    if (!err && w->to->len)
        err = sepx_text_add(bytes, w->to->at, w->to->len);
    if (!err) {
        unsigned char *at = (unsigned char *)bytes->at + begin;

        sepx__crc32c_init(crc);
        sepx__put_bytes(
            at + 24,
            sepx__crc32c_add(crc, 0, at + HEAD, bytes->len - begin - HEAD), 4);
    } else {
        bytes->len = begin;
    }
    sepx__free(crc);
    sepx_text_release(&labels);
    return err;
}

enum sepx_err
sepx_ged_index_write(struct sepx_text *bytes, const struct sepx_graph *graphs,
                     size_t count)
{
    const struct sepx_names *names = count ? graphs[0].names : NULL;
    const size_t labels = names ? sepx_names_count(names) : 1;
    struct sepx_text body = {0};
    struct writer w = {.to = &body, .names = names, .n_texts = 1};
    uint64_t *place = sepx__calloc(count + 1, sizeof *place);
    enum sepx_err err = SEPX_OK;

    w.place = sepx__calloc(labels + 1, sizeof *w.place);
    w.text = sepx__calloc(labels + 1, sizeof *w.text);
    if (!place || !w.place || !w.text)
        err = SEPX_ENOMEM;
    for (size_t i = 0; i < count && !err; i++) {
        if (graphs[i].undirected != graphs[0].undirected)
            err = SEPX_EINVAL;
        if (!err)
            err = put_graph(&w, &graphs[i]);
        place[i + 1] = body.len;
    }
    if (!err)
        err = put_together(&w, bytes, place, count,
                           count && graphs[0].undirected);
    sepx__free(place);
    sepx__free(w.place);
    sepx__free(w.text);
    sepx__free(w.list);
    sepx_text_release(&body);
    return err;
}

/* ---- opening ---- */

static enum sepx_err
damaged(struct sepx_msg *msg, const char *what)
{
    return sepx_fail(msg, SEPX_EDATA, "%s; " REMEDY, what);
}

bool
sepx_ged_index_begins(const void *bytes, size_t len)
{
    return len >= 8 && !memcmp(bytes, MAGIC, 8);
}

static SEPX_CHECKED enum sepx_err
check_head(const struct sepx_ged_index *x, struct sepx_msg *msg)
{
    struct sepx__crc32c *crc;
    uint32_t sum;

    if (!sepx_ged_index_begins(x->bytes, x->len))
        return damaged(msg, "this is no index of graphs");
    if (x->len < HEAD || sepx__get64(x->bytes + 16) != x->len)
        return damaged(msg, "the index is cut off");
    if (sepx__get32(x->bytes + 8) != VERSION)
        return damaged(msg, "the index has another version");
    if (sepx__get32(x->bytes + 12) & ~(uint32_t)UNDIRECTED)
        return damaged(msg, "the index has flags that are not known");
    crc = sepx__alloc(sizeof *crc);
    if (!crc)
        return SEPX_ENOMEM;
    sepx__crc32c_init(crc);
    sum = sepx__crc32c_add(crc, 0, x->bytes + HEAD, x->len - HEAD);
    sepx__free(crc);
    if (sum != sepx__get32(x->bytes + 24))
        return damaged(msg, "the checksum is wrong");
    return SEPX_OK;
}

/* The labels' numbers in the table of names. */
static SEPX_CHECKED enum sepx_err
read_labels(struct sepx_ged_index *x, struct sepx_names *names, size_t *at,
            struct sepx_msg *msg)
{
    x->n_labels = sepx__get32(x->bytes + 28);
    if (!x->n_labels || x->n_labels > SEPX_LABELS_MAX ||
        x->n_labels > x->len - *at)
        return damaged(msg, "the number of labels is wrong");
    x->label = sepx__calloc(x->n_labels, sizeof *x->label);
    if (!x->label)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < x->n_labels; i++) {
        char text[256] = {0};
        size_t len;
        enum sepx_err err;

        if (*at >= x->len || x->bytes[*at] >= x->len - *at)
            return damaged(msg, "the labels are cut off");
        len = x->bytes[*at];
        memcpy(text, x->bytes + *at + 1, len);
        *at += 1 + len;
        if (strlen(text) != len || (i == 0) != (len == 0))
            return damaged(msg, "a label is malformed");
        err = sepx_names_add(names, &x->label[i], text);
        if (err == SEPX_ENOMEM)
            return err;
        if (err)
            return damaged(msg, "a label is malformed");
    }
    return SEPX_OK;
}

static bool
is_ascending(const unsigned char *list, uint32_t count, uint32_t below)
{
    for (uint32_t i = 0; i < count; i++)
        if (sepx__get16(list + 2 * i) >= below ||
            (i && sepx__get16(list + 2 * i) < sepx__get16(list + 2 * i - 2)))
            return false;
    return true;
}

/* Edges as struct sepx_graph has them, apart from labels of parallel ones. */
static bool
are_edges(const struct sepx_ged_index *x, const struct index_graph *g)
{
    uint32_t last = 0;

    for (uint32_t e = 0; e < g->m; e++) {
        const uint32_t from = sepx__get16(g->edge + 6 * (size_t)e);
        const uint32_t to = sepx__get16(g->edge + 6 * (size_t)e + 2);
        const uint32_t now = from << 16 | to;

        if (from >= g->n || to >= g->n || now < last ||
            (x->undirected && from > to) ||
            sepx__get16(g->edge + 6 * (size_t)e + 4) >= x->n_labels)
            return false;
        last = now;
    }
    return true;
}

/* Whether the ascending list has what was counted; `tally` is 0 again. */
static bool
is_tallied(uint32_t *tally, const unsigned char *list, uint32_t count)
{
    bool same = true;

    for (uint32_t i = 0; i < count; i++)
        tally[sepx__get16(list + 2 * (size_t)i)]--;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *left = &tally[sepx__get16(list + 2 * (size_t)i)];

        same &= *left == 0;
        *left = 0;
    }
    return same;
}

/*
 * The lists are those of the graph: as long as what they list, and each
 * number as often. Counted numbers that a list lacks are taken back.
 */
static bool
are_lists(uint32_t *tally, const struct index_graph *g, uint32_t *degree)
{
    bool same = true;

    memset(degree, 0, g->n * sizeof *degree);
    for (uint32_t i = 0; i < g->n; i++)
        tally[sepx__get16(g->label + 2 * (size_t)i)]++;
    same &= is_tallied(tally, g->labels, g->n);
    for (uint32_t i = 0; i < g->n; i++)
        tally[sepx__get16(g->label + 2 * (size_t)i)] = 0;
    for (uint32_t e = 0; e < g->m; e++) {
        const unsigned char *edge = g->edge + 6 * (size_t)e;

        tally[sepx__get16(edge + 4)]++;
        degree[sepx__get16(edge)]++;
        degree[sepx__get16(edge + 2)]++;
    }
    same &= is_tallied(tally, g->codes, g->m);
    for (uint32_t e = 0; e < g->m; e++)
        tally[sepx__get16(g->edge + 6 * (size_t)e + 4)] = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        degree[i] = degree[i] < UINT16_MAX ? degree[i] : UINT16_MAX;
        tally[degree[i]]++;
    }
    same &= is_tallied(tally, g->degrees, g->n);
    for (uint32_t i = 0; i < g->n; i++)
        tally[degree[i]] = 0;
    return same;
}

static bool
is_graph(const struct sepx_ged_index *x, const struct index_graph *g,
         uint32_t *room)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (sepx__get16(g->label + 2 * (size_t)i) >= x->n_labels)
            return false;
    return are_edges(x, g) && is_ascending(g->labels, g->n, x->n_labels) &&
           is_ascending(g->codes, g->m, x->n_labels) &&
           is_ascending(g->degrees, g->n, UINT16_MAX + 1) &&
           are_lists(room, g, room + UINT16_MAX + 1);
}

void
sepx__index_graph(const struct sepx_ged_index *x, struct index_graph *g,
                  size_t number)
{
    const unsigned char *at = x->bytes + sepx__get64(x->place + 8 * number);

    g->n = sepx__get32(at);
    g->m = sepx__get32(at + 4);
    g->name_len = sepx__get32(at + 8);
    g->label = at + GRAPH_HEAD;
    g->edge = g->label + 2 * (size_t)g->n;
    g->labels = g->edge + 6 * (size_t)g->m;
    g->codes = g->labels + 2 * (size_t)g->n;
    g->degrees = g->codes + 2 * (size_t)g->m;
    g->name = g->degrees + 2 * (size_t)g->n;
}

static SEPX_CHECKED enum sepx_err
check_graph(const struct sepx_ged_index *x, size_t number, uint64_t *at,
            uint32_t *room, struct sepx_msg *msg)
{
    const uint64_t from = sepx__get64(x->place + 8 * number);
    const uint64_t to = sepx__get64(x->place + 8 * number + 8);
    struct index_graph g;

    if (from != *at || to > x->len || to < from || to - from < GRAPH_HEAD)
        return damaged(msg, "a graph is out of place");
    *at = to;
    sepx__index_graph(x, &g, number);
    if (g.n > SEPX_NODES_MAX || g.name_len > NAME_MOST || g.m > x->len ||
        GRAPH_HEAD + 6 * (uint64_t)g.n + 8 * (uint64_t)g.m + g.name_len !=
            to - from ||
        !is_graph(x, &g, room))
        return damaged(msg, "a graph is malformed");
    return SEPX_OK;
}

static SEPX_CHECKED enum sepx_err
check_all(struct sepx_ged_index *x, struct sepx_names *names,
          struct sepx_msg *msg)
{
    size_t at = HEAD;
    uint64_t graph;
    uint32_t *room;
    enum sepx_err err = check_head(x, msg);

    if (!err)
        err = read_labels(x, names, &at, msg);
    if (err)
        return err;
    x->undirected = sepx__get32(x->bytes + 12) & UNDIRECTED;
    if (sepx__get64(x->bytes + 32) >= (x->len - at) / 8)
        return damaged(msg, "the number of graphs is wrong");
    x->count = (size_t)sepx__get64(x->bytes + 32);
    x->place = x->bytes + at;
    graph = at + 8 * ((uint64_t)x->count + 1);
    room = sepx__calloc(UINT16_MAX + 1 + SEPX_NODES_MAX, sizeof *room);
    if (!room)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < x->count && !err; i++)
        err = check_graph(x, i, &graph, room, msg);
    sepx__free(room);
    if (!err &&
        (graph != x->len || sepx__get64(x->place + 8 * x->count) != x->len))
        err = damaged(msg, "something follows the last graph");
    return err;
}

enum sepx_err
sepx_ged_index_open_bytes(struct sepx_ged_index **index,
                          struct sepx_names *names, const void *bytes,
                          size_t len, struct sepx_msg *msg)
{
    struct sepx_ged_index *x = sepx__calloc(1, sizeof *x);
    enum sepx_err err;

    *index = NULL;
    if (!x)
        return SEPX_ENOMEM;
    x->names = names;
    x->bytes = bytes;
    x->len = len;
    err = check_all(x, names, msg);
    if (err)
        sepx_ged_index_close(x);
    else
        *index = x;
    return err;
}

enum sepx_err
sepx_ged_index_open(struct sepx_ged_index **index, struct sepx_names *names,
                    const char *path, struct sepx_msg *msg)
{
    struct sepx__map map;
    enum sepx_err err = sepx__map_open(&map, path, REMEDY, msg);

    *index = NULL;
    if (err)
        return err;
    err = sepx_ged_index_open_bytes(index, names, map.bytes, map.len, msg);
    if (err) {
        sepx_msg_prefix(msg, "%s", path);
        sepx__map_close(&map);
        return err;
    }
    (*index)->map = map;
    return SEPX_OK;
}

void
sepx_ged_index_close(struct sepx_ged_index *index)
{
    if (!index)
        return;
    sepx__map_close(&index->map);
    sepx__free(index->label);
    sepx__free(index);
}

/* ---- asking ---- */

size_t
sepx_ged_index_count(const struct sepx_ged_index *index)
{
    return index->count;
}

bool
sepx_ged_index_undirected(const struct sepx_ged_index *index)
{
    return index->undirected;
}

const char *
sepx_ged_index_name(const struct sepx_ged_index *index, size_t number,
                    size_t *len)
{
    struct index_graph g;

    sepx__index_graph(index, &g, number);
    *len = g.name_len;
    return (const char *)g.name;
}

enum sepx_err
sepx_ged_index_graph(const struct sepx_ged_index *index,
                     struct sepx_graph *graph, size_t number)
{
    struct index_graph g;
    enum sepx_err err = SEPX_OK;

    sepx__index_graph(index, &g, number);
    sepx_graph_clear(graph);
    graph->names = index->names;
    graph->undirected = index->undirected;
    for (uint32_t i = 0; i < g.n && !err; i++)
        err = sepx_graph_add_node(
            graph, index->label[sepx__get16(g.label + 2 * (size_t)i)]);
    for (uint32_t e = 0; e < g.m && !err; e++) {
        const unsigned char *edge = g.edge + 6 * (size_t)e;

        err = sepx_graph_add_parallel(graph, sepx__get16(edge),
                                      sepx__get16(edge + 2),
                                      index->label[sepx__get16(edge + 4)]);
    }
    return err;
}
