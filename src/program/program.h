/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program under a supervisor, and what it said. */
#ifndef SEPX_PROGRAM_PROGRAM_H
#define SEPX_PROGRAM_PROGRAM_H

#include "program/supervisor.h"

enum {
    SEPX__OUTPUT_KEPT = 1 << 20,  /* last bytes of standard output */
    SEPX__OUTPUT_MOST = 16 << 20, /* more than these end the program */
    SEPX__ERRORS_KEPT = 1 << 13,  /* last bytes of standard error */
};

/* The last bytes of a stream. {0} is empty. */
struct sepx__tail {
    struct sepx_text text;
    size_t total; /* bytes that came */
};

/* {0} is empty. */
struct sepx__program {
    struct sepx__report report;
    struct sepx__tail output, errors;
    bool flooded; /* ended for what it printed */
    bool stopped; /* ended because `stop` said so */
    bool cut;     /* ended because the listener said so */
    size_t heard; /* bytes of output whose lines the listener had */
};

/* Hears whole lines of the output as they come; true: end the program. */
struct sepx__listener {
    bool (*line)(void *context, const char *line, size_t len); /* or NULL */
    void *context;
};

void sepx__program_release(struct sepx__program *program);
/*
 * Run to the end. `program` is empty before. `stop` and `listener` may be
 * NULL. Fails with
 * SEPX_EIO if pipes cannot be made, or with SEPX_ENOMEM after the program was
 * ended. A supervisor that is gone is reported as SEPX__LOST.
 */
SEPX_CHECKED enum sepx_err
sepx__program_run(struct sepx__program *program,
                  const struct sepx__supervisor *supervisor,
                  const struct sepx__order *order, int input,
                  bool (*stop)(void *context), void *context,
                  const struct sepx__listener *listener, struct sepx_msg *msg);
/* Wait, looking at `stop` all the while; true if it says so. */
bool sepx__program_pause(double seconds, bool (*stop)(void *context),
                         void *context);

#endif
