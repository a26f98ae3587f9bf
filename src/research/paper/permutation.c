/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The permutation problem: two cells share a part, input -> conv3x3 ->
 * conv1x1 -> output, but store it at different places. What becomes of it in
 * their children?
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/cross_command.h"
#include "paper.h"

enum { CHILDREN = 200, DRAWS = 4000, PART = 4, OPERATORS = 2 };

/* Labels are unique in each parent, pools aside. */
static const char *const part[PART] = {"input", "conv3x3-bn-relu",
                                       "conv1x1-bn-relu", "output"};

static const char *const parent_text[2] = {
    "{\"nodes\":[\"input\",\"conv3x3-bn-relu\",\"conv1x1-bn-relu\","
    "\"maxpool3x3\","
    "\"maxpool3x3\",\"maxpool3x3\",\"output\"],\"edges\":[[0,1],[1,2],[2,6],"
    "[0,3],[3,4],[4,5],[5,6],[0,5]]}\n",
    "{\"nodes\":[\"input\",\"maxpool3x3\",\"maxpool3x3\",\"maxpool3x3\","
    "\"conv3x3-bn-relu\",\"conv1x1-bn-relu\",\"output\"],\"edges\":[[0,4],[4,5]"
    ",[5,6],[0,1],"
    "[0,2],[1,3],[2,3],[3,6],[0,6]]}\n",
};

static const struct kind {
    const char *name, *title;
} kinds[OPERATORS] = {
    {"standard", "child of standard crossover"},
    {"sep", "child of SEP crossover"},
};

struct demo {
    struct sepx_space *space;
    struct crossing shown[OPERATORS]; /* the child that is drawn */
    double kept[OPERATORS][CHILDREN]; /* 0 or 1 */
    size_t children[OPERATORS];
};

/* ---- the shared part ---- */

/* A node with the label that follows `from`, or any if `from` is -1. */
static int
node_of(const struct sepx_graph *graph, const char *label, int from)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        if (!strcmp(sepx_names_text(graph->names, graph->label[i]), label) &&
            (from < 0 || sepx_graph_find_edge(graph, (unsigned)from, i)))
            return (int)i;
    return -1;
}

/*
 * The nodes of the part into at[PART], -1 for those not found. True if it is
 * there with its edges: every conv3x3 behind the input is tried.
 */
static bool
find_part(const struct sepx_graph *graph, int at[PART])
{
    for (int i = 0; i < PART; i++)
        at[i] = node_of(graph, part[i], -1);
    for (uint32_t a = 0; a < graph->n_nodes; a++) {
        int b, c;

        if (strcmp(sepx_names_text(graph->names, graph->label[a]), part[1]) ||
            at[0] < 0 || !sepx_graph_find_edge(graph, (unsigned)at[0], a))
            continue;
        b = node_of(graph, part[2], (int)a);
        c = b < 0 ? -1 : node_of(graph, part[3], b);
        if (c < 0)
            continue;
        at[1] = (int)a;
        at[2] = b;
        at[3] = c;
        return true;
    }
    return false;
}

/* ---- children ---- */

static enum sepx_err
cross_once(struct sepx_cross *cross, struct crossing *c, uint64_t seed,
           uint32_t number)
{
    struct sepx_rng rng;

    sepx_rng_init(&rng, seed, 0, number, SEPX__STREAM_PERMUTATION);
    return sepx_cross_run(cross, &c->child, &c->accepted, &c->parent[0],
                          &c->parent[1], &rng, NULL, &c->explain);
}

static enum sepx_err
read_parents(struct demo *demo, struct crossing *c, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err; i++)
        err = sepx_graph_read(&c->parent[i], sepx_space_names(demo->space),
                              parent_text[i], strlen(parent_text[i]),
                              SEPX_FORMAT_JSON, msg);
    return err;
}

/* Children until there are CHILDREN; the first that shows the point stays. */
static enum sepx_err
breed(struct demo *demo, int kind, uint64_t seed, struct out *rows,
      struct sepx_msg *msg)
{
    struct crossing *c = &demo->shown[kind];
    struct sepx_cross *cross = NULL;
    struct sepx_rules rules;
    uint32_t shown = UINT32_MAX;
    enum sepx_err err =
        sepx_rules_preset(&rules, "default", "nb101", kinds[kind].name, msg);

