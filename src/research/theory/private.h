/* SPDX-License-Identifier: Apache-2.0 */
/* Theory, beyond the public header: records. */
#ifndef SEPX_THEORY_PRIVATE_H
#define SEPX_THEORY_PRIVATE_H

#include "sepx/theory.h"
#include "vary/private.h"

/* The setting as one JSON object, defaults resolved. */
void sepx_theory_put_json(struct sepx_json_writer *w,
                          const struct sepx_theory *at);
/* One object: the setting, the names, and the same rows as objects. */
void sepx_theory_grid_put_json(struct sepx_json_writer *w,
                               const struct sepx_theory_grid *grid);

#endif
