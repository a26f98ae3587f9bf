/* SPDX-License-Identifier: Apache-2.0 */
/* nb101 as a file, for people who want a space that is nearly so. */
#include "nas/nb101/nb101_internal.h"

/* clang-format off */
const char sepx__nb101_file[] =
    "{\n"
    "  \"format\": \"sepx-space\",\n"
    "  \"version\": 1,\n"
    "  \"description\": \"NAS-Bench-101: cells of 7 nodes, 3 operations\",\n"
    "  \"nodes\": {\n"
    "    \"input\": {\"role\": \"input\", \"count\": 1},\n"
    "    \"output\": {\"role\": \"output\", \"count\": 1},\n"
    "    \"conv3x3-bn-relu\": {},\n"
    "    \"conv1x1-bn-relu\": {},\n"
    "    \"maxpool3x3\": {}\n"
    "  },\n"
    "  \"limits\": {\"nodes\": [2, 7], \"edges\": [0, 9]},\n"
    "  \"acyclic\": true,\n"
    "  \"connected\": \"pruned\",\n"
    "  \"prune\": false,\n"
    "  \"repair\": false,\n"
    "  \"sample\": {\"nodes\": 7, \"edge_probability\": 0.5},\n"
    "  \"mutation\": {\n"
    "    \"fill_to\": 7,\n"
    "    \"each\": {\"flip_edge\": 0.14285714285714285, \"relabel_node\": 0.2}\n"
    "  },\n"
    "  \"targets\": {\n"
    "    \"optimum\": {\n"
    "      \"nodes\": [\"input\", \"conv1x1-bn-relu\", \"conv3x3-bn-relu\", \"maxpool3x3\",\n"
    "                \"conv3x3-bn-relu\", \"conv3x3-bn-relu\", \"output\"],\n"
    "      \"edges\": [[0, 1], [0, 2], [0, 5], [0, 6], [1, 5], [2, 3], [3, 4],\n"
    "                [4, 5], [5, 6]]\n"
    "    }\n"
    "  }\n"
    "}\n";
/* clang-format on */
