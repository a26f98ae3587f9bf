/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The life of a supervisor.
 *
 * Each worker has a supervisor, and a supervisor has one program at a time. The
 * program leads a process group. The supervisor is a "child subreaper":
 * whatever is started below it stays below it, even a daemon that left its
 * group, session and parent. So after the program's end all that is below the
 * supervisor is the program's remains, and is killed. A supervisor whose socket
 * closes, for whatever reason, kills all, clears up and ends; since only our
 * process holds the other end, that happens after kill -9 too. A program whose
 * supervisor is killed gets a KILL from the kernel, and its group one from us;
 * only children that left the group could then stay. The supervisor leads a
 * session of its own and blocks all signals, so that what is meant for us
 * (Ctrl-C, a TERM to our group) does not end it.
 *
 * The supervisor is forked from a process with threads: it uses what it was
 * given and takes no locks of ours.
 */
#define _GNU_SOURCE /* close_range, pipe2, ppoll, environ */
#include "program/supervisor_process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/scratch.h"
#include "program/process_tree.h"

enum { CONTROL = 3, CANNOT_START = 127 };

#define LOOK_SECONDS 0.01  /* between looks at the memory, at least */
#define LOOK_SHARE 100     /* and this many times what a look takes */
#define LOOK_MOST 0.25     /* but no more */
#define AGAIN_SECONDS 0.02 /* between rounds of killing */
#define TRY_SECONDS 10     /* after that, what cannot be killed is left */
#define WAIT_MOST 1e6

/* ---- the program's start ---- */

/* If memory runs out, the kernel should take the program and not us. */
static void
volunteer(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return;
    if (write(fd, "1000", 4) < 0) {
        /* Then it has the same chance as all others. */
    }
    close(fd);
}

/* In the child of a vfork(): the memory is the supervisor's. */
static _Noreturn void
become(const struct sepx__supervisor_process *g, const int files[3],
       pid_t supervisor)
{
    sigset_t none;
    int error;

    setpgid(0, 0);
    *g->shown =
        getpid(); /* before it can do anything, even to the supervisor */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor)
        _exit(CANNOT_START);
    volunteer();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(files[0], 0) >= 0 && dup2(files[1], 1) >= 0 &&
        dup2(files[2], 2) >= 0)
        execve(g->plan->path, g->plan->argv, g->env);
    error = errno;
    if (write(g->failure[1], &error, sizeof error) < 0) {
        /* Then the exit status has to do. */
    }
    _exit(CANNOT_START);
}

/* Put NAME=VALUE in the place of another value, or behind. */
static void
put_variable(struct sepx__supervisor_process *g, size_t *count, char *text)
{
    size_t name = strcspn(text, "=") + 1;
    size_t i = 0;

    while (i < *count && strncmp(g->env[i], text, name))
        i++;
    g->env[i] = text;
    *count += i == *count;
}

static void
make_environment(struct sepx__supervisor_process *g)
{
    size_t count = g->n_env;
    char *text = g->order.set;

    memcpy(g->env, environ, count * sizeof *g->env);
    for (uint32_t i = 0; i < g->order.names; i++) {
        put_variable(g, &count, text);
        text += strlen(text) + 1;
    }
    g->env[count] = NULL;
}

static int
start_program(struct sepx__supervisor_process *g, const int files[3])
{
    pid_t supervisor = getpid();
    pid_t child;

    make_environment(g);
    child = vfork();
    if (child == 0)
        become(g, files, supervisor);
    if (child < 0)
        return errno;
    g->program = child;
    return 0;
}

/* ---- the program's end ---- */

static void
kill_below(struct sepx__supervisor_process *g)
{
    size_t count;

    if (g->program)
        kill(-g->program, SIGKILL);
    count = sepx__tree_list(getpid(), g->below, SEPX__PROCESSES_MOST);
    for (size_t i = 0; i < count; i++)
        kill(g->below[i], SIGKILL);
}

