/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C as a wish to stop: the one place with a signal handler. */
#include "experiment.h"

#include <signal.h>

static volatile sig_atomic_t seen;

static void
note(int signal_number)
{
    (void)signal_number;
    seen = 1;
}

void
interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note};

    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool
interrupt_seen(void)
{
    return seen;
}
