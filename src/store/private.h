/* SPDX-License-Identifier: Apache-2.0 */
/* Writing to a store, and what only studies ask it. */
#ifndef SEPX_STORE_PRIVATE_H
#define SEPX_STORE_PRIVATE_H

#include "base/private.h"
#include "sepx/store.h"

/*
 * Create a study with its settings and the options of its first session (may
 * be NULL), both JSON texts; it comes to be whole or not at all. SEPX_EINVAL
 * if `path` exists, SEPX_EDATA if files of another study of that name lie
 * beside it, SEPX_EUNSUPPORTED on a network file system or if this build has
 * no SQLite, SEPX_EIO.
 */
SEPX_CHECKED enum sepx_err
sepx_store_create(const char *path, const char *settings, const char *options,
                  struct sepx_msg *msg);
/*
 * Always SEPX_ENOINPUT: "PATH: no such study; REMEDY", and a study of that
 * folder whose name is near, if there is one. If the path cannot be followed,
 * as through a folder without permission, the message says that instead.
 */
enum sepx_err sepx_store_missing(struct sepx_msg *msg, const char *path,
                                 const char *remedy);
/*
 * SEPX_EINVAL if the name of a study has a password in it, or is so malformed
 * that it may have one; the message does not repeat it, and no other may. All
 * functions that take a name check it.
 */
SEPX_CHECKED enum sepx_err sepx_store_check_name(const char *name,
                                                 struct sepx_msg *msg);
/* The most seconds that sepx_store_spend() noted; 0: none. */
double sepx_store_elapsed(const struct sepx_store *store);
/*
 * The names of all studies in a database, "postgresql://HOST/DATABASE", in
 * their order, each as it would be opened. `each` returns SEPX_OK to continue.
 */
SEPX_CHECKED enum sepx_err
sepx_store_list(const char *url,
                enum sepx_err (*each)(void *context, const char *path),
                void *context, struct sepx_msg *msg);
/* A process that works, or worked, on a study on a server. */
struct sepx_store_worker {
    int64_t id, pid;
    const char *host, *reason; /* why it left; NULL: not said */
    double seen;               /* seconds since its last sign of life */
    int64_t told, failed;      /* results */
    double worked, waited;     /* seconds of its desks */
    bool late, left;
    int64_t trial; /* -1: none. One row each; of a named slot the first */
    const char *slot;
    double seconds; /* since it has it */
};

/* Whether many processes may work on it: it is on a server. */
bool sepx_store_shared(const struct sepx_store *store);
/* All workers; none for a file. */
SEPX_CHECKED enum sepx_err
sepx_store_workers(struct sepx_store *store,
                   void (*each)(void *context,
                                const struct sepx_store_worker *worker),
                   void *context, struct sepx_msg *msg);
/*
 * Files that evaluations need, with their SHA-256, as the owner of the study
 * noted them last; none for a file.
 */
SEPX_CHECKED enum sepx_err
sepx_store_files(struct sepx_store *store,
                 void (*each)(void *context, const char *name, const char *sum),
                 void *context, struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
sepx_store_add_file(struct sepx_store *store, const char *name, const char *sum,
                    struct sepx_msg *msg);
/* A row of a log as it is there. */
struct sepx_store_row {
    int64_t event;
    const char *what; /* "proposal", "result" or "retry" */
    uint32_t trial;
    const struct sepx_entry *entry;
    const char *fault; /* why it is no event of this log; NULL: it is one */
};
/* Chooses the rows that a copy keeps, in the order of events. */
struct sepx_store_sieve {
    enum sepx_err (*keep)(void *context, const struct sepx_store_row *row,
                          bool *keep, struct sepx_msg *msg);
    void *context;
};
/*
 * Copy the study without the rows that the sieve refuses; the others get
 * new numbers and checksums. What is kept must have no fault.
 */
SEPX_CHECKED enum sepx_err
sepx_store_copy_some(struct sepx_store *store, const char *path,
                     const struct sepx_store_sieve *sieve,
                     struct sepx_msg *msg);
/*
 * Of what sessions noted, forget the time and the options that cannot be
 * read, so that a copy lacks them; tells which.
 */
SEPX_CHECKED enum sepx_err sepx_store_mend_sessions(struct sepx_store *store,
                                                    bool *elapsed,
                                                    bool *options);
/* The process that writes now, or -1. */
int64_t sepx_store_writer(const struct sepx_store *store);
/*
 * Every page and row of the file, and what sessions noted; SEPX_EDATA names
 * the first fault.
 */
SEPX_CHECKED enum sepx_err sepx_store_check(struct sepx_store *store,
                                            struct sepx_msg *msg);

/* ---- writing ---- */

/* Note that this process continues the study, with these options. */
SEPX_CHECKED enum sepx_err sepx_store_session(struct sepx_store *store,
                                              const char *options,
                                              struct sepx_msg *msg);
/*
 * Note how long the study has run by now, for the session that is last: the
 * time of one that ends without a result counts, too. Not between begin and
 * commit.
 */
SEPX_CHECKED enum sepx_err sepx_store_spend(struct sepx_store *store,
                                            double elapsed,
                                            struct sepx_msg *msg);
/* Whether sepx_store_renew() can be called: the study is in a file. */
bool sepx_store_renewable(const struct sepx_store *store);
/*
 * Discard all events, and the time that was spent, and put other settings in
 * place: all or nothing. Sessions are kept, with the options of the last.
 */
SEPX_CHECKED enum sepx_err sepx_store_renew(struct sepx_store *store,
                                            const char *settings,
                                            struct sepx_msg *msg);
/*
 * Events are appended between begin and commit, and are there for others and
 * after a crash once commit has returned. After a failure nothing since
 * begin is there, and the store is good for reading and closing only. All
 * writes also fail, with SEPX_EIO, once the file was moved, replaced or
 * deleted; one that has no name any more is saved beside its path first.
 */
SEPX_CHECKED enum sepx_err sepx_store_begin(struct sepx_store *store,
                                            struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx_store_commit(struct sepx_store *store,
                                             struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx_store_ask(struct sepx_store *store,
                                          const struct sepx_asked *asked,
                                          struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx_store_tell(struct sepx_store *store,
                                           const struct sepx_told *told,
                                           struct sepx_msg *msg);
/* The trial is under way again; its next attempt will be told. */
SEPX_CHECKED enum sepx_err sepx_store_retry(struct sepx_store *store,
                                            uint32_t trial,
                                            struct sepx_msg *msg);

#endif
