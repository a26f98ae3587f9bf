/* SPDX-License-Identifier: Apache-2.0 */
/* sepx theory --measured: what is derived beside what is measured. */
#include "research/theory_command.h"

#include <math.h>

#define WIDTH_95 1.959963984540054 /* of a normal distribution, in sd */
#define TRIALS 100000              /* of Monte Carlo, unless given */

static const enum sepx_bound rows[] = {SEPX_BOUND_SEPX, SEPX_BOUND_STDX,
                                       SEPX_BOUND_MUTA};
enum { ROWS = sizeof rows / sizeof *rows };

struct comparison {
    struct sepx_measure_plan plan;
    const char *parents;
    struct sepx_measured measured;
    struct sepx_estimate sampled[SEPX_BOUND_END];
    double exact[SEPX_BOUND_END];
};

static enum sepx_err
compute(struct comparison *c, uint64_t trials, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_theory_measure(&c->measured, &c->plan, msg);

    for (unsigned i = 0; i < ROWS && !err; i++) {
        enum sepx_bound which = rows[i];
        struct sepx_rng rng;

        sepx_rng_init(&rng, c->plan.seed, 0, 0, which);
        err = sepx_theory_exact(&c->exact[which], &c->plan.at, which, msg);
        if (!err)
            err = sepx_theory_sample(&c->sampled[which], &c->plan.at, which,
                                     trials, &rng, msg);
    }
    return err;
}

/* ---- JSON ---- */

static void
put_estimate(struct sepx_json_writer *w, const char *key,
             const struct sepx_estimate *x)
{
    sepx_json_key(w, key);
    sepx_json_open(w, '{');
    sepx_json_add_number(w, "mean", x->mean);
    sepx_json_add_number(w, "se", x->se);
    sepx_json_add_number(w, "low", x->mean - WIDTH_95 * x->se);
    sepx_json_add_number(w, "high", x->mean + WIDTH_95 * x->se);
    sepx_json_add_count(w, "count", x->trials);
    sepx_json_close(w, '}');
}

static void
put_head(struct sepx_json_writer *w, const struct comparison *c)
{
    sepx_json_add_string(w, "space", sepx_space_info(c->plan.space)->name);
    sepx_json_add_count(w, "samples", c->plan.samples);
    sepx_json_add_count(w, "seed", c->plan.seed);
    sepx_json_add_string(w, "parents", c->parents);
    sepx_json_add_string(w, "rules", c->plan.rules);
    sepx_json_add_bool(w, "labels", c->plan.labels);
    sepx_json_key(w, "edges");
    sepx_json_open(w, '[');
    for (int i = 0; i < 3; i++)
        sepx_json_put_number(w, c->measured.edges[i]);
    sepx_json_close(w, ']');
}

static void
put_comparison(struct out *out, const struct comparison *c)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    put_head(&w, c);
    for (unsigned i = 0; i < ROWS; i++) {
        enum sepx_bound which = rows[i];

        sepx_json_key(&w, sepx_bound_name(which));
        sepx_json_open(&w, '{');
        sepx_json_add_number(&w, "exact", c->exact[which]);
        put_estimate(&w, "monte_carlo", &c->sampled[which]);
        put_estimate(&w, "alone", &c->measured.alone[which]);
        put_estimate(&w, "applied", &c->measured.applied[which]);
        sepx_json_close(&w, '}');
    }
    sepx_json_key(&w, "setting");
    sepx_theory_put_json(&w, &c->plan.at);
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

/* ---- text ---- */

static void
print_estimate(struct out *out, const struct sepx_estimate *x)
{
    out_print(out, "  %8.5f +- %7.5f", x->mean, WIDTH_95 * x->se);
}

static void
print_comparison(struct out *out, const struct comparison *c)
{
    const struct sepx_measured *measured = &c->measured;
    const struct sepx_theory *at = &c->plan.at;

    out_print(out,
              "%s: %llu times three graphs of %u nodes, d_opt %u, d_12 %u, "
              "parents %s, %s rules; on average %.2f, %.2f, %.2f edges\n\n",
              sepx_space_info(c->plan.space)->name,
              (unsigned long long)c->plan.samples, at->n, at->d_opt, at->d_12,
              c->parents, c->plan.rules, measured->edges[0], measured->edges[1],
              measured->edges[2]);
    out_print(out, "%4s  %8s  %19s  %19s  %19s  %8s\n", "", "bound",
              "Monte Carlo", "operator alone", "as applied", "accepted");
    for (unsigned i = 0; i < ROWS; i++) {
        enum sepx_bound which = rows[i];

        out_print(out, "%4s  %8.5f", sepx_bound_name(which), c->exact[which]);
        print_estimate(out, &c->sampled[which]);
        print_estimate(out, &measured->alone[which]);
        print_estimate(out, &measured->applied[which]);
        out_print(out, "  %6.2f %%\n",
                  100 * (double)measured->applied[which].trials /
                      (double)c->plan.samples);
    }
    out_print(out, "\n+-: half the 95 %% confidence interval\n");
}

/* ---- the command ---- */

int
theory_run_measured(const struct theory_settings *settings,
                    const struct sepx_theory *at)
{
    struct comparison c = {
        .parents = settings->parents,
        .plan = {.at = *at,
                 .parents = sepx_parents_find(settings->parents),
                 .rules = settings->rules,
                 .labels = settings->labels,
                 .samples = (uint64_t)settings->samples,
                 .seed = settings->seed,
                 .threads = (unsigned)settings->threads}};
    struct sepx_space *space = NULL;
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = sepx_space_open(&space, settings->space, &msg);
    int status;

    if (err)
        return cli_usage("theory", "%s", msg.text);
    c.plan.space = space;
    err = compute(&c, settings->trials ? (uint64_t)settings->trials : TRIALS,
                  &msg);
    if (!err && settings->json)
        put_comparison(&out, &c);
    else if (!err)
        print_comparison(&out, &c);
    status = err ? cli_fail("theory", err, &msg) : out_flush(&out);
    out_release(&out);
    sepx_space_close(space);
    return status;
}
