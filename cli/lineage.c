/* SPDX-License-Identifier: Apache-2.0 */
/* sepx lineage: a trial's ancestors, and the edits between them. */
#include "study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ged.h"

/* Of the search tree of one distance: some seconds, whatever the machine. */
#define GED_NODES 5000000

struct settings {
    int64_t depth;
    bool json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"depth", 'd', OPTION_COUNT, AT(depth), "N", NULL, 0, 1e9,
     .help = "generations to go back; all unless given"},
    {"json", 'j', OPTION_FLAG, AT(json),
     .help = "JSON Lines: a trial on each, with the edits from each parent"},
    {0},
};

static const struct example examples[] = {
    {"lineage digits.study 41", "how trial 41 came to be"},
    {"lineage --depth 1 --json digits.study 41", "its parents alone"},
    {0},
};
/* clang-format on */

struct person {
    uint32_t trial;
    char *op;
    int64_t parent[2];
    double value;
    bool told;
    struct sepx_graph graph;
};

struct family {
    struct study *s;
    const struct sepx_space *space;
    struct sepx_ged *ged;
    struct person *person; /* the youngest first */
    size_t count, room;
    uint32_t *depth; /* by trial: 1 + generations back; 0: no ancestor */
    struct out out;
};

/* ---- gathering ---- */

static enum sepx_err
add_person(struct family *family, const struct sepx_entry *entry,
           struct sepx_msg *msg)
{
    const struct sepx_asked *asked = &entry->asked;
    struct person *person;

    if (family->count == family->room) {
        size_t room = family->room ? 2 * family->room : 16;
        void *more = realloc(family->person, room * sizeof *person);

        if (!more)
            return SEPX_ENOMEM;
        family->person = more;
        family->room = room;
    }
    person = &family->person[family->count];
    *person = (struct person){
        .trial = asked->trial,
        .op = strdup(asked->op),
        .parent = {asked->parent[0], asked->parent[1]},
        .value = study_value(family->s, entry->told.value),
        .told = entry->is_told,
    };
    family->count++;
    if (!person->op)
        return SEPX_ENOMEM;
    return sepx_graph_read(&person->graph, sepx_space_names(family->space),
                           asked->graph, strlen(asked->graph), SEPX_FORMAT_JSON,
                           msg);
}

/* One trial of the log. */
static enum sepx_err
fetch(struct family *family, uint32_t trial, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry = {0};
    bool more = false;
    enum sepx_err err = sepx_store_read(family->s->store, &cursor,
                                        SEPX_STORE_TRIALS, trial, msg);

    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && (!more || entry.asked.trial != trial))
        err = sepx_fail(msg, SEPX_ENOTFOUND,
                        "%s: no trial %u; 'sepx status' "
                        "says how many there are",
                        family->s->path, trial);
    if (!err)
        err = add_person(family, &entry, msg);
    sepx_cursor_free(cursor);
    return err;
}

/* Of the person that was fetched last. */
static enum sepx_err
mark_parents(struct family *family, int64_t trial, uint32_t depth,
             struct sepx_msg *msg)
{
    const struct person *person = &family->person[family->count - 1];

    for (int i = 0; i < 2; i++) {
        int64_t parent = person->parent[i];

        if (parent >= trial)
            return sepx_fail(msg, SEPX_EDATA,
                             "%s: trial %lld has a parent that is younger",
                             family->s->path, (long long)trial);
        if (parent >= 0 &&
            (!family->depth[parent] || family->depth[parent] > depth))
            family->depth[parent] = depth;
    }
    return SEPX_OK;
}

/* Parents are older than their children, so one way back finds them all. */
static enum sepx_err
gather(struct family *family, uint32_t trial, int64_t depth,
       struct sepx_msg *msg)
{
    enum sepx_err err;

