/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Molecules: MDL mol files of version V2000, and SDF files of several. Atoms
 * are nodes; the label is the symbol, its isotope before and its charge
 * behind it: "C", "13C", "N+", "O-2". Bonds are undirected edges, the label
 * is the bond's type, "1" to "8". Coordinates, stereo marks, names and data
 * items say nothing of the graph and are dropped; what is written lies at
 * the origin. At most 999 atoms and 999 bonds.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/formats/formats.h"

enum { COUNT_MAX = 999, CHARGE_MAX = 15, ENTRIES = 8 };

struct atom {
    char symbol[4];
    int charge, isotope;
};

struct mol {
    const char *at, *end;
    unsigned line;
    struct sepx_msg *msg;
    const char *row; /* the present line, `len` letters */
    size_t len;
    uint32_t atoms, bonds;
    struct atom *atom;
    struct sepx__builder builder;
};

static SEPX_PRINTF(2, 3) enum sepx_err
    fail(const struct mol *m, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)sepx__vfail(m->msg, SEPX_EDATA, format, args);
    va_end(args);
    sepx_msg_line(m->msg, m->line, 0);
    return SEPX_EDATA;
}

static bool
next(struct mol *m)
{
    const char *stop;

    if (m->at == m->end)
        return false;
    stop = sepx__split_line(m->at, m->end);
    m->row = m->at;
    m->len = (size_t)(stop - m->at);
    while (m->len && (m->row[m->len - 1] == '\n' || m->row[m->len - 1] == '\r'))
        m->len--;
    m->at = stop;
    m->line++;
    return true;
}

/* The number in three columns; blanks are 0. False: no number. */
static bool
number(const struct mol *m, size_t column, size_t width, int *value)
{
    char digits[8] = "";
    char *end;

    *value = 0;
    if (column >= m->len)
        return true;
    if (width > m->len - column)
        width = m->len - column;
    memcpy(digits, m->row + column, width);
    digits[width] = '\0';
    *value = (int)strtol(digits, &end, 10);
    return strlen(digits) == width && !end[strspn(end, " ")];
}

/* ---- reading ---- */

static enum sepx_err
take_counts(struct mol *m)
{
    int atoms, bonds;

    for (int i = 0; i < 4; i++)
        if (!next(m))
            return fail(m, "the molecule has no line of counts; is it a mol "
                           "file?");
    if (m->len < 39 || memcmp(m->row + m->len - 5, "V2000", 5) != 0)
        return fail(m, "the line of counts does not end with V2000; other "
                       "versions are not read");
    if (!number(m, 0, 3, &atoms) || !number(m, 3, 3, &bonds) || atoms < 0 ||
        bonds < 0)
        return fail(m, "the counts of atoms and bonds are no numbers");
    m->atoms = (uint32_t)atoms;
    m->bonds = (uint32_t)bonds;
    m->atom = sepx__calloc(m->atoms + 1, sizeof(*m->atom));
    return m->atom ? SEPX_OK
                   : sepx_fail(m->msg, SEPX_ENOMEM, "%s",
                               sepx_strerror(SEPX_ENOMEM));
}

static enum sepx_err
take_atom(struct mol *m, struct atom *atom)
{
    static const int charges[] = {0, 3, 2, 1, 0, -1, -2, -3};
    int code, mass;
    size_t len = 0;

    if (!next(m) || m->len < 34)
        return fail(m, "an atom is missing; its line has a symbol in columns "
                       "32 to 34");
    while (len < 3 && 31 + len < m->len && m->row[31 + len] != ' ') {
        if (!isalnum((unsigned char)m->row[31 + len]) &&
            !strchr("*#", m->row[31 + len]))
            return fail(m, "the symbol \"%s\" of an atom is no word",
                        sepx__excerpt(m->row + 31, 3).text);
        atom->symbol[len] = m->row[31 + len];
        len++;
    }
    if (!len || isdigit((unsigned char)atom->symbol[0]))
        return fail(m, "an atom has no symbol in columns 32 to 34");
    if (!number(m, 34, 2, &mass) || !number(m, 36, 3, &code) || code < 0 ||
        code > 7)
        return fail(m, "an atom's charge is no code of the format");
    if (mass)
        return fail(m, "an atom has a mass difference, which is not read; "
                       "write \"M  ISO\"");
    if (code == 4)
        return fail(m, "an atom is a radical, which is not read");
    atom->charge = charges[code];
    return SEPX_OK;
}

