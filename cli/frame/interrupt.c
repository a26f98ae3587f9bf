/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C, SIGTERM and a terminal that goes away as a wish to stop: the one
 * place with signal handlers.
 */
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "frame/display.h"

/* GNU timeout sends SIGINT to the program, and again to its process group. */
enum { ONE_WISH_MS = 500 };

/*
 * Without locks, so that the handler and any thread may use them. `first` is
 * the time of the signal that was the wish, 0 before it.
 */
static atomic_uint wish, first, announced;

/* In milliseconds, modulo 2^32, and never 0. */
static unsigned
clock_ms(void)
{
    return (unsigned)(uint64_t)(sepx_clock() * 1e3) | 1;
}

/*
 * Signals that follow at once are the same wish; a later Ctrl-C ends at once.
 * Batch systems send SIGTERM more than once, to the job and to its parts, and
 * mean the same by it.
 */
static void
note(int number)
{
    unsigned began = first;

    if (!began && wish &&
        atomic_compare_exchange_strong(&first, &began, clock_ms()))
        return;
    if (began &&
        (number != SIGINT || (!announced && clock_ms() - began < ONE_WISH_MS)))
        return;
    display_abandon();
    if (number == SIGINT)
        _exit(CLI_STOPPED);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void
interrupt_prepare(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    struct sigaction before;

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* nohup wants to go on without it. */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

void
interrupt_catch(void)
{
    wish = 1;
}

void
interrupt_release(void)
{
    wish = 0;
}

bool
interrupt_seen(void)
{
    return first;
}

void
interrupt_announce(void)
{
    announced = 1;
}

static bool
asked(void *context)
{
    (void)context;
    return first;
}

const struct sepx_stop interrupt_stop = {asked, NULL};
