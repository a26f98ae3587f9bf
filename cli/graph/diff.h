/* SPDX-License-Identifier: Apache-2.0 */
/* Two graphs in one drawing: what an edit path keeps, deletes and inserts. */
#ifndef SEPX_CLI_DIFF_H
#define SEPX_CLI_DIFF_H

#include "frame/cli.h"

/*
 * Nodes of the first graph keep their numbers, inserted ones follow. {0} is
 * empty, diff_release() ends it.
 */
struct diff {
    struct sepx_graph both;
    const struct sepx_dot_mark **node, **edge; /* NULL: unchanged */
    int32_t *node_was, *edge_was; /* labels before the edits, or -1 */
    uint32_t *number;             /* of each node, as texts have it */
    uint32_t *hidden;  /* how many unchanged nodes it stands for, or 0 */
    uint32_t left_out; /* nodes that are not drawn at all */
};

/* `diff` is empty. `map` as sepx_path_from_map() wants it. */
SEPX_CHECKED enum sepx_err
diff_make(struct diff *diff, const struct sepx_graph *a,
          const struct sepx_graph *b, const int16_t *map, bool ignore_labels);
void diff_release(struct diff *diff);
/* Leave out nodes that are more than `around` edges away from an edit. */
SEPX_CHECKED enum sepx_err diff_limit(struct diff *diff, uint32_t around);
/* Have connected unchanged nodes that touch no edit be one box. */
SEPX_CHECKED enum sepx_err diff_collapse(struct diff *diff);
/* One graph, `diff` is empty; nodes one behind the other are one box. */
SEPX_CHECKED enum sepx_err diff_fold(struct diff *diff,
                                     const struct sepx_graph *graph);
/* Set what a drawing of diff->both shows of it. */
void diff_style(const struct diff *diff, struct sepx_dot_style *style);

#endif
