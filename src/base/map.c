/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"

enum sepx_err
sepx__map_open(struct sepx__map *map, const char *path, const char *remedy,
               struct sepx_msg *msg)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    enum sepx_err err = SEPX_OK;
    void *at;

    *map = (struct sepx__map){0};
    if (fd < 0)
        return sepx__fail_input(msg, path, "open");
    if (fstat(fd, &status) != 0)
        err = sepx__fail_input(msg, path, "open");
    else if (!S_ISREG(status.st_mode) || status.st_size <= 0)
        err =
            sepx_fail(msg, SEPX_EDATA, "%s: %s; %s", path,
                      S_ISREG(status.st_mode) ? "empty" : "not a file", remedy);
    if (!err) {
        at = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (at == MAP_FAILED)
            err = sepx__fail_input(msg, path, "open");
        else
            *map = (struct sepx__map){at, (size_t)status.st_size};
    }
    (void)close(fd);
    return err;
}

void
sepx__map_close(struct sepx__map *map)
{
    if (map->bytes)
        (void)munmap((void *)(uintptr_t)map->bytes, map->len);
    *map = (struct sepx__map){0};
}
