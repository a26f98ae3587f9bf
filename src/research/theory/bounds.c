/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bounds of Theorems 1 to 4 and of the Corollary (Qiu & Miikkulainen
 * 2023) as sums over binomial distributions. Each is the mean of a law, a
 * list of outcomes with a probability and a worth; only mutation, where two
 * binomials meet, has a shorter sum.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/internal.h"
#include "research/theory/internal.h"

static uint64_t
places(const struct sepx_theory *at)
{
    return (uint64_t)at->n * (at->n - 1);
}

/* ---- laws ---- */

void
sepx__law_release(struct sepx__law *law)
{
    sepx__free(law->p);
    sepx__free(law->value);
    *law = (struct sepx__law){0};
}

static enum sepx_err
law_room(struct sepx__law *law, size_t outcomes)
{
    law->p = sepx__calloc(outcomes, sizeof(*law->p));
    law->value = sepx__calloc(outcomes, sizeof(*law->value));
    return law->p && law->value ? SEPX_OK : SEPX_ENOMEM;
}

/* One branch of a law: (gain - B(trials, 1/2))+ */
struct branch {
    double chance;
    uint64_t trials;
    double gain;
};

static void
add_branch(struct sepx__law *law, const struct branch *branch,
           const struct sepx__binomial *x)
{
    for (size_t i = 0; i < x->count; i++) {
        double left = branch->gain - (double)(x->first + i);

        law->p[law->count] = branch->chance * x->p[i];
        law->value[law->count] = left > 0 ? left : 0;
        law->count++;
    }
}

/* Either of two branches by chance; one of chance 0 is not looked at. */
static enum sepx_err
law_of_branches(struct sepx__law *law, const struct branch *branch)
{
    struct sepx__binomial x[2] = {{0}};
    enum sepx_err err = SEPX_OK;

    for (int i = 0; i < 2 && !err; i++)
        if (branch[i].chance > 0)
            err = sepx__binomial_init(&x[i], branch[i].trials, 0.5, 0.5);
    if (!err)
        err = law_room(law, x[0].count + x[1].count);
    for (int i = 0; i < 2 && !err; i++)
        add_branch(law, &branch[i], &x[i]);
    sepx__binomial_release(&x[0]);
    sepx__binomial_release(&x[1]);
    return err;
}

/* ---- SEP crossover: Theorem 1 and Corollary ---- */

/* With d_12 measured as `d`. N - n_se is min(N, d_opt + d). */
static struct branch
sep_branch(const struct sepx_theory *at, uint64_t d, double chance)
{
    uint64_t differ = at->d_opt + d;
    struct branch branch = {chance, d, 0};

    if (differ > places(at))
        differ = places(at);
    if (differ > 0)
        branch.gain = (double)(at->d_opt * d) / (double)differ;
    return branch;
}

/*
 * d_12 (1 + epsilon), and no integer missed by rounding: 10 times 1.1 must
 * not be 10.999..., which would be another branch.
 */
static double
measured_distance(const struct sepx_theory *at)
{
    double d = at->d_12 * (1 + at->epsilon);
    double whole = nearbyint(d);

    return fabs(d - whole) <= 8 * DBL_EPSILON * d ? whole : d;
}

static enum sepx_err
law_of_sep(struct sepx__law *law, const struct sepx_theory *at)
{
    double d = measured_distance(at), below = floor(d);
    struct branch branch[2];

    branch[0] = sep_branch(at, (uint64_t)below, below + 1 - d);
    branch[1] = sep_branch(at, (uint64_t)below + 1, d - below);
    return law_of_branches(law, branch);
}

/* ---- standard crossover: Theorem 2 ---- */

/* d_opt less the entries wrong in both parents, in whole units of 1/2N. */
static double
standard_gain(const struct sepx_theory *at)
{
    int64_t all = (int64_t)places(at), d = at->d_opt;
    int64_t more = (int64_t)at->edges[1] - (int64_t)at->edges[0];
    int64_t ones = at->edges[2], zeros = all - ones;
    int64_t both = (d + more) * ones + (d - more) * zeros;

    return all ? (double)(2 * all * d - both) / (double)(2 * all) : 0;
}

