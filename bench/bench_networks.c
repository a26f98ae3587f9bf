/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench networks: bounds of all pairs of whole networks at three levels,
 * beside the map of the k-th node to the k-th, a plain alignment of both
 * orders and, for the pairs of oracle.jsonl, beside the bounds listed there
 * and those of the same graphs with their nodes shuffled.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_shared.h"

static const struct {
    const char *level, *file;
} levels[] = {{"op", "data/networks/networks.jsonl"},
              {"unit", "data/networks/units.jsonl"},
              {"block", "data/networks/blocks.jsonl"}};

enum { LEVELS = 3, QUICK_STEP = 40, COURSE = 2000 };

/* What one level comes to. */
struct level {
    const char *name;
    size_t pairs, exact;
    size_t worse, lost;   /* than the position map, the alignment */
    double gap, position; /* sums of upper - lower, of what it saves */
};

/* All bounds of a search in their order: the same for the same course. */
struct course {
    double end; /* of its processor time */
    double bounds[COURSE][2];
    size_t count;
};

/* Both graphs of a pair, and what is known about them without a search. */
struct pair {
    const struct sepx_graph *a, *b;
    double position, plain;
    struct sepx_ged_result result;
    struct course course;
};

struct networks {
    const struct bench_settings *settings;
    struct sepx_names *names;
    struct sepx_graphs graphs[LEVELS];
    struct level level[LEVELS];
    size_t listed, open, tighter, above; /* pairs of oracle.jsonl */
    size_t moved, turned; /* by shuffling: beyond 5 %; on another course */
    struct sepx_rng rng;
    struct sepx_ged *ged;
    double limit;
    struct out out;
};

static enum sepx_err
read_level(struct networks *n, int which)
{
    FILE *file = bench_shared_open(levels[which].file);
    struct sepx_text text = {0};
    char part[65536];
    size_t len;
    enum sepx_err err = SEPX_OK;

    if (!file)
        return SEPX_ENOINPUT;
    while (!err && (len = fread(part, 1, sizeof part, file)) > 0)
        err = sepx_text_add(&text, part, len);
    (void)fclose(file);
    if (!err)
        err = sepx_graphs_read(&n->graphs[which], n->names, text.at, text.len,
                               levels[which].file, NULL);
    sepx_text_release(&text);
    return err;
}

/* The cost of mapping the k-th node to the k-th. */
static enum sepx_err
price_position(struct networks *n, double *cost, const struct sepx_ged_graph *a,
               const struct sepx_ged_graph *b, uint32_t nodes_a,
               uint32_t nodes_b)
{
    int16_t *map = calloc(nodes_a + 1, sizeof *map);
    enum sepx_err err;

    if (!map)
        return SEPX_ENOMEM;
    for (uint32_t i = 0; i < nodes_a; i++)
        map[i] = i < nodes_b ? (int16_t)i : SEPX_NONE;
    err = sepx_ged_map_cost(n->ged, cost, a, b, map);
    free(map);
    return err;
}

static bool
follow(void *context, double lower, double upper)
{
    struct course *course = context;
    const size_t last = course->count - 1;

    if (course->count < COURSE &&
        (!course->count || course->bounds[last][0] != lower ||
         course->bounds[last][1] != upper)) {
        course->bounds[course->count][0] = lower;
        course->bounds[course->count++][1] = upper;
    }
    return bench_processor() < course->end && !interrupt_seen();
}

/* Whether the longer of two courses begins with the other. */
static bool
same_course(const struct course *x, const struct course *y)
{
    const size_t count = x->count < y->count ? x->count : y->count;

    return !memcmp(x->bounds, y->bounds, count * sizeof x->bounds[0]);
}

static enum sepx_err
measure(struct networks *n, struct pair *pair)
{
    const struct sepx_ged_limits limits = {.watch = follow,
                                           .context = &pair->course};
    struct sepx_ged_graph *x = NULL, *y = NULL;
    enum sepx_err err = sepx_ged_prepare(n->ged, &x, pair->a);

    if (!err)
        err = sepx_ged_prepare(n->ged, &y, pair->b);
    pair->course.count = 0;
    pair->course.end = bench_processor() + n->limit;
    if (!err)
        err = sepx_ged_run(n->ged, &pair->result, x, y, &limits);
    if (!err && interrupt_seen())
        err = SEPX_ESTOPPED;
    if (!err)
        err = price_position(n, &pair->position, x, y, pair->a->n_nodes,
                             pair->b->n_nodes);
    if (!err)
        err = bench_align(n->ged, &pair->plain, pair->a, pair->b, x, y);
    sepx_ged_graph_free(x);
    sepx_ged_graph_free(y);
    return err;
}

