/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a power cut leaves of a study: an SQLite VFS keeps what was synced, and
 * the writes since, of which any part may have reached the disk.
 */
#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "sepx/store.h"
#include "unit/study_fixture.h"

enum { FILES = 16, TRIALS = 300 };

/* A write or, without bytes, a new length. */
struct change {
    size_t at, len;
    char *bytes;
};

/* A file by its name, on the disk and as it was changed since. */
struct disk {
    char path[512];
    bool there; /* its name is on the disk */
    char *bytes;
    size_t len;
    struct change *change;
    size_t count;
};

struct file {
    sqlite3_file base;
    struct disk *disk; /* NULL: a file that is not watched */
    sqlite3_file *real;
};

static struct disk disks[FILES];
static unsigned syncs;
static sqlite3_vfs *real_vfs, cut_vfs;

/* ---- the disk ---- */

static void
apply(char **bytes, size_t *len, const struct change *change, size_t part)
{
    size_t end = change->bytes ? change->at + part : change->at;

    if (end > *len || !change->bytes) {
        *bytes = realloc(*bytes, end + 1);
        if (end > *len)
            memset(*bytes + *len, 0, end - *len);
        *len = end;
    }
    if (change->bytes)
        memcpy(*bytes + change->at, change->bytes, part);
}

static void
forget_changes(struct disk *disk)
{
    for (size_t i = 0; i < disk->count; i++)
        free(disk->change[i].bytes);
    free(disk->change);
    disk->change = NULL;
    disk->count = 0;
}

static void
note(struct disk *disk, size_t at, const void *bytes, size_t len)
{
    struct change *change;

    disk->change =
        realloc(disk->change, (disk->count + 1) * sizeof *disk->change);
    change = &disk->change[disk->count++];
    *change = (struct change){at, len, NULL};
    if (bytes) {
        change->bytes = malloc(len + 1);
        memcpy(change->bytes, bytes, len);
    }
}

static void
load(struct disk *disk)
{
    FILE *file = fopen(disk->path, "r");
    struct stat at;

    free(disk->bytes);
    disk->bytes = NULL;
    disk->len = 0;
    disk->there = file && fstat(fileno(file), &at) == 0 && at.st_size > 0;
    if (disk->there) {
        disk->len = (size_t)at.st_size;
        disk->bytes = malloc(disk->len + 1);
        disk->len = fread(disk->bytes, 1, disk->len, file);
    }
    if (file)
        fclose(file);
}

static struct disk *
disk_of(const char *path)
{
    for (int i = 0; i < FILES; i++) {
        if (!strcmp(disks[i].path, path))
            return &disks[i];
        if (disks[i].path[0])
            continue;
        snprintf(disks[i].path, sizeof disks[i].path, "%s", path);
        load(&disks[i]);
        return &disks[i];
    }
    fail_msg("more than %d files", FILES);
    return NULL;
}

/* ---- files ---- */

static sqlite3_file *
real_of(sqlite3_file *file)
{
    return ((struct file *)file)->real;
}

/* What is only handed on. */
#define PASS(name, declared, given) \
    static int pass_##name declared \
    { \
        sqlite3_file *real = real_of(file); \
        return real->pMethods->name given; \
    }

PASS(xRead, (sqlite3_file * file, void *to, int len, sqlite3_int64 at),
     (real, to, len, at))
PASS(xFileSize, (sqlite3_file * file, sqlite3_int64 *size), (real, size))
PASS(xLock, (sqlite3_file * file, int lock), (real, lock))
PASS(xUnlock, (sqlite3_file * file, int lock), (real, lock))
PASS(xCheckReservedLock, (sqlite3_file * file, int *held), (real, held))
PASS(xFileControl, (sqlite3_file * file, int op, void *arg), (real, op, arg))
PASS(xSectorSize, (sqlite3_file * file), (real))
PASS(xDeviceCharacteristics, (sqlite3_file * file), (real))
PASS(xShmMap,
     (sqlite3_file * file, int page, int size, int more, void volatile **at),
     (real, page, size, more, at))
PASS(xShmLock, (sqlite3_file * file, int at, int n, int flags),
     (real, at, n, flags))
PASS(xShmUnmap, (sqlite3_file * file, int gone), (real, gone))

