/* SPDX-License-Identifier: Apache-2.0 */
/* What makes two graphs one in a table. */
#include "results/internal.h"
#include "space/internal.h"

enum sepx_err
sepx__results_key(struct sepx_key *key, struct sepx_graph *room,
                  const struct sepx_space *space,
                  const struct sepx_graph *graph)
{
    enum sepx_err err;

    if (space->ops->unconnected)
        return sepx_graph_canon(graph, NULL, key);
    err = sepx_space_prune(space, room, graph);
    return err ? err : sepx_graph_canon(room, NULL, key);
}
