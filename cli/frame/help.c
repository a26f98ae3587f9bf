/* SPDX-License-Identifier: Apache-2.0 */
/* sepx help, and the text behind --help: all of it from the rows. */
#include "frame/cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 79, COLUMN = 25 };

const struct option cli_common_options[] = {
    {"help", 'h', OPTION_FLAG, 0, .help = "print this help"},
    {0},
};

/* Print words from column `at` on, wrapped, further lines at `indent`. */
static void
wrap(struct out *out, const char *text, size_t len, size_t at, size_t indent)
{
    while (len) {
        size_t word = 0;

        while (word < len && text[word] != ' ' && text[word] != '\n')
            word++;
        if (at > indent && at + 1 + word > WIDTH) {
            out_print(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            out_print(out, " ");
            at++;
        }
        out_print(out, "%.*s", (int)word, text);
        at += word;
        while (word < len && (text[word] == ' ' || text[word] == '\n'))
            word++;
        text += word;
        len -= word;
    }
    out_print(out, "\n");
}

static void
heading(struct out *out, const char *text)
{
    out_print(out, "\n");
    out_style(out, STDOUT_FILENO, STYLE_BOLD);
    out_print(out, "%s:", text);
    out_style(out, STDOUT_FILENO, STYLE_PLAIN);
    out_print(out, "\n");
}

static void
paragraphs(struct out *out, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t len = end ? (size_t)(end - text) : strlen(text);

        out_print(out, "\n");
        wrap(out, text, len, 0, 0);
        text += len + (end ? 2 : 0);
    }
}

static void
option_lines(struct out *out, const struct option *row)
{
    char left[128], right[1024];
    int used;

    used = snprintf(
        left, sizeof left, "  %c%c%s --%s%s%s", row->letter ? '-' : ' ',
        row->letter ? row->letter : ' ', row->letter ? "," : " ", row->name,
        row->argument ? " " : "", row->argument ? row->argument : "");
    snprintf(right, sizeof right, row->otherwise ? "%s (default: %s)" : "%s",
             row->help, row->otherwise);
    if (used + 2 > COLUMN)
        out_print(out, "%s\n%*s", left, COLUMN, "");
    else
        out_print(out, "%-*s", COLUMN, left);
    wrap(out, right, strlen(right), COLUMN, COLUMN);
}

/* The first two examples open the help, the others close it. */
enum { OPENING = 2 };

static void
examples(struct out *out, const struct example *rows, size_t from, size_t to)
{
    for (size_t i = 0; rows && rows[i].line && i < to; i++) {
        if (i < from)
            continue;
        if (i == from)
            heading(out, from ? "More examples" : "Examples");
        out_print(out, "  sepx %s\n      ", rows[i].line);
        wrap(out, rows[i].says, strlen(rows[i].says), 6, 6);
    }
}

static void
option_groups(struct out *out, const struct option *rows)
{
    if (!rows->name || !rows->group)
        heading(out, "Options");
    for (; rows->name; rows++) {
        if (rows->group)
            heading(out, rows->group);
        option_lines(out, rows);
    }
    option_lines(out, cli_common_options);
}

void
help_command(struct out *out, const struct command *command)
{
    out_print(out, "sepx %s - %s\n", command->name, command->summary);
    heading(out, "Usage");
    for (size_t i = 0; command->synopsis[i]; i++)
        out_print(out, "  sepx %s %s\n", command->name, command->synopsis[i]);
    examples(out, command->examples, 0, OPENING);
    paragraphs(out, command->about);
    option_groups(out, command->options);
    examples(out, command->examples, OPENING, SIZE_MAX);
}

/* Each word once: a noun stands for its verbs. */
static void
command_lines(struct out *out, enum command_group group)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->group == group)
            out_print(out, "  %-15s %s\n", cli_commands[i]->name,
                      cli_commands[i]->summary);
}

void
help_noun(struct out *out, const char *noun)
{
    size_t len = strlen(noun);

    heading(out, "Usage");
    out_print(out, "  sepx %s VERB [OPTION...] [ARGUMENT...]\n", noun);
    heading(out, "Verbs");
    for (size_t i = 0; cli_commands[i]; i++)
        if (!strncmp(cli_commands[i]->name, noun, len) &&
            cli_commands[i]->name[len] == ' ')
            out_print(out, "  %-10s %s\n", cli_commands[i]->name + len + 1,
                      cli_commands[i]->summary);
    out_print(out, "\n'sepx %s VERB --help' has options and examples.\n", noun);
}

