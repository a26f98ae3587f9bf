/* SPDX-License-Identifier: Apache-2.0 */
/* A study that is open, for the files that run and read it. */
#ifndef SEPX_RUN_STUDY_H
#define SEPX_RUN_STUDY_H

#include "run/ledger.h"
#include "run/private.h"

struct sepx_study {
    struct sepx_store *store;
    struct sepx_json *json; /* has the texts of the settings */
    struct sepx_study_settings settings;
    const char **rule, **objective, **where;
    struct sepx_goals goals;
    bool maximized;    /* larger scores are better: the log has -score */
    char *method_text; /* where it is not that of the file */
    struct sepx_space *space;
    struct sepx_method *method;
    struct sepx_eval *eval; /* of the settings, once opened */
    int64_t event;          /* the last that was replayed */
    struct sepx__hash sum;  /* behind it */
};

/* ---- archive.c: merits that nothing so far is as good as ---- */

struct sepx__archive {
    struct sepx_merit *merit;
    size_t count, room;
};

void sepx__archive_release(struct sepx__archive *archive);
/* *entered: it is allowed, and none of the archive is as good. */
SEPX_CHECKED enum sepx_err sepx__archive_add(struct sepx__archive *archive,
                                             const struct sepx_merit *merit,
                                             bool *entered);

/* ---- limits.c ---- */

/* What the ends of a study depend on, beside its ledger. */
struct sepx__limits {
    const struct sepx_study_plan *plan;
    uint32_t seen;              /* trials that `best` and `since` know of */
    double best;                /* NaN: none yet */
    uint32_t since;             /* evaluations since the best */
    struct sepx__archive front; /* with goals, of the trials seen */
    uint32_t counted;           /* trials that `in_row` knows of */
    uint32_t in_row;            /* failures of this session */
};

/* At the beginning of a session: what is told now was told earlier. */
void sepx__limits_init(struct sepx__limits *limits,
                       const struct sepx_study_plan *plan,
                       struct sepx__ledger *ledger);
/* Why the next proposal, for which the ledger is ready, is not to be made. */
SEPX_CHECKED enum sepx_err sepx__limits_next(struct sepx__limits *limits,
                                             const struct sepx__ledger *ledger,
                                             enum sepx_study_end *end);
void sepx__limits_release(struct sepx__limits *limits);
/* Whether too many evaluations in a row failed. */
bool sepx__limits_failing(struct sepx__limits *limits,
                          const struct sepx__ledger *ledger);

/* ---- session.c: the log of a running study ---- */

/* A result whose transaction is open, with copies of its texts. */
struct sepx__uncommitted {
    struct sepx_entry entry;
    char *text[5];
};

/*
 * One thread asks, tells and writes. Nothing that was asked is handed to an
 * evaluator before it is committed, and no result to the plan's `told`.
 */
struct sepx__session {
    struct sepx_study *study;
    const struct sepx_study_plan *plan; /* `told` and `stop` are read */
    struct sepx_msg *msg;
    struct sepx__ledger ledger;
    double began, before; /* now, and the study's seconds until then */
    double noted;         /* the study's seconds that the file has */
    bool writing;         /* a transaction is open */
    struct sepx__uncommitted *uncommitted;
    size_t n_uncommitted, uncommitted_room;
};

/*
 * Begin to write to a study that was replayed to its end. SEPX_EBUSY if
 * another process, on a server, has written to it since.
 */
SEPX_CHECKED enum sepx_err sepx__study_lock(struct sepx_study *study,
                                            struct sepx_msg *msg);
/* Replay the log. sepx__session_end() ends it, after a failure too. */
SEPX_CHECKED enum sepx_err
sepx__session_begin(struct sepx__session *session, struct sepx_study *study,
                    const struct sepx_study_plan *plan, struct sepx_msg *msg);
void sepx__session_end(struct sepx__session *session);
/* The study's seconds, all sessions together. */
double sepx__session_elapsed(const struct sepx__session *session);
/* What was asked and told since the last time is in the file now. */
SEPX_CHECKED enum sepx_err sepx__session_commit(struct sepx__session *session);
/*
 * After the transaction: pass its results to the plan's `told` if it was
 * committed, and forget them.
 */
void sepx__session_announce(struct sepx__session *session, bool committed);
/* Note the time that was spent, if the last note is so many seconds old. */
SEPX_CHECKED enum sepx_err
sepx__session_note_time(struct sepx__session *session, double least);
/* Append to the log, update the ledger; announced after the commit. */
SEPX_CHECKED enum sepx_err
sepx__session_tell(struct sepx__session *session, struct sepx__pending *pending,
                   struct sepx_told *told, const struct sepx_score *score);
/* Trials whose isomorph has its result get it, too. */
SEPX_CHECKED enum sepx_err sepx__session_settle(struct sepx__session *session);
/* Asked or retried before, neither told nor given to anyone since; or NULL. */
struct sepx__pending *sepx__session_left_over(struct sepx__session *session);
/* One more proposal; *pending is NULL if an isomorph's result is its own. */
SEPX_CHECKED enum sepx_err
sepx__session_propose(struct sepx__session *session,
                      struct sepx__pending **pending);

/* ---- study.c ---- */

/*
 * Convert `value` and `test` of an answer to the log, or back. With goals,
 * both follow from the numbers instead: see sepx__numbers_finish().
 */
void sepx__study_turn(const struct sepx_study *study, struct sepx_score *score);
/* Space and method, if they are not open yet. */
SEPX_CHECKED enum sepx_err sepx__study_load(struct sepx_study *study,
                                            struct sepx_msg *msg);
/* Opens the evaluator of the settings, once; the space is open. */
SEPX_CHECKED enum sepx_err sepx__study_eval(struct sepx_study *study,
                                            struct sepx_msg *msg);
/* SEPX_EINVAL unless it was asked for the numbers of the goals. */
SEPX_CHECKED enum sepx_err
sepx__study_check_eval(const struct sepx_study *study,
                       const struct sepx_eval *eval, struct sepx_msg *msg);
/* A ledger of the study, in front of its first event. */
SEPX_CHECKED enum sepx_err sepx__study_ledger(struct sepx_study *study,
                                              struct sepx__ledger *ledger,
                                              struct sepx_msg *msg);
/*
 * A ledger brought to the end of the log; *elapsed: the study's seconds so
 * far. The ledger must be released after a failure too.
 */
SEPX_CHECKED enum sepx_err
sepx__study_replay(struct sepx_study *study, struct sepx__ledger *ledger,
                   double *elapsed, struct sepx_msg *msg);

#endif
