/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs on many threads: ask, score, tell, and keep the books. */
#include "run/private.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "run/short/ties.h"
#include "run/short/volume.h"

/* Between two looks at the outside: so many evaluations, or seconds. */
#define REPORT_EVERY 256
#define REPORT_SECONDS 0.05

struct crew {
    const struct sepx_run_plan *plan;
    struct sepx_run *run;
    struct sepx_eval_worker **worker;
    pthread_mutex_t lock; /* of the plan's progress, and of `done` */
    uint64_t done;
    const struct sepx_space *space;
    const struct sepx_goals *goals; /* NULL: none */
    atomic_bool stop;
};

/* What the watch of one run's search needs to know. */
struct watcher {
    const struct sepx_run_plan *plan;
    uint32_t run;
};

/* ---- one run ---- */

static void
run_release(struct sepx_run *run)
{
    sepx__free(run->curve);
    sepx__free(run->test);
    sepx__free(run->spent);
    sepx_graph_release(&run->graph);
    sepx__free(run->failure);
    sepx__points_release(run);
}

/* What an evaluator knows of its best scores. */
struct best {
    double value, test;
};

static enum sepx_err
improve(struct sepx_run *run, const struct sepx_ask *ask,
        const struct sepx_score *score)
{
    struct sepx_run_operator *op = &run->op[ask->op];

    op->improved++;
    op->gain += run->best < INFINITY ? run->best - score->value : 0;
    run->best = score->value;
    run->best_trial = ask->trial;
    return sepx_graph_copy(&run->graph, &ask->graph);
}

static enum sepx_err
note(struct sepx_run *run, const struct sepx_ask *ask,
     const struct sepx_score *score, const struct best *best)
{
    uint32_t at = run->evaluations++;
    bool better = score->value < run->best;

    run->op[ask->op].evaluated++;
    if (run->reached == UINT32_MAX && score->value <= best->value)
        run->reached = ask->trial;
    if (run->visited == UINT32_MAX && score->test <= best->test)
        run->visited = ask->trial;
    run->test[at] = better ? score->test : at ? run->test[at - 1] : INFINITY;
    run->spent[at] = (at ? run->spent[at - 1] : 0) + score->cost;
    run->curve[at] = better ? score->value : run->best;
    return better ? improve(run, ask, score) : SEPX_OK;
}

/* With several objectives the curves come later, when all runs are made. */
static enum sepx_err
note_merit(struct sepx_run *run, const struct sepx_ask *ask,
           const struct sepx_score *score, const struct sepx_merit *merit)
{
    uint32_t at = run->evaluations++;
    bool entered = false;
    enum sepx_err err =
        merit ? sepx__points_note(run, ask, merit, &entered) : SEPX_OK;

    run->op[ask->op].evaluated++;
    run->op[ask->op].improved += entered;
    run->spent[at] = (at ? run->spent[at - 1] : 0) + score->cost;
    return err;
}

static bool
should_stop(void *context)
{
    const struct crew *crew = context;

    return atomic_load(&crew->stop) || sepx_space_stopped(crew->space);
}

/* Keeps the output of the first evaluation without a score. */
static enum sepx_err
score_ask(struct crew *crew, struct sepx_run *run,
          struct sepx_eval_worker *worker, struct sepx_score *score,
          const struct sepx_ask *ask, struct sepx_msg *msg)
{
    struct sepx_eval_output output = {0};
    struct sepx_eval_job job = {.graph = &ask->graph,
                                .fidelity = ask->fidelity,
                                .seed = run->seed,
                                .trial = ask->trial,
                                .place = (uint32_t)(run - crew->run),
                                .output = run->failure ? NULL : &output,
                                .stop = should_stop,
                                .context = crew,
                                .msg = msg};
    enum sepx_err err = sepx_eval_score(worker, score, &job);

    if (!err && score->outcome == SEPX_CANCELLED)
        err = SEPX_ESTOPPED;
    if (crew->goals ? score->outcome != SEPX_SCORED : isnan(score->value))
        run->unscored++;
    if (!run->failure) {
        run->failure = output.errors;
        output.errors = NULL;
    }
    sepx_eval_output_release(&output);
    return err;
}

