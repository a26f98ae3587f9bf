/* SPDX-License-Identifier: Apache-2.0 */
/* A pull parser for the XML that graph files use: no DOCTYPE, UTF-8 only. */
#ifndef SEPX_GRAPH_XML_H
#define SEPX_GRAPH_XML_H

#include "graph/internal.h"

#define SEPX__XML_ATTRS 16

enum sepx__xml_kind {
    SEPX__XML_OPEN,  /* <name ...>, or <name .../>, then CLOSE follows */
    SEPX__XML_CLOSE, /* </name> */
    SEPX__XML_TEXT,  /* characters or CDATA, decoded */
    SEPX__XML_END
};

struct sepx__xml_attr {
    const char *name; /* in the input, not terminated */
    size_t name_len;
    size_t value, value_len; /* where in `text` */
};

/* {0} plus `bytes` .. `msg`; sepx__xml_release() ends it. */
struct sepx__xml {
    const char *at, *end;
    unsigned at_line;
    struct sepx_msg *msg; /* may be NULL */
    /* The present token. */
    enum sepx__xml_kind kind;
    unsigned line;
    const char *name;
    size_t name_len;
    struct sepx_text text; /* TEXT, or the values of the attributes */
    struct sepx__xml_attr attr[SEPX__XML_ATTRS];
    size_t n_attrs;
    bool empty; /* <name/>: CLOSE has yet to be told */
};

/* Checks encoding and control characters of the whole input. */
SEPX_CHECKED enum sepx_err sepx__xml_begin(struct sepx__xml *xml,
                                           const char *bytes, size_t len,
                                           struct sepx_msg *msg);
SEPX_CHECKED enum sepx_err sepx__xml_next(struct sepx__xml *xml);
bool sepx__xml_is(const struct sepx__xml *xml, const char *name);
/* The value of an attribute, terminated, or NULL. */
const char *sepx__xml_attr(const struct sepx__xml *xml, const char *name);
void sepx__xml_release(struct sepx__xml *xml);

/* SEPX_EDATA with "line N: ..." for the present token. */
SEPX_PRINTF(2, 3)
enum sepx_err sepx__xml_fail(const struct sepx__xml *xml, const char *format,
                             ...);

#endif
