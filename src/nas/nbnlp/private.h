/* SPDX-License-Identifier: Apache-2.0 */
/* Recurrent cells, beyond the public header: recipes as JSON trees. */
#ifndef SEPX_NBNLP_PRIVATE_H
#define SEPX_NBNLP_PRIVATE_H

#include "sepx/nbnlp.h"
#include "space/private.h"

/* The recipe of a valid graph; nodes that are no states become node_K. */
void sepx_recipe_put_json(struct sepx_json_writer *w,
                          const struct sepx_graph *graph);
/*
 * The graph of a recipe: a JSON object {name: {"op": ..., "input": [names]}},
 * names h_new_i being the new states ("inputs", and one name without
 * brackets, will do as well). `space` is an open "nbnlp". The order of a
 * node's inputs is not kept. SEPX_EDATA if it is no valid cell.
 */
SEPX_CHECKED enum sepx_err
sepx_recipe_read(struct sepx_graph *graph, const struct sepx_space *space,
                 const struct sepx_json *recipe, struct sepx_msg *msg);

#endif
