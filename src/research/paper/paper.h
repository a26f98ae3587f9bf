/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx reproduce: the paper's figures and tables as items. An item computes
 * its rows, writes them into a folder of its own, draws them, and says which
 * claims of the paper they bear out. The page is made of these files alone,
 * so that it does not matter when and by how many calls they were written.
 *
 * Functions that return int return an enum cli_exit, and have said what is
 * wrong unless it is CLI_DONE.
 */
#ifndef SEPX_PAPER_H
#define SEPX_PAPER_H

#include "frame/cli.h"

enum { PAPER_PATH = 4096, PAPER_BYTES_MAX = 1 << 26 };

struct paper_settings {
    bool quick, list;
    const char *out, *verify, *table, *nb301, *python;
    int64_t seed, threads, runs, evals;
};

struct work;

enum paper_reads { PAPER_NOTHING, PAPER_TABLE, PAPER_NB301 };

/* What a call of an item has to do. */
struct paper_item {
    const char *name, *title;
    const char *place;     /* in the paper */
    const char *needs;     /* for --list */
    double seconds, hurry; /* on two processors, without and with --quick */
    uint32_t runs, evals;  /* of each method; 0: has no runs */
    uint32_t quick_runs, quick_evals;
    int (*make)(struct work *work);
    const void *data;       /* the function's own */
    enum paper_reads reads; /* the file that its rows depend on */
    /* NULL: always there. Else how to get what is missing, or NULL. */
    const char *(*missing)(const struct paper_settings *settings);
    bool sampled; /* --verify repeats some of its runs, not all */
};

/* items.c: all, ended by a NULL name. */
extern const struct paper_item paper_items[];
const struct paper_item *paper_item_find(const char *name);

/* A whole call. Weights are seconds that items are thought to take. */
struct paper {
    const struct paper_settings *settings;
    const char *folder;
    double started, weight_before, weight_all;
    double weight_made;     /* of those before that were not there already */
    unsigned number, count; /* of the item under way */
};

/* ---- claims.c ---- */

/* Of the paper, or a control of ours. */
struct paper_claim {
    const char *id, *item, *place, *text;
};

extern const struct paper_claim paper_claims[]; /* ended by a NULL id */

/*
 * What came of a claim. NOT_SHOWN and REVERSED are of tests: no difference at
 * 5 %, or one the other way. Exact counts have no test: MISSED is short of
 * what the claim asks for, REVERSED if most of the cases say the opposite.
 */
enum verdict { HOLDS, NOT_SHOWN, REVERSED, MISSED, VERDICTS };

/* "holds", "not shown", "reversed", "threshold missed" */
extern const char *const verdict_names[VERDICTS];
/* Of a two-sided test at 5 %; `effect` above 0.5 is for the claim. */
enum verdict verdict_of_test(double p, double effect);

/* What an item says about a claim. */
struct outcome {
    const char *id;
    enum verdict verdict;
    const char *test;
    double p, effect; /* NaN: the test has none */
    size_t n;
    char detail[480];
};

/* ---- work.c: one item under way ---- */

struct figure {
    const char *name;  /* of its files, without suffix */
    const char *title; /* plain text */
    const char *see, *differs;
    const char *made; /* the command that makes its numbers again */
};

struct work {
    struct paper *paper;
    const struct paper_item *item;
    char folder[PAPER_PATH];
    uint32_t runs, evals;
    double weight;     /* seconds that it is thought to take */
    const char *doing; /* beside the name in the progress line */
    bool pictures;     /* false: rows only */
    /* --verify: which runs to make, `n_only` of them; NULL: all. */
    const uint32_t *only;
    uint32_t n_only;
    struct sepx_text text[4];
    struct sepx_json_writer figures, tables, claims, files;
};

/* Settings resolved, nothing written yet; work_close() ends it. */
void work_open(struct work *work, struct paper *paper,
               const struct paper_item *item, const char *folder);
void work_close(struct work *work);
/* Seconds that the item is thought to take. */
double work_weight(const struct paper_settings *settings,
                   const struct paper_item *item);

/* A file of the item, whole. `rows`: bytes that each call repeats. */
int work_write(struct work *work, const char *name,
               const struct sepx_text *text, bool rows);
/* A gnuplot script for each kind of picture, by `draw`. */
int work_plot(struct work *work, const struct figure *figure,
              enum sepx_err (*draw)(struct sepx_text *script, const void *what,
                                    enum sepx_picture kind,
                                    struct sepx_msg *msg),
              const void *what);
/* A Graphviz drawing. */
int work_graph(struct work *work, const struct figure *figure,
               const struct sepx_text *dot);
/* A table of texts: its head, then cells row by row. */
void work_table(struct work *work, const char *title, const char *const *head,
                size_t columns);
void work_cell(struct work *work, const char *format, ...) SEPX_PRINTF(2, 3);
void work_row(struct work *work);
void work_table_end(struct work *work);
void work_claim(struct work *work, const struct outcome *outcome);
/* The share of the item that is done, 0 to 1. False: stop. */
bool work_progress(struct work *work, double share);
/* The last file, which says that all others are there. */
int work_finish(struct work *work, double seconds);
/* Whether the folder holds the finished item, made as it is wanted now. */
bool work_is_done(const struct work *work);

/* ---- items ---- */

int make_permutation(struct work *work);
int make_maps(struct work *work);
int make_frequencies(struct work *work);
int make_comparison(struct work *work);
int make_ged_time(struct work *work);

/* ---- page.c, manifest.c, verify.c ---- */

/* DIR/report.html from what is there. */
int page_write(const struct paper *paper);
/* DIR/manifest.json. */
int manifest_write(const struct paper *paper);
/* Members "finished", in UTC, and "machine" of an open object. */
void paper_put_made(struct sepx_json_writer *w);
int verify_run(struct paper *paper, char **item, unsigned n_items);

/* ---- files.c ---- */

/* folder/name; false and a message if it is too long. */
bool paper_path(char path[PAPER_PATH], const char *folder, const char *name);
/* The folder and those above it. */
int paper_mkdir(const char *folder);
/* NULL if there is no such file or it is no JSON. */
struct sepx_json *paper_json(const char *folder, const char *name);

#endif
