/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study at work. One thread asks, tells and writes the log; workers only
 * evaluate. What goes onto a desk is in the log first.
 */
#include "run/study_run.h"

#include "run/prune.h"

#define NOTE_SECONDS 5.0 /* between two notes of the time that was spent */

/* ---- desks ---- */

enum sepx_err
sepx__run_lay(struct sepx__run *run, struct sepx__desk *desk,
              struct sepx__pending *pending)
{
    const struct sepx_ask *ask = &pending->ask;
    enum sepx_err err = SEPX_OK;

    pending->given = true;
    desk->limit.count = 0;
    for (size_t i = 0; i < pending->limit.count && !err; i++)
        err = sepx_eval_steps_add(&desk->limit, pending->limit.at[i].step,
                                  pending->limit.at[i].value);
    if (err)
        return err;
    desk->trial = ask->trial;
    desk->attempt = run->session.ledger.known[ask->trial].attempt;
    atomic_store(&desk->drop, false);
    desk->fidelity = ask->fidelity;
    desk->op = sepx_search_operator_name(run->session.ledger.search, ask->op);
    sepx__desk_set(desk, SEPX__DESK_LAID);
    return sepx_graph_copy(&desk->graph, &ask->graph);
}

/* Later trials may be pruned by these intermediate values. */
enum sepx_err
sepx__run_tell(struct sepx__run *run, struct sepx__pending *pending,
               struct sepx_told *told, const struct sepx_score *score,
               const struct sepx_eval_output *output,
               const struct sepx_eval_steps *steps)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx__steps_write(&text, steps);

    if (!sepx__outcome_failed(score->outcome))
        run->proven = true;
    else if (output->unstarted && !run->proven)
        run->unstarted = true;
    told->answer = output->answer;
    told->errors = output->errors;
    told->steps = text.at;
    if (!err)
        err =
            sepx__ledger_steps(&run->session.ledger, pending->ask.trial, steps);
    if (!err)
        err = sepx__session_tell(&run->session, pending, told, score);
    told->steps = NULL;
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
desk_clear(struct sepx__run *run, struct sepx__desk *desk)
{
    struct sepx__pending *pending =
        sepx__ledger_find(&run->session.ledger, desk->trial);
    struct sepx_told told = {.slot = desk->slot, .seconds = desk->seconds};
    enum sepx_err err = desk->err;

    sepx__desk_set(desk, SEPX__DESK_FREE);
    pending->given = false;
    if (err)
        (void)sepx_fail(run->session.msg, err,
                        "trial %u cannot be evaluated: %s", desk->trial,
                        desk->msg.text[0] ? desk->msg.text
                                          : sepx_strerror(err));
    else if (!sepx__desk_ended(desk, &run->plan->stop))
        err = sepx__run_tell(run, pending, &told, &desk->score, &desk->output,
                             &desk->steps);
    sepx_eval_output_release(&desk->output);
    return err;
}

/* Take what is done; `lock` is not held while it is written. */
static enum sepx_err
collect(struct sepx__run *run)
{
    struct sepx__crew *crew = &run->crew;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < crew->count && !err; i++) {
        bool done;

        pthread_mutex_lock(&crew->lock);
        done = crew->desk[i].state == SEPX__DESK_DONE;
        pthread_mutex_unlock(&crew->lock);
        if (done)
            err = desk_clear(run, &crew->desk[i]);
    }
    return err ? err : sepx__session_settle(&run->session);
}

/* A graph onto every free desk, as far as the results allow. */
static enum sepx_err
lay_out(struct sepx__run *run)
{
    struct sepx__ledger *ledger = &run->session.ledger;
    struct sepx__desk *desk;
    enum sepx_err err = SEPX_OK;

    while (!err && (desk = sepx__crew_free_desk(&run->crew, 1)) != NULL) {
        struct sepx__pending *pending = sepx__session_left_over(&run->session);

        if (!pending) {
            if (!sepx__ledger_ready(ledger))
                break;
            err = sepx__limits_next(&run->limits, ledger, &run->end);
            if (err || run->end)
                break;
            err = sepx__session_propose(&run->session, &pending);
            if (err == SEPX_ESTOPPED) {
                run->stopped = true;
                return SEPX_OK;
            }
        }
        if (!err && pending)
            err = sepx__run_lay(run, desk, pending);
    }
    return err;
}

/* ---- turns ---- */

