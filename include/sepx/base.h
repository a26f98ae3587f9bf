/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every module stands on: errors and messages, the allocator, text,
 * random streams, and requests to stop.
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

#include "sepx/version.h"

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

/* The version of the library, SEPX_VERSION of the headers it was built with. */
SEPX_API const char *sepx_version(void);

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
    X(SEPX_EUNSUPPORTED, -9, "not supported by this space, system or build") \
    X(SEPX_ENOINPUT, -10, "an input file is missing or cannot be read")
/* clang-format on */

#define SEPX_ROW(name, value, text) name = value,
enum sepx_err { SEPX_ERRORS(SEPX_ROW) };
#undef SEPX_ROW

/* The sentence that belongs to `err`; never NULL. */
SEPX_API const char *sepx_strerror(enum sepx_err err);

/*
 * Says what went wrong: a sentence for a person, and its parts for programs.
 * {0} is empty; nothing to release. Texts are cut where they do not fit, and
 * always terminated.
 */
struct sepx_msg {
    char text[512];     /* "file:line: what, value; remedy" */
    enum sepx_err code; /* what the call returned */
    char file[256];     /* empty: none, or it is not known */
    uint32_t line;      /* from 1; 0: not known */
    uint32_t column;    /* bytes, from 1; 0: not known */
    char remedy[256];   /* empty: none */
    uint32_t place;     /* length of "line 3: " in `text`; private */
};

/*
 * Write a message and return `err`, so that a failure reads
 * `return sepx_fail(msg, SEPX_EDATA, "...", ...)`. A format that begins with
 * "%s: " has the file as its first argument, and what it has behind its first
 * "; " is the remedy. `msg` may be NULL.
 */
SEPX_API SEPX_PRINTF(3, 4) enum sepx_err
    sepx_fail(struct sepx_msg *msg, enum sepx_err err, const char *format, ...);

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
/* Uniform in 0..bound-1, without bias. `bound` is at least 1. */
SEPX_API uint32_t sepx_rng_below(struct sepx_rng *rng, uint32_t bound);
/* Uniform in [0, 1), 53 bits. */
SEPX_API double sepx_rng_unit(struct sepx_rng *rng);

/* ---- requests to stop ---- */

/*
 * A request to stop, such as Ctrl-C. Long loops poll it, from any thread, and
 * end with SEPX_ESTOPPED once it returns true, which it then always does.
 * {0}: never stop.
 */
struct sepx_stop {
    bool (*asked)(void *context); /* NULL: never */
    void *context;
};

#ifdef __cplusplus
}
#endif
#endif
