/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record of the benchmark's files: the JSON array
 * [hash, epochs, matrix, operations, measurements]. The matrix is written
 * row by row, operations are separated by commas, measurements are base64.
 */
#include "nas/nb101/table_builder.h"

#include <stdio.h>
#include <string.h>

#define METRICS_MAX 65536

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static enum sepx_err
read_hash(unsigned char *hash, const char *text, struct sepx_msg *msg)
{
    for (unsigned i = 0; i < 32; i++) {
        int digit = hex_digit(text[i]);

        if (digit < 0)
            return sepx_fail(msg, SEPX_EDATA,
                             "hash '%.40s' is not 32 hexadecimal digits", text);
        hash[i / 2] = (unsigned char)(hash[i / 2] << 4 | digit);
    }
    if (!text[32])
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "hash '%.40s' is not 32 hexadecimal digits", text);
}

static enum sepx_err
read_budget(unsigned *budget, int64_t epochs, struct sepx_msg *msg)
{
    for (unsigned i = 0; i < SEPX_TABLE_BUDGETS; i++)
        if (epochs == sepx_table_epochs(i)) {
            *budget = i;
            return SEPX_OK;
        }
    return sepx_fail(msg, SEPX_EDATA, "%lld epochs, not 4, 12, 36 or 108",
                     (long long)epochs);
}

/* ---- the cell ---- */

static bool
is_word(const char *at, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(at, word, len) == 0;
}

/* 0..2; -1 input, -2 output, -3 none of them. */
static int
find_op(const char *at, size_t len)
{
    static const char *const names[] = {"conv3x3-bn-relu", "conv1x1-bn-relu",
                                        "maxpool3x3"};

    for (int i = 0; i < 3; i++)
        if (is_word(at, len, names[i]))
            return i;
    if (is_word(at, len, "input"))
        return -1;
    return is_word(at, len, "output") ? -2 : -3;
}

static enum sepx_err
read_ops(struct sepx_nb101_cell *cell, const char *text, struct sepx_msg *msg)
{
    const char *at = text;

    for (unsigned i = 0; i < SEPX_NB101_NODES; i++) {
        size_t len = strcspn(at, ",");
        int op = find_op(at, len);

        at += len;
        if (op == -2 && i && !*at) {
            cell->nodes = (uint8_t)(i + 1);
            return SEPX_OK;
        }
        if (!*at || (i ? op < 0 : op != -1))
            break;
        cell->op[i] = (uint8_t)(i ? op : 0);
        at++;
    }
    return sepx_fail(msg, SEPX_EDATA,
                     "operations '%.100s' are not input, up to 5 of the "
                     "benchmark's, output",
                     text);
}

static enum sepx_err
read_matrix(struct sepx_nb101_cell *cell, const char *text,
            struct sepx_msg *msg)
{
    unsigned n = cell->nodes;
    bool good = strlen(text) == n * n;

    for (unsigned i = 0; i < n * n && good; i++) {
        unsigned from = i / n, to = i % n;

        good = text[i] == '0' || (text[i] == '1' && from < to);
        if (good && text[i] == '1')
            cell->edges |= 1u << sepx_nb101_bit(from, to);
    }
    if (!good)
        return sepx_fail(msg, SEPX_EDATA,
                         "matrix '%.60s' is not %u by %u, 0 and 1, upper "
                         "triangular",
                         text, n, n);
    if (!sepx_nb101_cell_valid(cell))
        return sepx_fail(msg, SEPX_EDATA,
                         "matrix '%.60s' has dead nodes or more than %d edges",
                         text, SEPX_NB101_EDGES);
    return SEPX_OK;
}

/* ---- base64 ---- */

static int
sextet(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* Line ends are skipped, as the benchmark's writer puts some in. */
static bool
decode(unsigned char *to, size_t *len, const char *text)
{
    uint32_t bits = 0;
    unsigned held = 0;

    for (*len = 0; *text && *text != '='; text++) {
        int value = sextet(*text);

        if (*text == '\n' || *text == '\r')
            continue;
        if (value < 0 || *len >= METRICS_MAX)
            return false;
        bits = bits << 6 | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            to[(*len)++] = (unsigned char)(bits >> held);
        }
    }
    return held < 6 && strspn(text, "=\r\n") == strlen(text);
}

static enum sepx_err
read_metrics(struct sepx__record *record, const char *text,
             struct sepx_msg *msg)
{
    unsigned char bytes[METRICS_MAX];
    size_t len;

    if (!decode(bytes, &len, text))
        return sepx_fail(msg, SEPX_EDATA, "the measurements are not base64");
    return sepx__record_metrics(record, bytes, len, msg);
}

/* ---- the whole ---- */

static enum sepx_err
read_fields(struct sepx__record *record, const struct sepx_json *root,
            struct sepx_msg *msg)
{
    const char *hash = sepx_json_string(sepx_json_at(root, 0));
    int64_t epochs = sepx_json_integer(sepx_json_at(root, 1), -1);
    const char *matrix = sepx_json_string(sepx_json_at(root, 2));
    const char *ops = sepx_json_string(sepx_json_at(root, 3));
    const char *metrics = sepx_json_string(sepx_json_at(root, 4));
    enum sepx_err err;

    if (sepx_json_size(root) != 5 || !hash || epochs < 0 || !matrix || !ops ||
        !metrics)
        return sepx_fail(msg, SEPX_EDATA,
                         "not [hash, epochs, matrix, operations, "
                         "measurements]");
    err = read_hash(record->hash, hash, msg);
    if (!err)
        err = read_budget(&record->budget, epochs, msg);
    if (!err)
        err = read_ops(&record->cell, ops, msg);
    if (!err)
        err = read_matrix(&record->cell, matrix, msg);
    if (err)
        return err;
    sepx_nb101_cell_canon(&record->cell);
    return read_metrics(record, metrics, msg);
}

enum sepx_err
sepx__record_read(struct sepx__record *record, const char *bytes, size_t len,
                  struct sepx_msg *msg)
{
    struct sepx_json *root;
    enum sepx_err err = sepx_json_parse(&root, bytes, len, msg);

    if (err)
        return err;
    *record = (struct sepx__record){.budget = 0};
    err = read_fields(record, root, msg);
    sepx_json_free(root);
    return err;
}
