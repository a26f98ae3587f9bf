/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper's Monte Carlo estimate, at half a nanosecond a trial.
 *
 * A trial draws u, uniform in [0, 1), and looks up the outcome of which u
 * lies in the share. Its first BITS bits name one of BUCKETS equal parts, and
 * nearly all parts belong to one outcome whole. So the trials are first only
 * counted by bucket; then a bucket's count goes to its outcome, and just where
 * outcomes share a bucket (there are fewer of these than outcomes) each trial
 * draws the rest of its 64 bits and is looked up. The counts have the same
 * distribution as those of one look-up after the other, and give the mean
 * and its error without rounding on the way.
 */
#include <math.h>

#include "base/internal.h"
#include "research/theory/internal.h"

#define BITS 12
#define BUCKETS (1u << BITS)
#define DRAWS 5 /* of BITS bits in a word */
#define BATCH (1u << 20)

/* xoshiro256++ (Blackman & Vigna 2021): Philox would cost more than a trial. */
struct source {
    uint64_t s[4];
};

static inline uint64_t
rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline uint64_t
next(struct source *source)
{
    uint64_t *s = source->s, mixed = s[1] << 17;
    uint64_t out = rotate(s[0] + s[3], 23) + s[0];

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= mixed;
    s[3] = rotate(s[3], 45);
    return out;
}

static void
source_init(struct source *source, struct sepx_rng *rng)
{
    for (int i = 0; i < 4; i++)
        source->s[i] = sepx_rng_u64(rng);
    source->s[0] |= 1; /* all four 0 would stay 0 */
}

/* Outcome i owns below[i-1] <= u < below[i], in units of 2^-64. */
struct shares {
    uint64_t *below; /* the last counts as 2^64 */
    size_t count;
};

static size_t
search(const struct shares *shares, uint64_t u)
{
    size_t low = 0, high = shares->count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (u < shares->below[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static enum sepx_err
shares_init(struct shares *shares, const double *p, size_t count)
{
    double sum = 0;

    shares->count = count;
    shares->below = sepx__calloc(count, sizeof(*shares->below));
    if (!shares->below)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        sum += p[i];
        shares->below[i] = sum < 1 ? (uint64_t)ldexp(sum, 64) : UINT64_MAX;
    }
    return SEPX_OK;
}

/* The source is a copy that the compiler can keep in registers. */
static struct source
fill_buckets(uint32_t *bucket, uint64_t trials, struct source source)
{
    uint64_t bits;

    for (; trials >= DRAWS; trials -= DRAWS) {
        bits = next(&source);
        for (int i = 0; i < DRAWS; i++, bits >>= BITS)
            bucket[bits % BUCKETS]++;
    }
    bits = next(&source);
    for (; trials > 0; trials--, bits >>= BITS)
        bucket[bits % BUCKETS]++;
    return source;
}

/* Hands the trials of all buckets on to their outcomes. */
static void
empty_buckets(uint64_t *count, uint32_t *bucket, const struct shares *shares,
              struct source *source)
{
    for (uint64_t i = 0; i < BUCKETS; i++) {
        uint64_t first = i << (64 - BITS);
        size_t outcome = search(shares, first);

        if (search(shares, first | UINT64_MAX >> BITS) == outcome)
            count[outcome] += bucket[i];
        else
            for (uint32_t k = 0; k < bucket[i]; k++)
                count[search(shares, first | next(source) >> BITS)]++;
        bucket[i] = 0;
    }
}

static void
estimate(struct sepx_estimate *out, const uint64_t *count,
         const struct sepx__law *law, uint64_t trials)
{
    double sum = 0, squares = 0, n = (double)trials;

    for (size_t i = 0; i < law->count; i++)
        sum += (double)count[i] * law->value[i];
    out->mean = sum / n;
    for (size_t i = 0; i < law->count; i++) {
        double off = law->value[i] - out->mean;

        squares += (double)count[i] * off * off;
    }
    out->se = sqrt(squares / (n - 1) / n);
    out->trials = trials;
}

static enum sepx_err
sample(struct sepx_estimate *out, const struct sepx__law *law, uint64_t trials,
       struct source source)
{
    uint32_t *bucket = sepx__calloc(BUCKETS, sizeof(*bucket));
    uint64_t *count = sepx__calloc(law->count, sizeof(*count));
    struct shares shares = {0};
    enum sepx_err err = bucket && count ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = shares_init(&shares, law->p, law->count);
    if (err)
        goto done;
    for (uint64_t left = trials; left > 0;) {
        uint64_t now = left < BATCH ? left : BATCH;

        source = fill_buckets(bucket, now, source);
        empty_buckets(count, bucket, &shares, &source);
        left -= now;
    }
    estimate(out, count, law, trials);
done:
    sepx__free(shares.below);
    sepx__free(bucket);
    sepx__free(count);
    return err;
}

enum sepx_err
sepx_theory_sample(struct sepx_estimate *out, const struct sepx_theory *at,
                   enum sepx_bound which, uint64_t trials, struct sepx_rng *rng,
                   struct sepx_msg *msg)
{
    struct sepx__law law = {0};
    struct source source;
    enum sepx_err err = sepx__theory_check(at, which, msg);

    if (err)
        return err;
    if (trials < 2)
        return sepx_fail(msg, SEPX_EINVAL,
                         "%d trials give no standard error; take 2 or more",
                         (int)trials);
    err = sepx__law_init(&law, at, which);
    if (err)
        return err;
    source_init(&source, rng);
    err = sample(out, &law, trials, source);
    sepx__law_release(&law);
    return err;
}
