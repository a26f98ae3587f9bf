/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measurements of a record: a protocol buffer, read by hand. Field 1
 * (three times) is an evaluation of doubles 1 epoch, 2 seconds, 3 training,
 * 4 validation, 5 test accuracy; field 2 is the number of parameters. Other
 * fields are skipped, whatever they are.
 */
#include "nas/nb101/table_builder.h"

#include <math.h>
#include <string.h>

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

struct span {
    const unsigned char *at, *end;
};

struct field {
    uint64_t number;
    unsigned wire;
    uint64_t value;   /* of WIRE_VARINT, WIRE_64 and WIRE_32 */
    struct span span; /* of WIRE_BYTES */
};

static bool
read_varint(struct span *in, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned byte = *in->at++;

        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool
read_fixed(struct span *in, uint64_t *value, unsigned bytes)
{
    if ((size_t)(in->end - in->at) < bytes)
        return false;
    *value = 0;
    for (unsigned i = 0; i < bytes; i++)
        *value |= (uint64_t)*in->at++ << 8 * i;
    return true;
}

static bool
read_span(struct span *in, struct span *out)
{
    uint64_t len;

    if (!read_varint(in, &len) || len > (size_t)(in->end - in->at))
        return false;
    *out = (struct span){in->at, in->at + len};
    in->at += len;
    return true;
}

/* False at a field that cannot be read. */
static bool
read_field(struct span *in, struct field *field)
{
    uint64_t key;

    if (!read_varint(in, &key))
        return false;
    *field = (struct field){.number = key >> 3, .wire = key & 7};
    switch (field->wire) {
    case WIRE_VARINT:
        return read_varint(in, &field->value);
    case WIRE_64:
        return read_fixed(in, &field->value, 8);
    case WIRE_32:
        return read_fixed(in, &field->value, 4);
    case WIRE_BYTES:
        return read_span(in, &field->span);
    default:
        return false;
    }
}

static enum sepx_err
broken(struct sepx_msg *msg, const unsigned char *start, const struct span *in)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "the measurements cannot be read from byte %zu on",
                     (size_t)(in->at - start));
}

static double
to_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static enum sepx_err
check_number(double value, double most, const char *what, unsigned evaluation,
             struct sepx_msg *msg)
{
    if (value >= 0 && value <= most)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     isnan(value) ? "evaluation %u has no %s"
                                  : "evaluation %u has a %s of %g",
                     evaluation + 1, what, value);
}

static enum sepx_err
read_evaluation(struct sepx__record *record, unsigned number, struct span in,
                struct sepx_msg *msg)
{
    double value[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const unsigned char *start = in.at;
    enum sepx_err err;

    while (in.at < in.end) {
        struct field field;

        if (!read_field(&in, &field))
            return broken(msg, start, &in);
        if (field.number < 6 && field.wire == WIRE_64)
            value[field.number] = to_double(field.value);
    }
    err = check_number(value[2], 1e9, "training time", number, msg);
    if (!err)
        err = check_number(value[4], 1, "validation accuracy", number, msg);
    if (!err)
        err = check_number(value[5], 1, "test accuracy", number, msg);
    record->at[number].seconds = value[2];
    record->at[number].validation = value[4];
    record->at[number].test = value[5];
    return err;
}

enum sepx_err
sepx__record_metrics(struct sepx__record *record, const unsigned char *bytes,
                     size_t len, struct sepx_msg *msg)
{
    struct span in = {bytes, bytes + len};
    unsigned evaluations = 0;
    enum sepx_err err = SEPX_OK;

    record->parameters = 0;
    while (in.at < in.end && !err) {
        struct field field;

        if (!read_field(&in, &field))
            return broken(msg, bytes, &in);
        if (field.number == 1 && field.wire == WIRE_BYTES) {
            if (evaluations < 3)
                err = read_evaluation(record, evaluations, field.span, msg);
            evaluations++;
        } else if (field.number == 2 && field.wire == WIRE_VARINT) {
            record->parameters = (uint32_t)field.value;
        }
    }
    if (err || evaluations == 3)
        return err;
    return sepx_fail(msg, SEPX_EDATA,
                     "%u evaluations, not 3 (start, half-way, end)",
                     evaluations);
}
