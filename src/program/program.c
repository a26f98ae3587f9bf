/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of a program's run: its streams are read as they come, and no more
 * than the last bytes are kept. The supervisor's report is the end: by then all
 * that could write is dead, so what is left in the pipes is read without
 * waiting, and nobody who still holds a pipe can hold us.
 */
#define _GNU_SOURCE /* pipe2 */
#include "program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    STOP_MS = 50, /* between looks at `stop` */
    QUIET_MS = 4, /* at first only the end is waited for, which may be near */
    PIECES = 64   /* of 16 KiB */
};
#define WAKE_SECONDS 0.5 /* a supervisor may be late by, and between wakings */
#define LOST_SECONDS \
    20 /* a supervisor that is later does not answer any more */

static void
shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void
sepx__program_release(struct sepx__program *program)
{
    sepx_text_release(&program->output.text);
    sepx_text_release(&program->errors.text);
    *program = (struct sepx__program){0};
}

static enum sepx_err
tail_add(struct sepx__tail *tail, const char *bytes, size_t len, size_t most)
{
    enum sepx_err err = sepx_text_add(&tail->text, bytes, len);

    tail->total += len;
    /* Twice as much before it is cut, so that cutting is seldom. */
    if (!err && tail->text.len > 2 * most) {
        memmove(tail->text.at, tail->text.at + tail->text.len - most, most + 1);
        tail->text.len = most;
    }
    return err;
}

/*
 * What is there now, but no more than the largest pipe holds, or one that
 * never stops writing could keep us here. Closes `fd` at its end.
 */
static enum sepx_err
collect(struct sepx__tail *tail, int *fd, size_t most)
{
    char piece[16384];
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < PIECES && *fd >= 0 && !err; i++) {
        ssize_t n = read(*fd, piece, sizeof piece);

        if (n > 0)
            err = tail_add(tail, piece, (size_t)n, most);
        else if (n < 0 && errno == EINTR)
            continue;
        else if (n < 0 && errno == EAGAIN)
            break;
        else
            shut(fd);
    }
    return err;
}

struct talk {
    struct sepx__program *program;
    const struct sepx__supervisor *supervisor;
    int out, err;
    double grace;
    double wake, lost; /* when to wake the supervisor, and when to end it */
};

static enum sepx_err
collect_both(struct talk *talk)
{
    enum sepx_err err =
        collect(&talk->program->output, &talk->out, SEPX__OUTPUT_KEPT);

    return err ? err
               : collect(&talk->program->errors, &talk->err, SEPX__ERRORS_KEPT);
}

/*
 * The supervisor holds the program to its limits, unless a signal stops the
 * supervisor. So it is woken once it should have reported, again and again, and
 * killed if that does not help.
 */
static void
expect_report(struct talk *talk, double seconds)
{
    double due = sepx_clock() + seconds;

    talk->wake = fmin(talk->wake, due + WAKE_SECONDS);
    talk->lost = fmin(talk->lost, due + talk->grace + LOST_SECONDS);
}

/* Its errors may have any length, its output may not. */
static void
check_output(struct talk *talk)
{
    struct sepx__program *program = talk->program;

    if (program->flooded || program->output.total <= SEPX__OUTPUT_MOST)
        return;
    program->flooded = true;
    shut(&talk->out);
    sepx__supervisor_say(talk->supervisor, SEPX__WORD_KILL);
    expect_report(talk, 0);
}

static void
give_up(struct talk *talk)
{
    shut(&talk->out);
    shut(&talk->err);
    sepx__supervisor_say(talk->supervisor, SEPX__WORD_KILL);
    expect_report(talk, 0);
}

/* Lines that were cut out of what is kept are nobody's. */
static void
listen(struct talk *talk, const struct sepx__listener *listener)
{
    struct sepx__program *program = talk->program;
    const struct sepx__tail *tail = &program->output;
    size_t left = tail->total - program->heard;
    const char *at, *end;

    if (!listener || !listener->line || !left || program->cut)
        return;
    if (left > tail->text.len)
        left = tail->text.len;
    at = tail->text.at + tail->text.len - left;
    while (left && !program->cut && (end = memchr(at, '\n', left)) != NULL) {
        program->cut =
            listener->line(listener->context, at, (size_t)(end - at));
        left -= (size_t)(end + 1 - at);
        at = end + 1;
    }
    program->heard = tail->total - left;
    if (!program->cut)
        return;
    sepx__supervisor_say(talk->supervisor, SEPX__WORD_STOP);
    expect_report(talk, 0);
}

