/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expat pushes and the reader pulls: a tag suspends the parser. Characters do
 * not, as they come in pieces; they are told when a tag or the end follows.
 */
#include "graph/formats/xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

/* Expat 2.9 deprecates the functions whose width is that of `long`. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define LINE_NUMBER XML_GetCurrentLineNumber64
#define BYTE_INDEX XML_GetCurrentByteIndex64
#else
#define LINE_NUMBER XML_GetCurrentLineNumber
#define BYTE_INDEX XML_GetCurrentByteIndex
#endif

enum { EXCERPT_BYTES = 24 };

enum sepx_err
sepx__xml_fail(const struct sepx__xml *xml, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(xml->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(xml->msg, xml->line, 0);
    return SEPX_EDATA;
}

static enum sepx_err
no_memory(const struct sepx__xml *xml)
{
    return sepx_fail(xml->msg, SEPX_ENOMEM, "%s", sepx_strerror(SEPX_ENOMEM));
}

static unsigned
line_now(const struct sepx__xml *xml)
{
    return xml->skipped + (unsigned)LINE_NUMBER(xml->parser);
}

/* ---- calls from the parser ---- */

static void
give_up(struct sepx__xml *xml, enum sepx_err err)
{
    if (xml->err)
        return;
    xml->err = err;
    (void)XML_StopParser(xml->parser, XML_FALSE);
}

static void
hold(struct sepx__xml *xml, enum sepx__xml_kind kind)
{
    xml->next = kind;
    xml->next_line = line_now(xml);
    xml->held = true;
    (void)XML_StopParser(xml->parser, XML_TRUE);
}

static void
add_string(struct sepx__xml *xml, const char *string)
{
    if (!xml->err && sepx_text_add(&xml->element, string, strlen(string) + 1))
        give_up(xml, SEPX_ENOMEM);
}

static void
on_open(void *context, const char *name, const char **attrs)
{
    struct sepx__xml *xml = context;

    xml->element.len = 0;
    add_string(xml, name);
    for (; *attrs; attrs++)
        add_string(xml, *attrs);
    add_string(xml, "");
    if (!xml->err)
        hold(xml, SEPX__XML_OPEN);
}

/* Expat tells <name/> whole, though it was suspended between the two. */
static void
on_close(void *context, const char *name)
{
    struct sepx__xml *xml = context;

    if (xml->held) {
        xml->empty = true;
        return;
    }
    xml->element.len = 0;
    add_string(xml, name);
    if (!xml->err)
        hold(xml, SEPX__XML_CLOSE);
}

static void
on_text(void *context, const char *bytes, int len)
{
    struct sepx__xml *xml = context;

    if (!xml->text.len)
        xml->text_line = line_now(xml);
    if (sepx_text_add(&xml->text, bytes, (size_t)len))
        give_up(xml, SEPX_ENOMEM);
}

static void
on_doctype(void *context, const char *name, const char *system,
           const char *public, int internal)
{
    struct sepx__xml *xml = context;

    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    xml->line = line_now(xml);
    give_up(xml, sepx__xml_fail(xml, "<!DOCTYPE> is not allowed; remove it"));
}

/* ---- errors ---- */

/* `before`: the byte before the place of the error. */
static const char *
remedy(enum XML_Error code, char before)
{
    switch (code) {
    case XML_ERROR_NO_ELEMENTS:
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_UNCLOSED_CDATA_SECTION:
        return "is the file complete?";
    case XML_ERROR_UNDEFINED_ENTITY:
    case XML_ERROR_BAD_CHAR_REF:
        return "write &amp; for an ampersand";
    case XML_ERROR_TAG_MISMATCH:
        return "close the element that was opened last";
    case XML_ERROR_DUPLICATE_ATTRIBUTE:
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return "remove it";
    case XML_ERROR_UNKNOWN_ENCODING:
    case XML_ERROR_INCORRECT_ENCODING:
    case XML_ERROR_PARTIAL_CHAR:
        return "convert the text to UTF-8";
    default:
        break;
    }
    if (before == '&')
        return "write &amp; for an ampersand";
    return before == '<' ? "write &lt; for \"<\"" : "correct it";
}

/* The first byte is of no character that XML knows. */
static bool
is_no_text(const char *bytes, size_t len)
{
    return (unsigned char)*bytes < 0x20
               ? !strchr("\t\r\n", *bytes)
               : !sepx__utf8_span(bytes, len < 4 ? len : 4);
}

