/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NAS-Bench-201 (X. Dong, Y. Yang, ICLR 2020), the topology space of
 * NATS-Bench: four nodes and all six edges between them, each with one of
 * five operations, "none" among them. It needs nothing that a file could not
 * say, so it is the space of a file that every build has. The targets are
 * the cells of highest mean test accuracy after 200 epochs.
 */
#include "space/internal.h"

static const char *const target_names[] = {"cifar10", "cifar100",
                                           "imagenet16-120", NULL};

/* clang-format off */
#define TARGET(a, b, c, d, e, f) \
    "{\"nodes\": [\"input\", \"sum\", \"sum\", \"output\"],\n" \
    "       \"edges\": [[0, 1, \"" a "\"], [0, 2, \"" b "\"],\n" \
    "                 [1, 2, \"" c "\"], [0, 3, \"" d "\"],\n" \
    "                 [1, 3, \"" e "\"], [2, 3, \"" f "\"]]}"
#define SKIP "skip_connect"
#define C1 "nor_conv_1x1"
#define C3 "nor_conv_3x3"

static const char text[] =
    "{\n"
    "  \"format\": \"sepx-space\",\n"
    "  \"version\": 1,\n"
    "  \"description\": \"NAS-Bench-201: 6 edges, 5 operations\",\n"
    "  \"nodes\": {\n"
    "    \"input\": {\"role\": \"input\", \"count\": 1},\n"
    "    \"sum\": {\"count\": 2},\n"
    "    \"output\": {\"role\": \"output\", \"count\": 1}\n"
    "  },\n"
    "  \"edge_labels\": [\"none\", \"skip_connect\", \"nor_conv_1x1\",\n"
    "                  \"nor_conv_3x3\", \"avg_pool_3x3\"],\n"
    "  \"limits\": {\"nodes\": 4, \"edges\": 6},\n"
    "  \"acyclic\": true,\n"
    "  \"connected\": \"ignored\",\n"
    "  \"sample\": {\"nodes\": 4, \"edge_probability\": 1},\n"
    "  \"mutation\": {\"weights\": {\"relabel_edge\": 1}, \"changes\": 1},\n"
    "  \"targets\": {\n"
    "    \"cifar10\": " TARGET(C3, C3, C3, SKIP, C3, C1) ",\n"
    "    \"cifar100\": " TARGET(C3, C3, C3, SKIP, C3, C3) ",\n"
    "    \"imagenet16-120\": " TARGET(C1, C1, C3, SKIP, C3, C3) "\n"
    "  }\n"
    "}\n";
/* clang-format on */

const struct sepx__space_ops sepx__space_nb201 = {
    .info = {.name = "nb201",
             .summary = "NAS-Bench-201: 6 edges, 5 operations",
             .targets = target_names},
    .text = text,
};
