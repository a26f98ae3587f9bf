/* SPDX-License-Identifier: Apache-2.0 */
/* How a child came about, for people and for tests. */
#include <string.h>

#include "vary/internal.h"

void
sepx_explain_release(struct sepx_explain *explain)
{
    sepx_path_release(&explain->path);
    sepx_graph_release(&explain->raw);
    sepx__free(explain->map);
    sepx__free(explain->taken);
    sepx__free(explain->dropped);
    sepx__free(explain->place);
    sepx__free(explain->raw_place);
    *explain = (struct sepx_explain){0};
}

static SEPX_CHECKED enum sepx_err
copy_path(struct sepx_path *to, const struct sepx_path *from)
{
    size_t size = (from->len + 1) * sizeof(*from->edit);

    to->edit = sepx__alloc(size);
    if (!to->edit)
        return SEPX_ENOMEM;
    if (from->len)
        memcpy(to->edit, from->edit, from->len * sizeof(*from->edit));
    to->len = from->len;
    to->n_first = from->n_first;
    to->n_insert = from->n_insert;
    return SEPX_OK;
}

enum sepx_err
sepx__explain_path(struct sepx_explain *explain, const struct sepx_cross *cross,
                   bool swapped)
{
    const struct sepx_path *path = &cross->path;
    size_t n = (size_t)path->n_first + path->n_insert + 1;
    enum sepx_err err;

    sepx_explain_release(explain);
    err = copy_path(&explain->path, path);
    explain->map = sepx__calloc(n, sizeof(*explain->map));
    explain->place = sepx__calloc(n, sizeof(*explain->place));
    explain->raw_place =
        sepx__calloc(n + SEPX__SPACE_NODES, sizeof(*explain->raw_place));
    explain->taken = sepx__calloc(path->len + 1, sizeof(*explain->taken));
    explain->dropped = sepx__calloc(path->len + 1, sizeof(*explain->dropped));
    if (err || !explain->map || !explain->place || !explain->raw_place ||
        !explain->taken || !explain->dropped) {
        sepx_explain_release(explain);
        return SEPX_ENOMEM;
    }
    memcpy(explain->map, cross->map, path->n_first * sizeof(*explain->map));
    explain->swapped = swapped;
    explain->distance = cross->length;
    explain->lower = cross->lower;
    explain->n_past = cross->past;
    return SEPX_OK;
}

static bool
lacks_endpoint(const struct sepx_edit *edit, const int16_t *place)
{
    bool edge = edit->kind == SEPX_EDGE_INSERT ||
                edit->kind == SEPX_EDGE_DELETE ||
                edit->kind == SEPX_EDGE_RELABEL;

    return edge &&
           (place[edit->from] == SEPX_NONE || place[edit->to] == SEPX_NONE);
}

/* A deleted edge whose node went too is done, not dropped. */
enum sepx_err
sepx__explain_draw(struct sepx_explain *explain, const struct sepx_cross *cross,
                   const struct sepx_graph *raw)
{
    const struct sepx_path *path = &cross->path;
    size_t n = (size_t)path->n_first + path->n_insert;

    explain->n_dropped = 0;
    for (size_t i = 0; i < path->len; i++) {
        explain->taken[i] = cross->take[i];
        explain->dropped[i] = cross->take[i] &&
                              path->edit[i].kind != SEPX_EDGE_DELETE &&
                              lacks_endpoint(&path->edit[i], cross->place);
        explain->n_dropped += explain->dropped[i];
    }
    memcpy(explain->place, cross->place, n * sizeof(*explain->place));
    explain->trials++;
    return sepx_graph_copy(&explain->raw, raw);
}

/* explain->raw_place leads from the raw child to the finished one. */
void
sepx__explain_verdict(struct sepx_explain *explain, enum sepx_verdict verdict)
{
    size_t n = (size_t)explain->path.n_first + explain->path.n_insert;

    explain->verdict = verdict;
    for (size_t i = 0; i < n && verdict == SEPX_ACCEPTED; i++)
        if (explain->place[i] != SEPX_NONE)
            explain->place[i] = explain->raw_place[explain->place[i]];
}
