/* SPDX-License-Identifier: Apache-2.0 */
/* Completion for bash, zsh and fish, made from the rows. */
#include "frame/cli.h"

#include <stdio.h>
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

/* Names that the program gives when it is asked. */
static void
asked(struct out *out, const char *kind)
{
    out_print(out, "$(sepx help --as values %s 2>/dev/null)", kind);
}

static void
bash_value(struct out *out, const struct option *row)
{
    if (row->choices || row->words) {
        out_print(out, "COMPREPLY=($(compgen %s-W \"",
                  wants_file(row) ? "-f " : "");
        if (row->choices)
            words(out, row->choices);
        else
            asked(out, cli_word_kinds[row->words - 1]);
        out_print(out, "\" -- \"$word\")); ");
    } else if (wants_file(row)) {
        out_print(out, "COMPREPLY=($(compgen -f -- \"$word\")); ");
    }
}

static void
bash_values(struct out *out, const struct command *command)
{
    for (const struct option *row = command->options; row->name; row++) {
        if (row->type == OPTION_FLAG)
            continue;
        out_print(out, "    '%s:--%s'", command->name, row->name);
        if (row->letter)
            out_print(out, " | '%s:-%c'", command->name, row->letter);
        out_print(out, ") ");
        bash_value(out, row);
        out_print(out, "return ;;\n");
    }
}

static void
bash_words(struct out *out, const struct command *command)
{
    out_print(out, "    '%s') names='", command->name);
    for (const struct option *row = command->options; row->name; row++)
        out_print(out, "--%s ", row->name);
    out_print(out, "--help'");
    if (command->operands) {
        out_print(out, " operands='");
        words(out, command->operands);
        out_print(out, "'");
    } else if (command->operand_list) {
        out_print(out, " operands=\"");
        asked(out, command->name);
        out_print(out, "\"");
    }
    out_print(out, " ;;\n");
}

/* The word list is used up before the verbs are asked for: they share it. */
static void
bash_verbs(struct out *out)
{
    for (size_t i = 0; cli_commands[i]; i++) {
        char noun[16] = "";
        size_t len = strcspn(cli_commands[i]->name, " ");

        memcpy(noun, cli_commands[i]->name, len);
        if (!cli_is_noun(noun) ||
            (i && !strncmp(cli_commands[i - 1]->name, noun, len)))
            continue;
        out_print(out, "    %s) verbs='", noun);
        words(out, cli_command_words(noun));
        out_print(out, "' ;;\n");
    }
}

void
complete_bash(struct out *out)
{
    out_print(out, "# sepx completion for bash; made by 'sepx help --as "
                   "bash'.\n"
                   "_sepx()\n{\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]}\n"
                   "    local before=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local command=${COMP_WORDS[1]} verbs=''\n"
                   "    local names='' operands=''\n"
                   "    COMPREPLY=()\n"
                   "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                   "        COMPREPLY=($(compgen -W '");
    words(out, cli_command_words(NULL));
    out_print(out, " --help --version' -- \"$word\"))\n"
                   "        return\n    fi\n"
                   "    case $command in\n");
    bash_verbs(out);
    out_print(out,
              "    *) ;;\n    esac\n"
              "    if [ -n \"$verbs\" ] && [ \"$COMP_CWORD\" = 2 ]; then\n"
              "        COMPREPLY=($(compgen -W \"$verbs --help\" -- "
              "\"$word\"))\n"
              "        return\n    fi\n"
              "    [ -n \"$verbs\" ] && command=\"$command ${COMP_WORDS[2]}\"\n"
              "    case \"$command:$before\" in\n");
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
    while (*(text = out_print_until(out, text, "'[]:\\"))) {
        if (*text == '\'')
            out_print(out, "'\\''");
        else
            out_print(out, "\\%c", *text);
        text++;
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
    } else if (row->words) {
        out_print(out, "{compadd -- ");
        asked(out, cli_word_kinds[row->words - 1]);
        out_print(out, "%s}", wants_file(row) ? "; _files" : "");
    } else if (wants_file(row)) {
        out_print(out, "_files");
    }
    out_print(out, "' \\\n");
}

static void
zsh_command(struct out *out, const struct command *command)
{
    out_print(out, "    '%s') _arguments -s \\\n", command->name);
    for (const struct option *row = command->options; row->name; row++)
        zsh_option(out, row);
    zsh_option(out, cli_common_options);
    out_print(out, "        '*:argument:");
    if (command->operands) {
        out_print(out, "(");
        words(out, command->operands);
        out_print(out, ")' ;;\n");
    } else if (command->operand_list) {
        out_print(out, "{compadd -- ");
        asked(out, command->name);
        out_print(out, "}' ;;\n");
    } else {
        out_print(out, "_files' ;;\n");
    }
}

/* 'word:summary' rows; a noun's is that of its help. */
static void
zsh_described(struct out *out, const char *noun)
{
    size_t len = noun ? strlen(noun) : 0;

    for (size_t i = 0; cli_commands[i]; i++) {
        const char *name = cli_commands[i]->name;

        if (noun ? strncmp(name, noun, len) || name[len] != ' '
                 : strchr(name, ' ') != NULL)
            continue;
        out_print(out, "    '%s:", noun ? name + len + 1 : name);
        zsh_text(out, cli_commands[i]->summary);
        out_print(out, "'\n");
    }
}

void
complete_zsh(struct out *out)
{
    const char *const *first = cli_command_words(NULL);
    char nouns[8][16];
    size_t n = 0;

    for (size_t i = 0; first[i]; i++)
        if (cli_is_noun(first[i]) && n < 8)
            snprintf(nouns[n++], sizeof nouns[0], "%s", first[i]);
    out_print(out, "#compdef sepx\n"
                   "# sepx completion for zsh; made by 'sepx help --as zsh'.\n"
                   "local -a commands=(\n");
    zsh_described(out, NULL);
    for (size_t i = 0; i < n; i++)
        out_print(out, "    '%s:%s VERB ...'\n", nouns[i], nouns[i]);
    out_print(out, ")\n");
    for (size_t i = 0; i < n; i++) {
        out_print(out, "local -a verbs_%s=(\n", nouns[i]);
        zsh_described(out, nouns[i]);
        out_print(out, ")\n");
    }
    out_print(out, "if (( CURRENT == 2 )); then\n"
                   "    _describe command commands\n"
                   "    return\nfi\n"
                   "local command=$words[2]\n"
                   "shift words\n(( CURRENT-- ))\n"
                   "case $command in\n");
    for (size_t i = 0; i < n; i++)
        out_print(out,
                  "    %s) if (( CURRENT == 2 )); then\n"
                  "            _describe verb verbs_%s\n"
                  "            return\n        fi\n"
                  "        command=\"$command $words[2]\"\n"
                  "        shift words\n        (( CURRENT-- )) ;;\n",
                  nouns[i], nouns[i]);
    out_print(out, "esac\ncase $command in\n");
    for (size_t i = 0; cli_commands[i]; i++)
        zsh_command(out, cli_commands[i]);
    out_print(out, "esac\n");
}

/* ---- fish ---- */

static void
fish_text(struct out *out, const char *text)
{
    out_print(out, "'");
    while (*(text = out_print_until(out, text, "'\\")))
        out_print(out, "\\%c", *text++);
    out_print(out, "'");
}

/* The condition under which a command's words are offered. */
static void
fish_when(struct out *out, const struct command *command)
{
    const char *name = command->name;
    size_t len = strcspn(name, " ");

    out_print(out, "complete -c sepx -n '__fish_seen_subcommand_from %.*s",
              (int)len, name);
    if (name[len])
        out_print(out, "; and __fish_seen_subcommand_from %s", name + len + 1);
    out_print(out, "'");
}

static void
fish_option(struct out *out, const struct command *command,
            const struct option *row)
{
    fish_when(out, command);
    out_print(out, " -l %s", row->name);
    if (row->letter)
        out_print(out, " -s %c", row->letter);
    if (row->choices) {
        out_print(out, " -xa '");
        words(out, row->choices);
        out_print(out, "'");
    } else if (row->words) {
        out_print(out, wants_file(row) ? " -rFa '(" : " -xa '(");
        out_print(out, "sepx help --as values %s)'",
                  cli_word_kinds[row->words - 1]);
    } else if (row->argument) {
        out_print(out, wants_file(row) ? " -rF" : " -x");
    }
    out_print(out, " -d ");
    fish_text(out, row->help);
    out_print(out, "\n");
}

/* The command's own word: its name, or the verb behind its noun. */
static void
fish_command(struct out *out, const struct command *command)
{
    const char *name = command->name;
    size_t len = strcspn(name, " ");

    if (name[len])
        out_print(out,
                  "complete -c sepx -n __fish_use_subcommand -xa %.*s\n"
                  "complete -c sepx -n '__fish_seen_subcommand_from %.*s' "
                  "-xa %s -d ",
                  (int)len, name, (int)len, name, name + len + 1);
    else
        out_print(out, "complete -c sepx -n __fish_use_subcommand -xa %s -d ",
                  name);
    fish_text(out, command->summary);
    out_print(out, "\n");
}

void
complete_fish(struct out *out)
{
    out_print(out, "# sepx completion for fish; made by 'sepx help --as "
                   "fish'.\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const struct command *command = cli_commands[i];

        fish_command(out, command);
        for (const struct option *row = command->options; row->name; row++)
            fish_option(out, command, row);
        fish_option(out, command, cli_common_options);
        if (command->operands) {
            fish_when(out, command);
            out_print(out, " -xa '");
            words(out, command->operands);
            out_print(out, "'\n");
        } else if (command->operand_list) {
            fish_when(out, command);
            out_print(out, " -xa '(sepx help --as values %s)'\n",
                      command->name);
        }
    }
}
