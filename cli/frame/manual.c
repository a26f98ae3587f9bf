/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages (man macros) and docs/cli.md, made from the rows. */
#include "frame/cli.h"

#include <ctype.h>
#include <string.h>

/* ---- manual pages ---- */

/* Text for roff: escapes, and no line that begins with a control character. */
static void
roff(struct out *out, const char *text)
{
    bool start = true;

    while (*text) {
        if (start && (*text == '.' || *text == '\''))
            out_print(out, "\\&");
        text = out_print_until(out, text, "\n-\\");
        start = *text == '\n';
        if (text[0] == '\n' && text[1] == '\n') {
            out_print(out, "\n.PP\n");
            text++;
        } else if (*text) {
            out_print(out, *text == '-' ? "\\-" : *text == '\\' ? "\\e" : "\n");
        }
        text += *text != '\0';
    }
}

/* The page of a command, sepx-study-run for "study run"; NULL: "sepx". */
static void
page_name(struct out *out, const char *name, const char *dash)
{
    out_print(out, "sepx%s", name ? dash : "");
    for (const char *c = name ? name : ""; *c; c++)
        if (*c == ' ')
            out_print(out, "%s", dash);
        else
            out_print(out, "%c", *c);
}

static void
roff_title(struct out *out, const char *name, const char *summary)
{
    out_print(out, ".TH SEPX");
    if (name)
        out_print(out, "\\-");
    for (const char *c = name ? name : ""; *c; c++)
        out_print(out, "%c", *c == ' ' ? '-' : toupper((unsigned char)*c));
    out_print(out, " 1 \"\" \"sepx %s\" \"sepx manual\"\n.SH NAME\n",
              SEPX_VERSION);
    page_name(out, name, "\\-");
    out_print(out, " \\- ");
    roff(out, summary);
    out_print(out, "\n");
}

static void
roff_option(struct out *out, const struct option *row)
{
    out_print(out, ".TP\n");
    if (row->letter)
        out_print(out, "\\fB\\-%c\\fR, ", row->letter);
    out_print(out, "\\fB\\-\\-");
    roff(out, row->name);
    out_print(out, "\\fR");
    if (row->argument) {
        out_print(out, " \\fI");
        roff(out, row->argument);
        out_print(out, "\\fR");
    }
    out_print(out, "\n");
    roff(out, row->help);
    if (row->otherwise) {
        out_print(out, " (default: ");
        roff(out, row->otherwise);
        out_print(out, ")");
    }
    out_print(out, "\n");
}

static void
roff_exits(struct out *out)
{
    out_print(out, ".SH EXIT STATUS\n");
#define X(name, code, meaning) out_print(out, ".TP\n%d\n%s\n", code, meaning);
    CLI_EXITS(X)
#undef X
}

void
manual_command(struct out *out, const struct command *command)
{
    roff_title(out, command->name, command->summary);
    out_print(out, ".SH SYNOPSIS\n");
    for (size_t i = 0; command->synopsis[i]; i++) {
        out_print(out, "%s\\fBsepx %s\\fR ", i ? ".br\n" : "", command->name);
        roff(out, command->synopsis[i]);
        out_print(out, "\n");
    }
    out_print(out, ".SH DESCRIPTION\n");
    roff(out, command->about);
    out_print(out, "\n.SH OPTIONS\n");
    for (const struct option *row = command->options; row->name; row++)
        roff_option(out, row);
    roff_option(out, cli_common_options);
    if (command->examples)
        out_print(out, ".SH EXAMPLES\n");
    for (const struct example *row = command->examples; row && row->line;
         row++) {
        out_print(out, ".TP\n\\fBsepx ");
        roff(out, row->line);
        out_print(out, "\\fR\n");
        roff(out, row->says);
        out_print(out, "\n");
    }
    roff_exits(out);
    out_print(out, ".SH SEE ALSO\n.BR sepx (1)\n");
}

void
manual_program(struct out *out)
{
    roff_title(out, NULL,
               "evolve graphs, and compute exact graph edit distances");
    out_print(out, ".SH SYNOPSIS\n\\fBsepx\\fR \\fICOMMAND\\fR [OPTION...] "
                   "[ARGUMENT...]\n.SH COMMANDS\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        out_print(out, ".TP\n\\fBsepx %s\\fR\n", cli_commands[i]->name);
        roff(out, cli_commands[i]->summary);
        out_print(out, "\n");
    }
    out_print(out, ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"
                   "print a summary\n.TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\n"
                   "print version and build features\n");
    roff_exits(out);
    out_print(out, ".SH ENVIRONMENT\n.TP\nNO_COLOR\n"
                   "if set and not empty, nothing is coloured\n"
                   ".SH SEE ALSO\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        out_print(out, ".BR ");
        page_name(out, cli_commands[i]->name, "\\-");
        out_print(out, " (1)%s\n", cli_commands[i + 1] ? "," : "");
    }
}

/* ---- Markdown ---- */

/* Inside a table, a bar would end the cell. */
static void
markdown_cell(struct out *out, const char *text)
{
    while (*(text = out_print_until(out, text, "|")))
        out_print(out, "\\%c", *text++);
}

static void
markdown_option(struct out *out, const struct option *row)
{
    out_print(out, "| `");
    if (row->letter)
        out_print(out, "-%c`, `", row->letter);
    out_print(out, "--%s%s", row->name, row->argument ? " " : "");
    markdown_cell(out, row->argument ? row->argument : "");
    out_print(out, "` | ");
    markdown_cell(out, row->help);
    out_print(out, " | %s%s%s |\n", row->otherwise ? "`" : "",
              row->otherwise ? row->otherwise : "", row->otherwise ? "`" : "");
}

static void
markdown_command(struct out *out, const struct command *command)
{
    out_print(out, "\n## sepx %s\n\n", command->name);
    out_print(out, "%c%s.\n\n```\n", toupper((unsigned char)*command->summary),
              command->summary + 1);
    for (size_t i = 0; command->synopsis[i]; i++)
        out_print(out, "sepx %s %s\n", command->name, command->synopsis[i]);
    out_print(out,
              "```\n\n%s\n\n| option | meaning | default |\n|---|---|---|\n",
              command->about);
    for (const struct option *row = command->options; row->name; row++)
        markdown_option(out, row);
    markdown_option(out, cli_common_options);
    if (command->examples)
        out_print(out, "\nExamples:\n\n");
    for (const struct example *row = command->examples; row && row->line; row++)
        out_print(out, "- `sepx %s`: %s\n", row->line, row->says);
}

void
markdown_all(struct out *out)
{
    out_print(out, "# The command line\n\n"
                   "<!-- Made by tools/generate from the option rows in cli/; "
                   "do not edit. -->\n\n"
                   "| command | what it does |\n|---|---|\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        out_print(out, "| [`sepx %s`](#", cli_commands[i]->name);
        page_name(out, cli_commands[i]->name, "-");
        out_print(out, ") | %s |\n", cli_commands[i]->summary);
    }
    out_print(out,
              "\nData goes to standard output, messages to standard error. "
              "File formats are in [formats.md](formats.md).\n\n"
              "| exit code | meaning |\n|---|---|\n");
#define X(name, code, meaning) out_print(out, "| %d | %s |\n", code, meaning);
    CLI_EXITS(X)
#undef X
    for (size_t i = 0; cli_commands[i]; i++)
        markdown_command(out, cli_commands[i]);
}
