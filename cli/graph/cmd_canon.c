/* SPDX-License-Identifier: Apache-2.0 */
/* sepx canon: keys, canonical forms, groups of isomorphic graphs. */
#include "frame/cli.h"

#include <inttypes.h>
#include <stdlib.h>

struct settings {
    bool groups, graphs, json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"groups", 0, OPTION_FLAG, AT(groups),
     .help = "print one line for each group of isomorphic graphs: key, size, "
             "members"},
    {"graphs", 0, OPTION_FLAG, AT(graphs),
     .help = "print the graphs in canonical order, as JSON Lines"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "print JSON Lines"},
    {0},
};

static const struct example examples[] = {
    {"canon a.json b.json", "two equal keys: the graphs are isomorphic"},
    {"canon --groups cells.jsonl", "which graphs of a file are the same"},
    {"canon --graphs cells.jsonl | sort -u", "one copy of each"},
    {0},
};
/* clang-format on */

/* A graph and where it came from. */
struct entry {
    const char *file;
    size_t number;  /* in its file, from 1 */
    bool alone;     /* the only one of its file */
    size_t first;   /* first entry that is isomorphic to this one */
    size_t members; /* of its group, counted at the first */
    size_t place;   /* in the order by key */
    struct sepx_key key;
    const struct sepx_graph *graph;
};

struct table {
    struct sepx_names *names;
    struct sepx_graphs *file; /* one for each operand */
    size_t n_files;
    struct entry *entry;
    size_t count;
    size_t *order; /* entries by key */
};

/* ---- gathering ---- */

static enum sepx_err
read_files(struct table *table, const struct call *call, struct sepx_msg *msg)
{
    table->names = sepx_names_new();
    table->file = calloc(call->n_operands, sizeof *table->file);
    if (!table->names || !table->file)
        return SEPX_ENOMEM;
    table->n_files = call->n_operands;
    for (size_t i = 0; i < table->n_files; i++) {
        enum sepx_err err = sepx_graphs_read_file(&table->file[i], table->names,
                                                  call->operand[i], msg);

        if (err)
            return err;
        table->count += table->file[i].count;
    }
    return SEPX_OK;
}

static enum sepx_err
find_keys(struct table *table, const struct call *call)
{
    struct entry *entry;

    table->entry = calloc(table->count + 1, sizeof *table->entry);
    table->order = calloc(table->count + 1, sizeof *table->order);
    if (!table->entry || !table->order)
        return SEPX_ENOMEM;
    entry = table->entry;
    for (size_t i = 0; i < table->n_files; i++) {
        const struct sepx_graphs *graphs = &table->file[i];

        for (size_t j = 0; j < graphs->count; j++, entry++) {
            enum sepx_err err;

            *entry = (struct entry){.file = call->operand[i],
                                    .number = j + 1,
                                    .alone = graphs->count == 1,
                                    .graph = &graphs->at[j]};
            err = sepx_graph_canon(entry->graph, NULL, &entry->key);
            if (err)
                return err;
        }
    }
    return SEPX_OK;
}

static int
by_key(const void *left, const void *right)
{
    const struct entry *a = *(const struct entry *const *)left;
    const struct entry *b = *(const struct entry *const *)right;

    if (a->key.high != b->key.high)
        return a->key.high < b->key.high ? -1 : 1;
    if (a->key.low != b->key.low)
        return a->key.low < b->key.low ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* The exact test decides, among the entries from `start` with equal keys. */
static enum sepx_err
join_group(struct table *table, struct entry **sorted, size_t start, size_t i)
{
    for (size_t j = start; j < i; j++) {
        struct entry *first = sorted[j];
        bool same = false;
        enum sepx_err err;

        if (first->first != (size_t)(first - table->entry))
            continue;
        err =
            sepx_graph_isomorphic(first->graph, sorted[i]->graph, &same, NULL);
        if (err)
            return err;
        if (same) {
            sorted[i]->first = first->first;
            first->members++;
            return SEPX_OK;
        }
    }
    sorted[i]->first = (size_t)(sorted[i] - table->entry);
    sorted[i]->members = 1;
    return SEPX_OK;
}

static enum sepx_err
find_groups(struct table *table)
{
    struct entry **sorted = calloc(table->count + 1, sizeof *sorted);
    enum sepx_err err = sorted ? SEPX_OK : SEPX_ENOMEM;
    size_t start = 0;

    for (size_t i = 0; i < table->count && !err; i++)
        sorted[i] = &table->entry[i];
    if (!err)
        qsort(sorted, table->count, sizeof *sorted, by_key);
    for (size_t i = 0; i < table->count && !err; i++) {
        if (sorted[i]->key.high != sorted[start]->key.high ||
            sorted[i]->key.low != sorted[start]->key.low)
            start = i;
        err = join_group(table, sorted, start, i);
        table->order[i] = (size_t)(sorted[i] - table->entry);
        sorted[i]->place = i;
    }
    free(sorted);
    return err;
}

/* ---- writing ---- */

static void
print_key(char text[33], const struct entry *entry)
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < 16; i++) {
        text[i] = digits[entry->key.high >> (60 - 4 * i) & 15];
        text[16 + i] = digits[entry->key.low >> (60 - 4 * i) & 15];
    }
    text[32] = 0;
}

