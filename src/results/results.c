/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An open table of results: numbers are read where they lie in the file.
 * Opening checks that the parts fill the file exactly, so that no entry
 * below `graphs` can lead out of it; places of texts are checked when a text
 * is asked for.
 */
#include <math.h>
#include <stdio.h>

#include "results/internal.h"
#include "results/open_results.h"

/* ---- opening ---- */

bool
sepx_results_is(const void *bytes, size_t len)
{
    return len >= 8 && !memcmp(bytes, SEPX__RESULTS_MAGIC, 8);
}

bool
sepx_results_is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char first[8];
    size_t len = file ? fread(first, 1, sizeof(first), file) : 0;

    if (file)
        (void)fclose(file);
    return sepx_results_is(first, len);
}

enum sepx_err
sepx__results_damaged(struct sepx_msg *msg, const char *what)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "%s; the file is damaged, make it again with "
                     "'sepx data table'",
                     what);
}

static enum sepx_err
check_head(const unsigned char *bytes, size_t len, struct sepx_msg *msg)
{
    struct sepx__crc32c crc;
    uint32_t head;

    if (len < HEAD_END + 8 || !sepx_results_is(bytes, len))
        return sepx_fail(msg, SEPX_EDATA,
                         "not a table of results; 'sepx data table' makes "
                         "them");
    if (sepx__get32(bytes + HEAD_VERSION) != SEPX__RESULTS_VERSION)
        return sepx_fail(msg, SEPX_EDATA,
                         "version %u of the format, not %d; make the table "
                         "again",
                         sepx__get32(bytes + HEAD_VERSION),
                         SEPX__RESULTS_VERSION);
    head = sepx__get32(bytes + HEAD_BYTES);
    if (head < HEAD_END + 8 || head % 8 || head > len)
        return sepx__results_damaged(msg, "the head is longer than the file");
    sepx__crc32c_init(&crc);
    if (sepx__crc32c_add(&crc, 0, bytes, head - 4) !=
        sepx__get32(bytes + head - 4))
        return sepx__results_damaged(msg, "the checksum of the head is wrong");
    if (sepx__get64(bytes + HEAD_FILE) != len)
        return sepx_fail(msg, SEPX_EDATA,
                         "%zu bytes long, not %llu; the file is truncated or "
                         "damaged, make it again",
                         len,
                         (unsigned long long)sepx__get64(bytes + HEAD_FILE));
    return SEPX_OK;
}

/* `metrics` names, one after the other, in exactly `len` bytes. */
static enum sepx_err
read_names(struct sepx_results *r, const char *at, size_t len,
           struct sepx_msg *msg)
{
    size_t from = 0;

    r->names = sepx__calloc(len + 1, 1);
    r->name = sepx__calloc(r->metrics + (size_t)1, sizeof(*r->name));
    if (!r->names || !r->name)
        return SEPX_ENOMEM;
    memcpy(r->names, at, len);
    for (uint32_t i = 0; i < r->metrics; i++) {
        size_t size = strlen(r->names + from) + 1;

        r->name[i] = r->names + from;
        from += size;
        if (from > len || size == 1)
            return sepx__results_damaged(msg, "a metric has no name");
    }
    return from == len ? SEPX_OK
                       : sepx__results_damaged(msg, "more names than metrics");
}

static enum sepx_err
read_head(struct sepx_results *r, struct sepx_msg *msg)
{
    uint32_t head = sepx__get32(r->bytes + HEAD_BYTES);
    uint32_t names = sepx__get32(r->bytes + HEAD_NAMES);
    uint32_t space = sepx__get32(r->bytes + HEAD_SPACE);
    const char *text = (const char *)r->bytes + HEAD_END;

    r->metrics = sepx__get32(r->bytes + HEAD_METRICS);
    if (r->metrics > SEPX_METRICS_MAX || !r->metrics ||
        HEAD_END + (uint64_t)names + space + 4 > head)
        return sepx__results_damaged(msg, "the head has no room for its names");
    r->space = sepx__calloc(space + (size_t)1, 1);
    if (!r->space)
        return SEPX_ENOMEM;
    memcpy(r->space, text + names, space);
    return read_names(r, text, names, msg);
}

/* Keys, columns, places and texts fill the rest of the file. */
static enum sepx_err
read_body(struct sepx_results *r, struct sepx_msg *msg)
{
    uint32_t head = sepx__get32(r->bytes + HEAD_BYTES);
    uint64_t left = r->len - head, graph = 16 + 8 * (uint64_t)r->metrics + 8;

    r->graphs = sepx__get32(r->bytes + HEAD_GRAPHS);
    if (!r->graphs)
        return sepx__results_damaged(msg, "no graphs");
    if (left < 8 || r->graphs > (left - 8) / graph)
        return sepx__results_damaged(msg, "more graphs than the file holds");
    r->keys = r->bytes + head;
    r->columns = r->keys + (size_t)16 * r->graphs;
    r->places = r->columns + (size_t)8 * r->graphs * r->metrics;
    r->texts = r->places + (size_t)8 * (r->graphs + (size_t)1);
    r->texts_len = r->len - (size_t)(r->texts - r->bytes);
    return SEPX_OK;
}

