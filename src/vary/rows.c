/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows cut short. Blocks that one parent has more of, one behind the other,
 * are one hunk which no cut along in-ports divides: whoever reads the last
 * block would have to read another one, and that edge is in neither parent.
 * No child of such parents lies on a shortest path. The nearest beside it
 * has a part of the row: a node of the row is its last, nodes that do not
 * lead to this one are left out, and who read them reads the last one
 * instead. Where the row must end as it does, since its end is of a kind that
 * there is once, its beginning is left out: all that leads to a node and the
 * node itself, and who read this one reads what the row begins behind. Each
 * in-port keeps its number of edges, so the rules about them hold. The
 * distances to the parents then add up to the path's length and 2 for each
 * edge that is led past what was left out.
 *
 * Nodes of a row are those that the path inserts, or those that it deletes,
 * whichever are more.
 */
#include <string.h>

#include "vary/internal.h"

struct place {
    uint32_t node, off;
    bool begins; /* what leads to the node is left out, not what follows */
};

struct row {
    struct sepx_cross *cross;
    bool inserts;   /* the row is the second parent's */
    bool begins;    /* the place's */
    bool *is_row;   /* by path node */
    bool *is_kept;  /* the same, of row nodes */
    bool *is_read;  /* by path node: reads what is left out */
    uint32_t *node; /* of the row, in a random order */
    struct place *place;
    uint32_t count; /* of the nodes */
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

/* Divide the row behind `last`: this one and what leads to it is one part. */
static void
divide(struct row *row, uint32_t nodes, uint32_t last)
{
    const struct sepx_path *path = &row->cross->path;
    const bool part = !row->begins;
    bool more = true;

    for (uint32_t i = 0; i < nodes; i++)
        row->is_kept[i] = !part;
    row->is_kept[last] = part;
    while (more) {
        more = false;
        for (size_t i = row->len; i-- > 0;) {
            const struct sepx_edit *edit = &path->edit[i];

            if (!is_edge(row, edit) || !row->is_row[edit->from] ||
                !row->is_row[edit->to] || row->is_kept[edit->from] == part ||
                row->is_kept[edit->to] != part)
                continue;
            row->is_kept[edit->from] = part;
            more = true;
        }
    }
}

/* The one node that the beginning reads; UINT32_MAX: none, or several. */
static uint32_t
read_by_beginning(const struct row *row)
{
    const struct sepx_path *path = &row->cross->path;
    uint32_t source = UINT32_MAX;

    for (size_t i = 0; i < row->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (!is_edge(row, edit) || !is_left_out(row, edit->to) ||
            is_left_out(row, edit->from))
            continue;
        if (source != UINT32_MAX && source != edit->from)
            return UINT32_MAX;
        source = edit->from;
    }
    return source;
}

/*
 * Whether the division behind `last` cannot be: a node that stays would lose a
 * reader, or something else than the last one of a beginning is read, or is
 * read by nodes that both parents have.
 */
static bool
is_torn(const struct row *row, const struct sepx_edit *edit, uint32_t last)
{
    const bool from_out = is_left_out(row, edit->from);
    const bool to_out = is_left_out(row, edit->to);

    if (!row->begins)
        return row->is_row[edit->from] && !from_out && edit->from != last &&
               to_out;
    return from_out && !to_out &&
           (edit->from != last || !row->is_row[edit->to]);
}

/*
 * Add the edges that lead past what is left out, behind `last` or before what
 * follows it. False if there are none, if it cannot be divided there, or if a
 * node would read the same one twice.
 */
static bool
lead_past(struct row *row, uint32_t nodes, uint32_t last)
{
    struct sepx_path *path = &row->cross->path;
    const uint32_t source = row->begins ? read_by_beginning(row) : last;

    if (source == UINT32_MAX)
        return false;
    memset(row->is_read, 0, nodes * sizeof(*row->is_read));
    path->len = row->len;
    for (size_t i = 0; i < row->len; i++) {
        const struct sepx_edit *edit = &path->edit[i];

        if (!is_edge(row, edit))
            continue;
        if (is_torn(row, edit, last))
            return false;
        if (is_left_out(row, edit->to) ||
            (!is_left_out(row, edit->from) && edit->from != source))
            continue;
        if (row->is_read[edit->to])
            return false;
        row->is_read[edit->to] = true;
        if (is_left_out(row, edit->from))
            path->edit[path->len++] = (struct sepx_edit){
                .kind = SEPX_EDGE_INSERT,
                .from = (uint16_t)source,
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
 * if the row is divided at `place`; UINT32_MAX if it cannot be.
 */
static uint32_t
cut_at(struct row *row, const struct place *place)
{
    const struct sepx_path *path = &row->cross->path;
    const uint32_t nodes = (uint32_t)path->n_first + path->n_insert;
    const uint32_t half = (uint32_t)(row->len + 1) / 2, quarter = half / 2;
    uint32_t taken, off;

    row->begins = place->begins;
    divide(row, nodes, place->node);
    if (!lead_past(row, nodes, place->node))
        return UINT32_MAX;
    taken = take_row(row);
    off = taken > half ? taken - half : half - taken;
    return off > quarter ? off - quarter : 0;
}

/*
 * The places to cut at: about half first; of those, the ends, as they were
 * drawn.
 */
static uint32_t
find_places(struct row *row)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < 2 * row->count; i++) {
        struct place new = {.node = row->node[i % row->count],
                            .begins = i >= row->count};
        uint32_t at = count;

        new.off = cut_at(row, &new);
        if (new.off == UINT32_MAX)
            continue;
        for (; at && row->place[at - 1].off > new.off; at--)
            row->place[at] = row->place[at - 1];
        row->place[at] = new;
        count++;
    }
    return count;
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
    row->place = sepx__calloc(2 * nodes, sizeof(*row->place));
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
    uint32_t count = 0;
    enum sepx_err err = make_room(&row);

    *found = false;
    if (!err) {
        find_row(&row, rng);
        count = find_places(&row);
    }
    for (uint32_t i = 0; i < count && !err && !*found; i++) {
        (void)cut_at(&row, &row.place[i]);
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
