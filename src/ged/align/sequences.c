/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The best alignment of two sequences, row by row. A match that continues the
 * one before it is worth more, so each cell has two sums: the best there is,
 * and the best that ends in a match (as Gotoh 1982 does for gaps).
 */
#include "ged/align/align.h"

/* How the best sum came about; LINKED is set beside it. */
enum { SKIP_A, SKIP_B, MATCH, LINKED = 4 };

static int32_t
link_of(const struct align_sequences *q, uint32_t i, uint32_t k)
{
    return q->chain[0][i] && q->chain[1][k]
               ? q->link[(size_t)(q->chain[0][i] - 1) * q->codes +
                         q->chain[1][k] - 1]
               : 0;
}

/* What it costs that items before i and k are not matched. */
static int32_t
break_of(const struct align_sequences *q, uint32_t i, uint32_t k)
{
    const int32_t a = q->across[0][i], b = q->across[1][k];

    return q->gap * (a < b ? a : b);
}

/*
 * One step back from item i and k, which are counted from 1; true if the two
 * are matched. *matched: they are in any case, by the match behind them.
 */
static bool
step_back(const struct align_sequences *q, uint32_t *i, uint32_t *k,
          bool *matched)
{
    const uint8_t from = q->from[(size_t)(*i - 1) * q->m + *k - 1];
    const bool here = *matched || from % LINKED == MATCH;

    *matched = here && from & LINKED;
    *i -= here || from % LINKED == SKIP_A;
    *k -= here || from % LINKED == SKIP_B;
    return here;
}

/* Links of edges that lead from pairs matched before to the pair (i, k). */
static int32_t
look_back(const struct align_sequences *q, uint32_t i, uint32_t k, bool matched)
{
    const struct align_near *a = q->near[0] + q->first[0][i];
    const struct align_near *b = q->near[1] + q->first[1][k];
    const struct align_near *a_end = q->near[0] + q->first[0][i + 1];
    const struct align_near *b_end = q->near[1] + q->first[1][k + 1];
    int32_t sum = 0;

    for (uint32_t steps = q->looks_back; i && k && steps; steps--) {
        const uint32_t at_a = i - 1, at_b = k - 1;

        while (a < a_end && a->place > at_a)
            a++;
        while (b < b_end && b->place > at_b)
            b++;
        if (a == a_end || b == b_end)
            break;
        if (step_back(q, &i, &k, &matched) && a->place == at_a &&
            b->place == at_b)
            sum += q->link[(size_t)a->code * q->codes + b->code];
    }
    return sum;
}

static bool
has_near(const struct align_sequences *q, uint32_t i, uint32_t k)
{
    return q->first[0][i] < q->first[0][i + 1] &&
           q->first[1][k] < q->first[1][k + 1];
}

/*
 * any[k]: the best sum of the items so far and the first k of the other
 * sequence; match[k]: with the last ones of both matched.
 */
static void
align_row(const struct align_sequences *q, uint32_t i, const int32_t *any,
          const int32_t *match, int32_t *new_any, int32_t *new_match)
{
    const int32_t *score = q->score + (size_t)i * q->m;
    uint8_t *from = q->from + (size_t)i * q->m;

    new_any[0] = 0;
    new_match[0] = ALIGN_NEVER;
    for (uint32_t k = 0; k < q->m; k++) {
        const int32_t linked = match[k] + link_of(q, i, k);
        const int32_t broken = any[k] - break_of(q, i, k);
        const bool is_linked = i && k && linked >= broken;
        int32_t here = (is_linked ? linked : broken) + score[k];
        int32_t best = any[k + 1];
        uint8_t way = SKIP_A;

        if (q->looks_back && has_near(q, i, k))
            here += look_back(q, i, k, is_linked);
        if (new_any[k] > best) {
            best = new_any[k];
            way = SKIP_B;
        }
        new_match[k + 1] = score[k] > ALIGN_NEVER / 2 ? here : ALIGN_NEVER;
        if (new_match[k + 1] >= best) {
            best = here;
            way = MATCH;
        }
        /* a match behind this one asks for it even where a skip is better */
        from[k] = (uint8_t)(way | (is_linked ? LINKED : 0));
        new_any[k + 1] = best;
    }
}

static void
trace(const struct align_sequences *q, int32_t *map)
{
    uint32_t i = q->n, k = q->m;
    bool matched = false;

    for (uint32_t x = 0; x < q->n; x++)
        map[x] = -1;
    while (i && k) {
        const uint32_t item = i - 1, other = k - 1;

        if (step_back(q, &i, &k, &matched))
            map[item] = (int32_t)other;
    }
}

int64_t
sepx__align_sequences(const struct align_sequences *q, int32_t *map)
{
    int32_t *any = q->sums, *match = any + q->m + 1;
    int32_t *new_any = match + q->m + 1, *new_match = new_any + q->m + 1;

    for (uint32_t k = 0; k <= q->m; k++) {
        any[k] = 0;
        match[k] = ALIGN_NEVER;
    }
    for (uint32_t i = 0; i < q->n; i++) {
        int32_t *old_any = any, *old_match = match;

        align_row(q, i, any, match, new_any, new_match);
        any = new_any;
        match = new_match;
        new_any = old_any;
        new_match = old_match;
    }
    trace(q, map);
    return any[q->m];
}
