/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structure of an ONNX model: a node for each operator, labelled by its
 * type and sizes, for each input of the graph ("input") and each output
 * ("output"); an edge from who makes a tensor to each who takes it. Weights
 * are no nodes. Operators with graphs inside (If, Loop, Scan) are refused.
 * Only read: there is no going back.
 *
 * The file is a protocol buffer. Of the fields, those of onnx.proto 1.x that
 * matter here: ModelProto.graph 7; GraphProto.node 1, initializer 5, input
 * 11, output 12, sparse_initializer 15; NodeProto.input 1, output 2, op_type
 * 4, attribute 5; AttributeProto.g 6, graphs 11; ValueInfoProto.name 1;
 * TensorProto.name 8; SparseTensorProto.values 1.
 */
#include <stdlib.h>
#include <string.h>

#include "graph/formats/models/onnx.h"

/* Who makes each tensor. */
struct maker {
    struct onnx_span name;
    int node;                /* -1: a weight */
    struct onnx_span tensor; /* of a weight */
};

struct onnx {
    struct sepx_msg *msg;
    struct sepx__builder builder;
    struct maker *maker;
    size_t n_makers, n_weights, maker_room;
    bool *weight; /* of each operator: it is no node */
    size_t n_operators, weight_room;
};

static enum sepx_err
broken(const struct onnx *o, const char *what)
{
    return sepx_fail(o->msg, SEPX_EDATA, "%s; is it an ONNX model?", what);
}

/* ---- protocol buffers ---- */