static void
wait_for_child(const struct sepx__supervisor_process *g, double seconds,
               struct pollfd *control)
{
    bool endless = seconds == INFINITY;
    struct timespec time = {0};

    if (!endless) {
        seconds = fmin(seconds, WAIT_MOST);
        time.tv_sec = (time_t)seconds;
        time.tv_nsec = (long)(fmod(seconds, 1) * 999999999);
    }
    (void)ppoll(control, control ? 1 : 0, endless ? NULL : &time, &g->waiting);
}

/* Reap all, and kill until there is nothing left to reap. */
static void
sweep(struct sepx__supervisor_process *g)
{
    double end = sepx_clock() + TRY_SECONDS;

    while (sepx_clock() < end) {
        pid_t pid = waitpid(-1, NULL, WNOHANG);

        if (pid < 0 && errno == ECHILD)
            return;
        if (pid > 0)
            continue;
        kill_below(g);
        wait_for_child(g, AGAIN_SECONDS, NULL);
    }
}

/* Reap orphans that came to us; true once the program itself is over. */
static bool
is_over(const struct sepx__supervisor_process *g)
{
    for (;;) {
        siginfo_t info = {0};

        /* Not reaped yet: its group keeps its number until then. */
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ||
            !info.si_pid)
            return false;
        if (info.si_pid == g->program)
            return true;
        waitpid(info.si_pid, NULL, 0);
    }
}

/* ---- limits ---- */

/* When to do what next; seconds of sepx_clock(). */
struct watch {
    double deadline, look, kill, give_up;
    enum sepx__ending ending;
};

static double
from_now(double seconds)
{
    return seconds > 0 ? sepx_clock() + seconds : INFINITY;
}

static void
end_program(struct sepx__supervisor_process *g, struct watch *watch,
            enum sepx__ending ending, double grace)
{
    watch->ending = ending;
    watch->deadline = watch->look = INFINITY;
    if (watch->kill == INFINITY && grace > 0)
        kill(-g->program, SIGTERM);
    watch->kill = fmin(watch->kill, sepx_clock() + grace);
    watch->give_up = watch->kill + TRY_SECONDS;
}

/* A message from our parent, or the end of it. */
static void
listen_to_us(struct sepx__supervisor_process *g, struct watch *watch)
{
    char word = 0;
    ssize_t n = recv(CONTROL, &word, 1, MSG_DONTWAIT);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0)
        g->orphaned = true;
    if (n <= 0 || word == SEPX__WORD_KILL)
        end_program(g, watch, SEPX__STOPPED, 0);
    else if (watch->ending == SEPX__ENDED)
        end_program(g, watch, SEPX__STOPPED, g->order.grace);
}

static void
look_at_memory(struct sepx__supervisor_process *g, struct watch *watch)
{
    double start = sepx_clock();
    uint64_t limit = g->order.memory_limit;
    size_t count = sepx__tree_list(getpid(), g->below, SEPX__PROCESSES_MOST);

    /* No grace: what grows without bound would keep growing. */
    if (sepx__tree_memory(g->below, count, limit) > limit)
        end_program(g, watch, SEPX__LARGE, 0);
    else
        watch->look = from_now(
            fmin(fmax(LOOK_SECONDS, LOOK_SHARE * (sepx_clock() - start)),
                 LOOK_MOST));
}

static void
keep_limits(struct sepx__supervisor_process *g, struct watch *watch)
{
    double now = sepx_clock();

    if (now >= watch->deadline)
        end_program(g, watch, SEPX__LATE, g->order.grace);
    if (now >= watch->look)
        look_at_memory(g, watch);
    if (now >= watch->kill) {
        kill_below(g);
        watch->kill = from_now(AGAIN_SECONDS);
    }
}

