/* SPDX-License-Identifier: Apache-2.0 */
/* One distance: measured, and written as JSON or for a person. */
#include "ged.h"

#include <math.h>
#include <unistd.h>

/*
 * A repetition takes about SLICE seconds, far above the clock's step; pairs
 * slower than ONCE are measured a single time.
 */
#define SLICE 5e-6
#define ONCE 1e-3
enum { REPETITIONS = 5, LOOPS_MAX = 1000 };

/* ---- measuring ---- */

struct task {
    struct ged_answer *answer;
    struct sepx_ged *ged;
    const struct sepx_ged_limits *limits;
    struct sepx_ged_graph *a, *b;
};

static enum sepx_err
prepare(struct task *task)
{
    enum sepx_err err;

    sepx_ged_graph_free(task->a);
    sepx_ged_graph_free(task->b);
    task->a = task->b = NULL;
    err = sepx_ged_prepare(task->ged, &task->a, task->answer->a);
    if (!err)
        err = sepx_ged_prepare(task->ged, &task->b, task->answer->b);
    return err;
}

static enum sepx_err
distance(struct task *task)
{
    return sepx_ged_run(task->ged, &task->answer->result, task->a, task->b,
                        task->limits);
}

/* Microseconds of one step, the best of several repetitions. */
static enum sepx_err
measure(struct task *task, enum sepx_err (*step)(struct task *task), double *us)
{
    double start = sepx_clock();
    enum sepx_err err = step(task);
    double best = sepx_clock() - start;
    int loops = best < SLICE / LOOPS_MAX ? LOOPS_MAX : (int)(SLICE / best) + 1;

    for (int i = 0; i < REPETITIONS && best < ONCE && !err; i++) {
        double each;

        start = sepx_clock();
        for (int j = 0; j < loops && !err; j++)
            err = step(task);
        each = (sepx_clock() - start) / loops;
        best = each < best ? each : best;
    }
    *us = best * 1e6;
    return err;
}

enum sepx_err
answer_compute(struct ged_answer *answer, struct sepx_ged *ged,
               const struct sepx_ged_limits *limits)
{
    struct task task = {answer, ged, limits, NULL, NULL};
    enum sepx_err err;

    err = measure(&task, prepare, &answer->prepare_us);
    if (!err)
        err = measure(&task, distance, &answer->time_us);
    sepx_ged_graph_free(task.a);
    sepx_ged_graph_free(task.b);
    return err;
}

/* 1: at most, 0: more, -1: a limit came first. */
static int
answer_at_most(const struct ged_answer *answer, double at_most)
{
    if (answer->result.upper <= at_most)
        return 1;
    return answer->result.lower > at_most ? 0 : -1;
}

/* ---- JSON ---- */

void
map_put_json(struct sepx_json_writer *w, const int16_t *map, uint32_t count)
{
    sepx_json_open(w, '[');
    for (uint32_t i = 0; i < count; i++) {
        if (map[i] == SEPX_NONE)
            sepx_json_put_null(w);
        else
            sepx_json_put_integer(w, map[i]);
    }
    sepx_json_close(w, ']');
}

/* What a kind of edit is called, and which fields it has. */
static const struct {
    const char *op, *verb;
    bool edge, old_label, new_label;
} kinds[] = {
    [SEPX_EDGE_DELETE] = {"edge_delete", "delete edge", true, true, false},
    [SEPX_NODE_DELETE] = {"node_delete", "delete node", false, true, false},
    [SEPX_NODE_RELABEL] = {"node_relabel", "relabel node", false, true, true},
    [SEPX_NODE_INSERT] = {"node_insert", "insert node", false, false, true},
    [SEPX_EDGE_RELABEL] = {"edge_relabel", "relabel edge", true, true, true},
    [SEPX_EDGE_INSERT] = {"edge_insert", "insert edge", true, false, true},
};

static void
put_label(struct sepx_json_writer *w, const char *key, uint16_t label,
          const struct sepx_names *names)
{
    sepx_json_key(w, key);
    sepx_json_put_string(w, sepx_names_text(names, label));
}

/* An edge's label is left out where it has none. */
void
edit_put_json(struct sepx_json_writer *w, const struct sepx_edit *edit,
              const struct sepx_names *names)
{
    bool edge = kinds[edit->kind].edge;
    bool both = edit->kind == SEPX_EDGE_RELABEL;

    sepx_json_key(w, "op");
    sepx_json_put_string(w, kinds[edit->kind].op);
    sepx_json_key(w, edge ? "from" : "node");
    sepx_json_put_integer(w, edge ? edit->from : edit->node);
    if (edge) {
        sepx_json_key(w, "to");
        sepx_json_put_integer(w, edit->to);
    }
    if (kinds[edit->kind].old_label && (!edge || both || edit->old_label))
        put_label(w, "old", edit->old_label, names);
    if (kinds[edit->kind].new_label && (!edge || both || edit->new_label))
        put_label(w, "new", edit->new_label, names);
}

