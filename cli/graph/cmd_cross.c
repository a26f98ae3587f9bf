/* SPDX-License-Identifier: Apache-2.0 */
/* sepx cross: children of two graphs, and how they came about. */
#include "graph/cross_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/picture.h"

/* Of the search tree of one distance: some tenths of a second. */
#define GED_NODES 50000

struct settings {
    struct experiment_settings common;
    const char *crossover, *output, *format;
    int64_t count;
    bool explain;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"crossover", 'x', OPTION_TEXT, AT(crossover), "NAME", "sep",
     .words = WORDS_CROSSOVERS,
     .help = "standard, matched, sep or path"},
    {"explain", 0, OPTION_FLAG, AT(explain),
     .help = "print the edit path too, which edits were taken, and the "
             "distances"},
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "draw parents and child here, .dot, .svg or .png"},
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT",
     .choices = picture_formats,
     .help = "format of the drawing: dot, svg or png; without --output, the "
             "drawing is printed instead of the child"},
    {"count", 'n', OPTION_COUNT, AT(count), "N", "1", 1, 1e9,
     .help = "number of children"},
    {"json", 'j', OPTION_FLAG, AT_COMMON(json),
     .help = "print one JSON object for each child, with all details"},
    SPACE_OPTION,
    RULE_OPTIONS,
    SEED_OPTION,
    {0},
};

static const struct example examples[] = {
    {"cross a.json b.json", "one child"},
    {"cross a.json b.json --explain -o cross.svg",
     "the edits between the parents, those that were taken, and a drawing"},
    {"cross -x standard -n 100 a.json b.json", "a hundred children"},
    {0},
};
/* clang-format on */

const char *
verdict_name(enum sepx_verdict verdict)
{
    switch (verdict) {
    case SEPX_ACCEPTED:
        return "accepted";
    case SEPX_DUPLICATE:
        return "duplicate";
    case SEPX_CYCLIC:
        return "cyclic";
    case SEPX_DANGLES:
        return "dangling";
    case SEPX_INVALID:
        return "invalid";
    }
    return "";
}

/* ---- one child ---- */

struct work {
    const struct settings *settings;
    struct experiment x;
    struct sepx_cross *cross;
    struct sepx_ged *ged;
    struct crossing crossing;
    struct out out;
    const char *format; /* of the drawing; NULL: none */
};

static enum sepx_err
read_parents(struct work *work, char **operand, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err; i++) {
        struct sepx_graph *graph = &work->crossing.parent[i];

        err = sepx_graph_read_file(graph, sepx_space_names(work->x.space),
                                   operand[i], msg);
        if (!err) {
            err = experiment_check(&work->x, graph, msg);
            if (err)
                sepx_msg_file(msg, operand[i]);
        }
    }
    return err;
}

static int
open_work(struct work *work, char **operand)
{
    struct sepx_costs costs = {SEPX_UNIT_COSTS};
    struct sepx_ged_options options_of_ged = {0};
    struct sepx_rules rules;
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status = experiment_rules(&work->x, &rules, work->settings->crossover);

    if (status)
        return status;
    err = sepx_cross_new(&work->cross, work->x.space, work->settings->crossover,
                         &rules, &msg);
    if (err)
        return experiment_fail("cross", err, &msg);
    options_of_ged.pinned =
        sepx_space_pinned(work->x.space, &options_of_ged.n_pinned);
    costs.node_fields = sepx_space_fields(work->x.space, &costs.n_node_fields);
    costs.names = sepx_space_names(work->x.space);
    options_of_ged.costs = costs.n_node_fields ? &costs : NULL;
    err = sepx_ged_new(&work->ged, &options_of_ged);
    if (!err)
        err = read_parents(work, operand, &msg);
    return err ? cli_fail("cross", err, &msg) : CLI_DONE;
}

/* The node of a parent for each of the child, as the edits have it. */
static void
fill_map(const struct sepx_explain *explain, int16_t *map, bool starts,
         uint32_t n_parent)
{
    uint32_t next = explain->path.n_first;

    for (uint32_t i = 0; i < explain->path.n_first; i++) {
        const int16_t node = starts ? (int16_t)i : explain->map[i];

        if (explain->place[i] != SEPX_NONE)
            map[explain->place[i]] = node;
    }
    for (uint32_t j = 0; j < n_parent && !starts; j++) {
        bool met = false;

        for (uint32_t i = 0; i < explain->path.n_first && !met; i++)
            met = explain->map[i] == (int16_t)j;
        if (met)
            continue;
        if (explain->place[next] != SEPX_NONE)
            map[explain->place[next]] = (int16_t)j;
        next++;
    }
}

/* Begin with what the edits say, so that no distance is above it. */
static enum sepx_err
start_from_edits(struct work *work, int parent)
{
    const struct crossing *crossing = &work->crossing;
    const struct sepx_explain *explain = &crossing->explain;
    const uint32_t n = crossing->child.n_nodes;
    int16_t *map = malloc((n + 1) * sizeof *map);
    enum sepx_err err = SEPX_ENOMEM;

    if (!map)
        return err;
    for (uint32_t i = 0; i < n; i++)
        map[i] = SEPX_NONE;
    fill_map(explain, map, explain->swapped == (parent == 1),
             crossing->parent[parent].n_nodes);
    err = sepx_ged_start(work->ged, map, n);
    free(map);
    return err;
}

