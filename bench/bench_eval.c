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

struct comparison {
    struct sepx_space *space;
    struct sepx_graph graph;
    struct sepx_eval *eval[WAYS]; /* none for BARE */
    struct sepx_eval_worker *worker[WAYS];
    double us[WAYS][ROUNDS]; /* of one trial */
    double median[WAYS];
    unsigned rounds;
};

static enum sepx_err
open_way(struct comparison *comparison, int way, struct sepx_msg *msg)
{
    struct sepx_eval_settings settings;
    enum sepx_err err;

    sepx_eval_settings_init(&settings);
    if (way == LIMITED) {
        settings.time_limit = 60;
        settings.memory_limit = (uint64_t)1 << 30;
    }
    err = sepx_eval_open_with(&comparison->eval[way], comparison->space,
                              "command:" PROGRAM " 1", &settings, msg);
    return err ? err
               : sepx_eval_worker_new(&comparison->worker[way],
                                      comparison->eval[way], NULL);
}

static enum sepx_err
open_comparison(struct comparison *comparison, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_space_open(&comparison->space, "nb101", msg);

    if (err)
        return err;
    comparison->graph.names = sepx_space_names(comparison->space);
    err = sepx_space_target(comparison->space, &comparison->graph, "optimum",
                            msg);
    for (int way = COMMAND; way < WAYS && !err; way++)
        err = open_way(comparison, way, msg);
    return err;
}

static void
close_comparison(struct comparison *comparison)
{
    for (int way = COMMAND; way < WAYS; way++) {
        sepx_eval_worker_free(comparison->worker[way]);
        sepx_eval_close(comparison->eval[way]);
    }
    sepx_graph_release(&comparison->graph);
    sepx_space_close(comparison->space);
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
run_once(struct comparison *comparison, int way)
{
    struct sepx_eval_job job = {.graph = &comparison->graph, .fidelity = 1};
    struct sepx_score score;
    enum sepx_err err;

    if (way == BARE)
        return run_bare();
    err = sepx_eval_score(comparison->worker[way], &score, &job);
    return !err && score.outcome != SEPX_SCORED ? SEPX_EIO : err;
}

static enum sepx_err
measure(struct comparison *comparison)
{
    enum sepx_err err = SEPX_OK;

    for (unsigned round = 0; round < comparison->rounds; round++) {
        progress_show("round", round, comparison->rounds);
        for (int way = 0; way < WAYS && !err; way++) {
            double start = sepx_clock();

            for (int i = 0; i < EACH && !err; i++)
                err = run_once(comparison, way);
            comparison->us[way][round] =
                (sepx_clock() - start) * 1e6 / (double)EACH;
        }
    }
    for (int way = 0; way < WAYS && !err; way++) {
        struct sepx_summary summary;

        err = sepx_summarize(&summary, comparison->us[way], comparison->rounds);
        comparison->median[way] = summary.median;
    }
    return err;
}

static void
print_table(struct out *out, const struct comparison *comparison)
{
    out_print(out, "one trial of '%s 1', microseconds (medians)\n\n", PROGRAM);
    for (int way = 0; way < WAYS; way++)
        out_print(out, "%-38s %8.0f %8.2f x\n", titles[way],
                  comparison->median[way],
                  comparison->median[way] / comparison->median[BARE]);
}

static void
put_json(struct out *out, const struct comparison *comparison)
{
    static const char *const keys[WAYS] = {"bare_us", "command_us",
                                           "limited_us"};
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    for (int way = 0; way < WAYS; way++) {
        sepx_json_add_number(&w, keys[way], comparison->median[way]);
    }
    sepx_json_add_number(
        &w, "ratio", comparison->median[COMMAND] / comparison->median[BARE]);
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

int
bench_eval_run(const struct bench_settings *settings)
{
    struct comparison comparison = {.rounds = settings->quick ? QUICK_ROUNDS
                                                              : ROUNDS};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = open_comparison(&comparison, &msg);
    int status;

    if (!err)
        err = measure(&comparison);
    if (!err && settings->json)
        put_json(&out, &comparison);
    else if (!err)
        print_table(&out, &comparison);
    status = err ? cli_fail("bench", err, &msg) : out_flush(&out);
    out_release(&out);
    close_comparison(&comparison);
    return status;
}
