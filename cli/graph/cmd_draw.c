/* SPDX-License-Identifier: Apache-2.0 */
/* sepx draw: a graph, or the edits between two, for Graphviz. */
#include "frame/cli.h"
#include "graph/diff.h"
#include "graph/ged_command.h"
#include "graph/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *format, *output, *title;
    struct word_list pinned;
    bool ignore_labels, whole, sideways;
    int64_t around; /* -1: all */
    double seconds;
};

enum {
    LARGE = 30,  /* nodes above which unchanged runs are one box */
    WHOLE = 100, /* nodes above which a network lies on its side */
};
#define PIXELS 30000.0 /* of a picture that few programs can show */

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "write here, not to standard output; the suffix .dot, .svg or "
             ".png sets the format"},
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT",
     .choices = picture_formats,
     .help = "format of the drawing: dot, svg or png; dot unless given here "
             "or by the suffix"},
    {"title", 0, OPTION_TEXT, AT(title), "TEXT",
     .help = "title of the drawing; the names of the files unless given"},
    {"pinned", 0, OPTION_LIST, AT(pinned), "LABELS",
     .help = "labels whose nodes are never relabelled, separated by commas"},
    {"ignore-labels", 0, OPTION_FLAG, AT(ignore_labels),
     .help = "compare the edges alone"},
    {"time-limit", 't', OPTION_NUMBER, AT(seconds), "SECONDS", "10",
     .high = 1e9,
     .help = "time limit for the distance; after it, the best path found so "
             "far is drawn"},
    {"sideways", 0, OPTION_FLAG, AT(sideways),
     .help = "edges lead to the right instead of down, as they do with more "
             "than 100 nodes"},
    {"around", 0, OPTION_COUNT, AT(around), "N", NULL, 0, 4096,
     .help = "with two graphs, draw only nodes at most N edges away from an "
             "edit; the title says how many are left out"},
    {"whole", 0, OPTION_FLAG, AT(whole),
     .help = "draw all nodes; otherwise, of two graphs with more than 30, "
             "unchanged parts are one box each ('12 nodes unchanged'), and of "
             "one with more than 100, nodes in a row ('conv3x3 ⋯ 5 nodes')"},
    {0},
};

static const struct example examples[] = {
    {"draw cell.json -o cell.svg", "one graph"},
    {"draw parent.json child.json -o diff.png",
     "what was deleted (red, dashed), inserted (green, bold) and relabelled "
     "(brown, dotted, 'old → new')"},
    {"draw net.onnx pruned.onnx --sideways --around 2 -o diff.svg",
     "of large graphs, the edits and what is near them"},
    {"draw cell.json | dot -Tpdf > cell.pdf", "any format of Graphviz"},
    {0},
};
/* clang-format on */

struct drawing {
    struct ged_setup setup;
    struct sepx_graph a, b;
    struct diff diff;
    struct sepx_text dot;
};

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!strcmp(path, "-"))
        return "standard input";
    return slash ? slash + 1 : path;
}

/* The title that was given, or the files and their distance. */
static enum sepx_err
write_title(struct sepx_text *text, const struct call *call,
            const struct sepx_ged_result *result)
{
    const struct settings *settings = call->settings;
    enum sepx_err err;

    if (settings->title)
        err = sepx_text_print(text, "%s", settings->title);
    else if (call->n_operands == 1)
        err = strcmp(call->operand[0], "-")
                  ? sepx_text_print(text, "%s", base_name(call->operand[0]))
                  : SEPX_OK;
    else
        err = sepx_text_print(text, "%s → %s", base_name(call->operand[0]),
                              base_name(call->operand[1]));
    if (err || !result)
        return err;
    if (!result->exact)
        return sepx_text_print(text, ": distance %.12g to %.12g, not exact",
                               result->lower, result->upper);
    return sepx_text_print(text, ": distance %.12g", result->upper);
}

/* Pixels of a box with the gap behind it, in the direction of the edges. */
static double
box_length(const struct sepx_graph *graph, uint32_t node, bool sideways)
{
    const char *label = sepx_names_text(graph->names, graph->label[node]);

    return 4.0 / 3 * (sideways ? 55 + 6.2 * (double)strlen(label) : 72);
}

/* The longest path decides how long the picture is. */
static enum sepx_err
warn_of_length(const struct sepx_graph *graph, bool sideways)
{
    uint32_t *order = calloc(graph->n_nodes + 1, sizeof *order);
    double *end = calloc(graph->n_nodes + 1, sizeof *end), most = 0;
    bool acyclic = false;
    enum sepx_err err = SEPX_ENOMEM;

    if (order && end)
        err = sepx_graph_topological(graph, order, &acyclic);
    for (uint32_t k = 0; k < graph->n_nodes && !err && acyclic; k++) {
        const uint32_t node = order[k];

        end[node] += box_length(graph, node, sideways);
        most = fmax(most, end[node]);
        for (uint32_t i = 0; i < graph->n_edges; i++)
            if (graph->edge[i].from == node)
                end[graph->edge[i].to] =
                    fmax(end[graph->edge[i].to], end[node]);
    }
    if (most > PIXELS)
        cli_say("draw",
                "the picture is about %.0f pixels %s, more than many programs "
                "show; choose SVG, or --around N of two graphs",
                most, sideways ? "wide" : "high");
    free(order);
    free(end);
    return err;
}

