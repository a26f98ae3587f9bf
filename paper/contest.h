/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contests: several methods on the same seeds. Which methods, spaces, rules,
 * figures and claims is data (contests.c); running (contest.c), rows and
 * pictures (contest_show.c) and tests (contest_judge.c) exist once.
 */
#ifndef SEPX_PAPER_CONTEST_H
#define SEPX_PAPER_CONTEST_H

#include "experiment.h"
#include "paper.h"

enum { CONTEST_POINTS = 200, CONTENDERS_MAX = 8, PANELS_MAX = 2 };

enum series {
    SERIES_SCORE,   /* of the incumbent: a distance, or an accuracy in % */
    SERIES_TEST,    /* what is reported of it, likewise */
    SERIES_REACHED, /* 100 once the best score there is has been had */
    SERIES_VISITED, /* 100 once the graph with the best test value has */
    SERIES_END
};

struct contender {
    const char *label;  /* in legends and rows */
    const char *method; /* as `sepx compare` takes it */
    const char *eval;   /* NULL: the panel's */
    unsigned style;     /* of its curve */
};

/* Methods under the same rules. */
struct panel {
    const char *key, *title;
    const char *space, *eval, *rules;
    const struct contender *row; /* ended by a NULL label */
};

/* A figure of each panel. */
struct view {
    const char *key;
    enum series series;
    const char *title; /* what the ordinate is */
    const char *see;
};

/* `better` beats each of `worse`, by the mean of its curve. */
struct duel {
    const char *claim, *panel;
    enum series series;
    const char *better;
    const char *worse; /* labels, or NULL: all others of the panel */
};

struct contest {
    const struct panel *panel[PANELS_MAX]; /* NULL: no second one */
    const struct view *view;               /* ended by a NULL key */
    const struct duel *duel;               /* ended by a NULL claim */
    enum sepx_axis axis;
    const char *differs;
};

/* What one contender did, at CONTEST_POINTS places of the axis. */
struct trace {
    const struct contender *who;
    size_t runs;
    uint64_t *seed;
    double *value[SERIES_END]; /* runs x points */
    double *mean[SERIES_END];  /* of each run over the axis; larger is better
                                  unless the score is a distance */
    double *last[SERIES_END];  /* of each run */
};

struct match {
    const struct panel *panel;
    struct experiment x;
    struct experiment_settings settings;
    char eval[600]; /* text of the evaluator */
    bool smaller;   /* scores are distances */
    bool shown[SERIES_END];
    const char *source; /* of the scores, if not exact */
    size_t count;
    struct trace trace[CONTENDERS_MAX];
};

/* An item's data and what came of it. */
struct contest_run {
    const struct contest *contest;
    size_t points;
    double at[CONTEST_POINTS]; /* places on the axis */
    size_t count;
    struct match match[PANELS_MAX];
};

/* ---- contest_show.c ---- */

int contest_write(struct work *work, const struct contest_run *run);
int contest_draw(struct work *work, const struct contest_run *run);
void contest_tables(struct work *work, const struct contest_run *run);
/* The name of a series in rows and file names. */
const char *series_name(enum series series);

/* ---- contest_judge.c ---- */

int contest_judge(struct work *work, const struct contest_run *run);

/* ---- contests.c ---- */

extern const struct contest contest_nb101, contest_gru, contest_lstm;
extern const struct contest contest_noisy, contest_bayes, contest_path;
extern const struct contest contest_nb301;

#endif
