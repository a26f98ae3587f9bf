/* SPDX-License-Identifier: Apache-2.0 */
/* Expat as a pull parser, for graph files: no DOCTYPE, so no entities. */
#ifndef SEPX_GRAPH_XML_H
#define SEPX_GRAPH_XML_H

#include "graph/internal.h"

enum sepx__xml_kind {
    SEPX__XML_OPEN,  /* <name ...>, or <name .../>, then CLOSE follows */
    SEPX__XML_CLOSE, /* </name>, which closes the last element open */
    SEPX__XML_TEXT,  /* characters or CDATA, decoded */
    SEPX__XML_END
};

struct XML_ParserStruct;

/* {0} is empty; sepx__xml_release() ends it. */
struct sepx__xml {
    struct XML_ParserStruct *parser;
    const char *bytes;
    size_t len;
    unsigned skipped;     /* blank lines before the text */
    struct sepx_msg *msg; /* may be NULL */
    /* The present token. */
    enum sepx__xml_kind kind;
    unsigned line;
    const char *name;      /* of OPEN and CLOSE */
    struct sepx_text text; /* of TEXT */
    /* What the parser told ahead of its turn. */
    struct sepx_text element; /* name, then names and values: terminated */
    enum sepx__xml_kind next;
    unsigned next_line, text_line;
    bool held;  /* the token `next` has yet to be told */
    bool empty; /* <name/>: CLOSE comes after OPEN */
    bool started;
    enum sepx_err err; /* of a call from the parser */
};

/* The bytes must outlive `xml`, and `xml` must not move. */
SEPX_CHECKED enum sepx_err sepx__xml_begin(struct sepx__xml *xml,
                                           const char *bytes, size_t len,
                                           struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx__xml_next(struct sepx__xml *xml);
bool sepx__xml_is(const struct sepx__xml *xml, const char *name);
/* The value of an attribute of OPEN, or NULL. */
const char *sepx__xml_attr(const struct sepx__xml *xml, const char *name);
void sepx__xml_release(struct sepx__xml *xml);

/* SEPX_EDATA with "line N: ..." for the present token. */
SEPX_PRINTF(2, 3)
enum sepx_err sepx__xml_fail(const struct sepx__xml *xml, const char *format,
                             ...);

#endif