static enum sepx_err
take_bond(struct mol *m)
{
    struct sepx_edge edge = {0};
    char type[8];
    int a, b, kind;
    enum sepx_err err;

    if (!next(m))
        return fail(m, "a bond is missing");
    if (!number(m, 0, 3, &a) || !number(m, 3, 3, &b) ||
        !number(m, 6, 3, &kind) || a < 1 || b < 1 || kind < 1 || kind > 8 ||
        (uint32_t)a > m->atoms || (uint32_t)b > m->atoms || a == b)
        return fail(m, "a bond does not join two atoms by a type from 1 to 8");
    (void)snprintf(type, sizeof(type), "%d", kind);
    edge.from = (uint16_t)(a - 1);
    edge.to = (uint16_t)(b - 1);
    err = sepx__builder_label(&m->builder, &edge.label, type, 1, "a bond",
                              m->msg);
    return err ? err : sepx__builder_edge(&m->builder, edge, m->msg);
}

/* "M  CHG  2   3   1   7  -1": charges and isotopes by the numbers. */
static enum sepx_err
take_property(struct mol *m, bool charge, bool *fresh)
{
    int count, atom, value;

    if (!number(m, 6, 3, &count) || count < 1 || count > ENTRIES)
        return fail(m, "a line of properties has no count from 1 to %d",
                    ENTRIES);
    for (uint32_t i = 0; charge && *fresh && i < m->atoms; i++)
        m->atom[i].charge = 0; /* these lines replace the codes of atoms */
    *fresh = *fresh && !charge;
    for (int i = 0; i < count; i++) {
        size_t at = 9 + 8 * (size_t)i;

        if (!number(m, at, 4, &atom) || !number(m, at + 4, 4, &value) ||
            atom < 1 || (uint32_t)atom > m->atoms)
            return fail(m, "a property belongs to no atom");
        if (charge ? abs(value) > CHARGE_MAX : value < 1 || value > 999)
            return fail(m, "a property has the value %d", value);
        if (charge)
            m->atom[atom - 1].charge = value;
        else
            m->atom[atom - 1].isotope = value;
    }
    return SEPX_OK;
}

static enum sepx_err
take_properties(struct mol *m)
{
    bool fresh = true;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        if (!next(m))
            return fail(m, "the molecule does not end; add \"M  END\"");
        if (m->len >= 6 && !memcmp(m->row, "M  END", 6))
            break;
        if (m->len >= 6 && !memcmp(m->row, "M  RAD", 6))
            return fail(m, "an atom is a radical, which is not read");
        if (m->len >= 6 &&
            (!memcmp(m->row, "M  CHG", 6) || !memcmp(m->row, "M  ISO", 6)))
            err = take_property(m, m->row[3] == 'C', &fresh);
    }
    return err;
}

static enum sepx_err
add_atoms(struct mol *m)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < m->atoms && !err; i++) {
        const struct atom *atom = &m->atom[i];
        char label[32], charge[8] = "", isotope[8] = "";

        if (atom->charge == 1 || atom->charge == -1)
            (void)snprintf(charge, sizeof(charge), "%c",
                           atom->charge > 0 ? '+' : '-');
        else if (atom->charge)
            (void)snprintf(charge, sizeof(charge), "%+d", atom->charge);
        if (atom->isotope)
            (void)snprintf(isotope, sizeof(isotope), "%d", atom->isotope);
        (void)snprintf(label, sizeof(label), "%s%s%s", isotope, atom->symbol,
                       charge);
        err = sepx__builder_node(&m->builder, label, strlen(label), "an atom",
                                 m->msg);
    }
    return err;
}

static enum sepx_err
read_mol(struct sepx_graph *graph, struct sepx_names *names, const char *bytes,
         size_t len, struct sepx_msg *msg)
{
    struct mol m = {.at = bytes,
                    .end = bytes + len,
                    .msg = msg,
                    .builder.graph = {.names = names, .undirected = true}};
    enum sepx_err err = take_counts(&m);

    for (uint32_t i = 0; i < m.atoms && !err; i++)
        err = take_atom(&m, &m.atom[i]);
    for (uint32_t i = 0; i < m.bonds && !err; i++)
        err = take_bond(&m);
    if (!err)
        err = take_properties(&m);
    if (!err)
        err = add_atoms(&m);
    sepx__edges_order(&m.builder.graph);
    if (!err)
        sepx__builder_finish(&m.builder, graph);
    sepx__builder_release(&m.builder);
    sepx__free(m.atom);
    return err;
}

/* Molecules end with a line of "$$$$"; what follows the last is blank. */
static const char *
split_sdf(const char *at, const char *end)
{
    while (at < end) {
        const char *line = at;

        at = sepx__split_line(at, end);
        if (sepx__begins(line, at, "$$$$"))
            break;
    }
    return at;
}

/* The line of counts, the fourth, ends with the version. */
static bool
is_mol(const char *at, const char *end)
{
    const char *line = at;

    /* Leading blank lines are skipped by those who ask: look at some. */
    for (int i = 0; i < 4 && line < end; i++) {
        const char *stop = sepx__split_line(line, end);

        while (stop > line && (stop[-1] == '\n' || stop[-1] == '\r'))
            stop--;
        if (stop - line >= 39 && !memcmp(stop - 5, "V2000", 5))
            return true;
        line = sepx__split_line(line, end);
    }
    return false;
}

