/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TFRecord files: for each record its length (64 bits), the masked CRC-32C of
 * that, the payload, and the masked CRC-32C of the payload.
 */
#include "nas/nb101/table_builder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define PAYLOAD_MAX (1u << 20)
#define CHUNK 65536
#define TELL_EVERY 50000

/* Bytes of a file or of memory, counted and summed as they are taken. */
struct input {
    int fd; /* -1: memory */
    const char *name;
    const unsigned char *at;
    size_t left;
    uint64_t taken;
    uint32_t sum;
    struct sepx__crc32c crc;
    unsigned char chunk[CHUNK];
};

struct reader {
    struct sepx_table_builder *builder;
    struct input in;
    unsigned char *payload;
    size_t room;
    uint64_t records, start; /* of the record under way */
};

/* False, with errno set, if the file cannot be read. */
static bool
refill(struct input *in)
{
    ssize_t n = 0;

    if (in->fd < 0)
        return true;
    do {
        n = read(in->fd, in->chunk, CHUNK);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return false;
    in->at = in->chunk;
    in->left = (size_t)n;
    return true;
}

/* *got is less than `want` at the end only. */
static bool
take(struct input *in, unsigned char *to, size_t want, size_t *got)
{
    for (*got = 0; *got < want;) {
        size_t n = want - *got;

        if (!in->left && !refill(in))
            return false;
        if (!in->left)
            return true;
        if (n > in->left)
            n = in->left;
        memcpy(to + *got, in->at, n);
        in->sum = sepx__crc32c_add(&in->crc, in->sum, in->at, n);
        in->at += n;
        in->left -= n;
        in->taken += n;
        *got += n;
    }
    return true;
}

static enum sepx_err
truncated(struct sepx_msg *msg, size_t got, uint64_t want)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "the file ends after %zu of %" PRIu64
                     " bytes; it is truncated, get it again",
                     got, want);
}

static enum sepx_err
check_sum(const struct reader *r, const unsigned char *bytes, size_t len,
          const char *what, struct sepx_msg *msg)
{
    uint32_t stored = sepx__get32(bytes + len);
    uint32_t sum = sepx__crc32c_add(&r->in.crc, 0, bytes, len);

    sum = (sum >> 15 | sum << 17) + 0xa282ead8; /* the mask */
    if (sum == stored)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "the checksum of the %s is %08x, not %08x; the file is "
                     "damaged or no TFRecord file, get it again",
                     what, sum, stored);
}

/* *end: there is no record left. */
static enum sepx_err
take_length(struct reader *r, uint64_t *len, bool *end, struct sepx_msg *msg)
{
    unsigned char head[12];
    size_t got;
    enum sepx_err err;

    if (!take(&r->in, head, sizeof(head), &got))
        return sepx__fail_input(msg, r->in.name, "read");
    *end = got == 0;
    if (*end)
        return SEPX_OK;
    if (got < sizeof(head))
        return truncated(msg, got, sizeof(head));
    err = check_sum(r, head, 8, "length", msg);
    *len = sepx__get64(head);
    if (!err && *len > PAYLOAD_MAX)
        err = sepx_fail(msg, SEPX_EDATA,
                        "a record of %" PRIu64
                        " bytes; the benchmark's have less than %u",
                        *len, PAYLOAD_MAX);
    return err;
}

static enum sepx_err
take_payload(struct reader *r, size_t len, struct sepx_msg *msg)
{
    size_t got;
    enum sepx_err err = sepx__grow((void **)&r->payload, &r->room, len + 4, 1);

    if (err)
        return err;
    if (!take(&r->in, r->payload, len + 4, &got))
        return sepx__fail_input(msg, r->in.name, "read");
    if (got < len + 4)
        return truncated(msg, got, len + 4);
    return check_sum(r, r->payload, len, "payload", msg);
}

/* ---- what records say ---- */

/* The hash must be that of the cell. */
static bool
is_named(const struct sepx_table_builder *builder,
         const struct sepx__builder_cell *entry,
         const struct sepx__record *record)
{
    unsigned char hash[16];

    if (builder->cells && entry->row != UINT32_MAX)
        return memcmp(sepx_nb101_cells_hash(builder->cells, entry->row),
                      record->hash, sizeof(hash)) == 0;
    sepx_nb101_cell_hash(&record->cell, hash);
    return memcmp(hash, record->hash, sizeof(hash)) == 0;
}

