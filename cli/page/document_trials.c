/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single trials: rows of the table, the gallery of the best, all of one
 * trial with the edits from its parents, and the family tree of one.
 */
#include "page/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 500, GALLERY = 24, FAMILY_MOST = 40 };

/* ---- the table ---- */

static const char *const columns[] = {"trial", "operator", "outcome", "value",
                                      "test",  "cost",     "seconds", NULL};

struct sorting {
    const struct page_study *study;
    int column; /* from NUMBERS on, a number of the goals */
    bool down;
};

enum { NUMBERS = 7 };

/* qsort() has no argument of its own, and documents are made one at a time. */
static struct sorting sorting;

static double
number_of(const struct page_study *study, size_t trial, int column)
{
    const struct page_trial *at = &study->trial[trial];

    switch (column) {
    case 3:
        return at->value;
    case 4:
        return at->test;
    case 5:
        return at->cost;
    case 6:
        return at->seconds;
    default:
        return study->number[trial * study->s.goals->names +
                             (size_t)(column - NUMBERS)];
    }
}

static const char *
word_in(const struct page_words *words, uint32_t number)
{
    return number == PAGE_NO_WORD ? "" : words->at[number];
}

/* Trials without a number come last, up or down. */
static int
by_column(const void *left, const void *right)
{
    const uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    const struct page_trial *a = &sorting.study->trial[i];
    const struct page_trial *b = &sorting.study->trial[j];
    int order = 0;

    if (sorting.column == 1)
        order = strcmp(word_in(&sorting.study->ops, a->op),
                       word_in(&sorting.study->ops, b->op));
    else if (sorting.column == 2)
        order = strcmp(word_in(&sorting.study->outcomes, a->outcome),
                       word_in(&sorting.study->outcomes, b->outcome));
    else if (sorting.column > 2) {
        double x = number_of(sorting.study, i, sorting.column);
        double y = number_of(sorting.study, j, sorting.column);

        if (isnan(x) != isnan(y))
            return isnan(x) ? 1 : -1;
        order = (x > y) - (x < y);
    }
    if (!order)
        order = (i > j) - (i < j);
    return sorting.down ? -order : order;
}

/* A trial's number, or a part of its operator's or outcome's name. */
static bool
row_matches(const struct page_study *study, size_t trial, const char *wanted)
{
    const struct page_trial *at = &study->trial[trial];

    if (!*wanted)
        return true;
    if (strspn(wanted, "0123456789") == strlen(wanted))
        return strtoul(wanted, NULL, 10) == trial;
    return strstr(word_in(&study->ops, at->op), wanted) ||
           strstr(word_in(&study->outcomes, at->outcome), wanted) ||
           strstr(word_in(&study->slots, at->slot), wanted);
}

static void
put_trial_or_null(struct sepx_json_writer *w, int64_t trial)
{
    if (trial < 0)
        sepx_json_put_null(w);
    else
        sepx_json_put_integer(w, trial);
}

static void
put_row(struct sepx_json_writer *w, const struct page_study *study,
        uint32_t trial)
{
    const struct page_trial *at = &study->trial[trial];

    sepx_json_open(w, '[');
    sepx_json_put_integer(w, trial);
    sepx_json_put_string(w, word_in(&study->ops, at->op));
    sepx_json_put_string(w, at->told ? word_in(&study->outcomes, at->outcome)
                                     : "under way");
    sepx_json_put_number(w, at->value);
    sepx_json_put_number(w, at->test);
    sepx_json_put_number(w, at->cost);
    sepx_json_put_number(w, at->seconds);
    put_trial_or_null(w, at->parent[0]);
    put_trial_or_null(w, at->parent[1]);
    put_trial_or_null(w, at->cached);
    for (uint32_t i = 0; i < study->s.goals->names; i++)
        sepx_json_put_number(w, number_of(study, trial, NUMBERS + (int)i));
    sepx_json_close(w, ']');
}

