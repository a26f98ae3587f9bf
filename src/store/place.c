/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a study may lie, and who may write to it.
 *
 * The lock is flock() on the study's own file. It is independent of the
 * locks that SQLite takes there (fcntl), nothing is left behind when its
 * process is killed, and no second file can be lost or forgotten. SQLite's
 * locks end when the process closes any descriptor of the file, so this one
 * is opened before SQLite opens the file and closed after it.
 *
 * SQLite finds the write-ahead log by the path of the file, so a file that is
 * moved to the path of a running study would get the pages of that study. The
 * writer therefore locks its log, too: a log that is locked beside a file that
 * is not belongs to another file.
 */
#include "store/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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
#define NAME_TRIES 1000
#define HEAD_BYTES 65536 /* settings and first events of a study */
#define MOUNTS_MAX (1 << 24)
#define LOCKS_BYTES 65536 /* of one read: between two, a lock may be missed */

static const struct timespec lock_pause = {0, 20000000};

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
    errno = code;
    return sepx__fail_io(msg, path, action);
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

/* Undo the escapes of a field, such as \040 for a blank, in place. */
static void
unescape(char *field)
{
    char *to = field;

    while (*field) {
        if (*field == '\\' && strspn(field + 1, "01234567") >= 3) {
            *to++ = (char)((field[1] - '0') << 6 | (field[2] - '0') << 3 |
                           (field[3] - '0'));
            field += 4;
        } else {
            *to++ = *field++;
        }
    }
    *to = '\0';
}

const char *
sepx__place_mounted(char *mounts, const char *real)
{
    const char *found = NULL;
    size_t longest = 0;

    for (char *line; (line = strsep(&mounts, "\n")) != NULL;) {
        char *at, *type;
        size_t len;

        (void)strsep(&line, " "); /* the device */
        at = strsep(&line, " ");
        type = strsep(&line, " ");
        if (!type)
            continue;
        unescape(at);
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
    return found;
}

/* *name is NULL if the mounts are not known. */
static SEPX_CHECKED enum sepx_err
fuse_network(const char **name, const char *path, const char *folder)
{
    struct sepx_text mounts = {0};
    char real[PATH_MAX];
    enum sepx_err err;

    *name = NULL;
    if (!realpath(path, real) && !realpath(folder, real))
        return SEPX_OK;
    err = sepx_file_read(&mounts, "/proc/self/mounts", MOUNTS_MAX, NULL);
    if (!err)
        *name = sepx__place_mounted(mounts.at, real);
    sepx_text_release(&mounts);
    return err == SEPX_ENOMEM ? err : SEPX_OK;
}

enum sepx_err
sepx__place_check(const char *path, struct sepx_msg *msg)
{
    char folder[PATH_MAX];
    struct statfs at;
    const char *name;
    enum sepx_err err = SEPX_OK;

    folder_of(folder, sizeof folder, path);
    if (statfs(path, &at) != 0 && statfs(folder, &at) != 0)
        return sepx__place_fail(msg, path, "open", errno);
    name = sepx__place_network((uint32_t)at.f_type);
    if ((uint32_t)at.f_type == FUSE_TYPE)
        err = fuse_network(&name, path, folder);
    if (err || !name)
        return err;
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
        (void)nanosleep(&lock_pause, NULL);
    }
    sepx__place_unlock(fd);
    return SEPX_EBUSY;
}

/* A forked process may have the descriptor too, and would keep the lock. */
void
sepx__place_unlock(int *fd)
{
    if (*fd >= 0) {
        (void)flock(*fd, LOCK_UN);
        (void)close(*fd);
    }
    *fd = -1;
}

/*
 * Whether the kernel lists a lock by flock() of the file. It may not list
 * those of other containers, or have another number for the device.
 */
static bool
is_listed(const char *path)
{
    char line[256], buffer[LOCKS_BYTES];
    struct stat at;
    bool found = false;
    FILE *locks = stat(path, &at) == 0 ? fopen("/proc/locks", "re") : NULL;

    if (locks)
        (void)setvbuf(locks, buffer, _IOFBF, sizeof buffer);
    while (locks && !found && fgets(line, sizeof line, locks)) {
        unsigned high, low;
        unsigned long long inode;

        found = sscanf(line, "%*u: FLOCK ADVISORY WRITE %*d %x:%x:%llu", &high,
                       &low, &inode) == 3 &&
                makedev(high, low) == at.st_dev && inode == at.st_ino;
    }
    if (locks)
        (void)fclose(locks);
    return found;
}

