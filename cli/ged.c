/* SPDX-License-Identifier: Apache-2.0 */
/* sepx ged: the distance between two graphs; pairs and matrix next door. */
#include "ged.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct ged_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"path", 'p', OPTION_FLAG, AT(path),
     .help = "also the edit path, one edit a line"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "answer as JSON, one line for each pair"},
    {"pairs", 0, OPTION_FILE, AT(pairs), "FILE",
     .help = "read pairs, one JSON object with 'a', 'b' and perhaps 'pinned' "
             "a line ('-': standard input); answer a line each"},
    {"matrix", 0, OPTION_FILE, AT(matrix), "FILE",
     .help = "read graphs, one a line, and print all distances among them"},
    {"pinned", 0, OPTION_LIST, AT(pinned), "LABELS",
     .help = "labels whose nodes are never relabelled, separated by commas; "
             "may be repeated"},
    {"ignore-labels", 0, OPTION_FLAG, AT(ignore_labels),
     .help = "compare the edges alone: node labels and pins do not count"},
    {"costs", 0, OPTION_FILE, AT(costs), "FILE",
     .help = "costs of each kind of edit and tables of relabelling costs, as "
             "JSON (docs/formats.md)"},
    {"cost", 0, OPTION_LIST, AT(cost), "NAME=VALUE,...",
     .help = "single costs, such as node-insert=2,edge-relabel=0.5; every "
             "other edit costs 1"},
    {"time-limit", 't', OPTION_NUMBER, AT(seconds), "SECONDS", .high = 1e9,
     .help = "stop each pair after so long (0: never); the answer is then a "
             "proven lower and upper bound"},
    {"at-most", 0, OPTION_NUMBER, AT(at_most), "T", .high = 1e15,
     .help = "only decide whether the distance is at most T: 'yes' or 'no' "
             "(exit 0 either way), 'unknown' if that is not proven in time"},
    {"all-maps", 0, OPTION_FLAG, AT(all_maps),
     .help = "also every optimal node map, and how many there are"},
    {"most-maps", 0, OPTION_COUNT, AT(most_maps), "N", "100", .high = 1e15,
     .help = "print at most N of them; all are counted"},
    {"threads", 0, OPTION_COUNT, AT(threads), "N", .high = 1024,
     .help = "threads, 0 for one a processor; without it, --matrix takes all "
             "processors and --pairs, which measures times, one"},
    {0},
};

static const struct example examples[] = {
    {"ged a.json b.json", "the distance"},
    {"ged --path --pinned input,output a.json b.json",
     "with the edits; nodes labelled 'input' and 'output' keep their labels"},
    {"ged --time-limit 10 --json a.graphml b.json",
     "proven bounds if ten seconds are not enough"},
    {"ged --at-most 5 a.json b.json", "a yes or no, often much sooner"},
    {"ged --pairs pairs.jsonl --json > answers.jsonl",
     "many pairs, with the time of each"},
    {"ged --matrix cells.jsonl --json", "all distances among many graphs"},
    {0},
};
/* clang-format on */

/* ---- all optimal maps ---- */

struct maps {
    struct sepx_json_writer *json; /* NULL: text */
    struct out *out;
    uint32_t n_nodes;
    int64_t room;
};

static bool
visit(void *context, const int16_t *map)
{
    struct maps *maps = context;

    if (maps->room <= 0)
        return true;
    maps->room--;
    if (maps->json) {
        map_put_json(maps->json, map, maps->n_nodes);
        return true;
    }
    for (uint32_t i = 0; i < maps->n_nodes; i++) {
        if (map[i] == SEPX_NONE)
            out_print(maps->out, "%s%u:-", i ? " " : "", i);
        else
            out_print(maps->out, "%s%u:%d", i ? " " : "", i, map[i]);
    }
    out_print(maps->out, "\n");
    return true;
}

/* *count gets the number of maps, *all whether that is all of them. */
static enum sepx_err
each_map(struct maps *maps, struct sepx_ged *ged,
         const struct ged_answer *answer, const struct sepx_ged_limits *limits,
         uint64_t *count, bool *all)
{
    struct sepx_ged_limits time_only = {.seconds = limits->seconds};
    struct sepx_ged_graph *a = NULL, *b = NULL;
    enum sepx_err err;

    err = sepx_ged_prepare(ged, &a, answer->a);
    if (!err)
        err = sepx_ged_prepare(ged, &b, answer->b);
    if (!err)
        err = sepx_ged_optima(ged, count, a, b, &time_only, visit, maps);
    *all = !err;
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    return err == SEPX_ELIMIT ? SEPX_OK : err;
}

/* ---- one pair ---- */

struct pair {
    const struct ged_settings *settings;
    struct ged_setup setup;
    struct sepx_graph a, b;
    struct sepx_ged *ged;
    struct ged_answer answer;
    struct out out;
};

static enum sepx_err
write_json(struct pair *pair)
{
    const struct ged_settings *settings = pair->settings;
    struct sepx_json_writer w;
    uint64_t count = 0;
    bool all = false;
    enum sepx_err err;

    sepx_json_begin(&w, &pair->out.text);
    sepx_json_open(&w, '{');
    err = answer_put_json(&w, &pair->answer, settings);
    if (settings->all_maps && !err) {
        struct maps maps = {&w, NULL, pair->a.n_nodes, settings->most_maps};

        sepx_json_key(&w, "maps");
        sepx_json_open(&w, '[');
        err = each_map(&maps, pair->ged, &pair->answer, &pair->setup.limits,
                       &count, &all);
        sepx_json_close(&w, ']');
        sepx_json_key(&w, "n_maps");
        sepx_json_put_integer(&w, (int64_t)count);
        sepx_json_key(&w, "all_maps");
        sepx_json_put_bool(&w, all);
    }
    sepx_json_close(&w, '}');
    if (!err)
        err = sepx_json_done(&w);
    out_print(&pair->out, "\n");
    return err;
}