/* Whether a pair is measured, of `left` from which `want` are still taken. */
static bool
is_chosen(struct networks *n, size_t number, size_t left, size_t *want)
{
    if (n->settings->quick)
        return number % QUICK_STEP == 0;
    if (!n->settings->pairs)
        return true;
    if (sepx_rng_below(&n->rng, (uint32_t)left) >= *want)
        return false;
    --*want;
    return true;
}

static enum sepx_err
measure_level(struct networks *n, int which)
{
    struct sepx_graphs *graphs = &n->graphs[which];
    struct level *level = &n->level[which];
    const size_t all = graphs->count * (graphs->count - 1) / 2;
    size_t number = 0, want = (size_t)n->settings->pairs;
    enum sepx_err err = SEPX_OK;

    level->name = levels[which].level;
    sepx_rng_init(&n->rng, (uint64_t)n->settings->seed, (uint32_t)which, 0, 0);
    for (size_t i = 0; i < graphs->count; i++)
        for (size_t k = i + 1; k < graphs->count && !err; k++, number++) {
            struct pair pair = {.a = &graphs->at[i], .b = &graphs->at[k]};

            if (!is_chosen(n, number, all - number, &want))
                continue;
            progress_show(level->name, number, all);
            err = measure(n, &pair);
            if (err)
                break;
            level->pairs++;
            level->exact += pair.result.exact;
            level->worse += pair.result.upper > pair.position;
            level->lost += pair.result.upper > pair.plain;
            level->gap += pair.result.upper - pair.result.lower;
            level->position += pair.position - pair.result.upper;
        }
    return err;
}

/* ---- listed pairs ---- */

static const struct sepx_graph *
find(const struct sepx_graphs *graphs, const char *name)
{
    char key[128];

    (void)snprintf(key, sizeof key, "\"name\":\"%s\"", name);
    for (size_t i = 0; i < graphs->count; i++)
        if (graphs->at[i].extra && strstr(graphs->at[i].extra, key))
            return &graphs->at[i];
    return NULL;
}

static enum sepx_err
shuffle(struct networks *n, struct sepx_graph *to,
        const struct sepx_graph *from)
{
    uint32_t *order = calloc(from->n_nodes + 1, sizeof *order);
    enum sepx_err err = SEPX_ENOMEM;

    if (!order)
        return err;
    for (uint32_t i = 0; i < from->n_nodes; i++) {
        const uint32_t k = sepx_rng_below(&n->rng, i + 1);

        order[i] = order[k];
        order[k] = i;
    }
    to->names = n->names;
    err = sepx_graph_permute(to, from, order);
    free(order);
    return err;
}

/* The same pair with the nodes of both graphs shuffled. */
static enum sepx_err
measure_shuffled(struct networks *n, const struct pair *pair,
                 struct pair *mixed)
{
    struct sepx_graph a = {0}, b = {0};
    struct pair shuffled = {.a = &a, .b = &b};
    enum sepx_err err = shuffle(n, &a, pair->a);

    if (!err)
        err = shuffle(n, &b, pair->b);
    if (!err)
        err = measure(n, &shuffled);
    *mixed = shuffled;
    mixed->a = pair->a;
    mixed->b = pair->b;
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    return err;
}

/* Whether two answers differ by more than 5 % of the wider gap. */
static bool
differ(const struct sepx_ged_result *x, const struct sepx_ged_result *y)
{
    const double most =
        0.05 * fmax(x->upper - x->lower, y->upper - y->lower) + 1e-9;

    return fabs(x->upper - y->upper) > most || fabs(x->lower - y->lower) > most;
}

static enum sepx_err
measure_pair(struct networks *n, const struct sepx_json *root,
             struct pair *pair)
{
    const double lower = sepx_json_number(sepx_json_get(root, "lower"), 0);
    const double upper = sepx_json_number(sepx_json_get(root, "upper"), 0);
    struct pair mixed = {0};
    bool moved, same;
    enum sepx_err err = measure(n, pair);

    if (!err)
        err = measure_shuffled(n, pair, &mixed);
    if (err)
        return err;
    n->listed++;
    n->above += pair->result.upper > upper;
    moved = differ(&pair->result, &mixed.result);
    same = same_course(&pair->course, &mixed.course);
    n->moved += moved;
    n->turned += !same;
    if (lower < upper) {
        n->open++;
        n->tighter += pair->result.upper - pair->result.lower < upper - lower;
    }
    out_print(&n->out, "%-5s  %-18s  %-18s  %g..%g  %g..%g  %g..%g%s  %g  %g\n",
              sepx_json_string(sepx_json_get(root, "level")),
              sepx_json_string(sepx_json_get(root, "a")),
              sepx_json_string(sepx_json_get(root, "b")), lower, upper,
              pair->result.lower, pair->result.upper, mixed.result.lower,
              mixed.result.upper,
              !same   ? " *"
              : moved ? " +"
                      : "",
              pair->plain, pair->position);
    return SEPX_OK;
}

