/* SPDX-License-Identifier: Apache-2.0 */
/* sepx draw: a graph, or the edits between two, for Graphviz. */
#include "cli.h"
#include "ged.h"
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *format, *output, *title;
    struct word_list pinned;
    bool ignore_labels;
    double seconds;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "write here, not to standard output; the suffix .dot, .svg or "
             ".png sets the format"},
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT",
     .choices = picture_formats,
     .help = "dot, svg or png; dot if neither this nor the suffix says"},
    {"title", 0, OPTION_TEXT, AT(title), "TEXT", .help = "printed above"},
    {"pinned", 0, OPTION_LIST, AT(pinned), "LABELS",
     .help = "labels whose nodes are never relabelled, separated by commas"},
    {"ignore-labels", 0, OPTION_FLAG, AT(ignore_labels),
     .help = "compare the edges alone"},
    {"time-limit", 't', OPTION_NUMBER, AT(seconds), "SECONDS", "10",
     .high = 1e9,
     .help = "time for the distance; then the best path found is drawn"},
    {0},
};

static const struct example examples[] = {
    {"draw cell.json -o cell.svg", "one graph"},
    {"draw parent.json child.json -o diff.png",
     "what was deleted (red, dashed), inserted (green, bold) and relabelled "
     "(orange, 'old -> new')"},
    {"draw cell.json | dot -Tpdf > cell.pdf", "any format of Graphviz"},
    {0},
};
/* clang-format on */

/*
 * Four marks that differ in more than colour, for people who see red and
 * green alike: line style for what goes and comes, text for what changes.
 */
static const char kept[] = "color=\"#000000\"";
static const char deleted[] =
    "color=\"#cc3311\",fontcolor=\"#cc3311\",style=dashed";
static const char inserted[] =
    "color=\"#009e73\",fontcolor=\"#00734f\",style=bold,penwidth=2.5";
static const char relabelled[] =
    "color=\"#e69f00\",fontcolor=\"#9a6a00\",penwidth=1.8";

/* Both graphs in one: nodes of a keep their numbers, inserted ones follow. */
struct drawing {
    struct ged_setup setup;
    struct sepx_graph a, b;
    struct sepx_graph both;
    const char **node_attrs, **edge_attrs;
    uint32_t *b_in_both; /* node of `both` for each of b */
    bool ignore_labels;
    struct sepx_text dot;
};

/* ---- the diff ---- */

/* "old -> new", cut so that it fits a label. */
static enum sepx_err
changed_label(struct drawing *d, uint16_t *label, uint16_t old, uint16_t new)
{
    const char *from = sepx_names_text(d->setup.names, old);
    const char *to = sepx_names_text(d->setup.names, new);
    char text[256];

    if (strlen(from) + strlen(to) + 20 > sizeof text)
        return sepx_names_add(d->setup.names, label, "(relabelled)");
    snprintf(text, sizeof text, "%s -> %s", *from ? from : "(none)",
             *to ? to : "(none)");
    return sepx_names_add(d->setup.names, label, text);
}

static enum sepx_err
merge_nodes(struct drawing *d, const int16_t *map)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t j = 0; j < d->b.n_nodes; j++)
        d->b_in_both[j] = UINT32_MAX;
    for (uint32_t i = 0; i < d->a.n_nodes && !err; i++) {
        uint16_t label = d->a.label[i];

        d->node_attrs[i] = map[i] == SEPX_NONE ? deleted : kept;
        if (map[i] != SEPX_NONE) {
            uint16_t new = d->b.label[map[i]];

            d->b_in_both[map[i]] = i;
            if (new != label && !d->ignore_labels) {
                d->node_attrs[i] = relabelled;
                err = changed_label(d, &label, d->a.label[i], new);
            }
        }
        if (!err)
            err = sepx_graph_add_node(&d->both, label);
    }
    for (uint32_t j = 0; j < d->b.n_nodes && !err; j++) {
        if (d->b_in_both[j] != UINT32_MAX)
            continue;
        d->b_in_both[j] = d->both.n_nodes;
        d->node_attrs[d->both.n_nodes] = inserted;
        err = sepx_graph_add_node(&d->both, d->b.label[j]);
    }
    return err;
}

static enum sepx_err
merge_edges(struct drawing *d)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < d->a.n_edges && !err; i++)
        err = sepx_graph_add_edge(&d->both, d->a.edge[i].from, d->a.edge[i].to,
                                  d->a.edge[i].label);
    for (uint32_t j = 0; j < d->b.n_edges && !err; j++) {
        uint32_t from = d->b_in_both[d->b.edge[j].from];
        uint32_t to = d->b_in_both[d->b.edge[j].to];
        struct sepx_edge *edge = sepx_graph_find_edge(&d->both, from, to);

        if (!edge)
            err = sepx_graph_add_edge(&d->both, from, to, d->b.edge[j].label);
        else if (edge->label != d->b.edge[j].label)
            err =
                changed_label(d, &edge->label, edge->label, d->b.edge[j].label);
    }
    return err;
}

