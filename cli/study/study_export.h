/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of sepx study export: what comes first, and a row each. */
#ifndef SEPX_CLI_STUDY_EXPORT_H
#define SEPX_CLI_STUDY_EXPORT_H

#include "study/study_command.h"

/* An export under way; {0} plus `s` and `times`, ended by export_release(). */
struct export
{
    struct study *s;
    bool times;
    double best; /* so far, as the log has it; NaN: none yet */
    char **key;  /* of answers that become columns */
    size_t n_keys, key_room;
    const struct sepx_space *space; /* its variables, for Optuna; or NULL */
    uint16_t *value;                /* of the variables */
    struct sepx_graph graph;
};

void export_release(struct export *x);

/* CSV: find the keys of answers that are columns; their names and values. */
SEPX_CHECKED enum sepx_err export_find_keys(struct export *x,
                                            struct sepx_msg *msg);
void export_key_names(struct out *out, const struct export *x);
SEPX_CHECKED enum sepx_err
export_key_values(struct out *out, const struct export *x, const char *answer);

/* A journal of Optuna: the line of the study, and one for each trial. */
SEPX_CHECKED enum sepx_err export_optuna_head(struct out *out, struct export *x,
                                              struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err export_optuna(struct out *out, struct export *x,
                                         const struct sepx_entry *entry);

/* An event file of TensorBoard, and the family tree as GraphML. */
SEPX_CHECKED enum sepx_err export_events_head(struct out *out, struct export *x,
                                              struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err export_events(struct out *out, struct export *x,
                                         const struct sepx_entry *entry);
SEPX_CHECKED enum sepx_err export_graphml(struct out *out, struct export *x,
                                          const struct sepx_entry *entry);

#endif