static enum sepx_err
measure_listed(struct networks *n, const struct sepx_json *root)
{
    const char *level = sepx_json_string(sepx_json_get(root, "level"));
    const char *a = sepx_json_string(sepx_json_get(root, "a"));
    const char *b = sepx_json_string(sepx_json_get(root, "b"));
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < LEVELS && level && a && b && !err; i++) {
        struct pair pair = {0};

        if (strcmp(level, levels[i].level))
            continue;
        pair.a = find(&n->graphs[i], a);
        pair.b = find(&n->graphs[i], b);
        if (pair.a && pair.b)
            err = measure_pair(n, root, &pair);
    }
    return err;
}

static enum sepx_err
measure_oracle(struct networks *n)
{
    FILE *file = bench_shared_open("data/networks/oracle.jsonl");
    char *line = NULL;
    size_t room = 0, number = 0;
    enum sepx_err err = SEPX_OK;

    sepx_rng_init(&n->rng, (uint64_t)n->settings->seed, LEVELS, 0, 0);
    out_print(&n->out,
              "Whole networks, %g s of processor time a pair\n"
              "level  a  b  listed  here  shuffled (*: other bounds on the "
              "way; +: the same, but the time ended elsewhere, by more than "
              "5 %% of the gap)  alignment  position\n",
              n->limit);
    while (file && !err && getline(&line, &room, file) > 0) {
        struct sepx_json *root = NULL;

        progress_show("listed", number, 65);
        if (number++ % 8 && n->settings->quick)
            continue;
        err = sepx_json_parse(&root, line, strlen(line), NULL);
        if (!err)
            err = measure_listed(n, root);
        sepx_json_free(root);
    }
    free(line);
    if (file)
        (void)fclose(file);
    return err;
}

/* ---- all of it ---- */

static void
print(struct networks *n)
{
    out_print(&n->out,
              "Listed pairs: %zu, above the listed upper bound %zu, moved by "
              "shuffling %zu, on another course %zu; of %zu open ones %zu have "
              "closer bounds\n",
              n->listed, n->above, n->moved, n->turned, n->open, n->tighter);
    if (n->settings->quick)
        out_print(&n->out, "Of all pairs, one of %d:\n", QUICK_STEP);
    else if (n->settings->pairs)
        out_print(&n->out, "Of all pairs, random ones (seed %" PRId64 "):\n",
                  n->settings->seed);
    out_print(&n->out, "level  pairs  exact  mean gap  below position by  "
                       "above it  above alignment\n");
    for (int i = 0; i < LEVELS; i++) {
        const struct level *level = &n->level[i];
        const double pairs = level->pairs ? (double)level->pairs : 1;

        out_print(&n->out, "%-5s  %5zu  %5zu  %8.1f  %17.1f  %8zu  %15zu\n",
                  level->name, level->pairs, level->exact, level->gap / pairs,
                  level->position / pairs, level->worse, level->lost);
    }
}

int
bench_networks_run(const struct bench_settings *settings)
{
    struct networks n = {.settings = settings,
                         .names = sepx_names_new(),
                         .limit = settings->quick ? 0.05 : 1};
    enum sepx_err err = n.names ? SEPX_OK : SEPX_ENOMEM;
    int status;

    interrupt_catch();
    for (int i = 0; i < LEVELS && !err; i++)
        err = read_level(&n, i);
    if (!err)
        err = sepx_ged_new(&n.ged, NULL);
    if (!err)
        err = measure_oracle(&n);
    for (int i = 0; i < LEVELS && !err; i++)
        err = measure_level(&n, i);
    display_end();
    if (err == SEPX_ENOINPUT) {
        cli_say("bench", "networks: there is no folder data/networks below "
                         "$SEPX_SHARED or ../shared; nothing to measure");
        status = CLI_NOINPUT;
    } else {
        if (!err)
            print(&n);
        status = err ? cli_fail("bench", err, NULL) : out_flush(&n.out);
    }
    out_release(&n.out);
    sepx_ged_free(n.ged);
    for (int i = 0; i < LEVELS; i++)
        sepx_graphs_release(&n.graphs[i]);
    sepx_names_free(n.names);
    return status;
}