static enum sepx_err
step(struct crew *crew, struct sepx_run *run, struct sepx_search *search,
     struct sepx_eval_worker *worker, struct sepx_ask *ask,
     const struct best *best, struct sepx__ties *ties, struct sepx_msg *msg)
{
    struct sepx_score score = {0};
    struct sepx_merit merit;
    enum sepx_err err = sepx_search_ask(search, ask);

    if (!err)
        err = score_ask(crew, run, worker, &score, ask, msg);
    if (!err && crew->goals) {
        bool scored = score.outcome == SEPX_SCORED;

        if (scored)
            sepx_goals_merit(crew->goals, &merit, score.number);
        err = note_merit(run, ask, &score, scored ? &merit : NULL);
        return err ? err
                   : sepx_search_tell_merit(search, ask,
                                            scored ? &merit : NULL);
    }
    if (!err)
        err = note(run, ask, &score, best);
    if (!err)
        err = sepx_search_tell(search, ask, score.value);
    if (!err)
        err = sepx__ties_note(ties, run, search, ask, &score);
    return err;
}

/* False: stop. */
static bool
report(struct crew *crew, uint32_t more)
{
    const struct sepx_run_plan *plan = crew->plan;

    if (plan->progress) {
        pthread_mutex_lock(&crew->lock);
        crew->done += more;
        if (!atomic_load(&crew->stop) &&
            !plan->progress(plan->context, crew->done,
                            (uint64_t)plan->runs * plan->evals))
            atomic_store(&crew->stop, true);
        pthread_mutex_unlock(&crew->lock);
    }
    return !atomic_load(&crew->stop);
}

static enum sepx_err
run_loop(struct crew *crew, struct sepx_run *run, struct sepx_search *search,
         struct sepx_eval_worker *worker, struct sepx_msg *msg)
{
    const struct sepx_eval *eval = crew->plan->eval;
    const struct best best = {sepx_eval_optimum(eval),
                              sepx_eval_optimum_test(eval)};
    uint32_t evals = crew->plan->evals;
    struct sepx__ties ties = {0};
    struct sepx_ask ask = {0};
    enum sepx_err err = SEPX_OK;

    while (run->evaluations < evals && !err) {
        const double end = sepx_clock() + REPORT_SECONDS;
        uint32_t from = run->evaluations;

        while (run->evaluations < evals && !err &&
               run->evaluations - from < REPORT_EVERY &&
               (run->evaluations == from || sepx_clock() < end))
            err = step(crew, run, search, worker, &ask, &best, &ties, msg);
        if (!err && !report(crew, run->evaluations - from) &&
            run->evaluations < evals)
            err = SEPX_ESTOPPED;
    }
    sepx__ties_release(&ties);
    sepx_ask_release(&ask);
    return err;
}

static void
take_counts(struct sepx_run *run, const struct sepx_search *search)
{
    const struct sepx_operator *op =
        sepx_search_operators(search, &run->n_operators);

    run->distinct = sepx_search_distinct(search);
    for (uint32_t i = 0; i < run->n_operators; i++) {
        run->op[i].name = op[i].name;
        run->op[i].counts = op[i].counts;
    }
}

static void
crossed(void *context, const struct sepx_graph *first,
        const struct sepx_graph *second, bool accepted)
{
    const struct watcher *watcher = context;

    watcher->plan->crossed(watcher->plan->context, watcher->run, first, second,
                           accepted);
}

