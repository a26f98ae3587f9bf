/* SPDX-License-Identifier: Apache-2.0 */
/* Density of vectors of categorical variables. */
#ifndef SEPX_SEARCH_KDE_H
#define SEPX_SEARCH_KDE_H

#include "base/internal.h"
#include "space/private.h"

/*
 * How a vector is packed: each variable has a field of bits, whole fields
 * share a word of at most SEPX__KDE_BITS, so that the kernel of all fields of
 * a word is one look into a table by the exclusive or of two words.
 */
#define SEPX__KDE_BITS 11

struct sepx__code {
    uint32_t variables, words;
    uint16_t *choices;    /* by variable */
    uint8_t *word, *from; /* where its field is */
    uint8_t *bits;        /* used, by word */
};

SEPX_CHECKED enum sepx_err sepx__code_init(struct sepx__code *code,
                                           const struct sepx_space *space);
void sepx__code_release(struct sepx__code *code);
void sepx__code_pack(const struct sepx__code *code, uint16_t *word,
                     const uint16_t *value);

/* {0} is empty; sepx__kde_release() ends it. */
struct sepx__kde {
    const struct sepx__code *code;
    double *bandwidth; /* by variable */
    double *table;     /* words x 2^SEPX__KDE_BITS */
    uint16_t *point;   /* count x words */
    size_t count, room;
};

/*
 * The normal reference rule, 1.06 sd n^(-1/(4+d)) with the population's
 * standard deviation of the value numbers, but at least `least`. Above 1 the
 * kernel would be negative; (c-1)/c for c choices, where it is uniform, is
 * taken instead.
 */
double sepx__kde_bandwidth(const uint32_t *count, uint32_t choices, size_t n,
                           uint32_t variables, double least);
/*
 * Fit to the vectors value[index[i] * variables], i < count. `code` must
 * outlive it.
 */
SEPX_CHECKED enum sepx_err
sepx__kde_fit(struct sepx__kde *kde, const struct sepx__code *code,
              const uint16_t *value, const uint32_t *index, size_t count,
              double least);
void sepx__kde_release(struct sepx__kde *kde);

/*
 * The density at a packed vector; or, once it is known to be at least
 * `enough`, some number that is.
 */
double sepx__kde_density(const struct sepx__kde *kde, const uint16_t *word,
                         double enough);

#endif
