/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spaces that a file describes. Such a space has a row of functions of its
 * own, filled in from the file; to all else it is a space like the others.
 */
#include "space/language/language.h"

static enum sepx_err
target(const struct sepx_space *space, struct sepx_graph *graph, size_t which)
{
    return sepx_graph_copy(graph, &custom_of(space)->target.at[which]);
}

static void
release(struct sepx_space *space)
{
    struct custom *c = space->state;

    sepx_graphs_release(&c->start);
    sepx_graphs_release(&c->target);
    for (size_t i = 0; i < c->n_texts; i++)
        sepx__free(c->text[i]);
    sepx__free(c->text);
    sepx__free(c->field);
    sepx__free(c);
    space->state = NULL;
}

static void
fill_row(struct custom *c)
{
    c->ops.label = c->label;
    c->ops.check = sepx__custom_check;
    c->ops.sample = sepx__custom_sample;
    c->ops.mutate = sepx__custom_mutate;
    c->ops.moves = sepx__custom_moves;
    c->ops.move = sepx__custom_move;
    c->ops.target = target;
    c->ops.release = release;
    c->ops.info.targets = c->target_name;
    c->ops.nodes_max = SEPX__WIDE_NODES;
    c->ops.check_wide = sepx__custom_check_wide;
    c->ops.mutate_wide = sepx__custom_mutate_wide;
}

/* ---- mutation that the file leaves open ---- */

static bool
has_partner(const struct custom *c)
{
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        for (uint16_t k = 0; k < i; k++)
            if (!c->label[i].pinned && !c->label[k].pinned &&
                c->label[i].group == c->label[k].group)
                return true;
    return false;
}

/* One change of any kind that can do something. */
static void
usual_mutation(struct custom *c)
{
    bool partner = has_partner(c);
    bool grows = c->nodes.min < c->sample.nodes.max;
    const double weight[N_CHANGES] = {
        [FLIP_EDGE] = 4,
        [MOVE_EDGE] = 2,
        [RELABEL_NODE] = partner ? 2 : 0,
        [SWAP_LABELS] = partner ? 1 : 0,
        [RELABEL_EDGE] = c->n_edge_labels > 1 ? 2 : 0,
        [INSERT_NODE] = grows ? 1 : 0,
        [DELETE_NODE] = grows ? 1 : 0,
    };

    for (unsigned i = 0; i < N_CHANGES && !c->mutation.given; i++)
        c->mutation.weight[i] = weight[i];
}

enum sepx_err
sepx__custom_open(struct sepx_space *space, const char *bytes, size_t len,
                  const char *name, struct sepx_msg *msg)
{
    struct custom *c = sepx__calloc(1, sizeof(*c));
    enum sepx_err err;

    if (!c)
        return SEPX_ENOMEM;
    fill_row(c);
    space->state = c;
    space->ops = &c->ops;
    c->ops.info.name = sepx__custom_keep(c, name);
    if (!c->ops.info.name)
        return SEPX_ENOMEM;
    err = sepx__custom_read(space, c, bytes, len, c->ops.info.name, msg);
    if (err)
        return err;
    c->ops.info.summary = c->description ? c->description : "";
    c->ops.nodes_max = (uint16_t)c->nodes.max;
    usual_mutation(c);
    sepx__custom_vectors(c);
    err = sepx__custom_settle(space, c, msg);
    if (err && err != SEPX_ENOMEM)
        sepx_msg_file(msg, name);
    return err;
}

const struct sepx_field_weight *
sepx_space_fields(const struct sepx_space *space, size_t *count)
{
    const struct custom *c = custom_of(space);

    *count = c ? c->n_fields : 0;
    return *count ? c->field : NULL;
}

const struct sepx_graph *
sepx_space_starts(const struct sepx_space *space, size_t *count)
{
    const struct custom *c = custom_of(space);

    *count = c ? c->start.count : 0;
    return *count ? c->start.at : NULL;
}