static void
mind_supervisor(struct talk *talk)
{
    double now = sepx_clock();

    if (now >= talk->wake) {
        sepx__supervisor_wake(talk->supervisor);
        talk->wake = now + WAKE_SECONDS;
    }
    if (now >= talk->lost)
        sepx__supervisor_kill(talk->supervisor);
}

/* Milliseconds until there is something to do; -1: none. */
static int
patience(const struct talk *talk, bool stoppable)
{
    double ms = stoppable ? (double)STOP_MS : INFINITY;

    ms = fmin(ms, fmax(0, ceil(1000 * (talk->wake - sepx_clock()))));
    return ms < INT_MAX ? (int)ms : -1;
}

static enum sepx_err
fail(struct sepx_msg *msg, const char *action)
{
    (void)sepx__fail_io(msg, "evaluator", action);
    return SEPX_EIO;
}

/* What came with the report: it is too late to end anything. */
static void
hear_rest(struct sepx__program *program, const struct sepx__listener *listener)
{
    const struct sepx__tail *tail = &program->output;
    size_t left = tail->total - program->heard;

    if (!listener || !listener->line || left > tail->text.len)
        return;
    while (left && !program->cut) {
        const char *at = tail->text.at + tail->text.len - left;
        const char *end = memchr(at, '\n', left);
        size_t len = end ? (size_t)(end - at) : left;

        program->cut = listener->line(listener->context, at, len);
        left -= end ? len + 1 : len;
    }
}

/* Until the report is there. */
static enum sepx_err
converse(struct talk *talk, bool (*stop)(void *context), void *context,
         const struct sepx__listener *listener, struct sepx_msg *msg)
{
    struct sepx__program *program = talk->program;
    bool quiet = true;
    enum sepx_err err = SEPX_OK;

    for (;; quiet = false) {
        struct pollfd wait[] = {
            {.fd = talk->supervisor->control, .events = POLLIN},
            {.fd = talk->out, .events = POLLIN},
            {.fd = talk->err, .events = POLLIN},
        };

        if (poll(wait, quiet ? 1 : 3, quiet ? QUIET_MS : patience(talk, stop)) <
                0 &&
            errno != EINTR)
            return fail(msg, "listen to it");
        if (wait[0].revents)
            break;
        if (!err) {
            err = collect_both(talk);
            if (err)
                give_up(talk);
        }
        check_output(talk);
        if (!err && !program->flooded)
            listen(talk, listener);
        if (stop && !program->stopped && stop(context)) {
            program->stopped = true;
            sepx__supervisor_say(talk->supervisor, SEPX__WORD_STOP);
            expect_report(talk, 0);
        }
        mind_supervisor(talk);
    }
    sepx__supervisor_hear(talk->supervisor, &program->report);
    if (!err)
        err = collect_both(talk);
    if (!err && !program->flooded)
        hear_rest(program, listener);
    return err;
}

enum sepx_err
sepx__program_run(struct sepx__program *program,
                  const struct sepx__supervisor *supervisor,
                  const struct sepx__order *order, int input,
                  bool (*stop)(void *context), void *context,
                  const struct sepx__listener *listener, struct sepx_msg *msg)
{
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    struct talk talk = {.program = program,
                        .supervisor = supervisor,
                        .grace = order->grace,
                        .wake = INFINITY,
                        .lost = INFINITY};
    enum sepx_err err = SEPX_OK;

    /* Our ends only do not block: a program expects to wait when it writes. */
    if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC) ||
        fcntl(out[0], F_SETFL, O_NONBLOCK) ||
        fcntl(errors[0], F_SETFL, O_NONBLOCK)) {
        err = fail(msg, "make a pipe to it");
        goto done;
    }
    if (sepx__supervisor_order(supervisor, order,
                               (int[]){input, out[1], errors[1]})) {
        program->report.ending = SEPX__LOST;
        goto done;
    }
    shut(&out[1]);
    shut(&errors[1]);
    talk.out = out[0];
    talk.err = errors[0];
    if (order->time_limit > 0)
        expect_report(&talk, order->time_limit);
    err = converse(&talk, stop, context, listener, msg);
    out[0] = talk.out;
    errors[0] = talk.err;
done:
    shut(&out[0]);
    shut(&out[1]);
    shut(&errors[0]);
    shut(&errors[1]);
    return err;
}

bool
sepx__program_pause(double seconds, bool (*stop)(void *context), void *context)
{
    double end = sepx_clock() + seconds;

    for (;;) {
        double left = end - sepx_clock();

        if (stop && stop(context))
            return true;
        if (left <= 0)
            return false;
        (void)poll(NULL, 0, (int)fmin(ceil(left * 1000), STOP_MS));
    }
}