static void
pass_xShmBarrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int
cut_close(sqlite3_file *file)
{
    int code = real_of(file)->pMethods->xClose(real_of(file));

    free(real_of(file));
    return code;
}

static int
cut_write(sqlite3_file *file, const void *from, int len, sqlite3_int64 at)
{
    note(((struct file *)file)->disk, (size_t)at, from, (size_t)len);
    return real_of(file)->pMethods->xWrite(real_of(file), from, len, at);
}

static int
cut_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    note(((struct file *)file)->disk, (size_t)size, NULL, 0);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int
cut_sync(sqlite3_file *file, int flags)
{
    struct disk *disk = ((struct file *)file)->disk;

    for (size_t i = 0; i < disk->count; i++)
        apply(&disk->bytes, &disk->len, &disk->change[i], disk->change[i].len);
    forget_changes(disk);
    disk->there = true;
    syncs++;
    return real_of(file)->pMethods->xSync(real_of(file), flags);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = cut_close,
    .xRead = pass_xRead,
    .xWrite = cut_write,
    .xTruncate = cut_truncate,
    .xSync = cut_sync,
    .xFileSize = pass_xFileSize,
    .xLock = pass_xLock,
    .xUnlock = pass_xUnlock,
    .xCheckReservedLock = pass_xCheckReservedLock,
    .xFileControl = pass_xFileControl,
    .xSectorSize = pass_xSectorSize,
    .xDeviceCharacteristics = pass_xDeviceCharacteristics,
    .xShmMap = pass_xShmMap,
    .xShmLock = pass_xShmLock,
    .xShmBarrier = pass_xShmBarrier,
    .xShmUnmap = pass_xShmUnmap,
};

static int
cut_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
         int *out)
{
    struct file *made = (struct file *)file;
    int code;

    (void)vfs;
    *made = (struct file){.real = calloc(1, (size_t)real_vfs->szOsFile)};
    made->disk = disk_of(name ? name : "temporary");
    code = real_vfs->xOpen(real_vfs, name, made->real, flags, out);
    if (code != SQLITE_OK)
        free(made->real);
    else
        made->base.pMethods = &methods;
    return code;
}

static int
cut_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    struct disk *disk = disk_of(name);
    int code = real_vfs->xDelete(real_vfs, name, sync);

    (void)vfs;
    forget_changes(disk);
    load(disk);
    return code;
}

/* ---- cutting ---- */

/* From now on SQLite opens files through it, or no longer. */
static void
power_watch(bool on)
{
    if (!real_vfs) {
        real_vfs = sqlite3_vfs_find(NULL);
        cut_vfs = *real_vfs;
        cut_vfs.szOsFile = sizeof(struct file);
        cut_vfs.zName = "power-cut";
        cut_vfs.xOpen = cut_open;
        cut_vfs.xDelete = cut_delete;
    }
    sqlite3_vfs_register(on ? &cut_vfs : real_vfs, 1);
    if (on)
        return;
    for (int i = 0; i < FILES; i++) {
        forget_changes(&disks[i]);
        free(disks[i].bytes);
        disks[i] = (struct disk){0};
    }
}

static void
leave(const struct disk *disk, const char *folder, double chance,
      struct sepx_rng *rng)
{
    const char *name = strrchr(disk->path, '/');
    char path[1024], *bytes = malloc(disk->len + 1);
    size_t len = disk->len;
    bool there = disk->there;
    FILE *file;

    if (len)
        memcpy(bytes, disk->bytes, len);
    for (size_t i = 0; i < disk->count; i++) {
        const struct change *change = &disk->change[i];
        size_t part = change->len;

        if (!sepx_rng_chance(rng, chance))
            continue;
        if (part && sepx_rng_below(rng, 4) == 0)
            part = sepx_rng_below(rng, (uint32_t)part);
        apply(&bytes, &len, change, part);
        there = true;
    }
    snprintf(path, sizeof path, "%s%s", folder, name ? name : "/none");
    if (there) {
        file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, len, file), len);
        fclose(file);
    }
    free(bytes);
}

/*
 * The files as a cut at this moment could leave them, in another folder: each
 * write that was not synced is there with this chance, or a part of it.
 */