bool
sepx__onnx_varint(struct onnx_span *s, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && s->at < s->end; shift += 7) {
        unsigned char byte = *s->at++;

        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

static bool
skip_bytes(struct onnx_span *s, uint64_t len)
{
    if (len > (uint64_t)(s->end - s->at))
        return false;
    s->at += len;
    return true;
}

bool
sepx__onnx_next(struct onnx_span *s, struct onnx_field *field)
{
    uint64_t tag, value;

    if (!sepx__onnx_varint(s, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return false;
    *field = (struct onnx_field){.number = (uint32_t)(tag >> 3)};
    switch (tag & 7) {
    case 0:
        return sepx__onnx_varint(s, &field->value);
    case 1:
        return skip_bytes(s, 8);
    case 2:
        if (!sepx__onnx_varint(s, &value))
            return false;
        field->bytes = true;
        field->span.at = s->at;
        if (!skip_bytes(s, value))
            return false;
        field->span.end = s->at;
        return true;
    case 5:
        return skip_bytes(s, 4);
    default:
        return false;
    }
}

/* The bytes of one field of a message; empty if it has none. */
static bool
get(struct onnx_span message, uint32_t number, struct onnx_span *value)
{
    struct onnx_field field;

    *value = (struct onnx_span){message.end, message.end};
    while (message.at < message.end) {
        if (!sepx__onnx_next(&message, &field))
            return false;
        if (field.number == number && field.bytes)
            *value = field.span;
    }
    return true;
}

/* ---- nodes ---- */

static int
compare(const void *a, const void *b)
{
    const struct maker *x = a, *y = b;
    size_t m = (size_t)(x->name.end - x->name.at);
    size_t n = (size_t)(y->name.end - y->name.at);
    int order = memcmp(x->name.at, y->name.at, m < n ? m : n);

    return order ? order : (m > n) - (m < n);
}

static enum sepx_err
add_maker(struct onnx *o, struct onnx_span name, int node)
{
    if (name.at == name.end) /* an output that nobody wants */
        return SEPX_OK;
    if (sepx__grow((void **)&o->maker, &o->maker_room, o->n_makers + 1,
                   sizeof(*o->maker)))
        return sepx_fail(o->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    o->maker[o->n_makers++] = (struct maker){.name = name, .node = node};
    return SEPX_OK;
}

static enum sepx_err
add_node(struct onnx *o, const char *label, size_t len)
{
    return sepx__builder_node(&o->builder, label, len, "an operator", o->msg);
}

/* Among the first `count`, which are in order. */
static const struct maker *
find(const struct onnx *o, size_t count, struct onnx_span name)
{
    struct maker key = {.name = name};

    return count ? bsearch(&key, o->maker, count, sizeof(*o->maker), compare)
                 : NULL;
}

static void
sort(struct onnx *o)
{
    if (o->n_makers)
        qsort(o->maker, o->n_makers, sizeof(*o->maker), compare);
}

/* Weights come first, so that an input of the same name is none. */
static enum sepx_err
add_weight(struct onnx *o, const struct onnx_field *field)
{
    struct onnx_span name, values = field->span;
    enum sepx_err err;

    if (field->number == 15 && !get(field->span, 1, &values))
        return broken(o, "a weight is broken");
    if (!get(values, 8, &name))
        return broken(o, "a weight is broken");
    err = add_maker(o, name, -1);
    if (!err && name.at < name.end)
        o->maker[o->n_makers - 1].tensor = values;
    return err;
}

static enum sepx_err
add_input(struct onnx *o, struct onnx_span value)
{
    struct onnx_span name;
    enum sepx_err err;

    if (!get(value, 1, &name))
        return broken(o, "an input is broken");
    if (find(o, o->n_weights, name))
        return SEPX_OK; /* a weight that may be replaced */
    err = add_node(o, "input", 5);
    return err ? err : add_maker(o, name, (int)o->builder.graph.n_nodes - 1);
}

static enum sepx_err
check_attribute(const struct onnx *o, struct onnx_span value)
{
    struct onnx_field field;

    while (value.at < value.end) {
        if (!sepx__onnx_next(&value, &field))
            return broken(o, "an attribute is broken");
        if (field.bytes && (field.number == 6 || field.number == 11))
            return sepx_fail(o->msg, SEPX_EDATA,
                             "an operator has a graph inside (If, Loop or "
                             "Scan), which is not read; export the model "
                             "without control flow");
    }
    return SEPX_OK;
}

/* The tensor that is the second input, where layers have their weight. */
static struct onnx_span
weight_of(const struct onnx *o, struct onnx_span node)
{
    const struct maker *maker = NULL;
    struct onnx_field field;
    int place = 0;

    while (node.at < node.end && sepx__onnx_next(&node, &field))
        if (field.bytes && field.number == 1 && place++ == 1)
            maker = find(o, o->n_weights, field.span);
    return maker ? maker->tensor : (struct onnx_span){node.end, node.end};
}

static bool
is_type(struct onnx_span type, const char *word)
{
    size_t len = (size_t)(type.end - type.at);

    return len == strlen(word) && !memcmp(type.at, word, len);
}

/*
 * Whether an operator only makes weights of weights, as exporters write them:
 * all of its inputs are, or it is a constant. *tensor is what a copy copies.
 */
static bool
is_weight(const struct onnx *o, struct onnx_span type, struct onnx_span node,
          struct onnx_span *tensor)
{
    const struct maker *maker;
    struct onnx_field field;
    int inputs = 0;

    *tensor = (struct onnx_span){node.end, node.end};
    while (node.at < node.end && sepx__onnx_next(&node, &field)) {
        if (!field.bytes || field.number != 1)
            continue;
        maker = find(o, o->n_weights, field.span);
        if (!maker)
            return false;
        if (inputs++ == 0 && is_type(type, "Identity"))
            *tensor = maker->tensor;
    }
    return inputs || is_type(type, "Constant");
}

/* One more weight, in its place among them. */
static enum sepx_err
insert_weight(struct onnx *o, struct onnx_span name, struct onnx_span tensor)
{
    struct maker added = {name, -1, tensor};
    size_t place = o->n_weights;
    enum sepx_err err;

    if (name.at == name.end)
        return SEPX_OK;
    err = add_maker(o, name, -1);
    if (err)
        return err;
    while (place && compare(&added, &o->maker[place - 1]) < 0)
        place--;
    memmove(o->maker + place + 1, o->maker + place,
            (o->n_makers - 1 - place) * sizeof(*o->maker));
    o->maker[place] = added;
    o->n_weights++;
    return SEPX_OK;
}

static enum sepx_err
add_labelled(struct onnx *o, struct onnx_span type, struct onnx_span node)
{
    struct sepx_text label = {0};
    enum sepx_err err =
        sepx__onnx_label(&label, type, node, weight_of(o, node));

    if (err == SEPX_EDATA)
        err = broken(o, "an operator is broken");
    else if (err)
        err = sepx_fail(o->msg, err, "%s", sepx_strerror(err));
    else
        err = add_node(o, label.at, label.len);
    sepx_text_release(&label);
    return err;
}

static enum sepx_err
add_operator(struct onnx *o, struct onnx_span value)
{
    struct onnx_span type, tensor, rest = value;
    struct onnx_field field;
    bool weight;
    enum sepx_err err = SEPX_OK;

    if (!get(value, 4, &type))
        return broken(o, "an operator is broken");
    if (type.at == type.end)
        return broken(o, "an operator has no type");
    if (sepx__grow((void **)&o->weight, &o->weight_room, o->n_operators + 1,
                   sizeof(*o->weight)))
        return sepx_fail(o->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    weight = is_weight(o, type, value, &tensor);
    o->weight[o->n_operators++] = weight;
    if (!weight)
        err = add_labelled(o, type, value);
    while (!err && rest.at < rest.end) {
        if (!sepx__onnx_next(&rest, &field))
            return broken(o, "an operator is broken");
        if (field.bytes && field.number == 5)
            err = check_attribute(o, field.span);
        else if (field.bytes && field.number == 2 && weight)
            err = insert_weight(o, field.span, tensor);
        else if (field.bytes && field.number == 2)
            err = add_maker(o, field.span, (int)o->builder.graph.n_nodes - 1);
    }
    return err;
}

/* ---- edges ---- */

static enum sepx_err
add_edge(struct onnx *o, struct onnx_span name, uint32_t to)
{
    const struct maker *maker = find(o, o->n_makers, name);
    struct sepx_edge edge = {.to = (uint16_t)to};

    if (name.at == name.end || (maker && maker->node < 0))
        return SEPX_OK; /* left out, or a weight */
    if (!maker)
        return sepx_fail(
            o->msg, SEPX_EDATA,
            "nothing makes the tensor \"%s\", which an operator "
            "or output takes",
            sepx__excerpt((const char *)name.at, (size_t)(name.end - name.at))
                .text);
    edge.from = (uint16_t)maker->node;
    return sepx__builder_edge(&o->builder, edge, o->msg);
}

static enum sepx_err
add_inputs_of(struct onnx *o, struct onnx_span value, uint32_t node)
{
    struct onnx_field field;
    enum sepx_err err = SEPX_OK;

    while (!err && value.at < value.end) {
        if (!sepx__onnx_next(&value, &field))
            return broken(o, "an operator is broken");
        if (field.bytes && field.number == 1)
            err = add_edge(o, field.span, node);
    }
    return err;
}

static enum sepx_err
add_output(struct onnx *o, struct onnx_span value)
{
    struct onnx_span name;
    enum sepx_err err;

    if (!get(value, 1, &name))
        return broken(o, "an output is broken");
    err = add_node(o, "output", 6);
    return err ? err : add_edge(o, name, o->builder.graph.n_nodes - 1);
}

/* Call `job` for each field of these numbers, in the file's order. */
static enum sepx_err
each(struct onnx *o, struct onnx_span graph, uint32_t number,
     enum sepx_err (*job)(struct onnx *o, struct onnx_span value))
{
    struct onnx_field field;
    enum sepx_err err = SEPX_OK;

    while (!err && graph.at < graph.end) {
        if (!sepx__onnx_next(&graph, &field))
            return broken(o, "the graph is broken");
        if (!field.bytes)
            continue;
        if (!number && (field.number == 5 || field.number == 15))
            err = add_weight(o, &field);
        else if (number && field.number == number)
            err = job(o, field.span);
    }
    return err;
}

static enum sepx_err
add_all_edges(struct onnx *o, struct onnx_span graph, uint32_t first)
{
    struct onnx_field field;
    uint32_t node = first;
    size_t i = 0;
    enum sepx_err err = SEPX_OK;

    while (!err && graph.at < graph.end) {
        if (!sepx__onnx_next(&graph, &field))
            return broken(o, "the graph is broken");
        if (field.bytes && field.number == 1 && !o->weight[i++])
            err = add_inputs_of(o, field.span, node++);
    }
    return err;
}

static enum sepx_err
take_graph(struct onnx *o, struct onnx_span graph)
{
    uint32_t first;
    enum sepx_err err = each(o, graph, 0, NULL);

    sort(o);
    o->n_weights = o->n_makers;
    if (!err)
        err = each(o, graph, 11, add_input);
    first = o->builder.graph.n_nodes;
    if (!err)
        err = each(o, graph, 1, add_operator);
    if (err)
        return err;
    sort(o);
    for (size_t i = 1; i < o->n_makers; i++)
        if (!compare(&o->maker[i - 1], &o->maker[i]) &&
            (o->maker[i].node >= 0 || o->maker[i - 1].node >= 0))
            return broken(o, "two operators make one tensor");
    err = add_all_edges(o, graph, first);
    return err ? err : each(o, graph, 12, add_output);
}

static enum sepx_err
read_onnx(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
          size_t len, struct sepx_msg *msg)
{
    struct onnx o = {.msg = msg, .builder.graph.names = names};
    const unsigned char *at = (const unsigned char *)bytes;
    struct onnx_span value;
    enum sepx_err err = SEPX_OK;

    if (!get((struct onnx_span){at, at + len}, 7, &value) ||
        value.at == value.end)
        err = broken(&o, "there is no graph in it");
    if (!err)
        err = take_graph(&o, value);
    sepx__edges_order(&o.builder.graph);
    if (!err)
        sepx__builder_finish(&o.builder, graph);
    sepx__builder_release(&o.builder);
    sepx__free(o.maker);
    sepx__free(o.weight);
    return err;
}

/* Its first field is the version, a small number: no text begins so. */
static bool
is_onnx(const char *at, const char *end)
{
    return end - at > 2 && at[0] == 8 && at[1] > 0 && at[1] < 32;
}

const struct sepx__format sepx__format_onnx = {
    .info = {"onnx", "onnx", "structure of an ONNX model", true, false, false},
    .sniff = is_onnx,
    .read = read_onnx,
};
