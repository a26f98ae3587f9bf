/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a study on a server may run here. A study names the program that
 * scores its graphs, and others can write to the database.
 */
#include "study/study_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { FILES_MOST = 32, HASH_LEAST = 16 };

bool
study_is_url(const char *path)
{
    return !strncmp(path, "postgresql://", 13) ||
           !strncmp(path, "postgres://", 11);
}

/* Those that compute in this process, from data; all others start programs. */
bool
study_starts_program(const char *eval)
{
    static const char *const safe[] = {"target",    "target-pruned", "table",
                                       "surrogate", "mlp",           "xgb"};
    size_t len = strcspn(eval, ":");

    for (size_t i = 0; i < sizeof safe / sizeof safe[0]; i++) {
        if (strlen(safe[i]) == len && !strncmp(eval, safe[i], len))
            return false;
    }
    return true;
}

int
study_confirm_eval(const struct study *s, bool given, const char *hash)
{
    const char *eval = sepx_study_settings(s->study)->eval;
    char sum[SEPX_SHA256_HEX];
    struct out out = {0};

    if (!eval || given || !study_starts_program(eval))
        return CLI_DONE;
    sepx_sha256_hex(sum, eval, strlen(eval));
    if (hash && strlen(hash) >= HASH_LEAST && strlen(hash) < sizeof sum &&
        !strncasecmp(hash, sum, strlen(hash)))
        return CLI_DONE;
    if (hash)
        return cli_usage(s->command,
                         "--eval-hash %s is not that of the study's evaluator "
                         "(or has less than %d digits)",
                         hash, HASH_LEAST);
    out_print(&out, "%s", eval); /* visible, whatever it has */
    cli_say(s->command,
            "this study runs a program on this machine: %s\n  say that it "
            "shall, with --eval 'THE SAME' or --eval-hash %.16s",
            out.err ? "?" : out.text.at, sum);
    out_release(&out);
    return CLI_USAGE;
}

/* ---- files ---- */

struct files {
    const struct study *s;
    char *name[FILES_MOST];
    char sum[FILES_MOST][SEPX_SHA256_HEX];
    bool known[FILES_MOST], differs[FILES_MOST];
    size_t count;
};

/* What belongs to the system differs from machine to machine. */
static bool
is_ours(const char *name)
{
    static const char *const system[] = {"/usr/", "/bin/", "/lib",
                                         "/etc/", "/dev/", "/proc/"};
    struct stat at;

    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++) {
        if (!strncmp(name, system[i], strlen(system[i])))
            return false;
    }
    return stat(name, &at) == 0 && S_ISREG(at.st_mode);
}

/* Words of an evaluator that are names of files. */
static void
find_files(struct files *files, const char *eval)
{
    static const char between[] = " \t\n:,='\"";

    while (*eval && files->count < FILES_MOST) {
        size_t len = strcspn(eval, between);
        char *name = strndup(eval, len);

        if (len && name && is_ours(name) &&
            sepx_sha256_file(files->sum[files->count], name))
            files->name[files->count++] = name;
        else
            free(name);
        eval += len;
        eval += strspn(eval, between);
    }
}

static void
compare_file(void *context, const char *name, const char *sum)
{
    struct files *files = context;

    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->name[i], name) != 0)
            continue;
        files->known[i] = true;
        files->differs[i] = strcmp(files->sum[i], sum) != 0;
    }
}

/*
 * The owner of the study notes a checksum that is not noted yet; others have
 * nothing to compare with.
 */
static int
check_file(const struct files *files, size_t i, bool owner, bool renew)
{
    struct sepx_msg msg = {0};

    if (files->differs[i] && !renew) {
        cli_say(files->s->command,
                "%s is not the file that the study was begun with; copy that "
                "one here, or make this one the right one with 'sepx study "
                "run --new-files'",
                files->name[i]);
        return CLI_DATA;
    }
    if (!(owner && !files->known[i]) && !(renew && files->differs[i]))
        return CLI_DONE;
    if (sepx_store_add_file(files->s->store, files->name[i], files->sum[i],
                            &msg) &&
        renew)
        return cli_fail(files->s->command, SEPX_EIO, &msg);
    return CLI_DONE;
}

int
study_confirm_files(const struct study *s, bool owner, bool renew)
{
    const char *eval = sepx_study_settings(s->study)->eval;
    struct files files = {.s = s};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status = CLI_DONE;

    if (!eval || !sepx_store_shared(s->store))
        return status;
    find_files(&files, eval);
    err = sepx_store_files(s->store, compare_file, &files, &msg);
    if (err)
        status = cli_fail(s->command, err, &msg);
    for (size_t i = 0; i < files.count; i++) {
        if (!status)
            status = check_file(&files, i, owner, renew);
        free(files.name[i]);
    }
    return status;
}