void
help_program(struct out *out)
{
    out_print(out, "sepx - evolve graphs, and compute exact graph edit "
                   "distances\n");
    heading(out, "Usage");
    out_print(out, "  sepx COMMAND [OPTION...] [ARGUMENT...]\n");
    for (enum command_group group = 0; group < GROUP_END; group++) {
        heading(out, cli_group_title(group));
        command_lines(out, group);
    }
    heading(out, "Options");
    out_print(out, "  -h, --help     print this help\n"
                   "  -V, --version  print version and build features\n");
    heading(out, "Exit codes");
#define X(name, code, meaning) out_print(out, "  %3d  %s\n", code, meaning);
    CLI_EXITS(X)
#undef X
    out_print(out, "\n'sepx COMMAND --help' has options and examples.\n");
}

/* ---- the command ---- */

struct settings {
    const char *as;
};

#define AT(member) offsetof(struct settings, member)

static const char *const forms[] = {"text", "man",  "markdown", "bash",
                                    "zsh",  "fish", "values",   NULL};

/* clang-format off */
static const struct option options[] = {
    {"as", 0, OPTION_CHOICE, AT(as), "FORM", "text", .choices = forms,
     .help = "text, man (a manual page), markdown (all commands), or the "
             "completion of bash, zsh or fish; values lists names of a kind "
             "(methods, spaces, ...), for completion"},
    {0},
};

static const struct example help_examples[] = {
    {"help ged", "options and examples of 'sepx ged'"},
    {"help --as man ged | man -l -", "the same as a manual page"},
    {"help --as bash > ~/.local/share/bash-completion/completions/sepx",
     "completion for bash, where no package installed it"},
    {0},
};
/* clang-format on */

/* Names of a kind, or what the operands of a command can be. */
static int
print_words(const struct call *call)
{
    const char *kind = call->n_operands ? call->operand[0] : "";
    const struct command *command;
    struct out out = {0};
    enum cli_words words = WORDS_METHODS;
    int status, used;

    while (words < WORDS_END && strcmp(kind, cli_word_kinds[words - 1]) != 0)
        words++;
    command = cli_command_find((int)call->n_operands, call->operand, &used);
    if (words < WORDS_END)
        cli_words_print(&out, words);
    else if (command && command->operand_list)
        command->operand_list(&out);
    else
        return cli_unknown("help", "kind of value", kind, cli_word_kinds);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    const struct command *about = NULL;
    const char *noun = NULL;
    int used;
    const char *as = settings->as;
    struct out out = {0};
    int status;

    if (!strcmp(as, "values"))
        return print_words(call);
    if (call->n_operands) {
        about = cli_command_find((int)call->n_operands, call->operand, &used);
        if (!about && !cli_is_noun(call->operand[0]))
            return cli_unknown("help", "command", call->operand[0],
                               cli_command_words(NULL));
        if (!about)
            noun = call->operand[0];
    }
    if (!strcmp(as, "man"))
        about ? manual_command(&out, about) : manual_program(&out);
    else if (!strcmp(as, "markdown"))
        markdown_all(&out);
    else if (!strcmp(as, "bash"))
        complete_bash(&out);
    else if (!strcmp(as, "zsh"))
        complete_zsh(&out);
    else if (!strcmp(as, "fish"))
        complete_fish(&out);
    else if (noun)
        help_noun(&out, noun);
    else
        about ? help_command(&out, about) : help_program(&out);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static const char *const synopsis[] = {"[--as FORM] [COMMAND [VERB]]", NULL};

const struct command command_help = {
    .name = "help",
    .summary = "explain a command; make manual pages and completions",
    .synopsis = synopsis,
    .about = "Prints the help of a command, or of the program. The other "
             "forms are made from the same rows as the help, for packagers.",
    .options = options,
    .examples = help_examples,
    .group = GROUP_HELP,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
    .run = run,
};
