/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own frame: commands and their option rows, messages, output.
 * A command is one file with one struct command, and one row in commands.c;
 * parsing, help, manual, completion and docs/cli.md are made from it.
 */
#ifndef SEPX_CLI_H
#define SEPX_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sepx.h"

/* ---- exit codes ---- */

/* clang-format off */
#define CLI_EXITS(X) /* name, code, meaning in the manual */ \
    X(CLI_DONE, 0, "done") \
    X(CLI_FAILED, 1, "failed") \
    X(CLI_USAGE, 2, "wrong usage") \
    X(CLI_DATA, 65, "bad data; the message names file, line and remedy") \
    X(CLI_BUSY, 75, "temporary failure, try again later") \
    X(CLI_STOPPED, 130, "interrupted")
/* clang-format on */

#define X(name, code, meaning) name = code,
enum cli_exit { CLI_EXITS(X) };
#undef X

/* ---- option rows ---- */

enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_COUNT,  /* int64_t; -1 if not given and no default */
    OPTION_NUMBER, /* double; NaN if not given and no default */
    OPTION_TEXT,   /* const char *; NULL likewise */
    OPTION_FILE,   /* the same, completed as a file name */
    OPTION_CHOICE, /* the same, one of `choices` */
    OPTION_LIST    /* struct word_list: separated by commas, repeatable */
};

/* {0} is empty. The words live in argv. */
struct word_list {
    char **at;
    size_t count;
};

struct option {
    const char *name; /* the long one, without dashes */
    char letter;      /* or 0 */
    enum option_type type;
    size_t offset;         /* of the value in the command's settings */
    const char *argument;  /* its name in help; NULL for a flag */
    const char *otherwise; /* the default as a user would write it, or NULL */
    double low, high;      /* of a count or a number */
    const char *const *choices; /* ended by NULL */
    const char *help;
};

/* ---- commands ---- */

struct example {
    const char *line; /* behind "sepx " */
    const char *says;
};

struct call {
    const struct command *command;
    const void *settings; /* the command's, filled from its rows */
    char **operand;
    unsigned n_operands;
};

struct command {
    const char *name;
    const char *summary;            /* one line, no full stop */
    const char *const *synopsis;    /* behind "sepx NAME"; ended by NULL */
    const char *about;              /* paragraphs, an empty line between */
    const struct option *options;   /* ended by a NULL name */
    const struct example *examples; /* ended by a NULL line */
    const char *const *operands;    /* words to complete; NULL: files */
    unsigned least_operands, most_operands;
    size_t settings_size;
    int (*run)(const struct call *call); /* returns an enum cli_exit */
};

/* commands.c: all of them, ended by NULL. */
extern const struct command *const cli_commands[];
extern const char *const cli_command_names[];
const struct command *cli_command_find(const char *name);

/* help.c: what every command understands besides its own rows. */
extern const struct option cli_common_options[];

/* ---- parse.c ---- */

/*
 * Fill the settings and gather the operands; argv[0] is the first word
 * behind the command. Says what is wrong and returns CLI_USAGE, or sets
 * *help and leaves the rest alone if --help is among the words.
 */
int cli_parse(struct call *call, void *settings, int argc, char **argv,
              bool *help);
void cli_parse_release(const struct command *command, void *settings);
/* "unknown WHAT 'word'; did you mean 'x'?" and the valid names. */
int cli_unknown(const char *command, const char *what, const char *word,
                const char *const *names);

/* ---- help.c, manual.c, complete.c ---- */

struct out;
void help_program(struct out *out);
void help_command(struct out *out, const struct command *command);
void manual_program(struct out *out);
void manual_command(struct out *out, const struct command *command);
void markdown_all(struct out *out);
void complete_bash(struct out *out);
void complete_zsh(struct out *out);
void complete_fish(struct out *out);

/* ---- messages and output: out.c ---- */

/* Text for standard output. {0} is empty; the first failure sticks. */
struct out {
    struct sepx_text text;
    enum sepx_err err;
};

void out_print(struct out *out, const char *format, ...) SEPX_PRINTF(2, 3);
/*
 * Write what is there and empty it. Returns CLI_DONE, or says what failed
 * (a closed pipe, a full disk, no memory) and returns CLI_FAILED.
 */
int out_flush(struct out *out);
void out_release(struct out *out);

/* "sepx NAME: ..." on standard error; NAME may be NULL. */
void cli_say(const char *name, const char *format, ...) SEPX_PRINTF(2, 3);
/* The same and where to find help; returns CLI_USAGE. */
int cli_usage(const char *name, const char *format, ...) SEPX_PRINTF(2, 3);
/* Say `msg`, or what `err` means if it is empty; returns the exit code. */
int cli_fail(const char *name, enum sepx_err err, const struct sepx_msg *msg);

/* A terminal that may be coloured: NO_COLOR and TERM=dumb are honoured. */
bool cli_colour(int descriptor);

/* One line that is overwritten, on a terminal only. {0} and a title start. */
struct progress {
    const char *title;
    double shown; /* when */
    bool visible;
};

void progress_show(struct progress *progress, size_t done, size_t total);
void progress_end(struct progress *progress);

/* ---- child.c: the one file that starts processes ---- */

/*
 * Run argv[0] (found on PATH), give it `input`, collect its output. *status
 * is its exit code, 128 + the signal that ended it, or 127 if it could not
 * be started.
 */
SEPX_CHECKED enum sepx_err child_run(const char *const *argv,
                                     const struct sepx_text *input,
                                     struct sepx_text *output, int *status);

#endif
