/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SVG as a part of an HTML page, tag by tag. Not a parser of all XML: it
 * takes what gnuplot and Graphviz write, and copies what it does not know.
 */
#include <string.h>

#include "research/report/internal.h"

/* A piece of the picture. */
struct span {
    const char *at;
    size_t len;
};

struct page {
    struct sepx_text *html;
    const char *prefix, *name;
    bool ground; /* the white ground was met */
};

static bool
starts(struct span s, const char *word)
{
    size_t len = strlen(word);

    return s.len >= len && !memcmp(s.at, word, len);
}

static bool
equals(struct span s, const char *word)
{
    return s.len == strlen(word) && starts(s, word);
}

static bool
space(char letter)
{
    return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
}

/* ---- attributes ---- */

static const char *
skip_space(const char *at, const char *end)
{
    while (at < end && space(*at))
        at++;
    return at;
}

/*
 * name="value" at the front of *rest, which moves behind it; white space may
 * stand anywhere, as gnuplot has it.
 */
static bool
next_attribute(struct span *rest, struct span *name, struct span *value)
{
    const char *end = rest->at + rest->len;
    const char *at = skip_space(rest->at, end), *start = at;

    while (at < end && *at != '=' && !space(*at) && *at != '/')
        at++;
    *name = (struct span){start, (size_t)(at - start)};
    at = skip_space(at, end);
    if (at == end || *at != '=')
        return false;
    at = skip_space(at + 1, end);
    if (at == end || (*at != '"' && *at != '\''))
        return false;
    start = at + 1;
    at = memchr(start, *at, (size_t)(end - start));
    if (!at)
        return false;
    *value = (struct span){start, (size_t)(at - start)};
    *rest = (struct span){at + 1, (size_t)(end - at - 1)};
    return true;
}

static enum sepx_err
put_value(struct page *page, struct span name, struct span value)
{
    const char *hash = memchr(value.at, '#', value.len);
    bool link = equals(name, "xlink:href") || equals(name, "href") ||
                starts(value, "url(#");
    size_t head = link && hash ? (size_t)(hash - value.at) + 1 : 0;
    enum sepx_err err;

    if (equals(name, "id"))
        return sepx_text_print(page->html, "%s%.*s", page->prefix,
                               (int)value.len, value.at);
    if (!head)
        return sepx_text_add(page->html, value.at, value.len);
    err = sepx_text_add(page->html, value.at, head);
    if (!err)
        err = sepx_text_print(page->html, "%s%.*s", page->prefix,
                              (int)(value.len - head), value.at + head);
    return err;
}

static bool
unwanted(struct span name, bool root)
{
    return starts(name, "xmlns") || equals(name, "font-family") ||
           (root && (equals(name, "width") || equals(name, "height")));
}

static enum sepx_err
put_attributes(struct page *page, struct span rest, bool root)
{
    struct span name, value;
    enum sepx_err err = SEPX_OK;

    while (!err && next_attribute(&rest, &name, &value)) {
        char quote = value.at[-1];

        if (unwanted(name, root))
            continue;
        err = sepx_text_print(page->html, " %.*s=%c", (int)name.len, name.at,
                              quote);
        if (!err)
            err = put_value(page, name, value);
        if (!err)
            err = sepx_text_add(page->html, &quote, 1);
    }
    return err;
}

/* ---- tags ---- */

/* gnuplot's ground is the first box, Graphviz's the first polygon. */
static bool
is_ground(struct page *page, struct span tag)
{
    bool white;

    if (page->ground || !(starts(tag, "<rect ") || starts(tag, "<polygon ")))
        return false;
    page->ground = true;
    white = starts(tag, "<rect x=\"0\" y=\"0\"") ||
            starts(tag, "<polygon fill=\"white\"");
    return white;
}

static enum sepx_err
put_root(struct page *page, struct span rest)
{
    enum sepx_err err =
        sepx_text_print(page->html, "<svg role=\"img\" aria-label=\"");

    if (!err)
        err = sepx_html_text(page->html, page->name);
    if (!err)
        err = sepx_text_add(page->html, "\"", 1);
    if (!err)
        err = put_attributes(page, rest, true);
    return err ? err : sepx_text_add(page->html, ">", 1);
}

/* `tag` is from < to >. */
static enum sepx_err
put_tag(struct page *page, struct span tag)
{
    bool closed = tag.len > 2 && tag.at[tag.len - 2] == '/';
    size_t word = 1;
    struct span rest;
    enum sepx_err err;

    if (starts(tag, "</"))
        return sepx_text_add(page->html, tag.at, tag.len);
    if (starts(tag, "<!") || is_ground(page, tag))
        return SEPX_OK;
    while (word < tag.len - 1 && !space(tag.at[word]) && tag.at[word] != '/')
        word++;
    rest = (struct span){tag.at + word, tag.len - word - 1};
    if (word == 4 && starts(tag, "<svg"))
        return put_root(page, rest);
    err = sepx_text_add(page->html, tag.at, word);
    if (!err)
        err = put_attributes(page, rest, false);
    return err ? err : sepx_text_print(page->html, closed ? "/>" : ">");
}

/* Behind </title> and </desc> of gnuplot and Graphviz, which say nothing. */
static const char *
skip_element(const char *at, const char *end)
{
    static const char *const words[][2] = {{"<title>", "</title>"},
                                           {"<desc>", "</desc>"}};
    struct span rest = {at, (size_t)(end - at)};

    for (int i = 0; i < 2; i++) {
        if (!starts(rest, words[i][0]))
            continue;
        for (const char *p = at; p < end; p++)
            if (starts((struct span){p, (size_t)(end - p)}, words[i][1]))
                return p + strlen(words[i][1]);
    }
    return at;
}

/* Letters between tags; white space at their ends shrinks to one. */
static enum sepx_err
put_letters(struct page *page, struct span s)
{
    bool blank = true;

    for (size_t i = 0; i < s.len; i++)
        blank = blank && space(s.at[i]);
    if (blank)
        return s.len ? sepx_text_add(page->html, "\n", 1) : SEPX_OK;
    return sepx_text_add(page->html, s.at, s.len);
}

enum sepx_err
sepx_svg_inline(struct sepx_text *html, const char *svg, size_t len,
                const char *prefix, const char *name)
{
    struct page page = {.html = html, .prefix = prefix, .name = name};
    const char *at = svg, *end = svg + len;
    enum sepx_err err = SEPX_OK;

    while (at < end && !starts((struct span){at, (size_t)(end - at)}, "<svg"))
        at++;
    if (at == end)
        return SEPX_EDATA;
    while (at < end && !err) {
        const char *tag = memchr(at, '<', (size_t)(end - at));
        const char *behind;

        tag = tag ? tag : end;
        err = put_letters(&page, (struct span){at, (size_t)(tag - at)});
        behind = skip_element(tag, end);
        if (err || tag == end || behind != tag) {
            at = behind;
            continue;
        }
        behind = memchr(tag, '>', (size_t)(end - tag));
        if (!behind)
            return SEPX_EDATA;
        err = put_tag(&page, (struct span){tag, (size_t)(behind - tag) + 1});
        at = behind + 1;
    }
    return err;
}
