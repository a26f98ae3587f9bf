/* SPDX-License-Identifier: Apache-2.0 */
/* sepx theory --population: should these graphs be crossed? */
#include "research/theory_command.h"

#include <string.h>

enum { COLUMNS_MAX = 16 };

struct population {
    const struct theory_settings *settings;
    struct sepx_space *space;
    struct sepx_graphs graphs;
    struct sepx_graph optimum;
    const char *target;
    struct sepx_events events;
    struct sepx_assessment verdict;
};

static void
population_release(struct population *p)
{
    sepx_events_release(&p->events);
    sepx_graph_release(&p->optimum);
    sepx_graphs_release(&p->graphs);
    sepx_space_close(p->space);
}

/* A target of the space, or else a file. */
static enum sepx_err
read_target(struct population *p, struct sepx_msg *msg)
{
    const char *const *targets = sepx_space_info(p->space)->targets;

    p->target = p->settings->target;
    if (!p->target && (!targets || !targets[0]))
        return sepx_fail(msg, SEPX_EINVAL,
                         "%s has no target of its own; give --target FILE",
                         p->settings->space);
    if (!p->target)
        p->target = targets[0];
    if (strpbrk(p->target, "./"))
        return sepx_graph_read_file(&p->optimum, sepx_space_names(p->space),
                                    p->target, msg);
    return sepx_space_target(p->space, &p->optimum, p->target, msg);
}

/* A graph of the space, as its distances are measured; others as they are. */
static enum sepx_err
make_plain(struct sepx_graph *graph, const struct sepx_space *space)
{
    struct sepx_graph plain = {0};
    bool valid = false;
    enum sepx_err err = sepx_space_check(space, &valid, graph, NULL);

    if (!err && valid)
        err = sepx_space_plain(space, &plain, graph);
    if (!err && valid)
        err = sepx_graph_copy(graph, &plain);
    sepx_graph_release(&plain);
    return err;
}

static enum sepx_err
assess(struct population *p, const struct sepx_theory *at, struct sepx_msg *msg)
{
    enum sepx_err err = read_target(p, msg);

    if (!err)
        err = sepx_graphs_read_file(&p->graphs, sepx_space_names(p->space),
                                    p->settings->population, msg);
    if (!err)
        err = make_plain(&p->optimum, p->space);
    for (size_t i = 0; i < p->graphs.count && !err; i++)
        err = make_plain(&p->graphs.at[i], p->space);
    if (!err)
        err = sepx_events_of_population(&p->events, p->graphs.at,
                                        p->graphs.count, &p->optimum,
                                        (unsigned)p->settings->threads, msg);
    if (!err)
        err = sepx_events_assess(&p->verdict, &p->events, at, msg);
    return err;
}

/* ---- JSON ---- */

static void
put_event(struct sepx_json_writer *w, const struct sepx_event *event)
{
    sepx_json_open(w, '{');
    sepx_json_add_count(w, "d_opt", event->d_opt);
    sepx_json_add_count(w, "d_12", event->d_12);
    sepx_json_add_count(w, "n", event->n);
    sepx_json_key(w, "edges");
    sepx_json_open(w, '[');
    for (int i = 0; i < 3; i++)
        sepx_json_put_integer(w, event->edges[i]);
    sepx_json_close(w, ']');
    sepx_json_add_count(w, "count", event->count);
    sepx_json_close(w, '}');
}

