/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/faults.h"
#include "sepx/base.h"

/* Each test runs within an empty folder of its own. */
static int
enter_folder(void **state)
{
    static char folder[64];

    (void)snprintf(folder, sizeof(folder), "/tmp/sepx-test-XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int
leave_folder(void **state)
{
    const char *left[] = {"a", "link", "pipe", "folder/a", "big"};

    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
        (void)unlink(left[i]);
    (void)rmdir("folder");
    return chdir("/") == 0 ? rmdir(*state) : -1;
}

static size_t
count_entries(const char *path)
{
    DIR *folder = opendir(path);
    size_t n = 0;

    assert_non_null(folder);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n - 2;
}

static void
assert_content(const char *path, const char *want, size_t len)
{
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};

    assert_int_equal(sepx_file_read(&text, path, 1 << 20, &msg), SEPX_OK);
    assert_int_equal(text.len, len);
    assert_memory_equal(text.at, want, len);
    sepx_text_release(&text);
}

static void
test_what_is_written_is_read(void **state)
{
    static char big[200000];

    (void)state;
    for (size_t i = 0; i < sizeof(big); i++)
        big[i] = (char)(i * 31 + i / 256);
    assert_int_equal(sepx_file_write("a", "x\0y", 3, NULL), SEPX_OK);
    assert_content("a", "x\0y", 3);
    assert_int_equal(sepx_file_write("a", big, sizeof(big), NULL), SEPX_OK);
    assert_content("a", big, sizeof(big));
    assert_int_equal(sepx_file_write("a", "", 0, NULL), SEPX_OK);
    assert_content("a", "", 0);
    assert_int_equal(count_entries("."), 1);
}

static void
test_read_appends_up_to_the_limit(void **state)
{
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_file_write("a", "12345", 5, NULL), SEPX_OK);
    assert_int_equal(sepx_file_read(&text, "a", 5, &msg), SEPX_OK);
    assert_int_equal(sepx_file_read(&text, "a", 5, &msg), SEPX_OK);
    assert_string_equal(text.at, "1234512345");
    assert_int_equal(sepx_file_read(&text, "a", 4, &msg), SEPX_ELIMIT);
    assert_string_equal(msg.text, "a: longer than 4 bytes; split it");
    assert_string_equal(text.at, "1234512345");
    assert_int_equal(text.len, 10);
    sepx_text_release(&text);
}

static void
test_a_long_file_over_the_limit_leaves_nothing(void **state)
{
    static char big[100000];
    struct sepx_text text = {0};

    (void)state;
    memset(big, 'b', sizeof(big));
    assert_int_equal(sepx_file_write("big", big, sizeof(big), NULL), SEPX_OK);
    assert_int_equal(sepx_file_read(&text, "big", 70000, NULL), SEPX_ELIMIT);
    assert_int_equal(text.len, 0);
    assert_string_equal(text.at, "");
    sepx_text_release(&text);
}

static void
test_messages_name_path_reason_and_remedy(void **state)
{
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(sepx_file_read(&text, "absent", 9, &msg), SEPX_ENOINPUT);
    assert_string_equal(
        msg.text,
        "absent: cannot open: No such file or directory; check the path");
    assert_int_equal(sepx_file_read(&text, ".", 9, &msg), SEPX_ENOINPUT);
    assert_string_equal(msg.text,
                        ".: cannot read: Is a directory; name a file");
    assert_int_equal(sepx_file_write("absent/a", "x", 1, &msg), SEPX_EIO);
    assert_string_equal(msg.text, "absent/a: cannot create a file beside it: "
                                  "No such file or directory; check the path");
    assert_null(text.at);
}

static void
test_a_folder_is_no_file_to_write(void **state)
{
    struct sepx_msg msg = {0};

    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(sepx_file_write("folder", "x", 1, &msg), SEPX_EIO);
    assert_non_null(strstr(msg.text, "Is a directory; name a file"));
    assert_int_equal(count_entries("folder"), 0);
}

static void
test_a_full_disk_is_told(void **state)
{
    struct sepx_msg msg = {0};

    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        print_message("SKIP: no /dev/full\n");
        skip();
    }
    assert_int_equal(sepx_file_write("/dev/full", "x", 1, &msg), SEPX_EIO);
    assert_string_equal(msg.text,
                        "/dev/full: cannot write: No space left on device; "
                        "free some space");
}

static void
test_a_failed_write_leaves_the_old_file(void **state)
{
    struct sepx_msg msg = {0};

    (void)state;
    if (geteuid() == 0) {
        print_message("SKIP: root may write anywhere\n");
        skip();
    }
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(sepx_file_write("folder/a", "old", 3, NULL), SEPX_OK);
    assert_int_equal(chmod("folder", 0555), 0);
    assert_int_equal(sepx_file_write("folder/a", "new", 3, &msg), SEPX_EIO);
    assert_non_null(strstr(msg.text, "check the permissions"));
    assert_int_equal(chmod("folder", 0777), 0);
    assert_content("folder/a", "old", 3);
    assert_int_equal(count_entries("folder"), 1);
}