/* A column by its name, or a number of the goals: "number0". */
static int
find_column(const struct page_study *study, const char *name)
{
    if (!strncmp(name, "number", 6) && name[6] >= '0' &&
        (uint32_t)(name[6] - '0') < study->s.goals->names)
        return NUMBERS + name[6] - '0';
    for (int i = 0; columns[i]; i++) {
        if (!strcmp(columns[i], name))
            return i;
    }
    return 0;
}

enum sepx_err
page_write_trials(struct page *page, struct page_study *study,
                  struct sepx_json_writer *w, const struct page_query *query,
                  struct sepx_msg *msg)
{
    uint32_t *row = malloc((study->count + 1) * sizeof *row);
    uint32_t from = page_query_count(query, "from", 0, UINT32_MAX);
    uint32_t most = page_query_count(
        query, "all", page_query_count(query, "count", 100, ROWS_MOST),
        page->is_report ? UINT32_MAX : ROWS_MOST);
    char name[16] = "trial", wanted[64] = "";
    size_t count = 0;

    (void)msg;
    if (!row)
        return SEPX_ENOMEM;
    (void)page_query_get(query, "sort", name, sizeof name);
    (void)page_query_get(query, "find", wanted, sizeof wanted);
    for (size_t i = 0; i < study->count; i++) {
        if (row_matches(study, i, wanted))
            row[count++] = (uint32_t)i;
    }
    sorting = (struct sorting){.study = study,
                               .column = find_column(study, name),
                               .down = page_query_count(query, "down", 0, 1)};
    if (sorting.column || sorting.down)
        qsort(row, count, sizeof *row, by_column);
    sepx_json_open(w, '{');
    page_put_count(w, "total", (int64_t)count);
    page_put_count(w, "from", from);
    page_open_list(w, "rows");
    for (size_t i = from; i < count && i - from < most; i++)
        put_row(w, study, row[i]);
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    free(row);
    return SEPX_OK;
}

/* ---- persons ---- */

/* Fetch a trial if it is not there yet. */
static enum sepx_err
fetch(struct page_study *study, int64_t trial, struct sepx_msg *msg)
{
    if (trial < 0 || family_find(&study->family, trial))
        return SEPX_OK;
    if ((size_t)trial >= study->count)
        return sepx_fail(msg, SEPX_ENOTFOUND, "no trial %lld",
                         (long long)trial);
    return family_fetch(&study->family, (uint32_t)trial, msg);
}

static void
put_graph(struct sepx_json_writer *w, const struct person *person)
{
    sepx_json_key(w, "graph");
    sepx_graph_put_json(w, &person->graph);
}

static void
put_numbers(struct sepx_json_writer *w, const struct page_study *study,
            uint32_t trial)
{
    page_open_list(w, "numbers");
    for (uint32_t i = 0; i < study->s.goals->names; i++)
        sepx_json_put_number(w, number_of(study, trial, NUMBERS + (int)i));
    sepx_json_close(w, ']');
}

