/* SPDX-License-Identifier: Apache-2.0 */
/* Search, beyond the public header: option rows, aliases, records. */
#ifndef SEPX_SEARCH_PRIVATE_H
#define SEPX_SEARCH_PRIVATE_H

#include "base/option.h"
#include "sepx/search.h"
#include "vary/private.h"

/*
 * Short names for a method with some of its options: "mutation", "standard",
 * "matched", "sep" and "path" are regularized evolution with that crossover.
 */
struct sepx_method_alias {
    const char *name, *method, *options;
};

/* Ended by a NULL name. */
const struct sepx_method_alias *sepx_method_aliases(void);

/*
 * How the method of a text and a preset (NULL: "default") begins; no space is
 * needed. Fails as sepx_method_new() for its name, preset and options.
 */
SEPX_CHECKED enum sepx_err
sepx_method_start(struct sepx_method_start *start, const char *text,
                  const char *preset, struct sepx_msg *msg);
/* The space that it was made for. */
const struct sepx_space *sepx_method_space(const struct sepx_method *method);
/* An object: name, every option, the preset and every rule in force. */
void sepx_method_put_json(struct sepx_json_writer *w,
                          const struct sepx_method *method);
/*
 * A score after all, of an ask that was told as NaN: its evaluation was
 * repeated. Evolution takes it in as it takes any other; methods that have
 * drawn their conclusions from the failure learn nothing.
 */
SEPX_CHECKED enum sepx_err sepx_search_tell_late(struct sepx_search *search,
                                                 const struct sepx_ask *ask,
                                                 double score);

/*
 * Before the first ask: each graph has one score, and an isomorph of it gets
 * the same, from a cache. No evaluation is then spent on scoring again.
 */
void sepx_search_expect_cache(struct sepx_search *search);

/*
 * Before the first ask: dead nodes change no score. Methods that recall
 * scores then know a graph by what is alive in it.
 */
void sepx_search_expect_pruned(struct sepx_search *search);

/*
 * The same as with a cache, without one: scores have no noise. `dead`: dead
 * nodes change them, so that a graph may be new by its dead nodes alone.
 */
void sepx_search_expect_exact(struct sepx_search *search, bool dead);

/*
 * What it has proposed: how many different graphs, isomorphs and dead nodes
 * aside (unless they change scores); and the mean of the scores told so far
 * of the graph of a trial, with their number (those of the highest fidelity
 * count; NaN: none).
 */
uint32_t sepx_search_distinct(const struct sepx_search *search);
double sepx_search_mean(const struct sepx_search *search, uint32_t trial,
                        uint32_t *scores);
/* Whether two trials proposed the same graph, in that sense. */
bool sepx_search_same(const struct sepx_search *search, uint32_t a, uint32_t b);
/*
 * Whether, of two trials with the same score, `a` is to be reported, not `b`
 * before it: the rule `ties`.
 */
bool sepx_search_prefers(const struct sepx_search *search, uint32_t a,
                         uint32_t b);

#endif
