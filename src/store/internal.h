/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a back end, and what back ends share. */
#ifndef SEPX_STORE_INTERNAL_H
#define SEPX_STORE_INTERNAL_H

#include <time.h>

#include "base/internal.h"
#include "store/private.h"

/* ---- name.c: names of studies ---- */

/* 0 to 15, or -1. */
int sepx__hex_digit(char c);
/* Whether it is the URL of a study on a server. */
bool sepx__name_is_url(const char *name);

/* ---- store.c: back ends ---- */

/* The head of each back end's own struct. */
struct sepx_store {
    const struct sepx__store_ops *ops;
    char *path, *settings, *options;
    int version;
    int64_t writer;        /* process, -1: none */
    double elapsed;        /* seconds, as sessions noted them */
    bool odd_elapsed;      /* they noted what cannot be; `elapsed` is 0 */
    int64_t event;         /* the last, for one who writes */
    struct sepx__hash sum; /* behind it */
};

/* The head of a cursor. */
struct sepx_cursor {
    const struct sepx__store_ops *ops;
    const char *path;      /* the store's */
    int64_t key;           /* of the row before */
    bool sums;             /* whether events have one */
    struct sepx__hash sum; /* so far */
};

/* What a row has beside its entry. */
struct sepx__row {
    bool odd;   /* numbers or texts that cannot be */
    bool keyed; /* rows ascend by `key` */
    int64_t key;
    const unsigned char *sum; /* of an event; NULL: none */
    size_t sum_len;
};

/* A kind of place where studies are kept. */
struct sepx__store_ops {
    const char *name;
    /* In a build without it: why, and the remedy. The rest is NULL then. */
    const char *absent, *remedy;
    const struct sepx__share_ops *share; /* NULL: one process writes */
    enum sepx_err (*create)(const char *path, const char *settings,
                            const char *options, struct sepx_msg *msg);
    enum sepx_err (*open)(struct sepx_store **store, const char *path,
                          bool write, struct sepx_msg *msg);
    void (*close)(struct sepx_store *store);
    /* The study of any back end, to a new `path`; `sieve` may be NULL. */
    enum sepx_err (*copy)(const char *path, struct sepx_store *from,
                          const struct sepx_store_sieve *sieve,
                          struct sepx_msg *msg);
    enum sepx_err (*session)(struct sepx_store *store, const char *options,
                             struct sepx_msg *msg);
    enum sepx_err (*spend)(struct sepx_store *store, double elapsed,
                           struct sepx_msg *msg);
    enum sepx_err (*begin)(struct sepx_store *store, struct sepx_msg *msg);
    enum sepx_err (*commit)(struct sepx_store *store, struct sepx_msg *msg);
    /* All since begin is undone if this fails. */
    enum sepx_err (*append)(struct sepx_store *store,
                            const struct sepx_entry *entry,
                            struct sepx_msg *msg);
    /* sepx_store_renew(); NULL: settings never change. */
    enum sepx_err (*renew)(struct sepx_store *store, const char *settings,
                           struct sepx_msg *msg);
    enum sepx_err (*read)(struct sepx_store *store, struct sepx_cursor **cursor,
                          enum sepx_store_order order, uint32_t first,
                          struct sepx_msg *msg);
    /* Every row of the log, whatever its end should be. NULL: as read(). */
    enum sepx_err (*rows)(struct sepx_store *store, struct sepx_cursor **cursor,
                          struct sepx_msg *msg);
    /* The next row as it is there; the caller looks whether it makes sense. */
    enum sepx_err (*next)(struct sepx_cursor *cursor, struct sepx_entry *entry,
                          struct sepx__row *row, bool *more,
                          struct sepx_msg *msg);
    void (*cursor_free)(struct sepx_cursor *cursor);
    enum sepx_err (*check)(struct sepx_store *store, struct sepx_msg *msg);
    /* NULL: folders are listed by others. */
    enum sepx_err (*list)(const char *url,
                          enum sepx_err (*each)(void *context,
                                                const char *path),
                          void *context, struct sepx_msg *msg);
};

extern const struct sepx__store_ops sepx__store_sqlite, sepx__store_postgres;

/* The remedy for a log that was changed or is damaged. */
#define SEPX__LOG_REMEDY \
    "restore a copy, or keep the rest with 'sepx study copy --repair'"

/* The largest number of a trial that a row may have. */
#define SEPX__TRIAL_MAX (UINT32_MAX - 1)

/* Seconds that sessions noted; `sane`: they are a number. */
void sepx__store_take_elapsed(struct sepx_store *store, double elapsed,
                              bool sane);
/* Count an event and add it to the sum, whose bytes go into its row. */
void sepx__store_count(struct sepx_store *store, const struct sepx_entry *entry,
                       unsigned char sum[16]);
/* Append all that the cursor has left. */
SEPX_CHECKED enum sepx_err sepx__store_append_all(struct sepx_store *store,
                                                  struct sepx_cursor *cursor,
                                                  struct sepx_msg *msg);
/*
 * Likewise, the log of another study with the same settings: all of it, or
 * the rows that the sieve keeps.
 */
SEPX_CHECKED enum sepx_err
sepx__store_append_log(struct sepx_store *store, struct sepx_store *from,
                       const struct sepx_store_sieve *sieve,
                       struct sepx_msg *msg);

/* ---- place.c: where a study may lie, and who may write to it ---- */

/* The name of a network file system by its statfs() type, or NULL. */
const char *sepx__place_network(uint64_t type);
/*
 * The network file system behind FUSE at the real path `real`, or NULL.
 * `mounts` is the text of /proc/self/mounts, which is decoded in place.
 */
const char *sepx__place_mounted(char *mounts, const char *real);
/* SEPX_EUNSUPPORTED if the file, or the folder it goes to, is on one. */
SEPX_CHECKED enum sepx_err sepx__place_check(const char *path,
                                             struct sepx_msg *msg);
/*
 * Open the file and lock it for this process; the lock ends with the
 * descriptor or the process. *fd is -1 after a failure: SEPX_ENOTFOUND,
 * SEPX_EIO, or SEPX_EBUSY, which leaves the message empty.
 */
SEPX_CHECKED enum sepx_err sepx__place_lock(int *fd, const char *path,
                                            struct sepx_msg *msg);
/* Whether some process holds that lock. */
bool sepx__place_locked(const char *path);
void sepx__place_unlock(int *fd);
/* The path from the root, whatever folder the process is in later. */
SEPX_CHECKED enum sepx_err sepx__place_find(char **place, const char *path,
                                            struct sepx_msg *msg);
/* Whether the descriptor's file is still the one at `path`. */
bool sepx__place_same(int fd, const char *path);
/* The state of a file when its writer last wrote to it. */
struct sepx__place_state {
    struct timespec changed;
    int64_t size;
    struct sepx__hash head;
};
void sepx__place_note(struct sepx__place_state *state, int fd);
/* Whether another process wrote something else into the file since then. */
bool sepx__place_overwritten(const struct sepx__place_state *state, int fd);
/*
 * SEPX_ENOINPUT if there is nothing, SEPX_EDATA if the study, or what SQLite
 * keeps beside it, is no regular file.
 */
SEPX_CHECKED enum sepx_err sepx__place_files(const char *path,
                                             struct sepx_msg *msg);
/* SEPX_EDATA if such files are there without the study. */
SEPX_CHECKED enum sepx_err sepx__place_free(const char *path,
                                            struct sepx_msg *msg);
/* The name of the study's write-ahead log. */
SEPX_CHECKED enum sepx_err sepx__place_log(struct sepx_text *name,
                                           const char *path);
/*
 * SEPX_EBUSY if the log beside the study is locked by the writer of another
 * file, which had this path before. `held`: the caller has the study's lock.
 */
SEPX_CHECKED enum sepx_err sepx__place_check_log(const char *path, bool held,
                                                 struct sepx_msg *msg);
/*
 * Remove the files beside the study, if its log is the descriptor's: to
 * SQLite they would be those of the file that has the path now.
 */
void sepx__place_drop_log(int log, const char *path);
/* Remove a study that nobody has used yet, and what is beside it. */
void sepx__place_discard(const char *path);
/* Create an empty file beside `path`, whose name is added to `name`. */
SEPX_CHECKED enum sepx_err
sepx__place_new(struct sepx_text *name, const char *path, struct sepx_msg *msg);
/*
 * Give a finished file its name, unless that is taken: SEPX_EINVAL. Both
 * are on the disk when this returns.
 */
SEPX_CHECKED enum sepx_err
sepx__place_publish(const char *from, const char *path, struct sepx_msg *msg);
/* "path: cannot DO: reason; remedy" from errno. */
enum sepx_err sepx__place_fail(struct sepx_msg *msg, const char *path,
                               const char *action, int code);

/* ---- sum.c: the running checksum of a log ---- */

#define SEPX__SUM_BYTES 16

/* In front of the first event. */
struct sepx__hash sepx__sum_begin(const char *settings);
/* Take in an event, which is one of asked, told and retried. */
void sepx__sum_add(struct sepx__hash *sum, int64_t event,
                   const struct sepx_entry *entry);
void sepx__sum_write(unsigned char bytes[SEPX__SUM_BYTES],
                     const struct sepx__hash *sum);
struct sepx__hash sepx__sum_read(const unsigned char bytes[SEPX__SUM_BYTES]);

#endif