static enum sepx_err
write_drawing(struct drawing *d, const struct sepx_graph *graph,
              const struct call *call, const struct sepx_ged_result *result)
{
    struct sepx_text title = {0};
    const struct settings *settings = call->settings;
    struct sepx_dot_style style = {
        .pinned = d->setup.options.pinned,
        .n_pinned = d->setup.options.n_pinned,
        .sideways = settings->sideways ||
                    (graph->n_nodes > WHOLE && !graph->undirected),
    };
    enum sepx_err err = write_title(&title, call, result);

    if (graph == &d->diff.both)
        diff_style(&d->diff, &style);
    if (!result)
        style.legend = NULL;
    if (!err && !graph->undirected)
        err = warn_of_length(graph, style.sideways);
    if (!err && d->diff.left_out)
        err = sepx_text_print(&title, ", %u node%s left out", d->diff.left_out,
                              d->diff.left_out == 1 ? "" : "s");
    style.title = title.at;
    if (!err)
        err = sepx_graph_write_dot(&d->dot, graph, &style);
    sepx_text_release(&title);
    return err;
}

/* The edits, and as much around them as was asked for. */
static enum sepx_err
make_diff(struct drawing *d, const struct settings *settings,
          const int16_t *map)
{
    enum sepx_err err =
        diff_make(&d->diff, &d->a, &d->b, map, settings->ignore_labels);

    if (!err && settings->around >= 0)
        err = diff_limit(&d->diff, (uint32_t)settings->around);
    if (!err && !settings->whole && d->diff.both.n_nodes > LARGE)
        err = diff_collapse(&d->diff);
    return err;
}

static enum sepx_err
draw_two(struct drawing *d, const struct call *call)
{
    struct ged_follow follow = {.title = "distance", .began = sepx_clock()};
    struct sepx_ged_limits limits = d->setup.limits;
    struct sepx_ged_result result;
    struct sepx_ged *ged = NULL;
    enum sepx_err err;

    limits.watch = ged_watch;
    limits.context = &follow;
    err = sepx_ged_new(&ged, &d->setup.options);
    if (!err)
        err = sepx_ged_between(ged, &result, &d->a, &d->b, &limits);
    if (!err && !result.exact)
        cli_say("draw",
                "not exact: the path drawn costs "
                "%.12g, the distance is at least %.12g",
                result.upper, result.lower);
    if (!err)
        err = make_diff(d, call->settings, result.map);
    if (!err)
        err = write_drawing(d, &d->diff.both, call, &result);
    sepx_ged_free(ged);
    return err;
}

static enum sepx_err
draw_one(struct drawing *d, const struct call *call)
{
    const struct settings *settings = call->settings;
    enum sepx_err err;

    if (settings->whole || d->a.undirected || d->a.n_nodes <= WHOLE)
        return write_drawing(d, &d->a, call, NULL);
    err = diff_fold(&d->diff, &d->a);
    return err ? err : write_drawing(d, &d->diff.both, call, NULL);
}

static enum sepx_err
make_dot(struct drawing *d, const struct call *call, struct sepx_msg *msg)
{
    const struct settings *settings = call->settings;
    const struct ged_settings distance = {
        .pinned = settings->pinned,
        .ignore_labels = settings->ignore_labels,
        .seconds = settings->seconds,
        .at_most = NAN,
    };
    enum sepx_err err;

    err = ged_setup_init(&d->setup, &distance, msg);
    if (!err)
        err =
            sepx_graph_read_file(&d->a, d->setup.names, call->operand[0], msg);
    if (!err && call->n_operands == 1)
        return draw_one(d, call);
    if (!err)
        err =
            sepx_graph_read_file(&d->b, d->setup.names, call->operand[1], msg);
    if (!err)
        err = ged_check_alike(&d->a, call->operand[0], &d->b, call->operand[1],
                              msg);
    if (err)
        return err;
    ged_setup_meet(&d->setup, &d->a);
    ged_setup_meet(&d->setup, &d->b);
    ged_setup_warn(&d->setup, "draw");
    return draw_two(d, call);
}

static void
drawing_release(struct drawing *d)
{
    sepx_graph_release(&d->a);
    sepx_graph_release(&d->b);
    diff_release(&d->diff);
    sepx_text_release(&d->dot);
    ged_setup_release(&d->setup);
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    const char *format;
    struct drawing d = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status =
        picture_format("draw", &format, settings->format, settings->output);

    if (status)
        return status;
    err = make_dot(&d, call, &msg);
    if (err)
        status = cli_fail("draw", err, &msg);
    else
        status = picture_write("draw", &d.dot, format, settings->output);
    drawing_release(&d);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] A [B]", NULL};

const struct command command_draw = {
    .name = "draw",
    .group = GROUP_DISTANCES,
    .summary = "draw a graph, or the edit path between two",
    COMMAND_PARTS,
    .about =
        "With one graph, its drawing. With two, a drawing of the shortest "
        "edit path from A to B: deleted parts are red and dashed, inserted "
        "ones green and bold, relabelled ones brown and dotted with both "
        "labels, and the title has the distance. Boxes are coloured by "
        "operation, inputs and outputs are ellipses, and small grey numbers "
        "are the nodes that 'sepx ged --path' speaks of.\n\n"
        "SVG and PNG are made by Graphviz's 'dot', which must be installed.",
    .least_operands = 1,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
};
