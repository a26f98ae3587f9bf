/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of results from CSV (RFC 4180): a line of names, then a row each. A
 * field in quotes may hold commas, line ends and doubled quotes. A column is
 * a metric if --metrics names it, or more than half of its fields, empty
 * ones aside, are numbers: then all have to be. Others, such as names of runs,
 * are left out.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "results/internal.h"

enum { COLUMNS_MAX = 2000 };

struct csv {
    const char *at, *end;
    uint32_t line;             /* where the record begins */
    uint32_t lines;            /* read so far */
    struct sepx_text text;     /* fields, each ended by a zero */
    size_t field[COLUMNS_MAX]; /* where each begins in `text` */
    size_t n_fields;
};

/* ---- records ---- */

static enum sepx_err
add(struct csv *csv, const char *bytes, size_t len, struct sepx_msg *msg)
{
    return sepx_text_add(&csv->text, bytes, len)
               ? sepx_fail(msg, SEPX_ENOMEM, "out of memory")
               : SEPX_OK;
}

/* Behind the opening quote, up to what follows the closing one. */
static enum sepx_err
read_quoted(struct csv *csv, struct sepx_msg *msg)
{
    for (;;) {
        const char *stop = memchr(csv->at, '"', (size_t)(csv->end - csv->at));
        size_t len;

        if (!stop)
            return sepx_fail(msg, SEPX_EDATA, "a quoted field does not end");
        len = (size_t)(stop - csv->at);
        for (size_t i = 0; i < len; i++)
            csv->lines += csv->at[i] == '\n';
        if (memchr(csv->at, '\0', len))
            return sepx_fail(msg, SEPX_EDATA, "a field has a zero byte");
        if (add(csv, csv->at, len, msg))
            return SEPX_ENOMEM;
        csv->at = stop + 1;
        if (csv->at == csv->end || *csv->at != '"')
            return SEPX_OK;
        if (add(csv, "\"", 1, msg))
            return SEPX_ENOMEM;
        csv->at++;
    }
}

static enum sepx_err
read_field(struct csv *csv, struct sepx_msg *msg)
{
    const char *from = csv->at;

    if (csv->n_fields == COLUMNS_MAX)
        return sepx_fail(msg, SEPX_ELIMIT, "more than %d fields", COLUMNS_MAX);
    csv->field[csv->n_fields++] = csv->text.len;
    if (csv->at < csv->end && *csv->at == '"') {
        enum sepx_err err;

        csv->at++;
        err = read_quoted(csv, msg);
        if (err)
            return err;
        if (csv->at < csv->end && !strchr(",\r\n", *csv->at))
            return sepx_fail(msg, SEPX_EDATA,
                             "there is text behind a closing quote");
        return add(csv, "", 1, msg);
    }
    while (csv->at < csv->end && *csv->at != ',' && *csv->at != '\n')
        csv->at++;
    if (memchr(from, '\0', (size_t)(csv->at - from)))
        return sepx_fail(msg, SEPX_EDATA, "a field has a zero byte");
    if (add(csv, from, (size_t)(csv->at - from), msg))
        return SEPX_ENOMEM;
    if (csv->text.len > csv->field[csv->n_fields - 1] &&
        csv->text.at[csv->text.len - 1] == '\r')
        csv->text.len--; /* of the line's end */
    return add(csv, "", 1, msg);
}

/* The next record; *more is false at the end. Blank lines are skipped. */
static enum sepx_err
read_record(struct csv *csv, bool *more, struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    while (csv->at < csv->end && (*csv->at == '\n' || *csv->at == '\r'))
        csv->lines += *csv->at++ == '\n';
    csv->line = csv->lines + 1;
    csv->text.len = csv->n_fields = 0;
    *more = csv->at < csv->end;
    while (*more && !err) {
        err = read_field(csv, msg);
        if (!err && csv->at < csv->end && *csv->at == '\r')
            csv->at++;
        if (err || csv->at == csv->end || *csv->at++ == '\n')
            break;
    }
    csv->lines += *more;
    return err;
}

/* ---- rows ---- */

/* What becomes of a column. */
enum use { OTHER, METRIC, GRAPH };

struct plan {
    enum use use[COLUMNS_MAX];
    size_t column[COLUMNS_MAX]; /* of the builder */
    char *name[COLUMNS_MAX];
    uint32_t numbers[COLUMNS_MAX], words[COLUMNS_MAX]; /* fields of it */
    uint32_t line[COLUMNS_MAX];                        /* of the first word */
    char word[COLUMNS_MAX][41]; /* itself, as far as there is room */
    size_t n;
};

/* A number, or empty (NaN); false for anything else. */
static bool
read_number(const char *text, double *value)
{
    char *end;

    text += strspn(text, " \t");
    *value = NAN;
    if (!*text || !strcmp(text, "nan") || !strcmp(text, "NaN"))
        return true;
    if (!strchr("+-.0123456789", *text) || text[strcspn(text, "xX")])
        return false;
    *value = strtod(text, &end);
    return end > text && !end[strspn(end, " \t")] && isfinite(*value);
}

static void
plan_release(struct plan *plan)
{
    for (size_t i = 0; i < plan->n; i++)
        sepx__free(plan->name[i]);
    sepx__free(plan);
}

static void
trim(char *text)
{
    size_t len = strlen(text);

    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        text[--len] = '\0';
}

/* The line of names. */
static enum sepx_err
read_names(const struct sepx_results_builder *b, struct csv *csv,
           struct plan *plan, struct sepx_msg *msg)
{
    static const char *const keys[] = {"graph", "arch", "genotype"};
    size_t graph = SIZE_MAX;

