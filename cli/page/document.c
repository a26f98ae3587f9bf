/* SPDX-License-Identifier: Apache-2.0 */
/* The documents of a page by name, and the parts of JSON that they share. */
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

/* A document of one study, or of all of them. */
static const struct {
    const char *name;
    bool all;
    page_write *write;
} documents[] = {
    {"studies", true, page_write_studies},
    {"compare", true, page_write_compare},
    {"summary", false, page_write_summary},
    {"history", false, page_write_history},
    {"front", false, page_write_front},
    {"gallery", false, page_write_gallery},
    {"lineage", false, page_write_lineage},
    {"map", false, page_write_map},
    {"operators", false, page_write_operators},
    {"trials", false, page_write_trials},
    {"trial", false, page_write_trial},
    {"workers", false, page_write_workers},
};

enum sepx_err
page_document(struct page *page, struct sepx_text *text, const char *name,
              size_t index, const struct page_query *query,
              struct sepx_msg *msg)
{
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_ENOTFOUND;

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        if (strcmp(documents[i].name, name) != 0 ||
            (!documents[i].all && index >= page->count))
            continue;
        pthread_mutex_lock(&page->lock);
        sepx_json_begin(&w, text);
        if (!documents[i].all && page->study[index].fault.len)
            err = sepx_fail(msg, SEPX_EIO, "%s", page->study[index].fault.at);
        else
            err = documents[i].write(
                page, documents[i].all ? NULL : &page->study[index], &w, query,
                msg);
        pthread_mutex_unlock(&page->lock);
        return err ? err : sepx_json_done(&w);
    }
    return sepx_fail(msg, err, "no document '%s'", name);
}

/* ---- queries ---- */

bool
page_query_get(const struct page_query *query, const char *key, char *room,
               size_t size)
{
    const size_t len = strlen(key);
    const char *at = query->text;

    while (at && *at) {
        size_t rest = strcspn(at, "&");

        if (rest > len && !strncmp(at, key, len) && at[len] == '=') {
            size_t value = rest - len - 1;

            if (value >= size)
                return false;
            memcpy(room, at + len + 1, value);
            room[value] = '\0';
            return true;
        }
        at += rest + (at[rest] == '&');
    }
    return false;
}

uint32_t
page_query_count(const struct page_query *query, const char *key,
                 uint32_t otherwise, uint32_t most)
{
    char text[16], *end;
    unsigned long value;

    if (!page_query_get(query, key, text, sizeof text))
        return otherwise;
    value = strtoul(text, &end, 10);
    if (end == text || *end || text[0] == '-')
        return otherwise;
    return value > most ? most : (uint32_t)value;
}

/* ---- members ---- */

void
page_put_number(struct sepx_json_writer *w, const char *key, double value)
{
    sepx_json_add_number(w, key, value);
}

void
page_put_count(struct sepx_json_writer *w, const char *key, int64_t value)
{
    sepx_json_add_integer(w, key, value);
}

void
page_put_text(struct sepx_json_writer *w, const char *key, const char *text)
{
    sepx_json_key(w, key);
    if (text)
        sepx_json_put_string(w, text);
    else
        sepx_json_put_null(w);
}

void
page_put_bool(struct sepx_json_writer *w, const char *key, bool value)
{
    sepx_json_add_bool(w, key, value);
}

void
page_put_words(struct sepx_json_writer *w, const char *key,
               const struct page_words *words)
{
    page_open_list(w, key);
    for (uint32_t i = 0; i < words->count; i++)
        sepx_json_put_string(w, words->at[i]);
    sepx_json_close(w, ']');
}

void
page_open_list(struct sepx_json_writer *w, const char *key)
{
    sepx_json_key(w, key);
    sepx_json_open(w, '[');
}
