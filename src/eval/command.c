/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any program as an evaluator: the graph goes to its standard input, the score
 * comes from its standard output, its exit status says how it went. The whole
 * contract is in docs/evaluators.md.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/outcome.h"
#include "eval/steps.h"
#include "program/command_line.h"
#include "program/scratch.h"

#define DELAY_MOST 60.0 /* seconds */

struct command {
    struct sepx_eval_settings settings;
    char *checkpoints; /* absolute; NULL: none are kept */
    char **argv;
    char *path;              /* of the program */
    const char *const *name; /* of numbers that are wanted */
};

struct worker {
    const struct command *command;
    struct sepx__supervisor_plan plan;
    struct sepx__supervisor supervisor;
    char graph[SEPX__SCRATCH_SIZE + 16]; /* a file in it */
    char checkpoint[SEPX__SCRATCH_SIZE + 64];
    struct sepx__order order;
    struct sepx_text json; /* the graph */
};

/* ---- opening ---- */

static enum sepx_err
command_configure(void *state, const void *given, struct sepx_msg *msg)
{
    const struct sepx_eval_settings *settings = given;
    struct command *command = state;

    if (!(settings->time_limit >= 0 && settings->grace >= 0 &&
          settings->retry_delay >= 0))
        return sepx_fail(msg, SEPX_EINVAL,
                         "a time limit, grace period or retry delay is "
                         "negative; 0 is the least");
    if (!settings->repeats)
        return sepx_fail(msg, SEPX_EINVAL, "0 repeats; 1 is the least");
    command->settings = *settings;
    command->settings.checkpoints = NULL;
    if (!settings->checkpoints)
        return SEPX_OK;
    command->checkpoints = sepx__strdup(settings->checkpoints);
    return command->checkpoints ? SEPX_OK : SEPX_ENOMEM;
}

/* Programs may change their folder, so the path is made absolute. */
static enum sepx_err
open_checkpoints(struct command *command, struct sepx_msg *msg)
{
    char path[PATH_MAX];

    if (!command->checkpoints)
        return SEPX_OK;
    if (sepx__folder_make(command->checkpoints) ||
        !realpath(command->checkpoints, path) ||
        strlen(path) >= SEPX__SCRATCH_SIZE)
        return sepx_fail(msg, SEPX_EIO,
                         "%s: cannot make this folder for checkpoints; choose "
                         "another place",
                         command->checkpoints);
    sepx__free(command->checkpoints);
    command->checkpoints = sepx__strdup(path);
    return command->checkpoints ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
open_words(struct command *command, struct sepx_msg *msg)
{
    static const char *const none[] = {NULL};
    enum sepx_err err = open_checkpoints(command, msg);

    command->name = none;
    return err ? err
               : sepx__program_find(&command->path, command->argv[0], msg);
}

static enum sepx_err
command_open(void *state, const struct sepx_space *space, const char *argument,
             struct sepx_msg *msg)
{
    struct command *command = state;
    enum sepx_err err = sepx__argv_split(&command->argv, argument, msg);

    (void)space;
    if (!err)
        err = open_words(command, msg);
    return err ? err : sepx__script_check(command->argv, msg);
}

/* A line of plain words is to the shell what it is to us. */
static enum sepx_err
check_line(const char *line, struct sepx_msg *msg)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./,:+@%- \t";
    char **argv;
    enum sepx_err err;

    if (line[strspn(line, plain)])
        return SEPX_OK;
    err = sepx__argv_split(&argv, line, msg);
    if (!err)
        err = sepx__script_check(argv, msg);
    sepx__free(argv);
    return err;
}

static enum sepx_err
shell_open(void *state, const struct sepx_space *space, const char *argument,
           struct sepx_msg *msg)
{
    struct command *command = state;
    size_t size = strlen(argument) + 1;
    char *text;
    enum sepx_err err;

