/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons: several methods on the same seeds. Which methods, spaces, rules,
 * figures and claims is data (comparisons.c); running (comparison.c), rows and
 * pictures (comparison_show.c) and tests (comparison_test.c) exist once.
 */
#ifndef SEPX_PAPER_COMPARISON_H
#define SEPX_PAPER_COMPARISON_H

#include "search/experiment.h"
#include "paper.h"

enum { COMPARISON_POINTS = 200, CONTENDERS_MAX = 8, PANELS_MAX = 2 };

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

enum { TABLE_COLUMNS = 5 };

/* Means that the authors' code gave, at the columns of the panel's table. */
struct reference {
    const char *label;
    double mean[TABLE_COLUMNS];
};

/* Methods under the same rules. */
struct panel {
    const char *key, *title;
    const char *space, *eval, *rules;
    const struct contender *row;       /* ended by a NULL label */
    double at[TABLE_COLUMNS];          /* columns of its table, on the axis */
    const struct reference *reference; /* ended by a NULL label; or NULL */
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

struct comparison {
    const struct panel *panel[PANELS_MAX]; /* NULL: no second one */
    const struct view *view;               /* ended by a NULL key */
    const struct duel *duel;               /* ended by a NULL claim */
    enum sepx_axis axis;
    const char *differs;
};

/* What one contender did, at COMPARISON_POINTS places of the axis. */
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
struct comparison_run {
    const struct comparison *comparison;
    size_t points;
    double at[COMPARISON_POINTS]; /* places on the axis */
    size_t count;
    struct match match[PANELS_MAX];
};

/* ---- comparison_band.c ---- */

/* Fewer runs have no 95 % interval of the median: it is their range then. */
enum { MEDIAN_RUNS = 6 };

/* Of all runs at one place; 95 % intervals. */
struct band {
    double mean, sd, low, high;
    double median, median_low, median_high;
};

bool is_share(enum series series);
struct band band_at(const struct trace *trace, enum series series,
                    size_t points, size_t i);
/* Accuracies are drawn as medians: single runs are far off. */
bool by_median(const struct match *match, enum series series);
/* As it is drawn: `mean`, `low` and `high` are those of the median if so. */
struct band drawn_at(const struct match *match, const struct trace *trace,
                     enum series series, size_t points, size_t i);
/* Compares two doubles, for qsort(). */
int ascending(const void *a, const void *b);

/* ---- comparison_show.c ---- */

int comparison_write(struct work *work, const struct comparison_run *run);
int comparison_draw(struct work *work, const struct comparison_run *run);
void comparison_tables(struct work *work, const struct comparison_run *run);
/* The name of a series in rows and file names. */
const char *series_name(enum series series);

/* ---- comparison_test.c ---- */

int comparison_test(struct work *work, const struct comparison_run *run);

/* ---- comparisons.c ---- */

extern const struct comparison comparison_nb101, comparison_gru,
    comparison_lstm;
extern const struct comparison comparison_noisy, comparison_bayes,
    comparison_path;
extern const struct comparison comparison_nb301;

#endif
