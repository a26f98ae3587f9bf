/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study on disk: its settings and an append-only log of events. "asked":
 * a trial was proposed; "told": its evaluation ended; "retried": a trial
 * that was told is to be evaluated again. Nothing else is kept, and nothing
 * that is kept ever changes: each event carries a checksum of itself and all
 * before it. A graph that a user brings is a trial whose operator is "added"
 * or, if its score came with it, "imported".
 *
 * Its name says where: a path is that of an SQLite file, which must not lie
 * on a network file system; "postgresql://HOST/DATABASE?study=NAME" is on a
 * server. One process writes to a file at a time, and any number read
 * meanwhile; on a server any number does both. What was committed survives
 * the end of the process, however it ends; results that took longer than
 * 0.1 s also survive a loss of power.
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
#define SEPX_STORE_VERSION 3

/* A proposal. Texts that are read belong to the cursor. */
struct sepx_asked {
    uint32_t trial;    /* 0, 1, ... in the order of the log */
    const char *op;    /* the operator's name */
    int64_t parent[2]; /* their trials; -1: none */
    double fidelity;
    int64_t same;      /* the isomorphic trial whose result it gets; -1: none */
    const char *graph; /* JSON */
};

/* How an evaluation ended; an attempt is told once. */
struct sepx_told {
    uint32_t trial;
    uint32_t attempt;         /* how often the trial was retried before */
    const char *outcome;      /* as sepx_outcome_name() */
    double value, test, cost; /* NaN: none */
    int64_t cached;           /* the trial whose result this is; -1: its own */
    const char *answer, *errors, *slot; /* NULL: none */
    const char *numbers; /* of several objectives, a JSON array; NULL: none */
    const char *steps;   /* intermediate values, [[step, value], ..]; or NULL */
    double seconds;      /* of the evaluation */
    double finished;     /* seconds since 1970 */
    double elapsed;      /* seconds that the study had run, pauses left out */
};

struct sepx_store;

/*
 * Open a study, to append if `write`. SEPX_ENOINPUT; SEPX_EBUSY if another
 * process writes to it, or without `write`, if one still writes to the file
 * that it replaced; SEPX_EDATA if it is no study, is damaged, or was written
 * by a newer version; SEPX_EUNSUPPORTED as above; SEPX_EIO. A file of an older
 * version is read as it is, and brought up to date if `write`.
 * *store is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_store_open(struct sepx_store **store, const char *path, bool write,
                struct sepx_msg *msg);
SEPX_API void sepx_store_close(struct sepx_store *store); /* NULL: nothing */

SEPX_API const char *sepx_store_path(const struct sepx_store *store);
SEPX_API const char *sepx_store_settings(const struct sepx_store *store);
/* The options of the last session, or NULL if there was none. */
SEPX_API const char *sepx_store_options(const struct sepx_store *store);
/*
 * A copy of the study as it is now, also while it runs, in a new file. Fails
 * as sepx_store_create(), and with SEPX_EDATA if the log differs from its
 * checksums.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_store_copy(struct sepx_store *store,
                                                    const char *path,
                                                    struct sepx_msg *msg);

/* ---- reading ---- */

enum sepx_store_order {
    SEPX_STORE_LOG,    /* events as they came, one an entry */
    SEPX_STORE_TRIALS, /* a trial an entry, ascending, with its last attempt */
    SEPX_STORE_BEST    /* scored last attempts, the smallest value first */
};

/* An attempt that is under way is not told. */
struct sepx_entry {
    bool is_asked, is_told, is_retried; /* which of the three there are */
    struct sepx_asked asked;
    struct sepx_told told;
    uint32_t retried; /* the trial */
};

struct sepx_cursor;

/*
 * Read the study as it is now, from trial `first` on (SEPX_STORE_TRIALS; else
 * 0). The store must outlive the cursor. Values of a damaged file give
 * SEPX_EDATA, as does, in the order of the log, an event that differs from
 * its checksum; numbers and texts of entries are as the file has them.
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

#ifdef __cplusplus
}
#endif
#endif
