/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON: a read-only tree and a writer. The tree is parsed by jansson, which
 * appears behind this header only.
 */
#ifndef SEPX_JSON_H
#define SEPX_JSON_H

#include "base/private.h"

/* A parsed value. The root is the caller's, parts belong to the root. */
struct sepx_json;

enum sepx_json_type {
    SEPX_JSON_NULL,
    SEPX_JSON_BOOL,
    SEPX_JSON_INTEGER,
    SEPX_JSON_REAL,
    SEPX_JSON_STRING,
    SEPX_JSON_ARRAY,
    SEPX_JSON_OBJECT
};

/*
 * Parse exactly one value. Fails with SEPX_EDATA and "line L column C: what"
 * on malformed text, duplicate keys, NUL in strings, or depth over 1,000.
 * Fails with SEPX_ENOMEM for want of memory. *root is NULL after a failure.
 */
SEPX_CHECKED enum sepx_err sepx_json_parse(struct sepx_json **root,
                                           const char *bytes, size_t len,
                                           struct sepx_msg *msg);
void sepx_json_free(struct sepx_json *root);

enum sepx_json_type sepx_json_type(const struct sepx_json *value);
/* As messages say it: "an object", "a string", ... */
const char *sepx_json_type_name(const struct sepx_json *value);
/* NULL unless `value` is an object that has the key. `value` may be NULL. */
const struct sepx_json *sepx_json_get(const struct sepx_json *value,
                                      const char *key);
/* Items of an array or members of an object, else 0. */
size_t sepx_json_size(const struct sepx_json *value);
/* NULL unless `value` is an array longer than `index`. */
const struct sepx_json *sepx_json_at(const struct sepx_json *value,
                                     size_t index);
/*
 * Walk an object in file order: start with *position = 0; false at the end.
 * O(1) a step.
 */
bool sepx_json_next(const struct sepx_json *object, void **position,
                    const char **key, const struct sepx_json **value);
/* NULL unless a string. */
const char *sepx_json_string(const struct sepx_json *value);
/* `otherwise` unless an integer / a number / a boolean. */
int64_t sepx_json_integer(const struct sepx_json *value, int64_t otherwise);
double sepx_json_number(const struct sepx_json *value, double otherwise);
bool sepx_json_bool(const struct sepx_json *value, bool otherwise);
/* Append the value as compact JSON text. */
SEPX_CHECKED enum sepx_err sepx_json_dump(struct sepx_text *text,
                                          const struct sepx_json *value);

/*
 * The writer appends to `out` and puts the commas. The first failure sticks:
 * later calls do nothing and sepx_json_done() returns it, so a sequence of
 * calls needs one check at its end.
 */
struct sepx_json_writer {
    struct sepx_text *out; /* the caller's */
    unsigned depth;
    bool comma; /* the next item needs one */
    enum sepx_err err;
};

void sepx_json_begin(struct sepx_json_writer *w, struct sepx_text *out);
void sepx_json_open(struct sepx_json_writer *w, char bracket);
void sepx_json_close(struct sepx_json_writer *w, char bracket);
void sepx_json_key(struct sepx_json_writer *w, const char *key);
void sepx_json_put_string(struct sepx_json_writer *w, const char *text);
void sepx_json_put_integer(struct sepx_json_writer *w, int64_t value);
/* Shortest text that reads back the same; NaN and infinities become null. */
void sepx_json_put_number(struct sepx_json_writer *w, double value);
void sepx_json_put_bool(struct sepx_json_writer *w, bool value);
void sepx_json_put_null(struct sepx_json_writer *w);
/* Text that is JSON already, such as struct sepx_graph's `extra`. */
void sepx_json_put_raw(struct sepx_json_writer *w, const char *json);
/* A key and its value in one call. */
void sepx_json_add_string(struct sepx_json_writer *w, const char *key,
                          const char *text);
void sepx_json_add_integer(struct sepx_json_writer *w, const char *key,
                           int64_t value);
/* As text if it is too large for the integers of most readers of JSON. */
void sepx_json_add_count(struct sepx_json_writer *w, const char *key,
                         uint64_t value);
void sepx_json_add_number(struct sepx_json_writer *w, const char *key,
                          double value);
void sepx_json_add_bool(struct sepx_json_writer *w, const char *key,
                        bool value);
SEPX_CHECKED enum sepx_err sepx_json_done(struct sepx_json_writer *w);

#endif
