/* SPDX-License-Identifier: Apache-2.0 */
/* One distance: measured, and written as JSON or for a person. */
#include "graph/ged_command.h"

#include <math.h>
#include <unistd.h>

#include "frame/display.h"

/*
 * A repetition takes about SLICE seconds, far above the clock's step; pairs
 * slower than ONCE are measured a single time.
 */
#define SLICE 5e-6
#define ONCE 1e-3
enum { REPETITIONS = 5, LOOPS_MAX = 1000 };

/* ---- following ---- */

/* {"seconds": 0.1, "lower": 3, "upper": 7}; upper is null before a map. */
static void
tell(struct ged_follow *follow, double lower, double upper)
{
    struct out out = {0};
    struct sepx_json_writer w;

    if (follow->told && lower <= follow->lower && upper >= follow->upper)
        return;
    follow->told = true;
    follow->lower = lower;
    follow->upper = upper;
    sepx_json_begin(&w, &out.text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "seconds");
    sepx_json_put_number(&w, round((sepx_clock() - follow->began) * 1e6) / 1e6);
    sepx_json_key(&w, "lower");
    sepx_json_put_number(&w, lower);
    sepx_json_key(&w, "upper");
    sepx_json_put_number(&w, isfinite(upper) ? upper : NAN);
    sepx_json_close(&w, '}');
    if (!sepx_json_done(&w)) {
        out_print(&out, "\n");
        (void)out_flush(&out);
    }
    out_release(&out);
}

bool
ged_watch(void *context, double lower, double upper)
{
    struct ged_follow *follow = context;
    struct out out = {0};

    if (follow->json)
        tell(follow, lower, upper);
    if (interrupt_seen() || !display_due())
        return !interrupt_seen();
    out_print(&out, "%s", follow->title);
    if (follow->number)
        out_print(&out, " %zu", follow->number);
    if (lower == upper)
        out_print(&out, ": %.12g", upper);
    else if (isfinite(upper))
        out_print(&out, ": %.12g..%.12g so far", lower, upper);
    else
        out_print(&out, ": at least %.12g so far", lower);
    out_print(&out, ", %.0f s", sepx_clock() - follow->began);
    display_draw(&out);
    return true;
}

/* ---- measuring ---- */

struct task {
    struct ged_answer *answer;
    struct sepx_ged *ged;
    const struct sepx_ged_limits *limits;
};

static void
forget(struct ged_answer *answer)
{
    sepx_ged_graph_free(answer->ready_a);
    sepx_ged_graph_free(answer->ready_b);
    sepx_ged_free(answer->own);
    answer->ready_a = answer->ready_b = NULL;
    answer->ged = answer->own = NULL;
}

void
answer_release(struct ged_answer *answer)
{
    forget(answer);
}

static enum sepx_err
prepare(struct task *task)
{
    struct ged_answer *answer = task->answer;
    const struct ged_given *given = answer->given;
    enum sepx_err err;

    forget(answer);
    answer->ged = task->ged;
    if (given && given->n_roots) {
        err = sepx_ged_new_rooted(&answer->own, &answer->ready_a,
                                  &answer->ready_b, answer->options, answer->a,
                                  answer->b, given->root, given->n_roots);
        answer->ged = answer->own;
    } else {
        err = sepx_ged_prepare(answer->ged, &answer->ready_a, answer->a);
        if (!err)
            err = sepx_ged_prepare(answer->ged, &answer->ready_b, answer->b);
    }
    if (!err)
        err = sepx_ged_start(answer->ged, given ? given->map : NULL,
                             given ? given->n_map : 0);
    return err;
}

static enum sepx_err
distance(struct task *task)
{
    struct ged_answer *answer = task->answer;

    return sepx_ged_run(answer->ged, &answer->result, answer->ready_a,
                        answer->ready_b, task->limits);
}

/* The given map as an answer: what it costs is known, no more. */
static enum sepx_err
price(struct task *task)
{
    struct ged_answer *answer = task->answer;
    const int16_t *map = answer->given->map;
    double cost;
    enum sepx_err err = sepx_ged_map_cost(answer->ged, &cost, answer->ready_a,
                                          answer->ready_b, map);

    if (!err)
        answer->result = (struct sepx_ged_result){.upper = cost, .map = map};
    return err;
}

