/* SPDX-License-Identifier: Apache-2.0 */
/* Where a study lies: names, files beside it, moves, copies, other users. */
#include "unit/check.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sepx/store.h"
#include "unit/study_fixture.h"

enum { NOBODY = 65534 };

static void
create(struct fixture *f)
{
    CHECK(!sepx_store_create(f->path, "{}", NULL, &f->msg), "%s", f->msg.text);
}

static struct sepx_store *
open_store(struct fixture *f, const char *path, bool write)
{
    struct sepx_store *store;
    enum sepx_err err = sepx_store_open(&store, path, write, &f->msg);

    CHECK(!err, "%s", f->msg.text);
    return store;
}

/* One more trial and its result. */
static enum sepx_err
append(struct sepx_store *store, uint32_t trial, struct sepx_msg *msg)
{
    struct sepx_asked asked = {trial, "random", {-1, -1}, 1, -1, "{}"};
    struct sepx_told told = {
        .trial = trial, .outcome = "scored", .value = 1, .cached = -1};
    enum sepx_err err = sepx_store_begin(store, msg);

    if (!err)
        err = sepx_store_ask(store, &asked, msg);
    if (!err)
        err = sepx_store_tell(store, &told, msg);
    return err ? err : sepx_store_commit(store, msg);
}

static uint32_t
events(struct fixture *f, const char *path)
{
    struct sepx_store *store = open_store(f, path, false);
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    uint32_t count = 0;
    bool more = true;

    assert_int_equal(
        sepx_store_read(store, &cursor, SEPX_STORE_LOG, 0, &f->msg), SEPX_OK);
    for (;;) {
        assert_int_equal(sepx_cursor_next(cursor, &entry, &more, &f->msg),
                         SEPX_OK);
        if (!more)
            break;
        count++;
    }
    sepx_cursor_free(cursor);
    sepx_store_close(store);
    return count;
}

static void
write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void
beside(char *path, size_t size, const struct fixture *f, const char *end)
{
    snprintf(path, size, "%s%s", f->path, end);
}

/* ---- files of another study ---- */

static void
test_a_new_study_is_not_mixed_with_an_old_log(void **state)
{
    static const char *const ends[] = {"-wal", "-shm", "-journal"};
    struct fixture *f = *state;
    char path[128];

    for (int i = 0; i < 6; i++) {
        beside(path, sizeof path, f, ends[i % 3]);
        if (i < 3)
            write_file(path, "");
        else
            assert_int_equal(symlink("/nowhere", path), 0);
        assert_int_equal(sepx_store_create(f->path, "{}", NULL, &f->msg),
                         SEPX_EDATA);
        CHECK(strstr(f->msg.text, path) && strstr(f->msg.text, "remove it"),
              "%s", f->msg.text);
        assert_int_not_equal(access(f->path, F_OK), 0);
        unlink(path);
    }
    create(f);
}

static void
test_a_link_beside_a_study_is_not_followed(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    struct stat at;
    char victim[128], path[128];

    create(f);
    snprintf(victim, sizeof victim, "%s/victim", f->folder);
    write_file(victim, "mine");
    beside(path, sizeof path, f, "-wal");
    assert_int_equal(symlink(victim, path), 0);
    for (int write = 0; write < 2; write++) {
        assert_int_equal(sepx_store_open(&store, f->path, write, &f->msg),
                         SEPX_EDATA);
        CHECK(strstr(f->msg.text, path), "%s", f->msg.text);
    }
    assert_int_equal(stat(victim, &at), 0);
    assert_int_equal(at.st_size, 4);
}

/* Guessing the temporary name gains nothing. */
static void
test_a_new_file_replaces_no_file(void **state)
{
    struct fixture *f = *state;
    struct stat at;
    char victim[128], path[160];

    snprintf(victim, sizeof victim, "%s/victim", f->folder);
    write_file(victim, "mine");
    snprintf(path, sizeof path, "%s.%ld-0.tmp", f->path, (long)getpid());
    assert_int_equal(symlink(victim, path), 0);
    snprintf(path, sizeof path, "%s.%ld.tmp", f->path, (long)getpid());
    assert_int_equal(symlink(victim, path), 0);
    create(f);
    assert_int_equal(lstat(path, &at), 0);
    assert_true(S_ISLNK(at.st_mode));
    assert_int_equal(stat(victim, &at), 0);
    assert_int_equal(at.st_size, 4);
    assert_int_equal(events(f, f->path), 0);
}

/* ---- names ---- */

