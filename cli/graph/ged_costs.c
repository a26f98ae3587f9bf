/* SPDX-License-Identifier: Apache-2.0 */
/* --costs FILE and --cost NAME=VALUE. The file is described in formats.md. */
#include "graph/ged_command.h"

#include <stdlib.h>
#include <string.h>

#define COST_MAX 1e6
#define FILE_BYTES_MAX ((size_t)16 << 20)

/* clang-format off */
#define COSTS(X) /* member of struct sepx_costs and key; word of --cost */ \
    X(node_insert, "node-insert") \
    X(node_delete, "node-delete") \
    X(node_relabel, "node-relabel") \
    X(edge_insert, "edge-insert") \
    X(edge_delete, "edge-delete") \
    X(edge_relabel, "edge-relabel")

#define X(member, word) {#member, word, offsetof(struct sepx_costs, member)},
static const struct {
    const char *key, *word;
    size_t offset;
} rows[] = {COSTS(X)};
#undef X

/* member of struct sepx_costs and key; no word of --cost */
#define LABEL_TABLES(X) \
    X(node_insert_table, "") \
    X(node_delete_table, "") \
    X(edge_insert_table, "") \
    X(edge_delete_table, "")

#define X(member, word) #member,
static const char *const keys[] = {COSTS(X) "node_table", "edge_table",
                                   LABEL_TABLES(X) "node_fields",
                                   "edge_fields", NULL};
static const char *const label_keys[] = {LABEL_TABLES(X)};
#undef X

#define X(member, word) " " #member
static const char valid_keys[] = COSTS(X) " node_table edge_table"
    LABEL_TABLES(X) " node_fields edge_fields";
#undef X

#define X(member, word) " " word
static const char valid_words[] = COSTS(X);
#undef X
/* clang-format on */

enum { N_ROWS = sizeof rows / sizeof rows[0] };

static double *
cost_at(struct ged_setup *setup, size_t row)
{
    return (double *)(void *)((char *)&setup->costs + rows[row].offset);
}

static bool
is_cost(double value)
{
    return value >= 0 && value <= COST_MAX;
}

enum sepx_err
costs_read_word(struct ged_setup *setup, const char *word, struct sepx_msg *msg)
{
    const char *equals = strchr(word, '=');
    char *end;
    double value;

    if (!equals)
        return sepx_fail(msg, SEPX_EINVAL,
                         "--cost: '%s' has no value; write NAME=VALUE", word);
    value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end || !is_cost(value))
        return sepx_fail(msg, SEPX_EINVAL,
                         "--cost: '%s' is not a cost from 0 to 1000000",
                         equals + 1);
    for (size_t i = 0; i < N_ROWS; i++) {
        if (strlen(rows[i].word) == (size_t)(equals - word) &&
            !strncmp(rows[i].word, word, (size_t)(equals - word))) {
            *cost_at(setup, i) = value;
            return SEPX_OK;
        }
    }
    return sepx_fail(msg, SEPX_EINVAL, "--cost: unknown cost '%.*s'; valid:%s",
                     (int)(equals - word), word, valid_words);
}

/* [from, to, cost] */
static enum sepx_err
read_row(struct ged_setup *setup, struct sepx_relabel_cost *row,
         const struct sepx_json *value, struct sepx_msg *msg)
{
    const char *from = sepx_json_string(sepx_json_at(value, 0));
    const char *to = sepx_json_string(sepx_json_at(value, 1));
    enum sepx_err err;

    row->cost = sepx_json_number(sepx_json_at(value, 2), -1);
    if (sepx_json_size(value) != 3 || !from || !to || !is_cost(row->cost))
        return sepx_fail(msg, SEPX_EDATA,
                         "expected [\"from\", \"to\", cost] with a cost from "
                         "0 to 1000000");
    err = sepx_names_add(setup->names, &row->from, from);
    if (!err)
        err = sepx_names_add(setup->names, &row->to, to);
    return err ? sepx_fail(msg, err, "label: %s", sepx_strerror(err)) : err;
}

static enum sepx_err
read_table(struct ged_setup *setup, int which, const struct sepx_json *value,
           struct sepx_msg *msg)
{
    const char *key = which ? "edge_table" : "node_table";
    size_t count = sepx_json_size(value);
    struct sepx_relabel_cost *table;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA, "%s is %s; it must be an array", key,
                         sepx_json_type_name(value));
    table = calloc(count + 1, sizeof *table);
    free(setup->table[which]);
    setup->table[which] = table;
    if (!table)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        enum sepx_err err =
            read_row(setup, &table[i], sepx_json_at(value, i), msg);

        if (err) {
            sepx_msg_prefix(msg, "%s[%zu]", key, i);
            return err;
        }
    }
    *(which ? &setup->costs.edge_table : &setup->costs.node_table) = table;
    *(which ? &setup->costs.n_edge_table : &setup->costs.n_node_table) = count;
    return SEPX_OK;
}

/* [label, cost] */
static enum sepx_err
read_label_row(struct ged_setup *setup, struct sepx_label_cost *row,
               const struct sepx_json *value, struct sepx_msg *msg)
{
    const char *label = sepx_json_string(sepx_json_at(value, 0));
    enum sepx_err err;

    row->cost = sepx_json_number(sepx_json_at(value, 1), -1);
    if (sepx_json_size(value) != 2 || !label || !is_cost(row->cost))
        return sepx_fail(msg, SEPX_EDATA,
                         "expected [\"label\", cost] with a cost from 0 to "
                         "1000000");
    err = sepx_names_add(setup->names, &row->label, label);
    return err ? sepx_fail(msg, err, "label: %s", sepx_strerror(err)) : err;
}

