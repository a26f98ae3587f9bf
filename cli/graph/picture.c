/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/picture.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const picture_formats[] = {"dot", "svg", "png", NULL};

int
picture_format(const char *command, const char **format, const char *wanted,
               const char *output)
{
    const char *suffix = output ? strrchr(output, '.') : NULL;

    *format = wanted ? wanted : output ? NULL : "dot";
    if (!*format && suffix && !strcmp(suffix, ".gv"))
        *format = "dot";
    for (size_t i = 0; !*format && suffix && picture_formats[i]; i++) {
        if (!strcmp(suffix + 1, picture_formats[i]))
            *format = picture_formats[i];
    }
    if (!*format)
        return cli_usage(command,
                         "'%s' has no known suffix; end it in .dot, .svg or "
                         ".png",
                         output);
    if (!strcmp(*format, "png") && !output && isatty(STDOUT_FILENO))
        return cli_usage(command, "a PNG file is not for a terminal; add "
                                  "-o FILE.png");
    return CLI_DONE;
}

static int
run_graphviz(const char *command, struct sepx_text *picture,
             const struct sepx_text *dot, const char *format)
{
    char option[8];
    const char *argv[] = {"dot", option, NULL};
    struct sepx_msg msg = {0};
    int status = 0;
    enum sepx_err err;

    snprintf(option, sizeof option, "-T%s", format);
    err = child_run(argv, dot, picture, &status, &msg);
    if (err)
        return cli_fail(command, err, &msg);
    if (status == 127)
        cli_say(command,
                "'dot' is not there, %s needs it; install the package "
                "'graphviz', or use --format dot",
                format);
    else if (status)
        cli_say(command, "'dot' failed with status %d", status);
    return status ? CLI_FAILED : CLI_DONE;
}

static int
write_text(const char *command, const struct sepx_text *text,
           const char *output)
{
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (output) {
        err = sepx_file_write(output, text->at, text->len, &msg);
        return err ? cli_fail(command, err, &msg) : CLI_DONE;
    }
    out.err = sepx_text_add(&out.text, text->at, text->len);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

int
picture_write(const char *command, const struct sepx_text *dot,
              const char *format, const char *output)
{
    struct sepx_text picture = {0};
    int status;

    if (!strcmp(format, "dot"))
        return write_text(command, dot, output);
    status = run_graphviz(command, &picture, dot, format);
    if (!status)
        status = write_text(command, &picture, output);
    sepx_text_release(&picture);
    return status;
}
