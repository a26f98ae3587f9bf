/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, read by option rows. */
#include "frame/cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64 };

/* The words of one command line while they are read. */
struct reader {
    const struct command *command;
    char *settings;
    char **at, **end;
    uint64_t given; /* as in struct call */
    bool help;
};

int
cli_unknown(const char *command, const char *what, const char *word,
            const char *const *names)
{
    const char *near = sepx_nearest(word, names);
    struct out valid = {0};
    int status;

    for (; *names; names++)
        out_print(&valid, " %s", *names);
    status = cli_usage(command, "unknown %s '%s'%s%s%s\nValid:%s", what, word,
                       near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "", valid.err ? "" : valid.text.at);
    out_release(&valid);
    return status;
}

static int
unknown_option(const struct reader *reader, const char *word)
{
    const char *names[NAMES_MAX];
    char text[NAMES_MAX][40];
    size_t count = 0;
    const struct option *both[] = {reader->command->options,
                                   cli_common_options};

    for (int i = 0; i < 2; i++) {
        for (const struct option *row = both[i]; row->name; row++) {
            if (count + 1 == NAMES_MAX)
                break;
            snprintf(text[count], sizeof text[count], "--%s", row->name);
            names[count] = text[count];
            count++;
        }
    }
    names[count] = NULL;
    return cli_unknown(reader->command->name, "option", word, names);
}

static int
bad_number(const struct reader *reader, const struct option *row,
           const char *word)
{
    return cli_usage(reader->command->name,
                     "--%s: '%s' is not %s from %.15g to %.15g", row->name,
                     word,
                     row->type == OPTION_COUNT ? "a whole number" : "a number",
                     row->low, row->high);
}

static int
put_count(struct reader *reader, const struct option *row, const char *word)
{
    char *end;
    long long value;

    errno = 0;
    value = strtoll(word, &end, 10);
    if (errno || end == word || *end || (double)value < row->low ||
        (double)value > row->high)
        return bad_number(reader, row, word);
    *(int64_t *)(void *)(reader->settings + row->offset) = value;
    return CLI_DONE;
}

static int
put_seed(struct reader *reader, const struct option *row, const char *word)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(word, &end, 10);
    if (errno || *word < '0' || *word > '9' || *end)
        return cli_usage(reader->command->name,
                         "--%s: '%s' is not a whole number from 0 to %llu",
                         row->name, word, (unsigned long long)UINT64_MAX);
    *(uint64_t *)(void *)(reader->settings + row->offset) = value;
    return CLI_DONE;
}

static int
put_number(struct reader *reader, const struct option *row, const char *word)
{
    char *end;
    double value = strtod(word, &end);

    if (end == word || *end || !(value >= row->low && value <= row->high))
        return bad_number(reader, row, word);
    *(double *)(void *)(reader->settings + row->offset) = value;
    return CLI_DONE;
}

static int
put_choice(struct reader *reader, const struct option *row, const char *word)
{
    char what[64];

    for (size_t i = 0; row->choices[i]; i++) {
        if (!strcmp(row->choices[i], word)) {
            *(const char **)(void *)(reader->settings + row->offset) = word;
            return CLI_DONE;
        }
    }
    snprintf(what, sizeof what, "value of --%s", row->name);
    return cli_unknown(reader->command->name, what, word, row->choices);
}

/* Splits the argument where it stands: the words live in argv. */
static int
put_list(struct reader *reader, const struct option *row, char *words)
{
    struct word_list *list =
        (struct word_list *)(void *)(reader->settings + row->offset);
    size_t more = 1;
    char **at;

    for (const char *c = words; *c; c++)
        more += *c == ',';
    at = realloc(list->at, (list->count + more) * sizeof *at);
    if (!at)
        return cli_fail(reader->command->name, SEPX_ENOMEM, NULL);
    list->at = at;
    while (words) {
        list->at[list->count++] = words;
        words = strchr(words, ',');
        if (words)
            *words++ = 0;
    }
    return CLI_DONE;
}

static int
put(struct reader *reader, const struct option *row, char *word)
{
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)(reader->settings + row->offset) = true;
        return CLI_DONE;
    case OPTION_COUNT:
        return put_count(reader, row, word);
    case OPTION_SEED:
        return put_seed(reader, row, word);
    case OPTION_NUMBER:
        return put_number(reader, row, word);
    case OPTION_CHOICE:
        return put_choice(reader, row, word);
    case OPTION_LIST:
        return put_list(reader, row, word);
    case OPTION_TEXT:
    case OPTION_FILE:
        break;
    }
    *(const char **)(void *)(reader->settings + row->offset) = word;
    return CLI_DONE;
}

static int
put_default(struct reader *reader, const struct option *row)
{
    void *value = reader->settings + row->offset;

    /* Only lists are written to, and a list has no default. */
    if (row->otherwise && row->type != OPTION_LIST)
        return put(reader, row, (char *)row->otherwise);
    if (row->type == OPTION_COUNT)
        *(int64_t *)value = -1;
    if (row->type == OPTION_NUMBER)
        *(double *)value = NAN;
    return CLI_DONE;
}

