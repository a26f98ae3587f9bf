/* SPDX-License-Identifier: Apache-2.0 */
/* Writes TFRecord files in the layout of NAS-Bench-101, for tests. */
#ifndef SEPX_TESTS_TFRECORD_H
#define SEPX_TESTS_TFRECORD_H

#include <stdio.h>
#include <string.h>

#include "base/internal.h"
#include "sepx/nb101_table.h"
#include "unit/check.h"

struct training {
    const struct sepx_nb101_cell *cell;
    int epochs;
    int parameters;
    double seconds, validation, test; /* at the end; half-way: half of it */
    unsigned evaluations;             /* 0: 3, as it should be */
    const char *hash;                 /* NULL: the cell's own */
    bool odd;                         /* with fields that nobody knows */
};

static inline void
add_bytes(struct sepx_text *out, const void *bytes, size_t len)
{
    assert_int_equal(sepx_text_add(out, bytes, len), SEPX_OK);
}

static inline void
add_double(struct sepx_text *out, unsigned field, double value)
{
    char key = (char)(field << 3 | 1);

    add_bytes(out, &key, 1);
    add_bytes(out, &value, sizeof(value));
}

static inline void
add_varint(struct sepx_text *out, uint64_t value)
{
    do {
        char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

        add_bytes(out, &byte, 1);
        value >>= 7;
    } while (value);
}

static inline void
add_evaluation(struct sepx_text *out, const struct training *t, double share)
{
    struct sepx_text in = {0};

    add_double(&in, 1, t->epochs * share);
    add_double(&in, 2, t->seconds * share);
    add_double(&in, 3, share);
    add_double(&in, 4, t->validation * share);
    if (t->odd)
        add_bytes(&in, "\x4a\x03xyz\x55\x01\x02\x03\x04\x58\x80\x01", 13);
    add_double(&in, 5, t->test * share);
    add_bytes(out, "\x0a", 1);
    add_varint(out, in.len);
    add_bytes(out, in.at, in.len);
    sepx_text_release(&in);
}

static inline void
add_base64(struct sepx_text *out, const struct sepx_text *in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
                                 "tuvwxyz0123456789+/";

    for (size_t i = 0; i < in->len; i += 3) {
        uint32_t bits = 0;
        char four[4];

        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 |
                   (i + k < in->len ? (unsigned char)in->at[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            four[k] =
                i + k <= in->len ? digits[bits >> (18 - 6 * k) & 63] : '=';
        add_bytes(out, four, 4);
        if (i % 57 == 54)
            add_bytes(out, "\\n", 2);
    }
}

static inline void
add_measurements(struct sepx_text *out, const struct training *t)
{
    unsigned count = t->evaluations ? t->evaluations : 3;
    struct sepx_text in = {0};

    for (unsigned i = 0; i < count; i++)
        add_evaluation(&in, t, i / 2.0);
    add_bytes(&in, "\x10", 1);
    add_varint(&in, (uint64_t)t->parameters);
    if (t->odd)
        add_bytes(&in, "\x22\x02hi\x41\x01\x02\x03\x04\x05\x06\x07\x08", 13);
    add_double(&in, 3, t->seconds);
    add_base64(out, &in);
    sepx_text_release(&in);
}

static inline void
add_payload(struct sepx_text *out, const struct training *t)
{
    static const char *const ops[] = {"conv3x3-bn-relu", "conv1x1-bn-relu",
                                      "maxpool3x3"};
    const struct sepx_nb101_cell *cell = t->cell;
    unsigned char hash[16];
    char hex[33];

    sepx_nb101_cell_hash(cell, hash);
    for (unsigned i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    assert_int_equal(sepx_text_print(out, "[\"%s\", %d, \"",
                                     t->hash ? t->hash : hex, t->epochs),
                     SEPX_OK);
    for (unsigned i = 0; i < cell->nodes; i++)
        for (unsigned j = 0; j < cell->nodes; j++)
            add_bytes(out,
                      i < j && cell->edges >> sepx_nb101_bit(i, j) & 1 ? "1"
                                                                       : "0",
                      1);
    add_bytes(out, "\", \"input,", 10);
    for (unsigned i = 1; i + 1u < cell->nodes; i++)
        assert_int_equal(sepx_text_print(out, "%s,", ops[cell->op[i]]),
                         SEPX_OK);
    add_bytes(out, "output\", \"", 10);
    add_measurements(out, t);
    add_bytes(out, "\"]", 2);
}

static inline void
add_sum(struct sepx_text *out, const void *bytes, size_t len)
{
    struct sepx__crc32c crc;
    uint32_t sum;

    sepx__crc32c_init(&crc);
    sum = sepx__crc32c_add(&crc, 0, bytes, len);
    sum = (sum >> 15 | sum << 17) + 0xa282ead8;
    add_bytes(out, &sum, 4);
}

static inline void
add_framed(struct sepx_text *out, const char *payload, size_t len)
{
    uint64_t length = len;

    add_bytes(out, &length, 8);
    add_sum(out, &length, 8);
    add_bytes(out, payload, len);
    add_sum(out, payload, len);
}

static inline void
add_training(struct sepx_text *out, const struct training *t)
{
    struct sepx_text payload = {0};

    add_payload(&payload, t);
    add_framed(out, payload.at, payload.len);
    sepx_text_release(&payload);
}

#endif
