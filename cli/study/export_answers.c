/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of evaluators' answers as columns of CSV: "answer.KEY" for each
 * key with a number, a text or a truth value, in the order of their first
 * trials. Those that have columns of their own are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "study/study_export.h"

enum { KEYS_MAX = 1000 };

void
export_release(struct export *x)
{
    for (size_t i = 0; i < x->n_keys; i++)
        free(x->key[i]);
    free(x->key);
    free(x->value);
    sepx_graph_release(&x->graph);
}

static bool
has_column(const struct export *x, const char *key)
{
    static const char *const known[] = {"score", "test", "cost"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(key, known[i]))
            return true;
    for (uint32_t i = 0; i < x->s->goals->names; i++)
        if (!strcmp(key, x->s->goals->name[i]))
            return true;
    for (size_t i = 0; i < x->n_keys; i++)
        if (!strcmp(key, x->key[i]))
            return true;
    return false;
}

static bool
is_scalar(const struct sepx_json *value)
{
    enum sepx_json_type type = sepx_json_type(value);

    return type != SEPX_JSON_NULL && type != SEPX_JSON_ARRAY &&
           type != SEPX_JSON_OBJECT;
}

static enum sepx_err
add_key(struct export *x, const char *key)
{
    if (x->n_keys == x->key_room) {
        size_t room = 2 * x->key_room + 8;
        char **grown = realloc(x->key, room * sizeof *grown);

        if (!grown)
            return SEPX_ENOMEM;
        x->key = grown;
        x->key_room = room;
    }
    x->key[x->n_keys] = strdup(key);
    if (!x->key[x->n_keys])
        return SEPX_ENOMEM;
    x->n_keys++;
    return SEPX_OK;
}

static enum sepx_err
add_keys(struct export *x, const char *answer)
{
    const struct sepx_json *value;
    struct sepx_json *root = NULL;
    const char *key;
    void *position = NULL;
    enum sepx_err err = SEPX_OK;

    if (sepx_json_parse(&root, answer, strlen(answer), NULL))
        return SEPX_OK; /* no JSON, no columns */
    while (!err && x->n_keys < KEYS_MAX &&
           sepx_json_next(root, &position, &key, &value))
        if (is_scalar(value) && !has_column(x, key))
            err = add_key(x, key);
    sepx_json_free(root);
    return err;
}

enum sepx_err
export_find_keys(struct export *x, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err =
        sepx_store_read(x->s->store, &cursor, SEPX_STORE_TRIALS, 0, msg);

    while (!err) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (err || !more)
            break;
        if (entry.is_told && entry.told.answer)
            err = add_keys(x, entry.told.answer);
    }
    sepx_cursor_free(cursor);
    return err;
}

void
export_key_names(struct out *out, const struct export *x)
{
    for (size_t i = 0; i < x->n_keys; i++) {
        struct out name = {0};

        out_print(&name, "answer.%s", x->key[i]);
        out_print(out, ",");
        out_print_field(out, name.text.at ? name.text.at : "");
        if (!out->err)
            out->err = name.err;
        out_release(&name);
    }
}

static enum sepx_err
print_value(struct out *out, const struct sepx_json *value)
{
    struct sepx_text text = {0};
    const char *string = sepx_json_string(value);
    enum sepx_err err = SEPX_OK;

    out_print(out, ",");
    if (!value || !is_scalar(value))
        return SEPX_OK;
    if (string) {
        out_print_field(out, string);
        return SEPX_OK;
    }
    err = sepx_json_dump(&text, value);
    if (!err)
        out_print(out, "%s", text.at);
    sepx_text_release(&text);
    return err;
}

enum sepx_err
export_key_values(struct out *out, const struct export *x, const char *answer)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = SEPX_OK;

    if (answer && sepx_json_parse(&root, answer, strlen(answer), NULL))
        root = NULL;
    for (size_t i = 0; i < x->n_keys && !err; i++)
        err = print_value(out, root ? sepx_json_get(root, x->key[i]) : NULL);
    sepx_json_free(root);
    return err;
}
