/* SPDX-License-Identifier: Apache-2.0 */
/* What the formats of the benchmarks share. */
#ifndef SEPX_NAS_CELL_FORMATS_H
#define SEPX_NAS_CELL_FORMATS_H

#include "graph/formats/formats.h"
#include "space/internal.h"

/*
 * A graph as one of the named space: `out`, {0}, gets it with the space's
 * names. SEPX_EDATA if it is none, and the message says why. The caller
 * closes *space and releases `out`, after a failure too.
 */
SEPX_CHECKED enum sepx_err
sepx__cell_of(struct sepx_space **space, struct sepx_graph *out,
              const char *name, const struct sepx_graph *graph,
              struct sepx_msg *msg);

#endif