static void
store(struct sepx__builder_cell *entry, const struct sepx__record *record)
{
    unsigned b = record->budget, t = entry->trials[b]++;

    if (!entry->parameters)
        entry->parameters = record->parameters;
    for (unsigned half = 0; half < 2; half++) {
        unsigned first = half ? SEPX_TABLE_HALF_VALIDATION : 0;
        unsigned at = 2 - half;

        entry->value[first][b][t] = (float)record->at[at].validation;
        entry->value[first + 1][b][t] = (float)record->at[at].test;
        entry->value[first + 2][b][t] = (float)record->at[at].seconds;
    }
}

static enum sepx_err
add_record(struct sepx_table_builder *builder, const unsigned char *bytes,
           size_t len, struct sepx_msg *msg)
{
    struct sepx__record record;
    struct sepx__builder_cell *entry;
    enum sepx_err err =
        sepx__record_read(&record, (const char *)bytes, len, msg);

    if (!err)
        err = sepx__builder_entry(builder, &entry, &record.cell);
    if (err)
        return err;
    if (!is_named(builder, entry, &record))
        return sepx_fail(msg, SEPX_EDATA,
                         "the hash is not that of the record's cell");
    if (entry->trials[record.budget] >= SEPX_TABLE_TRIALS)
        return sepx_fail(msg, SEPX_EDATA,
                         "a cell's trial %d at %u epochs; there are %d",
                         SEPX_TABLE_TRIALS + 1,
                         sepx_table_epochs(record.budget), SEPX_TABLE_TRIALS);
    store(entry, &record);
    return SEPX_OK;
}

/* ---- the file ---- */

static enum sepx_err
read_one(struct reader *r, bool *end, struct sepx_msg *msg)
{
    uint64_t len = 0;
    enum sepx_err err;

    r->start = r->in.taken;
    err = take_length(r, &len, end, msg);
    if (err || *end)
        return err;
    err = take_payload(r, (size_t)len, msg);
    if (!err)
        err = add_record(r->builder, r->payload, (size_t)len, msg);
    return err;
}

static enum sepx_err
read_all(struct reader *r, void (*tell)(void *context, uint64_t records),
         void *context, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;
    bool end = false;

    while (!err && !end) {
        err = read_one(r, &end, msg);
        if (err == SEPX_EDATA)
            sepx_msg_prefix(msg, "record %" PRIu64 " at byte %" PRIu64,
                            r->records + 1, r->start);
        if (!err && !end && ++r->records % TELL_EVERY == 0 && tell)
            tell(context, r->records);
    }
    if (err || r->records)
        return err;
    return sepx_fail(msg, SEPX_EDATA, "no records; the file is empty");
}

static enum sepx_err
describe(struct reader *r)
{
    struct sepx_table_builder *builder = r->builder;

    builder->source_bytes += r->in.taken;
    builder->source_crc32c = r->in.sum;
    return sepx_text_print(&builder->description,
                           "%sNAS-Bench-101, %" PRIu64
                           " records of a TFRecord file",
                           builder->description.len ? "; " : "", r->records);
}

static enum sepx_err
read_input(struct sepx_table_builder *builder, const char *name, int fd,
           const void *bytes, size_t len,
           void (*tell)(void *context, uint64_t records), void *context,
           struct sepx_msg *msg)
{
    struct reader *r = sepx__calloc(1, sizeof(*r));
    enum sepx_err err;

    if (!r)
        return SEPX_ENOMEM;
    r->builder = builder;
    r->in.fd = fd;
    r->in.name = name;
    r->in.at = bytes;
    r->in.left = len;
    sepx__crc32c_init(&r->in.crc);
    err = read_all(r, tell, context, msg);
    if (!err)
        err = describe(r);
    sepx__free(r->payload);
    sepx__free(r);
    return err;
}

enum sepx_err
sepx_table_builder_tfrecord_bytes(struct sepx_table_builder *builder,
                                  const void *bytes, size_t len,
                                  struct sepx_msg *msg)
{
    return read_input(builder, "", -1, bytes, len, NULL, NULL, msg);
}

enum sepx_err
sepx_table_builder_tfrecord(struct sepx_table_builder *builder,
                            const char *path,
                            void (*tell)(void *context, uint64_t records),
                            void *context, struct sepx_msg *msg)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const char *name = standard ? "standard input" : path;
    enum sepx_err err;

    if (fd < 0)
        return sepx__fail_input(msg, name, "open");
    err = read_input(builder, name, fd, NULL, 0, tell, context, msg);
    if (err == SEPX_EDATA)
        sepx_msg_file(msg, name);
    if (!standard)
        (void)close(fd);
    return err;
}
