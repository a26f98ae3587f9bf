/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that is not part of the project. It lies in the folder that the
 * environment variable SEPX_SHARED names, or beside the source folder. A test
 * program without its data ends with SHARED_SKIP, which meson counts as
 * skipped.
 */
#ifndef SEPX_TESTS_SHARED_H
#define SEPX_TESTS_SHARED_H

#include <stdio.h>
#include <stdlib.h>

#define SHARED_SKIP 77

/* Open `name` below the folder; NULL and a message if it is not there. */
static inline FILE *
shared_open(const char *name)
{
    const char *folder = getenv("SEPX_SHARED");
    char path[4096];
    FILE *file;

    if (!folder || !*folder)
        folder = SEPX_SOURCE_ROOT "/../shared";
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "r");
    if (!file)
        printf("SKIP: no %s; set SEPX_SHARED to the folder of test data\n",
               path);
    return file;
}

#endif