/* The row of a long name (`len` bytes) or, if `len` is 0, of a letter. */
static const struct option *
find_row(const struct reader *reader, const char *name, size_t len)
{
    const struct option *both[] = {reader->command->options,
                                   cli_common_options};

    for (int i = 0; i < 2; i++) {
        for (const struct option *row = both[i]; row->name; row++) {
            if (len && strlen(row->name) == len &&
                !strncmp(row->name, name, len))
                return row;
            if (!len && row->letter == *name)
                return row;
        }
    }
    return NULL;
}

static bool
is_help(const struct option *row)
{
    return row == cli_common_options;
}

/* "-" is a file and "-1" a number, but "-n" and "--evals" are options. */
static bool
looks_like_option(const char *word)
{
    return word[0] == '-' && word[1] && !strchr(".0123456789", word[1]);
}

/* The value of an option that wants one; NULL after saying what is wrong. */
static char *
take_value(struct reader *reader, const struct option *row, char *attached)
{
    const char *name = reader->command->name;
    char *word = attached;

    if (!word && reader->at < reader->end) {
        word = *reader->at++;
        if (looks_like_option(word)) {
            cli_usage(name,
                      "--%s needs a value: %s; '%s' is an option (as a value, "
                      "write --%s=%s)",
                      row->name, row->argument, word, row->name, word);
            return NULL;
        }
    }
    if (word && (*word || row->type != OPTION_FILE))
        return word;
    cli_usage(name, "--%s needs a value: %s", row->name, row->argument);
    return NULL;
}

/* The common options are behind those of the command and have no bit. */
static void
note_given(struct reader *reader, const struct option *row)
{
    for (unsigned i = 0; i < NAMES_MAX; i++) {
        if (&reader->command->options[i] == row)
            reader->given |= (uint64_t)1 << i;
        if (!reader->command->options[i].name)
            return;
    }
}

static int
read_value(struct reader *reader, const struct option *row, char *attached)
{
    note_given(reader, row);
    if (is_help(row)) {
        reader->help = true;
        return CLI_DONE;
    }
    if (row->type == OPTION_FLAG && attached)
        return cli_usage(reader->command->name, "--%s takes no value, got '%s'",
                         row->name, attached);
    if (row->type != OPTION_FLAG) {
        attached = take_value(reader, row, attached);
        if (!attached)
            return CLI_USAGE;
    }
    return put(reader, row, attached);
}

static int
read_long(struct reader *reader, char *word)
{
    char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *row =
        len > 2 ? find_row(reader, word + 2, len - 2) : NULL;

    if (row)
        return read_value(reader, row, equals ? equals + 1 : NULL);
    if (equals)
        *equals = 0;
    return unknown_option(reader, word);
}

/* -p, -pj for -p -j, and -oFILE for -o FILE. */
static int
read_letters(struct reader *reader, char *word)
{
    for (char *c = word + 1; *c; c++) {
        const struct option *row = find_row(reader, c, 0);
        bool last = !row || row->type != OPTION_FLAG;
        char one[] = {'-', *c, 0};
        int status;

        if (!row)
            return unknown_option(reader, one);
        status = read_value(reader, row, last && c[1] ? c + 1 : NULL);
        if (status || last)
            return status;
    }
    return CLI_DONE;
}

static int
read_words(struct reader *reader, struct call *call)
{
    bool options = true;

    while (reader->at < reader->end) {
        char *word = *reader->at++;
        int status = CLI_DONE;

        if (options && !strcmp(word, "--"))
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            status = read_long(reader, word);
        else if (options && word[0] == '-' && word[1])
            status = read_letters(reader, word);
        else
            call->operand[call->n_operands++] = word;
        if (status)
            return status;
    }
    return CLI_DONE;
}

static int
check_operands(const struct call *call)
{
    const struct command *command = call->command;

    if (call->n_operands < command->least_operands)
        return cli_usage(command->name, "too few arguments: %s",
                         command->synopsis[0]);
    if (call->n_operands > command->most_operands)
        return cli_usage(command->name, "one argument too many: '%s'",
                         call->operand[command->most_operands]);
    for (unsigned i = 0; i < call->n_operands; i++) {
        if (!*call->operand[i])
            return cli_usage(command->name,
                             "argument %u is empty; is a variable not set?",
                             i + 1);
    }
    return CLI_DONE;
}

int
cli_parse(struct call *call, void *settings, int argc, char **argv, bool *help)
{
    struct reader reader = {.command = call->command,
                            .settings = settings,
                            .at = argv,
                            .end = argv + argc};
    int status = CLI_DONE;

    /* Operands move to the front of argv, never past the word being read. */
    call->operand = argv;
    call->n_operands = 0;
    call->settings = settings;
    for (const struct option *row = call->command->options; row->name; row++) {
        status = put_default(&reader, row);
        if (status)
            return status;
    }
    status = read_words(&reader, call);
    *help = reader.help;
    call->given = reader.given;
    if (status || reader.help)
        return status;
    return check_operands(call);
}

bool
cli_given(const struct call *call, const char *name)
{
    const struct option *rows = call->command->options;

    for (unsigned i = 0; rows[i].name; i++) {
        if (!strcmp(rows[i].name, name))
            return call->given >> i & 1;
    }
    return false;
}

void
cli_parse_release(const struct command *command, void *settings)
{
    for (const struct option *row = command->options; row->name; row++) {
        if (row->type == OPTION_LIST) {
            struct word_list *list =
                (struct word_list *)(void *)((char *)settings + row->offset);

            free(list->at);
            list->at = NULL;
        }
    }
}