/*
 * If this process writes to the file, a descriptor that is closed would end
 * SQLite's locks, and another program could remove the log below the writer.
 */
bool
sepx__place_locked(const char *path)
{
    int fd;
    bool locked;

    if (is_listed(path))
        return true;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
    (void)close(fd);
    return locked;
}

enum sepx_err
sepx__place_find(char **place, const char *path, struct sepx_msg *msg)
{
    char found[PATH_MAX];

    if (!realpath(path, found))
        return sepx__place_fail(msg, path, "open", errno);
    *place = sepx__strdup(found);
    return *place ? SEPX_OK : SEPX_ENOMEM;
}

bool
sepx__place_same(int fd, const char *path)
{
    struct stat open_one, named;

    return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

void
sepx__place_note(struct sepx__place_state *state, int fd)
{
    unsigned char head[HEAD_BYTES];
    ssize_t len = pread(fd, head, sizeof head, 0);
    struct stat at;

    *state = (struct sepx__place_state){.size = -1};
    if (fstat(fd, &at) == 0) {
        state->changed = at.st_mtim;
        state->size = at.st_size;
    }
    state->head = sepx__hash(head, len > 0 ? (size_t)len : 0);
}

/* The time alone may change, as by touch; so the head is compared, too. */
bool
sepx__place_overwritten(const struct sepx__place_state *state, int fd)
{
    struct sepx__place_state found;
    struct stat at;

    if (fstat(fd, &at) == 0 && at.st_size == state->size &&
        at.st_mtim.tv_sec == state->changed.tv_sec &&
        at.st_mtim.tv_nsec == state->changed.tv_nsec)
        return false;
    sepx__place_note(&found, fd);
    return found.size != state->size || found.head.high != state->head.high ||
           found.head.low != state->head.low;
}

/* ---- a study that is not there ---- */

/* A name without its ending, cut to the room. */
static void
stem_of(char *stem, size_t size, const char *name)
{
    const char *dot = strrchr(name, '.');
    size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);

    (void)snprintf(stem, size, "%.*s", (int)(len < size ? len : size - 1),
                   name);
}

/* Whether the two names end alike, or as studies do. */
static bool
ends_alike(const char *name, const char *wanted)
{
    const char *end = strrchr(name, '.'), *other = strrchr(wanted, '.');

    return end && (!strcmp(end, ".study") || (other && !strcmp(end, other)));
}

/* The name of the file of the folder whose stem is nearest; false: none. */
static bool
near_file(char near[NAME_MAX + 1], const char *folder, const char *name)
{
    char wanted[NAME_MAX + 1], stem[NAME_MAX + 1], best[NAME_MAX + 1] = "";
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    stem_of(wanted, sizeof wanted, name);
    while (entries && (entry = readdir(entries)) != NULL) {
        const char *pair[] = {stem, *best ? best : NULL, NULL};

        stem_of(stem, sizeof stem, entry->d_name);
        if (*best && strcmp(best, stem) < 0) {
            pair[0] = best; /* the first of equals */
            pair[1] = stem;
        }
        if (!strcmp(entry->d_name, name) || /* a link that leads nowhere */
            !ends_alike(entry->d_name, name) ||
            sepx_nearest(wanted, pair) != stem)
            continue;
        memcpy(best, stem, sizeof best);
        (void)snprintf(near, NAME_MAX + 1, "%s", entry->d_name);
    }
    if (entries)
        closedir(entries);
    return *best;
}

enum sepx_err
sepx_store_missing(struct sepx_msg *msg, const char *path, const char *remedy)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char folder[PATH_MAX], near[NAME_MAX + 1];
    struct stat at;
    bool found;

    if (stat(path, &at) != 0 && errno != ENOENT && errno != ENOTDIR)
        return sepx__fail_input(msg, path, "open");
    folder_of(folder, sizeof folder, path);
    found = near_file(near, folder, name);
    return sepx_fail(msg, SEPX_ENOINPUT, "%s: no such study; %s%s%.*s%s%s",
                     path, remedy, found ? ", or did you mean '" : "",
                     found ? (int)(name - path) : 0, path, found ? near : "",
                     found ? "'?" : "");
}

/* ---- the files beside it ---- */

/* The name of the i-th of them; false behind the last. */
static bool
name_beside(struct sepx_text *name, const char *path, unsigned i,
            enum sepx_err *err)
{
    static const char *const ends[] = {"-wal", "-shm", "-journal"};

    if (*err || i >= sizeof ends / sizeof ends[0])
        return false;
    name->len = 0;
    *err = sepx_text_print(name, "%s%s", path, ends[i]);
    return !*err;
}

