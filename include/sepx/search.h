/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to try next: search methods that propose graphs (ask) and hear their
 * scores (tell). A search never evaluates, stores or prints.
 *
 * The state of a search is a function of (method, seed, run, the sequence of
 * its asks and tells): repeating the sequence repeats the state. Several
 * graphs may be under way at once; results may be told in any order. Smaller
 * scores are better.
 *
 * Thread safety: a method is never changed and may be shared by all threads;
 * a search belongs to one thread at a time.
 */
#ifndef SEPX_SEARCH_H
#define SEPX_SEARCH_H

#include "sepx/front.h"
#include "sepx/vary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- methods ---- */

struct sepx_option; /* private: rows for help and parsing */

/* A method's line in lists and help. */
struct sepx_method_info {
    const char *name, *summary;
    const struct sepx_option *options; /* ended by a NULL name */
};

/* All methods, ended by NULL. */
SEPX_API const struct sepx_method_info *const *sepx_method_list(void);

/*
 * How a method begins: it draws random graphs, whatever their scores, for the
 * first `trials` trials, or until it was told `scores` scores. {0}: it uses
 * results from the first one on, or never.
 */
struct sepx_method_start {
    uint32_t trials, scores;
};

/* A search method on a space, with all its settings. */
struct sepx_method;

/*
 * `text` is "NAME" or "NAME:name=value,...", NAME a method or an alias, the
 * other names options of the method or rules of its operators (space.h), or
 * "rules" for their preset. `preset` (NULL: "default") and the rows of `rule`,
 * each "name=value" and ended by a NULL (NULL: none), hold where the text says
 * nothing. `space` must outlive the method. Fails with SEPX_EINVAL,
 * SEPX_ENOTFOUND, or SEPX_EUNSUPPORTED if the method cannot work on this space;
 * the message lists what is valid. *method is NULL after a failure.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_method_new(struct sepx_method **method, const struct sepx_space *space,
                const char *text, const char *preset, const char *const *rule,
                struct sepx_msg *msg);
SEPX_API void sepx_method_free(struct sepx_method *method); /* NULL: nothing */

/*
 * SEPX_EUNSUPPORTED, with a remedy, if there are goals (NULL and {0}: none)
 * that the method cannot work towards.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_method_check_goals(const struct sepx_method *method,
                        const struct sepx_goals *goals, struct sepx_msg *msg);
/* The text that it was made from. */
SEPX_API const char *sepx_method_text(const struct sepx_method *method);

/* ---- ask and tell ---- */

/* What an operator did. */
struct sepx_operator {
    const char *name; /* "random", "mutation", a crossover, ... */
    struct sepx_cross_counts counts;
};

/* Someone who wants to see each pair of parents, skipped ones too. */
struct sepx_search_watch {
    void (*crossed)(void *context, const struct sepx_graph *first,
                    const struct sepx_graph *second, bool accepted);
    void *context;
};

/* The caller's: {0} is empty, sepx_ask_release() ends it. */
struct sepx_ask {
    struct sepx_graph graph;
    uint32_t trial;    /* 0, 1, ... in the order of asking */
    uint32_t op;       /* its position in sepx_search_operators() */
    int64_t parent[2]; /* their trials; -1: none */
    double fidelity;   /* the share of a full evaluation to spend, 0 to 1 */
};

SEPX_API void sepx_ask_release(struct sepx_ask *ask);

struct sepx_search;

/* `method` must outlive the search. `watch` may be NULL; it is copied. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_search_new(struct sepx_search **search, const struct sepx_method *method,
                uint64_t seed, uint32_t run,
                const struct sepx_search_watch *watch);
SEPX_API void sepx_search_free(struct sepx_search *search); /* NULL: nothing */

/*
 * The next proposal, into `ask` ({0}, or one in use). Never runs dry.
 * SEPX_ESTOPPED if the space's stop is asked for; the search is then good for
 * sepx_search_free() alone.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_search_ask(struct sepx_search *search,
                                                    struct sepx_ask *ask);
/*
 * What `op` of an ask is if the caller brought the graph: one that is to be
 * evaluated, and one whose score came with it. They are not among
 * sepx_search_operators().
 */
#define SEPX_OPERATOR_ADDED (UINT32_MAX - 1)
#define SEPX_OPERATOR_IMPORTED UINT32_MAX

/*
 * A graph that the search did not propose takes the next trial: `ask` has the
 * graph, and gets the rest. It is told as any other. Evolution and models
 * learn from its score; others take no notice.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_search_give(struct sepx_search *search, struct sepx_ask *ask, uint32_t op);
/* The name of an operator, of those two as well. */
SEPX_API const char *sepx_search_operator_name(const struct sepx_search *search,
                                               uint32_t op);
/*
 * The score of an ask of this search, once for each; NaN if there is none
 * because its evaluation failed.
 */
SEPX_API SEPX_CHECKED enum sepx_err sepx_search_tell(struct sepx_search *search,
                                                     const struct sepx_ask *ask,
                                                     double score);
/*
 * In place of both with several objectives or constraints (front.h); NULL is
 * what NaN is there. For methods that sepx_method_check_goals() lets through.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_search_tell_merit(struct sepx_search *search, const struct sepx_ask *ask,
                       const struct sepx_merit *merit);
/* The operators of the method and what they did so far. The search's. */
SEPX_API const struct sepx_operator *
sepx_search_operators(const struct sepx_search *search, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif
