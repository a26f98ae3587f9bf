/* SPDX-License-Identifier: Apache-2.0 */
/* All commands, in the order of --help. A new one is a file and a row. */
#include "cli.h"

#include <string.h>

/* clang-format off */
#define COMMANDS(X) \
    X(ged) \
    X(canon) \
    X(draw) \
    X(space) \
    X(sample) \
    X(mutate) \
    X(cross) \
    X(search) \
    X(compare) \
    X(resume) \
    X(status) \
    X(best) \
    X(lineage) \
    X(export) \
    X(verify) \
    X(data) \
    X(theory) \
    X(reproduce) \
    X(bench) \
    X(help)
/* clang-format on */

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

#define X(name) &command_##name,
const struct command *const cli_commands[] = {COMMANDS(X) NULL};
#undef X

#define X(name) #name,
const char *const cli_command_names[] = {COMMANDS(X) NULL};
#undef X

const struct command *
cli_command_find(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!strcmp(cli_commands[i]->name, name))
            return cli_commands[i];
    }
    return NULL;
}