    err = fetch(family, trial, msg);
    if (err)
        return err;
    family->depth = calloc((size_t)trial + 1, sizeof *family->depth);
    if (!family->depth)
        return SEPX_ENOMEM;
    family->depth[trial] = 1;
    for (int64_t at = trial; at >= 0 && !err; at--) {
        uint32_t here = family->depth[at];

        if (here && at < trial)
            err = fetch(family, (uint32_t)at, msg);
        if (here && !err && (depth < 0 || here <= depth))
            err = mark_parents(family, at, here + 1, msg);
    }
    return err;
}

static const struct person *
find(const struct family *family, int64_t trial)
{
    for (size_t i = 0; i < family->count; i++) {
        if (family->person[i].trial == trial)
            return &family->person[i];
    }
    return NULL;
}

/* ---- edits ---- */

/* The path from parent to child; it is replayed, and must give the child. */
static enum sepx_err
edits_between(struct family *family, struct sepx_path *path, bool *exact,
              const struct person *parent, const struct person *child,
              struct sepx_msg *msg)
{
    const struct sepx_ged_limits limits = {.nodes = GED_NODES};
    struct sepx_graph made = {.names = parent->graph.names};
    struct sepx_ged_result result;
    bool same = false;
    enum sepx_err err = sepx_ged_between(family->ged, &result, &parent->graph,
                                         &child->graph, &limits);

    if (!err)
        err = sepx_path_from_map(path, &parent->graph, &child->graph,
                                 result.map, false);
    if (!err)
        err = sepx_path_apply(path, &made, &parent->graph, NULL, NULL, NULL);
    if (!err)
        err = sepx_graph_isomorphic(&made, &child->graph, &same, NULL);
    if (!err && !same)
        err = sepx_fail(msg, SEPX_EDATA,
                        "the edits from trial %u to trial %u do not replay",
                        parent->trial, child->trial);
    *exact = !err && result.exact;
    sepx_graph_release(&made);
    return err;
}

/* ---- the answer ---- */

static void
print_person(struct out *out, const struct person *person)
{
    out_print(out, "trial %u: %s", person->trial, person->op);
    for (int i = 0; i < 2 && person->parent[i] >= 0; i++)
        out_print(out, "%s%lld", i ? " and " : " of ",
                  (long long)person->parent[i]);
    if (person->told && !isnan(person->value))
        out_print(out, ", %.12g", person->value);
    else
        out_print(out, ", %s", person->told ? "no score" : "under way");
    out_print(out, "\n");
}

static enum sepx_err
print_edits(struct family *family, const struct person *parent,
            const struct person *child, struct sepx_msg *msg)
{
    struct out *out = &family->out;
    struct sepx_path path = {0};
    bool exact;
    enum sepx_err err =
        edits_between(family, &path, &exact, parent, child, msg);

    if (!err)
        out_print(out, "  from %u, %s%zu edit%s\n", parent->trial,
                  exact ? "" : "at most ", path.len, path.len == 1 ? "" : "s");
    for (size_t i = 0; i < path.len && !err; i++) {
        out_print(out, "    ");
        edit_print(out, &path.edit[i], parent->graph.names);
    }
    sepx_path_release(&path);
    return err;
}

static enum sepx_err
put_edits(struct family *family, struct sepx_json_writer *w,
          const struct person *parent, const struct person *child,
          struct sepx_msg *msg)
{
    struct sepx_path path = {0};
    bool exact;
    enum sepx_err err =
        edits_between(family, &path, &exact, parent, child, msg);

    sepx_json_open(w, '{');
    sepx_json_key(w, "trial");
    sepx_json_put_integer(w, parent->trial);
    sepx_json_key(w, "exact");
    sepx_json_put_bool(w, exact);
    sepx_json_key(w, "edits");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < path.len && !err; i++) {
        sepx_json_open(w, '{');
        edit_put_json(w, &path.edit[i], parent->graph.names);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    sepx_path_release(&path);
    return err;
}