static enum sepx_err
read_labels(struct ged_setup *setup, unsigned which,
            const struct sepx_json *value, struct sepx_msg *msg)
{
    struct sepx_costs *costs = &setup->costs;
    const struct sepx_label_cost **const to[] = {
        &costs->node_insert_table, &costs->node_delete_table,
        &costs->edge_insert_table, &costs->edge_delete_table};
    size_t *const counts[] = {
        &costs->n_node_insert_table, &costs->n_node_delete_table,
        &costs->n_edge_insert_table, &costs->n_edge_delete_table};
    const size_t count = sepx_json_size(value);
    struct sepx_label_cost *table;

    if (sepx_json_type(value) != SEPX_JSON_ARRAY)
        return sepx_fail(msg, SEPX_EDATA, "%s is %s; it must be an array",
                         label_keys[which], sepx_json_type_name(value));
    table = calloc(count + 1, sizeof *table);
    free(setup->labels[which]);
    setup->labels[which] = table;
    if (!table)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        enum sepx_err err =
            read_label_row(setup, &table[i], sepx_json_at(value, i), msg);

        if (err) {
            sepx_msg_prefix(msg, "%s[%zu]", label_keys[which], i);
            return err;
        }
    }
    *to[which] = table;
    *counts[which] = count;
    return SEPX_OK;
}

/* Up to the one without a name, which calloc() left behind the last. */
static void
fields_free(struct sepx_field_weight *field)
{
    for (size_t i = 0; field && field[i].field; i++)
        free((char *)(uintptr_t)field[i].field);
    free(field);
}

/* {"field": weight, ...} */
static enum sepx_err
read_fields(struct ged_setup *setup, unsigned which,
            const struct sepx_json *value, struct sepx_msg *msg)
{
    const char *key = which ? "edge_fields" : "node_fields", *name;
    struct sepx_field_weight *field;
    const struct sepx_json *weight;
    void *position = NULL;
    double sum = 0;
    size_t i = 0;

    if (sepx_json_type(value) != SEPX_JSON_OBJECT)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s is %s; it must be an object of weights, such as "
                         "{\"\": 2, \"k\": 1}",
                         key, sepx_json_type_name(value));
    field = calloc(sepx_json_size(value) + 1, sizeof *field);
    fields_free(setup->fields[which]);
    setup->fields[which] = field;
    if (!field)
        return SEPX_ENOMEM;
    for (; sepx_json_next(value, &position, &name, &weight); i++) {
        field[i].weight = sepx_json_number(weight, -1);
        if (!is_cost(field[i].weight))
            return sepx_fail(msg, SEPX_EDATA,
                             "%s: the weight of '%s' must be a number from 0 "
                             "to 1000000",
                             key, name);
        sum += field[i].weight;
        field[i].field = strdup(name);
        if (!field[i].field)
            return SEPX_ENOMEM;
    }
    if (i && !(sum > 0))
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: at least one weight must be "
                         "above 0",
                         key);
    *(which ? &setup->costs.edge_fields : &setup->costs.node_fields) = field;
    *(which ? &setup->costs.n_edge_fields : &setup->costs.n_node_fields) = i;
    return SEPX_OK;
}

static enum sepx_err
read_key(struct ged_setup *setup, const char *key,
         const struct sepx_json *value, struct sepx_msg *msg)
{
    const char *near;

    for (size_t i = 0; i < N_ROWS; i++) {
        if (strcmp(rows[i].key, key))
            continue;
        *cost_at(setup, i) = sepx_json_number(value, -1);
        if (is_cost(*cost_at(setup, i)))
            return SEPX_OK;
        return sepx_fail(msg, SEPX_EDATA,
                         "%s must be a number from 0 to 1000000", key);
    }
    if (!strcmp(key, "node_table") || !strcmp(key, "edge_table"))
        return read_table(setup, key[0] == 'e', value, msg);
    for (unsigned i = 0; i < sizeof label_keys / sizeof *label_keys; i++)
        if (!strcmp(key, label_keys[i]))
            return read_labels(setup, i, value, msg);
    if (!strcmp(key, "node_fields") || !strcmp(key, "edge_fields"))
        return read_fields(setup, key[0] == 'e', value, msg);
    near = sepx_nearest(key, keys);
    return sepx_fail(msg, SEPX_EDATA, "unknown cost '%s'%s%s%s; valid:%s", key,
                     near ? " (did you mean '" : "", near ? near : "",
                     near ? "'?)" : "", valid_keys);
}

enum sepx_err
costs_read_file(struct ged_setup *setup, const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    struct sepx_json *root = NULL;
    const struct sepx_json *value;
    const char *key;
    void *position = NULL;
    enum sepx_err err;

    err = sepx_file_read(&text, path, FILE_BYTES_MAX, msg);
    if (err)
        goto done;
    err = sepx_json_parse(&root, text.at ? text.at : "", text.len, msg);
    if (!err && sepx_json_type(root) != SEPX_JSON_OBJECT)
        err = sepx_fail(msg, SEPX_EDATA, "expected an object, got %s",
                        sepx_json_type_name(root));
    while (!err && sepx_json_next(root, &position, &key, &value))
        err = read_key(setup, key, value, msg);
    if (err)
        sepx_msg_file(msg, path);
done:
    sepx_json_free(root);
    sepx_text_release(&text);
    return err;
}

void
costs_release(struct ged_setup *setup)
{
    for (unsigned i = 0; i < 2; i++) {
        free(setup->table[i]);
        fields_free(setup->fields[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        free(setup->labels[i]);
}