static void
test_names_mean_files(void **state)
{
    static const char *const names[] = {
        ":memory:", "file:x", "file:x?mode=memory", "file::memory:", "a%20b",
        "a?b#c",    "-wal",
    };
    struct fixture *f = *state;
    char before[512];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sepx_store *store;

        CHECK(!sepx_store_create(names[i], "{}", NULL, &f->msg), "%s: %s",
              names[i], f->msg.text);
        store = open_store(f, names[i], true);
        assert_int_equal(append(store, 0, &f->msg), SEPX_OK);
        sepx_store_close(store);
        CHECK(access(names[i], F_OK) == 0, "%s", names[i]);
        assert_int_equal(events(f, names[i]), 2);
    }
    assert_int_equal(chdir(before), 0);
}

/* ---- moved, deleted, replaced ---- */

static void
test_a_moved_study_is_noticed(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char moved[128];

    create(f);
    store = open_store(f, f->path, true);
    assert_int_equal(append(store, 0, &f->msg), SEPX_OK);
    snprintf(moved, sizeof moved, "%s/b.study", f->folder);
    assert_int_equal(rename(f->path, moved), 0);
    assert_int_equal(append(store, 1, &f->msg), SEPX_EIO);
    CHECK(strstr(f->msg.text, f->path) && strstr(f->msg.text, "moved"), "%s",
          f->msg.text);
    sepx_store_close(store);
    assert_int_equal(events(f, moved), 4);
    create(f); /* its name is free again */
}

/* A process may go elsewhere; the file is where it was. */
static void
test_another_folder_is_no_move(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char before[512];

    create(f);
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(f->folder), 0);
    store = open_store(f, "a.study", true);
    assert_int_equal(chdir("/"), 0);
    CHECK(!append(store, 0, &f->msg), "%s", f->msg.text);
    sepx_store_close(store);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(events(f, f->path), 2);
}

static void
test_a_deleted_study_is_saved(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char saved[128];

    create(f);
    store = open_store(f, f->path, true);
    assert_int_equal(append(store, 0, &f->msg), SEPX_OK);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(append(store, 1, &f->msg), SEPX_EIO);
    beside(saved, sizeof saved, f, ".rescued");
    CHECK(strstr(f->msg.text, "deleted") && strstr(f->msg.text, saved), "%s",
          f->msg.text);
    sepx_store_close(store);
    assert_int_equal(events(f, saved), 4);
    store = open_store(f, saved, true);
    assert_int_equal(append(store, 2, &f->msg), SEPX_OK);
    sepx_store_close(store);
}

static void
test_a_replaced_study_is_noticed(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char other[128], kept[128];

    create(f);
    store = open_store(f, f->path, true);
    assert_int_equal(append(store, 0, &f->msg), SEPX_OK);
    snprintf(other, sizeof other, "%s/other.study", f->folder);
    snprintf(kept, sizeof kept, "%s/kept.study", f->folder);
    assert_int_equal(link(f->path, kept), 0);
    assert_int_equal(sepx_store_create(other, "{\"b\":1}", NULL, &f->msg),
                     SEPX_OK);
    assert_int_equal(rename(other, f->path), 0);
    assert_int_equal(append(store, 1, &f->msg), SEPX_EIO);
    sepx_store_close(store);
    assert_int_equal(events(f, kept), 4);
}

/* A study that is moved over one that runs gets no page of that one's log. */
static void
test_a_study_moved_over_another_stays_whole(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store, *other;
    char path[128], saved[128], again[128];

    beside(saved, sizeof saved, f, ".rescued");
    beside(again, sizeof again, f, ".rescued-2");
    snprintf(path, sizeof path, "%s/other.study", f->folder);
    for (uint32_t round = 0; round < 2; round++) {
        assert_int_equal(sepx_store_create(path, "{\"b\":1}", NULL, &f->msg),
                         SEPX_OK);
        other = open_store(f, path, true);
        assert_int_equal(append(other, 0, &f->msg), SEPX_OK);
        sepx_store_close(other);
        if (!round)
            create(f);
        store = open_store(f, f->path, true);
        for (uint32_t i = 1 - round; i < 3; i++)
            assert_int_equal(append(store, i + round, &f->msg), SEPX_OK);
        assert_int_equal(rename(path, f->path), 0);
        for (int write = 0; write < 2; write++) {
            assert_int_equal(sepx_store_open(&other, f->path, write, &f->msg),
                             SEPX_EBUSY);
            CHECK(strstr(f->msg.text, "still runs"), "%s", f->msg.text);
        }
        assert_int_equal(append(store, 7, &f->msg), SEPX_EIO);
        CHECK(strstr(f->msg.text, round ? again : saved), "%s", f->msg.text);
        f->msg = (struct sepx_msg){0};
        assert_int_equal(sepx_store_spend(store, 1, &f->msg), SEPX_EIO);
        CHECK(strstr(f->msg.text, round ? again : saved), "%s", f->msg.text);
        sepx_store_close(store);
        assert_int_equal(events(f, f->path), 2);
    }
    assert_int_equal(events(f, saved), 6);
    assert_int_equal(events(f, again), 10);
}

