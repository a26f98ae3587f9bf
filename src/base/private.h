/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library and the program share and no header of include/ declares:
 * text, files, threads, the clock and small statistics.
 */
#ifndef SEPX_BASE_PRIVATE_H
#define SEPX_BASE_PRIVATE_H

#include "sepx/base.h"

/* ---- messages, text and files ---- */

/* As sepx_fail(). */
SEPX_PRINTF(3, 0)
enum sepx_err sepx__vfail(struct sepx_msg *msg, enum sepx_err err,
                          const char *format, va_list args);
/* Put "line 3: " or "line 3 column 4: " before it; column 0: not known. */
void sepx_msg_line(struct sepx_msg *msg, size_t line, size_t column);
/* Put "file: " before it. */
void sepx_msg_file(struct sepx_msg *msg, const char *file);
/*
 * Turn "line 3: ..." into "file:3: ...", and what names no line into
 * "file: ...". `first` is the number of the text's first line in its file,
 * or 0 if the text is the whole file; then it stands in for a missing line.
 */
void sepx_msg_place(struct sepx_msg *msg, const char *file, size_t first);
/*
 * Put "where: " before the text that `msg` holds; the format says where, the
 * colon comes by itself. `msg` may be NULL.
 */
SEPX_PRINTF(2, 3)
void sepx_msg_prefix(struct sepx_msg *msg, const char *format, ...);
SEPX_CHECKED enum sepx_err sepx_text_add(struct sepx_text *text,
                                         const char *bytes, size_t len);
/* Append a record of a TFRecord file: length, bytes, checksums of both. */
SEPX_CHECKED enum sepx_err sepx_record_add(struct sepx_text *text,
                                           const char *bytes, size_t len);
SEPX_CHECKED SEPX_PRINTF(2, 3) enum sepx_err
    sepx_text_print(struct sepx_text *text, const char *format, ...);
/*
 * Append what a stranger wrote so that a terminal shows it and obeys nothing
 * of it: control characters other than tab and line end, overrides of the
 * text's direction and bytes that are no UTF-8 become "\u001b" and the like.
 */
SEPX_CHECKED enum sepx_err sepx_text_add_visible(struct sepx_text *text,
                                                 const char *bytes, size_t len);
/*
 * Read a whole file, "-" being standard input, behind what `text` holds,
 * which is all it holds again if the call fails. Fails with SEPX_ENOINPUT,
 * SEPX_ENOMEM, or SEPX_ELIMIT on more than `most` bytes.
 */
SEPX_CHECKED enum sepx_err sepx_file_read(struct sepx_text *text,
                                          const char *path, size_t most,
                                          struct sepx_msg *msg);
/*
 * Replace a file whole: written beside it, synced, then renamed, so that a
 * crash leaves the old or the new content, never a part. Keeps the old
 * file's permissions, follows links, and writes straight into devices and
 * pipes. Fails with SEPX_EIO.
 */
SEPX_CHECKED enum sepx_err sepx_file_write(const char *path, const char *bytes,
                                           size_t len, struct sepx_msg *msg);
/*
 * The row of `names` (ended by NULL) nearest to `word` by edit distance, for
 * "did you mean"; NULL if none is near.
 */
const char *sepx_nearest(const char *word, const char *const *names);

/* ---- random streams ---- */

/*
 * What a stream of (seed, run, trial) is for. The numbers are part of every
 * result: none changes, and a new one is a new row. Callers of the library
 * have 0 to 15 to themselves where no evaluator draws.
 */
enum sepx__stream {
    SEPX__STREAM_PLAIN = 0,    /* the only one of its seed */
    SEPX__STREAM_TRAINING = 1, /* which training of a table counts */
    SEPX__STREAM_PROGRAM = 9,  /* the seed that a program is given */
    SEPX__STREAM_SAMPLE = 16,  /* of the search methods, to AIM */
    SEPX__STREAM_SELECT,
    SEPX__STREAM_PAIR,
    SEPX__STREAM_MUTATE,
    SEPX__STREAM_CROSS,
    SEPX__STREAM_POLICY,
    SEPX__STREAM_MOVES,
    SEPX__STREAM_VECTOR,
    SEPX__STREAM_AIM,
    SEPX__STREAM_PERMUTATION = 77, /* of the paper */
    SEPX__STREAM_VERIFY = 78,
    SEPX__STREAM_NOISE = 0x6576616c /* of modelled trainings */
};

