/* SPDX-License-Identifier: Apache-2.0 */
/* What the targets share: a check that stops the fuzzer, and round trips. */
#ifndef SEPX_FUZZ_H
#define SEPX_FUZZ_H

#include "library.h"

#define REQUIRE(condition) \
    do { \
        if (!(condition)) \
            __builtin_trap(); \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A refusal is one of bad data or of a limit, and says why. */
void require_refusal(enum sepx_err err, const struct sepx_msg *msg);
/* Nodes and edges are in range and in order. */
void require_valid(const struct sepx_graph *graph);
/* Written as JSON and read again, the graph is the same. */
void require_round_trip(const struct sepx_graph *graph);
/*
 * Use what follows the first byte; where that is odd and at least `least`
 * bytes follow, `seal` first makes checksums and lengths in a copy right.
 */
void use_sealed(const uint8_t *data, size_t size, size_t least,
                void (*seal)(uint8_t *bytes, size_t len),
                void (*use)(const uint8_t *bytes, size_t len));

#endif
