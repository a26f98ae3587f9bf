/* SPDX-License-Identifier: Apache-2.0 */
/* sepx ged: the distance between two graphs; pairs and matrix next door. */
#include "graph/ged_command.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct ged_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"path", 'p', OPTION_FLAG, AT(path),
     .help = "print the edit path too, one edit per line"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "print JSON, one line for each pair"},
    {"pairs", 0, OPTION_FILE, AT(pairs), "FILE",
     .help = "read pairs, one JSON object per line with 'a', 'b' and perhaps "
             "'pinned' ('-': standard input); prints one line for each"},
    {"matrix", 0, OPTION_FILE, AT(matrix), "FILE",
     .help = "read graphs, one per line, and print all distances among them"},
    {"csv", 0, OPTION_FLAG, AT(csv),
     .help = "print the matrix as CSV, with the names of the graphs"},
    {"nearest", 0, OPTION_COUNT, AT(nearest), "K", .high = 1e15,
     .help = "find the K graphs of DATABASE nearest to each graph of QUERY; "
             "prints distance, number (from 1) and name"},
    {"within", 0, OPTION_NUMBER, AT(within), "D", .high = 1e15,
     .help = "find all graphs of DATABASE within distance D of each graph of "
             "QUERY"},
    {"index", 0, OPTION_FILE, AT(index), "FILE",
     .help = "write an index of the graphs in FILE, one per line, for "
             "--nearest and --within"},
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "where --index writes; with --matrix, draw the graphs as a tree "
             "and as points on a map here, as SVG"},
    {"progress-json", 0, OPTION_FLAG, AT(progress_json),
     .help = "with --json, print a line for each bound that improves, before "
             "the answer"},
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
     .help = "stop each pair after this time (0: never); the answer is then "
             "a proven lower and upper bound"},
    {"at-most", 0, OPTION_NUMBER, AT(at_most), "T", .high = 1e15,
     .help = "only decide whether the distance is at most T: 'yes' or 'no' "
             "(exit 0 either way), 'unknown' if that is not proven in time"},
    {"all-maps", 0, OPTION_FLAG, AT(all_maps),
     .help = "print every optimal node map too, and their number"},
    {"most-maps", 0, OPTION_COUNT, AT(most_maps), "N", "100", .high = 1e15,
     .help = "print at most N of them; all are counted"},
    {"root", 0, OPTION_LIST, AT(root), "I:J,...",
     .help = "node I of A becomes node J of B, in every map; may be repeated"},
    {"map", 0, OPTION_FILE, AT(map), "FILE",
     .help = "start from a map: the node of B for each node of A, or null, as "
             "a JSON array or in an answer of --json"},
    {"price", 0, OPTION_FLAG, AT(price),
     .help = "only print the cost of the map given by --map"},
    {"normalize", 0, OPTION_FLAG, AT(normalize),
     .help = "print 2 d / (w + d), from 0 to 1, for a distance of d, where w is "
             "the cost of deleting all of A and inserting all of B"},
    {"threads", 0, OPTION_COUNT, AT(threads), "N", .high = 1024,
     .help = "number of threads, 0 for one per processor; unless given, two "
             "graphs and --matrix use all processors and --pairs, which "
             "measures times, one. The answers do not depend on it"},
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
    {"ged --matrix networks.jsonl --normalize --csv -o families.svg",
     "the same as CSV, and drawn"},
    {"ged --index molecules.jsonl -o molecules.index",
     "a database for many searches"},
    {"ged --nearest 10 query.json molecules.index",
     "the ten graphs nearest to one"},
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
each_map(struct maps *maps, const struct ged_answer *answer,
         const struct sepx_ged_limits *limits, uint64_t *count, bool *all)
{
    struct ged_follow follow = {.title = "all optimal maps, distance",
                                .began = sepx_clock()};
    struct sepx_ged_limits time_only = {
        .seconds = limits->seconds, .watch = ged_watch, .context = &follow};
    enum sepx_err err =
        sepx_ged_optima(answer->ged, count, answer->ready_a, answer->ready_b,
                        &time_only, visit, maps);

    *all = !err;
    return err == SEPX_ELIMIT || err == SEPX_ESTOPPED ? SEPX_OK : err;
}

/* ---- one pair ---- */

struct pair {
    const struct ged_settings *settings;
    struct ged_setup setup;
    struct sepx_graph a, b;
    struct sepx_ged *ged;
    struct ged_given given;
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
        err = each_map(&maps, &pair->answer, &pair->setup.limits, &count, &all);
        sepx_json_close(&w, ']');
        sepx_json_add_count(&w, "n_maps", count);
        sepx_json_add_bool(&w, "all_maps", all);
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

