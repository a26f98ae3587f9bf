/* SPDX-License-Identifier: Apache-2.0 */
#include "program/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* One word from *text to *to; the quote that is open at its end, or 0. */
static char
copy_word(const char **text, char **to)
{
    const char *at = *text;
    char quote = 0;

    for (; *at && (quote || !is_blank(*at)); at++) {
        if (*at == quote)
            quote = 0;
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *(*to)++ = *++at;
        else
            *(*to)++ = *at;
    }
    *(*to)++ = '\0';
    *text = at;
    return quote;
}

enum sepx_err
sepx__argv_split(char ***argv, const char *text, struct sepx_msg *msg)
{
    size_t len = strlen(text), count = 0;
    /* At most every second byte begins a word. */
    size_t room = len / 2 + 2;
    char **made = sepx__alloc(room * sizeof *made + len + 2);
    char *to = made ? (char *)(made + room) : NULL;
    char quote = 0;

    *argv = NULL;
    if (!made)
        return SEPX_ENOMEM;
    for (;;) {
        while (is_blank(*text))
            text++;
        if (!*text || quote)
            break;
        made[count++] = to;
        quote = copy_word(&text, &to);
    }
    made[count] = NULL;
    if (count && !quote) {
        *argv = made;
        return SEPX_OK;
    }
    sepx__free(made);
    if (quote)
        return sepx_fail(msg, SEPX_EINVAL, "a %c is not closed", quote);
    return sepx_fail(msg, SEPX_EINVAL,
                     "a program is missing; write command:PROGRAM ARG...");
}

/* ---- scripts ---- */

static enum sepx_err search_path(struct sepx_text *path, const char *name);

/*
 * They take the first word that is no option for a file, and fail without it
 * as any script may fail (2, 1). bash says 127.
 * `flags`: options of one letter that have no argument.
 * `shell`: it may look for the file in $PATH, too.
 */
static const struct {
    const char *name, *flags;
    bool shell;
} interpreters[] = {
    {"python", "bBdEiIOqsSuvx", false},
    {"perl", "w", false},
    {"ruby", "w", false},
    {"Rscript", "", false},
    {"sh", "eux", true},
    {"dash", "eux", true},
};

/* A version may follow: python3.11 */
static bool
is_named(const char *program, const char *name)
{
    const char *slash = strrchr(program, '/');
    const char *at = slash ? slash + 1 : program;
    size_t len = strlen(name);

    return !strncmp(at, name, len) &&
           !at[len + strspn(at + len, "0123456789.")];
}

static bool
is_in_path(const char *name)
{
    struct sepx_text path = {0};
    bool found = !strchr(name, '/') && search_path(&path, name) == SEPX_OK;

    sepx_text_release(&path);
    return found;
}

enum sepx_err
sepx__script_check(char *const *argv, struct sepx_msg *msg)
{
    const char *program = *argv++;
    const char *flags = NULL;
    bool shell = false;

    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
        if (is_named(program, interpreters[i].name)) {
            flags = interpreters[i].flags;
            shell = interpreters[i].shell;
        }
    }
    if (!flags)
        return SEPX_OK;
    while (*argv && argv[0][0] == '-' && argv[0][1] &&
           !argv[0][1 + strspn(argv[0] + 1, flags)])
        argv++;
    if (!*argv || **argv == '-' || access(*argv, F_OK) == 0 ||
        (shell && is_in_path(*argv)))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_ENOINPUT,
                     "%s: no such file for %s to run; check the path", *argv,
                     program);
}

/* ---- programs ---- */

static bool
is_program(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
           access(path, X_OK) == 0;
}

/* The first of the folders of $PATH that has it. */
static enum sepx_err
search_path(struct sepx_text *path, const char *name)
{
    const char *at = getenv("PATH");
    enum sepx_err err = SEPX_OK;

    for (at = at ? at : "/usr/bin:/bin"; *at && !err;) {
        size_t len = strcspn(at, ":");

        path->len = 0;
        err = sepx_text_print(path, "%.*s/%s", len ? (int)len : 1,
                              len ? at : ".", name);
        if (!err && is_program(path->at))
            return SEPX_OK;
        at += len + (at[len] == ':');
    }
    return err ? err : SEPX_ENOTFOUND;
}

enum sepx_err
sepx__program_find(char **found, const char *name, struct sepx_msg *msg)
{
    struct sepx_text path = {0};
    enum sepx_err err;

    *found = NULL;

    if (strchr(name, '/'))
        err = sepx_text_print(&path, "%s", name);
    else
        err = search_path(&path, name);
    if (err == SEPX_ENOTFOUND)
        err = sepx_fail(msg, SEPX_ENOINPUT,
                        "%s: no such program in $PATH; write ./%s for one in "
                        "this folder",
                        name, name);
    else if (!err && access(path.at, F_OK) != 0)
        err = sepx_fail(msg, SEPX_ENOINPUT,
                        "%s: no such program; check the path", name);
    else if (!err && !is_program(path.at))
        err = sepx_fail(msg, SEPX_EINVAL,
                        "%s: this file cannot be run; chmod +x it", name);
    if (err)
        sepx_text_release(&path);
    else
        *found = path.at;
    return err;
}