/* How far the child is from its parents, as far as that is soon known. */
static enum sepx_err
measure(struct work *work)
{
    const struct sepx_ged_limits limits = {.nodes = GED_NODES};
    struct crossing *crossing = &work->crossing;
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err; i++) {
        struct sepx_ged_result result;

        if (crossing->explain.path.n_first)
            err = start_from_edits(work, i);
        if (!err)
            err = sepx_ged_between(work->ged, &result, &crossing->child,
                                   &crossing->parent[i], &limits);
        if (!err)
            crossing->distance[i] =
                (struct sepx_ged_bounds){result.lower, result.upper};
    }
    return err;
}

static enum sepx_err
cross_once(struct work *work, uint32_t index)
{
    struct crossing *crossing = &work->crossing;
    struct sepx_rng rng;
    enum sepx_err err;

    sepx_rng_init(&rng, work->x.settings->seed, 0, index, 0);
    sepx_explain_release(&crossing->explain);
    err = sepx_cross_run(work->cross, &crossing->child, &crossing->accepted,
                         &crossing->parent[0], &crossing->parent[1], &rng, NULL,
                         &crossing->explain);
    if (!err && crossing->accepted && work->settings->explain)
        err = measure(work);
    return err;
}

static enum sepx_err
write_child(struct work *work)
{
    const struct crossing *crossing = &work->crossing;
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    if (work->x.settings->json) {
        sepx_json_begin(&w, &work->out.text);
        cross_put_json(&w, crossing, work->settings->explain);
        err = sepx_json_done(&w);
        out_print(&work->out, "\n");
        return err;
    }
    if (work->settings->explain)
        cross_print(&work->out, crossing);
    if (!crossing->accepted)
        return SEPX_OK;
    err = sepx_graph_write_json(&work->out.text, &crossing->child);
    out_print(&work->out, "\n");
    return err;
}

static void
say_skipped(const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;

    cli_say("cross", "no child after %u trials; the last one was %s%s%s",
            explain->trials, verdict_name(explain->verdict),
            explain->why.text[0] ? ": " : "", explain->why.text);
}

static int
draw(struct work *work)
{
    struct sepx_text dot = {0};
    enum sepx_err err = cross_draw(&dot, &work->crossing, work->x.space,
                                   work->settings->crossover);
    int status;

    if (err)
        status = cli_fail("cross", err, NULL);
    else
        status =
            picture_write("cross", &dot, work->format, work->settings->output);
    sepx_text_release(&dot);
    return status;
}

static int
cross_all(struct work *work)
{
    const struct settings *settings = work->settings;
    bool skipped = false;
    int status = CLI_DONE;

    for (int64_t i = 0; i < settings->count && !status; i++) {
        enum sepx_err err = cross_once(work, (uint32_t)i);

        if (!err && (settings->output || !work->format))
            err = write_child(work);
        if (err)
            return cli_fail("cross", err, NULL);
        if (!work->crossing.accepted)
            say_skipped(&work->crossing);
        skipped = skipped || !work->crossing.accepted;
    }
    status = out_flush(&work->out);
    if (!status && work->format && !work->crossing.explain.path.n_first)
        return cli_usage("cross", "%s crossover has no edits to draw",
                         settings->crossover);
    if (!status && work->format)
        status = draw(work);
    return status ? status : skipped ? CLI_FAILED : CLI_DONE;
}

/* ---- the command ---- */

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct work work = {.settings = settings};
    int status = CLI_DONE;

    if (!strcmp(call->operand[0], "-") && !strcmp(call->operand[1], "-"))
        return cli_usage("cross",
                         "only one graph can come from standard input");
    if (settings->output || settings->format)
        status = picture_format("cross", &work.format, settings->format,
                                settings->output);
    if (!status)
        status = experiment_open_space(&work.x, "cross", &settings->common);
    if (!status)
        status = open_work(&work, call->operand);
    if (!status)
        status = cross_all(&work);
    out_release(&work.out);
    sepx_explain_release(&work.crossing.explain);
    sepx_graph_release(&work.crossing.child);
    for (int i = 0; i < 2; i++)
        sepx_graph_release(&work.crossing.parent[i]);
    sepx_ged_free(work.ged);
    sepx_cross_free(work.cross);
    experiment_close(&work.x);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] A B", NULL};

const struct command command_cross = {
    .name = "cross",
    .group = GROUP_SPACES,
    .summary = "cross two graphs and explain the child",
    COMMAND_PARTS,
    .about =
        "Crosses two graphs of the space and prints the child as JSON. With "
        "--explain, first the edits that lead from one parent to the other: "
        "taken ones (+), others (-), and those that were taken but dropped "
        "because an endpoint is not there (!). The edits are a shortest path "
        "unless the search for one ran out of its budget (--rule align=NODES); "
        "then the distance of the parents is shown as two proven bounds, and "
        "the path has as many edits as the upper one.\n\n"
        "The drawing shows parents and child. Black: what the parents share. "
        "Blue: of the first parent, kept. Red, dashed: of the first, lost. "
        "Green, bold: of the second, taken. Grey, dotted: of the second, left "
        "out. Orange, dashed: taken, but dropped.\n\n"
        "If no draw gives a valid child, nothing is printed for it and the "
        "exit code is 1.",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
};