/* The chance of the upper of the two integers around below + rest/all. */
static double
chance_of_upper(enum sepx_stdx_trials reading, uint64_t below, uint64_t rest,
                uint64_t all)
{
    if (rest == 0)
        return 0;
    switch (reading) {
    case SEPX_STDX_MIX:
        return (double)rest / (double)all;
    case SEPX_STDX_CEIL:
        return 1;
    case SEPX_STDX_ROUND:
        return 2 * rest > all || (2 * rest == all && below % 2 == 1);
    default:
        return 0;
    }
}

static enum sepx_err
law_of_standard(struct sepx__law *law, const struct sepx_theory *at)
{
    uint64_t all = places(at), one = at->edges[1], two = at->edges[2];
    uint64_t differ = one * (all - two) + (all - one) * two;
    uint64_t below = all ? differ / all : 0, rest = all ? differ % all : 0;
    double upper = chance_of_upper(at->trials, below, rest, all);
    double gain = standard_gain(at);
    struct branch branch[2] = {{1 - upper, below, gain},
                               {upper, below + 1, gain}};

    return law_of_branches(law, branch);
}

/* ---- mutation: Theorem 3 ---- */

/* Without the outcomes that no sample of this world will ever contain. */
static void
trim(struct sepx__binomial *x)
{
    size_t low = 0;

    while (x->p[low] < 0x1p-80)
        low++;
    while (x->p[x->count - 1] < 0x1p-80)
        x->count--;
    memmove(x->p, x->p + low, (x->count - low) * sizeof(*x->p));
    x->first += low;
    x->count -= low;
}

/* The sum of both binomials, for the sampler; O(N p_m) time. */
static enum sepx_err
law_of_mutation(struct sepx__law *law, const struct sepx_theory *at)
{
    double p = sepx_theory_mutation_rate(at), q = 1 - p;
    struct sepx__binomial spoilt = {0}, kept = {0};
    enum sepx_err err;

    err = sepx__binomial_init(&spoilt, places(at) - at->d_opt, p, q);
    if (!err)
        err = sepx__binomial_init(&kept, at->d_opt, q, p);
    if (err)
        goto done;
    trim(&spoilt);
    trim(&kept);
    law->count = spoilt.count + kept.count - 1;
    err = law_room(law, law->count);
    if (err)
        goto done;
    for (size_t i = 0; i < spoilt.count; i++)
        for (size_t j = 0; j < kept.count; j++)
            law->p[i + j] += spoilt.p[i] * kept.p[j];
    for (size_t i = 0; i < law->count; i++) {
        size_t wrong = spoilt.first + kept.first + i;

        law->value[i] = wrong < at->d_opt ? (double)(at->d_opt - wrong) : 0;
    }
done:
    sepx__binomial_release(&spoilt);
    sepx__binomial_release(&kept);
    return err;
}

/*
 * E (R - S)+ with R = B(d_opt, p_m) entries repaired and S = B(N - d_opt,
 * p_m) spoilt is the sum over j of P(S <= j) P(R > j): linear where the law
 * is a double sum, and all terms are positive.
 */
static enum sepx_err
exact_mutation(double *value, const struct sepx_theory *at)
{
    double p = sepx_theory_mutation_rate(at), above = 0, sum = 0;
    struct sepx__binomial spoilt = {0}, repaired = {0};
    double *more = NULL; /* P(R > j), by j */
    size_t top;
    enum sepx_err err;

    err = sepx__binomial_init(&spoilt, places(at) - at->d_opt, p, 1 - p);
    if (!err)
        err = sepx__binomial_init(&repaired, at->d_opt, p, 1 - p);
    if (err)
        goto done;
    top = repaired.first + repaired.count - 1;
    more = sepx__calloc(top + 1, sizeof(*more));
    if (!more) {
        err = SEPX_ENOMEM;
        goto done;
    }
    for (size_t j = top; j > 0; j--) {
        if (j >= repaired.first)
            above += repaired.p[j - repaired.first];
        more[j - 1] = above;
    }
    above = 0; /* now P(S <= j) */
    for (size_t j = 0; j < top; j++) {
        if (j >= spoilt.first && j - spoilt.first < spoilt.count)
            above += spoilt.p[j - spoilt.first];
        sum += above * more[j];
    }
    *value = sum;
done:
    sepx__free(more);
    sepx__binomial_release(&spoilt);
    sepx__binomial_release(&repaired);
    return err;
}