static enum sepx_err
write_maps(struct pair *pair)
{
    struct maps maps = {NULL, &pair->out, pair->a.n_nodes,
                        pair->settings->most_maps};
    uint64_t count = 0;
    bool all;
    enum sepx_err err;

    err = each_map(&maps, pair->ged, &pair->answer, &pair->setup.limits, &count,
                   &all);
    out_print(&pair->out, "%s%llu optimal map%s\n", all ? "" : "at least ",
              (unsigned long long)count, count == 1 ? "" : "s");
    return err;
}

static enum sepx_err
write_text(struct pair *pair)
{
    const struct ged_settings *settings = pair->settings;
    enum sepx_err err = answer_print(&pair->out, &pair->answer, settings);

    if (!pair->answer.result.exact && isnan(settings->at_most))
        cli_say("ged", "not exact: the bounds are proven, path and maps are "
                       "the best found");
    if (settings->all_maps && !err)
        err = write_maps(pair);
    return err;
}

static enum sepx_err
solve(struct pair *pair, char **operand, struct sepx_msg *msg)
{
    struct sepx_names *names = pair->setup.names;
    enum sepx_err err;

    err = sepx_graph_read_file(&pair->a, names, operand[0], msg);
    if (!err)
        err = sepx_graph_read_file(&pair->b, names, operand[1], msg);
    if (!err)
        err = sepx_ged_new(&pair->ged, &pair->setup.options);
    if (!err)
        err = answer_compute(&pair->answer, pair->ged, &pair->setup.limits);
    if (!err)
        err = pair->settings->json ? write_json(pair) : write_text(pair);
    return err;
}

static int
run_pair(const struct call *call, struct ged_setup *setup)
{
    struct pair pair = {.settings = call->settings, .setup = *setup};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status;

    pair.answer.a = &pair.a;
    pair.answer.b = &pair.b;
    err = solve(&pair, call->operand, &msg);
    status = err ? cli_fail("ged", err, &msg) : out_flush(&pair.out);
    out_release(&pair.out);
    sepx_ged_free(pair.ged);
    sepx_graph_release(&pair.a);
    sepx_graph_release(&pair.b);
    return status;
}

/* ---- the command ---- */

static int
check_usage(const struct call *call)
{
    const struct ged_settings *settings = call->settings;
    bool many = settings->pairs || settings->matrix;

    if (settings->pairs && settings->matrix)
        return cli_usage("ged", "--pairs and --matrix exclude each other");
    if (many && call->n_operands)
        return cli_usage("ged",
                         "'%s' is one too many: the graphs come from "
                         "--%s",
                         call->operand[0],
                         settings->pairs ? "pairs" : "matrix");
    if (!many && call->n_operands != 2)
        return cli_usage("ged", "two graphs are needed, got %u",
                         call->n_operands);
    if (many && settings->all_maps)
        return cli_usage("ged", "--all-maps is for two graphs");
    if (settings->matrix && (settings->path || !isnan(settings->at_most)))
        return cli_usage("ged", "--matrix prints distances only: leave out "
                                "--path and --at-most");
    if (!many && !strcmp(call->operand[0], "-") &&
        !strcmp(call->operand[1], "-"))
        return cli_usage("ged", "only one graph can come from standard input");
    return CLI_DONE;
}

static int
run(const struct call *call)
{
    const struct ged_settings *settings = call->settings;
    struct ged_setup setup = {0};
    struct sepx_msg msg = {0};
    int status = check_usage(call);
    enum sepx_err err;

    if (status)
        return status;
    err = ged_setup_init(&setup, settings, &msg);
    if (err == SEPX_EINVAL)
        status = cli_usage("ged", "%s", msg.text);
    else if (err)
        status = cli_fail("ged", err, &msg);
    else if (settings->pairs)
        status = ged_pairs_run(settings, &setup);
    else if (settings->matrix)
        status = ged_matrix_run(settings, &setup);
    else
        status = run_pair(call, &setup);
    ged_setup_release(&setup);
    return status;
}

static const char *const synopsis[] = {
    "[OPTION...] A B",
    "[OPTION...] --pairs FILE [--json]",
    "[OPTION...] --matrix FILE [--json]",
    NULL,
};

const struct command command_ged = {
    .name = "ged",
    .summary = "exact graph edit distance, its node map and edit path",
    .synopsis = synopsis,
    .about =
        "The least number (or cost) of edits that turn graph A into graph B: "
        "insert, delete or relabel a node, insert, delete or relabel an edge. "
        "Deleting a node does not delete its edges for free, and reversing an "
        "edge costs two edits.\n\n"
        "Graphs are files in JSON, networkx node-link JSON or GraphML; '-' is "
        "standard input. The answer is exact unless --time-limit stops the "
        "search or the graphs are too large for a proof; then it is a proven "
        "lower and upper bound, written 'LOWER..UPPER'.\n\n"
        "With --json, an answer has the fields 'ged' (null if not exact), "
        "'lower', 'upper', 'exact', 'map' (the node of B for each node of A, "
        "null for a deleted one), 'time_us' and 'prepare_us'.",
    .options = options,
    .examples = examples,
    .most_operands = 2,
    .settings_size = sizeof(struct ged_settings),
    .run = run,
};
