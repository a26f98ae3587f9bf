/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our side of a program's run: its streams are read as they come, and no more
 * than the last bytes are kept. The keeper's report is the end: by then all
 * that could write is dead, so what is left in the pipes is read without
 * waiting, and nobody who still holds a pipe can hold us.
 */
#define _GNU_SOURCE /* pipe2 */
#include "eval/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
    STOP_MS = 50, /* between looks at `stop` */
    PIECES = 64   /* of 16 KiB */
};

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
    const struct sepx__keeper *keeper;
    int out, err;
};

static enum sepx_err
collect_both(struct talk *talk)
{
    enum sepx_err err =
        collect(&talk->program->output, &talk->out, SEPX__OUTPUT_KEPT);

    return err ? err
               : collect(&talk->program->errors, &talk->err, SEPX__ERRORS_KEPT);
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
    sepx__keeper_say(talk->keeper, SEPX__WORD_KILL);
}

static void
give_up(struct talk *talk)
{
    shut(&talk->out);
    shut(&talk->err);
    sepx__keeper_say(talk->keeper, SEPX__WORD_KILL);
}

/* Until the report is there. */
static enum sepx_err
converse(struct talk *talk, bool (*stop)(void *context), void *context)
{
    struct sepx__program *program = talk->program;
    enum sepx_err err = SEPX_OK;

    for (;;) {
        struct pollfd wait[] = {
            {.fd = talk->keeper->control, .events = POLLIN},
            {.fd = talk->out, .events = POLLIN},
            {.fd = talk->err, .events = POLLIN},
        };

        if (poll(wait, 3, stop ? STOP_MS : -1) < 0 && errno != EINTR)
            return SEPX_EIO;
        if (wait[0].revents)
            break;
        if (!err) {
            err = collect_both(talk);
            if (err)
                give_up(talk);
        }
        check_output(talk);
        if (stop && !program->stopped && stop(context)) {
            program->stopped = true;
            sepx__keeper_say(talk->keeper, SEPX__WORD_STOP);
        }
    }
    sepx__keeper_hear(talk->keeper, &program->report);
    return err ? err : collect_both(talk);
}

enum sepx_err
sepx__program_run(struct sepx__program *program,
                  const struct sepx__keeper *keeper,
                  const struct sepx__order *order, int input,
                  bool (*stop)(void *context), void *context)
{
    int out[2] = {-1, -1}, errors[2] = {-1, -1};
    struct talk talk = {.program = program, .keeper = keeper};
    enum sepx_err err = SEPX_EIO;

    if (pipe2(out, O_CLOEXEC) || pipe2(errors, O_CLOEXEC))
        goto done;
    /* Our ends only: a program expects to wait when it writes. */
    if (fcntl(out[0], F_SETFL, O_NONBLOCK) ||
        fcntl(errors[0], F_SETFL, O_NONBLOCK))
        goto done;
    err = SEPX_OK;
    if (sepx__keeper_order(keeper, order, (int[]){input, out[1], errors[1]})) {
        program->report.ending = SEPX__LOST;
        goto done;
    }
    shut(&out[1]);
    shut(&errors[1]);
    talk.out = out[0];
    talk.err = errors[0];
    err = converse(&talk, stop, context);
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
