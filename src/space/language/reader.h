/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a space's file, and messages that name the line and the key. */
#ifndef SEPX_SPACE_READER_H
#define SEPX_SPACE_READER_H

#include "space/language/language.h"

#define STEPS_MAX 6

/* Where the reader is: keys and items from the root. */
struct reader {
    struct sepx_space *space;
    struct custom *c;
    const char *bytes, *end, *name;
    struct sepx_msg *msg;
    struct {
        const char *key; /* NULL: item `index` */
        size_t index;
    } step[STEPS_MAX];
    unsigned depth;
};

void sepx__reader_enter(struct reader *r, const char *key);
void sepx__reader_item(struct reader *r, size_t index);
void sepx__reader_leave(struct reader *r);

/* "file:line: key: ..."; returns SEPX_EDATA. */
enum sepx_err sepx__refuse(const struct reader *r, const char *format, ...)
    SEPX_PRINTF(2, 3);
/* "... is VALUE, a string; write ..." */
enum sepx_err sepx__refuse_value(const struct reader *r,
                                 const struct sepx_json *value,
                                 const char *remedy);
/* For want of memory, and the like. */
enum sepx_err sepx__reader_fail(const struct reader *r, enum sepx_err err);

/* The value is an object with no other keys than these, ended by NULL. */
SEPX_CHECKED enum sepx_err sepx__read_keys(struct reader *r,
                                           const struct sepx_json *value,
                                           const char *const *keys);
/* The members below leave the value alone if the object lacks the key. */
SEPX_CHECKED enum sepx_err
sepx__read_range(struct reader *r, const struct sepx_json *object,
                 const char *key, struct range *range, uint32_t low,
                 uint32_t high);
SEPX_CHECKED enum sepx_err sepx__read_bool(struct reader *r,
                                           const struct sepx_json *object,
                                           const char *key, bool *value);
SEPX_CHECKED enum sepx_err
sepx__read_number(struct reader *r, const struct sepx_json *object,
                  const char *key, double *value, double low, double high);
SEPX_CHECKED enum sepx_err
sepx__read_choice(struct reader *r, const struct sepx_json *object,
                  const char *key, unsigned *value, const char *const *names);

/* Start graphs and targets; labels are already known. */
SEPX_CHECKED enum sepx_err sepx__read_starts(struct reader *r,
                                             const struct sepx_json *value);
SEPX_CHECKED enum sepx_err sepx__read_targets(struct reader *r,
                                              const struct sepx_json *value);
/* Whether they are graphs of the space. */
SEPX_CHECKED enum sepx_err sepx__check_graphs(struct reader *r);
/* Rules for whole networks, in read_networks.c. */
SEPX_CHECKED enum sepx_err sepx__read_shapes(struct reader *r,
                                             const struct sepx_json *value);
SEPX_CHECKED enum sepx_err sepx__read_required(struct reader *r,
                                               const struct sepx_json *value);
SEPX_CHECKED enum sepx_err sepx__read_relabel(struct reader *r,
                                              const struct sepx_json *value);
/* Stride and channels of each label, from its fields. */
SEPX_CHECKED enum sepx_err sepx__read_label_shapes(struct reader *r);
/*
 * Call `add` for each label that `name` and the "fields" of `value` make:
 * "conv" with {"k": [1, 3]} is "conv k=1" and "conv k=3".
 */
SEPX_CHECKED enum sepx_err
sepx__read_family(struct reader *r, const char *name,
                  const struct sepx_json *value,
                  enum sepx_err (*add)(struct reader *r, const char *name,
                                       const struct sepx_json *value));
/* Limits that contradict each other. */
SEPX_CHECKED enum sepx_err sepx__check_limits(struct reader *r);

#endif
