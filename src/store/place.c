/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a study may lie, and who may write to it.
 *
 * The lock is flock() on the study's own file. It is independent of the
 * locks that SQLite takes there (fcntl), nothing is left behind when its
 * process is killed, and no second file can be lost or forgotten. SQLite's
 * locks end when the process closes any descriptor of the file, so this one
 * is opened before SQLite opens the file and closed after it.
 */
#include "store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
static const struct {
    uint64_t type; /* linux/magic.h, and the sources of those not there */
    const char *name;
} networks[] = {
    {0x6969, "NFS"},
    {0x517b, "SMB"}, {0xff534d42, "CIFS"}, {0xfe534d42, "SMB"},
    {0x01021997, "9p"},
    {0x5346414f, "AFS"}, {0x6b414653, "AFS"}, {0x73757245, "Coda"},
    {0x00c36400, "Ceph"}, {0x564c, "NCP"},
    {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"},
    {0x01161970, "GFS2"}, {0x7461636f, "OCFS2"},
    {0x19830326, "BeeGFS"}, {0xaad7aaea, "Panasas"},
};
/* clang-format on */

#define FUSE_TYPE 0x65735546
#define LOCK_TRIES 50

/* What lies behind FUSE is told by the name of its program alone. */
static const char *const fuse_networks[] = {
    "sshfs",   "glusterfs", "s3fs", "rclone",   "davfs",
    "gcsfuse", "curlftpfs", "ceph", "smbnetfs", "juicefs",
};

const char *
sepx__place_network(uint64_t type)
{
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        if (networks[i].type == type)
            return networks[i].name;
    }
    return NULL;
}

enum sepx_err
sepx__place_fail(struct sepx_msg *msg, const char *path, const char *action,
                 int code)
{
    const char *remedy = "";
    char why[128];

    if (strerror_r(code, why, sizeof why) != 0)
        (void)snprintf(why, sizeof why, "error %d", code);
    if (code == ENOENT || code == ENOTDIR)
        remedy = "; check the path";
    else if (code == EACCES || code == EPERM)
        remedy = "; check the permissions";
    else if (code == ENOSPC || code == EDQUOT)
        remedy = "; free some space";
    else if (code == EROFS)
        remedy = "; choose another place";
    return sepx_fail(msg, code == ENOENT ? SEPX_ENOTFOUND : SEPX_EIO,
                     "%s: cannot %s: %s%s", path, action, why, remedy);
}

/* ---- network file systems ---- */

static void
folder_of(char *folder, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        (void)snprintf(folder, size, ".");
    else if (slash == path)
        (void)snprintf(folder, size, "/");
    else
        (void)snprintf(folder, size, "%.*s", (int)(slash - path), path);
}

/* The mount with the longest path that leads to `folder`. */
static const char *
fuse_network(const char *folder)
{
    char real[PATH_MAX], line[4096], at[1024], type[128];
    const char *found = NULL;
    size_t longest = 0;
    FILE *mounts;

    if (!realpath(folder, real))
        return NULL;
    mounts = fopen("/proc/self/mounts", "re");
    while (mounts && fgets(line, sizeof line, mounts)) {
        size_t len;

        if (sscanf(line, "%*s %1023s %127s", at, type) != 2)
            continue;
        len = strlen(at);
        if (len < longest || strncmp(at, real, len) != 0 ||
            (len > 1 && real[len] != '/' && real[len] != '\0'))
            continue;
        longest = len;
        found = NULL;
        for (size_t i = 0; i < sizeof fuse_networks / sizeof(char *); i++) {
            if (!strncmp(type, "fuse.", 5) && strstr(type, fuse_networks[i]))
                found = fuse_networks[i];
        }
    }
    if (mounts)
        (void)fclose(mounts);
    return found;
}

enum sepx_err
sepx__place_check(const char *path, struct sepx_msg *msg)
{
    char folder[PATH_MAX];
    struct statfs at;
    const char *name;

    folder_of(folder, sizeof folder, path);
    if (statfs(path, &at) != 0 && statfs(folder, &at) != 0)
        return sepx__place_fail(msg, path, "open", errno);
    name = sepx__place_network((uint32_t)at.f_type);
    if ((uint32_t)at.f_type == FUSE_TYPE)
        name = fuse_network(folder);
    if (!name)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EUNSUPPORTED,
                     "%s: a study cannot be on a network file system (%s), "
                     "where locks and memory maps are not safe; choose a "
                     "local folder",
                     path, name);
}

/* ---- the lock ---- */

enum sepx_err
sepx__place_lock(int *fd, const char *path, struct sepx_msg *msg)
{
    const struct timespec pause = {0, 20000000};

    *fd = open(path, O_RDWR | O_CLOEXEC);
    if (*fd < 0)
        return sepx__place_fail(msg, path, "open for writing", errno);
    /*
     * Someone may just be looking whether it is locked; or a process that was
     * killed had begun to start another, which is about to let go of it.
     */
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
            return SEPX_OK;
        (void)nanosleep(&pause, NULL);
    }
    sepx__place_unlock(fd);
    return SEPX_EBUSY;
}

void
sepx__place_unlock(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

bool
sepx__place_locked(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool locked;

    if (fd < 0)
        return false;
    locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
    (void)close(fd);
    return locked;
}

/* ---- a new name ---- */

/* File systems without links (vfat, some of FUSE) leave a small gap here. */
static int
name_it(const char *from, const char *path)
{
    if (link(from, path) == 0)
        return 0;
    if (errno != EPERM)
        return errno;
    if (access(path, F_OK) == 0)
        return EEXIST;
    return rename(from, path) == 0 ? 0 : errno;
}

enum sepx_err
sepx__place_publish(const char *from, const char *path, struct sepx_msg *msg)
{
    char folder[PATH_MAX];
    int code = name_it(from, path);
    int fd;

    if (code == EEXIST)
        return sepx_fail(msg, SEPX_EINVAL,
                         "%s is there already; go on with 'sepx resume %s' "
                         "or choose another name",
                         path, path);
    if (code)
        return sepx__place_fail(msg, path, "create", code);
    folder_of(folder, sizeof folder, path);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    return SEPX_OK;
}