static enum sepx_err
explain(struct sepx__xml *xml)
{
    enum XML_Error code = XML_GetErrorCode(xml->parser);
    int64_t index = BYTE_INDEX(xml->parser);
    size_t at = index < 0 ? xml->len : (size_t)index, left = xml->len - at;
    const char *near = xml->bytes + at;

    if (xml->err == SEPX_ENOMEM || code == XML_ERROR_NO_MEMORY)
        return no_memory(xml);
    if (xml->err)
        return xml->err;
    xml->line = line_now(xml);
    if (!left)
        return sepx__xml_fail(xml, "the text ends too early (%s); %s",
                              XML_ErrorString(code), remedy(code, 0));
    if (code == XML_ERROR_INVALID_TOKEN && is_no_text(near, left))
        return sepx__xml_fail(xml,
                              "the byte 0x%02x is no text in UTF-8; convert or "
                              "remove it",
                              (unsigned char)*near);
    return sepx__xml_fail(
        xml, "%s at \"%s\"; %s", XML_ErrorString(code),
        sepx__excerpt(near, left < EXCERPT_BYTES ? left : EXCERPT_BYTES).text,
        remedy(code, at ? near[-1] : '\0'));
}

/* ---- tokens ---- */

/* Up to the next tag or the end. */
static enum sepx_err
go_on(struct sepx__xml *xml)
{
    enum XML_Status status;

    if (!xml->started)
        status = XML_Parse(xml->parser, xml->bytes, (int)xml->len, 1);
    else
        status = XML_ResumeParser(xml->parser);
    xml->started = true;
    if (xml->err || status == XML_STATUS_ERROR)
        return explain(xml);
    if (status == XML_STATUS_OK && !xml->held) {
        xml->next = SEPX__XML_END;
        xml->next_line = line_now(xml);
        xml->held = true;
    }
    return SEPX_OK;
}

enum sepx_err
sepx__xml_next(struct sepx__xml *xml)
{
    enum sepx_err err = SEPX_OK;

    xml->text.len = 0;
    if (!xml->held && xml->empty) {
        xml->empty = false;
        xml->kind = SEPX__XML_CLOSE;
        return SEPX_OK;
    }
    if (!xml->held)
        err = go_on(xml);
    if (err)
        return err;
    if (xml->text.len) {
        xml->kind = SEPX__XML_TEXT;
        xml->line = xml->text_line;
        return SEPX_OK;
    }
    xml->kind = xml->next;
    xml->line = xml->next_line;
    xml->name = xml->element.at;
    xml->held = false;
    return SEPX_OK;
}

bool
sepx__xml_is(const struct sepx__xml *xml, const char *name)
{
    return !strcmp(xml->name, name);
}

/* The next string of a list. */
static const char *
after(const char *string)
{
    return string + strlen(string) + 1;
}

const char *
sepx__xml_attr(const struct sepx__xml *xml, const char *name)
{
    for (const char *at = after(xml->name); *at; at = after(after(at)))
        if (!strcmp(at, name))
            return after(at);
    return NULL;
}

/* ---- the whole ---- */

void
sepx__xml_release(struct sepx__xml *xml)
{
    if (xml->parser)
        XML_ParserFree(xml->parser);
    sepx_text_release(&xml->text);
    sepx_text_release(&xml->element);
    *xml = (struct sepx__xml){0};
}

/* Blank lines before <?xml are an error of XML, and usual. */
static void
skip_blank(struct sepx__xml *xml)
{
    while (xml->len && strchr(" \t\r\n", *xml->bytes) && *xml->bytes) {
        xml->skipped += *xml->bytes == '\n';
        xml->bytes++;
        xml->len--;
    }
}

enum sepx_err
sepx__xml_begin(struct sepx__xml *xml, const char *bytes, size_t len,
                struct sepx_msg *msg)
{
    const XML_Memory_Handling_Suite memory = {sepx__alloc, sepx__resize,
                                              sepx__free};

    *xml =
        (struct sepx__xml){.bytes = bytes, .len = len, .line = 1, .msg = msg};
    skip_blank(xml);
    xml->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!xml->parser)
        return no_memory(xml);
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, on_open, on_close);
    XML_SetCharacterDataHandler(xml->parser, on_text);
    XML_SetStartDoctypeDeclHandler(xml->parser, on_doctype);
    return SEPX_OK;
}