static void
power_cut(const char *folder, double chance, struct sepx_rng *rng)
{
    for (int i = 0; i < FILES && disks[i].path[0]; i++)
        leave(&disks[i], folder, chance, rng);
}

/* ---- tests ---- */

static void
append(struct fixture *f, struct sepx_store *store, uint32_t trial,
       double seconds)
{
    static char graph[3000];
    struct sepx_asked asked = {trial, "random", {-1, -1}, 1, -1, graph};
    struct sepx_told told = {.trial = trial,
                             .outcome = "scored",
                             .value = trial,
                             .test = trial,
                             .cost = 1,
                             .cached = -1,
                             .seconds = seconds};

    memset(graph, 'x', sizeof graph - 1);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_ask(store, &asked, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_tell(store, &told, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
}

/* Results that are left; the file must be whole whatever they are. */
static uint32_t
results(struct fixture *f, const char *path, uint64_t seed)
{
    struct sepx_store *store = NULL;
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    uint32_t told = 0;
    bool more = true;
    enum sepx_err err = sepx_store_open(&store, path, true, &f->msg);

    if (!err)
        err = sepx_store_check(store, &f->msg);
    if (!err)
        err = sepx_store_read(store, &cursor, SEPX_STORE_LOG, 0, &f->msg);
    while (!err && more) {
        err = sepx_cursor_next(cursor, &entry, &more, &f->msg);
        told += !err && more && entry.is_told;
    }
    CHECK(!err, "seed %llu: %s", (unsigned long long)seed, f->msg.text);
    sepx_cursor_free(cursor);
    sepx_store_close(store);
    return told;
}

/* Cut now, and see what is left; `kept` results must be. */
static void
cut_and_look(struct fixture *f, uint32_t kept, double chance, uint64_t seed)
{
    char folder[96], path[128], command[256];
    struct sepx_rng rng;
    uint32_t left;

    snprintf(folder, sizeof folder, "%s/cut", f->folder);
    snprintf(path, sizeof path, "%s/a.study", folder);
    snprintf(command, sizeof command, "rm -rf %s; mkdir %s", folder, folder);
    assert_int_equal(system(command), 0);
    sepx_rng_init(&rng, seed, 0, 0, 0);
    power_cut(folder, chance, &rng);
    sqlite3_vfs_register(real_vfs, 1);
    left = results(f, path, seed);
    sqlite3_vfs_register(&cut_vfs, 1);
    CHECK(left >= kept, "%u of %u results left, seed %llu, chance %g", left,
          kept, (unsigned long long)seed, chance);
}

static struct sepx_store *
begin(struct fixture *f)
{
    struct sepx_store *store;

    power_watch(true);
    assert_int_equal(sepx_store_create(f->path, "{}", NULL, &f->msg), SEPX_OK);
    CHECK(!sepx_store_open(&store, f->path, true, &f->msg), "%s", f->msg.text);
    return store;
}

static void
test_slow_results_survive_a_power_cut(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store = begin(f);
    struct sepx_rng rng;
    uint32_t kept = 0;

    sepx_rng_init(&rng, 3, 0, 0, 0);
    for (uint32_t i = 0; i < TRIALS; i++) {
        bool slow = sepx_rng_chance(&rng, 0.5);

        append(f, store, i, slow ? 0.11 : 0.001);
        kept = slow ? i + 1 : kept;
        if (i % 10 == 0)
            cut_and_look(f, kept, i % 20 ? 0.5 : 0, i);
    }
    cut_and_look(f, kept, 0, TRIALS);
    sepx_store_close(store);
    power_watch(false);
}

/* They may be lost, but not the file; and nobody waits for the disk. */
static void
test_fast_results_do_not_wait(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store = begin(f);
    unsigned before;

    append(f, store, 0, 0.001);
    before = syncs;
    for (uint32_t i = 1; i < 20; i++) {
        append(f, store, i, 0.001);
        cut_and_look(f, 0, 0.5, i);
    }
    assert_int_equal(syncs, before);
    append(f, store, 20, 0.2);
    assert_true(syncs > before);
    cut_and_look(f, 21, 0, 0);
    sepx_store_close(store);
    power_watch(false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_slow_results_survive_a_power_cut),
        TEST(test_fast_results_do_not_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
