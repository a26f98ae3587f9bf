/* SPDX-License-Identifier: Apache-2.0 */
/* What a study's results say about graphs that were not evaluated. */
#include <math.h>
#include <string.h>

#include "eval/private.h"
#include "graph/private.h"
#include "run/study_internal.h"
#include "search/history.h"
#include "search/models/surface.h"

#define GRAPHS_MOST 400 /* that the model knows */
#define ALIGN 500       /* the rule of that name, as by default */

/* {0} is empty. */
struct reader {
    const struct sepx_space *space;
    struct sepx__history history; /* of live parts, as the model knows graphs */
    struct sepx__history whole;
    struct sepx__surface surface;
    struct sepx_graph graph;
    uint32_t *trial; /* of the study, by that of the histories */
    size_t room;
    uint32_t trials;
};

static void
reader_release(struct reader *reader)
{
    sepx__history_release(&reader->history);
    sepx__history_release(&reader->whole);
    sepx__free(reader->trial);
    sepx__surface_release(&reader->surface);
    sepx_graph_release(&reader->graph);
}

static enum sepx_err
read_graph(struct reader *reader, const char *text, struct sepx_msg *msg)
{
    struct sepx_json *json = NULL;
    enum sepx_err err = sepx_json_parse(&json, text, strlen(text), msg);

    reader->graph.names = sepx_space_names(reader->space);
    if (!err)
        err = sepx_graph_from_json(&reader->graph, reader->graph.names, json,
                                   msg);
    sepx_json_free(json);
    return err;
}

/* A result that is another trial's says nothing new. */
static enum sepx_err
take(struct reader *reader, const struct sepx_entry *entry,
     struct sepx_msg *msg)
{
    const struct sepx__known_graph *known;
    uint32_t trial = reader->trials, number;
    enum sepx_err err;

    if (!entry->is_told || isnan(entry->told.value) || entry->told.cached >= 0)
        return SEPX_OK;
    err = read_graph(reader, entry->asked.graph, msg);
    if (!err)
        err = sepx__history_ask(&reader->history, trial, &reader->graph);
    if (!err)
        err = sepx__history_ask(&reader->whole, trial, &reader->graph);
    if (!err)
        err = sepx__grow((void **)&reader->trial, &reader->room,
                         (size_t)trial + 1, sizeof *reader->trial);
    if (err)
        return err;
    reader->trial[reader->trials++] = entry->asked.trial;
    sepx__history_tell(&reader->history, trial, entry->asked.fidelity,
                       entry->told.value);
    sepx__history_tell(&reader->whole, trial, entry->asked.fidelity,
                       entry->told.value);
    number = reader->history.of[trial];
    known = &reader->history.graph[number];
    return sepx__surface_tell(&reader->surface, number, &reader->graph,
                              entry->asked.trial, known->mean, known->count);
}

static enum sepx_err
read_study(struct reader *reader, const struct sepx_study *study,
           struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(study->store, &cursor, SEPX_STORE_TRIALS, 0, msg);

    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        err = take(reader, &entry, msg);
    }
    sepx_cursor_free(cursor);
    if (!err && !sepx__surface_ready(&reader->surface))
        err = sepx_fail(msg, SEPX_ENOTFOUND,
                        "%s: too few scores to predict from; at least two "
                        "different ones are needed",
                        sepx_store_path(study->store));
    return err;
}

/* Another graph with the same live part counts if dead ones change no score. */
static enum sepx_err
recall(struct reader *reader, struct sepx_prediction *out,
       const struct sepx_graph *graph, bool dead)
{
    struct sepx__history *history = &reader->whole;
    uint32_t number;
    enum sepx_err err = sepx__history_find(history, &number, graph);

    if (!err && number == SEPX__UNKNOWN && !dead) {
        history = &reader->history;
        err = sepx__history_find(history, &number, graph);
    }
    out->known = 0;
    out->trial = -1;
    out->live = false;
    if (err || number == SEPX__UNKNOWN)
        return err;
    out->known = history->graph[number].count;
    out->trial = reader->trial[history->graph[number].trial];
    out->live = history == &reader->history;
    return SEPX_OK;
}

/* The end of a range that is low in the log is high if scores are negated. */
static enum sepx_err
predict(const struct sepx_study *study, struct reader *reader,
        struct sepx_prediction *out, const struct sepx_graph *graph)
{
    struct sepx__surface *surface = &reader->surface;
    double mean, deviation, side;
    enum sepx_err err = recall(reader, out, graph,
                               sepx_eval_text_sees_dead(study->settings.eval));

    if (!err)
        err = sepx__surface_ask(surface, &mean, &deviation, graph);
    if (err)
        return err;
    side = study->maximized ? -deviation : deviation;
    out->score = sepx_study_value(study, sepx__surface_score(surface, mean));
    out->low =
        sepx_study_value(study, sepx__surface_score(surface, mean - side));
    out->high =
        sepx_study_value(study, sepx__surface_score(surface, mean + side));
    return SEPX_OK;
}

/* All graphs are looked at before the first is predicted. */
static enum sepx_err
check_all(const struct sepx_space *space, const struct sepx_graph *graphs,
          size_t count, size_t *failed, struct sepx_msg *msg)
{
    bool valid = true;
    enum sepx_err err = SEPX_OK;

    for (*failed = 0; *failed < count && !err; ++*failed) {
        err = sepx_space_check(space, &valid, &graphs[*failed], msg);
        if (!err && !valid)
            err = SEPX_EINVAL;
        if (err)
            break;
    }
    return err;
}

enum sepx_err
sepx_study_predict(struct sepx_study *study, struct sepx_prediction *out,
                   const struct sepx_graph *graphs, size_t count,
                   size_t *failed, struct sepx_msg *msg)
{
    struct reader reader = {0};
    enum sepx_err err = sepx__study_load(study, msg);

    *failed = count;
    if (!err)
        err = check_all(study->space, graphs, count, failed, msg);
    if (err)
        return err;
    reader.space = study->space;
    reader.history.space = reader.whole.space = study->space;
    reader.whole.whole = true;
    err = sepx__surface_init(&reader.surface, study->space, GRAPHS_MOST, ALIGN);
    if (!err)
        err = read_study(&reader, study, msg);
    if (!err)
        err = sepx__surface_fit(&reader.surface);
    for (size_t i = 0; i < count && !err; i++)
        err = predict(study, &reader, &out[i], &graphs[i]);
    reader_release(&reader);
    return err;
}
