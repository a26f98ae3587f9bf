/* SPDX-License-Identifier: Apache-2.0 */
/* Losses by the canonical key of a cell, sorted. */
#include "nas/nbnlp/losses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30)

struct row {
    struct sepx_key key;
    struct sepx_loss loss;
};

struct sepx_losses {
    struct row *row;
    size_t count, room;
    struct sepx_loss best;
    char *description;
};

static int
compare_keys(const void *a, const void *b)
{
    const struct sepx_key *x = &((const struct row *)a)->key;
    const struct sepx_key *y = &((const struct row *)b)->key;

    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

/* ---- reading ---- */

static enum sepx_err
check_head(struct sepx_losses *losses, const struct sepx_json *head,
           const struct sepx__lines *lines, struct sepx_msg *msg)
{
    const char *format = sepx_json_string(sepx_json_get(head, "format"));
    const char *text = sepx_json_string(sepx_json_get(head, "description"));
    int64_t version = sepx_json_integer(sepx_json_get(head, "version"), -1);
    int64_t stored = sepx_json_integer(sepx_json_get(head, "crc32c"), -1);
    struct sepx__crc32c crc;
    uint32_t sum;

    if (!format || strcmp(format, SEPX__LOSSES_FORMAT) != 0)
        return sepx_fail(msg, SEPX_EDATA,
                         "not a table of losses; 'sepx data import --nbnlp' "
                         "makes one");
    if (version != SEPX__LOSSES_VERSION)
        return sepx_fail(msg, SEPX_EDATA,
                         "version %lld of the format, not %d; make the table "
                         "again",
                         (long long)version, SEPX__LOSSES_VERSION);
    sepx__crc32c_init(&crc);
    sum =
        sepx__crc32c_add(&crc, 0, lines->at, (size_t)(lines->end - lines->at));
    if (stored != sum)
        return sepx_fail(msg, SEPX_EDATA,
                         "the checksum is %08x, not %08llx; the file is "
                         "damaged, make it again",
                         sum, (unsigned long long)stored);
    losses->description = sepx__strdup(text ? text : "");
    return losses->description ? SEPX_OK : SEPX_ENOMEM;
}

static enum sepx_err
read_row(struct sepx_losses *losses, const struct sepx_space *space,
         const struct sepx_json *value, struct sepx_msg *msg)
{
    const struct sepx_json *drawn = sepx_json_get(value, "graph");
    int64_t runs = sepx_json_integer(sepx_json_get(value, "runs"), 0);
    struct sepx_graph graph = {0};
    struct row *row;
    enum sepx_err err;

    if (!drawn || runs < 1 || runs > INT32_MAX)
        return sepx_fail(msg, SEPX_EDATA, "no \"graph\" or no \"runs\"");
    err = sepx__grow((void **)&losses->row, &losses->room, losses->count + 1,
                     sizeof(*losses->row));
    if (err)
        return err;
    row = &losses->row[losses->count];
    row->loss = (struct sepx_loss){
        .validation = sepx_json_number(sepx_json_get(value, "validation"), NAN),
        .test = sepx_json_number(sepx_json_get(value, "test"), NAN),
        .runs = (uint32_t)runs};
    err = sepx_graph_from_json(&graph, sepx_space_names(space), drawn, msg);
    if (!err)
        err = sepx_graph_canon(&graph, NULL, &row->key);
    if (!err)
        losses->count++;
    sepx_graph_release(&graph);
    return err;
}

static enum sepx_err
read_line(struct sepx_losses *losses, const struct sepx_space *space,
          const struct sepx__lines *lines, struct sepx_msg *msg)
{
    struct sepx_json *value;
    enum sepx_err err = sepx_json_parse(&value, lines->line, lines->len, msg);

    if (!err)
        err = lines->number == 1 ? check_head(losses, value, lines, msg)
                                 : read_row(losses, space, value, msg);
    if (err)
        sepx_msg_line(msg, lines->number, 0);
    sepx_json_free(value);
    return err;
}

static void
find_best(struct sepx_losses *losses)
{
    losses->best = (struct sepx_loss){.validation = NAN, .test = NAN};
    for (size_t i = 0; i < losses->count; i++) {
        const struct sepx_loss *loss = &losses->row[i].loss;

        losses->best.validation =
            fmin(losses->best.validation, loss->validation);
        losses->best.test = fmin(losses->best.test, loss->test);
        losses->best.runs += loss->runs;
    }
}

static enum sepx_err
read_all(struct sepx_losses *losses, const struct sepx_space *space,
         const char *bytes, size_t len, struct sepx_msg *msg)
{
    struct sepx__lines lines = {.at = bytes, .end = bytes + len};
    enum sepx_err err = SEPX_OK;

    if (len && bytes[0] != '{')
        return sepx_fail(msg, SEPX_EDATA,
                         "not a table of losses; 'sepx data import --nbnlp' "
                         "makes one");
    while (!err && sepx__lines_next(&lines))
        err = read_line(losses, space, &lines, msg);
    if (!err && !losses->count)
        err = sepx_fail(msg, SEPX_EDATA,
                        "no cells; 'sepx data import --nbnlp' makes tables");
    if (err)
        return err;
    qsort(losses->row, losses->count, sizeof(*losses->row), compare_keys);
    for (size_t i = 1; i < losses->count; i++)
        if (!compare_keys(&losses->row[i - 1], &losses->row[i]))
            return sepx_fail(msg, SEPX_EDATA,
                             "a cell appears twice; make the table again");
    find_best(losses);
    return SEPX_OK;
}

enum sepx_err
sepx_losses_open_bytes(struct sepx_losses **losses,
                       const struct sepx_space *space, const char *bytes,
                       size_t len, struct sepx_msg *msg)
{
    struct sepx_losses *made = sepx__calloc(1, sizeof(*made));
    enum sepx_err err = SEPX_ENOMEM;

    *losses = NULL;
    if (!made)
        return err;
    err = read_all(made, space, bytes, len, msg);
    if (err)
        sepx_losses_close(made);
    else
        *losses = made;
    return err;
}

enum sepx_err
sepx_losses_open(struct sepx_losses **losses, const struct sepx_space *space,
                 const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err = sepx_file_read(&text, path, BYTES_MAX, msg);

    *losses = NULL;
    if (!err) {
        err = sepx_losses_open_bytes(losses, space, text.at, text.len, msg);
        if (err)
            sepx_msg_file(msg, path);
    }
    sepx_text_release(&text);
    return err;
}

void
sepx_losses_close(struct sepx_losses *losses)
{
    if (!losses)
        return;
    sepx__free(losses->row);
    sepx__free(losses->description);
    sepx__free(losses);
}

/* ---- asking ---- */

enum sepx_err
sepx_losses_find(const struct sepx_losses *losses, struct sepx_loss *loss,
                 const struct sepx_graph *graph)
{
    struct row wanted = {.loss = {.runs = 0}};
    const struct row *found;
    enum sepx_err err = sepx_graph_canon(graph, NULL, &wanted.key);

    *loss = (struct sepx_loss){.validation = NAN, .test = NAN};
    if (err)
        return err;
    found = bsearch(&wanted, losses->row, losses->count, sizeof(wanted),
                    compare_keys);
    if (found)
        *loss = found->loss;
    return SEPX_OK;
}

size_t
sepx_losses_count(const struct sepx_losses *losses)
{
    return losses->count;
}

struct sepx_loss
sepx_losses_best(const struct sepx_losses *losses)
{
    return losses->best;
}

const char *
sepx_losses_description(const struct sepx_losses *losses)
{
    return losses->description;
}
