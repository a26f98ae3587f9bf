/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of a study: what `sepx study watch` serves and `sepx study report`
 * writes into one file. Studies are followed in memory (follow.c), documents
 * of JSON are made from them (document*.c), and the files of web/ show them.
 *
 * All documents are made under `lock`, since a store belongs to one thread at
 * a time.
 */
#ifndef SEPX_CLI_PAGE_H
#define SEPX_CLI_PAGE_H

#include <pthread.h>
#include <sys/types.h>

#include "frame/display.h"
#include "study/study_family.h"

/* ---- follow.c ---- */

/* Texts that repeat: operators, outcomes, slots. {0} is empty. */
struct page_words {
    char **at;
    uint32_t count, room;
};

/* A trial without its texts. */
struct page_trial {
    double value, test, cost; /* as the evaluator gave them; NaN: none */
    double seconds, finished, elapsed;
    int64_t parent[2], cached; /* trials; -1: none */
    uint32_t op, outcome, slot;
    uint32_t events; /* of the log that are about it */
    bool told;
    bool barred; /* it violates a constraint */
};

#define PAGE_NO_WORD UINT32_MAX

struct page_study {
    struct study s;         /* has only its path if it was never readable */
    struct sepx_store *log; /* what `s` reads from; opened anew now and then */
    double opened;          /* when that was, or was last attempted */
    dev_t device;           /* of the file, to notice a replacement; */
    ino_t inode;            /* 0 on a server */
    struct sepx_text fault; /* why it cannot be read; empty: it can */
    struct family family;   /* space, distances; persons of one document */
    struct page_trial *trial;
    double *number; /* with goals: one for each name, by trial */
    size_t count, room;
    size_t settled; /* all trials before this one were told */
    size_t told, failed, cached;
    struct page_words ops, outcomes, slots;
    uint64_t events;      /* of the log: the cursor of the page */
    double scanned;       /* when all trials were read the last time */
    bool running;         /* a process writes */
    struct sepx_text map; /* the last one, of `map_told` trials */
    size_t map_told;
    bool mapping; /* a thread makes a new one */
};

struct page {
    const char *command; /* of messages */
    struct page_study *study;
    size_t count;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t version; /* grows with every change */
    bool ending;
    bool is_report; /* documents may be as long as they like */
};

/*
 * Open these studies and read them; says what is wrong. Unless `all` must be
 * readable, one that is suffices, and the others have a `fault`.
 */
int page_open(struct page *page, const char *command, char *const *path,
              size_t count, bool all);
void page_close(struct page *page);
/*
 * Read new events and signal `changed`. A study that cannot be read gets a
 * `fault`, and is opened again when it can be; so is one whose file was
 * replaced by another.
 */
void page_follow(struct page *page);
/* A trial's value if it meets the constraints; else NaN. */
double page_score(const struct page_trial *trial);
/* The trial with the best score, or NULL. */
const struct page_trial *page_best(const struct page_study *study);
/* Whether value `a` is better than `b`; NaN is worse than any. */
bool page_better(const struct page_study *study, double a, double b);
/*
 * Trials with a value of their own, the best first: with several objectives
 * the front, then others by the first of them; those that violate constraints
 * come last. The caller's to free.
 */
SEPX_CHECKED enum sepx_err page_rank(const struct page_study *study,
                                     uint32_t **trial, size_t *count);
/* Trials on the front, by the first objective; the caller's to free. */
SEPX_CHECKED enum sepx_err page_front(const struct page_study *study,
                                      size_t **trial, size_t *count);

/* ---- documents ---- */

/* What stands behind '?' in a request: "from=0&count=50". */
struct page_query {
    const char *text; /* NULL: nothing */
};

/* The value of a key, copied into `room`; false if it is not there. */
bool page_query_get(const struct page_query *query, const char *key, char *room,
                    size_t size);
/* A whole number of at most `most`; `otherwise` if it is none. */
uint32_t page_query_count(const struct page_query *query, const char *key,
                          uint32_t otherwise, uint32_t most);

typedef enum sepx_err page_write(struct page *page, struct page_study *study,
                                 struct sepx_json_writer *w,
                                 const struct page_query *query,
                                 struct sepx_msg *msg);

/*
 * Append the document "NAME" of study `index`, or of all studies.
 * SEPX_ENOTFOUND if there is none, SEPX_EIO if the study has a fault. The lock
 * must not be held.
 */
SEPX_CHECKED enum sepx_err
page_document(struct page *page, struct sepx_text *text, const char *name,
              size_t index, const struct page_query *query,
              struct sepx_msg *msg);

page_write page_write_summary, page_write_history, page_write_operators,
    page_write_workers, page_write_trials, page_write_gallery, page_write_trial,
    page_write_lineage, page_write_map, page_write_front, page_write_studies,
    page_write_compare;

/* Arrays and members of JSON. */
void page_put_number(struct sepx_json_writer *w, const char *key, double value);
void page_put_count(struct sepx_json_writer *w, const char *key, int64_t value);
void page_put_text(struct sepx_json_writer *w, const char *key,
                   const char *text);
void page_put_bool(struct sepx_json_writer *w, const char *key, bool value);
void page_put_words(struct sepx_json_writer *w, const char *key,
                    const struct page_words *words);
void page_open_list(struct sepx_json_writer *w, const char *key);

/* ---- files of web/, put into the program at build time ---- */

struct page_file {
    const char *name; /* "app.js" */
    const char *type; /* "text/javascript; charset=utf-8" */
    const unsigned char *bytes;
    size_t len;
};

extern const struct page_file page_files[]; /* ended by a NULL name */
const struct page_file *page_file_find(const char *name);

#endif
