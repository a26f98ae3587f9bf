/* SPDX-License-Identifier: Apache-2.0 */
/* sepx: finds the command, reads its words, runs it. */
#include "frame/display.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A closed pipe becomes a write error, and an interrupt the documented exit
 * code. A closed standard descriptor is filled, so that no
 * file we open takes its number; writing to it still fails.
 */
static void
prepare_process(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    interrupt_prepare();
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

/* Of a command, of a noun, or of the program. */
static int
print_help(const struct command *command, const char *noun)
{
    struct out out = {0};
    int status;

    if (command)
        help_command(&out, command);
    else if (noun)
        help_noun(&out, noun);
    else
        help_program(&out);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

static bool
is(const char *word, const char *name, const char *letter)
{
    return !strcmp(word, name) || !strcmp(word, letter);
}

/* The words name no command: a noun alone, or something unknown. */
static int
no_command(int argc, char **argv)
{
    static const char *const options[] = {"--help", "--version", NULL};
    const char *word = argv[0];

    if (word[0] == '-')
        return cli_unknown(NULL, "option", word, options);
    if (!cli_is_noun(word))
        return cli_unknown(NULL, "command", word, cli_command_words(NULL));
    if (argc > 1 && is(argv[1], "--help", "-h"))
        return print_help(NULL, word);
    if (argc == 1)
        return cli_usage(word, "no verb given");
    return cli_unknown(word, "verb", argv[1], cli_command_words(word));
}

static int
run_command(const struct command *command, int argc, char **argv)
{
    struct call call = {.command = command};
    struct cli_config config = {0};
    void *settings = calloc(1, command->settings_size + 1);
    bool help = false;
    int status;

    if (!settings)
        return cli_fail(command->name, SEPX_ENOMEM, NULL);
    status = cli_config_read(&config, command, argc, argv);
    if (!status)
        status = cli_parse(&call, settings, config.argc,
                           config.argv ? config.argv : argv, &help);
    if (help && !status)
        status = print_help(command, NULL);
    else if (!status)
        status = command->run(&call);
    display_end();
    cli_parse_release(command, settings);
    cli_config_release(&config);
    free(settings);
    return status;
}

int
main(int argc, char **argv)
{
    const struct command *command;
    int used = 0;

    prepare_process();
    if (argc < 2)
        return cli_usage(NULL, "no command given");
    if (is(argv[1], "--help", "-h"))
        return print_help(NULL, NULL);
    if (is(argv[1], "--version", "-V"))
        return print_version();
    command = cli_command_find(argc - 1, argv + 1, &used);
    if (!command)
        return no_command(argc - 1, argv + 1);
    return run_command(command, argc - 1 - used, argv + 1 + used);
}
