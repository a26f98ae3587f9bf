/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol buffers as the files of the ONNX reader share them. */
#ifndef SEPX_GRAPH_FORMATS_MODELS_ONNX_H
#define SEPX_GRAPH_FORMATS_MODELS_ONNX_H

#include "graph/formats/formats.h"

/* A message, or what is left of it. */
struct onnx_span {
    const unsigned char *at, *end;
};

/* A field: its number, and its bytes if it has any, else its value. */
struct onnx_field {
    uint32_t number;
    bool bytes;
    struct onnx_span span;
    uint64_t value; /* of a varint */
};

bool sepx__onnx_varint(struct onnx_span *s, uint64_t *value);
/* The next field; false: the message is broken. */
bool sepx__onnx_next(struct onnx_span *s, struct onnx_field *field);

/*
 * Append the label of an operator: its type and, where they are not the
 * default, fields of what its attributes and its weight say. `weight`, a
 * TensorProto, may be empty. SEPX_EDATA: the message is broken.
 */
SEPX_CHECKED enum sepx_err
sepx__onnx_label(struct sepx_text *text, struct onnx_span type,
                 struct onnx_span node, struct onnx_span weight);

#endif