enum sepx_err
sepx_results_open_bytes(struct sepx_results **results, const void *bytes,
                        size_t len, struct sepx_msg *msg)
{
    struct sepx_results *made = sepx__calloc(1, sizeof(*made));
    enum sepx_err err;

    *results = NULL;
    if (!made)
        return SEPX_ENOMEM;
    made->bytes = bytes;
    made->len = len;
    err = check_head(bytes, len, msg);
    if (!err)
        err = read_head(made, msg);
    if (!err)
        err = read_body(made, msg);
    if (err)
        sepx_results_close(made);
    else
        *results = made;
    return err;
}

enum sepx_err
sepx_results_open(struct sepx_results **results, const char *path,
                  struct sepx_msg *msg)
{
    struct sepx__map map;
    enum sepx_err err =
        sepx__map_open(&map, path, "'sepx data table' makes tables", msg);

    *results = NULL;
    if (err)
        return err;
    err = sepx_results_open_bytes(results, map.bytes, map.len, msg);
    if (err) {
        sepx__map_close(&map);
        sepx_msg_prefix(msg, "%s", path);
    } else {
        (*results)->map = map;
    }
    return err;
}

void
sepx_results_close(struct sepx_results *results)
{
    if (!results)
        return;
    sepx__map_close(&results->map);
    sepx__free(results->space);
    sepx__free(results->names);
    sepx__free(results->name);
    sepx__free(results);
}

void
sepx_results_info(const struct sepx_results *r, struct sepx_results_info *info)
{
    *info = (struct sepx_results_info){
        .graphs = r->graphs,
        .metrics = r->metrics,
        .rows = sepx__get64(r->bytes + HEAD_ROWS),
        .skipped = sepx__get64(r->bytes + HEAD_SKIPPED),
        .repeated = sepx__get32(r->bytes + HEAD_REPEATED),
        .differing = sepx__get32(r->bytes + HEAD_DIFFERING),
        .file_bytes = r->len,
        .source_bytes = sepx__get64(r->bytes + HEAD_SOURCE),
        .source_crc32c = sepx__get32(r->bytes + HEAD_SUM),
        .space = r->space};
}

enum sepx_err
sepx_results_open_space(const struct sepx_results *r, struct sepx_space **space,
                        struct sepx_msg *msg)
{
    if (*r->space == '{')
        return sepx_space_open_text(space, r->space, strlen(r->space),
                                    "the table's space", msg);
    *space = NULL;
    if (strchr(r->space, '/') || strchr(r->space, '.')) /* no file of ours */
        return sepx__results_damaged(msg, "the space has no name");
    return sepx_space_open(space, r->space, msg);
}

/* ---- asking ---- */

const char *
sepx_results_metric(const struct sepx_results *r, uint32_t metric)
{
    return r->name[metric];
}

int
sepx_results_find_metric(const struct sepx_results *r, const char *name)
{
    for (uint32_t i = 0; i < r->metrics; i++)
        if (!strcmp(r->name[i], name))
            return (int)i;
    return -1;
}

struct sepx_key
sepx__results_key_at(const struct sepx_results *r, uint32_t entry)
{
    const unsigned char *at = r->keys + (size_t)16 * entry;

    return (struct sepx_key){sepx__get64(at), sepx__get64(at + 8)};
}

enum sepx_err
sepx_results_find(const struct sepx_results *r, uint32_t *entry, bool *known,
                  const struct sepx_space *space,
                  const struct sepx_graph *graph)
{
    struct sepx_graph room = {.names = graph->names};
    uint32_t low = 0, high = r->graphs;
    struct sepx_key key, at;
    enum sepx_err err = sepx__results_key(&key, &room, space, graph);

    sepx_graph_release(&room);
    *known = false;
    if (err)
        return err;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;

        at = sepx__results_key_at(r, middle);
        if (at.high < key.high || (at.high == key.high && at.low <= key.low))
            low = middle;
        else
            high = middle;
    }
    at = sepx__results_key_at(r, low);
    *entry = low;
    *known = at.high == key.high && at.low == key.low;
    return SEPX_OK;
}

double
sepx_results_get(const struct sepx_results *r, uint32_t entry, uint32_t metric)
{
    double value =
        sepx__get_double(r->columns + 8 * ((size_t)metric * r->graphs + entry));

    return isfinite(value) ? value : NAN;
}

void
sepx_results_range(const struct sepx_results *r, uint32_t metric,
                   struct sepx_results_range *range)
{
    *range = (struct sepx_results_range){.least = NAN, .most = NAN};
    for (uint32_t i = 0; i < r->graphs; i++) {
        double value = sepx_results_get(r, i, metric);

        if (isnan(value))
            continue;
        if (!range->known || value < range->least) {
            range->least = value;
            range->first_least = i;
            range->at_least = 0;
        }
        if (!range->known || value > range->most) {
            range->most = value;
            range->first_most = i;
            range->at_most = 0;
        }
        range->known++;
        range->at_least += value == range->least;
        range->at_most += value == range->most;
    }
}

enum sepx_err
sepx_results_graph(const struct sepx_results *r, struct sepx_graph *graph,
                   struct sepx_names *names, uint32_t entry,
                   struct sepx_msg *msg)
{
    uint64_t from = sepx__get64(r->places + (size_t)8 * entry);
    uint64_t to = sepx__get64(r->places + (size_t)8 * entry + 8);

    if (from > to || to > r->texts_len)
        return sepx__results_damaged(msg, "a graph lies outside of the file");
    return sepx_graph_read(graph, names, (const char *)r->texts + from,
                           (size_t)(to - from), SEPX_FORMAT_JSON, msg);
}
