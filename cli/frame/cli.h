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

#include "library.h"

/* ---- exit codes ---- */

/* clang-format off */
#define CLI_EXITS(X) /* name, code, meaning in the manual */ \
    X(CLI_DONE, 0, "done") \
    X(CLI_FAILED, 1, "failed") \
    X(CLI_USAGE, 2, "wrong usage") \
    X(CLI_DATA, 65, "bad data; the message names file, line and remedy") \
    X(CLI_NOINPUT, 66, "an input file is missing or cannot be read") \
    X(CLI_UNSCORED, 69, \
      "the evaluator failed: no start, no score, or too many failures in a " \
      "row") \
    X(CLI_BUSY, 75, "temporary failure, try again later") \
    X(CLI_STOPPED, 130, "interrupted") \
    X(CLI_PIPE, 141, "the reader of the output ended first, as 'head' does")
/* clang-format on */

#define X(name, code, meaning) name = code,
enum cli_exit { CLI_EXITS(X) };
#undef X

/* ---- option rows ---- */

enum option_type {
    OPTION_FLAG,   /* bool */
    OPTION_COUNT,  /* int64_t; -1 if not given and no default */
    OPTION_SEED,   /* uint64_t */
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

/* Words that completion asks the program for. */
enum cli_words {
    WORDS_NONE,
    WORDS_METHODS,
    WORDS_SPACES,
    WORDS_EVALUATORS,
    WORDS_CROSSOVERS,
    WORDS_RULES,
    WORDS_FORMATS,
    WORDS_END
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
    const char *group;    /* heading above this row in help; NULL: none */
    enum cli_words words; /* what completion offers for the value */
};

/* ---- commands ---- */

struct example {
    const char *line; /* behind "sepx " */
    const char *says;
};

struct out;

struct call {
    const struct command *command;
    const void *settings; /* the command's, filled from its rows */
    char **operand;
    unsigned n_operands;
    uint64_t given; /* bit i: row i of the command was on the command line */
};

/* Headings of the list of commands. */
enum command_group {
    GROUP_DISTANCES,
    GROUP_SPACES,
    GROUP_SEARCH,
    GROUP_STUDIES,
    GROUP_DATA,
    GROUP_PAPER,
    GROUP_HELP,
    GROUP_END
};

struct command {
    const char *name; /* "ged", or a noun and a verb: "space check" */
    enum command_group group;
    const char *summary;            /* one line, no full stop */
    const char *const *synopsis;    /* behind "sepx NAME"; ended by NULL */
    const char *about;              /* paragraphs, an empty line between */
    const struct option *options;   /* ended by a NULL name */
    const struct example *examples; /* ended by a NULL line */
    const char *const *operands;    /* words to complete; NULL: files */
    void (*operand_list)(struct out *out); /* prints them, one a line */
    unsigned least_operands, most_operands;
    size_t settings_size;
    int (*run)(const struct call *call); /* returns an enum cli_exit */
};

/* commands.c: all of them, ended by NULL. */
extern const struct command *const cli_commands[];
const char *cli_group_title(enum command_group group);
/*
 * The first words of all commands, or the verbs of a noun; ended by NULL.
 * Valid until the next call.
 */
const char *const *cli_command_words(const char *noun);
/*
 * The command that `argc` words begin with, and how many words its name has.
 * NULL if there is none.
 */
const struct command *cli_command_find(int argc, char **argv, int *used);
/* Whether commands begin with this word and a verb. */
bool cli_is_noun(const char *word);

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
/* Whether the option of this long name was on the command line. */
bool cli_given(const struct call *call, const char *name);
void cli_parse_release(const struct command *command, void *settings);
/* "unknown WHAT 'word'; did you mean 'x'?" and the valid names. */
int cli_unknown(const char *command, const char *what, const char *word,
                const char *const *names);

/* ---- config.c ---- */

/* The words of a command line, those of a file first. {0} is empty. */
struct cli_config {
    char **argv; /* parsing reorders them; NULL: there is no file */
    int argc;
    char **own; /* `n_own` words of the file */
    int n_own;
};

/* Says what is wrong and returns an exit code. Release after both. */
int cli_config_read(struct cli_config *config, const struct command *command,
                    int argc, char **argv);
void cli_config_release(struct cli_config *config);

/* What the file of a command calls by these names. */
#define COMMAND_PARTS \
    .synopsis = synopsis, .options = options, .examples = examples, .run = run

/* Settings and rows of the commands whose only option is --json. */
struct json_settings {
    bool json;
};

/* clang-format off */
#define JSON_OPTIONS(text) { \
    {"json", 'j', OPTION_FLAG, offsetof(struct json_settings, json), \
     .help = (text)}, \
    {0}, \
}
/* clang-format on */

