/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces of files that tests share: easy, tight and odd ones. */
#ifndef SEPX_TESTS_CUSTOM_FILES_H
#define SEPX_TESTS_CUSTOM_FILES_H

#define SPACE_HEAD "{\"format\": \"sepx-space\", \"version\": 1,"
#define SPACE_ENDS \
    "\"i\": {\"role\": \"input\", \"count\": 1}," \
    "\"o\": {\"role\": \"output\", \"count\": 1}"

/* Chains and little else: each inner node has one edge in and one out. */
#define SPACE_CHAIN \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS \
    ", \"a\": {\"in\": 1, \"out\": 1}, \"b\": {\"in\": 1, \"out\": " \
    "1, \"count\": [2, 3]}}, \"limits\": {\"nodes\": [4, 9]}}"
/* Comparators of a sorting network: all degrees are fixed. */
#define SPACE_TIGHT \
    SPACE_HEAD "\"nodes\": {" \
               "\"i\": {\"role\": \"input\", \"count\": 6, \"out\": 1}," \
               "\"o\": {\"role\": \"output\", \"count\": 6, \"in\": 1}," \
               "\"c\": {\"in\": 2, \"out\": 2, \"count\": [4, 12]}}}"
/* Filters: cycles, nothing about paths, edge labels. */
#define SPACE_CYCLIC \
    SPACE_HEAD \
    "\"nodes\": {\"r\": {\"out\": [1, 3]}, \"c\": {\"in\": [1, 2]}," \
    "\"gnd\": {\"count\": 1, \"pinned\": true, \"in\": [1, null]}}," \
    "\"edge_labels\": [\"x\", \"y\", \"\"], \"acyclic\": false," \
    "\"connected\": \"ignored\"," \
    "\"limits\": {\"nodes\": [3, 8], \"edges\": [3, 14]}}"
/* Two groups, edges from one to the other, dead nodes go. */
#define SPACE_LINKED \
    SPACE_HEAD \
    "\"groups\": {\"one\": {\"nodes\": [2, 5], \"edges\": [1, 6]}," \
    "\"two\": {\"nodes\": [2, 6]}}, \"links\": [[\"one\", " \
    "\"two\"]], \"nodes\": {\"i\": {\"role\": \"input\", \"group\": " \
    "\"one\", \"count\": [1, 2]}, \"a\": {\"group\": \"one\"}, " \
    "\"b\": {\"group\": \"two\", \"in\": [1, 3]}, \"d\": {\"group\": " \
    "\"two\", \"count\": [0, 2]}, \"o\": {\"role\": \"output\", " \
    "\"group\": \"two\", \"count\": 1}}, \"limits\": {\"edges\": " \
    "[0, 12]}, \"prune\": true}"
/* Dead nodes stay; degrees and least counts are those of live ones. */
#define SPACE_DEAD \
    SPACE_HEAD \
    "\"nodes\": {" SPACE_ENDS \
    ", \"a\": {\"in\": [1, 2], \"count\": [1, 4]}, \"b\": " \
    "{\"out\": [1, 2]}}, \"limits\": {\"nodes\": [3, 7], \"edges\": " \
    "[2, 8]}, \"connected\": \"pruned\"}"

#define SPACE_FILES \
    SPACE_CHAIN, SPACE_TIGHT, SPACE_CYCLIC, SPACE_LINKED, SPACE_DEAD

#endif
