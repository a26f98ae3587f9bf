/* SPDX-License-Identifier: Apache-2.0 */
/* Folders and files of a reproduction. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "paper.h"

bool
paper_path(char path[PAPER_PATH], const char *folder, const char *name)
{
    if (snprintf(path, PAPER_PATH, "%s/%s", folder, name) < PAPER_PATH)
        return true;
    cli_say("reproduce", "the name of folder '%.60s...' is too long", folder);
    return false;
}

static bool
make_one(const char *folder)
{
    return !mkdir(folder, 0777) || errno == EEXIST || errno == EISDIR;
}

int
paper_mkdir(const char *folder)
{
    char path[PAPER_PATH];
    bool made;

    if (snprintf(path, sizeof path, "%s", folder) >= PAPER_PATH)
        return paper_path(path, folder, "") ? CLI_FAILED : CLI_USAGE;
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        make_one(path); /* the last one tells */
        *slash = '/';
    }
    made = make_one(path);
    if (!made)
        cli_say("reproduce", "cannot make the folder '%s': %s", folder,
                strerror(errno));
    return made ? CLI_DONE : CLI_FAILED;
}

struct sepx_json *
paper_json(const char *folder, const char *name)
{
    char path[PAPER_PATH];
    struct sepx_text text = {0};
    struct sepx_json *root = NULL;
    enum sepx_err err;

    if (!paper_path(path, folder, name))
        return NULL;
    err = sepx_file_read(&text, path, PAPER_BYTES_MAX, NULL);
    if (!err)
        err = sepx_json_parse(&root, text.at, text.len, NULL);
    sepx_text_release(&text);
    return err ? NULL : root;
}
