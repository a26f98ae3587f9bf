/* SPDX-License-Identifier: Apache-2.0 */
/* sepx data: results of the benchmarks, and the cells they are about. */
#include "data.h"

#include <string.h>

#define AT(member) offsetof(struct data_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"out", 'o', OPTION_FILE, AT(out), "TABLE",
     .help = "import and build: the table to write"},
    {"nbnlp", 0, OPTION_FLAG, AT(nbnlp),
     .help = "import: the file has training logs of NAS-Bench-NLP, as JSON "
             "Lines"},
    {"nb101-test-sums", 0, OPTION_FILE, AT(test_sums), "FILE",
     .help = "build: mean test accuracies of all cells of NAS-Bench-101, as "
             "16-bit sums of three trials in order of rows"},
    {"seed", 0, OPTION_COUNT, AT(seed), "N", "1", .high = 1e15,
     .help = "build: of what is modelled"},
    {"csv", 0, OPTION_FLAG, AT(csv),
     .help = "cells: all of them, one a line: row, hash, vertices, matrix, "
             "operations"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "answer as JSON"},
    {0},
};

static const struct example examples[] = {
    {"data import nasbench_only108.tfrecord --out nb101.table",
     "the official file as a table, once"},
    {"data import --nbnlp wikitext2.jsonl --out nbnlp.table",
     "losses of recurrent cells"},
    {"data build --nb101-test-sums test_sum.u16 --out nb101.table",
     "a table from mean test accuracies; what belongs to trials is modelled"},
    {"data info nb101.table", "what a table holds, measured or modelled"},
    {"data verify nb101.table", "read it whole and check everything"},
    {"sample -n 3 | sepx data query nb101.table --json",
     "what is known of three random cells"},
    {"data cells --csv > cells.csv", "all 423,624 cells"},
    {"search --eval table:nb101.table", "search on real accuracies"},
    {0},
};

static const struct {
    const char *name;
    int (*run)(const struct call *call);
} actions[] = {
    {"import", data_import},
    {"build", data_build},
    {"info", data_info},
    {"verify", data_verify},
    {"query", data_query},
    {"cells", data_cells},
};
static const char *const names[] = {"import", "build",  "info", "verify",
                                    "query", "cells", NULL};
/* clang-format on */

void
data_print_hash(char text[33], const unsigned char hash[16])
{
    static const char digits[] = "0123456789abcdef";

    for (unsigned i = 0; i < 32; i++)
        text[i] = digits[hash[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text[32] = '\0';
}

int
data_one_file(const struct call *call)
{
    if (call->n_operands == 2)
        return CLI_DONE;
    return cli_usage("data", "%s takes one file, not %u", call->operand[0],
                     call->n_operands - 1);
}

static int
run(const struct call *call)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (!strcmp(call->operand[0], actions[i].name))
            return actions[i].run(call);
    return cli_unknown("data", "action", call->operand[0], names);
}

static const char *const synopsis[] = {
    "import FILE.tfrecord --out TABLE",
    "import --nbnlp FILE.jsonl --out TABLE",
    "build --nb101-test-sums FILE --out TABLE",
    "info TABLE",
    "verify TABLE",
    "query TABLE [GRAPHS]",
    "cells [--csv]",
    NULL};

const struct command command_data = {
    .name = "data",
    .summary = "tables of benchmark results: make, check, ask",
    .synopsis = synopsis,
    .about =
        "import: reads the TFRecord files of NAS-Bench-101 "
        "(nasbench_only108, nasbench_full, and others of that layout) into "
        "one table; all checksums are verified, and nothing is written if "
        "one is wrong. Cells that the file does not have stay unknown. "
        "With --nbnlp, reads training logs of NAS-Bench-NLP into a table of "
        "losses.\n\n"
        "build: makes a table from the mean test accuracies alone. "
        "Validation accuracies and training times of single trials are drawn "
        "from a model, and the table says so.\n\n"
        "info, verify: what a table holds; whether every byte of it is as "
        "it was written.\n\n"
        "query: reads graphs of the space nb101 as JSON Lines (standard "
        "input unless named) and answers one line each: the benchmark's "
        "hash, the row in order of hashes, the mean test accuracy; with "
        "--json all that is known. Nodes may be in any order, and dead ones "
        "are pruned.\n\n"
        "cells: counts all cells of NAS-Bench-101, or lists them.",
    .options = options,
    .examples = examples,
    .operands = names,
    .least_operands = 1,
    .most_operands = 3,
    .settings_size = sizeof(struct data_settings),
    .run = run,
};