enum sepx_err
sepx__place_log(struct sepx_text *name, const char *path)
{
    enum sepx_err err = SEPX_OK;

    (void)name_beside(name, path, 0, &err);
    return err;
}

enum sepx_err
sepx__place_check_log(const char *path, bool held, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    char *place = NULL;
    bool foreign = true;
    enum sepx_err err = sepx__place_find(&place, path, msg);

    if (!err)
        err = sepx__place_log(&name, place);
    /* A writer that begins or ends holds one of the two locks for a moment. */
    for (int i = 0; i < LOCK_TRIES && foreign && !err; i++) {
        if (i)
            (void)nanosleep(&lock_pause, NULL);
        foreign =
            sepx__place_locked(name.at) && (held || !sepx__place_locked(place));
    }
    if (!err && foreign)
        err = sepx_fail(msg, SEPX_EBUSY,
                        "%s replaced a study that still runs, and %s has "
                        "results of that one; try again when it has stopped",
                        path, name.at);
    sepx_text_release(&name);
    sepx__free(place);
    return err;
}

/* The log is locked, and last: until then openers wait for it. */
void
sepx__place_drop_log(int log, const char *path)
{
    struct sepx_text name = {0};

    if (!sepx__place_log(&name, path) && sepx__place_same(log, name.at)) {
        memcpy(name.at + name.len - 3, "shm", 3);
        (void)unlink(name.at);
        memcpy(name.at + name.len - 3, "wal", 3);
        (void)unlink(name.at);
    }
    sepx_text_release(&name);
}

static enum sepx_err
not_regular(const char *path, struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: a link, folder, pipe or device, where a study keeps "
                     "a file; remove it or check the path",
                     path);
}

/* The study itself may be behind a link, the others are never. */
enum sepx_err
sepx__place_files(const char *path, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    struct stat at;
    enum sepx_err err = SEPX_OK;

    if (stat(path, &at) != 0)
        return sepx_store_missing(msg, path,
                                  "'sepx study run' with --space and --eval "
                                  "begins one");
    if (!S_ISREG(at.st_mode))
        return not_regular(path, msg);
    for (unsigned i = 0; name_beside(&name, path, i, &err); i++) {
        if (lstat(name.at, &at) == 0 && !S_ISREG(at.st_mode))
            err = not_regular(name.at, msg);
    }
    sepx_text_release(&name);
    return err;
}

/* A log that belongs to no file would be mixed into the next of its name. */
enum sepx_err
sepx__place_free(const char *path, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    struct stat at;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; name_beside(&name, path, i, &err); i++) {
        if (lstat(name.at, &at) == 0)
            err = sepx_fail(msg, SEPX_EDATA,
                            "%s is there, left over from another %s and maybe "
                            "with the last results of it; move it to where "
                            "that study is now, or remove it, or choose "
                            "another name",
                            name.at, path);
    }
    sepx_text_release(&name);
    return err;
}

void
sepx__place_discard(const char *path)
{
    struct sepx_text name = {0};
    enum sepx_err err = SEPX_OK;

    (void)unlink(path);
    for (unsigned i = 0; name_beside(&name, path, i, &err); i++)
        (void)unlink(name.at);
    sepx_text_release(&name);
}

/* ---- a new name ---- */

enum sepx_err
sepx__place_new(struct sepx_text *name, const char *path, struct sepx_msg *msg)
{
    size_t before = name->len;
    int fd = -1;

    for (unsigned i = 0; i < NAME_TRIES && fd < 0; i++) {
        enum sepx_err err;

        name->len = before;
        err = sepx_text_print(name, "%s.%ld-%u.tmp", path, (long)getpid(), i);
        if (err)
            return err;
        fd = open(name->at + before, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
                  0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return sepx__place_fail(msg, path, "create", errno);
    (void)close(fd);
    return SEPX_OK;
}

static int
sync_file(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    int code = fd < 0 || (fsync(fd) != 0 && errno != EINVAL) ? errno : 0;

    if (fd >= 0)
        (void)close(fd);
    return code;
}

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
    int code = sync_file(from, 0);

    if (!code)
        code = name_it(from, path);
    if (code == EEXIST)
        return sepx_fail(msg, SEPX_EINVAL,
                         "%s is there already; resume it with 'sepx study run "
                         "%s' or choose another name",
                         path, path);
    if (code)
        return sepx__place_fail(msg, path, "create", code);
    folder_of(folder, sizeof folder, path);
    (void)sync_file(folder, O_DIRECTORY); /* some file systems cannot */
    return SEPX_OK;
}
