/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "eval/scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_OPEN = 16 };

enum sepx_err
sepx__scratch_make(char path[SEPX__SCRATCH_SIZE])
{
    const char *base = getenv("TMPDIR");
    int len;

    len = snprintf(path, SEPX__SCRATCH_SIZE, "%s/sepx-XXXXXX",
                   base && *base ? base : "/tmp");
    if (len < SEPX__SCRATCH_SIZE && mkdtemp(path))
        return SEPX_OK;
    path[0] = '\0';
    return SEPX_EIO;
}

static int
remove_one(const char *path, const struct stat *about, int kind,
           struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    (void)remove(path);
    return 0;
}

void
sepx__scratch_remove(const char *path)
{
    /* Empty as a rule, and then this is all. */
    if (rmdir(path) && errno != ENOENT)
        (void)nftw(path, remove_one, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS);
}

enum sepx_err
sepx__folder_make(const char *path)
{
    char part[SEPX__SCRATCH_SIZE];

    if (strlen(path) >= sizeof part)
        return SEPX_EIO;
    for (size_t i = 0; path[i]; i++) {
        part[i] = path[i];
        part[i + 1] = '\0';
        if (i && path[i] != '/' && path[i + 1] == '/')
            (void)mkdir(part, 0777);
    }
    return mkdir(path, 0777) && errno != EEXIST ? SEPX_EIO : SEPX_OK;
}
