/* SPDX-License-Identifier: Apache-2.0 */
/* sepx bench: which benchmarks there are. */
#include "bench.h"

#include <string.h>

#define AT(member) offsetof(struct bench_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"quick", 0, OPTION_FLAG, AT(quick),
     .help = "fewer pairs and short time limits: seconds, not minutes"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {"seed", 0, OPTION_COUNT, AT(seed), "N", "1", .high = 1e15,
     .help = "seed of the pairs and of the Monte Carlo draws"},
    {"pairs", 0, OPTION_COUNT, AT(pairs), "N", "0", .high = 1e6,
     .help = "networks: measure N random pairs of each level; 0: all"},
    {"no-networkx", 0, OPTION_FLAG, AT(no_networkx),
     .help = "leave out the comparison with networkx"},
    {"no-numpy", 0, OPTION_FLAG, AT(no_numpy),
     .help = "leave out the comparison with numpy"},
    {"timeout", 0, OPTION_NUMBER, AT(timeout), "SECONDS", "5", 0.001, 1e6,
     .help = "processor time that networkx gets for each pair (at most 1 "
             "with --quick)"},
    {"python", 0, OPTION_FILE, AT(python), "PROGRAM", "/usr/bin/python3",
     .help = "the Python that has networkx and numpy"},
    {0},
};

static const struct example examples[] = {
    {"bench ged", "the whole table, under three minutes"},
    {"bench ged --quick --no-networkx --json", "some seconds, for a script"},
    {"bench networks --quick", "bounds of whole networks, some minutes"},
    {"bench search", "speed of the search methods"},
    {"bench data", "cells and tables of NAS-Bench-101"},
    {"bench eval", "the cost of starting programs as evaluators"},
    {"bench study", "resuming a study of 100,000 trials"},
    {"bench theory", "bounds of expected improvement, some seconds"},
    {0},
};

static const struct {
    const char *name;
    int (*run)(const struct bench_settings *settings);
} benchmarks[] = {
    {"data", bench_data_run},
    {"eval", bench_eval_run},
    {"ged", bench_ged_run},
    {"networks", bench_networks_run},
    {"search", bench_search_run},
    {"study", bench_study_run},
    {"theory", bench_theory_run},
};
static const char *const names[] = {"data", "eval", "ged", "networks", "search", "study", "theory", NULL};
/* clang-format on */

static int
run(const struct call *call)
{
    for (size_t i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        if (!strcmp(call->operand[0], benchmarks[i].name))
            return benchmarks[i].run(call->settings);
    }
    return cli_unknown("bench", "benchmark", call->operand[0], names);
}

static const char *const synopsis[] = {
    "[OPTION...] data|eval|ged|networks|search|study|theory", NULL};

const struct command command_bench = {
    .name = "bench",
    .group = GROUP_PAPER,
    .summary = "measure this machine, with networkx and numpy beside it",
    .synopsis = synopsis,
    .about =
        "data: the time to list all cells of NAS-Bench-101, to open a table "
        "of them (with made-up accuracies, of full size), and from a random "
        "graph to its row and to its accuracies. Figures are medians.\n\n"
        "eval: what an evaluation by a program costs, beside a bare loop of "
        "fork, exec and wait in the same run.\n\n"
        "ged: times of the exact graph edit distance by its value, for cells "
        "of 7 and 12 nodes, on prepared graphs; networkx's times for the same "
        "pairs in the same run; and how the time grows with the size of "
        "directed acyclic graphs, related and unrelated. Pairs are drawn from "
        "a fixed seed. Figures are medians. Where the folder data/ged/real is "
        "below $SEPX_SHARED or ../shared, a table of molecules and other real "
        "graphs follows, with figures of other solvers as they were "
        "reported.\n\n"
        "networks: bounds of all pairs of whole networks at three levels, a "
        "second of processor time each (about an hour; --quick or --pairs: a "
        "sample), beside a plain alignment of their orders, from "
        "data/networks in the same folder; for the pairs listed there also "
        "with their nodes shuffled.\n\n"
        "search: evaluations a second of each search method on each space, on "
        "one thread, and the time of one evaluation beside networkx's.\n\n"
        "study: processor time of sepx for each trial of a study whose "
        "evaluations cost next to nothing, and to resume a study of "
        "100,000 trials, to see how it stands and to verify it.\n\n"
        "theory: the time of all exact grids of bounds of expected "
        "improvement, and of a million Monte Carlo trials of single cells, "
        "with numpy's time for the same formula in the same run. Figures are "
        "the best of several repetitions.",
    .options = options,
    .examples = examples,
    .operands = names,
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct bench_settings),
    .run = run,
};
