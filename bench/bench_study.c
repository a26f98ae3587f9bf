/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench study: what the log costs, and how long it takes to resume
 * a long study, to see how it stands and to verify it. The evaluator costs
 * nothing (a distance to the target), so that only sepx is measured.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const methods[] = {"random", "mutation", "sep"};
enum { METHODS = sizeof methods / sizeof methods[0] };

struct row {
    const char *method;
    uint32_t trials;
    double run, resume, status, verify; /* processor seconds */
    double bytes;                       /* of the file, a trial */
};

/* ---- measuring ---- */

/* Of all threads; other processes of the machine do not count. */
static double
processor_time(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static enum sepx_err
create(const char *path, const struct row *row, uint64_t seed,
       struct sepx_msg *msg)
{
    struct sepx_study_settings settings;
    struct sepx_study *study;
    enum sepx_err err;

    sepx_study_settings_init(&settings);
    settings.space = "nb101";
    settings.eval = "target:optimum";
    settings.method = row->method;
    settings.seed = seed;
    err = sepx_study_create(&study, path, &settings, NULL, msg);
    sepx_study_close(study);
    return err;
}

static enum sepx_err
go_on(const char *path, double *seconds, uint32_t trials, struct sepx_msg *msg)
{
    struct sepx_study_plan plan = {.evals = trials, .workers = 2};
    struct sepx_study *study;
    double start = processor_time();
    enum sepx_err err = sepx_study_open(&study, path, true, msg);

    if (!err)
        err = sepx_study_run(study, &plan, msg);
    sepx_study_close(study);
    *seconds = processor_time() - start;
    return err;
}

static enum sepx_err
look(const char *path, double *seconds, bool verify, struct sepx_msg *msg)
{
    struct sepx_study_summary summary = {0};
    struct sepx_study *study;
    uint32_t asked, told;
    double start = processor_time();
    enum sepx_err err = sepx_study_open(&study, path, false, msg);

    if (!err && verify)
        err = sepx_study_verify(study, &asked, &told, msg);
    else if (!err)
        err = sepx_study_summarize(&summary, study, msg);
    sepx_study_summary_release(&summary);
    sepx_study_close(study);
    *seconds = processor_time() - start;
    return err;
}

static enum sepx_err
measure(struct row *row, const char *path, uint64_t seed, struct sepx_msg *msg)
{
    struct stat file = {0};
    enum sepx_err err = create(path, row, seed, msg);

    if (!err)
        err = go_on(path, &row->run, row->trials, msg);
    if (!err)
        err = go_on(path, &row->resume, row->trials, msg);
    if (!err)
        err = look(path, &row->status, false, msg);
    if (!err)
        err = look(path, &row->verify, true, msg);
    if (!err && stat(path, &file) == 0)
        row->bytes = (double)file.st_size / row->trials;
    (void)unlink(path);
    return err;
}

/* ---- the answer ---- */

static void
print_rows(struct out *out, const struct row *row)
{
    out_print(out, "studies of %u trials: processor time\n\n", row->trials);
    out_print(out, "%-10s %14s %10s %10s %10s %12s\n", "method", "us a trial",
              "resume s", "status s", "verify s", "bytes/trial");
    for (int i = 0; i < METHODS; i++, row++)
        out_print(out, "%-10s %14.1f %10.2f %10.3f %10.2f %12.0f\n",
                  row->method, 1e6 * row->run / row->trials, row->resume,
                  row->status, row->verify, row->bytes);
}

static enum sepx_err
put_rows(struct out *out, const struct row *row)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '[');
    for (int i = 0; i < METHODS; i++, row++) {
        sepx_json_open(&w, '{');
        sepx_json_add_string(&w, "method", row->method);
        sepx_json_add_number(&w, "trials", row->trials);
        sepx_json_add_number(&w, "run_seconds", row->run);
        sepx_json_add_number(&w, "resume_seconds", row->resume);
        sepx_json_add_number(&w, "status_seconds", row->status);
        sepx_json_add_number(&w, "verify_seconds", row->verify);
        sepx_json_add_number(&w, "bytes_per_trial", row->bytes);
        sepx_json_close(&w, '}');
    }
    sepx_json_close(&w, ']');
    out_print(out, "\n");
    return sepx_json_done(&w);
}

int
bench_study_run(const struct bench_settings *settings)
{
    char folder[] = "/tmp/sepx-bench-XXXXXX";
    char path[sizeof folder + 16];
    struct row rows[METHODS] = {0};
    struct out out = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = mkdtemp(folder) ? SEPX_OK : SEPX_EIO;
    int status;

    snprintf(path, sizeof path, "%s/a.study", folder);
    for (int i = 0; i < METHODS && !err; i++) {
        rows[i].method = methods[i];
        progress_step("study", (size_t)i, METHODS, methods[i]);
        rows[i].trials = settings->quick ? 2000 : 100000;
        err = measure(&rows[i], path, (uint64_t)settings->seed, &msg);
    }
    if (!err && settings->json)
        err = put_rows(&out, rows);
    else if (!err)
        print_rows(&out, rows);
    (void)rmdir(folder);
    status = err ? cli_fail("bench", err, &msg) : out_flush(&out);
    out_release(&out);
    return status;
}