    (void)space;
    if (strspn(argument, " \t\n") == size - 1)
        return sepx_fail(msg, SEPX_EINVAL,
                         "a command line is missing; write shell:LINE");
    command->argv = sepx__alloc(4 * sizeof *command->argv + size);
    if (!command->argv)
        return SEPX_ENOMEM;
    text = (char *)(command->argv + 4);
    memcpy(text, argument, size);
    command->argv[0] = "/bin/sh";
    command->argv[1] = "-c";
    command->argv[2] = text;
    command->argv[3] = NULL;
    err = open_words(command, msg);
    return err ? err : check_line(argument, msg);
}

static void
command_close(void *state)
{
    struct command *command = state;

    sepx__free(command->checkpoints);
    sepx__free(command->argv);
    sepx__free(command->path);
}

static bool
command_maximized(const void *state)
{
    const struct command *command = state;

    return command->settings.maximize;
}

/* A program may answer any name. */
static enum sepx_err
command_want(void *state, const char *const *name, struct sepx_msg *msg)
{
    struct command *command = state;

    (void)msg;
    command->name = name;
    return SEPX_OK;
}

/* ---- workers ---- */

/* Its folder, and so the graph's file, may be another one each time. */
static enum sepx_err
ensure_supervisor(struct worker *worker, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    if (!worker->supervisor.pid)
        err = sepx__supervisor_start(&worker->supervisor, &worker->plan, msg);
    snprintf(worker->graph, sizeof worker->graph, "%s/graph.json",
             worker->supervisor.scratch);
    return err;
}

static enum sepx_err
worker_start(void *state, const void *shared, struct sepx_msg *msg)
{
    struct worker *worker = state;

    worker->command = shared;
    worker->plan.path = worker->command->path;
    worker->plan.argv = worker->command->argv;
    return ensure_supervisor(worker, msg);
}

static void
worker_stop(void *state)
{
    struct worker *worker = state;

    sepx__supervisor_stop(&worker->supervisor);
    sepx_text_release(&worker->json);
}

/* ---- what the program is given ---- */

static SEPX_PRINTF(2, 3) void put_variable(struct sepx__order *order,
                                           const char *format, ...)
{
    size_t room = sizeof order->set - order->len;
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(order->set + order->len, room, format, args);
    va_end(args);
    /* Paths are shorter; only a slot can be too long, and is left out. */
    if (len < 0 || (size_t)len >= room)
        return;
    order->len += (uint32_t)len + 1;
    order->names++;
}

static uint32_t
seed_of(const struct sepx_eval_job *job, uint32_t repeat)
{
    struct sepx_rng rng;
    uint32_t seed = 0;

    sepx_rng_init(&rng, job->seed, job->run, job->trial, SEPX__STREAM_PROGRAM);
    for (uint32_t i = 0; i <= repeat; i++)
        seed = sepx_rng_u32(&rng);
    return seed >> 1; /* a positive int, wherever it is read */
}

/* "gpu:1" makes device 1 the only one; "gpu:0+1" the first two. */
static void
put_slot(struct sepx__order *order, const char *slot)
{
    char *at;

    put_variable(order, "SEPX_SLOT=%s", slot);
    if (strncmp(slot, "gpu:", 4))
        return;
    at = order->set + order->len;
    put_variable(order, "CUDA_VISIBLE_DEVICES=%s", slot + 4);
    for (; at < order->set + order->len; at++) {
        if (*at == '+')
            *at = ',';
    }
}

static void
fill_order(struct worker *worker, const struct sepx_eval_job *job,
           uint32_t repeat, uint32_t try)
{
    const struct sepx_eval_settings *settings = &worker->command->settings;
    struct sepx__order *order = &worker->order;

    order->time_limit = settings->time_limit;
    order->grace = settings->grace;
    order->memory_limit = settings->memory_limit;
    order->names = order->len = 0;
    put_variable(order, "SEPX_GRAPH=%s", worker->graph);
    put_variable(order, "SEPX_CHECKPOINT=%s", worker->checkpoint);
    put_variable(order, "SEPX_RUN=%u", (unsigned)job->place);
    put_variable(order, "SEPX_TRIAL=%u", (unsigned)job->trial);
    put_variable(order, "SEPX_SEED=%u", (unsigned)seed_of(job, repeat));
    put_variable(order, "SEPX_REPEAT=%u", (unsigned)repeat);
    put_variable(order, "SEPX_ATTEMPT=%u", (unsigned)try);
    put_variable(order, "SEPX_FIDELITY=%.15g", job->fidelity);
    put_slot(order, job->slot ? job->slot : "");
}

