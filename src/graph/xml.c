/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/xml.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum sepx_err
sepx__xml_fail(const struct sepx__xml *xml, const char *format, ...)
{
    char text[sizeof(xml->msg->text)];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return sepx_fail(xml->msg, SEPX_EDATA, "line %u: %s", xml->line, text);
}

static enum sepx_err
no_memory(const struct sepx__xml *xml)
{
    return sepx_fail(xml->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

void
sepx__xml_release(struct sepx__xml *xml)
{
    sepx_text_release(&xml->text);
}

/* ---- moving on ---- */

static void
advance(struct sepx__xml *xml, size_t count)
{
    for (; count; count--)
        xml->at_line += *xml->at++ == '\n';
}

static bool
starts_with(const struct sepx__xml *xml, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(xml->end - xml->at) >= len && !memcmp(xml->at, text, len);
}

/* Where `text` comes next, or NULL. */
static const char *
find(const struct sepx__xml *xml, const char *text)
{
    size_t len = strlen(text);
    const char *at = xml->at;

    while ((size_t)(xml->end - at) >= len) {
        at = memchr(at, text[0], (size_t)(xml->end - at) - len + 1);
        if (!at || !memcmp(at, text, len))
            return at;
        at++;
    }
    return NULL;
}

static bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
skip_space(struct sepx__xml *xml)
{
    while (xml->at < xml->end && is_space(*xml->at))
        advance(xml, 1);
}

/* ASCII names as GraphML has them, with a namespace prefix or without. */
static bool
is_name(char c, bool first)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
        return true;
    return !first &&
           ((c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':');
}

static size_t
take_name(struct sepx__xml *xml, const char **name)
{
    *name = xml->at;
    while (xml->at < xml->end && is_name(*xml->at, xml->at == *name))
        xml->at++;
    return (size_t)(xml->at - *name);
}

/* ---- characters ---- */

static size_t
encode(char out[4], uint32_t code)
{
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = len; --i; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[len] | code);
    return len;
}

static bool
is_character(uint32_t code)
{
    if (code < 0x20)
        return code == '\t' || code == '\n' || code == '\r';
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
           code != 0xfffe && code != 0xffff;
}

/* "#65" or "#x41"; 0 if it is no character. */
static uint32_t
number_of(const char *text, size_t len)
{
    bool hex = len > 2 && text[1] == 'x';
    uint32_t code = 0;

    for (size_t i = hex ? 2 : 1; i < len && code <= 0x10ffff; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        uint32_t value;

        if (!digit || (!hex && digit > digits + 9))
            return 0;
        value = (uint32_t)(digit - digits);
        code = code * (hex ? 16 : 10) + (value > 15 ? value - 6 : value);
    }
    return is_character(code) ? code : 0;
}

/* `xml->at` is at an ampersand. */
static enum sepx_err
take_entity(struct sepx__xml *xml)
{
    static const struct {
        const char *name;
        char is;
    } known[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const char *name = xml->at + 1;
    size_t most =
        (size_t)(xml->end - name) < 12 ? (size_t)(xml->end - name) : 12;
    const char *stop = memchr(name, ';', most);
    size_t len = stop ? (size_t)(stop - name) : 0;
    uint32_t code = len > 1 && name[0] == '#' ? number_of(name, len) : 0;
    char bytes[4];

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (len == strlen(known[i].name) && !memcmp(name, known[i].name, len))
            code = (uint32_t)known[i].is;
    if (!code) {
        xml->line = xml->at_line;
        return sepx__xml_fail(xml,
                              "\"%s\" is no character; write &amp; for an "
                              "ampersand",
                              sepx__excerpt(xml->at, stop ? len + 2 : 1).text);
    }
    xml->at = stop + 1;
    return sepx_text_add(&xml->text, bytes, encode(bytes, code))
               ? no_memory(xml)
               : SEPX_OK;
}

/*
 * Add characters up to `stop` to the text: entities decoded, line ends made
 * one newline, and in attributes each white space a blank.
 */
static enum sepx_err
take_characters(struct sepx__xml *xml, const char *stop, bool attribute)
{
    enum sepx_err err = SEPX_OK;

    while (!err && xml->at < stop) {
        char c = *xml->at;

        if (c == '&') {
            err = take_entity(xml);
            continue;
        }
        advance(xml, 1);
        if (c == '\r' && xml->at < stop && *xml->at == '\n')
            continue;
        if (c == '\r')
            c = '\n';
        if (attribute && is_space(c))
            c = ' ';
        if (sepx_text_add(&xml->text, &c, 1))
            err = no_memory(xml);
    }
    return err;
}

/* ---- tags ---- */

static enum sepx_err
take_attribute(struct sepx__xml *xml)
{
    struct sepx__xml_attr attr;
    const char *stop = NULL;
    enum sepx_err err;

    attr.name_len = take_name(xml, &attr.name);
    skip_space(xml);
    if (attr.name_len && starts_with(xml, "=")) {
        advance(xml, 1);
        skip_space(xml);
        if (starts_with(xml, "\"") || starts_with(xml, "'")) {
            advance(xml, 1);
            stop = memchr(xml->at, xml->at[-1], (size_t)(xml->end - xml->at));
        }
    }
    if (!stop || memchr(xml->at, '<', (size_t)(stop - xml->at)))
        return sepx__xml_fail(xml,
                              "<%s> has an attribute that is not name=\"value\""
                              "; correct it",
                              sepx__excerpt(xml->name, xml->name_len).text);
    if (xml->n_attrs == SEPX__XML_ATTRS)
        return sepx__xml_fail(
            xml, "<%s> has more than %d attributes; remove some",
            sepx__excerpt(xml->name, xml->name_len).text, SEPX__XML_ATTRS);
    for (size_t i = 0; i < xml->n_attrs; i++)
        if (xml->attr[i].name_len == attr.name_len &&
            !memcmp(xml->attr[i].name, attr.name, attr.name_len))
            return sepx__xml_fail(
                xml, "<%s> has the attribute \"%s\" twice; remove one",
                sepx__excerpt(xml->name, xml->name_len).text,
                sepx__excerpt(attr.name, attr.name_len).text);
    attr.value = xml->text.len;
    err = take_characters(xml, stop, true);
    if (err)
        return err;
    attr.value_len = xml->text.len - attr.value;
    advance(xml, 1);
    xml->attr[xml->n_attrs++] = attr;
    return sepx_text_add(&xml->text, "", 1) ? no_memory(xml) : SEPX_OK;
}

static enum sepx_err
cut_off(const struct sepx__xml *xml, const char *what)
{
    return sepx__xml_fail(
        xml, "%s is cut off, the text ends; is the file complete?", what);
}

static enum sepx_err
take_open(struct sepx__xml *xml)
{
    enum sepx_err err = SEPX_OK;

    xml->kind = SEPX__XML_OPEN;
    while (!err) {
        const char *before = xml->at;

        skip_space(xml);
        if (xml->at == xml->end)
            return cut_off(xml, "a tag");
        xml->empty = starts_with(xml, "/>");
        if (xml->empty || *xml->at == '>') {
            advance(xml, xml->empty ? 2 : 1);
            break;
        }
        if (xml->at == before)
            return sepx__xml_fail(xml, "the tag <%s is malformed; correct it",
                                  sepx__excerpt(xml->name, xml->name_len).text);
        err = take_attribute(xml);
    }
    return err;
}

static enum sepx_err
take_tag(struct sepx__xml *xml)
{
    bool close = starts_with(xml, "</");

    advance(xml, close ? 2 : 1);
    xml->name_len = take_name(xml, &xml->name);
    if (xml->at == xml->end)
        return cut_off(xml, "a tag");
    if (!xml->name_len)
        return sepx__xml_fail(xml, "\"<\" begins no tag; write &lt; for it");
    if (!close)
        return take_open(xml);
    xml->kind = SEPX__XML_CLOSE;
    skip_space(xml);
    if (!starts_with(xml, ">"))
        return sepx__xml_fail(xml, "the tag </%s is malformed; correct it",
                              sepx__excerpt(xml->name, xml->name_len).text);
    advance(xml, 1);
    return SEPX_OK;
}

/* ---- tokens ---- */

static enum sepx_err
skip_past(struct sepx__xml *xml, const char *mark, const char *what)
{
    const char *stop = find(xml, mark);

    if (!stop)
        return cut_off(xml, what);
    advance(xml, (size_t)(stop - xml->at) + strlen(mark));
    return SEPX_OK;
}

/* Comments and processing instructions; *skipped says whether there was. */
static enum sepx_err
skip_other(struct sepx__xml *xml, bool *skipped)
{
    xml->line = xml->at_line;
    *skipped = true;
    if (starts_with(xml, "<!--")) {
        advance(xml, 4);
        return skip_past(xml, "-->", "a comment");
    }
    if (starts_with(xml, "<?"))
        return skip_past(xml, "?>", "<?...?>");
    *skipped = false;
    if (starts_with(xml, "<!DOCTYPE"))
        return sepx__xml_fail(xml, "<!DOCTYPE> is not allowed; remove it");
    if (starts_with(xml, "<!") && !starts_with(xml, "<![CDATA["))
        return sepx__xml_fail(xml, "<!...> is neither a comment nor CDATA; "
                                   "remove it");
    return SEPX_OK;
}

static enum sepx_err
take_cdata(struct sepx__xml *xml)
{
    const char *stop;

    advance(xml, 9);
    stop = find(xml, "]]>");
    if (!stop)
        return cut_off(xml, "<![CDATA[");
    xml->kind = SEPX__XML_TEXT;
    if (sepx_text_add(&xml->text, xml->at, (size_t)(stop - xml->at)))
        return no_memory(xml);
    advance(xml, (size_t)(stop - xml->at) + 3);
    return SEPX_OK;
}

static enum sepx_err
take_text(struct sepx__xml *xml)
{
    const char *stop = memchr(xml->at, '<', (size_t)(xml->end - xml->at));

    xml->kind = SEPX__XML_TEXT;
    return take_characters(xml, stop ? stop : xml->end, false);
}

enum sepx_err
sepx__xml_next(struct sepx__xml *xml)
{
    bool skipped;
    enum sepx_err err;

    xml->text.len = 0;
    xml->n_attrs = 0;
    if (xml->empty) { /* the name is still there */
        xml->empty = false;
        xml->kind = SEPX__XML_CLOSE;
        return SEPX_OK;
    }
    do
        err = skip_other(xml, &skipped);
    while (!err && skipped);
    if (err)
        return err;
    if (xml->at == xml->end) {
        xml->kind = SEPX__XML_END;
        return SEPX_OK;
    }
    if (*xml->at != '<')
        return take_text(xml);
    return starts_with(xml, "<!") ? take_cdata(xml) : take_tag(xml);
}

bool
sepx__xml_is(const struct sepx__xml *xml, const char *name)
{
    return xml->name_len == strlen(name) &&
           !memcmp(xml->name, name, xml->name_len);
}

const char *
sepx__xml_attr(const struct sepx__xml *xml, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < xml->n_attrs; i++)
        if (xml->attr[i].name_len == len &&
            !memcmp(xml->attr[i].name, name, len))
            return xml->text.at + xml->attr[i].value;
    return NULL;
}

/* ---- the whole ---- */

static enum sepx_err
check_bytes(struct sepx__xml *xml)
{
    size_t len = (size_t)(xml->end - xml->at);
    size_t good = sepx__utf8_span(xml->at, len);

    xml->line = 1;
    for (size_t i = 0; i < good; i++) {
        unsigned char c = (unsigned char)xml->at[i];

        if (!is_character(c))
            return sepx__xml_fail(
                xml, "the control character 0x%02x is not text; remove it", c);
        xml->line += c == '\n';
    }
    if (good == len)
        return SEPX_OK;
    return sepx__xml_fail(xml, "the byte 0x%02x is not UTF-8; convert the text",
                          (unsigned char)xml->at[good]);
}

/* encoding="..." in <?xml ...?>, which is ASCII whatever it says. */
static enum sepx_err
check_declaration(struct sepx__xml *xml)
{
    const char *stop = starts_with(xml, "<?xml") ? find(xml, "?>") : NULL;
    const char *at = stop ? find(xml, "encoding") : NULL;
    char head[64], value[16] = "";

    xml->line = 1;
    if (!at || at > stop)
        return SEPX_OK;
    (void)snprintf(head, sizeof(head), "%.*s",
                   stop - at < 63 ? (int)(stop - at) : 63, at);
    if (sscanf(head, "encoding = %*1[\"']%15[^\"']", value) != 1)
        return SEPX_OK;
    if (!strcasecmp(value, "utf-8") || !strcasecmp(value, "us-ascii"))
        return SEPX_OK;
    return sepx__xml_fail(xml,
                          "the encoding is \"%s\"; convert the text to UTF-8",
                          sepx__excerpt(value, strlen(value)).text);
}

enum sepx_err
sepx__xml_begin(struct sepx__xml *xml, const char *bytes, size_t len,
                struct sepx_msg *msg)
{
    enum sepx_err err;

    *xml = (struct sepx__xml){
        .at = bytes, .end = bytes + len, .at_line = 1, .msg = msg};
    err = check_declaration(xml);
    return err ? err : check_bytes(xml);
}
