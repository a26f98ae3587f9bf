/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench search: evaluations a second of each method on each space, on
 * one thread, and what one evaluation costs networkx on the same graphs.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const methods[] = {
    "random", "mutation", "standard", "matched", "sep", "reinforce", "local"};
enum { METHODS = sizeof methods / sizeof methods[0], MUTATION = 1, SEP = 4 };

static const char *const no_pins[] = {NULL};
static const char *const cell_pins[] = {"input", "output", NULL};
static const char *const recurrent_pins[] = {"x", "h_prev_0", "h_prev_1",
                                             "h_prev_2", NULL};

/* A space with a target; without a name, a random graph is the target. */
struct problem {
    const char *space, *target;
    uint32_t evals, runs;
    unsigned peers; /* graphs that networkx gets */
    const char *const *pinned;
    double rate[METHODS];       /* evaluations a second; NaN: not possible */
    double own_us, networkx_us; /* one distance, medians */
};

static const struct problem table[] = {
    {"nb101", "optimum", 2000, 20, 20, cell_pins, {0}, NAN, NAN},
    {"nbnlp", "gru", 1000, 10, 5, recurrent_pins, {0}, NAN, NAN},
    {"nbnlp", "lstm", 1000, 10, 0, recurrent_pins, {0}, NAN, NAN},
    {"darts", NULL, 1000, 4, 0, no_pins, {0}, NAN, NAN},
};
enum { PROBLEMS = sizeof table / sizeof table[0] };

/* ---- opening ---- */

struct bench {
    const struct bench_settings *settings;
    struct problem *problem;
    struct sepx_space *space;
    struct sepx_eval *eval;
};

/* A target from the space's own sampler, by way of a file. */
static enum sepx_err
open_random_target(struct bench *bench, struct sepx_msg *msg)
{
    char path[] = "/tmp/sepx-bench-XXXXXX";
    char text[64];
    struct sepx_graph graph = {0};
    struct sepx_text json = {0};
    struct sepx_rng rng;
    int fd = mkstemp(path);
    enum sepx_err err = fd < 0 ? SEPX_EIO : SEPX_OK;

    sepx_rng_init(&rng, (uint64_t)bench->settings->seed, 0, 0, 99);
    if (!err)
        err = sepx_space_sample(bench->space, &graph, &rng);
    if (!err)
        err = sepx_graph_write_json(&json, &graph);
    if (!err)
        err = sepx_file_write(path, json.at, json.len, msg);
    snprintf(text, sizeof text, "target:%s", path);
    if (!err)
        err = sepx_eval_open(&bench->eval, bench->space, text, msg);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    sepx_text_release(&json);
    sepx_graph_release(&graph);
    return err;
}

static enum sepx_err
open_problem(struct bench *bench, struct sepx_msg *msg)
{
    char text[64];
    enum sepx_err err =
        sepx_space_open(&bench->space, bench->problem->space, msg);

    if (err)
        return err;
    if (!bench->problem->target)
        return open_random_target(bench, msg);
    snprintf(text, sizeof text, "target:%s", bench->problem->target);
    return sepx_eval_open(&bench->eval, bench->space, text, msg);
}

/* ---- methods ---- */

static enum sepx_err
measure_method(struct bench *bench, unsigned method, struct sepx_msg *msg)
{
    struct problem *problem = bench->problem;
    struct sepx_run_plan plan = {
        .eval = bench->eval,
        .seed = (uint64_t)bench->settings->seed,
        .runs = bench->settings->quick ? 1 : problem->runs,
        .evals = problem->evals,
        .threads = 1,
    };
    struct sepx_method *made;
    struct sepx_runs runs = {0};
    double start;
    enum sepx_err err;

    problem->rate[method] = NAN;
    err =
        sepx_method_new(&made, bench->space, methods[method], NULL, NULL, msg);
    if (err == SEPX_EUNSUPPORTED)
        return SEPX_OK;
    if (err)
        return err;
    plan.method = made;
    start = sepx_clock();
    err = sepx_runs_make(&runs, &plan);
    problem->rate[method] =
        (double)plan.runs * plan.evals / (sepx_clock() - start);
    sepx_runs_release(&runs);
    sepx_method_free(made);
    return err;
}

