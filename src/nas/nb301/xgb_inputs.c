/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input vector of NAS-Bench-301's ensemble, as tools/convert-nb301 writes
 * it down: for each input the setting that it codes and the order of the
 * setting's choices. A setting that is not active is coded as -1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nas/nb301/xgb_inputs.h"
#include "base/json.h"

#define MOST_BYTES ((size_t)1 << 22)

static const char *const ops[] = {
    "max_pool_3x3", "avg_pool_3x3", "skip_connect", "sep_conv_3x3",
    "sep_conv_5x5", "dil_conv_3x3", "dil_conv_5x5", NULL};
static const char *const sources[][11] = {
    {"0_1", "0_2", "1_2", NULL},
    {"0_1", "0_2", "0_3", "1_2", "1_3", "2_3", NULL},
    {"0_1", "0_2", "0_3", "0_4", "1_2", "1_3", "1_4", "2_3", "2_4", "3_4",
     NULL}};

/* "edge_normal_12", "inputs_node_reduce_3" */
static bool
parse_setting(struct sepx__xgb_input *input, const char *text)
{
    static const char *const cells[] = {"normal_", "reduce_"};
    bool edge = !strncmp(text, "edge_", 5);
    const char *at = text + (edge ? 5 : 12);
    char *end;
    unsigned long number;

    if (!edge && strncmp(text, "inputs_node_", 12))
        return false;
    input->cell = !strncmp(at, cells[1], 7);
    if (strncmp(at, cells[input->cell], 7) || at[7] < '0' || at[7] > '9')
        return false;
    number = strtoul(at + 7, &end, 10);
    if (*end || number >= SEPX__DARTS_EDGES)
        return false;
    input->kind = edge ? SEPX__XGB_EDGE : SEPX__XGB_NODE;
    input->index = (unsigned)(edge ? number : number - 3);
    return edge || (number >= 3 && number <= 5);
}

/* Each of `names` must be a choice, so that every graph has a code. */
static enum sepx_err
parse_choices(struct sepx__xgb_input *input, const struct sepx_json *choices,
              struct sepx_msg *msg)
{
    const char *const *names =
        input->kind == SEPX__XGB_EDGE ? ops : sources[input->index];
    size_t size = sepx_json_size(choices);

    for (unsigned i = 0; names[i]; i++) {
        size_t at = 0;
        const char *choice = NULL;

        for (; at < size && at < 255; at++) {
            choice = sepx_json_string(sepx_json_at(choices, at));
            if (choice && !strcmp(choice, names[i]))
                break;
        }
        if (at == size || at == 255)
            return sepx_fail(msg, SEPX_EDATA,
                             "choices lack '%s'; convert the models again",
                             names[i]);
        input->code[i] = (uint8_t)at;
    }
    return SEPX_OK;
}

static enum sepx_err
parse_input(struct sepx__xgb_input *input, const struct sepx_json *row,
            struct sepx_msg *msg)
{
    const struct sepx_json *value = sepx_json_get(row, "setting");
    const char *setting = sepx_json_string(value);

    if (value && sepx_json_type(value) == SEPX_JSON_NULL)
        return SEPX_OK;
    if (!setting || !parse_setting(input, setting))
        return sepx_fail(msg, SEPX_EDATA,
                         "setting is '%s', not one of DARTS cells; convert "
                         "the models again",
                         setting ? setting : "(none)");
    return parse_choices(input, sepx_json_get(row, "choices"), msg);
}

/* Every setting that changes the prediction must be there, once. */
static enum sepx_err
check_complete(const struct sepx__xgb_inputs *inputs, struct sepx_msg *msg)
{
    unsigned edges[2][SEPX__DARTS_EDGES] = {{0}};
    unsigned nodes[2][SEPX__DARTS_NODES] = {{0}};

    for (unsigned i = 0; i < inputs->count; i++) {
        const struct sepx__xgb_input *input = &inputs->at[i];

        if (input->kind == SEPX__XGB_EDGE)
            edges[input->cell][input->index]++;
        if (input->kind == SEPX__XGB_NODE)
            nodes[input->cell][input->index]++;
    }
    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < SEPX__DARTS_EDGES; i++) {
            if (edges[cell][i] != 1 ||
                (i < SEPX__DARTS_NODES && nodes[cell][i] != 1))
                return sepx_fail(msg, SEPX_EDATA,
                                 "the settings of a DARTS cell are not there "
                                 "once each; convert the models again");
        }
    }
    return SEPX_OK;
}

