/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as vectors of categorical variables, where a space offers it. */
#include "space/internal.h"

uint32_t
sepx_space_variables(const struct sepx_space *space)
{
    return space->ops->n_variables;
}

uint32_t
sepx_space_choices(const struct sepx_space *space, uint32_t variable)
{
    return variable < space->ops->n_variables
               ? space->ops->choices(space, variable)
               : 0;
}

const char *
sepx_space_variable(const struct sepx_space *space, uint32_t variable,
                    char *room)
{
    room[0] = '\0';
    if (variable < space->ops->n_variables)
        space->ops->variable(space, variable, room, 16);
    return room;
}

enum sepx_err
sepx_space_decode(const struct sepx_space *space, struct sepx_graph *graph,
                  bool *valid, const uint16_t *value, struct sepx_msg *msg)
{
    const struct sepx__space_ops *ops = space->ops;

    *valid = false;
    if (!ops->n_variables)
        return sepx_fail(msg, SEPX_EUNSUPPORTED,
                         "space %s has no vector encoding", ops->info.name);
    for (uint32_t i = 0; i < ops->n_variables; i++)
        if (value[i] >= ops->choices(space, i))
            return sepx_fail(msg, SEPX_EINVAL, "variable %u is %u, not 0..%u",
                             i, value[i], ops->choices(space, i) - 1);
    return ops->decode(space, graph, valid, value, msg);
}

enum sepx_err
sepx_space_encode(const struct sepx_space *space, uint16_t *value,
                  const struct sepx_graph *graph)
{
    struct sepx_graph stored = {0};
    struct sepx__rows rows;
    uint32_t order[SEPX__SPACE_NODES];
    bool valid;
    enum sepx_err err;

    if (!space->ops->n_variables)
        return SEPX_EUNSUPPORTED;
    err = sepx_space_check(space, &valid, graph, NULL);
    if (err || !valid)
        return err ? err : SEPX_EINVAL;
    sepx__rows_init(&rows, graph);
    err = sepx__arrange(space, order, graph, &rows, NULL, SEPX_ORDER_SMALLEST,
                        true, NULL);
    if (!err)
        err = sepx_graph_permute(&stored, graph, order);
    if (!err)
        err = space->ops->encode(space, value, &stored);
    sepx_graph_release(&stored);
    return err;
}
