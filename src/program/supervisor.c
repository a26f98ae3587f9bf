/* SPDX-License-Identifier: Apache-2.0 */
/* Our side of a supervisor; supervisor_process.c is its own. */
#define _GNU_SOURCE /* environ */
#include "program/supervisor.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/supervisor_process.h"
#include "program/process_tree.h"

static size_t
count_variables(void)
{
    size_t count = 0;

    while (environ && environ[count])
        count++;
    return count;
}

/* All signals wait, so that none meets a handler of ours in the supervisor. */
static pid_t
fork_supervisor(struct sepx__supervisor_process *g, int pair[2])
{
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0)
        sepx__supervisor_main(g, pair[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static enum sepx_err
fail(struct sepx_msg *msg)
{
    (void)sepx__fail_io(msg, "evaluator", "start its supervisor process");
    return SEPX_EIO;
}

/* The supervisor's first message: its folder. */
static enum sepx_err
hear_hello(struct sepx__supervisor *supervisor, struct sepx__hello *hello,
           struct sepx_msg *msg)
{
    ssize_t n;

    do {
        n = recv(supervisor->control, hello, sizeof *hello, 0);
    } while (n < 0 && errno == EINTR);
    if (n == sizeof *hello && !hello->error) {
        memcpy(supervisor->scratch, hello->scratch, sizeof supervisor->scratch);
        return SEPX_OK;
    }
    sepx__supervisor_stop(supervisor);
    if (n == sizeof *hello)
        return sepx__scratch_fail(msg, sepx__scratch_base(),
                                  "make a temporary folder in it",
                                  hello->error);
    return sepx_fail(
        msg, SEPX_EIO,
        "evaluator: its supervisor process was killed as it started; "
        "perhaps the machine ran out of memory");
}

enum sepx_err
sepx__supervisor_start(struct sepx__supervisor *supervisor,
                       const struct sepx__supervisor_plan *plan,
                       struct sepx_msg *msg)
{
    struct sepx__supervisor_process *g = sepx__calloc(1, sizeof *g);
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
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
        err = fail(msg);
        goto done;
    }
    supervisor->pid = fork_supervisor(g, pair);
    if (supervisor->pid > 0) {
        supervisor->control = pair[0];
        supervisor->program = g->shown;
        err = SEPX_OK;
    } else {
        err = fail(msg);
        supervisor->pid = 0;
        close(pair[0]);
    }
    close(pair[1]);
done:
    if (err && g->shown != MAP_FAILED)
        munmap((void *)g->shown, sizeof *g->shown);
    if (!err)
        err = hear_hello(supervisor, &g->hello, msg);
    sepx__free(g->env);
    sepx__free(g);
    return err;
}

void
sepx__supervisor_stop(struct sepx__supervisor *supervisor)
{
    if (!supervisor->pid)
        return;
    close(supervisor->control);
    sepx__supervisor_wake(supervisor);
    while (waitpid(supervisor->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    /* Both only if the supervisor itself was killed. */
    if (*supervisor->program)
        kill(-*supervisor->program, SIGKILL);
    if (supervisor->scratch[0])
        sepx__scratch_remove(supervisor->scratch);
    munmap((void *)supervisor->program, sizeof *supervisor->program);
    *supervisor = (struct sepx__supervisor){0};
}

enum sepx_err
sepx__supervisor_order(const struct sepx__supervisor *supervisor,
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
        n = sendmsg(supervisor->control, &message, MSG_NOSIGNAL);
    } while (n < 0 && errno == EINTR);
    return n < 0 ? SEPX_EIO : SEPX_OK;
}

void
sepx__supervisor_say(const struct sepx__supervisor *supervisor,
                     enum sepx__word word)
{
    char byte = (char)word;

    /* A supervisor that is gone shows in its report. */
    (void)!send(supervisor->control, &byte, 1, MSG_NOSIGNAL);
}

void
sepx__supervisor_wake(const struct sepx__supervisor *supervisor)
{
    kill(supervisor->pid, SIGCONT);
}

void
sepx__supervisor_kill(const struct sepx__supervisor *supervisor)
{
    pid_t below[SEPX__PROCESSES_MOST];
    size_t count =
        sepx__tree_list(supervisor->pid, below, SEPX__PROCESSES_MOST);

    for (size_t i = 0; i < count; i++)
        kill(below[i], SIGKILL);
    kill(supervisor->pid, SIGKILL);
}

void
sepx__supervisor_hear(const struct sepx__supervisor *supervisor,
                      struct sepx__report *report)
{
    ssize_t n;

    do {
        n = recv(supervisor->control, report, sizeof *report, 0);
    } while (n < 0 && errno == EINTR);
    if (n != sizeof *report)
        *report = (struct sepx__report){.ending = SEPX__LOST};
}