static void
put_verdict(struct out *out, const struct population *p)
{
    const struct sepx_assessment *v = &p->verdict;
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_count(&w, "graphs", p->graphs.count);
    sepx_json_add_string(&w, "target", p->target);
    sepx_json_add_count(&w, "pairs", v->pairs);
    sepx_json_add_count(&w, "solved", v->solved);
    sepx_json_add_count(&w, "equal", v->equal);
    sepx_json_add_count(&w, "ahead", v->ahead);
    for (unsigned i = SEPX_BOUND_SEPX; i <= SEPX_BOUND_MUTA; i++) {
        sepx_json_key(&w, sepx_bound_name(i));
        sepx_json_open(&w, '{');
        sepx_json_add_count(&w, "largest", v->largest[i]);
        sepx_json_add_number(&w, "mean", v->mean[i]);
        sepx_json_close(&w, '}');
    }
    sepx_json_key(&w, "events");
    sepx_json_open(&w, '[');
    for (size_t i = 0; i < p->events.count; i++)
        put_event(&w, &p->events.at[i]);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

/* ---- text ---- */

static uint64_t
cell(const struct sepx_events *events, uint32_t d_opt, uint32_t d_12)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < events->count; i++)
        if (events->at[i].d_opt == d_opt && events->at[i].d_12 == d_12)
            sum += events->at[i].count;
    return sum;
}

/* Pairs by d_opt, across, and d_12, upwards as on the heat maps. */
static void
print_map(struct out *out, const struct sepx_events *events)
{
    uint32_t right = 0, top = 0;

    for (size_t i = 0; i < events->count; i++) {
        right = events->at[i].d_opt > right ? events->at[i].d_opt : right;
        top = events->at[i].d_12 > top ? events->at[i].d_12 : top;
    }
    if (right >= COLUMNS_MAX || top >= 2 * COLUMNS_MAX) {
        out_print(out, "the map is wide; --json has its cells\n");
        return;
    }
    for (uint32_t y = top + 1; y-- > 0;) {
        out_print(out, "%10s%3u", y == top ? "d_12" : "", y);
        for (uint32_t x = 0; x <= right; x++)
            out_print(out, " %7llu", (unsigned long long)cell(events, x, y));
        out_print(out, "\n");
    }
    out_print(out, "%10s%3s", "d_opt", "");
    for (uint32_t x = 0; x <= right; x++)
        out_print(out, " %7u", x);
    out_print(out, "\n");
}

static void
print_share(struct out *out, const char *what, uint64_t part, uint64_t all)
{
    out_print(out, "%-46s %9llu  %5.1f %%\n", what, (unsigned long long)part,
              100 * (double)part / (double)all);
}

static void
print_verdict(struct out *out, const struct population *p)
{
    const struct sepx_assessment *v = &p->verdict;
    uint64_t open = v->pairs - v->solved;

    out_print(out, "%zu graphs, %llu ordered pairs; optimum: %s\n\n",
              p->graphs.count, (unsigned long long)v->pairs, p->target);
    print_map(out, &p->events);
    out_print(out, "\n");
    print_share(out, "nothing to gain (d_opt = 0)", v->solved, v->pairs);
    print_share(out, "equal parents (d_12 = 0)", v->equal, v->pairs);
    print_share(out, "bound of SEP crossover above that of mutation", v->ahead,
                v->pairs);
    out_print(out, "\n%4s  %10s  %s\n", "", "mean bound", "largest in");
    for (unsigned i = SEPX_BOUND_SEPX; i <= SEPX_BOUND_MUTA; i++)
        out_print(out, "%4s  %10.5f  %llu pairs\n", sepx_bound_name(i),
                  v->mean[i], (unsigned long long)v->largest[i]);
    if (!open)
        out_print(out, "\nverdict: nothing is left to gain\n");
    else
        out_print(out,
                  "\nverdict, by the bounds: %s; SEP crossover is ahead in "
                  "%.1f %% of the "
                  "pairs that can gain\n",
                  2 * v->ahead > open ? "cross" : "mutate",
                  100 * (double)v->ahead / (double)open);
}

/* ---- the command ---- */

int
theory_run_population(const struct theory_settings *settings,
                      const struct sepx_theory *at)
{
    struct population p = {.settings = settings};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_space_open(&p.space, settings->space, &msg);
    int status;

    if (err)
        return cli_usage("theory", "%s", msg.text);
    err = assess(&p, at, &msg);
    if (!err && settings->json)
        put_verdict(&out, &p);
    else if (!err)
        print_verdict(&out, &p);
    status = err ? cli_fail("theory", err, &msg) : out_flush(&out);
    out_release(&out);
    population_release(&p);
    return status;
}
