/* SPDX-License-Identifier: Apache-2.0 */
/* sepx theory: expected improvement of one step of search. */
#include "research/theory_command.h"

#define AT(member) offsetof(struct theory_settings, member)

#define X(id, name, text) name,
static const char *const readings[] = {SEPX_STDX_TRIALS(X) NULL};
#undef X
#define X(id, name, text) name,
static const char *const parents[] = {SEPX_PARENTS(X) NULL};
#undef X
static const char *const formats[] = {"csv", "json", "gp", "svg", "png", NULL};

/* clang-format off */
static const struct option options[] = {
    {"n", 0, OPTION_COUNT, AT(n), "NODES", "7", 1, SEPX_NODES_MAX,
     .help = "number of nodes of the graphs"},
    {"edges", 0, OPTION_LIST, AT(edges), "OPT,ONE,TWO",
     .help = "edges of the optimum, of parent 1 and of parent 2; 9,9,9 unless "
             "given, if n is 7"},
    {"d-opt", 0, OPTION_LIST, AT(field[SEPX_AXIS_D_OPT]), "VALUES",
     .help = "distance from the optimum to parent 1, in edges; 0 unless "
             "given"},
    {"d-12", 0, OPTION_LIST, AT(field[SEPX_AXIS_D_12]), "VALUES",
     .help = "distance between the parents, in edges; 0 unless given"},
    {"alpha-eta", 0, OPTION_LIST, AT(field[SEPX_AXIS_ALPHA_ETA]), "VALUES",
     .help = "reward scale times learning rate of the agents; 0.1 unless "
             "given"},
    {"epsilon", 0, OPTION_LIST, AT(field[SEPX_AXIS_EPSILON]), "VALUES",
     .help = "relative excess of a distance that is not exact; 0 unless "
             "given"},
    {"p-m", 0, OPTION_LIST, AT(field[SEPX_AXIS_P_M]), "VALUES",
     .help = "chance that mutation flips an entry; 1/(n(n-1)) unless given"},
    {"b", 0, OPTION_NUMBER, AT(b), "DISTANCE", .low = 1e-300, .high = 1e9,
     .help = "expected distance of what the agents draw; as --d-opt unless "
             "given"},
    {"stdx-trials", 0, OPTION_CHOICE, AT(stdx_trials), "READING", "round",
     .choices = readings,
     .help = "how standard crossover reads a number of trials that is no "
             "integer: round, mix, floor or ceil"},
    {"clip-rl", 0, OPTION_FLAG, AT(clip_rl),
     .help = "count no loss of the agents, as for the other bounds"},
    {"trials", 0, OPTION_COUNT, AT(trials), "N", "0", 0, 1e12,
     .help = "print Monte Carlo estimates of N draws beside the bounds; 0: "
             "none"},
    {"seed", 0, OPTION_SEED, AT(seed), "N", "1",
     .help = "seed of the estimates"},
    {"measured", 0, OPTION_FLAG, AT(measured),
     .help = "apply the real operators to graphs of a space, and measure"},
    {"population", 0, OPTION_FILE, AT(population), "FILE",
     .help = "where the pairs of these graphs fall, and which operator has "
             "the larger bound there; '-' is standard input"},
    {"target", 0, OPTION_FILE, AT(target), "NAME|FILE",
     .help = "the optimum of --population: a target of the space, or a graph; "
             "the first target of the space unless given"},
    {"space", 's', OPTION_FILE, AT(space), "NAME|FILE", "nb101",
     .help = "the space whose graphs are measured, or whose target it is"},
    {"samples", 0, OPTION_COUNT, AT(samples), "N", "10000", 2, 1e7,
     .help = "number of times that three graphs are drawn and measured"},
    {"parents", 0, OPTION_CHOICE, AT(parents), "HOW", "related",
     .choices = parents,
     .help = "where the parents that are measured differ: related, as the "
             "theory assumes, half where parent 1 is wrong; or independent"},
    {"rules", 0, OPTION_TEXT, AT(rules), "PRESET", "default",
     .help = "rules of the operators that are measured: default, published "
             "or paper; the last two keep nodes on no path"},
    {"labels", 0, OPTION_FLAG, AT(labels),
     .help = "measure with node labels as drawn; without it, nodes have one "
             "label, and edits are edges, as in the theory"},
    {"threads", 0, OPTION_COUNT, AT(threads), "N", "0", .high = 1024,
     .help = "number of threads, 0 for one per processor; the result is the "
             "same"},
    {"map", 0, OPTION_TEXT, AT(map), "A-B",
     .help = "a grid of bound A, or of A minus B, over the two options that "
             "have several values"},
    {"figure", 0, OPTION_TEXT, AT(figure), "NAME",
     .help = "a map of the paper, by its name"},
    {"all-figures", 0, OPTION_FILE, AT(all_figures), "FOLDER",
     .help = "every map of the paper, as NAME.csv, NAME.svg and NAME.png"},
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "write a map here; the suffix .csv, .json, .gp, .svg or .png "
             "sets the format"},
    {"format", 'f', OPTION_CHOICE, AT(format), "FORMAT", .choices = formats,
     .help = "format of a map: csv, json, gp (gnuplot), svg or png; csv "
             "unless given here or by the suffix"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {0},
};

