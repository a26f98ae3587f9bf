/* SPDX-License-Identifier: Apache-2.0 */
/* How an evaluation by a program ended, in the terms of its contract. */
#include "eval/outcome.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "eval/answer.h"

enum {
    STATUS_PYTHON = 2,       /* of Python: its file is missing, or another */
    STATUS_UNFIT = 65,       /* EX_DATAERR */
    STATUS_LATER = 75,       /* EX_TEMPFAIL */
    STATUS_NO_START = 126,   /* of a shell, and of env: it cannot be run */
    STATUS_NO_PROGRAM = 127, /* the same: it is not found */
    LINES_KEPT = 20,
};

static const char *
signal_name(int number)
{
    switch (number) {
    case SIGABRT:
        return " (abort)";
    case SIGBUS:
        return " (bus error)";
    case SIGFPE:
        return " (arithmetic)";
    case SIGILL:
        return " (illegal instruction)";
    case SIGKILL:
        return " (kill; perhaps the machine ran out of memory)";
    case SIGSEGV:
        return " (segmentation fault)";
    case SIGTERM:
        return " (terminate)";
    default:
        return "";
    }
}

static enum sepx_outcome
outcome_of_status(int status, struct sepx_msg *why)
{
    if (WIFSIGNALED(status)) {
        (void)sepx_fail(why, SEPX_OK, "ended by signal %d%s", WTERMSIG(status),
                        signal_name(WTERMSIG(status)));
        return SEPX_FAILED;
    }
    switch (WEXITSTATUS(status)) {
    case 0:
        return SEPX_SCORED;
    case STATUS_UNFIT:
        (void)sepx_fail(why, SEPX_OK, "exit status 65: an unfit graph");
        return SEPX_UNFIT;
    case STATUS_LATER:
        (void)sepx_fail(why, SEPX_OK, "exit status 75: not now");
        return SEPX_POSTPONED;
    default:
        (void)sepx_fail(why, SEPX_OK, "exit status %d", WEXITSTATUS(status));
        return SEPX_FAILED;
    }
}

static enum sepx_outcome
outcome_of_ending(const struct sepx__outcome_terms *terms,
                  const struct sepx__program *program, struct sepx_msg *why)
{
    char reason[SEPX__REASON_SIZE];

    switch (program->report.ending) {
    case SEPX__NOT_STARTED:
        (void)sepx_fail(why, SEPX_OK, "%s: cannot be started: %s%s",
                        terms->path,
                        sepx__reason(reason, program->report.error),
                        program->report.error == ENOEXEC
                            ? "; a script begins with #! and its interpreter"
                            : "");
        return SEPX_FAILED;
    case SEPX__LATE:
        (void)sepx_fail(why, SEPX_OK, "not done within %g s",
                        terms->settings->time_limit);
        return SEPX_TIMED_OUT;
    case SEPX__LARGE:
        (void)sepx_fail(why, SEPX_OK, "used more than %.0f MiB of memory",
                        (double)terms->settings->memory_limit / (1 << 20));
        return SEPX_TOO_LARGE;
    case SEPX__LOST:
        (void)sepx_fail(why, SEPX_OK, "its supervisor process was killed");
        return SEPX_FAILED;
    default:
        return outcome_of_status(program->report.status, why);
    }
}

static enum sepx_err
outcome_of_program(const struct sepx__outcome_terms *terms,
                   struct sepx_score *score, struct sepx_text *answer,
                   const struct sepx__program *program, struct sepx_msg *why)
{
    const struct sepx_text *text = &program->output.text;
    enum sepx_err err;

    if (program->flooded) {
        score->outcome = SEPX_FAILED;
        (void)sepx_fail(why, SEPX_OK,
                        "printed more than %d MiB; print one line, the answer",
                        SEPX__OUTPUT_MOST >> 20);
        return SEPX_OK;
    }
    if (program->stopped) {
        score->outcome = SEPX_CANCELLED;
        return SEPX_OK;
    }
    if (terms->pruned) {
        score->outcome = SEPX_PRUNED;
        (void)sepx_fail(why, SEPX_OK, "%s", terms->pruned);
        return SEPX_OK;
    }
    score->outcome = outcome_of_ending(terms, program, why);
    if (score->outcome != SEPX_SCORED)
        return SEPX_OK;
    err =
        sepx__answer_read(score, answer, terms->name, text->at ? text->at : "",
                          text->len, program->output.total == text->len, why);
    if (err == SEPX_EDATA)
        score->outcome = SEPX_FAILED;
    return err == SEPX_EDATA ? SEPX_OK : err;
}

