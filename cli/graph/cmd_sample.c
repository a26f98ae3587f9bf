/* SPDX-License-Identifier: Apache-2.0 */
/* sepx sample: random graphs of a space. */
#include "search/experiment.h"

struct settings {
    struct experiment_settings common;
    int64_t count;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    SPACE_OPTION,
    SEED_OPTION,
    {"count", 'n', OPTION_COUNT, AT(count), "N", "1", 0, 1e9,
     .help = "number of graphs"},
    {0},
};

static const struct example examples[] = {
    {"sample --space nbnlp", "a random recurrent cell"},
    {"sample -n 1000 --seed 7 > cells.jsonl", "always the same 1,000 cells"},
    {"sample -n 100 | sepx canon --groups -", "how many are isomorphic"},
    {0},
};
/* clang-format on */

enum { FLUSH_BYTES = 1 << 20 };

static enum sepx_err
sample(struct out *out, const struct experiment *x, uint32_t index)
{
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    enum sepx_err err;

    sepx_rng_init(&rng, x->settings->seed, 0, index, 0);
    err = sepx_space_sample(x->space, &graph, &rng);
    if (!err)
        err = sepx_graph_write_json(&out->text, &graph);
    out_print(out, "\n");
    sepx_graph_release(&graph);
    return err;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct experiment x = {0};
    struct out out = {0};
    int status = experiment_open_space(&x, "sample", &settings->common);

    for (int64_t i = 0; i < settings->count && !status; i++) {
        enum sepx_err err = sample(&out, &x, (uint32_t)i);

        if (err)
            status = cli_fail("sample", err, NULL);
        else if (out.text.len > FLUSH_BYTES)
            status = out_flush(&out);
    }
    if (!status)
        status = out_flush(&out);
    out_release(&out);
    experiment_close(&x);
    return status;
}

static const char *const synopsis[] = {"[OPTION...]", NULL};

const struct command command_sample = {
    .name = "sample",
    .group = GROUP_SPACES,
    .summary = "draw random graphs of a space",
    COMMAND_PARTS,
    .about = "Prints valid graphs of the space, one JSON object a line. Seed "
             "and number determine each of them.",
    .settings_size = sizeof(struct settings),
};