static enum sepx_err
parse_members(struct sepx__xgb_inputs *inputs, const struct sepx_json *list,
              struct sepx_msg *msg)
{
    size_t count = sepx_json_size(list);

    if (!count || count > SEPX__XGB_MEMBERS)
        return sepx_fail(msg, SEPX_EDATA, "%zu members, not 1 to %d", count,
                         SEPX__XGB_MEMBERS);
    for (size_t i = 0; i < count; i++) {
        const char *name = sepx_json_string(sepx_json_at(list, i));

        if (!name || !*name || strlen(name) >= sizeof inputs->member[0] ||
            strchr(name, '/'))
            return sepx_fail(msg, SEPX_EDATA,
                             "members[%zu] is no name of a file", i);
        snprintf(inputs->member[i], sizeof inputs->member[i], "%s", name);
    }
    inputs->members = (unsigned)count;
    return SEPX_OK;
}

static enum sepx_err
parse_root(struct sepx__xgb_inputs *inputs, const struct sepx_json *root,
           struct sepx_msg *msg)
{
    const struct sepx_json *rows = sepx_json_get(root, "inputs");
    const char *format = sepx_json_string(sepx_json_get(root, "format"));
    size_t count = sepx_json_size(rows);
    enum sepx_err err;

    if (!format || strcmp(format, "sepx nb301 xgboost") ||
        sepx_json_integer(sepx_json_get(root, "version"), 0) != 1)
        return sepx_fail(msg, SEPX_EDATA,
                         "not version 1 of 'sepx nb301 xgboost'; make it "
                         "with tools/convert-nb301");
    if (count > SEPX__XGB_INPUTS)
        return sepx_fail(msg, SEPX_EDATA, "%zu inputs, more than %d", count,
                         SEPX__XGB_INPUTS);
    err = parse_members(inputs, sepx_json_get(root, "members"), msg);
    for (size_t i = 0; i < count && !err; i++) {
        err = parse_input(&inputs->at[i], sepx_json_at(rows, i), msg);
        if (err)
            sepx_msg_prefix(msg, "inputs[%zu]", i);
    }
    inputs->count = (unsigned)count;
    return err ? err : check_complete(inputs, msg);
}

enum sepx_err
sepx__xgb_inputs_parse(struct sepx__xgb_inputs *inputs, const char *bytes,
                       size_t len, struct sepx_msg *msg)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, bytes, len, msg);

    *inputs = (struct sepx__xgb_inputs){0};
    if (!err)
        err = parse_root(inputs, root, msg);
    sepx_json_free(root);
    return err;
}

enum sepx_err
sepx__xgb_inputs_read(struct sepx__xgb_inputs *inputs, const char *path,
                      struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, MOST_BYTES, msg);

    if (!err) {
        err = sepx__xgb_inputs_parse(inputs, text.at ? text.at : "", text.len,
                                     msg);
        if (err)
            sepx_msg_file(msg, path);
    }
    sepx_text_release(&text);
    return err;
}

void
sepx__xgb_inputs_fill(const struct sepx__xgb_inputs *inputs,
                      float value[SEPX__XGB_INPUTS],
                      const struct sepx__darts_code *code)
{
    for (unsigned i = 0; i < inputs->count; i++) {
        const struct sepx__xgb_input *input = &inputs->at[i];
        int chosen = SEPX__DARTS_NONE;

        if (input->kind == SEPX__XGB_EDGE)
            chosen = code->edge[input->cell][input->index];
        if (input->kind == SEPX__XGB_NODE)
            chosen = code->inputs[input->cell][input->index];
        value[i] = chosen < 0 ? -1.0f : (float)input->code[chosen];
    }
}