/* False: the outside asks to stop. */
bool
sepx__run_look(struct sepx__run *run)
{
    const struct sepx_study_plan *plan = run->plan;
    struct sepx_study_view view = {
        .asked = run->session.ledger.asked,
        .told = run->session.ledger.told,
        .done = run->session.ledger.told - run->session.ledger.imported -
                (plan->count_evaluations ? run->session.ledger.cached : 0),
        .evals = plan->evals,
        .end = run->end,
        .elapsed = sepx__session_elapsed(&run->session),
        .running = run->running,
        .trouble = run->trouble,
    };

    if (!plan->watch)
        return true;
    pthread_mutex_lock(&run->crew.lock);
    for (unsigned i = 0; i < run->crew.count; i++) {
        const struct sepx__desk *desk = &run->crew.desk[i];

        if (desk->state == SEPX__DESK_BUSY)
            run->running[view.n_running++] = (struct sepx_study_running){
                desk->trial, desk->op, desk->slot, sepx_clock() - desk->began};
    }
    pthread_mutex_unlock(&run->crew.lock);
    return plan->watch(plan->context, &view);
}

/* The ends that may come at any moment; the others are in lay_out(). */
void
sepx__run_limits(struct sepx__run *run)
{
    double seconds = run->plan->seconds;

    if (run->end)
        return;
    if (run->unstarted)
        run->end = SEPX_STUDY_UNSTARTED;
    else if (sepx__limits_failing(&run->limits, &run->session.ledger))
        run->end = SEPX_STUDY_FAILING;
    else if (seconds > 0 && sepx__session_elapsed(&run->session) >= seconds)
        run->end = SEPX_STUDY_TIME;
}

bool
sepx__run_given_up(const struct sepx__run *run)
{
    return run->end == SEPX_STUDY_TIME || run->end == SEPX_STUDY_FAILING ||
           run->end == SEPX_STUDY_UNSTARTED;
}

/* False: the run is over, or will be once nothing is under way. */
static bool
goes_on(struct sepx__run *run)
{
    if (run->stopped)
        return false;
    /* What was under way when patience ended may have made a new best. */
    if (run->end == SEPX_STUDY_STALLED && !sepx__crew_busy(&run->crew))
        run->end = SEPX_STUDY_OPEN;
    sepx__run_limits(run);
    return !run->end;
}

/* Desks are handed over behind the commit: what runs is in the log. */
static enum sepx_err
turns(struct sepx__run *run)
{
    struct sepx__crew *crew = &run->crew;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        err = collect(run);
        if (!err && goes_on(run))
            err = lay_out(run);
        if (!err)
            err = sepx__session_commit(&run->session);
        if (!err)
            err = sepx__session_note_time(&run->session, NOTE_SECONDS);
        if (err)
            break;
        sepx__crew_hand_over(crew);
        run->stopped = !sepx__run_look(run) || run->stopped;
        if (run->stopped || (run->plan->kill_at_limit && run->end &&
                             run->end != SEPX_STUDY_COMPLETE))
            atomic_store(&crew->stop, true);
        if ((run->stopped || run->end) && !sepx__crew_busy(crew))
            break;
        sepx__crew_wait(crew);
    }
    return err;
}

static enum sepx_err
run_with(struct sepx__run *run, const struct sepx_eval *eval)
{
    bool shared = run->session.study->store->ops->share;
    enum sepx_err err =
        sepx__crew_start(&run->crew, run->plan, shared ? SEPX__SHARE_DEPTH : 1,
                         eval, run->session.msg);

    if (!err && !shared)
        err = sepx__session_settle(&run->session);
    if (!err)
        err = shared ? sepx__share_turns(run) : turns(run);
    sepx__crew_end(&run->crew);
    if (!err && !shared)
        err = sepx__session_note_time(&run->session, 0);
    if (!err && run->stopped &&
        (!run->end || run->session.ledger.told < run->session.ledger.asked))
        err = SEPX_ESTOPPED;
    return err;
}

enum sepx_err
sepx_study_run(struct sepx_study *study, const struct sepx_study_plan *plan,
               struct sepx_msg *msg)
{
    const struct sepx_study_settings *set = &study->settings;
    struct sepx__run run = {.plan = plan, .caller = plan, .caller_msg = msg};
    enum sepx_err err = SEPX_OK;

    if (plan->workers < 1 || plan->workers > set->window)
        return sepx_fail(msg, SEPX_EINVAL,
                         "%u workers do not fit a window of %u: at most so "
                         "many trials are under way",
                         plan->workers, set->window);
    run.running = sepx__calloc(plan->workers, sizeof *run.running);
    if (!run.running)
        return SEPX_ENOMEM;
    run.crew.seed = set->seed;
    run.crew.goals = &study->goals;
    err = sepx__session_begin(&run.session, study, plan, msg);
    sepx__limits_init(&run.limits, plan, &run.session.ledger);
    if (!err && plan->eval)
        err = sepx__study_check_eval(study, plan->eval, msg);
    if (!err && !plan->eval)
        err = sepx__study_eval(study, msg);
    if (!err)
        err = run_with(&run, plan->eval ? plan->eval : study->eval);
    if (plan->end)
        *plan->end = err ? SEPX_STUDY_OPEN : run.end;
    sepx__session_end(&run.session);
    sepx__limits_release(&run.limits);
    sepx__free(run.running);
    return err;
}
