/* SPDX-License-Identifier: Apache-2.0 */
/* One evaluation by a program, and the processes that it leaves: none. */
#ifndef SEPX_TESTS_COMMAND_FIXTURE_H
#define SEPX_TESTS_COMMAND_FIXTURE_H

#include "unit/check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/process_tree.h"
#include "sepx/eval.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
    struct sepx_graph graph;
    struct sepx_eval_settings settings;
    struct sepx_eval_job job;
    struct sepx_eval_output output;
    struct sepx_score score;
    struct sepx_msg msg;
    const char *const *want; /* names of numbers; NULL: none */
};

static inline enum sepx_err
try_open(struct fixture *f, const char *text)
{
    enum sepx_err err = sepx_space_open(
        &f->space, SEPX_SOURCE_ROOT "/examples/spaces/nb101.json", &f->msg);

    if (!err)
        err = sepx_eval_open_with(&f->eval, f->space, text, &f->settings,
                                  &f->msg);
    if (!err && f->want)
        err = sepx_eval_want(f->eval, f->want, &f->msg);
    if (!err)
        err = sepx_eval_worker_new(&f->worker, f->eval, NULL);
    f->graph.names = f->space ? sepx_space_names(f->space) : NULL;
    if (!err)
        err = sepx_space_target(f->space, &f->graph, "optimum", NULL);
    f->job.graph = &f->graph;
    return err;
}

static inline void
init(struct fixture *f)
{
    *f = (struct fixture){.job = {.fidelity = 1}};
    sepx_eval_settings_init(&f->settings);
    f->settings.retries = 0;
    f->settings.grace = 0.2;
    f->job.output = &f->output;
}

static inline void
close_all(struct fixture *f)
{
    sepx_eval_output_release(&f->output);
    sepx_graph_release(&f->graph);
    sepx_eval_worker_free(f->worker);
    sepx_eval_close(f->eval);
    sepx_space_close(f->space);
    f->worker = NULL;
}

/* Processes below this one, supervisors included. */
static inline size_t
processes(void)
{
    pid_t pids[64];

    return sepx__tree_list(getpid(), pids, 64);
}

static inline void
run(struct fixture *f, const char *text)
{
    CHECK(try_open(f, text) == SEPX_OK, "%s: %s", text, f->msg.text);
    assert_int_equal(sepx_eval_score(f->worker, &f->score, &f->job), SEPX_OK);
    /* The supervisor itself is all that is left, and then nothing. */
    CHECK(processes() == 1, "%zu left by %s", processes() - 1, text);
}

static inline void
finish(struct fixture *f)
{
    close_all(f);
    assert_int_equal(processes(), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Run a line of the shell; the outcome, and a part of what is said of it. */
static inline void
expect(struct fixture *f, const char *line, enum sepx_outcome outcome,
       const char *said)
{
    char text[4096];
    const char *heard;

    snprintf(text, sizeof text, "shell:%s", line);
    run(f, text);
    heard = f->output.errors ? f->output.errors : f->output.answer;
    CHECK(f->score.outcome == outcome, "%s: %s, not %s: %s", line,
          sepx_outcome_name(f->score.outcome), sepx_outcome_name(outcome),
          heard ? heard : "nothing said");
    CHECK(!said || (heard && strstr(heard, said)), "%s: '%s' lacks '%s'", line,
          heard ? heard : "", said);
    CHECK(isnan(f->score.value) == (outcome != SEPX_SCORED), "%s: %g", line,
          f->score.value);
}

static inline void
expect_default(const char *line, enum sepx_outcome outcome, const char *said)
{
    struct fixture f;

    init(&f);
    expect(&f, line, outcome, said);
    finish(&f);
}

#endif