static const struct example examples[] = {
    {"theory --n 7 --edges 9,9,9 --d-opt 3 --d-12 4 --alpha-eta 0.1 --json",
     "all bounds at one point"},
    {"theory --d-opt 3 --d-12 4 --trials 1000000",
     "with Monte Carlo estimates beside them"},
    {"theory --map sepx-muta --d-opt 0..10 --d-12 0..10 -o map.svg",
     "where SEP crossover is ahead of mutation"},
    {"theory --map rlo --d-opt 1..10 --alpha-eta 0.05,0.1,0.2,0.5,1",
     "rows of a grid"},
    {"theory --measured --d-opt 4 --d-12 4 --samples 100000",
     "bounds beside what the operators do on real cells"},
    {"theory --population graphs.jsonl --target optimum",
     "should this population use crossover?"},
    {"theory --all-figures figures", "every heat map of the paper"},
    {0},
};
/* clang-format on */

/* ---- one point ---- */

struct point {
    struct sepx_theory at;
    double exact[SEPX_BOUND_END];
    struct sepx_estimate sampled[SEPX_BOUND_END];
};

static enum sepx_err
point_compute(struct point *point, const struct theory_settings *settings,
              struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 1; i < SEPX_BOUND_END && !err; i++) {
        struct sepx_rng rng;

        err = sepx_theory_exact(&point->exact[i], &point->at, i, msg);
        if (err || !settings->trials)
            continue;
        sepx_rng_init(&rng, settings->seed, 0, 0, i);
        err = sepx_theory_sample(&point->sampled[i], &point->at, i,
                                 (uint64_t)settings->trials, &rng, msg);
    }
    return err;
}

/* The largest bound; NONE if there is nothing to gain. */
static enum sepx_bound
point_best(const struct point *point)
{
    enum sepx_bound best = SEPX_BOUND_NONE;

    for (unsigned i = 1; i < SEPX_BOUND_END; i++)
        if (point->exact[i] > point->exact[best])
            best = i;
    return best;
}

static void
put_samples(struct sepx_json_writer *w, const struct point *point,
            uint64_t seed)
{
    sepx_json_key(w, "monte_carlo");
    sepx_json_open(w, '{');
    sepx_json_add_count(w, "trials", point->sampled[1].trials);
    sepx_json_add_count(w, "seed", seed);
    for (unsigned i = 1; i < SEPX_BOUND_END; i++) {
        sepx_json_key(w, sepx_bound_name(i));
        sepx_json_open(w, '{');
        sepx_json_add_number(w, "mean", point->sampled[i].mean);
        sepx_json_add_number(w, "se", point->sampled[i].se);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, '}');
}