    for (size_t i = 0; i < csv->n_fields; i++) {
        char *name = csv->text.at + csv->field[i];

        trim(name);
        plan->name[i] = sepx__strdup(name);
        if (!plan->name[i])
            return sepx_fail(msg, SEPX_ENOMEM, "out of memory");
        plan->n = i + 1;
        plan->use[i] = *name && sepx__results_wants(b, name) ? METRIC : OTHER;
        for (size_t k = 0; k < i; k++)
            if (*name && !strcmp(plan->name[k], name))
                return sepx_fail(msg, SEPX_EDATA,
                                 "two columns are called '%.60s'", name);
    }
    for (size_t k = 0; k < 3 && graph == SIZE_MAX; k++)
        for (size_t i = 0; i < plan->n && graph == SIZE_MAX; i++)
            if (!strcmp(plan->name[i], b->graph ? b->graph : keys[k]))
                graph = i;
    if (graph == SIZE_MAX)
        return sepx_fail(msg, SEPX_EDATA,
                         "no column is called '%.60s'; name the column of "
                         "graphs with --graph",
                         b->graph ? b->graph : "graph");
    plan->use[graph] = GRAPH;
    return SEPX_OK;
}

static enum sepx_err
check_width(const struct csv *csv, const struct plan *plan,
            struct sepx_msg *msg)
{
    if (csv->n_fields == plan->n)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA, "%zu fields; the line of names has %zu",
                     csv->n_fields, plan->n);
}

static void
count_fields(const struct csv *csv, struct plan *plan)
{
    for (size_t i = 0; i < plan->n; i++) {
        const char *text = csv->text.at + csv->field[i];
        double value;

        if (plan->use[i] != METRIC)
            continue;
        if (!read_number(text, &value)) {
            if (plan->words[i]++)
                continue;
            plan->line[i] = csv->line;
            snprintf(plan->word[i], sizeof plan->word[i], "%s", text);
        } else if (!isnan(value)) {
            plan->numbers[i]++;
        }
    }
}

/* First, over all rows: which columns are numbers. */
static enum sepx_err
find_metrics(const struct sepx_results_builder *b, struct csv csv,
             struct plan *plan, struct sepx_msg *msg, uint32_t *line)
{
    bool more = true;
    enum sepx_err err = SEPX_OK;

    csv.text = (struct sepx_text){0};
    while (!err) {
        err = read_record(&csv, &more, msg);
        *line = csv.line;
        if (err || !more)
            break;
        err = check_width(&csv, plan, msg);
        if (!err)
            count_fields(&csv, plan);
    }
    sepx_text_release(&csv.text);
    for (size_t i = 0; i < plan->n && !err; i++) {
        if (plan->use[i] != METRIC || !plan->words[i])
            continue;
        plan->use[i] = OTHER;
        if (!b->metrics && plan->numbers[i] <= plan->words[i])
            continue;
        *line = plan->line[i];
        err = sepx_fail(msg, SEPX_EDATA,
                        "the metric '%.60s' is '%s', not a finite number; "
                        "correct it, leave the field empty, or name the "
                        "metrics that you want with --metrics",
                        plan->name[i], plan->word[i]);
    }
    return err;
}

static enum sepx_err
add_row(struct sepx_results_builder *b, const struct csv *csv,
        const struct plan *plan, struct sepx_msg *msg)
{
    bool added = false;
    enum sepx_err err = check_width(csv, plan, msg);

    for (size_t i = 0; i < plan->n && !err; i++) {
        const char *text = csv->text.at + csv->field[i];

        if (plan->use[i] == GRAPH)
            err = sepx_graph_read(&b->row, sepx_space_names(b->space), text,
                                  strlen(text), SEPX_FORMAT_AUTO, msg);
    }
    if (!err)
        err = sepx__results_row(b, &added, csv->line, msg);
    for (size_t i = 0; i < plan->n && !err && added; i++)
        if (plan->use[i] == METRIC)
            (void)read_number(csv->text.at + csv->field[i],
                              &b->column[plan->column[i]].value[b->n_rows - 1]);
    return err;
}

static enum sepx_err
read_rows(struct sepx_results_builder *b, struct csv *csv, struct plan *plan,
          struct sepx_msg *msg)
{
    bool more = true;
    uint32_t line;
    enum sepx_err err = read_record(csv, &more, msg);

    if (!err)
        err = read_names(b, csv, plan, msg);
    if (!err) {
        err = find_metrics(b, *csv, plan, msg, &line);
        if (err)
            csv->line = line;
    }
    for (size_t i = 0; i < plan->n && !err; i++)
        if (plan->use[i] == METRIC)
            err = sepx__results_column(b, &plan->column[i], plan->name[i], msg);
    while (!err) {
        err = read_record(csv, &more, msg);
        if (err || !more)
            break;
        err = add_row(b, csv, plan, msg);
        if (!err && sepx_space_stopped(b->space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

enum sepx_err
sepx__results_read_csv(struct sepx_results_builder *b, const char *bytes,
                       size_t len, const char *name, struct sepx_msg *msg)
{
    struct csv *csv = sepx__calloc(1, sizeof(*csv));
    struct plan *plan = sepx__calloc(1, sizeof(*plan));
    enum sepx_err err = SEPX_ENOMEM;

    if (csv && plan) {
        csv->at = bytes;
        csv->end = bytes + len;
        err = read_rows(b, csv, plan, msg);
        if (err)
            sepx_msg_place(msg, name, csv->line);
    }
    if (csv)
        sepx_text_release(&csv->text);
    sepx__free(csv);
    if (plan)
        plan_release(plan);
    return err;
}