    err = each_map(&maps, &pair->answer, &pair->setup.limits, &count, &all);
    out_print(&pair->out, "%s%llu optimal map%s\n", all ? "" : "at least ",
              (unsigned long long)count, count == 1 ? "" : "s");
    return err;
}

static const char *
why_not_exact(const struct sepx_ged_result *result)
{
    switch (result->end) {
    case SEPX_GED_STOPPED:
        return "stopped";
    case SEPX_GED_SIZE:
        return "not exact, the search needs more memory than it may take "
               "(1 GiB)";
    default:
        return "not exact, the time limit came first; raise --time-limit";
    }
}

static enum sepx_err
write_text(struct pair *pair)
{
    const struct ged_settings *settings = pair->settings;
    enum sepx_err err = answer_print(&pair->out, &pair->answer, settings);

    if (!err && !settings->price)
        ged_hint_ends(&pair->answer, &pair->setup.options);
    if (!pair->answer.result.exact && isnan(settings->at_most) &&
        !settings->price)
        cli_say("ged",
                "%s; the bounds are proven, path and maps are the best found",
                why_not_exact(&pair->answer.result));
    if (settings->all_maps && !err)
        err = write_maps(pair);
    return err;
}

static enum sepx_err
solve(struct pair *pair, char **operand, struct sepx_msg *msg)
{
    struct ged_follow follow = {.title = "distance",
                                .began = sepx_clock(),
                                .json = pair->settings->progress_json};
    struct sepx_ged_limits limits = pair->setup.limits;
    struct sepx_names *names = pair->setup.names;
    enum sepx_err err;

    err = sepx_graph_read_file(&pair->a, names, operand[0], msg);
    if (!err)
        err = sepx_graph_read_file(&pair->b, names, operand[1], msg);
    if (!err)
        err = ged_check_alike(&pair->a, operand[0], &pair->b, operand[1], msg);
    if (!err) {
        ged_setup_meet(&pair->setup, &pair->a);
        ged_setup_meet(&pair->setup, &pair->b);
        ged_setup_warn(&pair->setup, "ged");
    }
    if (!err && pair->settings->map)
        err = ged_given_map(&pair->given, pair->settings->map, msg);
    if (!err)
        err = ged_given_check(&pair->given, &pair->a, &pair->b,
                              &pair->setup.options, msg);
    if (!err)
        err = sepx_ged_new(&pair->ged, &pair->setup.options);
    interrupt_catch();
    limits.threads = pair->settings->threads > 0
                         ? (unsigned)pair->settings->threads
                         : sepx_processors();
    limits.watch = ged_watch;
    limits.context = &follow;
    if (!err)
        err = answer_compute(&pair->answer, pair->ged, &limits);
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
    pair.answer.given = &pair.given;
    pair.answer.options = &pair.setup.options;
    pair.answer.price = pair.settings->price;
    pair.answer.normalize = pair.settings->normalize;
    err = ged_given_roots(&pair.given, call->settings, &msg);
    if (err == SEPX_EINVAL) {
        ged_given_release(&pair.given);
        return cli_usage("ged", "%s", msg.text);
    }
    if (!err)
        err = solve(&pair, call->operand, &msg);
    status = err ? cli_fail("ged", err, &msg) : out_flush(&pair.out);
    if (!status && interrupt_seen())
        status = CLI_STOPPED;
    out_release(&pair.out);
    answer_release(&pair.answer);
    ged_given_release(&pair.given);
    sepx_ged_free(pair.ged);
    sepx_graph_release(&pair.a);
    sepx_graph_release(&pair.b);
    return status;
}

/* ---- the command ---- */

/* What is asked for: one of these. */
enum mode { MODE_PAIR, MODE_PAIRS, MODE_MATRIX, MODE_SEARCH, MODE_INDEX };

static enum mode
mode_of(const struct ged_settings *settings)
{
    if (settings->pairs)
        return MODE_PAIRS;
    if (settings->matrix)
        return MODE_MATRIX;
    if (settings->index)
        return MODE_INDEX;
    return settings->nearest >= 0 || !isnan(settings->within) ? MODE_SEARCH
                                                              : MODE_PAIR;
}

static int
check_operands(const struct call *call, enum mode mode)
{
    static const char *const from[] = {[MODE_PAIRS] = "pairs",
                                       [MODE_MATRIX] = "matrix",
                                       [MODE_INDEX] = "index"};
    const struct ged_settings *settings = call->settings;
    const int modes = (settings->pairs != NULL) + (settings->matrix != NULL) +
                      (settings->index != NULL) +
                      (settings->nearest >= 0 || !isnan(settings->within));

    if (modes > 1 && settings->pairs && settings->matrix)
        return cli_usage("ged", "--pairs and --matrix exclude each other");
    if (modes > 1)
        return cli_usage("ged", "--pairs, --matrix, --index and --nearest or "
                                "--within exclude each other");
    if (mode == MODE_PAIR || mode == MODE_SEARCH) {
        if (call->n_operands != 2)
            return cli_usage("ged",
                             mode == MODE_PAIR
                                 ? "two graphs are needed, got %u"
                                 : "QUERY and DATABASE are needed, got %u",
                             call->n_operands);
        if (!strcmp(call->operand[0], "-") && !strcmp(call->operand[1], "-"))
            return cli_usage("ged",
                             "only one graph can come from standard input");
        return CLI_DONE;
    }
    if (call->n_operands)
        return cli_usage("ged",
                         "'%s' is one too many: the graphs come from --%s",
                         call->operand[0], from[mode]);
    return CLI_DONE;
}

