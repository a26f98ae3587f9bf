/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boosted regression trees on the features of a cell, fitted by
 * tools/fit-nb101. Integers only, up to the last division, so that the value
 * does not depend on the compiler or the processor.
 *
 * nb101_model.bin, little-endian: three 16-bit counts, of features, trees and
 * points; features (16 bits each: place in sepx__nb101_features()); starts of
 * the trees (32 bits each); the points' scores, ascending (32 bits, signed);
 * the points' accuracies in 1e-7 (32 bits); the trees.
 *
 * A tree is in pre-order. A leaf is the byte 255 and its score, 16 bits,
 * signed. A branch is a feature's number, a limit (a byte each), the distance
 * to its second child (16 bits), the first child, the second. The first holds
 * what is below the limit. The score of a cell is the sum over the trees.
 */
#include "nas/nb101/nb101_model.h"
#include "nas/nb101/nb101_features.h"

#define LEAF 255
#define BRANCH_SIZE 4
#define ABREAST 7u /* trees */
#define UNIT 1e7

static const unsigned char model[] = {
#include "nas/nb101/nb101_model.inc"
};

struct parts {
    unsigned features, trees, points;
    const unsigned char *feature, *start, *score, *accuracy, *tree;
};

static unsigned
u16(const unsigned char *at)
{
    return at[0] | (unsigned)at[1] << 8;
}

static uint32_t
u32(const unsigned char *at)
{
    return u16(at) | (uint32_t)u16(at + 2) << 16;
}

static struct parts
parts(void)
{
    struct parts p = {u16(model), u16(model + 2), u16(model + 4),
                      .feature = model + 6};

    p.start = p.feature + 2 * p.features;
    p.score = p.start + 4 * p.trees;
    p.accuracy = p.score + 4 * p.points;
    p.tree = p.accuracy + 4 * p.points;
    return p;
}

/*
 * One step down a tree; none from a leaf. No jump depends on the comparison,
 * which no processor could foresee. Reads a byte behind a leaf.
 */
static const unsigned char *
step(const unsigned char *at, const uint8_t *feature)
{
    unsigned below = feature[at[0]] < at[1], far = u16(at + 2);

    far ^= (far ^ BRANCH_SIZE) & -below;
    return at + (far & -(unsigned)(*at != LEAF));
}

/* Trees side by side, as each step waits for the one before. */
static int32_t
score_trees(const struct parts *p, unsigned first, const uint8_t *feature)
{
    unsigned count = p->trees - first < ABREAST ? p->trees - first : ABREAST;
    const unsigned char *at[ABREAST];
    int32_t score = 0;
    bool deeper = true;

    for (unsigned i = 0; i < ABREAST; i++)
        at[i] = p->tree + u32(p->start + 4 * (first + (i < count ? i : 0)));
    while (deeper) {
        deeper = false;
        for (unsigned i = 0; i < ABREAST; i++) {
            at[i] = step(at[i], feature);
            deeper |= *at[i] != LEAF;
        }
    }
    for (unsigned i = 0; i < count; i++)
        score += (int16_t)u16(at[i] + 1);
    return score;
}

/* Between the points around the score; at the ends beyond them. */
static int64_t
accuracy_of(const struct parts *p, int32_t score)
{
    unsigned low = 0, high = p->points - 1;
    int64_t a, b, from, to;

    while (high - low > 1) {
        unsigned middle = (low + high) / 2;

        if ((int32_t)u32(p->score + 4 * middle) <= score)
            low = middle;
        else
            high = middle;
    }
    from = (int32_t)u32(p->score + 4 * low);
    to = (int32_t)u32(p->score + 4 * high);
    a = u32(p->accuracy + 4 * low);
    b = u32(p->accuracy + 4 * high);
    if (score <= from)
        return a;
    return score >= to ? b : a + (score - from) * (b - a) / (to - from);
}

double
sepx__nb101_model(const struct sepx_nb101_cell *cell)
{
    uint8_t all[SEPX__NB101_FEATURES], feature[LEAF + 1];
    struct parts p = parts();
    int32_t score = 0;

    feature[LEAF] = 0;
    sepx__nb101_features(all, cell);
    for (unsigned i = 0; i < p.features; i++)
        feature[i] = all[u16(p.feature + 2 * i)];
    for (unsigned i = 0; i < p.trees; i += ABREAST)
        score += score_trees(&p, i, feature);
    return (double)accuracy_of(&p, score) / UNIT;
}

double
sepx__nb101_model_best(void)
{
    struct parts p = parts();

    return u32(p.accuracy + 4 * (p.points - 1)) / UNIT;
}
