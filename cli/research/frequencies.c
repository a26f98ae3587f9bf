/* SPDX-License-Identifier: Apache-2.0 */
/* sepx search --frequencies: which parents did the crossovers meet? */
#include "search/experiment.h"

#include <stdlib.h>

/* Of one run; only the thread that makes the run touches it. */
struct record {
    struct sepx_ged *ged;
    struct sepx_graph first, second; /* as distances are measured */
    struct sepx_events seen[2];      /* parent 1 first; parent 2 first */
    enum sepx_err err;
};

struct frequencies {
    const struct sepx_space *space;
    const struct sepx_graph *optimum;
    struct record *run;
    size_t count;
};

/* ---- opening and closing ---- */

int
frequencies_open(struct experiment *x)
{
    const struct sepx_graph *optimum = sepx_eval_target(x->eval);
    size_t count = (size_t)x->settings->runs;
    struct frequencies *made;

    if (!optimum)
        return cli_usage(x->command, "--frequencies: %s has no target graph",
                         sepx_eval_text(x->eval));
    made = calloc(1, sizeof *made);
    x->frequencies = made;
    if (made)
        made->run = calloc(count, sizeof *made->run);
    if (!made || !made->run)
        return cli_fail(x->command, SEPX_ENOMEM, NULL);
    made->space = x->space;
    made->optimum = optimum;
    made->count = count;
    return CLI_DONE;
}

void
frequencies_free(struct frequencies *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->count; i++) {
        sepx_ged_free(f->run[i].ged);
        sepx_graph_release(&f->run[i].first);
        sepx_graph_release(&f->run[i].second);
        sepx_events_release(&f->run[i].seen[0]);
        sepx_events_release(&f->run[i].seen[1]);
    }
    free(f->run);
    free(f);
}

/* ---- recording ---- */

/* The same pair with parent 2 as the one that is to improve. */
static enum sepx_err
turn(struct sepx_event *event, const struct record *r,
     const struct sepx_graph *optimum)
{
    uint32_t edges = event->edges[1];

    event->edges[1] = event->edges[2];
    event->edges[2] = edges;
    return sepx_theory_distance(r->ged, &event->d_opt, optimum, &r->second);
}

static enum sepx_err
record_pair(struct record *r, const struct frequencies *f,
            const struct sepx_graph *first, const struct sepx_graph *second)
{
    struct sepx_ged_options options = {.ignore_labels = true};
    struct sepx_event event = {0};
    enum sepx_err err = r->ged ? SEPX_OK : sepx_ged_new(&r->ged, &options);

    if (!err)
        err = sepx_space_plain(f->space, &r->first, first);
    if (!err)
        err = sepx_space_plain(f->space, &r->second, second);
    if (!err)
        err = sepx_event_of_pair(&event, r->ged, f->optimum, &r->first,
                                 &r->second);
    if (!err)
        err = sepx_events_add(&r->seen[0], &event);
    if (!err)
        err = turn(&event, r, f->optimum);
    if (!err)
        err = sepx_events_add(&r->seen[1], &event);
    return err;
}

void
frequencies_note(struct frequencies *f, uint32_t run,
                 const struct sepx_graph *first,
                 const struct sepx_graph *second)
{
    struct record *r = &f->run[run];

    if (!r->err)
        r->err = record_pair(r, f, first, second);
}

/* ---- the answer ---- */

/* Finished runs alone, so that an interrupt leaves no part of a run. */
enum sepx_err
frequencies_sum(struct sepx_events *all, const struct experiment *x, int parent,
                const struct sepx_runs *runs)
{
    const struct frequencies *f = x->frequencies;
    uint64_t seed = x->settings->seed;
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < runs->count && !err; i++) {
        const struct record *r = &f->run[runs->at[i].seed - seed];

        err = r->err;
        for (size_t k = 0; k < r->seen[parent].count && !err; k++)
            err = sepx_events_add(all, &r->seen[parent].at[k]);
    }
    return err;
}

/* Joint counts of two numbers of each event. */
enum sepx_err
frequencies_cells(struct sepx_events *cells, const struct sepx_events *events,
                  bool edges)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < events->count && !err; i++) {
        const struct sepx_event *e = &events->at[i];
        struct sepx_event cell = {.d_opt = edges ? e->edges[1] : e->d_opt,
                                  .d_12 = edges ? e->edges[2] : e->d_12,
                                  .count = e->count};

        err = sepx_events_add(cells, &cell);
    }
    return err;
}

static enum sepx_err
write_kind(struct out *out, const char *kind, const struct sepx_events *events)
{
    struct sepx_events cells = {0};
    enum sepx_err err = frequencies_cells(&cells, events, kind[0] == 'e');

    for (size_t i = 0; i < cells.count && !err; i++)
        out_print(out, "%s,%u,%u,%llu\n", kind, cells.at[i].d_opt,
                  cells.at[i].d_12, (unsigned long long)cells.at[i].count);
    sepx_events_release(&cells);
    return err;
}

/* On standard error, which leaves the answer of the search alone. */
static enum sepx_err
say_shares(const char *command, const char *parent,
           const struct sepx_events *events)
{
    struct sepx_theory at = {.n = 1};
    struct sepx_assessment v;
    enum sepx_err err = sepx_events_assess(&v, events, &at, NULL);
    double all = (double)v.pairs / 100;

    if (err)
        return err;
    if (!v.pairs)
        cli_say(command, "%s: no crossover was attempted", parent);
    else
        cli_say(command,
                "%s, %llu attempts: d_opt = 0 %.2f %%, else d_12 = 0 %.2f %%, "
                "else SEPX > MUTA %.2f %%, else %.2f %%",
                parent, (unsigned long long)v.pairs, (double)v.solved / all,
                (double)v.equal / all, (double)v.ahead / all,
                (double)(v.pairs - v.solved - v.equal - v.ahead) / all);
    return SEPX_OK;
}

int
frequencies_write(const struct experiment *x, const char *path,
                  const struct sepx_runs *runs)
{
    static const char *const parents[] = {"parent1", "parent2"};
    struct sepx_events all[2] = {{0}, {0}};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = SEPX_OK;

    out_print(&out, "kind,x,y,count\n");
    for (int i = 0; i < 2 && !err; i++) {
        err = frequencies_sum(&all[i], x, i, runs);
        if (!err)
            err = write_kind(&out, parents[i], &all[i]);
        if (!err)
            err = say_shares(x->command, parents[i], &all[i]);
    }
    if (!err)
        err = write_kind(&out, "edges", &all[0]);
    if (!err)
        err = out.err;
    if (!err)
        err = sepx_file_write(path, out.text.at, out.text.len, &msg);
    sepx_events_release(&all[0]);
    sepx_events_release(&all[1]);
    out_release(&out);
    return err ? cli_fail(x->command, err, &msg) : CLI_DONE;
}
