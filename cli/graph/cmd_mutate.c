/* SPDX-License-Identifier: Apache-2.0 */
/* sepx mutate: random small changes of graphs. */
#include "search/experiment.h"

struct settings {
    struct experiment_settings common;
    int64_t count;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    SPACE_OPTION,
    RULE_OPTIONS,
    SEED_OPTION,
    {"count", 'n', OPTION_COUNT, AT(count), "N", "1", 0, 1e9,
     .help = "number of mutants of each graph"},
    {0},
};

static const struct example examples[] = {
    {"mutate cell.json -n 10", "ten mutants"},
    {"sample -n 5 | sepx mutate -", "one mutant of each of five"},
    {"mutate --rules published cell.json", "as the authors' scripts mutate"},
    {0},
};
/* clang-format on */

struct mutation {
    const struct settings *settings;
    struct experiment x;
    struct sepx_rules rules;
    struct sepx_graphs graphs;
    struct sepx_graph child;
    struct out out;
};

/* Names the first graph that is not of the space. */
static enum sepx_err
check_all(struct mutation *m, const char *path, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < m->graphs.count && !err; i++)
        err = experiment_check(&m->x, &m->graphs.at[i], msg);
    if (err)
        sepx_msg_file(msg, path);
    return err;
}

static enum sepx_err
mutate(struct mutation *m)
{
    const struct experiment *x = &m->x;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < m->graphs.count; i++) {
        for (int64_t k = 0; k < m->settings->count && !err; k++) {
            struct sepx_rng rng;

            sepx_rng_init(&rng, x->settings->seed, (uint32_t)i, (uint32_t)k, 0);
            err = sepx_space_mutate(x->space, &m->child, &m->graphs.at[i],
                                    &m->rules, &rng);
            if (!err)
                err = sepx_graph_write_json(&m->out.text, &m->child);
            out_print(&m->out, "\n");
        }
    }
    return err;
}

static int
run(const struct call *call)
{
    struct mutation m = {.settings = call->settings};
    const char *path = call->operand[0];
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_OK;
    int status;

    status = experiment_open_space(&m.x, "mutate", &m.settings->common);
    if (!status)
        status = experiment_rules(&m.x, &m.rules, "mutation");
    if (!status) {
        err = sepx_graphs_read_file(&m.graphs, sepx_space_names(m.x.space),
                                    path, &msg);
        if (!err)
            err = check_all(&m, path, &msg);
        if (!err)
            err = mutate(&m);
        status = err ? cli_fail("mutate", err, &msg) : out_flush(&m.out);
    }
    out_release(&m.out);
    sepx_graph_release(&m.child);
    sepx_graphs_release(&m.graphs);
    experiment_close(&m.x);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] FILE", NULL};

const struct command command_mutate = {
    .name = "mutate",
    .group = GROUP_SPACES,
    .summary = "draw random small changes of graphs",
    COMMAND_PARTS,
    .about = "Prints mutants of each graph in FILE ('-': standard input), "
             "which are graphs of the space, one JSON object a line. Seed and "
             "number determine each of them.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
