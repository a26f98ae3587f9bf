/* SPDX-License-Identifier: Apache-2.0 */
/* Our side of a keeper; guard.c is its own. */
#define _GNU_SOURCE /* environ */
#include "eval/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/guard.h"

static size_t
count_variables(void)
{
    size_t count = 0;

    while (environ && environ[count])
        count++;
    return count;
}

/* All signals wait, so that none meets a handler of ours in the keeper. */
static pid_t
fork_keeper(struct sepx__guard *g, int pair[2])
{
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0)
        sepx__guard(g, pair[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

/* The keeper's first words: its folder. */
static enum sepx_err
hear_scratch(struct sepx__keeper *keeper)
{
    ssize_t n;

    do {
        n = recv(keeper->control, keeper->scratch, sizeof keeper->scratch, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 1)
        return SEPX_OK;
    keeper->scratch[0] = '\0';
    sepx__keeper_stop(keeper);
    return SEPX_EIO;
}

enum sepx_err
sepx__keeper_start(struct sepx__keeper *keeper,
                   const struct sepx__keeper_plan *plan)
{
    struct sepx__guard *g = sepx__calloc(1, sizeof *g);
    enum sepx_err err = SEPX_ENOMEM;
    int pair[2] = {-1, -1};

    if (!g)
        return err;
    g->plan = plan;
    g->shown = mmap(NULL, sizeof *g->shown, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (g->shown == MAP_FAILED)
        goto done;
    g->n_env = count_variables();
    g->env = sepx__calloc(g->n_env + SEPX__ORDER_NAMES + 1, sizeof *g->env);
    if (!g->env)
        goto done;
    err = SEPX_EIO;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        goto done;
    keeper->pid = fork_keeper(g, pair);
    if (keeper->pid > 0) {
        keeper->control = pair[0];
        keeper->program = g->shown;
        err = SEPX_OK;
    } else {
        keeper->pid = 0;
        close(pair[0]);
    }
    close(pair[1]);
done:
    if (err && g->shown != MAP_FAILED)
        munmap((void *)g->shown, sizeof *g->shown);
    sepx__free(g->env);
    sepx__free(g);
    return err ? err : hear_scratch(keeper);
}

void
sepx__keeper_stop(struct sepx__keeper *keeper)
{
    if (!keeper->pid)
        return;
    close(keeper->control);
    while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    /* Both only if the keeper itself was killed. */
    if (*keeper->program)
        kill(-*keeper->program, SIGKILL);
    if (keeper->scratch[0])
        sepx__scratch_remove(keeper->scratch);
    munmap((void *)keeper->program, sizeof *keeper->program);
    *keeper = (struct sepx__keeper){0};
}

enum sepx_err
sepx__keeper_order(const struct sepx__keeper *keeper,
                   const struct sepx__order *order, const int files[3])
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control = {0};
    struct iovec data = {(void *)(uintptr_t)order,
                         offsetof(struct sepx__order, set) + order->len};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    ssize_t n;

    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(3 * sizeof(int));
    memcpy(CMSG_DATA(head), files, 3 * sizeof(int));
    do {
        n = sendmsg(keeper->control, &message, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? SEPX_EIO : SEPX_OK;
}

void
sepx__keeper_say(const struct sepx__keeper *keeper, enum sepx__word word)
{
    char byte = (char)word;

    /* A keeper that is gone shows in its report. */
    (void)!send(keeper->control, &byte, 1, MSG_NOSIGNAL);
}

void
sepx__keeper_hear(const struct sepx__keeper *keeper,
                  struct sepx__report *report)
{
    ssize_t n;

    do {
        n = recv(keeper->control, report, sizeof *report, 0);
    } while (n < 0 && errno == EINTR);
    if (n != sizeof *report)
        *report = (struct sepx__report){.ending = SEPX__LOST};
}
