/* SPDX-License-Identifier: Apache-2.0 */
/* sepx server stop: end a server that 'sepx server start' started. */
#include "server/server_folder.h"

static const struct option options[] = {{0}};

static const struct example examples[] = {
    {"server stop studies", "workers wait until it is started again"},
    {0},
};

static int
run(const struct call *call)
{
    static const char *const words[] = {"-D",   "data", "-w", "-s",   "-m",
                                        "fast", "-t",   "60", "stop", NULL};
    struct server server;
    int status = server_open(&server, "server stop", call->operand[0], false);

    if (!status)
        status = server_lock(&server);
    if (status)
        return status;
    if (!server_runs(&server)) {
        cli_say("server stop", "%s does not run", server.folder);
        return CLI_DONE;
    }
    return server_call(&server, "pg_ctl", words, NULL);
}

static const char *const synopsis[] = {"FOLDER", NULL};

const struct command command_server_stop = {
    .name = "server stop",
    .group = GROUP_STUDIES,
    .summary = "stop a server that 'sepx server start' started",
    COMMAND_PARTS,
    .about = "Ends the server of FOLDER. Its studies stay; workers keep what "
             "they have computed and continue when it is started again.",
    .least_operands = 1,
    .most_operands = 1,
    .settings_size = 1,
};