/* ---- the unbiased and the oracle agent: Theorem 4 ---- */

/*
 * p - p / (p + q e^t) = p q (e^t - 1) / (p + q e^t): by how much the chance
 * of a wrong entry falls. expm1() keeps the digits that the theorem's form,
 * b minus nearly b, would lose; neither branch can overflow.
 */
static double
chance_fall(double p, double q, double t)
{
    if (t <= 0)
        return p * q * expm1(t) / (p + q * exp(t));
    return -p * q * expm1(-t) / (p * exp(-t) + q);
}

static double
agent_gain(const struct sepx_theory *at, double b, double entries, double wrong)
{
    double p = b / entries, q = (entries - b) / entries;
    double reward = 2 * (b - wrong) * at->alpha_eta;
    double gain;

    if (p <= 0 || q <= 0)
        return 0;
    gain = wrong * chance_fall(p, q, -reward * q) +
           (entries - wrong) * chance_fall(p, q, reward * p);
    return at->clip_rl && gain < 0 ? 0 : gain;
}

static enum sepx_err
law_of_agent(struct sepx__law *law, const struct sepx_theory *at, bool oracle)
{
    double b = at->b > 0 ? at->b : at->d_opt;
    uint64_t entries = oracle ? (uint64_t)floor(b) + 1 : places(at);
    double all = (double)entries;
    struct sepx__binomial wrong = {0};
    enum sepx_err err;

    err = entries
              ? sepx__binomial_init(&wrong, entries, b / all, (all - b) / all)
              : sepx__binomial_init(&wrong, 0, 0, 1);
    if (!err)
        err = law_room(law, wrong.count);
    for (size_t i = 0; i < wrong.count && !err; i++) {
        law->p[i] = wrong.p[i];
        if (entries)
            law->value[i] = agent_gain(at, b, all, (double)(wrong.first + i));
    }
    law->count = wrong.count;
    sepx__binomial_release(&wrong);
    return err;
}

/* ---- doors ---- */

enum sepx_err
sepx__law_init(struct sepx__law *law, const struct sepx_theory *at,
               enum sepx_bound which)
{
    enum sepx_err err = SEPX_EINVAL;

    switch (which) {
    case SEPX_BOUND_SEPX:
        err = law_of_sep(law, at);
        break;
    case SEPX_BOUND_STDX:
        err = law_of_standard(law, at);
        break;
    case SEPX_BOUND_MUTA:
        err = law_of_mutation(law, at);
        break;
    case SEPX_BOUND_RLU:
    case SEPX_BOUND_RLO:
        err = law_of_agent(law, at, which == SEPX_BOUND_RLO);
        break;
    case SEPX_BOUND_NONE:
    case SEPX_BOUND_END:
        break;
    }
    if (err)
        sepx__law_release(law);
    return err;
}

enum sepx_err
sepx_theory_exact(double *value, const struct sepx_theory *at,
                  enum sepx_bound which, struct sepx_msg *msg)
{
    struct sepx__law law = {0};
    double sum = 0;
    enum sepx_err err = sepx__theory_check(at, which, msg);

    if (err)
        return err;
    if (which == SEPX_BOUND_MUTA)
        return exact_mutation(value, at);
    err = sepx__law_init(&law, at, which);
    if (err)
        return err;
    for (size_t i = 0; i < law.count; i++)
        sum += law.p[i] * law.value[i];
    *value = sum;
    sepx__law_release(&law);
    return SEPX_OK;
}
