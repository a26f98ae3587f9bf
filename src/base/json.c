/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The read-only tree is jansson's own under another name: struct sepx_json
 * is never defined, and each pointer to it is a json_t.
 */
#include "base/json.h"

#include <jansson.h>

#define DEPTH_MAX 1000
#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)

static json_t *
inner(const struct sepx_json *value)
{
    return (json_t *)value;
}

static const struct sepx_json *
outer(const json_t *value)
{
    return (const struct sepx_json *)value;
}

/* The byte after a string whose first byte, behind the quote, is `at`. */
static const char *
skip_string(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

/* The bracket that nests too deep, or NULL. The text may be malformed. */
static const char *
too_deep(const char *at, const char *end)
{
    unsigned depth = 0;

    while (at < end) {
        char c = *at++;

        if (c == '"')
            at = skip_string(at, end);
        else if ((c == '[' || c == '{') && ++depth > DEPTH_MAX)
            return at - 1;
        else if ((c == ']' || c == '}') && depth)
            depth--;
    }
    return NULL;
}

static enum sepx_err
fail_depth(struct sepx_msg *msg, const char *bytes, const char *at)
{
    size_t line = 1, column = 1;

    for (; bytes < at; bytes++) {
        column = *bytes == '\n' ? 1 : column + 1;
        line += *bytes == '\n';
    }
    (void)sepx_fail(msg, SEPX_EDATA, "nested deeper than %d; flatten it",
                    DEPTH_MAX);
    sepx_msg_line(msg, line, column);
    return SEPX_EDATA;
}

/*
 * jansson, out of memory, leaves the text empty; within a string it speaks of
 * bad syntax, which a second reading does not confirm.
 */
static bool
lacked_memory(const char *bytes, size_t len, const json_error_t *why)
{
    json_t *tree;

    if (!why->text[0])
        return true;
    if (json_error_code(why) != json_error_invalid_syntax)
        return false;
    tree = json_loadb(bytes, len, FLAGS, NULL);
    json_decref(tree);
    return tree != NULL;
}

/* What a person can do about it. */
static const char *
remedy(const json_error_t *why)
{
    switch (json_error_code(why)) {
    case json_error_premature_end_of_input:
        return "the text is cut off, complete it";
    case json_error_end_of_input_expected:
        return "remove what follows the value";
    case json_error_duplicate_key:
        return "remove one";
    case json_error_numeric_overflow:
        return "write a smaller number";
    case json_error_invalid_utf8:
        return "save the text as UTF-8";
    case json_error_null_character:
        return "remove the \\u0000";
    default:
        return "correct it, JSON has no NaN, comments or trailing commas";
    }
}

static enum sepx_err
fail_syntax(struct sepx_msg *msg, const json_error_t *why)
{
    const char *text = why->text;

    if (json_error_code(why) == json_error_null_character)
        text = "NUL in a string";
    (void)sepx_fail(msg, SEPX_EDATA, "%s; %s", text, remedy(why));
    sepx_msg_line(msg, (size_t)why->line,
                  why->column > 0 ? (size_t)why->column : 1);
    return SEPX_EDATA;
}

enum sepx_err
sepx_json_parse(struct sepx_json **root, const char *bytes, size_t len,
                struct sepx_msg *msg)
{
    json_error_t why = {0};
    const char *deep;
    json_t *tree;

    *root = NULL;
    if (!len) {
        (void)sepx_fail(msg, SEPX_EDATA, "no value");
        sepx_msg_line(msg, 1, 1);
        return SEPX_EDATA;
    }
    deep = too_deep(bytes, bytes + len);
    if (deep)
        return fail_depth(msg, bytes, deep);
    tree = json_loadb(bytes, len, FLAGS, &why);
    *root = (struct sepx_json *)tree;
    if (tree)
        return SEPX_OK;
    if (lacked_memory(bytes, len, &why))
        return sepx_fail(msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
    return fail_syntax(msg, &why);
}

void
sepx_json_free(struct sepx_json *root)
{
    json_decref(inner(root));
}

enum sepx_json_type
sepx_json_type(const struct sepx_json *value)
{
    if (!value)
        return SEPX_JSON_NULL;
    switch (json_typeof(inner(value))) {
    case JSON_OBJECT:
        return SEPX_JSON_OBJECT;
    case JSON_ARRAY:
        return SEPX_JSON_ARRAY;
    case JSON_STRING:
        return SEPX_JSON_STRING;
    case JSON_INTEGER:
        return SEPX_JSON_INTEGER;
    case JSON_REAL:
        return SEPX_JSON_REAL;
    case JSON_TRUE:
    case JSON_FALSE:
        return SEPX_JSON_BOOL;
    case JSON_NULL:
        break;
    }
    return SEPX_JSON_NULL;
}

const char *
sepx_json_type_name(const struct sepx_json *value)
{
    static const char *const names[] = {
        [SEPX_JSON_NULL] = "null",          [SEPX_JSON_BOOL] = "a boolean",
        [SEPX_JSON_INTEGER] = "an integer", [SEPX_JSON_REAL] = "a number",
        [SEPX_JSON_STRING] = "a string",    [SEPX_JSON_ARRAY] = "an array",
        [SEPX_JSON_OBJECT] = "an object",
    };

    return value ? names[sepx_json_type(value)] : "nothing";
}

const struct sepx_json *
sepx_json_get(const struct sepx_json *value, const char *key)
{
    return outer(json_object_get(inner(value), key));
}

size_t
sepx_json_size(const struct sepx_json *value)
{
    if (json_is_array(inner(value)))
        return json_array_size(inner(value));
    return json_object_size(inner(value));
}

const struct sepx_json *
sepx_json_at(const struct sepx_json *value, size_t index)
{
    return outer(json_array_get(inner(value), index));
}

bool
sepx_json_next(const struct sepx_json *object, void **position,
               const char **key, const struct sepx_json **value)
{
    json_t *tree = inner(object);

    *position = *position ? json_object_iter_next(tree, *position)
                          : json_object_iter(tree);
    if (!*position)
        return false;
    *key = json_object_iter_key(*position);
    *value = outer(json_object_iter_value(*position));
    return true;
}

const char *
sepx_json_string(const struct sepx_json *value)
{
    return json_string_value(inner(value));
}

int64_t
sepx_json_integer(const struct sepx_json *value, int64_t otherwise)
{
    const json_t *number = inner(value);

    return json_is_integer(number) ? json_integer_value(number) : otherwise;
}

double
sepx_json_number(const struct sepx_json *value, double otherwise)
{
    const json_t *number = inner(value);

    return json_is_number(number) ? json_number_value(number) : otherwise;
}

bool
sepx_json_bool(const struct sepx_json *value, bool otherwise)
{
    const json_t *truth = inner(value);

    return json_is_boolean(truth) ? json_is_true(truth) : otherwise;
}