static enum sepx_err
put_person(struct family *family, const struct person *person,
           struct sepx_msg *msg)
{
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    sepx_json_begin(&w, &family->out.text);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "trial");
    sepx_json_put_integer(&w, person->trial);
    sepx_json_key(&w, "operator");
    sepx_json_put_string(&w, person->op);
    sepx_json_key(&w, "value");
    sepx_json_put_number(&w, person->told ? person->value : NAN);
    sepx_json_key(&w, "parents");
    sepx_json_open(&w, '[');
    for (int i = 0; i < 2 && !err; i++) {
        const struct person *parent = find(family, person->parent[i]);

        if (parent)
            err = put_edits(family, &w, parent, person, msg);
    }
    sepx_json_close(&w, ']');
    sepx_json_key(&w, "graph");
    sepx_graph_put_json(&w, &person->graph);
    sepx_json_close(&w, '}');
    out_print(&family->out, "\n");
    return err ? err : sepx_json_done(&w);
}

/* The oldest first. */
static enum sepx_err
answer(struct family *family, bool json, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = family->count; i-- > 0 && !err;) {
        const struct person *person = &family->person[i];

        if (json) {
            err = put_person(family, person, msg);
            continue;
        }
        print_person(&family->out, person);
        for (int j = 0; j < 2 && !err; j++) {
            const struct person *parent = find(family, person->parent[j]);

            if (parent)
                err = print_edits(family, parent, person, msg);
        }
    }
    return err;
}

/* ---- the command ---- */

static enum sepx_err
open_family(struct family *family, struct sepx_msg *msg)
{
    struct sepx_ged_options ged = {0};
    enum sepx_err err = sepx_study_space(family->s->study, &family->space, msg);

    if (err)
        return err;
    ged.pinned = sepx_space_pinned(family->space, &ged.n_pinned);
    return sepx_ged_new(&family->ged, &ged);
}

static void
close_family(struct family *family)
{
    for (size_t i = 0; i < family->count; i++) {
        free(family->person[i].op);
        sepx_graph_release(&family->person[i].graph);
    }
    free(family->person);
    free(family->depth);
    sepx_ged_free(family->ged);
    out_release(&family->out);
}

static int
tell(struct study *s, uint32_t trial, const struct settings *settings)
{
    struct family family = {.s = s};
    struct sepx_msg msg = {0};
    enum sepx_err err = open_family(&family, &msg);
    int status;

    if (!err)
        err = gather(&family, trial, settings->depth, &msg);
    if (!err)
        err = answer(&family, settings->json, &msg);
    status = err ? cli_fail("lineage", err, &msg) : out_flush(&family.out);
    close_family(&family);
    return status;
}

static int
run(const struct call *call)
{
    const char *word = call->operand[1];
    char *end;
    unsigned long trial;
    struct study s;
    int status;

    errno = 0;
    trial = strtoul(word, &end, 10);
    if (errno || end == word || *end || *word == '-' || trial >= UINT32_MAX)
        return cli_usage("lineage", "'%s' is not the number of a trial", word);
    status = study_open(&s, "lineage", call->operand[0], false);
    if (!status)
        status = tell(&s, (uint32_t)trial, call->settings);
    study_close(&s);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY TRIAL", NULL};

const struct command command_lineage = {
    .name = "lineage",
    .summary = "show a trial's ancestors and the edits between them",
    .synopsis = synopsis,
    .about =
        "Every ancestor of a trial, the oldest first, and for each child the "
        "shortest edits that turn each parent into it. The edits are replayed "
        "before they are shown, and give the child (an isomorph of it). Nodes "
        "are numbered as in 'sepx ged --path': those of the parent keep their "
        "numbers, inserted ones follow.\n\n"
        "With --json, a line for each trial: trial, operator, value, parents "
        "(each with trial, exact and edits) and graph.",
    .options = options,
    .examples = examples,
    .least_operands = 2,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
    .run = run,
};