static enum sepx_err
run_init(struct sepx_run *run, const struct sepx_run_plan *plan)
{
    run->best = INFINITY;
    run->measure = sepx_eval_measure(plan->eval);
    run->maximized = sepx_eval_maximized(plan->eval);
    if (plan->goals && plan->goals->objectives)
        run->goals = plan->goals;
    run->reached = run->visited = UINT32_MAX;
    run->curve = sepx__calloc(plan->evals, sizeof *run->curve);
    run->test = sepx__calloc(plan->evals, sizeof *run->test);
    run->spent = sepx__calloc(plan->evals, sizeof *run->spent);
    return run->curve && run->test && run->spent ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
run_make(struct crew *crew, uint32_t index, struct sepx_eval_worker *worker,
         struct sepx_msg *msg)
{
    const struct sepx_run_plan *plan = crew->plan;
    struct watcher watcher = {plan, index};
    struct sepx_search_watch watch = {plan->crossed ? crossed : NULL, &watcher};
    struct sepx_search *search = NULL;
    struct sepx_run *run = &crew->run[index];
    enum sepx_err err = run_init(run, plan);

    if (!err)
        err = sepx_search_new(&search, plan->method, run->seed, 0, &watch);
    if (!err && !sepx_eval_sees_dead(plan->eval))
        sepx_search_expect_pruned(search);
    if (!err && sepx_eval_exact(plan->eval))
        sepx_search_expect_exact(search, sepx_eval_sees_dead(plan->eval));
    if (!err)
        err = run_loop(crew, run, search, worker, msg);
    if (!err)
        take_counts(run, search);
    else
        run->evaluations = 0;
    sepx_search_free(search);
    return err;
}

/* ---- all of them ---- */

static enum sepx_err
job(void *context, unsigned worker, size_t index)
{
    struct crew *crew = context;
    struct sepx_msg msg = {0};
    enum sepx_err err = SEPX_OK;

    if (atomic_load(&crew->stop))
        return SEPX_ESTOPPED;
    if (!crew->worker[worker])
        err =
            sepx_eval_worker_new(&crew->worker[worker], crew->plan->eval, &msg);
    if (!err)
        err = run_make(crew, (uint32_t)index, crew->worker[worker], &msg);
    if (err && msg.text[0] && crew->plan->msg) {
        pthread_mutex_lock(&crew->lock);
        *crew->plan->msg = msg;
        pthread_mutex_unlock(&crew->lock);
    }
    return err;
}

static enum sepx_err
crew_work(struct crew *crew, size_t count)
{
    unsigned threads = crew->plan->threads;
    enum sepx_err err;

    if (!threads)
        threads = sepx_processors();
    if (threads > count)
        threads = (unsigned)count;
    crew->worker = sepx__calloc(threads, sizeof(struct sepx_eval_worker *));
    if (!crew->worker)
        return SEPX_ENOMEM;
    pthread_mutex_init(&crew->lock, NULL);
    err = sepx_parallel(threads, count, job, crew);
    pthread_mutex_destroy(&crew->lock);
    for (unsigned i = 0; i < threads; i++)
        sepx_eval_worker_free(crew->worker[i]);
    sepx__free(crew->worker);
    return err;
}

/* Finished runs move to the front, in the order of their seeds. */
static void
drop_unfinished(struct sepx_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct sepx_run *run = &runs->at[i];

        if (!run->evaluations) {
            run_release(run);
        } else if (runs->finished++ != i) {
            runs->at[runs->finished - 1] = *run;
            *run = (struct sepx_run){0};
        }
    }
    runs->count = runs->finished;
}

enum sepx_err
sepx_runs_make(struct sepx_runs *runs, const struct sepx_run_plan *plan)
{
    struct crew crew = {.plan = plan, .space = sepx_method_space(plan->method)};
    enum sepx_err err;

    *runs = (struct sepx_runs){0};
    if (!plan->runs || !plan->evals)
        return SEPX_EINVAL;
    if (plan->goals && plan->goals->objectives)
        crew.goals = plan->goals;
    err = sepx_method_check_goals(plan->method, crew.goals, plan->msg);
    if (err)
        return err;
    runs->at = sepx__calloc(plan->runs, sizeof *runs->at);
    if (!runs->at)
        return SEPX_ENOMEM;
    runs->count = plan->runs;
    for (uint32_t i = 0; i < plan->runs; i++)
        runs->at[i].seed = plan->seed + i;
    crew.run = runs->at;
    err = crew_work(&crew, plan->runs);
    drop_unfinished(runs);
    if (err && err != SEPX_ESTOPPED)
        sepx_runs_release(runs);
    return err;
}

void
sepx_runs_release(struct sepx_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        run_release(&runs->at[i]);
    sepx__free(runs->at);
    *runs = (struct sepx_runs){0};
}
