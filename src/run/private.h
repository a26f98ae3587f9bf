/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and studies, beyond the public headers. */
#ifndef SEPX_RUN_PRIVATE_H
#define SEPX_RUN_PRIVATE_H

#include "eval/private.h"
#include "search/private.h"
#include "sepx/run.h"
#include "sepx/study.h"
#include "store/private.h"

/* ---- runs ---- */

/* An array of operators; one object for each. */
void sepx_run_operators_put_json(struct sepx_json_writer *w,
                                 const struct sepx_run_operator *op,
                                 uint32_t count);
/*
 * One object: seed, best, evaluations, curve, operators, graph; unless the
 * scores are distances also test, spent, reached and visited.
 */
void sepx_run_put_json(struct sepx_json_writer *w, const struct sepx_run *run);

/* ---- studies ---- */

/* A setting to compare. */
struct sepx_study_key {
    const char *member;    /* of the settings in the file; NULL ends a list */
    const char *name;      /* in messages */
    const char *otherwise; /* the value if the member is absent; NULL: none */
    double unit;           /* of numbers in messages; 0: 1 */
};

/*
 * Whether an open study has these settings, as far as `key` names them.
 * SEPX_EINVAL names the first difference.
 */
SEPX_CHECKED enum sepx_err
sepx_study_compare(struct sepx_study *study,
                   const struct sepx_study_settings *settings,
                   const struct sepx_study_key *key, struct sepx_msg *msg);
/*
 * Whether a study may begin anew: it is in a file, no trial of it has a score,
 * and its user added no graph.
 */
SEPX_CHECKED enum sepx_err sepx_study_is_blank(struct sepx_study *study,
                                               bool *blank,
                                               struct sepx_msg *msg);
/*
 * Begin such a study, open for writing, anew: its trials are discarded and its
 * settings are these, whose space must be that of the study. They may point
 * into the study's. If the evaluator cannot be opened, it fails as
 * sepx_study_create() does and the file is as it was. After success *study is
 * another object; after a failure it is good for closing only. No session of
 * it may be open.
 */
SEPX_CHECKED enum sepx_err
sepx_study_renew(struct sepx_study **study,
                 const struct sepx_study_settings *settings,
                 struct sepx_msg *msg);
/*
 * The numbers of a result, from its text in the log. SEPX_EDATA, and NaN, if
 * they are not there.
 */
SEPX_CHECKED enum sepx_err sepx_study_numbers(const struct sepx_goals *goals,
                                              double *number, const char *text);
/*
 * With goals: which points of a summary are on the front, by the first
 * objective; returns how many. `at` has room for n_entered.
 */
size_t sepx_study_front(const struct sepx_study_summary *summary, size_t *at);
/* Take one trial in; it counts as told if the entry is. */
SEPX_CHECKED enum sepx_err
sepx_study_summary_add(struct sepx_study_summary *summary,
                       const struct sepx_entry *entry);
/*
 * Whether all that the method proposed so far is its random start; then *done
 * of *total trials or scores are made until results count.
 */
bool sepx_study_starts(const struct sepx_study_summary *summary, uint32_t *done,
                       uint32_t *total);
/* Counts of a repaired copy. {0}: empty. */
struct sepx_study_repair {
    int64_t kept, left_out; /* events */
    int64_t later;          /* of those left out: see below */
    uint32_t trials;
    uint32_t *lost; /* of them without the result that was left out */
    size_t n_lost, lost_room;
    bool elapsed, options; /* of sessions: left out, too */
};

void sepx_study_repair_release(struct sepx_study_repair *repair);
/*
 * Copy a study to a new `path` without the events that are damaged or do not
 * follow from settings, seed and the events before them. `each` gets those, a
 * text why, and whether the text is a sentence or goes on after "the result of
 * trial 7". Events of trials behind a proposal that was left out are counted
 * (`later`) and not named. The copy can be resumed: the search proposes these
 * trials anew, and trials that lost their result are evaluated again. `stop`
 * ends it with SEPX_ESTOPPED and without a copy.
 */
SEPX_CHECKED enum sepx_err sepx_study_copy_repaired(
    struct sepx_study *study, const char *path,
    void (*each)(void *context, const struct sepx_store_row *row,
                 const char *why, bool sentence),
    void *context, const struct sepx_stop *stop,
    struct sepx_study_repair *repair, struct sepx_msg *msg);
/* Whether, and by which rule of the plan, the study is at its end. */
enum sepx_study_end sepx_study_ended(const struct sepx_study_summary *summary,
                                     const struct sepx_study_plan *plan);

#endif
