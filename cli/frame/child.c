/* SPDX-License-Identifier: Apache-2.0 */
/* The one file of the program that starts processes. */
#include "frame/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127, WATCH_MS = 100 };

/* Both ends of two pipes; -1 for those that are closed. */
struct pipes {
    int in[2];  /* the child's standard input: read, write */
    int out[2]; /* its standard output: read, write */
};

struct talk {
    struct pipes pipes;
    const struct sepx_text *input;
    struct sepx_text *output;
    pid_t child;
    bool (*watch)(void *context, const struct sepx_text *output); /* or NULL */
    void *context;
};

static void
shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void
pipes_close(struct pipes *pipes)
{
    shut(&pipes->in[0]);
    shut(&pipes->in[1]);
    shut(&pipes->out[0]);
    shut(&pipes->out[1]);
}

/*
 * Ctrl-C is for us, who then end the child: gnuplot, for one, draws in its
 * handler and may wait for itself for ever. The child ends with us, too.
 */
static _Noreturn void
become(const char *const *argv, const struct pipes *pipes)
{
    struct sigaction normal = {.sa_handler = SIG_DFL};
    sigset_t interrupt;

    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    sigaction(SIGPIPE, &normal, NULL);
    sigaction(SIGTERM, &normal, NULL);
    if (dup2(pipes->in[0], STDIN_FILENO) >= 0 &&
        dup2(pipes->out[1], STDOUT_FILENO) >= 0) {
        close(pipes->in[0]);
        close(pipes->in[1]);
        close(pipes->out[0]);
        close(pipes->out[1]);
        execvp(argv[0], (char *const *)argv);
    }
    _exit(CANNOT_START);
}

/* One piece of input; a child that stops reading early is no error. */
static void
feed(int *fd, const struct sepx_text *input, size_t *sent)
{
    ssize_t n = write(*fd, input->at + *sent, input->len - *sent);

    if (n > 0)
        *sent += (size_t)n;
    if ((n < 0 && errno != EAGAIN && errno != EINTR) || *sent == input->len)
        shut(fd);
}

static enum sepx_err
collect(int *fd, struct sepx_text *output)
{
    char piece[65536];
    ssize_t n = read(*fd, piece, sizeof piece);

    if (n > 0)
        return sepx_text_add(output, piece, (size_t)n);
    if (n == 0 || (errno != EAGAIN && errno != EINTR))
        shut(fd);
    return SEPX_OK;
}

/* Both directions at once, so that neither side waits for the other. */
static enum sepx_err
converse(struct talk *talk)
{
    struct pipes *pipes = &talk->pipes;
    const struct sepx_text *input = talk->input;
    enum sepx_err err = SEPX_OK;
    size_t sent = 0;

    if (!input->len)
        shut(&pipes->in[1]);
    else
        fcntl(pipes->in[1], F_SETFL, O_NONBLOCK);
    while (pipes->out[0] >= 0 && !err) {
        struct pollfd wait[] = {
            {.fd = pipes->out[0], .events = POLLIN},
            {.fd = pipes->in[1], .events = POLLOUT},
        };

        if (poll(wait, 2, WATCH_MS) < 0 && errno != EINTR)
            return SEPX_EIO;
        if (interrupt_seen())
            (void)kill(talk->child, SIGKILL);
        if (talk->watch && !talk->watch(talk->context, talk->output))
            (void)kill(talk->child, SIGTERM);
        if (wait[1].revents)
            feed(&pipes->in[1], input, &sent);
        if (wait[0].revents)
            err = collect(&pipes->out[0], talk->output);
    }
    return err;
}

static int
status_of(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return CANNOT_START;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static enum sepx_err
run(struct talk *talk, const char *const *argv, int *status,
    struct sepx_msg *msg)
{
    struct pipes *pipes = &talk->pipes;
    enum sepx_err err;

    talk->child = -1;
    if (pipe(pipes->in) == 0 && pipe(pipes->out) == 0)
        talk->child = fork();
    if (talk->child < 0) {
        err = sepx_fail(msg, SEPX_EIO,
                        "'%s' cannot be started: %s; raise the limits of open "
                        "files and processes (ulimit -n, ulimit -u)",
                        argv[0], strerror(errno));
        goto done;
    }
    if (talk->child == 0)
        become(argv, pipes);
    shut(&pipes->in[0]);
    shut(&pipes->out[1]);
    err = converse(talk);
    pipes_close(pipes);
    *status = status_of(talk->child);
done:
    pipes_close(pipes);
    return err;
}

enum sepx_err
child_run_watched(const char *const *argv, const struct sepx_text *input,
                  struct sepx_text *output, int *status,
                  bool (*watch)(void *context, const struct sepx_text *output),
                  void *context, struct sepx_msg *msg)
{
    struct talk talk = {.pipes = {{-1, -1}, {-1, -1}},
                        .input = input,
                        .output = output,
                        .watch = watch,
                        .context = context};

    return run(&talk, argv, status, msg);
}

enum sepx_err
child_run(const char *const *argv, const struct sepx_text *input,
          struct sepx_text *output, int *status, struct sepx_msg *msg)
{
    return child_run_watched(argv, input, output, status, NULL, NULL, msg);
}