/* ---- words.c, help.c, manual.c, complete.c ---- */

/* Their names from WORDS_METHODS on, ended by NULL. */
extern const char *const cli_word_kinds[];
void cli_words_print(struct out *out, enum cli_words kind);
void help_program(struct out *out);
void help_noun(struct out *out, const char *noun);
void help_command(struct out *out, const struct command *command);
void manual_program(struct out *out);
void manual_command(struct out *out, const struct command *command);
void markdown_all(struct out *out);
void complete_bash(struct out *out);
void complete_zsh(struct out *out);
void complete_fish(struct out *out);

/* ---- messages and output: out.c ---- */

/*
 * Text for standard output. {0} is empty; the first failure sticks. What is
 * printed becomes visible (sepx_text_add_visible()), so that labels, names
 * and answers of strangers need no care.
 */
struct out {
    struct sepx_text text;
    enum sepx_err err;
};

void out_print(struct out *out, const char *format, ...) SEPX_PRINTF(2, 3);
/* A field of CSV (RFC 4180): in quotes, or only if it has to be. */
void out_print_quoted(struct out *out, const char *text);
void out_print_field(struct out *out, const char *text);
/* Prints the text before any character of `stop`, and returns the rest. */
const char *out_print_until(struct out *out, const char *text,
                            const char *stop);
/* What follows looks like this, if cli_colour(descriptor). */
enum out_style {
    STYLE_PLAIN = 0,
    STYLE_BOLD = 1,
    STYLE_RED = 31,
    STYLE_GREEN = 32,
    STYLE_ORANGE = 33
};
void out_style(struct out *out, int descriptor, enum out_style style);
/*
 * Write what is there and empty it. Returns CLI_DONE; CLI_PIPE, silently, if
 * the reader has gone; or says what failed (a full disk, no memory) and
 * returns CLI_FAILED.
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

/* ---- interrupt.c: the one place with signal handlers ---- */

/* At the start: a signal takes the display away and ends the program. */
void interrupt_prepare(void);
/*
 * From now on the first SIGINT or SIGTERM is a wish. A SIGINT that comes half
 * a second or more after it ends the program.
 */
void interrupt_catch(void);
/* It ends the program again: the work now waits, as for standard input. */
void interrupt_release(void);
bool interrupt_seen(void);
/* The next SIGINT ends the program: the display is about to say so. */
void interrupt_announce(void);
/* The same as a request to the library. */
extern const struct sepx_stop interrupt_stop;

/* ---- child.c: the one file that starts processes ---- */

/*
 * Run argv[0] (found on PATH), give it `input`, collect its output. *status
 * is its exit code, 128 + the signal that ended it, or 127 if it could not
 * be started.
 */
SEPX_CHECKED enum sepx_err
child_run(const char *const *argv, const struct sepx_text *input,
          struct sepx_text *output, int *status, struct sepx_msg *msg);
/*
 * The same. `watch` is shown the output so far ten times a second, and ends
 * the child with SIGTERM if it returns false.
 */
SEPX_CHECKED enum sepx_err
child_run_watched(const char *const *argv, const struct sepx_text *input,
                  struct sepx_text *output, int *status,
                  bool (*watch)(void *context, const struct sepx_text *output),
                  void *context, struct sepx_msg *msg);

#endif
