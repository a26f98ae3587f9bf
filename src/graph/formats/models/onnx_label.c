/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of ONNX operators: "Conv out=64 k=7 s=2 pad=3". The fields are those
 * that sepx.torch gives to layers, so that costs weigh both alike.
 *
 * AttributeProto.name 1, i 3, s 4, ints 8; TensorProto.dims 1.
 */
#include <inttypes.h>
#include <string.h>

#include "graph/formats/models/onnx.h"

enum { VALUES = 8 }; /* of a list; more are no kernel */

struct list {
    int64_t at[VALUES];
    size_t count;
};

/* What labels are made of. */
struct facts {
    struct list kernel, strides, pads, dilations, dims;
    int64_t group, trans_b;
    bool same; /* auto_pad */
};

static bool
is(struct onnx_span text, const char *word)
{
    size_t len = (size_t)(text.end - text.at);

    return len == strlen(word) && memcmp(text.at, word, len) == 0;
}

static void
push(struct list *list, uint64_t value)
{
    if (list->count < VALUES)
        list->at[list->count] = (int64_t)value;
    list->count++;
}

/* The integers of one field, packed or one by one. */
static bool
integers(struct list *list, struct onnx_span message, uint32_t number)
{
    struct onnx_field field;
    uint64_t value;

    *list = (struct list){0};
    while (message.at < message.end) {
        if (!sepx__onnx_next(&message, &field))
            return false;
        if (field.number != number)
            continue;
        if (!field.bytes)
            push(list, field.value);
        while (field.bytes && field.span.at < field.span.end) {
            if (!sepx__onnx_varint(&field.span, &value))
                return false;
            push(list, value);
        }
    }
    return true;
}

static bool
take_attribute(struct facts *facts, struct onnx_span message)
{
    const struct {
        const char *name;
        struct list *list;
    } rows[] = {{"kernel_shape", &facts->kernel},
                {"strides", &facts->strides},
                {"pads", &facts->pads},
                {"dilations", &facts->dilations}};
    struct onnx_span rest = message, name = {0}, word = {0};
    struct onnx_field field;
    int64_t number = 0;

    while (rest.at < rest.end) {
        if (!sepx__onnx_next(&rest, &field))
            return false;
        if (field.number == 1 && field.bytes)
            name = field.span;
        else if (field.number == 3 && !field.bytes)
            number = (int64_t)field.value;
        else if (field.number == 4 && field.bytes)
            word = field.span;
    }
    if (!name.at)
        return true;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is(name, rows[i].name))
            return integers(rows[i].list, message, 8);
    if (is(name, "group"))
        facts->group = number;
    else if (is(name, "transB"))
        facts->trans_b = number;
    else if (is(name, "auto_pad") && word.at)
        facts->same = is(word, "SAME_UPPER") || is(word, "SAME_LOWER");
    return true;
}

/* Output channels or features by the shape of the weight; 0: not known. */
static int64_t
width(const struct facts *facts, struct onnx_span type)
{
    const struct list *dims = &facts->dims;

    if (dims->count < 2 || dims->count > VALUES)
        return 0;
    if (is(type, "Conv"))
        return dims->at[0];
    if (is(type, "ConvTranspose") && facts->group == 1)
        return dims->at[1];
    if (is(type, "Gemm"))
        return dims->at[facts->trans_b ? 0 : 1];
    return is(type, "MatMul") ? dims->at[dims->count - 1] : 0;
}

/* " name=3" or " name=3x1"; nothing if all of it is `usual`. */
static enum sepx_err
put(struct sepx_text *text, const char *name, const struct list *list,
    int64_t usual)
{
    size_t count = list->count;
    bool equal = true;
    enum sepx_err err;

    if (count == 0 || count > VALUES)
        return SEPX_OK;
    for (size_t i = 1; i < count; i++)
        equal &= list->at[i] == list->at[0];
    if (equal && list->at[0] == usual)
        return SEPX_OK;
    if (equal)
        return sepx_text_print(text, " %s=%" PRId64, name, list->at[0]);
    err = sepx_text_print(text, " %s=", name);
    for (size_t i = 0; i < count && !err; i++)
        err = sepx_text_print(text, "%s%" PRId64, i ? "x" : "", list->at[i]);
    return err;
}

enum sepx_err
sepx__onnx_label(struct sepx_text *text, struct onnx_span type,
                 struct onnx_span node, struct onnx_span weight)
{
    struct facts facts = {.group = 1};
    struct onnx_field field;
    int64_t out;
    bool each;
    enum sepx_err err;

    while (node.at < node.end) {
        if (!sepx__onnx_next(&node, &field))
            return SEPX_EDATA;
        if (field.number == 5 && field.bytes &&
            !take_attribute(&facts, field.span))
            return SEPX_EDATA;
    }
    if (!integers(&facts.dims, weight, 1))
        return SEPX_EDATA;
    out = width(&facts, type);
    each = is(type, "Conv") && facts.group > 1 && facts.dims.count > 1 &&
           facts.dims.at[1] == 1;
    /* Begins and ends alike: the begins say it all. */
    if (facts.pads.count <= VALUES && facts.pads.count % 2 == 0 &&
        !memcmp(facts.pads.at, facts.pads.at + facts.pads.count / 2,
                facts.pads.count / 2 * sizeof(facts.pads.at[0])))
        facts.pads.count /= 2;
    err = sepx_text_add(text, (const char *)type.at,
                        (size_t)(type.end - type.at));
    if (!err && out > 0 && !(each && out == facts.group))
        err = sepx_text_print(text, " out=%" PRId64, out);
    if (!err)
        err = put(text, "k", &facts.kernel, 0);
    if (!err)
        err = put(text, "s", &facts.strides, 1);
    if (!err)
        err = facts.same ? sepx_text_print(text, " pad=same")
                         : put(text, "pad", &facts.pads, 0);
    if (!err)
        err = put(text, "dilation", &facts.dilations, 1);
    if (!err && each)
        err = sepx_text_print(text, " groups=all");
    else if (!err && facts.group != 1)
        err = sepx_text_print(text, " groups=%" PRId64, facts.group);
    return err;
}