/* Microseconds of one step, the best of several repetitions. */
static enum sepx_err
measure(struct task *task, enum sepx_err (*step)(struct task *task), double *us)
{
    double start = sepx_clock();
    enum sepx_err err = step(task);
    double best = sepx_clock() - start;
    int loops =
        best < SLICE / (double)LOOPS_MAX ? LOOPS_MAX : (int)(SLICE / best) + 1;

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

/* By a solver without roots, whose labels are those of the graphs. */
static enum sepx_err
set_whole(struct task *task)
{
    struct ged_answer *answer = task->answer;
    struct sepx_ged_graph *a = NULL, *b = NULL;
    enum sepx_err err;

    if (!answer->own)
        return sepx_ged_whole(answer->ged, &answer->whole, answer->ready_a,
                              answer->ready_b);
    err = sepx_ged_prepare(task->ged, &a, answer->a);
    if (!err)
        err = sepx_ged_prepare(task->ged, &b, answer->b);
    if (!err)
        err = sepx_ged_whole(task->ged, &answer->whole, a, b);
    sepx_ged_graph_free(a);
    sepx_ged_graph_free(b);
    return err;
}

enum sepx_err
answer_compute(struct ged_answer *answer, struct sepx_ged *ged,
               const struct sepx_ged_limits *limits)
{
    struct task task = {answer, ged, limits};
    enum sepx_err err;

    err = measure(&task, prepare, &answer->prepare_us);
    if (!err)
        err =
            measure(&task, answer->price ? price : distance, &answer->time_us);
    if (!err && answer->normalize)
        err = set_whole(&task);
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
    sepx_json_add_string(w, key, sepx_names_text(names, label));
}

/* An edge's label is left out where it has none. */
void
edit_put_json(struct sepx_json_writer *w, const struct sepx_edit *edit,
              const struct sepx_names *names)
{
    bool edge = kinds[edit->kind].edge;
    bool both = edit->kind == SEPX_EDGE_RELABEL;

    sepx_json_add_string(w, "op", kinds[edit->kind].op);
    sepx_json_key(w, edge ? "from" : "node");
    sepx_json_put_integer(w, edge ? edit->from : edit->node);
    if (edge) {
        sepx_json_add_integer(w, "to", edit->to);
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

static void
put_normalized(struct sepx_json_writer *w, const struct ged_answer *answer)
{
    const struct sepx_ged_result *result = &answer->result;
    const double upper = sepx_ged_normalized(result->upper, answer->whole);

    sepx_json_add_number(w, "normalized", result->exact ? upper : NAN);
    if (result->exact)
        return;
    sepx_json_add_number(w, "normalized_lower",
                         sepx_ged_normalized(result->lower, answer->whole));
    sepx_json_add_number(w, "normalized_upper", upper);
}

static enum sepx_err
put_price(struct sepx_json_writer *w, const struct ged_answer *answer,
          const struct ged_settings *settings)
{
    sepx_json_add_number(w, "cost", answer->result.upper);
    if (settings->normalize) {
        sepx_json_key(w, "normalized_cost");
        sepx_json_put_number(
            w, sepx_ged_normalized(answer->result.upper, answer->whole));
    }
    sepx_json_key(w, "map");
    map_put_json(w, answer->result.map, answer->a->n_nodes);
    return settings->path ? put_path(w, answer, settings->ignore_labels)
                          : SEPX_OK;
}

static const char *const ends[] = {
    [SEPX_GED_PROVEN] = "",      [SEPX_GED_THRESHOLD] = "at-most",
    [SEPX_GED_SECONDS] = "time", [SEPX_GED_NODES] = "nodes",
    [SEPX_GED_SIZE] = "size",    [SEPX_GED_STOPPED] = "interrupt",
};

enum sepx_err
answer_put_json(struct sepx_json_writer *w, const struct ged_answer *answer,
                const struct ged_settings *settings)
{
    const struct sepx_ged_result *result = &answer->result;

    if (settings->price)
        return put_price(w, answer, settings);
    sepx_json_add_number(w, "ged", result->exact ? result->upper : NAN);
    sepx_json_add_number(w, "lower", result->lower);
    sepx_json_add_number(w, "upper", result->upper);
    sepx_json_add_bool(w, "exact", result->exact);
    if (!result->exact) {
        sepx_json_add_string(w, "stopped", ends[result->end]);
    }
    sepx_json_key(w, "map");
    map_put_json(w, result->map, answer->a->n_nodes);
    sepx_json_add_number(w, "time_us", rounded(answer->time_us));
    sepx_json_add_number(w, "prepare_us", rounded(answer->prepare_us));
    if (!isnan(settings->at_most))
        put_at_most(w, answer_at_most(answer, settings->at_most));
    if (settings->normalize)
        put_normalized(w, answer);
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
static enum out_style
colour_of(enum sepx_edit_kind kind)
{
    if (kind == SEPX_EDGE_DELETE || kind == SEPX_NODE_DELETE)
        return STYLE_RED;
    if (kind == SEPX_EDGE_INSERT || kind == SEPX_NODE_INSERT)
        return STYLE_GREEN;
    return STYLE_ORANGE;
}

void
edit_print(struct out *out, const struct sepx_edit *edit,
           const struct sepx_graph *first)
{
    const char *old = sepx_names_text(first->names, edit->old_label);
    const char *new = sepx_names_text(first->names, edit->new_label);
    bool relabel = kinds[edit->kind].old_label && kinds[edit->kind].new_label;

    out_style(out, STDOUT_FILENO, colour_of(edit->kind));
    out_print(out, "%s ", kinds[edit->kind].verb);
    if (kinds[edit->kind].edge)
        out_print(out, "%u %s %u", edit->from, first->undirected ? "--" : "->",
                  edit->to);
    else
        out_print(out, "%u", edit->node);
    if (relabel)
        out_print(out, ": %s => %s", *old ? old : "(none)",
                  *new ? new : "(none)");
    else if (*old || *new)
        out_print(out, ": %s%s", old, new);
    out_style(out, STDOUT_FILENO, STYLE_PLAIN);
    out_print(out, "\n");
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
        edit_print(out, &path.edit[i], answer->a);
    sepx_path_release(&path);
    return err;
}

enum sepx_err
answer_print(struct out *out, const struct ged_answer *answer,
             const struct ged_settings *settings)
{
    static const char *const words[] = {"unknown", "no", "yes"};
    const struct sepx_ged_result *result = &answer->result;
    double lower = result->lower, upper = result->upper;

    if (!isnan(settings->at_most)) {
        int known = answer_at_most(answer, settings->at_most);

        out_print(out, "%s\n", words[known + 1]);
        return SEPX_OK;
    }
    if (settings->normalize) {
        lower = sepx_ged_normalized(lower, answer->whole);
        upper = sepx_ged_normalized(upper, answer->whole);
    }
    answer_print_distance(out, lower, upper, result->exact || settings->price);
    out_print(out, "\n");
    return settings->path ? print_path(out, answer, settings) : SEPX_OK;
}
