/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.json of a converted NAS-Bench-301 ensemble. */
#ifndef SEPX_EVAL_XGB_INPUTS_H
#define SEPX_EVAL_XGB_INPUTS_H

#include "nas/nb301/darts_code.h"

#define SEPX__XGB_INPUTS 256  /* at most */
#define SEPX__XGB_MEMBERS 100 /* at most */
#define SEPX__XGB_CODES 10    /* choices of a setting, at most */

enum sepx__xgb_kind { SEPX__XGB_OTHER, SEPX__XGB_EDGE, SEPX__XGB_NODE };

struct sepx__xgb_input {
    enum sepx__xgb_kind kind;
    unsigned cell, index; /* in struct sepx__darts_code */
    /* By the number of the operation, or by the rank of the sources. */
    uint8_t code[SEPX__XGB_CODES];
};

/* {0} is empty. */
struct sepx__xgb_inputs {
    unsigned count, members;
    struct sepx__xgb_input at[SEPX__XGB_INPUTS];
    char member[SEPX__XGB_MEMBERS][64]; /* file names in the folder */
};

/* SEPX_EDATA, with `path`, the place and the value, if it cannot be used. */
SEPX_CHECKED enum sepx_err
sepx__xgb_inputs_read(struct sepx__xgb_inputs *inputs, const char *path,
                      struct sepx_msg *msg);
/* The same from memory, without the path in messages. */
SEPX_CHECKED enum sepx_err
sepx__xgb_inputs_parse(struct sepx__xgb_inputs *inputs, const char *bytes,
                       size_t len, struct sepx_msg *msg);

/* The vector of an architecture; -1 where a setting is not active. */
void sepx__xgb_inputs_fill(const struct sepx__xgb_inputs *inputs,
                           float value[SEPX__XGB_INPUTS],
                           const struct sepx__darts_code *code);

#endif
