/* SPDX-License-Identifier: Apache-2.0 */
/* A file that claims to be a study: read in every order, then verified. */
#include "fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void
write_file(const char *path, const uint8_t *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    REQUIRE(fd >= 0);
    REQUIRE(write(fd, data, size) == (ssize_t)size);
    REQUIRE(close(fd) == 0);
}

static enum sepx_err
read_all(struct sepx_store *store, enum sepx_store_order order,
         struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = sepx_store_read(store, &cursor, order, 0, msg);

    while (!err && more) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (!err && more && entry.is_asked)
            REQUIRE(entry.asked.op && entry.asked.graph);
        if (!err && more && entry.is_told)
            REQUIRE(entry.told.outcome);
    }
    sepx_cursor_free(cursor);
    return err;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_study *study;
    struct sepx_msg msg = {0};
    char path[64];
    uint32_t asked, told;
    enum sepx_err err;

    snprintf(path, sizeof path, "%s/sepx-fuzz-%ld",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (long)getpid());
    write_file(path, data, size);
    err = sepx_study_open(&study, path, false, &msg);
    for (int order = 0; order < 3 && !err; order++)
        err = read_all(sepx_study_store(study), (enum sepx_store_order)order,
                       &msg);
    if (!err)
        err = sepx_study_verify(study, &asked, &told, &msg);
    if (err && err != SEPX_ENOMEM)
        REQUIRE(msg.text[0]);
    sepx_study_close(study);
    (void)unlink(path);
    return 0;
}
