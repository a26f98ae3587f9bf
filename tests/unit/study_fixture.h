/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of its own for each test of studies. */
#ifndef SEPX_TESTS_STUDY_FIXTURE_H
#define SEPX_TESTS_STUDY_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sepx/base.h"

struct fixture {
    char folder[64], path[96];
    struct sepx_msg msg;
};

static int
set_up(void **state)
{
    static struct fixture f;

    /* Syncing many small files takes its time on a real disk. */
    snprintf(f.folder, sizeof f.folder, "%s/sepx-study-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(f.folder))
        return -1;
    snprintf(f.path, sizeof f.path, "%s/a.study", f.folder);
    f.msg.text[0] = '\0';
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;
    char command[128];

    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    return system(command);
}

#endif