/* The bytes of a file, into another one that is there. */
static void
copy_over(const char *to, const char *from)
{
    char bytes[4096];
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    size_t len;

    assert_true(in && out);
    while ((len = fread(bytes, 1, sizeof bytes, in)) > 0)
        assert_int_equal(fwrite(bytes, 1, len, out), len);
    assert_int_equal(fclose(out), 0);
    fclose(in);
}

/* cp keeps the inode, so that its path leads to the file as before. */
static void
test_what_is_copied_over_a_study_stays_whole(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store, *other;
    char path[128], log[128];

    beside(log, sizeof log, f, "-wal");
    snprintf(path, sizeof path, "%s/other.study", f->folder);
    assert_int_equal(sepx_store_create(path, "{\"b\":1}", NULL, &f->msg),
                     SEPX_OK);
    create(f);
    for (uint32_t at_end = 0; at_end < 2; at_end++) {
        other = open_store(f, path, true);
        assert_int_equal(append(other, at_end, &f->msg), SEPX_OK);
        sepx_store_close(other);
        store = open_store(f, f->path, true);
        for (uint32_t i = at_end; i < 3; i++)
            assert_int_equal(append(store, i, &f->msg), SEPX_OK);
        copy_over(f->path, path);
        if (!at_end) {
            assert_int_equal(append(store, 3, &f->msg), SEPX_EIO);
            CHECK(strstr(f->msg.text, "overwritten"), "%s", f->msg.text);
        }
        sepx_store_close(store);
        assert_int_equal(access(log, F_OK), -1);
        assert_int_equal(events(f, f->path), 2 + 2 * at_end);
    }
}

/* Neither touch nor checkpoints of its own stop a study. */
static void
test_a_new_time_is_no_new_file(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    create(f);
    store = open_store(f, f->path, true);
    for (uint32_t i = 0; i < 900; i++) {
        if (i % 300 == 0)
            assert_int_equal(utimensat(AT_FDCWD, f->path, NULL, 0), 0);
        CHECK(!append(store, i, &f->msg), "%s", f->msg.text);
    }
    sepx_store_close(store);
    assert_int_equal(events(f, f->path), 1800);
}

