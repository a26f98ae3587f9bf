/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel density of categorical vectors with the kernel of J. Aitchison and
 * C. Aitken (Biometrika 63, 1976): 1 - h where the values are equal and
 * h / (c - 1) where they differ, multiplied over the variables.
 */
#include "search/models/kde.h"

#include <math.h>
#include <string.h>

#define TABLE ((size_t)1 << SEPX__KDE_BITS)

/* ---- packing ---- */

static uint32_t
field_bits(uint32_t choices)
{
    uint32_t bits = 1;

    while (choices > 1u << bits)
        bits++;
    return bits;
}

enum sepx_err
sepx__code_init(struct sepx__code *code, const struct sepx_space *space)
{
    uint32_t n = sepx_space_variables(space), used = SEPX__KDE_BITS;

    *code = (struct sepx__code){.variables = n};
    code->choices = sepx__calloc(n, sizeof *code->choices);
    code->word = sepx__calloc(n, 1);
    code->from = sepx__calloc(n, 1);
    code->bits = sepx__calloc(n, 1);
    if (!code->choices || !code->word || !code->from || !code->bits)
        return SEPX_ENOMEM;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t bits;

        code->choices[v] = (uint16_t)sepx_space_choices(space, v);
        bits = field_bits(code->choices[v]);
        if (bits > SEPX__KDE_BITS)
            return SEPX_ELIMIT;
        if (used + bits > SEPX__KDE_BITS) {
            code->words++;
            used = 0;
        }
        code->word[v] = (uint8_t)(code->words - 1);
        code->from[v] = (uint8_t)used;
        used += bits;
        code->bits[code->words - 1] = (uint8_t)used;
    }
    return SEPX_OK;
}

void
sepx__code_release(struct sepx__code *code)
{
    sepx__free(code->choices);
    sepx__free(code->word);
    sepx__free(code->from);
    sepx__free(code->bits);
    *code = (struct sepx__code){0};
}

void
sepx__code_pack(const struct sepx__code *code, uint16_t *word,
                const uint16_t *value)
{
    memset(word, 0, code->words * sizeof *word);
    for (uint32_t v = 0; v < code->variables; v++)
        word[code->word[v]] |= (uint16_t)(value[v] << code->from[v]);
}

/* ---- fitting ---- */

double
sepx__kde_bandwidth(const uint32_t *count, uint32_t choices, size_t n,
                    uint32_t variables, double least)
{
    double sum = 0, squares = 0, mean, h;

    for (uint32_t k = 0; k < choices; k++) {
        sum += (double)k * count[k];
        squares += (double)k * k * count[k];
    }
    mean = sum / (double)n;
    h = 1.06 * sqrt(fmax(squares / (double)n - mean * mean, 0)) *
        pow((double)n, -1.0 / (4.0 + variables));
    return h > 1 ? (choices - 1.0) / choices : fmax(h, least);
}

/* Multiply one variable's kernel into its word's table. */
static void
table_add(struct sepx__kde *kde, uint32_t v)
{
    const struct sepx__code *code = kde->code;
    double *table = kde->table + code->word[v] * TABLE;
    uint32_t choices = code->choices[v], from = code->from[v];
    uint32_t field = ((1u << field_bits(choices)) - 1) << from;
    double h = kde->bandwidth[v];
    double other = choices > 1 ? h / (choices - 1.0) : 1;

    for (uint32_t i = 0; i < 1u << code->bits[code->word[v]]; i++)
        table[i] *= i & field ? other : 1 - h;
}

static enum sepx_err
make_room(struct sepx__kde *kde, const struct sepx__code *code, size_t count)
{
    void *point = kde->point;
    enum sepx_err err =
        sepx__grow(&point, &kde->room, count * code->words, sizeof *kde->point);

    if (err)
        return err;
    kde->point = point;
    if (!kde->bandwidth)
        kde->bandwidth = sepx__calloc(code->variables, sizeof *kde->bandwidth);
    if (!kde->table)
        kde->table = sepx__calloc(code->words * TABLE, sizeof *kde->table);
    return kde->bandwidth && kde->table ? SEPX_OK : SEPX_ENOMEM;
}

enum sepx_err
sepx__kde_fit(struct sepx__kde *kde, const struct sepx__code *code,
              const uint16_t *value, const uint32_t *index, size_t count,
              double least)
{
    enum sepx_err err = make_room(kde, code, count);

    if (err)
        return err;
    kde->code = code;
    kde->count = count;
    for (size_t i = 0; i < code->words * TABLE; i++)
        kde->table[i] = 1;
    for (size_t i = 0; i < count; i++)
        sepx__code_pack(code, kde->point + i * code->words,
                        value + (size_t)index[i] * code->variables);
    for (uint32_t v = 0; v < code->variables; v++) {
        uint32_t seen[1u << SEPX__KDE_BITS];

        memset(seen, 0, code->choices[v] * sizeof *seen);
        for (size_t i = 0; i < count; i++)
            seen[value[(size_t)index[i] * code->variables + v]]++;
        kde->bandwidth[v] = sepx__kde_bandwidth(seen, code->choices[v], count,
                                                code->variables, least);
        table_add(kde, v);
    }
    return SEPX_OK;
}

void
sepx__kde_release(struct sepx__kde *kde)
{
    sepx__free(kde->bandwidth);
    sepx__free(kde->table);
    sepx__free(kde->point);
    *kde = (struct sepx__kde){0};
}

/* ---- density ---- */

double
sepx__kde_density(const struct sepx__kde *kde, const uint16_t *word,
                  double enough)
{
    uint32_t words = kde->code->words;
    const uint16_t *point = kde->point;
    double sum = 0, most = enough * (double)kde->count;

    for (size_t i = 0; i < kde->count && sum < most; i++, point += words) {
        const double *table = kde->table;
        double kernel = 1;

        for (uint32_t k = 0; k < words; k++, table += TABLE)
            kernel *= table[word[k] ^ point[k]];
        sum += kernel;
    }
    return sum / (double)kde->count;
}