enum sepx_err
page_write_gallery(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    uint32_t *rank;
    size_t count;
    enum sepx_err err = page_rank(study, &rank, &count);

    (void)page, (void)query;
    if (err)
        return err;
    sepx_json_open(w, '[');
    for (size_t i = 0; i < count && i < GALLERY && !err; i++) {
        const struct page_trial *at = &study->trial[rank[i]];

        err = fetch(study, rank[i], msg);
        if (err)
            break;
        sepx_json_open(w, '{');
        page_put_count(w, "trial", rank[i]);
        page_put_text(w, "operator", word_in(&study->ops, at->op));
        page_put_number(w, "value", at->value);
        page_put_number(w, "test", at->test);
        put_numbers(w, study, rank[i]);
        put_graph(w, family_find(&study->family, rank[i]));
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    family_clear(&study->family);
    free(rank);
    return err;
}

/* ---- one trial ---- */

static enum sepx_err
put_parents(struct page_study *study, struct sepx_json_writer *w,
            const struct person *child, struct sepx_msg *msg)
{
    enum sepx_err err;

    page_open_list(w, "parents");
    err = family_show_edits(&study->family, w, child, msg);
    sepx_json_close(w, ']');
    sepx_json_key(w, "graphs");
    sepx_json_open(w, '{');
    for (int k = 0; k < 2 && !err; k++) {
        const struct person *parent =
            family_find(&study->family, child->parent[k]);
        char key[16];

        if (!parent || (k && child->parent[0] == child->parent[1]))
            continue;
        snprintf(key, sizeof key, "%u", parent->trial);
        sepx_json_key(w, key);
        sepx_graph_put_json(w, &parent->graph);
    }
    sepx_json_close(w, '}');
    return err;
}

static enum sepx_err
put_whole(struct page_study *study, struct sepx_json_writer *w, uint32_t trial,
          struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    struct sepx_entry entry;
    bool more = false;
    enum sepx_err err =
        sepx_store_read(study->s.store, &cursor, SEPX_STORE_TRIALS, trial, msg);

    if (!err)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    if (!err && more) {
        sepx_json_open(w, '{');
        study_put_members(w, &study->s, &entry, true);
        err = put_parents(study, w, family_find(&study->family, trial), msg);
        sepx_json_close(w, '}');
    }
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
page_write_trial(struct page *page, struct page_study *study,
                 struct sepx_json_writer *w, const struct page_query *query,
                 struct sepx_msg *msg)
{
    uint32_t trial = page_query_count(query, "trial", 0, UINT32_MAX);
    enum sepx_err err = fetch(study, trial, msg);

    (void)page;
    for (int k = 0; k < 2 && !err; k++)
        err = fetch(study, study->trial[trial].parent[k], msg);
    if (!err)
        err = put_whole(study, w, trial, msg);
    family_clear(&study->family);
    return err;
}

/* ---- the family tree ---- */

static enum sepx_err
put_person(struct page_study *study, struct sepx_json_writer *w,
           const struct person *person, struct sepx_msg *msg)
{
    enum sepx_err err;

    sepx_json_open(w, '{');
    page_put_count(w, "trial", person->trial);
    page_put_text(w, "operator", person->op);
    page_put_number(w, "value", person->told ? person->value : NAN);
    put_graph(w, person);
    page_open_list(w, "parents");
    err = family_show_edits(&study->family, w, person, msg);
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
    return err;
}

/* Breadth first, so the nearest ancestors are there if not all are. */
static enum sepx_err
gather(struct page_study *study, uint32_t trial, bool *whole,
       struct sepx_msg *msg)
{
    struct family *family = &study->family;
    enum sepx_err err = fetch(study, trial, msg);

    *whole = true;
    for (size_t i = 0; i < family->count && !err; i++) {
        for (int k = 0; k < 2 && !err; k++) {
            int64_t parent = family->person[i].parent[k];

            if (parent < 0 || family_find(family, parent))
                continue;
            if (family->count < FAMILY_MOST)
                err = fetch(study, parent, msg);
            else
                *whole = false;
        }
    }
    return err;
}

enum sepx_err
page_write_lineage(struct page *page, struct page_study *study,
                   struct sepx_json_writer *w, const struct page_query *query,
                   struct sepx_msg *msg)
{
    const struct page_trial *best = page_best(study);
    uint32_t trial = page_query_count(
        query, "trial", best ? (uint32_t)(best - study->trial) : 0, UINT32_MAX);
    bool whole = true;
    enum sepx_err err = SEPX_OK;

    (void)page;
    if (study->count)
        err = gather(study, trial, &whole, msg);
    if (!err) {
        sepx_json_open(w, '{');
        page_put_count(w, "trial", trial);
        page_put_bool(w, "whole", whole);
        page_open_list(w, "persons");
        for (size_t i = 0; i < study->family.count && !err; i++)
            err = put_person(study, w, &study->family.person[i], msg);
        sepx_json_close(w, ']');
        sepx_json_close(w, '}');
    }
    family_clear(&study->family);
    return err;
}