uint32_t sepx_rng_u32(struct sepx_rng *rng);
uint64_t sepx_rng_u64(struct sepx_rng *rng);
bool sepx_rng_chance(struct sepx_rng *rng, double probability);
/* Standard normal. */
double sepx_rng_normal(struct sepx_rng *rng);
/* Put `count` items of `size` bytes, at most 16, in random order. */
void sepx_rng_shuffle(struct sepx_rng *rng, void *items, uint32_t count,
                      size_t size);
/* `count` distinct values of 0..bound-1 in random order; count <= bound. */
void sepx_rng_sample(struct sepx_rng *rng, uint32_t *out, uint32_t count,
                     uint32_t bound);

/* ---- threads and the clock ---- */

/* Processors that this process may use; at least 1. */
unsigned sepx_processors(void);
/*
 * Call job(context, worker, index) once for each index in 0..count-1, on
 * `threads` threads (0: one for each processor). `worker` is in
 * 0..threads-1 and never shared by two calls at once. Stops handing out work
 * after the first failure; returns the failure of the smallest index.
 */
SEPX_CHECKED enum sepx_err sepx_parallel(unsigned threads, size_t count,
                                         enum sepx_err (*job)(void *context,
                                                              unsigned worker,
                                                              size_t index),
                                         void *context);
/* Seconds on a clock that never goes back. */
double sepx_clock(void);

/* ---- SHA-256 ---- */

#define SEPX_SHA256_HEX 65

void sepx_sha256_hex(char hex[SEPX_SHA256_HEX], const void *bytes, size_t len);
/* False if the file cannot be read. */
bool sepx_sha256_file(char hex[SEPX_SHA256_HEX], const char *path);

/* ---- statistics ---- */

struct sepx_summary {
    size_t count;
    double mean, sd, se; /* sd with n-1; 0 for fewer than two values */
    double min, q25, median, q75, max;
};

/* NaN everywhere but `count` if count is 0 or a value is NaN. */
SEPX_CHECKED enum sepx_err sepx_summarize(struct sepx_summary *out,
                                          const double *value, size_t count);

/*
 * Quantile of ascending values, linear between them (R type 7); NaN if there
 * are none. `p` is clamped to 0..1.
 */
double sepx_quantile(const double *sorted, size_t count, double p);

/*
 * Append a line of at most `width` blocks for a best so far: value[count],
 * which never rises, NaN while there is none, drawn as a space. The first and
 * the last number are in the end columns. The lowest block is the last number,
 * the full one the 90 % quantile of the numbers drawn, and all above it.
 * `rising`: upside down, for negated numbers. Adds nothing if all are NaN.
 */
SEPX_CHECKED enum sepx_err
sepx_text_add_sparkline(struct sepx_text *text, const double *value,
                        size_t count, size_t width, bool rising);

struct sepx_mann_whitney {
    double u;      /* pairs with x > y, those with x = y for half */
    double p;      /* two-sided */
    double effect; /* P(x<y) + P(x=y)/2, the common language effect size */
    bool exact;    /* p from the exact distribution, else normal with ties */
};

/*
 * Mann-Whitney U test. Exact (ties included, by counting all splits of the
 * pooled ranks) while both samples have at most 20 values, else the normal
 * approximation with tie and continuity correction. The exact p is the share
 * of splits whose u is at least as far from its mean, on either side. Fails
 * with SEPX_EINVAL on an empty sample or a NaN, or with SEPX_ENOMEM.
 */
SEPX_CHECKED enum sepx_err sepx_mann_whitney(struct sepx_mann_whitney *out,
                                             const double *x, size_t nx,
                                             const double *y, size_t ny);

#endif
