/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for bash, zsh and fish, made from the rows. */
#include "cli.h"

#include <string.h>

static bool
wants_file(const struct option *row)
{
    return row->type == OPTION_FILE;
}

static void
words(struct out *out, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        out_print(out, "%s%s", i ? " " : "", names[i]);
}

/* ---- bash ---- */

static void
bash_values(struct out *out, const struct command *command)
{
    for (const struct option *row = command->options; row->name; row++) {
        if (row->type == OPTION_FLAG)
            continue;
        out_print(out, "    %s:--%s", command->name, row->name);
        if (row->letter)
            out_print(out, " | %s:-%c", command->name, row->letter);
        out_print(out, ") ");
        if (row->choices) {
            out_print(out, "COMPREPLY=($(compgen -W '");
            words(out, row->choices);
            out_print(out, "' -- \"$word\")); ");
        } else if (wants_file(row)) {
            out_print(out, "COMPREPLY=($(compgen -f -- \"$word\")); ");
        }
        out_print(out, "return ;;\n");
    }
}

static void
bash_words(struct out *out, const struct command *command)
{
    out_print(out, "    %s) names='", command->name);
    for (const struct option *row = command->options; row->name; row++)
        out_print(out, "--%s ", row->name);
    out_print(out, "--help'");
    if (command->operands) {
        out_print(out, " operands='");
        words(out, command->operands);
        out_print(out, "'");
    }
    out_print(out, " ;;\n");
}

void
complete_bash(struct out *out)
{
    out_print(out, "# sepx completion for bash; made by 'sepx help --as "
                   "bash'.\n"
                   "_sepx()\n{\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]}\n"
                   "    local before=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local command=${COMP_WORDS[1]} names='' operands=''\n"
                   "    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                   "        COMPREPLY=($(compgen -W '");
    words(out, cli_command_names);
    out_print(out, " --help --version' -- \"$word\"))\n"
                   "        return\n    fi\n"
                   "    case $command:$before in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        bash_values(out, cli_commands[i]);
    out_print(out, "    esac\n    case $command in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        bash_words(out, cli_commands[i]);
    out_print(out, "    esac\n"
                   "    if [ \"${word#-}\" != \"$word\" ]; then\n"
                   "        COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
                   "    elif [ -n \"$operands\" ]; then\n"
                   "        COMPREPLY=($(compgen -W \"$operands\" -- "
                   "\"$word\"))\n"
                   "    else\n"
                   "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                   "    fi\n}\n"
                   "complete -o filenames -F _sepx sepx\n");
}

/* ---- zsh ---- */

/* Inside '...[...]': quotes, brackets and colons need care. */
static void
zsh_text(struct out *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            out_print(out, "'\\''");
        else if (strchr("[]:\\", *text))
            out_print(out, "\\%c", *text);
        else
            out_print(out, "%c", *text);
    }
}

static void
zsh_option(struct out *out, const struct option *row)
{
    if (row->letter)
        out_print(out, "        '(-%c --%s)'{-%c,--%s}'[", row->letter,
                  row->name, row->letter, row->name);
    else
        out_print(out, "        '--%s[", row->name);
    zsh_text(out, row->help);
    out_print(out, "]");
    if (row->argument) {
        out_print(out, ":");
        zsh_text(out, row->argument);
        out_print(out, ":");
    }
    if (row->choices) {
        out_print(out, "(");
        words(out, row->choices);
        out_print(out, ")");
    } else if (wants_file(row)) {
        out_print(out, "_files");
    }
    out_print(out, "' \\\n");
}

static void
zsh_command(struct out *out, const struct command *command)
{
    out_print(out, "    %s) _arguments -s \\\n", command->name);
    for (const struct option *row = command->options; row->name; row++)
        zsh_option(out, row);
    zsh_option(out, cli_common_options);
    out_print(out, "        '*:argument:");
    if (command->operands) {
        out_print(out, "(");
        words(out, command->operands);
        out_print(out, ")' ;;\n");
    } else {
        out_print(out, "_files' ;;\n");
    }
}

void
complete_zsh(struct out *out)
{
    out_print(out, "#compdef sepx\n"
                   "# sepx completion for zsh; made by 'sepx help --as zsh'.\n"
                   "local -a commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        out_print(out, "    '%s:", cli_commands[i]->name);
        zsh_text(out, cli_commands[i]->summary);
        out_print(out, "'\n");
    }
    out_print(out, ")\nif (( CURRENT == 2 )); then\n"
                   "    _describe command commands\n"
                   "    return\nfi\n"
                   "local command=$words[2]\n"
                   "shift words\n(( CURRENT-- ))\n"
                   "case $command in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        zsh_command(out, cli_commands[i]);
    out_print(out, "esac\n");
}

/* ---- fish ---- */

static void
fish_text(struct out *out, const char *text)
{
    out_print(out, "'");
    for (; *text; text++)
        out_print(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    out_print(out, "'");
}

static void
fish_option(struct out *out, const struct command *command,
            const struct option *row)
{
    out_print(out, "complete -c sepx -n '__fish_seen_subcommand_from %s' -l %s",
              command->name, row->name);
    if (row->letter)
        out_print(out, " -s %c", row->letter);
    if (row->choices) {
        out_print(out, " -xa '");
        words(out, row->choices);
        out_print(out, "'");
    } else if (row->argument) {
        out_print(out, wants_file(row) ? " -rF" : " -x");
    }
    out_print(out, " -d ");
    fish_text(out, row->help);
    out_print(out, "\n");
}

void
complete_fish(struct out *out)
{
    out_print(out, "# sepx completion for fish; made by 'sepx help --as "
                   "fish'.\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct command *command = cli_commands[i];

        out_print(out, "complete -c sepx -n __fish_use_subcommand -xa %s -d ",
                  command->name);
        fish_text(out, command->summary);
        out_print(out, "\n");
        for (const struct option *row = command->options; row->name; row++)
            fish_option(out, command, row);
        fish_option(out, command, cli_common_options);
        if (command->operands) {
            out_print(out,
                      "complete -c sepx -n '__fish_seen_subcommand_from "
                      "%s' -xa '",
                      command->name);
            words(out, command->operands);
            out_print(out, "'\n");
        }
    }
}
