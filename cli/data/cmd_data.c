/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data: results of benchmarks, and the graphs they are about. */
#include "data/data_command.h"

#include <string.h>

#define AT(member) offsetof(struct data_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"out", 'o', OPTION_FILE, AT(out), "TABLE",
     .help = "table, import and build: the table to write"},
    {"space", 's', OPTION_TEXT, AT(space), "SPACE", .words = WORDS_SPACES,
     .help = "table: the space of the graphs, a name or FILE.json"},
    {"graph", 0, OPTION_TEXT, AT(graph), "KEY",
     .help = "table: the key or column of the graph; otherwise graph, arch "
             "or genotype, or a row's own nodes and edges"},
    {"metrics", 0, OPTION_TEXT, AT(metrics), "NAMES",
     .help = "table: the metrics to keep, separated by commas; otherwise all "
             "numbers"},
    {"once", 0, OPTION_FLAG, AT(once),
     .help = "table: a graph whose rows have different values is an error; "
             "otherwise they are averaged"},
    {"skip", 0, OPTION_FLAG, AT(skip),
     .help = "table: leave rows out whose graph is not of the space; "
             "otherwise they are errors"},
#if SEPX_NAS
    {"nbnlp", 0, OPTION_FLAG, AT(nbnlp),
     .help = "import: the file has training logs of NAS-Bench-NLP, as JSON "
             "Lines"},
    {"nb101-test-sums", 0, OPTION_FILE, AT(test_sums), "FILE",
     .help = "build: mean test accuracies of all cells of NAS-Bench-101, as "
             "16-bit sums of three trainings in order of rows"},
    {"seed", 0, OPTION_SEED, AT(seed), "N", "1",
     .help = "build: seed of what is modelled"},
    {"csv", 0, OPTION_FLAG, AT(csv),
     .help = "cells: list all of them, one per line: row, hash, vertices, "
             "matrix, operations"},
#endif
    {"json", 'j', OPTION_FLAG, AT(json), .help = "print JSON"},
    {0},
};

static const struct example examples[] = {
    {"data table --space mine.json rows.csv --out mine.table",
     "graphs with any metrics as a table"},
    {"search --space mine.json --eval table:mine.table,score=-accuracy",
     "search on it; the minus says that larger is better"},
#if SEPX_NAS
    {"data import nasbench_only108.tfrecord --out nb101.table",
     "the official file as a table, once"},
    {"data import --nbnlp wikitext2.jsonl --out nbnlp.table",
     "losses of recurrent cells"},
    {"data build --nb101-test-sums test_sum.u16 --out nb101.table",
     "a table from mean test accuracies; single trainings are modelled"},
    {"data info nb101.table", "what a table holds, measured or modelled"},
    {"data verify nb101.table", "read it whole and check everything"},
    {"sample -n 3 | sepx data query nb101.table --json",
     "what is known of three random cells"},
    {"data cells --csv > cells.csv", "all 423,624 cells"},
    {"search --eval table:nb101.table", "search on real accuracies"},
#endif
    {0},
};
/* clang-format on */

int
data_one_file(const struct call *call)
{
    if (call->n_operands == 2)
        return CLI_DONE;
    return cli_usage("data", "%s takes one file, not %u", call->operand[0],
                     call->n_operands - 1);
}

/* What belongs to a benchmark's own file, or says that it is none. */
#if SEPX_NAS
#define OTHERWISE(action) action
#else
#define OTHERWISE(action) action##_results
#endif

static bool
has_results(const struct call *call)
{
    return call->n_operands > 1 && sepx_results_is_file(call->operand[1]);
}

static int
info(const struct call *call)
{
    if (call->n_operands != 2)
        return data_one_file(call);
    return has_results(call) ? data_info_results(call)
                             : OTHERWISE(data_info)(call);
}

static int
verify(const struct call *call)
{
    if (call->n_operands != 2)
        return data_one_file(call);
    return has_results(call) ? data_verify_results(call)
                             : OTHERWISE(data_verify)(call);
}

static int
query(const struct call *call)
{
    if (call->n_operands < 2)
        return cli_usage("data", "query needs a table");
    return has_results(call) ? data_query_results(call)
                             : OTHERWISE(data_query)(call);
}

/* clang-format off */
#if SEPX_NAS
#define NAS_ACTIONS(X) \
    X("import", data_import) X("build", data_build) X("cells", data_cells)
#else
#define NAS_ACTIONS(X)
#endif
#define ACTIONS(X) \
    X("table", data_table) \
    X("info", info) \
    X("verify", verify) \
    X("query", query) \
    NAS_ACTIONS(X)
/* clang-format on */

#define X(word, function) {word, function},
static const struct {
    const char *name;
    int (*run)(const struct call *call);
} actions[] = {ACTIONS(X)};
#undef X
#define X(word, function) word,
static const char *const names[] = {ACTIONS(X) NULL};
#undef X

static int
run(const struct call *call)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (!strcmp(call->operand[0], actions[i].name))
            return actions[i].run(call);
    return cli_unknown("data", "action", call->operand[0], names);
}

/* clang-format off */
static const char *const synopsis[] = {
    "table --space SPACE ROWS --out TABLE",
#if SEPX_NAS
    "import FILE.tfrecord --out TABLE",
    "import --nbnlp FILE.jsonl --out TABLE",
    "build --nb101-test-sums FILE --out TABLE",
#endif
    "info TABLE",
    "verify TABLE",
    "query TABLE [GRAPHS]",
#if SEPX_NAS
    "cells [--csv]",
#endif
    NULL};
/* clang-format on */

const struct command command_data = {
    .name = "data",
    .group = GROUP_DATA,
    .summary = "make, check and query tables of benchmark results",
    COMMAND_PARTS,
    .about =
        "table: graphs with any metrics become a table. ROWS is JSON Lines "
        "or CSV: a graph, as JSON or as its benchmark's string, and numbers. "
        "Graphs that are isomorphic are one, dead nodes aside; their rows "
        "are averaged. What a metric is for is said when it is used: "
        "--eval table:TABLE,score=-accuracy,test=NAME,cost=NAME.\n\n"
#if SEPX_NAS
        "import: reads the TFRecord files of NAS-Bench-101 "
        "(nasbench_only108, nasbench_full, and others of that layout) into "
        "one table; all checksums are verified, and nothing is written if "
        "one is wrong. Cells that the file does not have stay unknown. "
        "With --nbnlp, reads training logs of NAS-Bench-NLP into a table of "
        "losses.\n\n"
        "build: makes a table from the mean test accuracies alone. "
        "Validation accuracies and training times of single trainings are "
        "drawn "
        "from a model, and the table says so.\n\n"
#endif
        "info, verify: what a table holds; whether every byte of it is as "
        "it was written.\n\n"
        "query: reads graphs of the table's space as JSON Lines (standard "
        "input unless named) and answers one line each: the metrics that "
        "are known, in the order of 'info', or with --json by their names. "
#if SEPX_NAS
        "Of a table of NAS-Bench-101: the benchmark's "
        "hash, the row in order of hashes, the mean test accuracy; with "
        "--json all that is known. Nodes may be in any order, and dead ones "
        "are pruned.\n\n"
        "cells: counts all cells of NAS-Bench-101, or lists them."
#endif
    ,
    .operands = names,
    .least_operands = 1,
    .most_operands = 3,
    .settings_size = sizeof(struct data_settings),
};
