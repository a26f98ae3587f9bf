/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What BOHB (S. Falkner, A. Klein, F. Hutter, ICML 2018) believes: the
 * vectors with the best results at a budget have one density, the others
 * another, and the next vector should be likely under the first and unlikely
 * under the second.
 */
#include <math.h>
#include <string.h>

#include "search/bohb.h"

enum sepx_err
sepx__model_init(struct sepx__model *model, const struct sepx_space *space,
                 const struct sepx__bohb_settings *set)
{
    enum sepx_err err = sepx__code_init(&model->code, space);

    model->set = set;
    model->level = -1;
    if (err)
        return err;
    model->draw = sepx__calloc(model->code.variables, sizeof *model->draw);
    model->word = sepx__calloc(model->code.words, sizeof *model->word);
    return model->draw && model->word ? SEPX_OK : SEPX_ENOMEM;
}

void
sepx__model_release(struct sepx__model *model)
{
    for (unsigned i = 0; i < SEPX__RUNGS_MAX; i++) {
        sepx__free(model->pile[i].value);
        sepx__free(model->pile[i].loss);
        sepx__free(model->pile[i].order);
    }
    sepx__kde_release(&model->good);
    sepx__kde_release(&model->bad);
    sepx__code_release(&model->code);
    sepx__free(model->draw);
    sepx__free(model->word);
    *model = (struct sepx__model){.level = -1};
}

/* ---- results ---- */

static enum sepx_err
pile_grow(struct sepx__pile *pile, uint32_t variables)
{
    void *value = pile->value, *loss = pile->loss, *order = pile->order;
    size_t need = pile->count + 1;
    enum sepx_err err;

    err = sepx__grow(&value, &pile->room_value, need * variables,
                     sizeof *pile->value);
    pile->value = value;
    if (!err)
        err = sepx__grow(&loss, &pile->room_loss, need, sizeof *pile->loss);
    pile->loss = loss;
    if (!err)
        err = sepx__grow(&order, &pile->room_order, need, sizeof *pile->order);
    pile->order = order;
    return err;
}

static enum sepx_err
pile_add(struct sepx__pile *pile, uint32_t variables, const uint16_t *value,
         double loss)
{
    size_t low = 0, high = pile->count;
    enum sepx_err err = pile_grow(pile, variables);

    if (err)
        return err;
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (pile->loss[pile->order[middle]] <= loss)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(pile->order + low + 1, pile->order + low,
            (pile->count - low) * sizeof *pile->order);
    pile->order[low] = (uint32_t)pile->count;
    pile->loss[pile->count] = loss;
    memcpy(pile->value + pile->count * variables, value,
           variables * sizeof *value);
    pile->count++;
    return SEPX_OK;
}

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Both sets need more points than there are variables. */
static bool
split(struct sepx__model *model, size_t count)
{
    size_t least = model->code.variables + 1, percent = model->set->good;
    size_t good = larger(least, percent * count / 100);
    size_t bad = larger(least, (100 - percent) * count / 100);

    if (count < good + least)
        return false;
    model->n_good = good;
    model->n_bad = bad < count - good ? bad : count - good;
    return true;
}

enum sepx_err
sepx__model_tell(struct sepx__model *model, uint32_t level,
                 const uint16_t *value, double loss)
{
    struct sepx__pile *pile = &model->pile[level];
    enum sepx_err err;

    if (model->level > (int)level)
        return SEPX_OK;
    err = pile_add(pile, model->code.variables, value,
                   isnan(loss) ? INFINITY : loss);
    if (!err && split(model, pile->count)) {
        model->level = (int)level;
        model->stale = true;
    }
    return err;
}

/* ---- proposals ---- */

static enum sepx_err
refit(struct sepx__model *model)
{
    const struct sepx__bohb_settings *set = model->set;
    const struct sepx__pile *pile = &model->pile[model->level];
    enum sepx_err err;

    if (!model->stale)
        return SEPX_OK;
    err = sepx__kde_fit(&model->good, &model->code, pile->value, pile->order,
                        model->n_good, set->bandwidth);
    if (!err)
        err = sepx__kde_fit(&model->bad, &model->code, pile->value,
                            pile->order + model->n_good, model->n_bad,
                            set->bandwidth);
    model->stale = err != SEPX_OK;
    return err;
}

/* A good vector, each value of it kept with a chance of 1 - bandwidth. */
static void
draw_near(struct sepx__model *model, struct sepx_rng *rng)
{
    const struct sepx__pile *pile = &model->pile[model->level];
    uint32_t n = model->code.variables;
    uint32_t pick = sepx_rng_below(rng, (uint32_t)model->n_good);
    const uint16_t *near = pile->value + (size_t)pile->order[pick] * n;

    for (uint32_t v = 0; v < n; v++)
        model->draw[v] =
            sepx_rng_chance(rng, 1 - model->good.bandwidth[v])
                ? near[v]
                : (uint16_t)sepx_rng_below(rng, model->code.choices[v]);
}

enum sepx_err
sepx__model_propose(struct sepx__model *model, uint16_t *value,
                    struct sepx_rng *rng)
{
    double best = INFINITY;
    enum sepx_err err = refit(model);

    for (uint32_t i = 0; i < model->set->samples && !err; i++) {
        double good, ratio;

        draw_near(model, rng);
        sepx__code_pack(&model->code, model->word, model->draw);
        good =
            fmax(sepx__kde_density(&model->good, model->word, INFINITY), 1e-32);
        ratio = fmax(sepx__kde_density(&model->bad, model->word, best * good),
                     1e-32);
        ratio /= good;
        if (ratio < best) {
            best = ratio;
            memcpy(value, model->draw, model->code.variables * sizeof *value);
        }
    }
    return err;
}
