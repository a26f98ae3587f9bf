/* SPDX-License-Identifier: Apache-2.0 */
/* sepx: finds the command, reads its words, runs it. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
interrupted(int signal)
{
    (void)signal;
    _exit(CLI_STOPPED);
}

/*
 * A closed pipe becomes a write error with its message, and an interrupt the
 * documented exit code. A closed standard descriptor is filled, so that no
 * file we open takes its number; writing to it still fails.
 */
static void
prepare_process(void)
{
    struct sigaction stop = {.sa_handler = interrupted};
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            _exit(CLI_FAILED);
    }
}

static int
print_version(void)
{
    struct out out = {0};
    int status;

    out_print(&out, "sepx %s\n", SEPX_VERSION);
    out_print(&out, "compiler: %s\n", SEPX_COMPILER);
    out_print(&out, "features: %s\n", SEPX_FEATURES);
#if defined(__x86_64__) && defined(__GNUC__)
    out_print(&out, "processor: x86-64%s\n",
              __builtin_cpu_supports("avx2") ? ", AVX2" : "");
#endif
    out_print(&out, "licence: Apache-2.0\n");
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static int
print_help(const struct command *command)
{
    struct out out = {0};
    int status;

    if (command)
        help_command(&out, command);
    else
        help_program(&out);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static int
unknown_command(const char *word)
{
    static const char *const options[] = {"--help", "--version", NULL};

    if (word[0] == '-')
        return cli_unknown(NULL, "option", word, options);
    return cli_unknown(NULL, "command", word, cli_command_names);
}

static int
run_command(const struct command *command, int argc, char **argv)
{
    struct call call = {.command = command};
    void *settings = calloc(1, command->settings_size + 1);
    bool help = false;
    int status;

    if (!settings)
        return cli_fail(command->name, SEPX_ENOMEM, NULL);
    status = cli_parse(&call, settings, argc, argv, &help);
    if (help && !status)
        status = print_help(command);
    else if (!status)
        status = command->run(&call);
    cli_parse_release(command, settings);
    free(settings);
    return status;
}

static bool
is(const char *word, const char *name, const char *letter)
{
    return !strcmp(word, name) || !strcmp(word, letter);
}

int
main(int argc, char **argv)
{
    const struct command *command;

    prepare_process();
    if (argc < 2)
        return cli_usage(NULL, "no command given");
    if (is(argv[1], "--help", "-h"))
        return print_help(NULL);
    if (is(argv[1], "--version", "-V"))
        return print_version();
    command = cli_command_find(argv[1]);
    if (!command)
        return unknown_command(argv[1]);
    return run_command(command, argc - 2, argv + 2);
}
