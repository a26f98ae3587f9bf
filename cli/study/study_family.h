/* SPDX-License-Identifier: Apache-2.0 */
/* Trials, their parents and the edits between them. */
#ifndef SEPX_CLI_STUDY_FAMILY_H
#define SEPX_CLI_STUDY_FAMILY_H

#include "study/study_command.h"

struct person {
    uint32_t trial;
    char *op;
    int64_t parent[2];
    double value;
    bool told;
    struct sepx_graph graph;
};

struct family {
    struct study *s;
    const struct sepx_space *space;
    struct sepx_ged *ged;
    struct person *person; /* the youngest first */
    size_t count, room;
    uint32_t *depth; /* by trial: 1 + generations back; 0: no ancestor */
    /* Of distances, as in struct sepx_ged_limits; NULL: nobody. */
    bool (*watch)(void *context, double lower, double upper);
    void *context;
    struct out out;
};

/* The number of a trial from a word of the command line. */
int family_trial(uint32_t *trial, const char *command, const char *word);
/* `family` has its study. */
SEPX_CHECKED enum sepx_err family_open(struct family *family,
                                       struct sepx_msg *msg);
void family_close(struct family *family);
/* Nobody is fetched any more. */
void family_clear(struct family *family);
/* A trial of the log, behind those that are there. */
SEPX_CHECKED enum sepx_err family_fetch(struct family *family, uint32_t trial,
                                        struct sepx_msg *msg);
/* NULL if it was not fetched. */
const struct person *family_find(const struct family *family, int64_t trial);
/*
 * The shortest edits from parent to child and a proven lower bound of their
 * number. They are replayed, and give an isomorph of the child. `path` is
 * empty, and the caller's. SEPX_ESTOPPED if `watch` returned false.
 */
SEPX_CHECKED enum sepx_err
family_edits(struct family *family, struct sepx_path *path, double *lower,
             const struct person *parent, const struct person *child,
             struct sepx_msg *msg);
/*
 * The shortest edits from each parent that was fetched: as lines, or as
 * objects in an open array if `w` is not NULL.
 */
SEPX_CHECKED enum sepx_err
family_show_edits(struct family *family, struct sepx_json_writer *w,
                  const struct person *child, struct sepx_msg *msg);

#endif