/* Where the last lines begin. */
static const char *
last_lines(const struct sepx_text *text)
{
    const char *start = text->at;
    const char *at = text->at + text->len;
    unsigned lines = 0;

    if (text->len > SEPX__ERRORS_KEPT)
        start = at - SEPX__ERRORS_KEPT;
    for (; at > start; at--) {
        if (at[-1] == '\n' && lines++ == LINES_KEPT)
            break;
    }
    return at;
}

/*
 * Of a failure, the reason and what the program wrote; of a score, what of the
 * answer is left out. Takes over what `answer` holds.
 */
static enum sepx_err
keep_output(struct sepx_eval_output *output, const struct sepx_score *score,
            struct sepx_text *answer, const struct sepx__program *program,
            const struct sepx_msg *why)
{
    struct sepx_text errors = {0};
    enum sepx_err err = SEPX_OK;

    if (!output || score->outcome == SEPX_CANCELLED)
        return SEPX_OK;
    if (score->outcome == SEPX_SCORED) {
        output->answer = answer->at;
        *answer = (struct sepx_text){0};
        if (!why->text[0])
            return SEPX_OK;
    }
    err = sepx_text_print(&errors, "%s", why->text);
    if (!err && score->outcome != SEPX_SCORED && program->errors.text.len)
        err =
            sepx_text_print(&errors, "\n%s", last_lines(&program->errors.text));
    if (err)
        sepx_text_release(&errors);
    output->errors = errors.at;
    return err;
}

/* Whether Python's last line says that the file to run is missing. */
static bool
lacks_script(const struct sepx__program *program)
{
    const char *line = NULL;

    for (const char *at = program->errors.text.at; at && *at;) {
        const char *end = strchr(at, '\n');

        line = at;
        at = end ? end + 1 : NULL;
    }
    return line && strstr(line, ": can't open file '") &&
           strstr(line, "': [Errno 2] ");
}

/* Whether memory and processes were there, and the program was not. */
static bool
is_unstarted(const struct sepx__program *program)
{
    const struct sepx__report *report = &program->report;

    if (report->ending == SEPX__NOT_STARTED)
        return report->error != EAGAIN && report->error != ENOMEM;
    if (report->ending != SEPX__ENDED || !WIFEXITED(report->status))
        return false;
    switch (WEXITSTATUS(report->status)) {
    case STATUS_NO_START:
    case STATUS_NO_PROGRAM:
        return true;
    case STATUS_PYTHON:
        return lacks_script(program);
    default:
        return false;
    }
}

/* Whether the same again could come out better. */
static bool
is_worth_retrying(const struct sepx_score *score,
                  const struct sepx__program *program)
{
    const struct sepx__report *report = &program->report;

    if (program->flooded || is_unstarted(program))
        return false;
    if (report->ending == SEPX__NOT_STARTED)
        return true;
    /* A program that ended well but with nonsense would do it again. */
    return score->outcome == SEPX_POSTPONED || report->ending == SEPX__LOST ||
           (score->outcome == SEPX_FAILED && report->status);
}

enum sepx_err
sepx__outcome_decide(const struct sepx__outcome_terms *terms,
                     struct sepx_score *score, struct sepx_eval_output *output,
                     bool *again, const struct sepx__program *program)
{
    struct sepx_text answer = {0};
    struct sepx_msg why = {0};
    enum sepx_err err =
        outcome_of_program(terms, score, &answer, program, &why);

    if (output)
        sepx_eval_output_release(output);
    if (!err)
        err = keep_output(output, score, &answer, program, &why);
    if (output)
        output->unstarted =
            score->outcome == SEPX_FAILED && is_unstarted(program);
    *again = is_worth_retrying(score, program);
    sepx_text_release(&answer);
    return err;
}
