/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study on disk: its settings and an append-only log of events. "asked":
 * a trial was proposed; "told": its evaluation ended. Nothing else is kept,
 * and nothing that is kept ever changes.
 *
 * One process writes at a time, any number read meanwhile. What was
 * committed survives the end of the process, however it ends. The file must
 * not lie on a network file system.
 *
 * Thread safety: a store and its cursors belong to one thread at a time. A
 * process that writes to a file should not open it a second time: closing
 * the second would end SQLite's locks of the first.
 */
#ifndef SEPX_STORE_H
#define SEPX_STORE_H

#include "sepx/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the files that this library writes. */
#define SEPX_STORE_VERSION 1

/* A proposal. Texts that are read belong to the cursor. */
struct sepx_asked {
    uint32_t trial;    /* 0, 1, ... in the order of the log */
    const char *op;    /* the operator's name */
    int64_t parent[2]; /* their trials; -1: none */
    double fidelity;
    int64_t same;      /* the isomorphic trial whose result it gets; -1: none */
    const char *graph; /* JSON */
};

/* How an evaluation ended; a trial is told once. */
struct sepx_told {
    uint32_t trial;
    const char *outcome;      /* as sepx_outcome_name() */
    double value, test, cost; /* NaN: none */
    int64_t cached;           /* the trial whose result this is; -1: its own */
    const char *answer, *errors, *slot; /* NULL: none */
    double seconds;                     /* of the evaluation */
    double finished;                    /* seconds since 1970 */
    double elapsed; /* seconds that the study had run, pauses left out */
};

struct sepx_store;

/*
 * Create a study with its settings and the options of its first session (may
 * be NULL), both JSON texts; it comes to be whole or not at all. SEPX_EINVAL if `path` exists, SEPX_EUNSUPPORTED on a network file
 * system or if this build has no SQLite, SEPX_EIO, SEPX_ENOTFOUND.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_create(const char *path, const char *settings, const char *options,
                  struct sepx_msg *msg);
/*
 * Open a study, to append if `write`. SEPX_ENOTFOUND; SEPX_EBUSY if another
 * process writes to it; SEPX_EDATA if it is no study, is damaged, or was
 * written by a newer version; SEPX_EUNSUPPORTED as above; SEPX_EIO. An older
 * version is brought up to date if `write`. *store is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_open(struct sepx_store **store, const char *path, bool write,
                struct sepx_msg *msg);
SEPX_API void sepx_store_close(struct sepx_store *store); /* NULL: nothing */

SEPX_API const char *sepx_store_path(const struct sepx_store *store);
SEPX_API const char *sepx_store_settings(const struct sepx_store *store);
/* The options of the last session, or NULL if there was none. */
SEPX_API const char *sepx_store_options(const struct sepx_store *store);
/* The process that writes now, or -1. */
SEPX_API int64_t sepx_store_writer(const struct sepx_store *store);

/* ---- writing ---- */

/* Note that this process goes on with the study, with these options. */
SEPX_API SEPX_CHECKED enum sepx_err sepx_store_session(struct sepx_store *store,
                                                       const char *options,
                                                       struct sepx_msg *msg);
/*
 * Events are appended between begin and commit, and are there for others and
 * after a crash once commit has returned. After a failure nothing since
 * begin is there, and the store is good for reading and closing only.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_store_begin(struct sepx_store *store,
                                                     struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err sepx_store_commit(struct sepx_store *store,
                                                      struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_ask(struct sepx_store *store, const struct sepx_asked *asked,
               struct sepx_msg *msg);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_tell(struct sepx_store *store, const struct sepx_told *told,
                struct sepx_msg *msg);

/* ---- reading ---- */

enum sepx_store_order {
    SEPX_STORE_LOG,    /* events as they came, one an entry */
    SEPX_STORE_TRIALS, /* a trial an entry, ascending */
    SEPX_STORE_BEST    /* scored trials, the smallest value first */
};

struct sepx_entry {
    bool is_asked, is_told; /* which of the two there are */
    struct sepx_asked asked;
    struct sepx_told told;
};

struct sepx_cursor;

/*
 * Read the study as it is now, from trial `first` on (SEPX_STORE_TRIALS; else
 * 0). The store must outlive the cursor. Values of a damaged file give
 * SEPX_EDATA; numbers and texts of entries are as the file has them.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_read(struct sepx_store *store, struct sepx_cursor **cursor,
                enum sepx_store_order order, uint32_t first,
                struct sepx_msg *msg);
/* *more is false behind the last. Texts live until the next call. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_cursor_next(struct sepx_cursor *cursor, struct sepx_entry *entry,
                 bool *more, struct sepx_msg *msg);
SEPX_API void sepx_cursor_free(struct sepx_cursor *cursor); /* NULL: nothing */
/* Every page and row of the file; SEPX_EDATA names the first fault. */
SEPX_API SEPX_CHECKED enum sepx_err sepx_store_check(struct sepx_store *store,
                                                     struct sepx_msg *msg);

#ifdef __cplusplus
}
#endif
#endif
