/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options from a JSON file: its members are the long names of options. They
 * become words before those of the command line, which therefore win.
 */
#include "frame/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)

static const struct option *
find_row(const struct command *command, const char *name)
{
    for (const struct option *row = command->options; row->name; row++)
        if (!strcmp(row->name, name) && strcmp(name, "config") != 0)
            return row;
    return NULL;
}

/* The file that --config names among the words, or NULL. */
static const char *
config_path(const struct command *command, int argc, char **argv)
{
    bool has = false;

    for (const struct option *row = command->options; row->name; row++)
        has = has || (row->type == OPTION_FILE && !strcmp(row->name, "config"));
    for (int i = 0; has && i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (!strncmp(argv[i], "--config=", 9))
            return argv[i] + 9;
        if (!strcmp(argv[i], "--config") && i + 1 < argc)
            return argv[i + 1];
    }
    return NULL;
}

static enum sepx_err
put_scalar(struct sepx_text *text, const struct sepx_json *value)
{
    const char *string = sepx_json_string(value);

    return string ? sepx_text_print(text, "%s", string)
                  : sepx_json_dump(text, value);
}

/* "--name=value"; nothing for a flag that is false, and for null. */
static enum sepx_err
put_word(struct sepx_text *text, const struct option *row,
         const struct sepx_json *value)
{
    size_t count = sepx_json_size(value);
    enum sepx_err err;

    if (sepx_json_type(value) == SEPX_JSON_NULL ||
        (row->type == OPTION_FLAG && !sepx_json_bool(value, false)) ||
        (sepx_json_type(value) == SEPX_JSON_ARRAY && !count))
        return SEPX_OK;
    err = sepx_text_print(text, "--%s", row->name);
    if (err || row->type == OPTION_FLAG)
        return err;
    err = sepx_text_print(text, "=");
    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return err ? err : put_scalar(text, value);
    for (size_t i = 0; i < count && !err; i++) {
        if (i)
            err = sepx_text_print(text, ",");
        if (!err)
            err = put_scalar(text, sepx_json_at(value, i));
    }
    return err;
}

/* One member as a word of `config`. */
static enum sepx_err
add_member(struct cli_config *config, const struct command *command,
           const char *key, const struct sepx_json *value, const char *path,
           struct sepx_msg *msg)
{
    const struct option *row = find_row(command, key);
    struct sepx_text text = {0};
    enum sepx_err err;

    if (!row)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: unknown setting '%s'; settings have the long "
                         "names of the options of 'sepx %s'",
                         path, key, command->name);
    err = put_word(&text, row, value);
    if (err || !text.len)
        sepx_text_release(&text);
    else
        config->own[config->n_own++] = text.at;
    return err;
}

static enum sepx_err
read_members(struct cli_config *config, const struct command *command,
             const struct sepx_json *json, int argc, const char *path,
             struct sepx_msg *msg)
{
    const struct sepx_json *value;
    const char *key;
    void *at = NULL;
    enum sepx_err err = SEPX_OK;

    if (sepx_json_type(json) != SEPX_JSON_OBJECT)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: not an object; write {\"space\": \"nb101\", "
                         "...}",
                         path);
    config->own = calloc(sepx_json_size(json) + 1, sizeof *config->own);
    config->argv =
        calloc(sepx_json_size(json) + (size_t)argc + 1, sizeof *config->argv);
    if (!config->own || !config->argv)
        return SEPX_ENOMEM;
    while (!err && sepx_json_next(json, &at, &key, &value))
        err = add_member(config, command, key, value, path, msg);
    return err;
}

int
cli_config_read(struct cli_config *config, const struct command *command,
                int argc, char **argv)
{
    const char *path = config_path(command, argc, argv);
    struct sepx_text text = {0};
    struct sepx_json *json = NULL;
    struct sepx_msg msg = {0};
    enum sepx_err err;

    *config = (struct cli_config){.argc = argc};
    if (!path)
        return CLI_DONE;
    err = sepx_file_read(&text, path, FILE_BYTES_MAX, &msg);
    if (!err) {
        err = sepx_json_parse(&json, text.at ? text.at : "", text.len, &msg);
        if (err)
            sepx_msg_file(&msg, path);
    }
    if (!err)
        err = read_members(config, command, json, argc, path, &msg);
    if (!err) {
        memcpy(config->argv, config->own, (size_t)config->n_own * sizeof *argv);
        memcpy(config->argv + config->n_own, argv, (size_t)argc * sizeof *argv);
        config->argc = argc + config->n_own;
    }
    sepx_json_free(json);
    sepx_text_release(&text);
    return err ? cli_fail(command->name, err, &msg) : CLI_DONE;
}

void
cli_config_release(struct cli_config *config)
{
    for (int i = 0; i < config->n_own; i++) {
        struct sepx_text text = {.at = config->own[i]};

        sepx_text_release(&text);
    }
    free(config->own);
    free(config->argv);
    *config = (struct cli_config){0};
}