    if (!err)
        err = read_parents(demo, c, msg);
    if (!err)
        err =
            sepx_cross_new(&cross, demo->space, kinds[kind].name, &rules, msg);
    for (uint32_t i = 0; i < DRAWS && demo->children[kind] < CHILDREN && !err;
         i++) {
        int at[PART];
        bool kept;

        err = cross_once(cross, c, seed, i);
        if (err || !c->accepted)
            continue;
        kept = find_part(&c->child, at);
        demo->kept[kind][demo->children[kind]++] = kept;
        out_print(rows, "%s,%u,%d\n", kinds[kind].name, i, kept);
        if (shown == UINT32_MAX && kept == (kind == 1))
            shown = i;
    }
    if (!err && shown != UINT32_MAX)
        err = cross_once(cross, c, seed, shown);
    if (!err && demo->children[kind] < CHILDREN)
        err = sepx_fail(msg, SEPX_ELIMIT, "%s crossover has too few children",
                        kinds[kind].name);
    sepx_cross_free(cross);
    return err;
}

/* ---- drawings ---- */

static const struct sepx_dot_mark plain = {"other parts", "#8a9099", "solid", 1,
                                           false};
static const struct sepx_dot_mark whole = {"the shared part", "#0072b2",
                                           "solid", 2.6, false};
static const struct sepx_dot_mark broken = {"what is left of it", "#cc3311",
                                            "dashed", 1.8, false};
static const struct sepx_dot_mark missing = {"missing", "#cc3311", "dotted", 1,
                                             true};
static const struct sepx_dot_mark *const legend[] = {&whole, &broken, &missing,
                                                     NULL};

static bool
in_part(const int at[PART], unsigned node)
{
    for (int i = 0; i < PART; i++)
        if (at[i] == (int)node)
            return true;
    return false;
}

static bool
part_edge(const int at[PART], unsigned from, unsigned to)
{
    for (int i = 0; i + 1 < PART; i++)
        if (at[i] == (int)from && at[i + 1] == (int)to)
            return true;
    return false;
}

/* Edges of the part that the graph lost are drawn too, as missing ones. */
static enum sepx_err
add_lost(struct sepx_graph *graph, const int at[PART])
{
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i + 1 < PART && !err; i++)
        if (at[i] >= 0 && at[i + 1] >= 0 &&
            !sepx_graph_find_edge(graph, (unsigned)at[i], (unsigned)at[i + 1]))
            err = sepx_graph_add_edge(graph, (unsigned)at[i],
                                      (unsigned)at[i + 1], 0);
    return err;
}

static enum sepx_err
draw_cell(struct sepx_text *dot, const struct sepx_graph *graph,
          const char *title, const char *prefix)
{
    struct sepx_dot_style style = {.title = title, .prefix = prefix};
    const struct sepx_dot_mark *node[16] = {NULL}, *edge[64] = {NULL};
    struct sepx_graph both = {0};
    int at[PART];
    bool kept = find_part(graph, at);
    enum sepx_err err = sepx_graph_copy(&both, graph);

    if (!err && !kept)
        err = add_lost(&both, at);
    for (uint32_t i = 0; i < both.n_nodes && i < 16 && !err; i++)
        node[i] = !in_part(at, i) ? &plain : kept ? &whole : &broken;
    for (uint32_t i = 0; i < both.n_edges && i < 64 && !err; i++) {
        unsigned from = both.edge[i].from, to = both.edge[i].to;

        edge[i] = !part_edge(at, from, to)                 ? &plain
                  : !sepx_graph_find_edge(graph, from, to) ? &missing
                  : kept                                   ? &whole
                                                           : &broken;
    }
    style.node = node;
    style.edge = edge;
    if (!err)
        err = sepx_dot_add(dot, &both, &style);
    sepx_graph_release(&both);
    return err;
}

static enum sepx_err
draw_all(struct sepx_text *dot, const struct demo *demo)
{
    const struct crossing *c = demo->shown;
    enum sepx_err err =
        sepx_dot_begin(dot, "A part that both parents share", legend);

    if (!err)
        err = draw_cell(dot, &c[0].parent[0], "parent 1", "a");
    if (!err)
        err = draw_cell(dot, &c[0].parent[1], "parent 2", "b");
    for (int i = 0; i < OPERATORS && !err; i++)
        err = draw_cell(dot, &c[i].child, kinds[i].title, i ? "d" : "c");
    for (int i = 0; i < OPERATORS && !err; i++)
        err = sepx_dot_stack(dot, &c[0].parent[i], i ? "b" : "a", &c[i].child,
                             i ? "d" : "c");
    return err ? err : sepx_dot_end(dot);
}

/* ---- captions, made of what came out ---- */

static size_t
sum(const struct demo *demo, int kind)
{
    size_t kept = 0;

    for (size_t i = 0; i < demo->children[kind]; i++)
        kept += demo->kept[kind][i] > 0;
    return kept;
}

static void
say_overview(char *text, size_t size, const struct demo *demo)
{
    snprintf(text, size,
             "Both parents hold input → conv3x3 → conv1x1 → output, stored at "
             "different positions. Of %d children of standard crossover, which "
             "goes by positions, %zu have the whole of it; of %d of SEP "
             "crossover, %zu. One child of each is drawn%s.",
             CHILDREN, sum(demo, 0), CHILDREN, sum(demo, 1),
             sum(demo, 0) < CHILDREN && sum(demo, 1)
                 ? ", the first that shows the difference"
                 : "");
}

