/* SPDX-License-Identifier: Apache-2.0 */
#include "program/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/entries.h"

const char *
sepx__scratch_base(void)
{
    const char *base = getenv("TMPDIR");

    return base && *base ? base : "/tmp";
}

int
sepx__scratch_make(char path[SEPX__SCRATCH_SIZE])
{
    int len = snprintf(path, SEPX__SCRATCH_SIZE, "%s/sepx-XXXXXX",
                       sepx__scratch_base());
    int code = ENAMETOOLONG;

    if (len < SEPX__SCRATCH_SIZE && mkdtemp(path))
        return 0;
    if (len < SEPX__SCRATCH_SIZE)
        code = errno;
    path[0] = '\0';
    return code;
}

enum sepx_err
sepx__scratch_fail(struct sepx_msg *msg, const char *path, const char *action,
                   int code)
{
    char why[SEPX__REASON_SIZE];

    return sepx_fail(msg, SEPX_EIO,
                     "%s: cannot %s: %s; set TMPDIR to a folder that can be "
                     "written and has room",
                     path, action, sepx__reason(why, code));
}

/*
 * A folder is emptied without allocating (entries.h says why), recursing or
 * holding more than two files open, however deep it is: folders two levels down
 * are moved up to the top, where the next pass finds them.
 */
struct emptying {
    int top;
    unsigned moved; /* folders moved to the top so far, for their names */
    bool gained;    /* something was removed or moved in this pass */
};

static bool
remove_entry(int folder, const char *name)
{
    return !unlinkat(folder, name, 0) || !unlinkat(folder, name, AT_REMOVEDIR);
}

static void
move_up(struct emptying *e, int folder, const char *name)
{
    char path[32];

    snprintf(path, sizeof path, ".sepx-%u", e->moved++);
    if (!renameat(folder, name, e->top, path))
        e->gained = true;
}

typedef void entry_fn(struct emptying *e, int folder, const char *name);

static void
for_entries(struct emptying *e, int folder, entry_fn *each)
{
    struct sepx__entries entries = {.folder = folder};
    const char *name;

    while ((name = sepx__entries_next(&entries)) != NULL) {
        if (remove_entry(folder, name))
            e->gained = true;
        else
            each(e, folder, name);
    }
}

/* A folder of the top that is not empty: its files go, its folders move up. */
static void
flatten(struct emptying *e, int top, const char *name)
{
    struct stat about;
    int folder;

    if (fstatat(top, name, &about, AT_SYMLINK_NOFOLLOW) ||
        !S_ISDIR(about.st_mode))
        return;
    (void)fchmodat(top, name, 0700, 0); /* it may have been made read-only */
    folder = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    for_entries(e, folder, move_up);
    close(folder);
    if (remove_entry(top, name))
        e->gained = true;
}

void
sepx__scratch_remove(const char *path)
{
    struct emptying e = {.gained = true};

    /* Empty as a rule, and then this is all. */
    if (!rmdir(path) || errno == ENOENT)
        return;
    e.top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (e.top < 0)
        return;
    (void)fchmod(e.top, 0700);
    while (e.gained) {
        e.gained = false;
        (void)lseek(e.top, 0, SEEK_SET);
        for_entries(&e, e.top, flatten);
    }
    close(e.top);
    (void)rmdir(path);
}

bool
sepx__scratch_is_empty(const char *path)
{
    struct sepx__entries entries = {0};
    struct stat about;
    bool empty;

    entries.folder =
        open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (entries.folder < 0)
        return false;
    empty = !fstat(entries.folder, &about) &&
            (about.st_mode & S_IRWXU) == S_IRWXU && about.st_uid == geteuid() &&
            !sepx__entries_next(&entries);
    close(entries.folder);
    return empty;
}

enum sepx_err
sepx__folder_make(const char *path)
{
    char part[SEPX__SCRATCH_SIZE];

    if (strlen(path) >= sizeof part) {
        errno = ENAMETOOLONG;
        return SEPX_EIO;
    }
    for (size_t i = 0; path[i]; i++) {
        part[i] = path[i];
        part[i + 1] = '\0';
        if (i && path[i] != '/' && path[i + 1] == '/')
            (void)mkdir(part, 0777);
    }
    return mkdir(path, 0777) && errno != EEXIST ? SEPX_EIO : SEPX_OK;
}