/* ---- writing ---- */

/* "13C", "N+", "O-2" in its parts. */
static enum sepx_err
split_label(const char *label, struct atom *atom, struct sepx_msg *msg)
{
    const char *at = label;
    size_t len = 0;

    *atom = (struct atom){0};
    while (isdigit((unsigned char)*at) && atom->isotope < 1000)
        atom->isotope = 10 * atom->isotope + (*at++ - '0');
    while (len < 3 &&
           (isalpha((unsigned char)*at) || (*at && strchr("*#", *at)) ||
            (len && isdigit((unsigned char)*at))))
        atom->symbol[len++] = *at++;
    if (*at == '+' || *at == '-') {
        int sign = *at++ == '+' ? 1 : -1, charge = 1;

        if (*at >= '1' && *at <= '9')
            for (charge = 0;
                 isdigit((unsigned char)*at) && charge <= CHARGE_MAX; at++)
                charge = 10 * charge + (*at - '0');
        atom->charge = sign * charge;
        if (abs(atom->charge) == 1 && at[-1] == '1')
            len = 0; /* "+1" would come back as "+" */
    }
    if (len && !*at && abs(atom->charge) <= CHARGE_MAX &&
        atom->isotope < 1000 && (*label != '0'))
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "the label \"%s\" is no atom, such as C, 13C, N+ or O-2; "
                     "choose another format",
                     sepx__excerpt(label, strlen(label)).text);
}

static enum sepx_err
put_atoms(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        struct atom atom;

        err = split_label(sepx_names_text(graph->names, graph->label[i]), &atom,
                          msg);
        if (!err)
            err = sepx_text_print(text,
                                  "    0.0000    0.0000    0.0000 %-3s 0  0  0 "
                                  " 0  0  0  0  0  0  0  0  0\n",
                                  atom.symbol);
    }
    return err;
}

static enum sepx_err
put_bonds(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < graph->n_edges && !err; i++) {
        const struct sepx_edge *edge = &graph->edge[i];
        const char *label = sepx_names_text(graph->names, edge->label);

        if (strlen(label) != 1 || *label < '1' || *label > '8')
            return sepx_fail(msg, SEPX_EDATA,
                             "the edge label \"%s\" is no type of a bond, 1 to "
                             "8; choose another format",
                             sepx__excerpt(label, strlen(label)).text);
        err = sepx_text_print(text, "%3u%3u%3s  0\n", edge->from + 1u,
                              edge->to + 1u, label);
    }
    return err;
}

/* One property a line: no line then has more than the eight allowed. */
static enum sepx_err
put_properties(struct sepx_text *text, const struct sepx_graph *graph)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < graph->n_nodes && !err; i++) {
        struct atom atom;

        err = split_label(sepx_names_text(graph->names, graph->label[i]), &atom,
                          NULL);
        if (!err && atom.charge)
            err =
                sepx_text_print(text, "M  CHG  1%4u%4d\n", i + 1, atom.charge);
        if (!err && atom.isotope)
            err =
                sepx_text_print(text, "M  ISO  1%4u%4d\n", i + 1, atom.isotope);
    }
    return err;
}

static enum sepx_err
write_mol(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    static const struct sepx__lacks lacks = {.name = "a mol file",
                                             .directed = true,
                                             .loops = true,
                                             .empty_labels = true};
    enum sepx_err err = sepx__format_check(graph, &lacks, msg);

    if (err)
        return err;
    if (graph->n_nodes > COUNT_MAX || graph->n_edges > COUNT_MAX)
        return sepx_fail(msg, SEPX_EDATA,
                         "%u atoms and %u bonds; a mol file holds %d of each",
                         graph->n_nodes, graph->n_edges, COUNT_MAX);
    err = sepx_text_print(text,
                          "\n  sepx\n\n%3u%3u  0  0  0  0  0  0  0  0999 "
                          "V2000\n",
                          graph->n_nodes, graph->n_edges);
    if (!err)
        err = put_atoms(text, graph, msg);
    if (!err)
        err = put_bonds(text, graph, msg);
    if (!err)
        err = put_properties(text, graph);
    return err ? err : sepx_text_print(text, "M  END\n");
}

static enum sepx_err
write_sdf(struct sepx_text *text, const struct sepx_graph *graph,
          struct sepx_msg *msg)
{
    enum sepx_err err = write_mol(text, graph, msg);

    return err ? err : sepx_text_print(text, "$$$$\n");
}

const struct sepx__format sepx__format_sdf = {
    .info = {"sdf", "sdf", "molecules, SDF of V2000", true, true, true},
    .sniff = is_mol,
    .split = split_sdf,
    .read = read_mol,
    .write = write_sdf,
};

const struct sepx__format sepx__format_mol = {
    .info = {"mol", "mol", "one molecule, a mol file of V2000", true, true,
             false},
    .read = read_mol,
    .write = write_mol,
};
