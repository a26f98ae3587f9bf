/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx bench networks: bounds of all pairs of whole networks at three levels,
 * beside the map of the k-th node to the k-th and, for the pairs of
 * oracle.jsonl, beside the bounds listed there.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_shared.h"

static const struct {
    const char *level, *file;
} levels[] = {{"op", "data/networks/networks.jsonl"},
              {"unit", "data/networks/units.jsonl"},
              {"block", "data/networks/blocks.jsonl"}};

enum { LEVELS = 3, QUICK_STEP = 40 };

/* What one level comes to. */
struct level {
    const char *name;
    size_t pairs, exact, worse; /* worse than the position map */
    double gap, position;       /* sums of upper - lower, of what it saves */
};

struct networks {
    const struct bench_settings *settings;
    struct sepx_names *names;
    struct sepx_graphs graphs[LEVELS];
    struct level level[LEVELS];
    size_t listed, open, tighter, above; /* pairs of oracle.jsonl */
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

static enum sepx_err
measure(struct networks *n, const struct sepx_graph *a,
        const struct sepx_graph *b, struct sepx_ged_result *result,
        double *position)
{
    struct sepx_ged_graph *x = NULL, *y = NULL;
    double spent;
    enum sepx_err err = sepx_ged_prepare(n->ged, &x, a);

    if (!err)
        err = sepx_ged_prepare(n->ged, &y, b);
    if (!err)
        err = bench_limited(n->ged, result, x, y, n->limit, &spent);
    if (!err)
        err = price_position(n, position, x, y, a->n_nodes, b->n_nodes);
    sepx_ged_graph_free(x);
    sepx_ged_graph_free(y);
    return err;
}

static enum sepx_err
measure_level(struct networks *n, int which)
{
    struct sepx_graphs *graphs = &n->graphs[which];
    struct level *level = &n->level[which];
    const size_t all = graphs->count * (graphs->count - 1) / 2;
    size_t number = 0;
    enum sepx_err err = SEPX_OK;

    level->name = levels[which].level;
    for (size_t i = 0; i < graphs->count; i++)
        for (size_t k = i + 1; k < graphs->count && !err; k++, number++) {
            struct sepx_ged_result result;
            double position;

            if (n->settings->quick && number % QUICK_STEP)
                continue;
            progress_show(level->name, number, all);
            err =
                measure(n, &graphs->at[i], &graphs->at[k], &result, &position);
            if (err)
                break;
            level->pairs++;
            level->exact += result.exact;
            level->worse += result.upper > position;
            level->gap += result.upper - result.lower;
            level->position += position - result.upper;
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
measure_listed(struct networks *n, const struct sepx_json *root)
{
    const char *level = sepx_json_string(sepx_json_get(root, "level"));
    const char *a = sepx_json_string(sepx_json_get(root, "a"));
    const char *b = sepx_json_string(sepx_json_get(root, "b"));
    const double lower = sepx_json_number(sepx_json_get(root, "lower"), 0);
    const double upper = sepx_json_number(sepx_json_get(root, "upper"), 0);
    struct sepx_ged_result result;
    double position;
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < LEVELS && level && a && b && !err; i++) {
        const struct sepx_graph *x, *y;

        if (strcmp(level, levels[i].level))
            continue;
        x = find(&n->graphs[i], a);
        y = find(&n->graphs[i], b);
        if (!x || !y)
            continue;
        err = measure(n, x, y, &result, &position);
        if (err)
            break;
        n->listed++;
        n->above += result.upper > upper;
        if (lower < upper) {
            n->open++;
            n->tighter += result.upper - result.lower < upper - lower;
        }
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

    while (file && !err && getline(&line, &room, file) > 0) {
        struct sepx_json *root = NULL;

        progress_show("listed", number, 65);
        if (n->settings->quick && number++ % 8)
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
              "Whole networks, %g s of processor time a pair%s\n"
              "level  pairs  exact  mean gap  below position by  above it\n",
              n->limit, n->settings->quick ? ", some of them" : "");
    for (int i = 0; i < LEVELS; i++) {
        const struct level *level = &n->level[i];
        const double pairs = level->pairs ? (double)level->pairs : 1;

        out_print(&n->out, "%-5s  %5zu  %5zu  %8.1f  %17.1f  %8zu\n",
                  level->name, level->pairs, level->exact, level->gap / pairs,
                  level->position / pairs, level->worse);
    }
    out_print(&n->out,
              "Listed pairs: %zu, above the listed upper bound %zu; of %zu "
              "open ones %zu have closer bounds\n",
              n->listed, n->above, n->open, n->tighter);
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
    for (int i = 0; i < LEVELS && !err; i++)
        err = measure_level(&n, i);
    if (!err)
        err = measure_oracle(&n);
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