/* As another process sees it; SQLite has them from this byte on. */
static bool
is_locked_by_sqlite(const char *path)
{
    struct flock lock = {
        .l_type = F_WRLCK, .l_start = 0x40000002, .l_len = 510};
    pid_t child = fork();
    int status, fd;

    if (child == 0) {
        fd = open(path, O_RDWR);
        _exit(fd < 0 || fcntl(fd, F_GETLK, &lock) || lock.l_type != F_UNLCK);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Some file systems and containers hide locks, or number devices otherwise. */
static bool
kernel_lists_locks(const char *path)
{
    struct sepx_text locks = {0};
    struct stat at;
    char name[64];
    bool found;

    assert_int_equal(stat(path, &at), 0);
    snprintf(name, sizeof name, "%02x:%02x:%llu ", major(at.st_dev),
             minor(at.st_dev), (unsigned long long)at.st_ino);
    found = sepx_file_read(&locks, "/proc/locks", SIZE_MAX, NULL) == SEPX_OK &&
            strstr(locks.at, name);
    sepx_text_release(&locks);
    return found;
}

/* Without them, another program that reads removes the log at its end. */
static void
test_a_look_at_a_study_leaves_its_locks(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;

    create(f);
    assert_false(is_locked_by_sqlite(f->path));
    store = open_store(f, f->path, true);
    assert_true(is_locked_by_sqlite(f->path));
    assert_int_equal(events(f, f->path), 0);
    if (kernel_lists_locks(f->path))
        assert_true(is_locked_by_sqlite(f->path));
    sepx_store_close(store);
    assert_false(is_locked_by_sqlite(f->path));
}

static void
checkpoint_by_another(const char *path, const char *mode)
{
    char sql[64];
    sqlite3 *db;

    snprintf(sql, sizeof sql, "PRAGMA wal_checkpoint(%s)", mode);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Some back up a database like this; a file copied over it is noticed yet. */
static void
test_checkpoints_of_others_overwrite_nothing(void **state)
{
    static const char *const modes[] = {"PASSIVE", "FULL", "RESTART",
                                        "TRUNCATE"};
    struct fixture *f = *state;
    struct sepx_store *store;
    char path[128];

    snprintf(path, sizeof path, "%s/other.study", f->folder);
    assert_int_equal(sepx_store_create(path, "{\"b\":1}", NULL, &f->msg),
                     SEPX_OK);
    create(f);
    store = open_store(f, f->path, true);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK(!append(store, i, &f->msg), "%" PRIu32 ": %s", i, f->msg.text);
        if (i % 3)
            checkpoint_by_another(f->path, modes[i % 4]);
        if (i % 10 == 9) {
            sepx_store_close(store);
            assert_int_equal(events(f, f->path), 2 * i + 2);
            store = open_store(f, f->path, true);
        }
    }
    assert_int_equal(append(store, 40, &f->msg), SEPX_OK);
    copy_over(f->path, path);
    assert_int_equal(append(store, 41, &f->msg), SEPX_EIO);
    CHECK(strstr(f->msg.text, "overwritten"), "%s", f->msg.text);
    sepx_store_close(store);
    assert_int_equal(events(f, f->path), 0);
}

/* A last write may be just before the move, so closing looks, too. */
static void
test_a_study_replaced_at_its_end_is_saved(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char path[128], saved[128];

    beside(saved, sizeof saved, f, ".rescued");
    snprintf(path, sizeof path, "%s/other.study", f->folder);
    create(f);
    assert_int_equal(sepx_store_create(path, "{\"b\":1}", NULL, &f->msg),
                     SEPX_OK);
    store = open_store(f, f->path, true);
    assert_int_equal(append(store, 0, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    assert_int_equal(rename(path, f->path), 0);
    sepx_store_close(store);
    assert_int_equal(events(f, f->path), 0);
    assert_int_equal(events(f, saved), 2);
}

/* ---- copies ---- */

static void
test_a_copy_is_the_study_of_that_moment(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store, *reader, *copied;
    char copy[128];

    create(f);
    store = open_store(f, f->path, true);
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(append(store, i, &f->msg), SEPX_OK);
    reader = open_store(f, f->path, false);
    assert_int_equal(sepx_store_begin(store, &f->msg), SEPX_OK);
    snprintf(copy, sizeof copy, "%s/copy.study", f->folder);
    CHECK(!sepx_store_copy(reader, copy, &f->msg), "%s", f->msg.text);
    assert_int_equal(sepx_store_commit(store, &f->msg), SEPX_OK);
    assert_int_equal(sepx_store_copy(reader, copy, &f->msg), SEPX_EINVAL);
    assert_int_equal(append(store, 50, &f->msg), SEPX_OK);
    assert_int_equal(events(f, copy), 100);
    copied = open_store(f, copy, true);
    assert_int_equal(sepx_store_check(copied, &f->msg), SEPX_OK);
    assert_int_equal(append(copied, 50, &f->msg), SEPX_OK);
    sepx_store_close(copied);
    sepx_store_close(reader);
    sepx_store_close(store);
}

/* ---- other users ---- */

/* In a process of its own: read as someone who may write nothing there. */
static int
read_as_nobody(struct fixture *f, enum sepx_err expected)
{
    struct sepx_store *store;
    enum sepx_err err;

    if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        return 1;
    err = sepx_store_open(&store, f->path, false, &f->msg);
    if (!err)
        err = sepx_store_check(store, &f->msg);
    sepx_store_close(store);
    if (err != expected)
        fprintf(stderr, "%d: %s\n", err, f->msg.text);
    return err != expected || (!err && events(f, f->path) != 6);
}

static int
in_child(struct fixture *f, enum sepx_err expected)
{
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(read_as_nobody(f, expected));
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void
test_others_read_what_they_cannot_write(void **state)
{
    struct fixture *f = *state;
    struct sepx_store *store;
    char log[128];

    create(f);
    store = open_store(f, f->path, true);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(append(store, i, &f->msg), SEPX_OK);
    sepx_store_close(store);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_int_equal(in_child(f, SEPX_OK), 0);
    /* A log that is not in the file yet would be left out unsaid. */
    assert_int_equal(chmod(f->folder, 0755), 0);
    beside(log, sizeof log, f, "-wal");
    write_file(log, "events");
    assert_int_equal(chmod(f->folder, 0555), 0);
    assert_int_equal(in_child(f, SEPX_EIO), 0);
    assert_int_equal(chmod(f->folder, 0755), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_new_study_is_not_mixed_with_an_old_log),
        TEST(test_a_link_beside_a_study_is_not_followed),
        TEST(test_a_new_file_replaces_no_file),
        TEST(test_names_mean_files),
        TEST(test_a_moved_study_is_noticed),
        TEST(test_a_study_moved_over_another_stays_whole),
        TEST(test_what_is_copied_over_a_study_stays_whole),
        TEST(test_a_new_time_is_no_new_file),
        TEST(test_a_look_at_a_study_leaves_its_locks),
        TEST(test_checkpoints_of_others_overwrite_nothing),
        TEST(test_a_study_replaced_at_its_end_is_saved),
        TEST(test_another_folder_is_no_move),
        TEST(test_a_deleted_study_is_saved),
        TEST(test_a_replaced_study_is_noticed),
        TEST(test_a_copy_is_the_study_of_that_moment),
        TEST(test_others_read_what_they_cannot_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