static void
put_point(struct out *out, const struct point *point,
          const struct theory_settings *settings)
{
    const char *best = sepx_bound_name(point_best(point));
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    for (unsigned i = 1; i < SEPX_BOUND_END; i++) {
        sepx_json_key(&w, sepx_bound_name(i));
        sepx_json_put_number(&w, point->exact[i]);
    }
    sepx_json_key(&w, "best");
    if (best)
        sepx_json_put_string(&w, best);
    else
        sepx_json_put_null(&w);
    if (settings->trials)
        put_samples(&w, point, settings->seed);
    sepx_json_key(&w, "setting");
    sepx_theory_put_json(&w, &point->at);
    sepx_json_close(&w, '}');
    out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

static void
print_point(struct out *out, const struct point *point,
            const struct theory_settings *settings)
{
    enum sepx_bound best = point_best(point);

    for (unsigned i = 1; i < SEPX_BOUND_END; i++) {
        const struct sepx_estimate *sampled = &point->sampled[i];

        out_print(out, "%-4s  %15.12f", sepx_bound_name(i), point->exact[i]);
        if (settings->trials)
            out_print(out, "  %11.8f +- %.2g", sampled->mean, sampled->se);
        out_print(out, "  %s%s\n", sepx_bound_text(i),
                  i == best ? " (the largest)" : "");
    }
}

/*
 * Graphs of a and b edges are |a - b| to a + b edits apart, and no further
 * than if they shared no missing edge either. The formulas take any distance.
 */
static void
warn_impossible(const char *option, uint32_t distance, uint32_t a, uint32_t b,
                uint32_t n)
{
    uint32_t least = a > b ? a - b : b - a;
    uint32_t most = a + b, missing = 2 * n * (n - 1) - a - b;

    most = missing < most ? missing : most;
    if (distance < least || distance > most)
        cli_say("theory",
                "warning: %s %u: graphs of %u and %u edges are %u to %u edits "
                "apart, so no graphs are as these bounds assume; change it or "
                "--edges",
                option, distance, a, b, least, most);
}

static int
run_point(const struct theory_settings *settings, const struct sepx_theory *at)
{
    struct point point = {.at = *at};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err = point_compute(&point, settings, &msg);
    int status;

    if (err)
        return cli_fail("theory", err, &msg);
    warn_impossible("--d-opt", at->d_opt, at->edges[0], at->edges[1], at->n);
    warn_impossible("--d-12", at->d_12, at->edges[1], at->edges[2], at->n);
    if (settings->json)
        put_point(&out, &point, settings);
    else
        print_point(&out, &point, settings);
    status = out_flush(&out);
    out_release(&out);
    return status;
}

/* ---- the command ---- */

static int
run_values(const struct theory_settings *settings)
{
    struct theory_values values = {0};
    struct sepx_theory at;
    int status = theory_values_init(&values, settings);

    if (!status)
        status = theory_setting(&at, settings, &values);
    for (unsigned i = 0; i < SEPX_AXIS_END && !status && !settings->map; i++)
        if (values.count[i] > 1)
            status = cli_usage("theory", "several values need --map A-B, for "
                                         "example --map sepx-muta");
    if (!status && settings->population)
        status = theory_run_population(settings, &at);
    else if (!status && settings->measured)
        status = theory_run_measured(settings, &at);
    else if (!status)
        status = settings->map ? theory_run_map(settings, &at, &values)
                               : run_point(settings, &at);
    theory_values_release(&values);
    return status;
}

static int
run(const struct call *call)
{
    const struct theory_settings *settings = call->settings;

    if (settings->trials == 1)
        return cli_usage("theory", "--trials 1 gives no standard error; take "
                                   "2 or more");
    if (settings->trials &&
        (settings->map || settings->figure || settings->all_figures))
        return cli_usage("theory", "--trials is for one point; maps are "
                                   "exact");
    if (settings->measured &&
        (settings->map || settings->figure || settings->all_figures))
        return cli_usage("theory", "--measured is for one point, not for "
                                   "maps");
    if (settings->population && (settings->map || settings->figure ||
                                 settings->all_figures || settings->measured))
        return cli_usage("theory", "--population goes with neither --measured "
                                   "nor maps");
    if (settings->target && !settings->population)
        return cli_usage("theory", "--target needs --population FILE");
    if (settings->all_figures)
        return theory_run_all_figures(settings);
    if (settings->figure)
        return theory_run_figure(settings);
    return run_values(settings);
}

static const char *const synopsis[] = {"[OPTION...]",
                                       "[OPTION...] --map A-B [-o FILE]",
                                       "--figure NAME [-o FILE]",
                                       "--all-figures FOLDER",
                                       "[OPTION...] --measured [--space NAME]",
                                       NULL};

const struct command command_theory = {
    .name = "theory",
    .group = GROUP_PAPER,
    .summary = "bounds of the improvement that a step can be expected to make",
    COMMAND_PARTS,
    .about =
        "Lower bounds of how many edges nearer the optimum one step brings a "
        "graph: sepx, shortest edit path crossover; stdx, standard crossover; "
        "muta, mutation; rlu and rlo, learning agents, the unbiased one "
        "equally unsure of every entry, the oracle only of as few as it can. "
        "They are exact sums; --trials gives the Monte Carlo estimates of "
        "the paper with their standard errors.\n\n"
        "VALUES are numbers and ranges FROM..TO, separated by commas. With "
        "--map, exactly two options have several values and span the grid: "
        "--d-opt across, or else the first of them.\n\n"
        "With --measured, three graphs of the space are drawn at these "
        "distances, many times; SEP crossover, standard crossover and the "
        "space's mutation are applied, and the improvement is measured by "
        "exact distances: of the operator's raw child (alone), and of the "
        "children that the rules of the space let through (applied).\n\n"
        "With --population, every ordered pair of its graphs is placed on the "
        "map of d_opt and d_12, with its own edge counts. The verdict compares "
        "bounds, which assume that the parents differ where one of them is "
        "wrong.\n\n"
        "SVG and PNG are made by gnuplot, which must be installed.",
    .settings_size = sizeof(struct theory_settings),
};
