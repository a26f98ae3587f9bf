/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a target on each file of a folder: seeds as tests, without clang. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>

static int
replay(const char *folder, const char *name)
{
    struct sepx_text path = {0}, bytes = {0};
    struct sepx_msg msg = {0};
    int failed = 1;

    if (!sepx_text_print(&path, "%s/%s", folder, name) &&
        !sepx_file_read(&bytes, path.at, 1u << 26, &msg)) {
        LLVMFuzzerTestOneInput((const uint8_t *)bytes.at, bytes.len);
        failed = 0;
    } else {
        fprintf(stderr, "%s\n", msg.text);
    }
    sepx_text_release(&bytes);
    sepx_text_release(&path);
    return failed;
}

int
main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    const struct dirent *entry;
    int failed = 0, count = 0;

    if (!folder) {
        fprintf(stderr, "usage: replay FOLDER\n");
        return 2;
    }
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        failed |= replay(argv[1], entry->d_name);
        count++;
    }
    closedir(folder);
    fprintf(stderr, "%d seeds replayed\n", count);
    return failed || !count;
}
