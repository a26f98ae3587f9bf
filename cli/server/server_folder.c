/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/private.h"

enum { VERSION_LEAST = 12, VERSION_MOST = 40 };

const char *const server_roles[] = {"owner", "worker", "reader", NULL};

static int
fail(const struct server *server, const char *what, const char *path)
{
    cli_say(server->command, "%s: %s: %s", path, what, strerror(errno));
    return CLI_FAILED;
}

/* ---- where its programs are ---- */

static bool
has_programs(const char *folder)
{
    char path[PATH_MAX + 16];

    (void)snprintf(path, sizeof path, "%s/pg_ctl", folder);
    return access(path, X_OK) == 0;
}

/* The version of the data if there are any, else the newest. */
static int
find_programs(struct server *server)
{
    const char *given = getenv("SEPX_POSTGRES_BIN");
    int most = VERSION_MOST, least = VERSION_LEAST;
    char path[PATH_MAX + 32];
    FILE *file;

    if (given && has_programs(given)) {
        (void)snprintf(server->bin, sizeof server->bin, "%s", given);
        return CLI_DONE;
    }
    (void)snprintf(path, sizeof path, "%s/data/PG_VERSION", server->folder);
    file = fopen(path, "re");
    if (file) {
        int version;

        if (fscanf(file, "%2d", &version) == 1)
            most = least = version;
        (void)fclose(file);
    }
    for (int i = most; i >= least; i--) {
        (void)snprintf(server->bin, sizeof server->bin,
                       "/usr/lib/postgresql/%d/bin", i);
        if (has_programs(server->bin))
            return CLI_DONE;
    }
    cli_say(server->command,
            "the programs of PostgreSQL%s are not there; install the package "
            "'postgresql', or name their folder in SEPX_POSTGRES_BIN",
            most == least ? " in the version of this folder" : "");
    return CLI_FAILED;
}

/* ---- the folder, and whose it is ---- */

static bool
is_empty(int fd)
{
    DIR *folder = fdopendir(fd);
    int names = 0;

    while (folder && names <= 2 && readdir(folder))
        names++;
    return folder && closedir(folder) == 0 && names == 2;
}

/*
 * A new folder of root's is for the user that Debian has for servers. One
 * that has anything in it is not ours to give.
 */
static int
give_away(const struct server *server)
{
    const struct passwd *user = getpwnam("postgres");
    int fd =
        open(server->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int copy = fd >= 0 ? dup(fd) : -1;
    bool done = copy >= 0 && is_empty(copy) && user &&
                fchown(fd, user->pw_uid, user->pw_gid) == 0;

    if (fd >= 0)
        (void)close(fd);
    if (done)
        return CLI_DONE;
    cli_say(server->command,
            "%s belongs to root, as whom PostgreSQL refuses to run; name a new "
            "or empty folder, or one of another user",
            server->folder);
    return CLI_FAILED;
}

static int
become_owner(const struct server *server)
{
    struct stat at;

    if (getuid() != 0)
        return CLI_DONE;
    if (stat(server->folder, &at) != 0)
        return fail(server, "cannot be read", server->folder);
    if (at.st_uid == 0) {
        int status = give_away(server);

        if (status)
            return status;
        (void)stat(server->folder, &at);
    }
    if (setgroups(0, NULL) != 0 || setgid(at.st_gid) != 0 ||
        setuid(at.st_uid) != 0)
        return fail(server, "cannot become its owner", server->folder);
    return CLI_DONE;
}

int
server_open(struct server *server, const char *command, const char *folder,
            bool make)
{
    char path[PATH_MAX + 32];
    const bool root = getuid() == 0;
    int status;

    *server = (struct server){.command = command};
    (void)umask(077);
    if (make && mkdir(folder, 0700) != 0 && errno != EEXIST)
        return fail(server, "cannot be made", folder);
    if (!realpath(folder, server->folder)) {
        fail(server, "no such server", folder);
        return CLI_NOINPUT;
    }
    status = become_owner(server);
    if (!status && chdir(server->folder) != 0)
        status = fail(server,
                      root ? "cannot be entered by the user who would run it"
                           : "cannot be entered",
                      server->folder);
    (void)snprintf(path, sizeof path, "%s/data/PG_VERSION", server->folder);
    server->there = access(path, F_OK) == 0;
    if (!status && !make && !server->there) {
        cli_say(command, "%s: no server; 'sepx server start %s' makes one",
                folder, folder);
        return CLI_NOINPUT;
    }
    return status ? status : find_programs(server);
}

int
server_write(const struct server *server, const char *name, const char *text)
{
    char path[PATH_MAX + 32];
    struct sepx_msg msg = {0};
    enum sepx_err err;

    (void)snprintf(path, sizeof path, "%s/%s", server->folder, name);
    err = sepx_file_write(path, text, strlen(text), &msg);
    return err ? cli_fail(server->command, err, &msg) : CLI_DONE;
}

int
server_read(struct server *server)
{
    FILE *file = fopen("address", "re");
    int count = 0;

    if (file) {
        count = fscanf(file, "%255s %5u", server->host, &server->port);
        (void)fclose(file);
    }
    if (count == 2)
        return CLI_DONE;
    cli_say(server->command, "%s: it was never started; 'sepx server start'",
            server->folder);
    return CLI_NOINPUT;
}

/* ---- its programs ---- */

static enum sepx_err
call(const struct server *server, const char *name, const char *const *words,
     const struct sepx_text *input, struct sepx_text *output, int *status,
     struct sepx_msg *msg)
{
    const struct sepx_text nothing = {0};
    char path[PATH_MAX + 32];
    const char *argv[24] = {path};
    size_t count = 1;

    (void)snprintf(path, sizeof path, "%s/%s", server->bin, name);
    while (*words && count + 1 < sizeof argv / sizeof argv[0])
        argv[count++] = *words++;
    return child_run(argv, input ? input : &nothing, output, status, msg);
}

int
server_call(const struct server *server, const char *name,
            const char *const *words, const struct sepx_text *input)
{
    struct sepx_text output = {0};
    struct sepx_msg msg = {0};
    int status = 1;
    enum sepx_err err =
        call(server, name, words, input, &output, &status, &msg);

    sepx_text_release(&output);
    if (err)
        return cli_fail(server->command, err, &msg);
    if (!status)
        return CLI_DONE;
    cli_say(server->command, "%s failed; %s/server.log may say why", name,
            server->folder);
    return CLI_FAILED;
}

bool
server_answers(const struct server *server, long port)
{
    char text[32];
    const char *const words[] = {"-q", "-h", "127.0.0.1", "-t",
                                 "5",  "-p", text,        NULL};
    struct sepx_text output = {0};
    int status = 1;
    enum sepx_err err;

    (void)snprintf(text, sizeof text, "%ld", port);
    err = call(server, "pg_isready", words, NULL, &output, &status, NULL);
    sepx_text_release(&output);
    return !err && status == 0;
}

void
server_print_url(struct out *out, const struct server *server, const char *role,
                 const char *host)
{
    const char *user = strcmp(role, "owner") != 0 ? role : "sepx";
    bool colons;

    host = host ? host : server->host;
    colons = strchr(host, ':') && host[0] != '[';
    out_print(out, "postgresql://%s@%s%s%s:%u/sepx?passfile=", user,
              colons ? "[" : "", host, colons ? "]" : "", server->port);
    for (const char *at = server->folder; *at; at++)
        out_print(out, strchr("%?#&= ", *at) ? "%%%02X" : "%c",
                  (unsigned char)*at);
    out_print(out, "/%s.pgpass\n", role);
}
