/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every module stands on: errors, memory, text, random streams,
 * threads, the clock and small statistics.
 *
 * Thread safety: functions touch only their arguments, so calls on distinct
 * objects may run at once. sepx_set_allocator() is the one exception.
 */
#ifndef SEPX_BASE_H
#define SEPX_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SEPX_API __attribute__((visibility("default")))
#define SEPX_CHECKED __attribute__((warn_unused_result))
#define SEPX_PRINTF(at, from) __attribute__((format(printf, at, from)))
#else
#define SEPX_API
#define SEPX_CHECKED
#define SEPX_PRINTF(at, from)
#endif

/* ---- errors ---- */

/* clang-format off */
#define SEPX_ERRORS(X) /* enum, value, sepx_strerror() */ \
    X(SEPX_OK, 0, "no error") \
    X(SEPX_ENOMEM, -1, "out of memory") \
    X(SEPX_EINVAL, -2, "invalid argument") \
    X(SEPX_EDATA, -3, "malformed data") \
    X(SEPX_EIO, -4, "input or output failed") \
    X(SEPX_ELIMIT, -5, "a documented limit is exceeded") \
    X(SEPX_ENOTFOUND, -6, "not found") \
    X(SEPX_EBUSY, -7, "busy, try again later") \
    X(SEPX_ESTOPPED, -8, "stopped on request") \
    X(SEPX_EUNSUPPORTED, -9, "not part of this build")
/* clang-format on */

#define X(name, value, text) name = value,
enum sepx_err { SEPX_ERRORS(X) };
#undef X

/* The sentence that belongs to `err`; never NULL. */
SEPX_API const char *sepx_strerror(enum sepx_err err);

/* Says what went wrong, for a person. {0} is empty; nothing to release. */
struct sepx_msg {
    char text[512]; /* "file:line: what, value; remedy", always terminated */
};

/*
 * Write a message and return `err`, so that a failure reads
 * `return sepx_fail(msg, SEPX_EDATA, "...", ...)`. `msg` may be NULL.
 */
SEPX_API SEPX_PRINTF(3, 4) enum sepx_err
    sepx_fail(struct sepx_msg *msg, enum sepx_err err, const char *format, ...);

/*
 * Put "where: " before the text that `msg` holds; the format says where, the
 * colon comes by itself. `msg` may be NULL.
 */
SEPX_API SEPX_PRINTF(2, 3) void sepx_msg_prefix(struct sepx_msg *msg,
                                                const char *format, ...);

/* ---- memory ---- */

/*
 * Replace the allocator of the whole library; NULL restores libc's. Call it
 * while nothing of the library is in use. Tests use it to make each
 * allocation fail in turn.
 */
SEPX_API void sepx_set_allocator(void *(*resize)(void *old, size_t size),
                                 void (*release)(void *block));

/* ---- text ---- */

/* A growing string. {0} is empty; sepx_text_release() ends it. */
struct sepx_text {
    char *at; /* `len` bytes and a terminating zero, or NULL if empty */
    size_t len;
    size_t room;
};

SEPX_API void sepx_text_release(struct sepx_text *text);
SEPX_API SEPX_CHECKED enum sepx_err
sepx_text_add(struct sepx_text *text, const char *bytes, size_t len);
SEPX_API SEPX_CHECKED SEPX_PRINTF(2, 3) enum sepx_err
    sepx_text_print(struct sepx_text *text, const char *format, ...);

/*
 * Read a whole file, "-" being standard input, behind what `text` holds,
 * which is all it holds again if the call fails. Fails with SEPX_ENOTFOUND,
 * SEPX_EIO, SEPX_ENOMEM, or SEPX_ELIMIT on more than `most` bytes.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_file_read(struct sepx_text *text, const char *path, size_t most,
               struct sepx_msg *msg);
/*
 * Replace a file whole: written beside it, synced, then renamed, so that a
 * crash leaves the old or the new content, never a part. Keeps the old
 * file's permissions, follows links, and writes straight into devices and
 * pipes. Fails with SEPX_ENOTFOUND if the folder is not there, or SEPX_EIO.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_file_write(const char *path, const char *bytes, size_t len,
                struct sepx_msg *msg);

/*
 * The row of `names` (ended by NULL) nearest to `word` by edit distance, for
 * "did you mean"; NULL if none is near.
 */
SEPX_API const char *sepx_nearest(const char *word, const char *const *names);

/* ---- random streams ---- */

/*
 * Philox 4x32-10 (Salmon et al. 2011), a counter-based generator: the stream
 * is a function of (seed, run, trial, purpose) alone, so results do not
 * depend on which thread draws them or in which order.
 */
struct sepx_rng {
    uint32_t key[2];
    uint32_t counter[4]; /* block, purpose, trial, run */
    uint32_t block[4];
    uint32_t used; /* words of `block` handed out */
};

SEPX_API void sepx_rng_init(struct sepx_rng *rng, uint64_t seed, uint32_t run,
                            uint32_t trial, uint32_t purpose);
SEPX_API uint32_t sepx_rng_u32(struct sepx_rng *rng);
SEPX_API uint64_t sepx_rng_u64(struct sepx_rng *rng);
/* Uniform in 0..bound-1, without bias. `bound` is at least 1. */
SEPX_API uint32_t sepx_rng_below(struct sepx_rng *rng, uint32_t bound);
/* Uniform in [0, 1), 53 bits. */
SEPX_API double sepx_rng_unit(struct sepx_rng *rng);
SEPX_API bool sepx_rng_chance(struct sepx_rng *rng, double probability);
/* Standard normal. */
SEPX_API double sepx_rng_normal(struct sepx_rng *rng);
/* `count` distinct values of 0..bound-1 in random order; count <= bound. */
SEPX_API void sepx_rng_sample(struct sepx_rng *rng, uint32_t *out,
                              uint32_t count, uint32_t bound);

/* ---- threads and the clock ---- */

/* Processors that this process may use; at least 1. */
SEPX_API unsigned sepx_processors(void);

/*
 * Call job(context, worker, index) once for each index in 0..count-1, on
 * `threads` threads (0: one for each processor). `worker` is in
 * 0..threads-1 and never shared by two calls at once. Stops handing out work
 * after the first failure; returns the failure of the smallest index.
 */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_parallel(unsigned threads, size_t count,
              enum sepx_err (*job)(void *context, unsigned worker,
                                   size_t index),
              void *context);

/* Seconds on a clock that never goes back. */
SEPX_API double sepx_clock(void);

/* ---- statistics ---- */

struct sepx_summary {
    size_t count;
    double mean, sd, se; /* sd with n-1; 0 for fewer than two values */
    double min, q25, median, q75, max;
};

/* NaN everywhere but `count` if count is 0 or a value is NaN. */
SEPX_API SEPX_CHECKED enum sepx_err
sepx_summarize(struct sepx_summary *out, const double *value, size_t count);

/*
 * Quantile of ascending values, linear between them (R type 7); NaN if there
 * are none. `p` is clamped to 0..1.
 */
SEPX_API double sepx_quantile(const double *sorted, size_t count, double p);

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
SEPX_API SEPX_CHECKED enum sepx_err
sepx_mann_whitney(struct sepx_mann_whitney *out, const double *x, size_t nx,
                  const double *y, size_t ny);

#ifdef __cplusplus
}
#endif
#endif