/* ---- networkx ---- */

static int
ascending(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

static double
median(double *value, size_t count)
{
    qsort(value, count, sizeof *value, ascending);
    return sepx_quantile(value, count, 0.5);
}

/* Random graphs and the target, as the evaluator compares them. */
static enum sepx_err
draw_pairs(const struct bench *bench, struct bench_pairs *pairs)
{
    struct sepx_graph graph = {0}, target = {0};
    enum sepx_err err =
        sepx_space_target(bench->space, &target, bench->problem->target, NULL);

    for (size_t i = 0; i < bench->problem->peers && !err; i++) {
        struct sepx_rng rng;

        sepx_rng_init(&rng, (uint64_t)bench->settings->seed, 0, (uint32_t)i,
                      98);
        err = sepx_space_sample(bench->space, &graph, &rng);
        if (!err)
            err = sepx_space_plain(bench->space, &pairs->a[i], &graph);
        if (!err)
            err = sepx_space_plain(bench->space, &pairs->b[i], &target);
        pairs->count += !err;
    }
    sepx_graph_release(&graph);
    sepx_graph_release(&target);
    return err;
}

/* Microseconds of one evaluation, preparation included. */
static enum sepx_err
measure_own(const struct bench *bench, const struct bench_pairs *pairs,
            double *us)
{
    struct sepx_eval_worker *worker;
    struct sepx_score score;
    enum sepx_err err = sepx_eval_worker_new(&worker, bench->eval, NULL);

    for (size_t i = 0; i < pairs->count && !err; i++) {
        struct sepx_eval_job job = {.graph = &pairs->a[i], .fidelity = 1};
        double start = sepx_clock();

        for (unsigned k = 0; k < 1000 && !err; k++)
            err = sepx_eval_score(worker, &score, &job);
        us[i] = (sepx_clock() - start) * 1e3;
    }
    sepx_eval_worker_free(worker);
    return err;
}

static enum sepx_err
measure_networkx(const struct bench *bench, const struct bench_pairs *pairs,
                 double *us)
{
    const struct bench_settings *settings = bench->settings;
    double timeout =
        settings->quick ? fmin(settings->timeout, 2) : settings->timeout;
    struct bench_networkx networkx = {0};
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < pairs->count && !err; i++)
        err = bench_networkx_add(&networkx, pairs, i, timeout);
    if (!err)
        err = bench_networkx_run(&networkx, "bench", settings->python);
    for (size_t i = 0; i < pairs->count && networkx.answer; i++)
        us[i] = networkx.answer[i].seconds * 1e6;
    if (!err && networkx.answer)
        bench->problem->networkx_us = median(us, pairs->count);
    bench_networkx_release(&networkx);
    return err;
}

static enum sepx_err
measure_distance(struct bench *bench)
{
    size_t count = bench->problem->peers;
    struct bench_kind kind = {.pinned = bench->problem->pinned};
    struct bench_pairs pairs = {.kind = &kind};
    double *us = calloc(count + 1, sizeof *us);
    enum sepx_err err = SEPX_ENOMEM;

    pairs.a = calloc(count + 1, sizeof *pairs.a);
    pairs.b = calloc(count + 1, sizeof *pairs.b);
    if (us && pairs.a && pairs.b)
        err = draw_pairs(bench, &pairs);
    if (!err)
        err = measure_own(bench, &pairs, us);
    if (!err)
        bench->problem->own_us = median(us, count);
    if (!err && !bench->settings->no_networkx)
        err = measure_networkx(bench, &pairs, us);
    for (size_t i = 0; i < pairs.count; i++) {
        sepx_graph_release(&pairs.a[i]);
        sepx_graph_release(&pairs.b[i]);
    }
    free(pairs.a);
    free(pairs.b);
    free(us);
    return err;
}