static void
oversee(struct sepx__supervisor_process *g, struct sepx__report *report)
{
    struct watch watch = {
        .deadline = from_now(g->order.time_limit),
        .look = g->order.memory_limit ? from_now(LOOK_SECONDS) : INFINITY,
        .kill = INFINITY,
        .give_up = INFINITY,
    };

    while (!is_over(g) && sepx_clock() < watch.give_up) {
        struct pollfd control = {.fd = g->orphaned ? -1 : CONTROL,
                                 .events = POLLIN};
        double next = fmin(fmin(watch.deadline, watch.look), watch.kill);

        wait_for_child(g, fmax(next - sepx_clock(), 0), &control);
        if (control.revents)
            listen_to_us(g, &watch);
        keep_limits(g, &watch);
    }
    kill(-g->program, SIGKILL);
    *g->shown = 0;
    waitpid(g->program, &report->status, WNOHANG);
    g->program = 0;
    sweep(g);
    report->ending = watch.ending;
}

/* ---- the supervisor's life ---- */

/* False at our end. */
static bool
next_order(struct sepx__supervisor_process *g, int files[3])
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec data = {&g->order, sizeof g->order};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};

    for (;;) {
        ssize_t n = recvmsg(CONTROL, &message, MSG_CMSG_CLOEXEC);
        const struct cmsghdr *head = CMSG_FIRSTHDR(&message);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        if (head && head->cmsg_len == CMSG_LEN(3 * sizeof(int))) {
            memcpy(files, CMSG_DATA(head), 3 * sizeof(int));
            return true;
        }
        /* A word that came too late. */
        message.msg_controllen = sizeof control;
    }
}

static void
run_program(struct sepx__supervisor_process *g, struct sepx__report *report,
            const int files[3])
{
    int error = start_program(g, files);

    for (int i = 0; i < 3; i++)
        close(files[i]);
    if (!error) {
        oversee(g, report);
        if (report->status != CANNOT_START << 8 ||
            read(g->failure[0], &error, sizeof error) < 0)
            error = 0;
    }
    if (error) {
        report->ending = SEPX__NOT_STARTED;
        report->error = error;
    }
}

/* Nothing of our process but the socket and copies of its memory. */
static void
settle(struct sepx__supervisor_process *g, int control)
{
    struct sigaction normal = {.sa_handler = SIG_DFL};
    int null;

    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_NAME, "eval-supervisor");
    for (int i = 1; i < NSIG; i++)
        sigaction(i, &normal, NULL);
    if (control != CONTROL)
        dup2(control, CONTROL);
    if (close_range((unsigned)CONTROL + 1, ~0U, 0)) {
        for (int i = CONTROL + 1; i < sysconf(_SC_OPEN_MAX); i++)
            close(i);
    }
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3; i++)
        dup2(null, i);
    fcntl(CONTROL, F_SETFD, FD_CLOEXEC);
    if (pipe2(g->failure, O_CLOEXEC | O_NONBLOCK))
        g->failure[0] = g->failure[1] = -1;
}

/* Made here, so that nothing is left if we are killed before or after. */
static void
show_scratch(struct sepx__supervisor_process *g)
{
    struct sepx__hello *hello = &g->hello;

    hello->error = sepx__scratch_make(hello->scratch);
    if (send(CONTROL, hello, sizeof *hello, MSG_NOSIGNAL) < 0)
        g->orphaned = true;
}

static void
ignore(int number)
{
    (void)number;
}

void
sepx__supervisor_main(struct sepx__supervisor_process *g, int control)
{
    struct sigaction wake = {.sa_handler = ignore};
    int files[3];

    settle(g, control);
    sigaction(SIGCHLD, &wake, NULL);
    sigfillset(&g->waiting);
    sigdelset(&g->waiting, SIGCHLD);
    show_scratch(g);
    while (!g->orphaned && next_order(g, files)) {
        struct sepx__report report = {0};

        run_program(g, &report, files);
        if (send(CONTROL, &report, sizeof report, MSG_NOSIGNAL) < 0)
            break;
    }
    sweep(g);
    if (g->hello.scratch[0])
        sepx__scratch_remove(g->hello.scratch);
    _exit(0);
}