static void
say_edits(char *text, size_t size, const struct demo *demo, int kind)
{
    const struct sepx_explain *explain = &demo->shown[kind].explain;

    snprintf(text, size,
             "Aligned %s, the parents differ in %zu edits. The child has %zu "
             "of them; all else is as in its first parent.",
             kind ? "by the shortest edit path" : "by the positions of nodes",
             explain->path.len, cross_taken(explain));
}

static int
draw_figures(struct work *work, const struct demo *demo)
{
    static const char *const names[][2] = {
        {"overview", "The permutation problem and its solution"},
        {"standard", "Standard crossover, edit by edit"},
        {"sep", "SEP crossover, edit by edit"},
    };
    int status = CLI_DONE;

    for (int i = 0; i < 3 && !status; i++) {
        char see[600];
        struct figure figure = {
            .name = names[i][0],
            .title = names[i][1],
            .see = see,
            .differs = i ? "Not in the paper. sepx cross parent1.json "
                           "parent2.json --explain draws further children."
                         : "Cells of NAS-Bench-101 in place of a sketch.",
            .made = "sepx reproduce permutation",
        };
        struct sepx_text dot = {0};
        enum sepx_err err;

        if (i)
            say_edits(see, sizeof see, demo, i - 1);
        else
            say_overview(see, sizeof see, demo);
        err = i ? cross_draw(&dot, &demo->shown[i - 1], demo->space,
                             kinds[i - 1].name)
                : draw_all(&dot, demo);
        status = err ? cli_fail("reproduce", err, NULL)
                     : work_graph(work, &figure, &dot);
        sepx_text_release(&dot);
    }
    return status;
}

/* ---- claims ---- */

static int
test_claims(struct work *work, const struct demo *demo)
{
    struct sepx_mann_whitney test;
    size_t standard = sum(demo, 0), sep = sum(demo, 1);
    enum sepx_err err =
        sepx_mann_whitney(&test, demo->kept[0], demo->children[0],
                          demo->kept[1], demo->children[1]);
    struct outcome o = {.id = "perm-standard",
                        .test = "Mann-Whitney, part kept (1) or not (0)",
                        .p = test.p,
                        .effect = test.effect,
                        .n = 2 * CHILDREN};

    if (err)
        return cli_fail("reproduce", err, NULL);
    o.verdict = verdict_of_test(test.p, test.effect);
    snprintf(o.detail, sizeof o.detail,
             "kept in %zu of %d children of standard crossover, %zu of %d of "
             "SEP",
             standard, CHILDREN, sep, CHILDREN);
    work_claim(work, &o);
    o.id = "perm-sep";
    o.verdict = sep == CHILDREN ? HOLDS : MISSED;
    work_claim(work, &o);
    return CLI_DONE;
}

static int
write_parents(struct work *work)
{
    int status = CLI_DONE;

    for (int i = 0; i < 2 && !status; i++) {
        struct sepx_text text = {0};
        enum sepx_err err =
            sepx_text_add(&text, parent_text[i], strlen(parent_text[i]));

        status = err ? cli_fail("reproduce", err, NULL)
                     : work_write(work, i ? "parent2.json" : "parent1.json",
                                  &text, false);
        sepx_text_release(&text);
    }
    return status;
}

static void
demo_release(struct demo *demo)
{
    for (int i = 0; i < OPERATORS; i++) {
        sepx_graph_release(&demo->shown[i].parent[0]);
        sepx_graph_release(&demo->shown[i].parent[1]);
        sepx_graph_release(&demo->shown[i].child);
        sepx_explain_release(&demo->shown[i].explain);
    }
    sepx_space_close(demo->space);
}

int
make_permutation(struct work *work)
{
    uint64_t seed = (uint64_t)work->paper->settings->seed;
    struct demo demo = {0};
    struct sepx_msg msg = {0};
    struct out rows = {0};
    enum sepx_err err = sepx_space_open(&demo.space, "nb101", &msg);
    int status;

    out_print(&rows, "crossover,draw,kept\n");
    for (int i = 0; i < OPERATORS && !err; i++)
        err = breed(&demo, i, seed, &rows, &msg);
    if (!err)
        err = rows.err;
    status = err ? cli_fail("reproduce", err, &msg)
                 : work_write(work, "children.csv", &rows.text, true);
    if (!status)
        status = write_parents(work);
    if (!status)
        status = draw_figures(work, &demo);
    if (!status)
        status = test_claims(work, &demo);
    out_release(&rows);
    demo_release(&demo);
    return status;
}
