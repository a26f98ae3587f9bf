/* SPDX-License-Identifier: Apache-2.0 */
/* A crossover told in words and as JSON. */
#include "graph/cross_command.h"

#include "graph/ged_command.h"

/* A lower bound that nobody looked for is NaN. */
static void
print_bounds(struct out *out, double lower, double upper)
{
    if (lower < upper)
        out_print(out, "%.12g to ", lower);
    out_print(out, "%.12g", upper);
}

static void
print_edits(struct out *out, const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;
    size_t taken = 0;

    out_print(out, "distance of the parents: ");
    print_bounds(out, explain->lower, explain->distance);
    out_print(out, "; edits lead from %s\n",
              explain->swapped ? "B to A" : "A to B");
    if (explain->lower < explain->distance)
        out_print(out,
                  "the alignment ran out of its budget: the path is %.12g%s "
                  "too long at most (rule align)\n",
                  explain->distance - explain->lower,
                  explain->distance == (double)explain->path.len ? " edits"
                                                                 : "");
    for (size_t i = 0; i < explain->path.len; i++) {
        taken += explain->taken[i];
        out_print(out, "  %c ",
                  explain->dropped[i] ? '!'
                  : explain->taken[i] ? '+'
                                      : '-');
        edit_print(out, &explain->path.edit[i], &crossing->parent[0]);
    }
    out_print(out, "%zu of %zu edits taken, %zu of them dropped; ", taken,
              explain->path.len, explain->n_dropped);
    if (explain->n_past)
        out_print(out,
                  "the last %zu in neither parent, past what is left out of a "
                  "row; ",
                  explain->n_past);
}

void
cross_print(struct out *out, const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;

    if (explain->path.n_first)
        print_edits(out, crossing);
    out_print(out, "trial %u: %s", explain->trials,
              verdict_name(explain->verdict));
    if (!crossing->accepted) {
        out_print(out, "%s%s\n", explain->why.text[0] ? ": " : "",
                  explain->why.text);
        return;
    }
    out_print(out, "\ndistance of the child to A ");
    print_bounds(out, crossing->distance[0].lower, crossing->distance[0].upper);
    out_print(out, ", to B ");
    print_bounds(out, crossing->distance[1].lower, crossing->distance[1].upper);
    out_print(out, "\n");
}

/* The best value known, and the proven bound below it if they differ. */
static void
put_bounds(struct sepx_json_writer *w, const char *key, const char *below,
           double lower, double upper)
{
    sepx_json_add_number(w, key, upper);
    if (lower < upper)
        sepx_json_add_number(w, below, lower);
}

static void
put_path(struct sepx_json_writer *w, const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;

    sepx_json_key(w, "path");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < explain->path.len; i++) {
        sepx_json_open(w, '{');
        edit_put_json(w, &explain->path.edit[i], crossing->parent[0].names);
        sepx_json_add_bool(w, "taken", explain->taken[i]);
        sepx_json_add_bool(w, "dropped", explain->dropped[i]);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
}

void
cross_put_json(struct sepx_json_writer *w, const struct crossing *crossing,
               bool with_path)
{
    const struct sepx_explain *explain = &crossing->explain;

    sepx_json_open(w, '{');
    sepx_json_key(w, "child");
    if (crossing->accepted)
        sepx_graph_put_json(w, &crossing->child);
    else
        sepx_json_put_null(w);
    sepx_json_add_string(w, "verdict", verdict_name(explain->verdict));
    sepx_json_add_integer(w, "trials", explain->trials);
    if (with_path) {
        put_bounds(w, "distance", "distance_lower", explain->lower,
                   explain->distance);
        sepx_json_add_bool(w, "swapped", explain->swapped);
        sepx_json_key(w, "map");
        map_put_json(w, explain->map, explain->path.n_first);
        put_path(w, crossing);
        if (explain->n_past)
            sepx_json_add_integer(w, "past", (int64_t)explain->n_past);
    }
    if (with_path && crossing->accepted) {
        sepx_json_key(w, "place");
        map_put_json(w, explain->place,
                     (uint32_t)explain->path.n_first + explain->path.n_insert);
        put_bounds(w, "child_to_a", "child_to_a_lower",
                   crossing->distance[0].lower, crossing->distance[0].upper);
        put_bounds(w, "child_to_b", "child_to_b_lower",
                   crossing->distance[1].lower, crossing->distance[1].upper);
    }
    sepx_json_close(w, '}');
}
