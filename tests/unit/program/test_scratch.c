/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder goes with all that a program may have left in it: deeper than a path
 * may be long, read-only, full, linked to the outside; and nothing is allocated
 * on the way, since a supervisor is forked while other threads run.
 */
#include "unit/check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program/scratch.h"

static void
make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    close(fd);
}

/* Enter a new folder of that name. */
static void
descend(const char *name)
{
    assert_int_equal(mkdir(name, 0777), 0);
    assert_int_equal(chdir(name), 0);
}

static void
test_remove(void **state)
{
    enum { DEPTH = 3000, FILES = 500 };
    char outside[] = "/tmp/sepx-test-XXXXXX", scratch[SEPX__SCRATCH_SIZE];
    char path[SEPX__SCRATCH_SIZE + 64];
    struct rlimit before, few = {0};

    (void)state;
    assert_non_null(mkdtemp(outside));
    (void)snprintf(path, sizeof path, "%s/kept", outside);
    make_file(path);
    assert_int_equal(sepx__scratch_make(scratch), 0);
    assert_int_equal(chdir(scratch), 0);
    make_file(".sepx-0"); /* a name that moving would choose */
    assert_int_equal(symlink(outside, "link"), 0);
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(path, sizeof path, "file-%d", i);
        make_file(path);
    }
    descend("locked");
    make_file("file");
    assert_int_equal(chmod(".", 0500), 0);
    assert_int_equal(chdir(scratch), 0);
    for (int i = 0; i < DEPTH; i++) {
        descend("deeper");
        make_file("file");
        assert_int_equal(symlink(outside, "link"), 0);
    }
    assert_int_equal(chdir("/"), 0);

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 16;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    sepx__scratch_remove(scratch);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);

    CHECK(access(scratch, F_OK), "%s is still there", scratch);
    (void)snprintf(path, sizeof path, "%s/kept", outside);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(outside), 0);
}

/* No folder, or none any more: nothing happens. */
static void
test_remove_nothing(void **state)
{
    (void)state;
    sepx__scratch_remove("/tmp/sepx-test-no-such-folder");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_remove),
        cmocka_unit_test(test_remove_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
