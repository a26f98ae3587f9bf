/* SPDX-License-Identifier: Apache-2.0 */
/* Little-endian numbers in files, and files that are read where they lie. */
#ifndef SEPX_BASE_BYTES_H
#define SEPX_BASE_BYTES_H

#include <string.h>

#include "base/internal.h"

static inline uint16_t
sepx__get16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t
sepx__get32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

static inline uint64_t
sepx__get64(const unsigned char *at)
{
    return sepx__get32(at) | (uint64_t)sepx__get32(at + 4) << 32;
}

static inline double
sepx__get_double(const unsigned char *at)
{
    uint64_t bits = sepx__get64(at);
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline void
sepx__put_bytes(unsigned char *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* A file that is mapped, for reading. {0} is none. */
struct sepx__map {
    const unsigned char *bytes;
    size_t len;
};

/*
 * A file of no bytes cannot be mapped and is refused, as what is no file;
 * `remedy` ends the message.
 */
SEPX_CHECKED enum sepx_err sepx__map_open(struct sepx__map *map,
                                          const char *path, const char *remedy,
                                          struct sepx_msg *msg);
void sepx__map_close(struct sepx__map *map); /* {0}: nothing */

#endif
