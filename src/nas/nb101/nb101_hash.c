/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The benchmark's name of a cell (C. Ying et al. 2019): each node starts as
 * the MD5 of its degrees and label, then takes in its neighbours' digests as
 * many times as there are nodes; the cell is the MD5 of the sorted list of
 * all nodes. The texts must be those of the original, byte by byte.
 *
 * Cells with the same edges have texts of the same lengths, so eight of them
 * go through MD5 at once.
 */
#include <string.h>

#include "nas/nb101/nb101_internal.h"

#define NODES SEPX_NB101_NODES
#define LANES SEPX__MD5_LANES
#define DIGITS 32
#define TEXT_MAX (NODES * (DIGITS + 4) + 16)

/* As text; it sorts like the bytes. */
struct digest {
    unsigned char hex[DIGITS];
};

struct node_sets {
    uint8_t in[NODES + 1], out[NODES + 1]; /* rounded up */
};

struct text {
    unsigned char at[TEXT_MAX];
    size_t len;
};

static void
add(struct text *text, const char *bytes, size_t len)
{
    memcpy(text->at + text->len, bytes, len);
    text->len += len;
}

static void
add_digest(struct text *text, const struct digest *value)
{
    memcpy(text->at + text->len, value->hex, DIGITS);
    text->len += DIGITS;
}

/* Eight digits at once: each half byte gets a byte of a word. */
static void
to_hex(struct digest *to, const unsigned char *bytes)
{
    for (unsigned i = 0; i < DIGITS; i += 8, bytes += 4) {
        uint64_t x = 0, above;

        for (unsigned k = 0; k < 4; k++)
            x |= (uint64_t)(bytes[k] >> 4 | (bytes[k] & 15) << 8) << 16 * k;
        above = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
        x += 0x3030303030303030 + above * ('a' - '0' - 10);
        for (unsigned k = 0; k < 8; k++)
            to->hex[i + k] = (unsigned char)(x >> 8 * k);
    }
}

/* The members of `set` in ascending order of their digests. */
static unsigned
sort(const struct digest **sorted, const struct digest *node, unsigned set)
{
    unsigned n = 0;

    for (unsigned v = 0; set >> v; v++) {
        unsigned i = n;

        if (!(set >> v & 1))
            continue;
        for (; i && memcmp(&node[v], sorted[i - 1], sizeof(*node)) < 0; i--)
            sorted[i] = sorted[i - 1];
        sorted[i] = &node[v];
        n++;
    }
    return n;
}

static void
add_sorted(struct text *text, const struct digest *node, unsigned set)
{
    const struct digest *sorted[NODES];
    unsigned n = sort(sorted, node, set);

    for (unsigned i = 0; i < n; i++)
        add_digest(text, sorted[i]);
}

static void
hash_texts(unsigned char (*out)[16], const struct text *text)
{
    const unsigned char *at[LANES];

    for (unsigned k = 0; k < LANES; k++)
        at[k] = text[k].at;
    sepx__md5_lanes(out, at, text[0].len);
}

/* Node v in each lane becomes the digest of its text. */
static void
hash_node(struct digest (*node)[NODES], const struct text *text, unsigned v)
{
    unsigned char out[LANES][16];

    hash_texts(out, text);
    for (unsigned k = 0; k < LANES; k++)
        to_hex(&node[k][v], out[k]);
}

/* "(out-degree, in-degree, label)"; -1 is the input, -2 the output. */
static void
describe(struct text *text, const struct sepx_nb101_cell *cell, unsigned v,
         const struct node_sets *sets)
{
    char out = (char)('0' + __builtin_popcount(sets->out[v]));
    char in = (char)('0' + __builtin_popcount(sets->in[v]));
    char end[] = {v ? '2' : '1', ')'};

    text->len = 0;
    add(text, (char[]){'(', out, ',', ' ', in, ',', ' '}, 7);
    if (!v || v + 1u == cell->nodes)
        add(text, "-", 1);
    else
        end[0] = (char)('0' + cell->op[v]);
    add(text, end, sizeof(end));
}

static void
start(struct digest (*node)[NODES], const struct sepx_nb101_cell *const *cell,
      const struct node_sets *sets)
{
    struct text text[LANES];

    for (unsigned v = 0; v < cell[0]->nodes; v++) {
        for (unsigned k = 0; k < LANES; k++)
            describe(&text[k], cell[k], v, sets);
        hash_node(node, text, v);
    }
}

static void
take_in(struct digest (*next)[NODES], struct digest (*node)[NODES], unsigned n,
        const struct node_sets *sets)
{
    struct text text[LANES];

    for (unsigned v = 0; v < n; v++) {
        for (unsigned k = 0; k < LANES; k++) {
            text[k].len = 0;
            add_sorted(&text[k], node[k], sets->in[v]);
            add(&text[k], "|", 1);
            add_sorted(&text[k], node[k], sets->out[v]);
            add(&text[k], "|", 1);
            add_digest(&text[k], &node[k][v]);
        }
        hash_node(next, text, v);
    }
}

/* As Python prints a list of strings. */
static void
list(struct text *text, const struct digest *node, unsigned n)
{
    const struct digest *sorted[NODES];

    text->len = 0;
    (void)sort(sorted, node, (1u << n) - 1);
    for (unsigned v = 0; v < n; v++) {
        add(text, v ? ", '" : "['", v ? 3 : 2);
        add_digest(text, sorted[v]);
        add(text, "'", 1);
    }
    add(text, "]", 1);
}

static void
find_sets(struct node_sets *sets, const struct sepx_nb101_cell *cell)
{
    *sets = (struct node_sets){.in = {0}};
    for (unsigned to = 1; to < NODES; to++)
        for (unsigned from = 0; from < to; from++)
            if (cell->edges >> sepx_nb101_bit(from, to) & 1) {
                sets->out[from] |= (uint8_t)(1u << to);
                sets->in[to] |= (uint8_t)(1u << from);
            }
}

void
sepx__nb101_hashes(unsigned char (*hash)[16],
                   const struct sepx_nb101_cell *cell, unsigned count)
{
    const struct sepx_nb101_cell *lane[LANES];
    struct digest room[2][LANES][NODES];
    unsigned char out[LANES][16];
    struct text text[LANES];
    struct node_sets sets;
    unsigned n = cell->nodes, now = 0;

    for (unsigned k = 0; k < LANES; k++)
        lane[k] = &cell[k < count ? k : 0];
    find_sets(&sets, cell);
    start(room[0], lane, &sets);
    for (unsigned i = 0; i < n; i++, now = !now)
        take_in(room[!now], room[now], n, &sets);
    for (unsigned k = 0; k < LANES; k++)
        list(&text[k], room[now][k], n);
    hash_texts(out, text);
    for (unsigned k = 0; k < count; k++)
        memcpy(hash[k], out[k], sizeof(hash[k]));
}

void
sepx_nb101_cell_hash(const struct sepx_nb101_cell *cell, unsigned char hash[16])
{
    unsigned char value[1][16];

    sepx__nb101_hashes(value, cell, 1);
    memcpy(hash, value[0], sizeof(value[0]));
}