/* ---- the answer ---- */

static void
problem_name(const struct problem *problem, char room[32])
{
    snprintf(room, 32, "%s%s%s", problem->space, problem->target ? "/" : "",
             problem->target ? problem->target : "");
}

static void
write_text(struct out *out, const struct problem *problems)
{
    char name[32];

    out_print(out, "evaluations a second, one thread\n%-12s", "");
    for (unsigned m = 0; m < METHODS; m++)
        out_print(out, "%11s", methods[m]);
    out_print(out, "%16s\n", "sep / mutation");
    for (unsigned i = 0; i < PROBLEMS; i++) {
        const struct problem *p = &problems[i];

        problem_name(p, name);
        out_print(out, "%-12s", name);
        for (unsigned m = 0; m < METHODS; m++) {
            if (isnan(p->rate[m]))
                out_print(out, "%11s", "-");
            else
                out_print(out, "%11.0f", p->rate[m]);
        }
        out_print(out, "%12.2f x t\n", p->rate[MUTATION] / p->rate[SEP]);
    }
    out_print(out,
              "\none evaluation, microseconds (medians)\n%-12s%11s%14s%14s"
              "\n",
              "", "sepx", "networkx", "ratio");
    for (unsigned i = 0; i < PROBLEMS; i++) {
        const struct problem *p = &problems[i];

        if (!p->peers)
            continue;
        problem_name(p, name);
        out_print(out, "%-12s%11.2f", name, p->own_us);
        if (isnan(p->networkx_us))
            out_print(out, "%14s%14s\n", "-", "-");
        else
            out_print(out, "%14.0f%14.0f\n", p->networkx_us,
                      p->networkx_us / p->own_us);
    }
}

static enum sepx_err
write_json(struct out *out, const struct problem *problems)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '[');
    for (unsigned i = 0; i < PROBLEMS; i++) {
        char name[32];

        problem_name(&problems[i], name);
        sepx_json_open(&w, '{');
        sepx_json_add_string(&w, "problem", name);
        sepx_json_key(&w, "evaluations_per_second");
        sepx_json_open(&w, '{');
        for (unsigned m = 0; m < METHODS; m++) {
            sepx_json_add_number(&w, methods[m], problems[i].rate[m]);
        }
        sepx_json_close(&w, '}');
        sepx_json_add_number(&w, "evaluation_us", problems[i].own_us);
        sepx_json_add_number(&w, "networkx_us", problems[i].networkx_us);
        sepx_json_close(&w, '}');
    }
    sepx_json_close(&w, ']');
    out_print(out, "\n");
    return sepx_json_done(&w);
}

static enum sepx_err
measure_problem(struct bench *bench, struct sepx_msg *msg)
{
    enum sepx_err err = open_problem(bench, msg);

    for (unsigned m = 0; m < METHODS && !err; m++) {
        progress_step(bench->problem->space, m, METHODS, methods[m]);
        err = measure_method(bench, m, msg);
    }
    if (!err && bench->problem->peers)
        err = measure_distance(bench);
    sepx_eval_close(bench->eval);
    sepx_space_close(bench->space);
    return err;
}

int
bench_search_run(const struct bench_settings *settings)
{
    struct problem problems[PROBLEMS];
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = SEPX_OK;
    int status;

    memcpy(problems, table, sizeof problems);
    for (unsigned i = 0; i < PROBLEMS && !err; i++) {
        struct bench bench = {.settings = settings, .problem = &problems[i]};

        err = measure_problem(&bench, &msg);
    }
    if (!err && settings->json)
        err = write_json(&out, problems);
    else if (!err)
        write_text(&out, problems);
    status = err ? cli_fail("bench", err, &msg) : out_flush(&out);
    out_release(&out);
    return status;
}