/* Returns 0 or an errno. */
static int
write_graph(const struct worker *worker)
{
    const char *at = worker->json.at;
    size_t left = worker->json.len;
    int fd, code = 0;

    (void)unlink(worker->graph);
    fd = open(worker->graph, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    while (left && !code) {
        ssize_t n = write(fd, at, left);

        if (n < 0 && errno != EINTR)
            code = errno;
        at += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    close(fd);
    return code;
}

/* What the last program may have done to our folder is undone. */
static void
mend_scratch(const struct worker *worker)
{
    (void)mkdir(worker->supervisor.scratch, 0700);
    (void)chmod(worker->supervisor.scratch, 0700);
    sepx__scratch_remove(worker->graph);
}

/* The graph's file, opened for reading. */
static enum sepx_err
offer_graph(const struct worker *worker, int *file, struct sepx_msg *msg)
{
    int code = write_graph(worker);

    if (code) {
        mend_scratch(worker);
        code = write_graph(worker);
    }
    *file = code ? -1 : open(worker->graph, O_RDONLY | O_CLOEXEC);
    if (*file >= 0)
        return SEPX_OK;
    return sepx__scratch_fail(msg, worker->graph, "write", code ? code : errno);
}

/* A place for checkpoints: the user's, or one that ends with the trial. */
static enum sepx_err
make_checkpoint(struct worker *worker, const struct sepx_eval_job *job,
                struct sepx_msg *msg)
{
    const char *base = worker->command->checkpoints;
    size_t size = sizeof worker->checkpoint;

    if (!base)
        snprintf(worker->checkpoint, size, "%s/checkpoint",
                 worker->supervisor.scratch);
    else if (job->run)
        snprintf(worker->checkpoint, size, "%s/run-%u-trial-%06u", base,
                 (unsigned)job->run, (unsigned)job->trial);
    else
        snprintf(worker->checkpoint, size, "%s/trial-%06u", base,
                 (unsigned)job->trial);
    if (mkdir(worker->checkpoint, 0777) == 0 || errno == EEXIST)
        return SEPX_OK;
    if (!base)
        mend_scratch(worker);
    if (!sepx__folder_make(worker->checkpoint))
        return SEPX_OK;
    if (!base)
        return sepx__scratch_fail(msg, worker->checkpoint, "make this folder",
                                  errno);
    (void)sepx__fail_io(msg, worker->checkpoint, "make this folder");
    return SEPX_EIO;
}

/* ---- evaluating ---- */

static enum sepx_err
run_program(struct worker *worker, struct sepx__program *program,
            const struct sepx_eval_job *job, uint32_t repeat, uint32_t try,
            struct sepx__step_reader *reader)
{
    const struct sepx__listener listener = {job->steps ? sepx__step_line : NULL,
                                            reader};
    enum sepx_err err = ensure_supervisor(worker, job->msg);
    int input;

    if (!err)
        err = make_checkpoint(worker, job, job->msg);
    if (!err)
        err = offer_graph(worker, &input, job->msg);
    if (err)
        return err;
    fill_order(worker, job, repeat, try);
    err = sepx__program_run(program, &worker->supervisor, &worker->order, input,
                            job->stop, job->context, &listener, job->msg);
    close(input);
    if (!err)
        err = reader->err;
    if (program->report.ending == SEPX__LOST)
        sepx__supervisor_stop(&worker->supervisor);
    return err;
}

/* One run of the program; *again tells whether another is worth it. */
static enum sepx_err
attempt(struct worker *worker, struct sepx_score *score,
        const struct sepx_eval_job *job, uint32_t repeat, uint32_t try,
        bool *again)
{
    struct sepx__outcome_terms terms = {worker->command->path,
                                        &worker->command->settings,
                                        worker->command->name, NULL};
    struct sepx__step_reader reader = {
        .job = job,
        .name = worker->command->name,
        .sign =
            worker->command->settings.maximize || job->steps_maximized ? -1 : 1,
        .best = NAN,
    };
    struct sepx__program program = {0};
    enum sepx_err err;

    if (job->steps)
        job->steps->count = 0;
    err = run_program(worker, &program, job, repeat, try, &reader);
    terms.pruned = reader.pruned ? reader.why : NULL;
    *again = false;
    if (!err)
        err = sepx__outcome_decide(&terms, score, job->output, again, &program);
    sepx__program_release(&program);
    return err;
}

static enum sepx_err
evaluate(struct worker *worker, struct sepx_score *score,
         const struct sepx_eval_job *job, uint32_t repeat)
{
    const struct sepx_eval_settings *settings = &worker->command->settings;
    double delay = settings->retry_delay;

    for (uint32_t i = 0;; i++) {
        bool again;
        enum sepx_err err;

        err = attempt(worker, score, job, repeat, i, &again);
        if (err || !again || i == settings->retries)
            return err;
        if (sepx__program_pause(delay, job->stop, job->context)) {
            if (job->output)
                sepx_eval_output_release(job->output);
            score->outcome = SEPX_CANCELLED;
            return SEPX_OK;
        }
        delay = fmin(2 * delay, DELAY_MOST);
    }
}

/* The mean of all repeats, the sum of their costs; or the first that fails. */
static enum sepx_err
evaluate_repeats(struct worker *worker, struct sepx_score *score,
                 const struct sepx_eval_job *job)
{
    uint32_t repeats = worker->command->settings.repeats;
    double sign = worker->command->settings.maximize ? -1 : 1;
    struct sepx_score sum = {0};

    for (uint32_t i = 0; i < repeats; i++) {
        struct sepx_score one = {
            .value = NAN, .test = NAN, .cost = job->fidelity};
        enum sepx_err err = evaluate(worker, &one, job, i);

        if (err)
            return err;
        if (one.outcome != SEPX_SCORED) {
            *score = (struct sepx_score){.value = NAN,
                                         .test = NAN,
                                         .cost = sum.cost + job->fidelity,
                                         .outcome = one.outcome};
            return SEPX_OK;
        }
        sum.value += sign * one.value / repeats;
        sum.test += sign * one.test / repeats;
        sum.cost += one.cost;
        for (int j = 0; worker->command->name[j]; j++)
            sum.number[j] += one.number[j] / repeats;
    }
    *score = sum;
    return SEPX_OK;
}

static enum sepx_err
command_score(void *state, struct sepx_score *score,
              const struct sepx_eval_job *job)
{
    struct worker *worker = state;
    enum sepx_err err;

    worker->json.len = 0;
    err = sepx_graph_write_json(&worker->json, job->graph);
    if (!err)
        err = sepx_text_print(&worker->json, "\n");
    if (!err)
        err = evaluate_repeats(worker, score, job);
    if (worker->command->checkpoints)
        (void)rmdir(worker->checkpoint); /* if nothing was left there */
    else if (!sepx__scratch_is_empty(worker->checkpoint))
        sepx__scratch_remove(worker->checkpoint); /* else for the next */
    return err;
}

#define PROGRAM_OPS \
    .state_size = sizeof(struct command), .configure = command_configure, \
    .close = command_close, .measure = SEPX_MEASURE_SCORE, .sees_dead = true, \
    .maximized = command_maximized, .want = command_want, \
    .worker_size = sizeof(struct worker), .start = worker_start, \
    .stop = worker_stop, .score = command_score

const struct sepx__eval_ops sepx__eval_command = {
    PROGRAM_OPS,
    .info = {"command", "the answer of a program", "PROGRAM ARGUMENT..."},
    .open = command_open,
};

const struct sepx__eval_ops sepx__eval_shell = {
    PROGRAM_OPS,
    .info = {"shell", "the answer of a command line of the shell",
             "COMMAND LINE"},
    .open = shell_open,
};
