/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ctrl-C, SIGTERM and a terminal that goes away as a wish to stop: the one
 * place with signal handlers.
 */
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "frame/display.h"

/* Without locks, so that the handler and any thread may use them. */
static atomic_int wish, seen;

/*
 * A second Ctrl-C ends at once. Batch systems send SIGTERM more than once, to
 * the job and to its parts, and mean the same by it.
 */
static void
note(int number)
{
    if (wish && (!seen || number != SIGINT)) {
        seen = 1;
        return;
    }
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
    return seen;
}

static bool
asked(void *context)
{
    (void)context;
    return seen;
}

const struct sepx_stop interrupt_stop = {asked, NULL};
