/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and small helpers for the library's own modules. */
#ifndef SEPX_BASE_INTERNAL_H
#define SEPX_BASE_INTERNAL_H

#include "base/private.h"

/* NULL for want of memory; never for size 0. */
void *sepx__alloc(size_t size);
void *sepx__calloc(size_t count, size_t size); /* NULL on overflow too */
void *sepx__resize(void *old, size_t size);
void sepx__free(void *block);
char *sepx__strdup(const char *text);
/* At a multiple of `align`, a power of two; ended by its own function. */
void *sepx__aligned(size_t size, size_t align);
void sepx__aligned_free(void *block);

/*
 * Grow *block, `*room` items of `size` bytes, until it holds `need`. The old
 * content stays valid if this fails.
 */
SEPX_CHECKED enum sepx_err sepx__grow(void **block, size_t *room, size_t need,
                                      size_t size);

/*
 * "unknown WHAT 'WORD'; did you mean 'B'? (valid: A, B, C)" for the names of
 * a registry, ended by NULL. Returns SEPX_ENOTFOUND. `msg` may be NULL.
 */
enum sepx_err sepx__unknown(struct sepx_msg *msg, const char *what,
                            const char *word, const char *const *names);

#define SEPX__REASON_SIZE 128
/* What an errno means; returns `text`. */
const char *sepx__reason(char text[SEPX__REASON_SIZE], int code);
/* What XML and HTML have for < > & " and '; NULL for all other letters. */
const char *sepx__entity(char letter);

/*
 * "PATH: cannot ACTION: reason; remedy", from errno. SEPX_ENOINPUT for a file
 * that is read, SEPX_EIO for one that is written.
 */
enum sepx_err sepx__fail_input(struct sepx_msg *msg, const char *path,
                               const char *action);
enum sepx_err sepx__fail_io(struct sepx_msg *msg, const char *path,
                            const char *action);

/*
 * Bytes of the UTF-8 character at `bytes`, which has at least one, and its
 * number; 0 if it is malformed or cut off.
 */
size_t sepx__utf8_next(const char *bytes, size_t len, uint32_t *code);
/* Whether a terminal obeys the character instead of showing it. */
bool sepx__utf8_commands(uint32_t code);

/* A 128-bit hash for keys: not for adversaries, stable for ever. */
struct sepx__hash {
    uint64_t high, low;
};
struct sepx__hash sepx__hash(const void *bytes, size_t len);
/* Finaliser of splitmix64: a good 64-bit mixer. */
uint64_t sepx__mix(uint64_t x);

/* Where `key` is among `count` ascending values; false: nowhere. */
bool sepx__find_u32(const uint32_t *sorted, size_t count, uint32_t key,
                    size_t *at);

/* Tables of CRC-32C; sepx__crc32c_init() fills them. */
struct sepx__crc32c {
    uint32_t table[8][256];
};
void sepx__crc32c_init(struct sepx__crc32c *crc);
/* The sum of more bytes behind those that gave `sum`, at first 0. */
uint32_t sepx__crc32c_add(const struct sepx__crc32c *crc, uint32_t sum,
                          const void *bytes, size_t len);

/* MD5 digests of so many messages, all `len` bytes long. */
#define SEPX__MD5_LANES 8
void sepx__md5_lanes(unsigned char (*digest)[16],
                     const unsigned char *const *message, size_t len);

static inline bool
sepx__stop_asked(const struct sepx_stop *stop)
{
    return stop->asked && stop->asked(stop->context);
}

#endif