static enum sepx_err
put_path(struct sepx_json_writer *w, const struct ged_answer *answer,
         bool ignore_labels)
{
    struct sepx_path path = {0};
    enum sepx_err err = sepx_path_from_map(&path, answer->a, answer->b,
                                           answer->result.map, ignore_labels);

    sepx_json_key(w, "path");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < path.len && !err; i++) {
        sepx_json_open(w, '{');
        edit_put_json(w, &path.edit[i], answer->a->names);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_path_release(&path);
    return err;
}

static void
put_at_most(struct sepx_json_writer *w, int known)
{
    sepx_json_key(w, "at_most");
    if (known < 0)
        sepx_json_put_null(w);
    else
        sepx_json_put_bool(w, known);
}

/* Times to a tenth of a nanosecond: more is noise. */
static double
rounded(double us)
{
    return round(us * 1e4) / 1e4;
}

enum sepx_err
answer_put_json(struct sepx_json_writer *w, const struct ged_answer *answer,
                const struct ged_settings *settings)
{
    const struct sepx_ged_result *result = &answer->result;

    sepx_json_key(w, "ged");
    sepx_json_put_number(w, result->exact ? result->upper : NAN);
    sepx_json_key(w, "lower");
    sepx_json_put_number(w, result->lower);
    sepx_json_key(w, "upper");
    sepx_json_put_number(w, result->upper);
    sepx_json_key(w, "exact");
    sepx_json_put_bool(w, result->exact);
    sepx_json_key(w, "map");
    map_put_json(w, result->map, answer->a->n_nodes);
    sepx_json_key(w, "time_us");
    sepx_json_put_number(w, rounded(answer->time_us));
    sepx_json_key(w, "prepare_us");
    sepx_json_put_number(w, rounded(answer->prepare_us));
    if (!isnan(settings->at_most))
        put_at_most(w, answer_at_most(answer, settings->at_most));
    if (settings->path)
        return put_path(w, answer, settings->ignore_labels);
    return SEPX_OK;
}

/* ---- for a person ---- */

void
answer_print_distance(struct out *out, double lower, double upper, bool exact)
{
    if (exact)
        out_print(out, "%.12g", upper);
    else
        out_print(out, "%.12g..%.12g", lower, upper);
}

/* Red, green, orange: as in drawings. */
static const char *
colour_of(enum sepx_edit_kind kind)
{
    if (!cli_colour(STDOUT_FILENO))
        return "";
    if (kind == SEPX_EDGE_DELETE || kind == SEPX_NODE_DELETE)
        return "\033[31m";
    if (kind == SEPX_EDGE_INSERT || kind == SEPX_NODE_INSERT)
        return "\033[32m";
    return "\033[33m";
}

void
edit_print(struct out *out, const struct sepx_edit *edit,
           const struct sepx_names *names)
{
    const char *old = sepx_names_text(names, edit->old_label);
    const char *new = sepx_names_text(names, edit->new_label);
    const char *colour = colour_of(edit->kind);
    bool relabel = kinds[edit->kind].old_label && kinds[edit->kind].new_label;

    out_print(out, "%s%s ", colour, kinds[edit->kind].verb);
    if (kinds[edit->kind].edge)
        out_print(out, "%u -> %u", edit->from, edit->to);
    else
        out_print(out, "%u", edit->node);
    if (relabel)
        out_print(out, ": %s => %s", *old ? old : "(none)",
                  *new ? new : "(none)");
    else if (*old || *new)
        out_print(out, ": %s%s", old, new);
    out_print(out, "%s\n", *colour ? "\033[0m" : "");
}

static enum sepx_err
print_path(struct out *out, const struct ged_answer *answer,
           const struct ged_settings *settings)
{
    struct sepx_path path = {0};
    enum sepx_err err =
        sepx_path_from_map(&path, answer->a, answer->b, answer->result.map,
                           settings->ignore_labels);

    for (size_t i = 0; i < path.len && !err; i++)
        edit_print(out, &path.edit[i], answer->a->names);
    sepx_path_release(&path);
    return err;
}

enum sepx_err
answer_print(struct out *out, const struct ged_answer *answer,
             const struct ged_settings *settings)
{
    static const char *const words[] = {"unknown", "no", "yes"};

    if (!isnan(settings->at_most)) {
        int known = answer_at_most(answer, settings->at_most);

        out_print(out, "%s\n", words[known + 1]);
        return SEPX_OK;
    }
    answer_print_distance(out, answer->result.lower, answer->result.upper,
                          answer->result.exact);
    out_print(out, "\n");
    return settings->path ? print_path(out, answer, settings) : SEPX_OK;
}
