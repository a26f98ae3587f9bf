/* SPDX-License-Identifier: Apache-2.0 */
#include "base/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 32768
#define NAME_TRIES 100

static const char *
remedy(int code)
{
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return "check the path";
    case EACCES:
    case EPERM:
        return "check the permissions";
    case EISDIR:
        return "name a file";
    case ENOSPC:
    case EDQUOT:
        return "free some space";
    case EROFS:
        return "choose another place";
    case EMFILE:
    case ENFILE:
        return "raise the limit of open files (ulimit -n)";
    case EAGAIN:
        return "raise the limit of processes (ulimit -u)";
    default:
        return NULL;
    }
}

const char *
sepx__reason(char text[SEPX__REASON_SIZE], int code)
{
    if (strerror_r(code, text, SEPX__REASON_SIZE) != 0)
        (void)snprintf(text, SEPX__REASON_SIZE, "error %d", code);
    return text;
}

static enum sepx_err
fail(struct sepx_msg *msg, enum sepx_err err, const char *path,
     const char *action)
{
    int code = errno;
    char why[SEPX__REASON_SIZE];

    (void)sepx__reason(why, code);
    if (!remedy(code))
        return sepx_fail(msg, err, "%s: cannot %s: %s", path, action, why);
    return sepx_fail(msg, err, "%s: cannot %s: %s; %s", path, action, why,
                     remedy(code));
}

enum sepx_err
sepx__fail_input(struct sepx_msg *msg, const char *path, const char *action)
{
    return fail(msg, SEPX_ENOINPUT, path, action);
}

enum sepx_err
sepx__fail_io(struct sepx_msg *msg, const char *path, const char *action)
{
    return fail(msg, SEPX_EIO, path, action);
}

static ssize_t
read_some(int fd, char *into, size_t size)
{
    ssize_t n;

    do {
        n = read(fd, into, size);
    } while (n < 0 && errno == EINTR);
    return n;
}

static enum sepx_err
read_all(struct sepx_text *text, int fd, const char *path, size_t most,
         struct sepx_msg *msg)
{
    char chunk[CHUNK];

    /* The last chunk, of no bytes, makes an empty file "" and not NULL. */
    for (size_t left = most;;) {
        ssize_t n = read_some(fd, chunk, sizeof(chunk));

        if (n < 0)
            return sepx__fail_input(msg, path, "read");
        if ((size_t)n > left)
            return sepx_fail(msg, SEPX_ELIMIT,
                             "%s: longer than %zu bytes; split it", path, most);
        if (sepx_text_add(text, chunk, (size_t)n))
            return sepx_fail(msg, SEPX_ENOMEM, "%s: out of memory", path);
        if (n == 0)
            return SEPX_OK;
        left -= (size_t)n;
    }
}

enum sepx_err
sepx_file_read(struct sepx_text *text, const char *path, size_t most,
               struct sepx_msg *msg)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    const char *name = standard ? "standard input" : path;
    size_t before = text->len;
    enum sepx_err err;

    if (fd < 0)
        return sepx__fail_input(msg, name, "open");
    err = read_all(text, fd, name, most, msg);
    if (err && text->at) {
        text->len = before;
        text->at[before] = '\0';
    }
    if (!standard)
        (void)close(fd);
    return err;
}

/* False with errno set if a byte could not be written. */
static bool
write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* A device or a pipe cannot be replaced, only written to. */
static enum sepx_err
write_special(const char *path, const char *bytes, size_t len,
              struct sepx_msg *msg)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    enum sepx_err err = SEPX_OK;

    if (fd < 0)
        return sepx__fail_io(msg, path, "open for writing");
    if (!write_all(fd, bytes, len))
        err = sepx__fail_io(msg, path, "write");
    if (close(fd) && !err)
        err = sepx__fail_io(msg, path, "write");
    return err;
}

/* Create a file beside `path`, whose name goes into `name`. */
static int
open_beside(char *name, size_t size, const char *path)
{
    for (unsigned i = 0; i < NAME_TRIES; i++) {
        int fd;

        (void)snprintf(name, size, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* So that the rename itself survives a crash; some file systems cannot. */
static void
sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    int fd;

    if (slash)
        slash[slash == path] = '\0';
    fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

/* `old` describes the file that is there, or is NULL. */
static enum sepx_err
replace(const char *path, const struct stat *old, const char *bytes, size_t len,
        struct sepx_msg *msg)
{
    char name[PATH_MAX + 64];
    int fd = open_beside(name, sizeof(name), path);
    enum sepx_err err;
    bool fine;

    if (fd < 0)
        return sepx__fail_io(msg, path, "create a file beside it");
    fine = (!old || fchmod(fd, old->st_mode & 07777) == 0) &&
           write_all(fd, bytes, len) && (fsync(fd) == 0 || errno == EINVAL);
    if (close(fd) == 0 && fine && rename(name, path) == 0) {
        sync_folder(name);
        return SEPX_OK;
    }
    err = sepx__fail_io(msg, path, "write");
    (void)unlink(name);
    return err;
}

enum sepx_err
sepx_file_write(const char *path, const char *bytes, size_t len,
                struct sepx_msg *msg)
{
    char target[PATH_MAX];
    struct stat old;

    /* Through a link, so that the link stays and its target is replaced. */
    if (realpath(path, target))
        path = target;
    if (stat(path, &old) != 0)
        return replace(path, NULL, bytes, len, msg);
    if (S_ISREG(old.st_mode))
        return replace(path, &old, bytes, len, msg);
    return write_special(path, bytes, len, msg);
}