/* By now `both` has every edge, and relabelled ones have a new label. */
static void
mark_edges(struct drawing *d, const uint32_t *both_in_b)
{
    for (uint32_t i = 0; i < d->both.n_edges; i++) {
        const struct sepx_edge *edge = &d->both.edge[i];
        uint32_t from = both_in_b[edge->from], to = both_in_b[edge->to];
        const struct sepx_edge *old = NULL, *new = NULL;

        if (edge->from < d->a.n_nodes && edge->to < d->a.n_nodes)
            old = sepx_graph_find_edge(&d->a, edge->from, edge->to);
        if (from != UINT32_MAX && to != UINT32_MAX)
            new = sepx_graph_find_edge(&d->b, from, to);
        d->edge_attrs[i] = !old                       ? inserted
                           : !new                     ? deleted
                           : old->label != new->label ? relabelled
                                                      : kept;
    }
}

static enum sepx_err
merge(struct drawing *d, const int16_t *map)
{
    uint32_t nodes = d->a.n_nodes + d->b.n_nodes;
    uint32_t edges = d->a.n_edges + d->b.n_edges;
    uint32_t *both_in_b = calloc(nodes + 1, sizeof *both_in_b);
    enum sepx_err err = SEPX_ENOMEM;

    d->both.names = d->setup.names;
    d->node_attrs = calloc(nodes + 1, sizeof *d->node_attrs);
    d->edge_attrs = calloc(edges + 1, sizeof *d->edge_attrs);
    d->b_in_both = calloc(d->b.n_nodes + 1, sizeof *d->b_in_both);
    if (both_in_b && d->node_attrs && d->edge_attrs && d->b_in_both)
        err = merge_nodes(d, map);
    if (!err)
        err = merge_edges(d);
    for (uint32_t i = 0; i < nodes && !err; i++)
        both_in_b[i] = UINT32_MAX;
    for (uint32_t j = 0; j < d->b.n_nodes && !err; j++)
        both_in_b[d->b_in_both[j]] = j;
    if (!err)
        mark_edges(d, both_in_b);
    free(both_in_b);
    return err;
}

static enum sepx_err
draw_two(struct drawing *d, const char *title)
{
    struct sepx_dot_style style = {.title = title};
    struct sepx_ged_result result;
    struct sepx_ged *ged = NULL;
    enum sepx_err err;

    err = sepx_ged_new(&ged, &d->setup.options);
    if (!err)
        err = sepx_ged_between(ged, &result, &d->a, &d->b, &d->setup.limits);
    if (!err && !result.exact)
        cli_say("draw",
                "not exact: the path drawn costs "
                "%.12g, the distance is at least %.12g",
                result.upper, result.lower);
    if (!err)
        err = merge(d, result.map);
    style.node_attrs = (const char *const *)d->node_attrs;
    style.edge_attrs = (const char *const *)d->edge_attrs;
    if (!err)
        err = sepx_graph_write_dot(&d->dot, &d->both, &style);
    sepx_ged_free(ged);
    return err;
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
    struct sepx_dot_style style = {.title = settings->title};
    enum sepx_err err;

    d->ignore_labels = settings->ignore_labels;
    err = ged_setup_init(&d->setup, &distance, msg);
    if (!err)
        err =
            sepx_graph_read_file(&d->a, d->setup.names, call->operand[0], msg);
    if (!err && call->n_operands == 1)
        return sepx_graph_write_dot(&d->dot, &d->a, &style);
    if (!err)
        err =
            sepx_graph_read_file(&d->b, d->setup.names, call->operand[1], msg);
    return err ? err : draw_two(d, settings->title);
}

static void
drawing_release(struct drawing *d)
{
    free(d->node_attrs);
    free(d->edge_attrs);
    free(d->b_in_both);
    sepx_graph_release(&d->a);
    sepx_graph_release(&d->b);
    sepx_graph_release(&d->both);
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
    .summary = "draw a graph, or the edit path between two",
    .synopsis = synopsis,
    .about =
        "With one graph, its drawing. With two, a drawing of the shortest "
        "edit path from A to B: what stays is black, deleted parts are red "
        "and dashed, inserted ones green and bold, relabelled ones orange "
        "with both labels.\n\n"
        "SVG and PNG are made by Graphviz's 'dot', which must be installed.",
    .options = options,
    .examples = examples,
    .least_operands = 1,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
    .run = run,
};
