/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows cut short. Blocks that one parent has more of, one behind the other,
 * are one hunk which no cut along in-ports divides: whoever reads the last
 * block would have to read another one, and that edge is in neither parent.
 * No child of such parents lies on a shortest path. The nearest beside it
 * has a part of the row: a node of the row is its last, nodes that do not
 * lead to this one are left out, and who read them reads the last one
 * instead. Each in-port keeps its number of edges, so the rules about them
 * hold. The distances to the parents then add up to the path's length and 2
 * for each edge that is led past what was left out.
 *
 * Nodes of a row are those that the path inserts, or those that it deletes,
 * whichever are more.
 */
#include <string.h>

#include "vary/internal.h"

struct place {
    uint32_t node, off;
};

struct row {
    struct sepx_cross *cross;
    bool inserts;   /* the row is the second parent's */
    bool *is_row;   /* by path node */
    bool *is_kept;  /* the same, of row nodes: leads to the last one */
    bool *is_read;  /* by path node: reads what is left out */
    uint32_t *node; /* of the row, in a random order */
    struct place *place;
    uint32_t count; /* of these two */
    size_t len;     /* edits of the path without those that are added */
};

static bool
is_edge(const struct row *row, const struct sepx_edit *edit)
{
    return edit->kind == (row->inserts ? SEPX_EDGE_INSERT : SEPX_EDGE_DELETE);
}

static bool
is_node(const struct row *row, const struct sepx_edit *edit)
{
    return edit->kind == (row->inserts ? SEPX_NODE_INSERT : SEPX_NODE_DELETE);
}

static bool
is_left_out(const struct row *row, uint32_t node)
{
    return row->is_row[node] && !row->is_kept[node];
}

/* The nodes of the row, of the kind that there is more of. */
static void
find_row(struct row *row, struct sepx_rng *rng)
{
    const struct sepx_path *path = &row->cross->path;
    uint32_t inserted = 0, deleted = 0;

    for (size_t i = 0; i < path->len; i++) {
        inserted += path->edit[i].kind == SEPX_NODE_INSERT;
        deleted += path->edit[i].kind == SEPX_NODE_DELETE;
    }
    row->inserts = inserted >= deleted;
    for (size_t i = 0; i < path->len; i++) {
        if (!is_node(row, &path->edit[i]))
            continue;
        row->is_row[path->edit[i].node] = true;
        row->node[row->count++] = path->edit[i].node;
    }
    for (uint32_t i = row->count; i > 1; i--) {
        const uint32_t at = sepx_rng_below(rng, i), was = row->node[at];

        row->node[at] = row->node[i - 1];
        row->node[i - 1] = was;
    }
}

/* What leads to `last` within the row. */
static void
keep_before(struct row *row, uint32_t nodes, uint32_t last)
{
    const struct sepx_path *path = &row->cross->path;
    bool more = true;

    memset(row->is_kept, 0, nodes * sizeof(*row->is_kept));
    row->is_kept[last] = true;
    while (more) {
        more = false;
        for (size_t i = row->len; i-- > 0;) {
            const struct sepx_edit *edit = &path->edit[i];

            if (!is_edge(row, edit) || !row->is_row[edit->from] ||
                row->is_kept[edit->from] || !row->is_kept[edit->to])
                continue;
            row->is_kept[edit->from] = more = true;
        }
    }
}

/*
 * Add the edges that lead past what is left out. False if there are none, if
 * a node would read the last one twice, or if another one loses a reader.
 */
static bool
lead_past(struct row *row, uint32_t nodes, uint32_t last)
{
    struct sepx_path *path = &row->cross->path;

    memset(row->is_read, 0, nodes * sizeof(*row->is_read));
    path->len = row->len;
    for (size_t i = 0; i < row->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];
        const bool from_out = is_left_out(row, edit->from);

        if (!is_edge(row, edit) || !row->is_row[edit->from])
            continue;
        if (!from_out && edit->from != last && is_left_out(row, edit->to))
            return false;
        if (row->is_row[edit->to] || (!from_out && edit->from != last))
            continue;
        if (row->is_read[edit->to])
            return false;
        row->is_read[edit->to] = true;
        if (from_out)
            path->edit[path->len++] = (struct sepx_edit){
                .kind = SEPX_EDGE_INSERT,
                .from = (uint16_t)last,
                .to = edit->to,
                .new_label = row->inserts ? edit->new_label : edit->old_label};
    }
    return path->len > row->len;
}

