/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies that several processes work on at once. A process that wants a
 * trial claims it; a claim belongs to a worker, whose heart must be heard to
 * beat. Nothing of this is in the log: a study can do without it.
 */
#ifndef SEPX_STORE_SHARE_H
#define SEPX_STORE_SHARE_H

#include "store/internal.h"

/* How far a process knows the log. */
struct sepx__mark {
    int64_t event;
    struct sepx__hash sum;
};

/* A process that works on a study. */
struct sepx__card {
    int64_t id; /* its own choice, unlike any other */
    const char *host, *slots;
    int64_t pid;
    double lease; /* seconds without a beat after which it counts as gone */
    int64_t told, failed;
    double worked, waited; /* seconds of all its desks */
};

/* One claim, as it stands. */
struct sepx__claim {
    uint32_t trial, attempt;
    int64_t worker;     /* -1: none */
    int64_t beat;       /* of that worker */
    int64_t lost;       /* workers that went away with it */
    bool open;          /* nobody has it, or its worker has left */
    bool late;          /* by the server's clock, its worker is not heard */
    char failed_on[64]; /* a host that failed with it; "": none */
    char host[64];      /* of its worker */
};

struct sepx__claims {
    struct sepx__claim *at;
    size_t count, room;
};

struct sepx__share_ops {
    /* Whether the last failure may be over when all is tried again. */
    bool (*passing)(const struct sepx_store *store);
    void (*set_stop)(struct sepx_store *store, const struct sepx_stop *stop);
    /* We are about to leave: no answer is worth a long wait. */
    void (*hasten)(struct sepx_store *store);
    /* Anything that the connection holds is given up. */
    void (*cut)(struct sepx_store *store);
    /*
     * As sepx_store_begin(), and read what follows the mark in the same round
     * trip. Unless `wait`, *locked is false, and nothing has begun, if another
     * process waits to write; the cursor is good all the same.
     */
    enum sepx_err (*enter)(struct sepx_store *store,
                           struct sepx_cursor **cursor,
                           const struct sepx__mark *mark, bool wait,
                           bool *locked, struct sepx_msg *msg);
    /* The last event now, and the number of the last session. */
    enum sepx_err (*head)(struct sepx_store *store, int64_t *event,
                          int64_t *session, struct sepx_msg *msg);
    /* Read the options of the last session anew. */
    enum sepx_err (*renew)(struct sepx_store *store, struct sepx_msg *msg);
    /* Events behind a mark, until that event (INT64_MAX: all there are). */
    enum sepx_err (*follow)(struct sepx_store *store,
                            struct sepx_cursor **cursor,
                            const struct sepx__mark *mark, int64_t until,
                            struct sepx_msg *msg);
    /* Whether the log still has that event with that sum. */
    enum sepx_err (*holds)(struct sepx_store *store,
                           const struct sepx__mark *mark, bool *holds,
                           struct sepx_msg *msg);
    /* A sign of life; the first one makes the worker known. */
    enum sepx_err (*beat)(struct sepx_store *store,
                          const struct sepx__card *card, struct sepx_msg *msg);
    /*
     * The last one; all that it has claimed is free, and the store knows
     * whether others go on. `reason` may be NULL.
     */
    enum sepx_err (*leave)(struct sepx_store *store, const char *reason,
                           struct sepx_msg *msg);
    enum sepx_err (*claims)(struct sepx_store *store,
                            struct sepx__claims *claims, struct sepx_msg *msg);
    /*
     * Between begin and commit. A claim is taken if it is still `old`'s (-1:
     * nobody's); the commit answers, see taken().
     */
    enum sepx_err (*take)(struct sepx_store *store, uint32_t trial,
                          uint32_t attempt, const char *slot, int64_t lost,
                          int64_t old, struct sepx_msg *msg);
    enum sepx_err (*drop)(struct sepx_store *store, uint32_t trial,
                          uint32_t attempt, struct sepx_msg *msg);
    /* Whether take() number `i` of the last commit was granted. */
    bool (*taken)(const struct sepx_store *store, size_t i);
    /* Have the commit wait for the disk. */
    void (*durable)(struct sepx_store *store);
    /* Ours no more, at any time; `failed_on` may be NULL. */
    enum sepx_err (*give_back)(struct sepx_store *store, uint32_t trial,
                               uint32_t attempt, const char *failed_on,
                               struct sepx_msg *msg);
    /* As in store/private.h. */
    enum sepx_err (*workers)(
        struct sepx_store *store,
        void (*each)(void *context, const struct sepx_store_worker *worker),
        void *context, struct sepx_msg *msg);
    enum sepx_err (*files)(struct sepx_store *store,
                           void (*each)(void *context, const char *name,
                                        const char *sum),
                           void *context, struct sepx_msg *msg);
    enum sepx_err (*add_file)(struct sepx_store *store, const char *name,
                              const char *sum, struct sepx_msg *msg);
};

#endif