static void
test_a_write_cut_short_leaves_the_old_file(void **state)
{
    static char big[100000];
    struct rlimit kept, low;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    (void)state;
    assert_int_equal(sepx_file_write("a", "old", 3, NULL), SEPX_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    low = kept;
    low.rlim_cur = 5000;
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    err = sepx_file_write("a", big, sizeof(big), &msg);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(err, SEPX_EIO);
    assert_non_null(strstr(msg.text, "/a: cannot write: File too large"));
    assert_content("a", "old", 3);
    assert_int_equal(count_entries("."), 1);
}

static void
test_permissions_are_kept(void **state)
{
    struct stat now;

    (void)state;
    assert_int_equal(sepx_file_write("a", "x", 1, NULL), SEPX_OK);
    assert_int_equal(chmod("a", 0640), 0);
    assert_int_equal(sepx_file_write("a", "y", 1, NULL), SEPX_OK);
    assert_int_equal(stat("a", &now), 0);
    assert_int_equal(now.st_mode & 07777, 0640);
}

static void
test_a_link_stays_a_link(void **state)
{
    struct stat now;

    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(sepx_file_write("folder/a", "old", 3, NULL), SEPX_OK);
    assert_int_equal(symlink("folder/a", "link"), 0);
    assert_int_equal(sepx_file_write("link", "new", 3, NULL), SEPX_OK);
    assert_int_equal(lstat("link", &now), 0);
    assert_true(S_ISLNK(now.st_mode));
    assert_content("folder/a", "new", 3);
    assert_int_equal(count_entries("folder"), 1);
}

static void
test_a_leftover_is_no_obstacle(void **state)
{
    char name[64];

    (void)state;
    (void)snprintf(name, sizeof(name), "a.%ld-0.tmp", (long)getpid());
    assert_int_equal(close(open(name, O_CREAT | O_WRONLY, 0666)), 0);
    assert_int_equal(sepx_file_write("a", "x", 1, NULL), SEPX_OK);
    assert_content("a", "x", 1);
    assert_int_equal(unlink(name), 0);
}

static void
test_a_pipe_is_written_into(void **state)
{
    char got[4] = {0};
    int fd;

    (void)state;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    fd = open("pipe", O_RDONLY | O_NONBLOCK);
    assert_true(fd >= 0);
    assert_int_equal(sepx_file_write("pipe", "abc", 3, NULL), SEPX_OK);
    assert_int_equal(read(fd, got, 3), 3);
    assert_string_equal(got, "abc");
    close(fd);
}

static void
test_dash_is_standard_input(void **state)
{
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    int kept = dup(STDIN_FILENO), ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "in", 2), 2);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(sepx_file_read(&text, "-", 1, &msg), SEPX_ELIMIT);
    assert_string_equal(msg.text,
                        "standard input: longer than 1 bytes; split it");
    assert_int_equal(sepx_file_read(&text, "-", 2, &msg), SEPX_OK);
    close(ends[0]);
    if (kept >= 0) {
        assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
        close(kept);
    }
    sepx_text_release(&text);
}

static void
test_every_allocation_may_fail(void **state)
{
    static char big[100000];
    long n = 0;

    (void)state;
    memset(big, 'b', sizeof(big));
    assert_int_equal(sepx_file_write("big", big, sizeof(big), NULL), SEPX_OK);
    for (;; n++) {
        struct sepx_text text = {0};
        struct sepx_msg msg = {0};
        enum sepx_err err;

        fault_after(n);
        err = sepx_file_read(&text, "big", sizeof(big), &msg);
        assert_int_equal(err, fault_hit() ? SEPX_ENOMEM : SEPX_OK);
        if (err) {
            assert_string_equal(msg.text, "big: out of memory");
            assert_int_equal(text.len, 0);
        }
        sepx_text_release(&text);
        assert_int_equal(fault_live(), 0);
        if (!err)
            break;
    }
    fault_stop();
    assert_true(n > 1);
}

/* The example of FIPS 180-4, where size_t has 32 bits, too. */
static void
test_files_have_a_sha256(void **state)
{
    char hex[SEPX_SHA256_HEX];
    FILE *file = fopen("a", "w");

    (void)state;
    assert_non_null(file);
    fputs("abc", file);
    fclose(file);
    assert_true(sepx_sha256_file(hex, "a"));
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223"
                             "b00361a396177a9cb410ff61f20015ad");
    assert_false(sepx_sha256_file(hex, "folder"));
}

#define IN_FOLDER(test) \
    cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_what_is_written_is_read),
        IN_FOLDER(test_read_appends_up_to_the_limit),
        IN_FOLDER(test_a_long_file_over_the_limit_leaves_nothing),
        IN_FOLDER(test_messages_name_path_reason_and_remedy),
        IN_FOLDER(test_a_folder_is_no_file_to_write),
        IN_FOLDER(test_a_full_disk_is_told),
        IN_FOLDER(test_a_failed_write_leaves_the_old_file),
        IN_FOLDER(test_a_write_cut_short_leaves_the_old_file),
        IN_FOLDER(test_permissions_are_kept),
        IN_FOLDER(test_a_link_stays_a_link),
        IN_FOLDER(test_a_leftover_is_no_obstacle),
        IN_FOLDER(test_a_pipe_is_written_into),
        IN_FOLDER(test_dash_is_standard_input),
        IN_FOLDER(test_files_have_a_sha256),
        IN_FOLDER(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
