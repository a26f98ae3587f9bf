/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study predict: what to expect of graphs that were not evaluated. */
#include "study/study_command.h"

#include <stdlib.h>

#include "frame/display.h"

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print JSON Lines: score, low, high, known, trial, live, "
                 "graph");

static const struct example examples[] = {
    {"study predict digits.study mine.jsonl", "which of your own graphs are "
                                              "worth training"},
    {"sample --space nb101 -n 100 | sepx study predict cells.study - | sort -g | head -3", "the most promising of a hundred"},
    {0},
};
/* clang-format on */

/* All that is read and answered. */
struct batch {
    struct sepx_graph *graph;
    size_t *line, count;
    struct sepx_prediction *made;
};

static void
batch_release(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        sepx_graph_release(&batch->graph[i]);
    free(batch->graph);
    free(batch->line);
    free(batch->made);
}

static void
put_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_key(w, key);
    sepx_json_put_number(w, value);
}

static enum sepx_err
write_json(struct out *out, const struct sepx_prediction *made,
           const struct sepx_graph *graph)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    put_number(&w, "score", made->score);
    put_number(&w, "low", made->low);
    put_number(&w, "high", made->high);
    sepx_json_key(&w, "known");
    sepx_json_put_integer(&w, made->known);
    sepx_json_key(&w, "trial");
    if (made->trial < 0)
        sepx_json_put_null(&w);
    else
        sepx_json_put_integer(&w, made->trial);
    sepx_json_add_bool(&w, "live", made->live);
    sepx_json_key(&w, "graph");
    sepx_graph_put_json(&w, graph);
    sepx_json_close(&w, '}');
    err = sepx_json_done(&w);
    out_print(out, "\n");
    return err;
}

static enum sepx_err
write_one(struct out *out, const struct sepx_prediction *made,
          const struct sepx_graph *graph, size_t line, bool json)
{
    if (json)
        return write_json(out, made, graph);
    out_print(out, "%.6g  %.6g to %.6g  line %zu", made->score, made->low,
              made->high, line);
    if (made->known)
        out_print(out, ", scored %u time%s, %strial %lld", made->known,
                  made->known == 1 ? "" : "s",
                  made->live ? "same live graph as " : "",
                  (long long)made->trial);
    out_print(out, "\n");
    return SEPX_OK;
}

static enum sepx_err
predict(struct out *out, const struct study *s, struct batch *batch,
        const char *path, bool json, struct sepx_msg *msg)
{
    size_t failed;
    enum sepx_err err = study_read_graphs(s, path, &batch->graph, &batch->line,
                                          &batch->count, msg);

    if (err)
        return err;
    batch->made = calloc(batch->count, sizeof *batch->made);
    if (!batch->made)
        return SEPX_ENOMEM;
    progress_step("predictions", 0, batch->count, "fitting the model");
    err = sepx_study_predict(s->study, batch->made, batch->graph, batch->count,
                             &failed, msg);
    if (err == SEPX_EINVAL && failed < batch->count) {
        sepx_msg_prefix(msg, "%s:%zu", path, batch->line[failed]);
        err = SEPX_EDATA;
    }
    for (size_t i = 0; i < batch->count && !err; i++)
        err = write_one(out, &batch->made[i], &batch->graph[i], batch->line[i],
                        json);
    return err;
}

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;
    struct sepx_msg msg = {0};
    struct batch batch = {0};
    struct out out = {0};
    struct study s;
    int status = study_open(&s, "study predict", call->operand[0], false);

    if (!status) {
        enum sepx_err err =
            predict(&out, &s, &batch, call->operand[1], settings->json, &msg);

        status = err ? cli_fail("study predict", err, &msg) : out_flush(&out);
    }
    batch_release(&batch);
    out_release(&out);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY GRAPHS.jsonl", NULL};

const struct command command_study_predict = {
    .name = "study predict",
    .group = GROUP_STUDIES,
    .summary = "predict scores of graphs from the results of a study",
    COMMAND_PARTS,
    .about =
        "Each line of the file is a graph, or an object whose member 'graph' "
        "is one. For each, in the same order: the score to expect, and the "
        "range of one standard deviation to either side, which has it with a "
        "chance of two in three. The model is that of the method 'model', a "
        "Gaussian process on exact edit distances, whatever method the study "
        "uses; of several objectives the first is predicted. It knows the "
        "better half and the most recent of up to 400 graphs. The study may "
        "be running.\n\n"
        "A graph that has scores in the study says how many, and in which "
        "trial the first ('known' and 'trial' of --json). Where dead nodes "
        "change no score (all evaluators but target:, command:, shell: and "
        "functions), so does a graph that differs from it in dead nodes alone "
        "('live').",
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct json_settings),
};
