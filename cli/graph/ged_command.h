/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `sepx ged`, `sepx draw` and `sepx cross` share. */
#ifndef SEPX_CLI_GED_H
#define SEPX_CLI_GED_H

#include "frame/cli.h"

struct ged_settings {
    bool path, json, ignore_labels, all_maps;
    struct word_list pinned, cost;
    const char *costs, *pairs, *matrix;
    double seconds, at_most; /* NaN: not given */
    int64_t threads, most_maps;
    struct word_list root;
    const char *map;
    bool price, normalize;
    int64_t nearest; /* -1: not given */
    double within;   /* NaN: not given */
    const char *index, *output;
    bool csv, progress_json;
};

/* ---- setup.c: the settings as the library wants them ---- */

/* {0} is empty, ged_setup_release() ends it. */
struct ged_setup {
    struct sepx_names *names;
    uint16_t *pinned;
    bool *met; /* of each pinned label: a node has it */
    struct sepx_costs costs;
    struct sepx_relabel_cost *table[2]; /* of nodes, of edges */
    struct sepx_field_weight *fields[2];
    struct sepx_label_cost *labels[4]; /* insert, delete; nodes, edges */
    struct sepx_ged_options options;   /* points into the above */
    struct sepx_ged_limits limits;
};

SEPX_CHECKED enum sepx_err ged_setup_init(struct ged_setup *setup,
                                          const struct ged_settings *settings,
                                          struct sepx_msg *msg);
/* SEPX_EDATA if one graph is directed, the other not; names are for it. */
SEPX_CHECKED enum sepx_err
ged_check_alike(const struct sepx_graph *a, const char *name_a,
                const struct sepx_graph *b, const char *name_b,
                struct sepx_msg *msg);
/* Note the labels of a graph that was read, for the warning. */
void ged_setup_meet(struct ged_setup *setup, const struct sepx_graph *graph);
/* Warn of labels of --pinned that no graph met so far has. */
void ged_setup_warn(const struct ged_setup *setup, const char *command);
void ged_setup_release(struct ged_setup *setup);

/* costs.c: into setup->costs, from a file or from "node-insert=2" words. */
SEPX_CHECKED enum sepx_err costs_read_file(struct ged_setup *setup,
                                           const char *path,
                                           struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err costs_read_word(struct ged_setup *setup,
                                           const char *word,
                                           struct sepx_msg *msg);
void costs_release(struct ged_setup *setup);

/* ---- given.c: roots, and a map ---- */

/* {0} is empty, ged_given_release() ends it. */
struct ged_given {
    struct sepx_ged_root *root;
    size_t n_roots;
    int16_t *map; /* or NULL */
    uint32_t n_map;
};

/* From the words of --root. */
SEPX_CHECKED enum sepx_err ged_given_roots(struct ged_given *given,
                                           const struct ged_settings *settings,
                                           struct sepx_msg *msg);
/* From [[I, J], ...], instead of the present ones. */
SEPX_CHECKED enum sepx_err ged_given_roots_json(struct ged_given *given,
                                                const struct sepx_json *value,
                                                struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err
ged_given_map(struct ged_given *given, const char *path, struct sepx_msg *msg);
/* SEPX_EDATA if the graphs do not go with it. */
SEPX_CHECKED enum sepx_err
ged_given_check(const struct ged_given *given, const struct sepx_graph *a,
                const struct sepx_graph *b,
                const struct sepx_ged_options *options, struct sepx_msg *msg);
void ged_given_release(struct ged_given *given);

/* ---- answer.c: one distance, measured and written ---- */

/*
 * Follows a distance: on a terminal its bounds so far, and an interrupt ends
 * it. `title` says what is under way.
 */
struct ged_follow {
    const char *title;
    size_t number; /* of the pair; 0: there is one only */
    double began;
    bool json; /* also a line of JSON for each bound that improved */
    bool told; /* these bounds: */
    double lower, upper;
};

/* For struct sepx_ged_limits; the context is a struct ged_follow. */
bool ged_watch(void *follow, double lower, double upper);

/* {0} is empty, answer_release() ends it. */
struct ged_answer {
    const struct sepx_graph *a, *b;
    const struct ged_given *given;          /* NULL: nothing */
    const struct sepx_ged_options *options; /* the solver's, if it has roots */
    bool price, normalize;                  /* as in struct ged_settings */
    struct sepx_ged_result result;          /* `map` belongs to the solver */
    double prepare_us, time_us;
    double whole; /* to normalise by */
    /* what was used; a pair with roots has a solver of its own */
    struct sepx_ged *ged, *own;
    struct sepx_ged_graph *ready_a, *ready_b;
};

/*
 * Prepare both graphs and measure the distance, or only price the given map.
 * A short run is repeated and the best repetition counts, so that the clock's
 * own step does not.
 */
SEPX_CHECKED enum sepx_err answer_compute(struct ged_answer *answer,
                                          struct sepx_ged *ged,
                                          const struct sepx_ged_limits *limits);
void answer_release(struct ged_answer *answer);
/* Say so if the map moves the ends of a network, which --pinned would keep. */
void ged_hint_ends(const struct ged_answer *answer,
                   const struct sepx_ged_options *options);
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
/* One line; `first` is where the path begins. */
void edit_print(struct out *out, const struct sepx_edit *edit,
                const struct sepx_graph *first);

/* ---- the modes besides `sepx ged A B` ---- */

int ged_pairs_run(const struct ged_settings *settings, struct ged_setup *setup);
/* --nearest and --within: a query file and a database. */
int ged_search_run(const struct ged_settings *settings, struct ged_setup *setup,
                   char **operand);
int ged_index_run(const struct ged_settings *settings, struct ged_setup *setup);
int ged_matrix_run(const struct ged_settings *settings,
                   struct ged_setup *setup);

#endif
