/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-NLP: its recipes, and tables of the losses that its cells reached.
 *
 * Thread safety: an open table never changes and may be shared by all
 * threads.
 */
#ifndef SEPX_NBNLP_H
#define SEPX_NBNLP_H

#include "sepx/space.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The text of a table of losses, from JSON Lines of training logs: each with
 * a recipe ("recepie" or "recipe", an object or its text) and losses
 * ("min_val_loss" and "test_at_min_val", or arrays "val_losses" and
 * "test_losses"). Runs of isomorphic cells are averaged. Messages begin with
 * the line's number.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_losses_import(struct sepx_text *table, const struct sepx_space *space,
                   const char *bytes, size_t len, struct sepx_msg *msg);

/* An open table of losses; whole in memory. */
struct sepx_losses;

/* SEPX_EDATA if a checksum or a line is wrong. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_losses_open(struct sepx_losses **losses, const struct sepx_space *space,
                 const char *path, struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_losses_open_bytes(struct sepx_losses **losses,
                       const struct sepx_space *space, const char *bytes,
                       size_t len, struct sepx_msg *msg);
SEPX_API void sepx_losses_close(struct sepx_losses *losses);

struct sepx_loss {
    double validation, test; /* means of the runs; NaN: not known */
    uint32_t runs;           /* 0: the table does not have the cell */
};

SEPX_API SEPX_CHECKED enum sepx_err
sepx_losses_find(const struct sepx_losses *losses, struct sepx_loss *loss,
                 const struct sepx_graph *graph);
/* How many cells, and the smallest losses among them. */
SEPX_API size_t sepx_losses_count(const struct sepx_losses *losses);
SEPX_API struct sepx_loss sepx_losses_best(const struct sepx_losses *losses);
/* What it was made from, in words. */
SEPX_API const char *sepx_losses_description(const struct sepx_losses *losses);

#ifdef __cplusplus
}
#endif
#endif
