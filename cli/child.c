/* SPDX-License-Identifier: Apache-2.0 */
/* The one file of the program that starts processes. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127 };

/* Both ends of two pipes; -1 for those that are closed. */
struct pipes {
    int in[2];  /* the child's standard input: read, write */
    int out[2]; /* its standard output: read, write */
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

static _Noreturn void
become(const char *const *argv, const struct pipes *pipes)
{
    struct sigaction normal = {.sa_handler = SIG_DFL};

    sigaction(SIGPIPE, &normal, NULL);
    sigaction(SIGINT, &normal, NULL);
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
converse(struct pipes *pipes, const struct sepx_text *input,
         struct sepx_text *output)
{
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

        if (poll(wait, 2, -1) < 0 && errno != EINTR)
            return SEPX_EIO;
        if (wait[1].revents)
            feed(&pipes->in[1], input, &sent);
        if (wait[0].revents)
            err = collect(&pipes->out[0], output);
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

enum sepx_err
child_run(const char *const *argv, const struct sepx_text *input,
          struct sepx_text *output, int *status)
{
    struct pipes pipes = {{-1, -1}, {-1, -1}};
    enum sepx_err err = SEPX_EIO;
    pid_t child;

    if (pipe(pipes.in) || pipe(pipes.out))
        goto done;
    child = fork();
    if (child < 0)
        goto done;
    if (child == 0)
        become(argv, &pipes);
    shut(&pipes.in[0]);
    shut(&pipes.out[1]);
    err = converse(&pipes, input, output);
    pipes_close(&pipes);
    *status = status_of(child);
done:
    pipes_close(&pipes);
    return err;
}
