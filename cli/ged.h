/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `sepx ged`, `sepx draw` and `sepx cross` share. */
#ifndef SEPX_CLI_GED_H
#define SEPX_CLI_GED_H

#include "cli.h"

struct ged_settings {
    bool path, json, ignore_labels, all_maps;
    struct word_list pinned, cost;
    const char *costs, *pairs, *matrix;
    double seconds, at_most; /* NaN: not given */
    int64_t threads, most_maps;
};

/* ---- setup.c: the settings as the library wants them ---- */

/* {0} is empty, ged_setup_release() ends it. */
struct ged_setup {
    struct sepx_names *names;
    uint16_t *pinned;
    struct sepx_costs costs;
    struct sepx_relabel_cost *table[2]; /* of nodes, of edges */
    struct sepx_ged_options options;    /* points into the above */
    struct sepx_ged_limits limits;
};

SEPX_CHECKED enum sepx_err ged_setup_init(struct ged_setup *setup,
                                          const struct ged_settings *settings,
                                          struct sepx_msg *msg);
void ged_setup_release(struct ged_setup *setup);

/* costs.c: into setup->costs, from a file or from "node-insert=2" words. */
SEPX_CHECKED enum sepx_err costs_read_file(struct ged_setup *setup,
                                           const char *path,
                                           struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err costs_read_word(struct ged_setup *setup,
                                           const char *word,
                                           struct sepx_msg *msg);

/* ---- answer.c: one distance, measured and written ---- */

/* {0} is empty. */
struct ged_answer {
    const struct sepx_graph *a, *b;
    struct sepx_ged_result result; /* `map` belongs to the solver */
    double prepare_us, time_us;
};

/*
 * Prepare both graphs and measure the distance. A short run is repeated and
 * the best repetition counts, so that the clock's own step does not.
 */
SEPX_CHECKED enum sepx_err answer_compute(struct ged_answer *answer,
                                          struct sepx_ged *ged,
                                          const struct sepx_ged_limits *limits);
/* The fields, into an open object. */
SEPX_CHECKED enum sepx_err answer_put_json(struct sepx_json_writer *w,
                                           const struct ged_answer *answer,
                                           const struct ged_settings *settings);
/* "7", or "5..9" if a limit stopped the search. */
void answer_print_distance(struct out *out, double lower, double upper,
                           bool exact);
/*
 * The same and, if the settings ask for it, one edit a line; or, with
 * --at-most, "yes", "no" or "unknown".
 */
SEPX_CHECKED enum sepx_err answer_print(struct out *out,
                                        const struct ged_answer *answer,
                                        const struct ged_settings *settings);
void map_put_json(struct sepx_json_writer *w, const int16_t *map,
                  uint32_t count);
/* Members of an open object. */
void edit_put_json(struct sepx_json_writer *w, const struct sepx_edit *edit,
                   const struct sepx_names *names);
/* One line. */
void edit_print(struct out *out, const struct sepx_edit *edit,
                const struct sepx_names *names);

/* ---- the modes besides `sepx ged A B` ---- */

int ged_pairs_run(const struct ged_settings *settings, struct ged_setup *setup);
int ged_matrix_run(const struct ged_settings *settings,
                   struct ged_setup *setup);

#endif
