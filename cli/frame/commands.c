/* SPDX-License-Identifier: Apache-2.0 */
/* All commands, in the order of --help. A new one is a file and a row. */
#include "frame/cli.h"

#include <string.h>

/* clang-format off */
#if SEPX_RESEARCH
#define RESEARCH_COMMANDS(X) X(theory) X(reproduce) X(bench)
#else
#define RESEARCH_COMMANDS(X)
#endif
#define COMMANDS(X) \
    X(ged) \
    X(canon) \
    X(draw) \
    X(convert) \
    X(space) \
    X(sample) \
    X(mutate) \
    X(cross) \
    X(search) \
    X(compare) \
    X(study_run) \
    X(study_work) \
    X(study_status) \
    X(study_trial) \
    X(study_best) \
    X(study_lineage) \
    X(study_predict) \
    X(study_watch) \
    X(study_report) \
    X(study_export) \
    X(study_add) \
    X(study_import) \
    X(study_copy) \
    X(study_verify) \
    X(study_list) \
    X(server_start) \
    X(server_stop) \
    X(server_url) \
    X(data) \
    RESEARCH_COMMANDS(X) \
    X(doctor) \
    X(help)

static const char *const titles[] = {
    [GROUP_DISTANCES] = "Distances",
    [GROUP_SPACES] = "Spaces and operators",
    [GROUP_SEARCH] = "Search (many short runs)",
    [GROUP_STUDIES] = "Studies (one search, kept in a file or on a server)",
    [GROUP_DATA] = "Data",
    [GROUP_PAPER] = "The paper",
    [GROUP_HELP] = "Help",
};
/* clang-format on */

#define X(symbol) extern const struct command command_##symbol;
COMMANDS(X)
#undef X

#define X(symbol) &command_##symbol,
const struct command *const cli_commands[] = {COMMANDS(X) NULL};
#undef X

enum { N_COMMANDS = sizeof cli_commands / sizeof cli_commands[0] - 1 };

const char *
cli_group_title(enum command_group group)
{
    return titles[group];
}

/* The length of a name's first word. */
static size_t
noun_length(const char *name)
{
    return strcspn(name, " ");
}

static bool
begins_with(const struct command *command, const char *word)
{
    size_t len = noun_length(command->name);

    return strlen(word) == len && !strncmp(command->name, word, len);
}

bool
cli_is_noun(const char *word)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (begins_with(cli_commands[i], word))
            return cli_commands[i]->name[strlen(word)] == ' ';
    return false;
}

const char *const *
cli_command_words(const char *noun)
{
    static const char *list[N_COMMANDS + 1];
    static char first[N_COMMANDS][16];
    size_t count = 0;

    for (size_t i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name;
        size_t len = noun_length(name);

        if (noun && begins_with(cli_commands[i], noun) && name[len])
            list[count++] = name + len + 1;
        if (noun || (i && begins_with(cli_commands[i], first[count - 1])))
            continue;
        memcpy(first[count], name, len);
        first[count][len] = '\0';
        list[count] = first[count];
        count++;
    }
    list[count] = NULL;
    return list;
}

const struct command *
cli_command_find(int argc, char **argv, int *used)
{
    for (size_t i = 0; cli_commands[i] && argc; i++) {
        const char *name = cli_commands[i]->name;
        size_t len = noun_length(name);

        *used = name[len] ? 2 : 1;
        if (begins_with(cli_commands[i], argv[0]) &&
            (*used == 1 || (argc > 1 && !strcmp(name + len + 1, argv[1]))))
            return cli_commands[i];
    }
    return NULL;
}
