/* SPDX-License-Identifier: Apache-2.0 */
/* sepx server url: how to reach a server. */
#include "server/server_folder.h"

struct settings {
    const char *role, *host;
};

/* clang-format off */
static const struct option options[] = {
    {"role", 0, OPTION_CHOICE, offsetof(struct settings, role), "ROLE", "owner",
     .choices = server_roles,
     .help = "who uses it: the owner begins studies, a worker appends "
             "results, a reader looks"},
    {"host", 0, OPTION_TEXT, offsetof(struct settings, host), "NAME",
     .help = "name of the machine in the URL, if not its own"},
    {0},
};

static const struct example examples[] = {
    {"server url studies", "for 'sepx study run'; add &study=NAME"},
    {"server url studies --role worker", "for 'sepx study work'"},
    {0},
};
/* clang-format on */

static int
run(const struct call *call)
{
    const struct settings *given = call->settings;
    struct server server;
    struct out out = {0};
    int status = server_open(&server, "server url", call->operand[0], false);

    if (!status)
        status = server_read(&server);
    if (!status) {
        server_print_url(&out, &server, given->role, given->host);
        status = out_flush(&out);
    }
    out_release(&out);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] FOLDER", NULL};

const struct command command_server_url = {
    .name = "server url",
    .group = GROUP_STUDIES,
    .summary = "print the URL of a server's database",
    COMMAND_PARTS,
    .about = "The password is not in it: passfile= names the file that has "
             "it. On another machine, name the copy of that file there, or "
             "put its line into ~/.pgpass.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