/* All edits of an inserted row but what is left out; else only that. */
static uint32_t
take_row(const struct row *row)
{
    const struct sepx_path *path = &row->cross->path;
    uint32_t taken = 0;

    for (size_t i = 0; i < path->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];
        const bool out =
            is_node(row, edit)
                ? is_left_out(row, edit->node)
                : is_edge(row, edit) && (is_left_out(row, edit->from) ||
                                         is_left_out(row, edit->to));

        row->cross->take[i] = i >= row->len || out != row->inserts;
        taken += row->cross->take[i];
    }
    return taken;
}

/*
 * How much further than a quarter of the path the edits taken are from half,
 * if `last` is the last of the row; UINT32_MAX if it cannot be.
 */
static uint32_t
cut_after(struct row *row, uint32_t last)
{
    const struct sepx_path *path = &row->cross->path;
    const uint32_t nodes = (uint32_t)path->n_first + path->n_insert;
    const uint32_t half = (uint32_t)(row->len + 1) / 2, quarter = half / 2;
    uint32_t taken, off;

    keep_before(row, nodes, last);
    if (!lead_past(row, nodes, last))
        return UINT32_MAX;
    taken = take_row(row);
    off = taken > half ? taken - half : half - taken;
    return off > quarter ? off - quarter : 0;
}

/* The places to cut at: about half first, equally good ones by chance. */
static void
find_places(struct row *row, struct sepx_rng *rng)
{
    uint32_t count = 0;

    find_row(row, rng);
    for (uint32_t i = 0; i < row->count; i++) {
        const struct place new = {row->node[i], cut_after(row, row->node[i])};
        uint32_t at = count;

        if (new.off == UINT32_MAX)
            continue;
        for (; at && row->place[at - 1].off > new.off; at--)
            row->place[at] = row->place[at - 1];
        row->place[at] = new;
        count++;
    }
    row->count = count;
}

/* Room for an edge past the row to each of its readers. */
static SEPX_CHECKED enum sepx_err
make_room(struct row *row)
{
    struct sepx_cross *cross = row->cross;
    const size_t nodes = (size_t)cross->path.n_first + cross->path.n_insert + 1;
    struct sepx_edit *edit = sepx__alloc((row->len + nodes) * sizeof(*edit));
    enum sepx_err err = edit ? SEPX_OK : SEPX_ENOMEM;

    if (err)
        return err;
    memcpy(edit, cross->path.edit, row->len * sizeof(*edit));
    sepx__free(cross->path.edit);
    cross->path.edit = edit;
    err = sepx__cross_room(cross, row->len + nodes);
    row->is_row = sepx__calloc(3 * nodes, sizeof(*row->is_row));
    row->node = sepx__calloc(nodes, sizeof(*row->node));
    row->place = sepx__calloc(nodes, sizeof(*row->place));
    if (!err && (!row->is_row || !row->node || !row->place))
        err = SEPX_ENOMEM;
    if (err)
        return err;
    row->is_kept = row->is_row + nodes;
    row->is_read = row->is_kept + nodes;
    return SEPX_OK;
}

enum sepx_err
sepx__row_cut(struct sepx_cross *cross, bool *found,
              const struct sepx__parents *p, struct sepx_rng *rng)
{
    struct row row = {.cross = cross, .len = cross->path.len};
    enum sepx_err err = make_room(&row);

    *found = false;
    if (!err)
        find_places(&row, rng);
    for (uint32_t i = 0; i < row.count && !err && !*found; i++) {
        (void)cut_after(&row, row.place[i].node);
        err = sepx__cross_check(cross, found, p);
    }
    if (err || !*found)
        cross->path.len = row.len;
    cross->past = cross->path.len - row.len;
    sepx__free(row.place);
    sepx__free(row.node);
    sepx__free(row.is_row);
    return err;
}