/* Options that only some modes have. */
static int
check_extras(const struct ged_settings *settings, enum mode mode)
{
    if (settings->csv && (mode != MODE_MATRIX || settings->json))
        return cli_usage("ged", "--csv is for --matrix without --json");
    if (mode == MODE_INDEX && !settings->output)
        return cli_usage("ged", "--index needs a file to write: -o FILE");
    if (settings->output && mode != MODE_INDEX && mode != MODE_MATRIX)
        return cli_usage("ged", "--output is for --index and --matrix");
    if (settings->progress_json && (mode != MODE_PAIR || !settings->json))
        return cli_usage("ged", "--progress-json is for two graphs with "
                                "--json");
    if (settings->normalize && (mode == MODE_SEARCH || mode == MODE_INDEX))
        return cli_usage("ged", "--normalize is not for searches: nearest is "
                                "by distance");
    return CLI_DONE;
}

static int
check_usage(const struct call *call)
{
    const struct ged_settings *settings = call->settings;
    const enum mode mode = mode_of(settings);
    const bool many = mode != MODE_PAIR;
    int status = check_operands(call, mode);

    if (!status)
        status = check_extras(settings, mode);
    if (status)
        return status;
    if (many && settings->all_maps)
        return cli_usage("ged", "--all-maps is for two graphs");
    if (many && (settings->map || settings->root.count))
        return cli_usage("ged", "--%s is for two graphs%s",
                         settings->map ? "map" : "root",
                         settings->pairs ? "; a line may have 'roots'" : "");
    if (settings->price && !settings->map)
        return cli_usage("ged", "--price needs a map: --map FILE");
    if (settings->price && (settings->all_maps || !isnan(settings->at_most)))
        return cli_usage("ged", "--price looks for no other map: leave out "
                                "--all-maps and --at-most");
    if (many && mode != MODE_PAIRS &&
        (settings->path || !isnan(settings->at_most)))
        return cli_usage("ged",
                         "--%s prints distances only: leave out "
                         "--path and --at-most",
                         mode == MODE_MATRIX ? "matrix" : "nearest");
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
    else if (settings->index)
        status = ged_index_run(settings, &setup);
    else if (mode_of(settings) == MODE_SEARCH)
        status = ged_search_run(settings, &setup, call->operand);
    else
        status = run_pair(call, &setup);
    ged_setup_release(&setup);
    return status;
}

static const char *const synopsis[] = {
    "[OPTION...] A B",
    "[OPTION...] --pairs FILE [--json]",
    "[OPTION...] --matrix FILE [--json]",
    "[OPTION...] --nearest K QUERY DATABASE",
    "--index FILE --output FILE",
    NULL,
};

const struct command command_ged = {
    .name = "ged",
    .group = GROUP_DISTANCES,
    .summary = "exact graph edit distance, its node map and edit path",
    COMMAND_PARTS,
    .about =
        "The least number (or cost) of edits that turn graph A into graph B: "
        "insert, delete or relabel a node, insert, delete or relabel an edge. "
        "Deleting a node does not delete its edges for free, and reversing an "
        "edge costs two edits. Two undirected graphs are compared in the same "
        "way; each edge counts once, as do self-loops and each of parallel "
        "edges.\n\n"
        "Graphs are files in JSON, networkx node-link JSON or GraphML; '-' is "
        "standard input. The answer is exact unless --time-limit stops the "
        "search or the graphs are too large for a proof; then it is a proven "
        "lower and upper bound, written 'LOWER..UPPER'. Ctrl-C "
        "prints the bounds proven so far and exits with 130; a terminal shows "
        "them during the search.\n\n"
        "With --json, an answer has the fields 'ged' (null if not exact), "
        "'lower', 'upper', 'exact', 'map' (the node of B for each node of A, "
        "null for a deleted one), 'time_us' and 'prepare_us'. One that is not "
        "exact also has 'stopped', the reason: 'time', 'size' (too large for "
        "a proof), 'at-most' (that much is decided) or 'interrupt'.",
    .most_operands = 2,
    .settings_size = sizeof(struct ged_settings),
};
