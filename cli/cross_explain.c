/* SPDX-License-Identifier: Apache-2.0 */
/* A crossover told in words and as JSON. */
#include "cross.h"

#include "ged.h"

static void
print_edits(struct out *out, const struct crossing *crossing)
{
    const struct sepx_explain *explain = &crossing->explain;
    size_t taken = 0;

    out_print(out, "distance of the parents: %.12g; edits lead from %s\n",
              explain->distance, explain->swapped ? "B to A" : "A to B");
    for (size_t i = 0; i < explain->path.len; i++) {
        taken += explain->taken[i];
        out_print(out, "  %c ",
                  explain->dropped[i] ? '!'
                  : explain->taken[i] ? '+'
                                      : '-');
        edit_print(out, &explain->path.edit[i], crossing->parent[0].names);
    }
    out_print(out, "%zu of %zu edits taken, %zu of them dropped; ", taken,
              explain->path.len, explain->n_dropped);
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
    out_print(out, "\ndistance of the child to A %.12g, to B %.12g\n",
              crossing->distance[0], crossing->distance[1]);
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
        sepx_json_key(w, "taken");
        sepx_json_put_bool(w, explain->taken[i]);
        sepx_json_key(w, "dropped");
        sepx_json_put_bool(w, explain->dropped[i]);
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
    sepx_json_key(w, "verdict");
    sepx_json_put_string(w, verdict_name(explain->verdict));
    sepx_json_key(w, "trials");
    sepx_json_put_integer(w, explain->trials);
    if (with_path) {
        sepx_json_key(w, "distance");
        sepx_json_put_number(w, explain->distance);
        sepx_json_key(w, "swapped");
        sepx_json_put_bool(w, explain->swapped);
        sepx_json_key(w, "map");
        map_put_json(w, explain->map, explain->path.n_first);
        put_path(w, crossing);
    }
    if (with_path && crossing->accepted) {
        sepx_json_key(w, "place");
        map_put_json(w, explain->place,
                     (uint32_t)explain->path.n_first + explain->path.n_insert);
        sepx_json_key(w, "child_to_a");
        sepx_json_put_number(w, crossing->distance[0]);
        sepx_json_key(w, "child_to_b");
        sepx_json_put_number(w, crossing->distance[1]);
    }
    sepx_json_close(w, '}');
}