static void
print_name(struct out *out, const struct entry *entry)
{
    if (entry->alone)
        out_print(out, " %s", entry->file);
    else
        out_print(out, " %s#%zu", entry->file, entry->number);
}

static void
put_where(struct sepx_json_writer *w, const struct entry *entry)
{
    sepx_json_add_string(w, "file", entry->file);
    sepx_json_add_count(w, "graph", entry->number);
}

static void
write_entry(struct out *out, const struct entry *entry, bool json)
{
    struct sepx_json_writer w;
    char key[33];

    print_key(key, entry);
    if (!json) {
        out_print(out, "%s", key);
        print_name(out, entry);
        out_print(out, "\n");
        return;
    }
    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "key", key);
    put_where(&w, entry);
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

/* Members of the group that begins with `first`, in the order of input. */
static void
write_group(struct out *out, const struct table *table, size_t at, bool json)
{
    const struct entry *first = &table->entry[table->order[at]];
    struct sepx_json_writer w;
    char key[33];

    print_key(key, first);
    sepx_json_begin(&w, &out->text);
    if (json) {
        sepx_json_open(&w, '{');
        sepx_json_add_string(&w, "key", key);
        sepx_json_add_count(&w, "count", first->members);
        sepx_json_key(&w, "graphs");
        sepx_json_open(&w, '[');
    } else {
        out_print(out, "%s %zu", key, first->members);
    }
    for (size_t left = first->members; left; at++) {
        const struct entry *entry = &table->entry[table->order[at]];

        if (entry->first != first->first)
            continue;
        left--;
        if (json) {
            sepx_json_open(&w, '{');
            put_where(&w, entry);
            sepx_json_close(&w, '}');
        } else {
            print_name(out, entry);
        }
    }
    if (json) {
        sepx_json_close(&w, ']');
        sepx_json_close(&w, '}');
        if (!out->err)
            out->err = sepx_json_done(&w);
    }
    out_print(out, "\n");
}

static enum sepx_err
write_graph(struct out *out, const struct entry *entry)
{
    struct sepx_graph canonical = {.names = entry->graph->names};
    uint32_t *order = calloc(entry->graph->n_nodes + 1, sizeof *order);
    enum sepx_err err = order ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx_graph_canon(entry->graph, order, NULL);
    if (!err)
        err = sepx_graph_permute(&canonical, entry->graph, order);
    if (!err)
        err = sepx_graph_write_json(&out->text, &canonical);
    out_print(out, "\n");
    sepx_graph_release(&canonical);
    free(order);
    return err;
}

static enum sepx_err
write_table(struct out *out, const struct table *table,
            const struct settings *settings)
{
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < table->count && !err; i++) {
        const struct entry *entry = &table->entry[i];

        if (settings->graphs)
            err = write_graph(out, entry);
        else if (!settings->groups)
            write_entry(out, entry, settings->json);
        else if (entry->first == i)
            write_group(out, table, entry->place, settings->json);
    }
    return err;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct table table = {0};
    struct sepx_msg msg = {0};
    struct out out = {0};
    enum sepx_err err;
    int status;

    if (settings->groups && settings->graphs)
        return cli_usage("canon", "--groups and --graphs exclude each other");
    err = read_files(&table, call, &msg);
    if (!err)
        err = find_keys(&table, call);
    if (!err && settings->groups)
        err = find_groups(&table);
    if (!err)
        err = write_table(&out, &table, settings);
    status = err ? cli_fail("canon", err, &msg) : out_flush(&out);
    out_release(&out);
    for (size_t i = 0; i < table.n_files; i++)
        sepx_graphs_release(&table.file[i]);
    free(table.file);
    free(table.entry);
    free(table.order);
    sepx_names_free(table.names);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] FILE...", NULL};

const struct command command_canon = {
    .name = "canon",
    .group = GROUP_DISTANCES,
    .summary = "canonical keys, and groups of isomorphic graphs",
    COMMAND_PARTS,
    .about =
        "Prints a 128-bit key for each graph: equal for isomorphic graphs, "
        "whatever the order of their nodes; node and edge labels count. Files "
        "hold one graph, or many as JSON Lines; graph N of a file with "
        "several is written 'FILE#N'. With --groups, an exact test of "
        "isomorphism decides, not the key.",
    .least_operands = 1,
    .most_operands = UINT32_MAX,
    .settings_size = sizeof(struct settings),
};
