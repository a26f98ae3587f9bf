/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench eval: what an evaluation by a program costs beside the program
 * itself, for which /bin/echo stands, and beside a bare loop of fork, exec and
 * wait in this process. Rounds take turns, so that both meet the same machine.
 */
#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "/bin/echo"

enum { BARE, COMMAND, LIMITED, WAYS, ROUNDS = 15, QUICK_ROUNDS = 3, EACH = 40 };

static const char *const titles[WAYS] = {
    "fork, exec and wait",
    "command evaluator",
    "the same with time and memory limits",
};

struct contest {
    struct sepx_space *space;
    struct sepx_graph graph;
    struct sepx_eval *eval[WAYS]; /* none for BARE */
    struct sepx_eval_worker *worker[WAYS];
    double us[WAYS][ROUNDS]; /* of one trial */
    double median[WAYS];
    unsigned rounds;
};

static enum sepx_err
open_way(struct contest *contest, int way, struct sepx_msg *msg)
{
    struct sepx_eval_settings settings;
    enum sepx_err err;

    sepx_eval_settings_init(&settings);
    if (way == LIMITED) {
        settings.time_limit = 60;
        settings.memory_limit = (uint64_t)1 << 30;
    }
    err = sepx_eval_open_with(&contest->eval[way], contest->space,
                              "command:" PROGRAM " 1", &settings, msg);
    return err ? err
               : sepx_eval_worker_new(&contest->worker[way],
                                      contest->eval[way]);
}

static enum sepx_err
open_contest(struct contest *contest, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_space_open(&contest->space, "nb101", msg);

    if (err)
        return err;
    contest->graph.names = sepx_space_names(contest->space);
    err = sepx_space_target(contest->space, &contest->graph, "optimum", msg);
    for (int way = COMMAND; way < WAYS && !err; way++)
        err = open_way(contest, way, msg);
    return err;
}

static void
close_contest(struct contest *contest)
{
    for (int way = COMMAND; way < WAYS; way++) {
        sepx_eval_worker_free(contest->worker[way]);
        sepx_eval_close(contest->eval[way]);
    }
    sepx_graph_release(&contest->graph);
    sepx_space_close(contest->space);
}

static enum sepx_err
run_bare(void)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        if (dup2(null, STDOUT_FILENO) >= 0)
            execl(PROGRAM, PROGRAM, "1", (char *)NULL);
        _exit(1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        return SEPX_EIO;
    return SEPX_OK;
}

static enum sepx_err
run_once(struct contest *contest, int way)
{
    struct sepx_eval_job job = {.graph = &contest->graph, .fidelity = 1};
    struct sepx_score score;
    enum sepx_err err;

    if (way == BARE)
        return run_bare();
    err = sepx_eval_score(contest->worker[way], &score, &job);
    return !err && score.outcome != SEPX_SCORED ? SEPX_EIO : err;
}

static enum sepx_err
measure(struct contest *contest)
{
    enum sepx_err err = SEPX_OK;

    for (unsigned round = 0; round < contest->rounds; round++) {
        for (int way = 0; way < WAYS && !err; way++) {
            double start = sepx_clock();

            for (int i = 0; i < EACH && !err; i++)
                err = run_once(contest, way);
            contest->us[way][round] = (sepx_clock() - start) * 1e6 / EACH;
        }
    }
    for (int way = 0; way < WAYS && !err; way++) {
        struct sepx_summary summary;

        err = sepx_summarize(&summary, contest->us[way], contest->rounds);
        contest->median[way] = summary.median;
    }
    return err;
}

static void
print_table(struct out *out, const struct contest *contest)
{
    out_print(out, "one trial of '%s 1', microseconds (medians)\n\n", PROGRAM);
    for (int way = 0; way < WAYS; way++)
        out_print(out, "%-38s %8.0f %8.2f x\n", titles[way],
                  contest->median[way],
                  contest->median[way] / contest->median[BARE]);
}

static void
put_json(struct out *out, const struct contest *contest)
{
    static const char *const keys[WAYS] = {"bare_us", "command_us",
                                           "limited_us"};
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    for (int way = 0; way < WAYS; way++) {
        sepx_json_key(&w, keys[way]);
        sepx_json_put_number(&w, contest->median[way]);
    }
    sepx_json_key(&w, "ratio");
    sepx_json_put_number(&w, contest->median[COMMAND] / contest->median[BARE]);
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

int
bench_eval_run(const struct bench_settings *settings)
{
    struct contest contest = {.rounds =
                                  settings->quick ? QUICK_ROUNDS : ROUNDS};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = open_contest(&contest, &msg);
    int status;

    if (!err)
        err = measure(&contest);
    if (!err && settings->json)
        put_json(&out, &contest);
    else if (!err)
        print_table(&out, &contest);
    status = err ? cli_fail("bench", err, &msg) : out_flush(&out);
    out_release(&out);
    close_contest(&contest);
    return status;
}
