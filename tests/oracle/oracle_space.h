/* SPDX-License-Identifier: Apache-2.0 */
/* Validity in a space of a file, straight from its JSON and slowly. */
#ifndef SEPX_TESTS_SPACE_H
#define SEPX_TESTS_SPACE_H

#include "library.h"

/* The file is a correct one, whose defaults may be left out. */
bool oracle_space_valid(const struct sepx_json *file,
                        const struct sepx_graph *graph);

#endif
