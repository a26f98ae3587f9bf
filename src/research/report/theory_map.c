/* SPDX-License-Identifier: Apache-2.0 */
/* The heat map of a grid of bounds, titled by what it shows and where. */
#include <string.h>

#include "base/internal.h"
#include "research/report/report.h"

static bool
shows(const struct sepx_theory_plan *plan, enum sepx_bound which)
{
    return plan->a == which || plan->b == which;
}

static bool
varies(const struct sepx_theory_plan *plan, enum sepx_theory_field field)
{
    return plan->x.field == field || plan->y.field == field;
}

const char *
sepx_bound_method(enum sepx_bound which)
{
    switch (which) {
    case SEPX_BOUND_SEPX:
        return "SEP";
    case SEPX_BOUND_STDX:
        return "standard";
    case SEPX_BOUND_MUTA:
        return "mutation";
    case SEPX_BOUND_RLU:
        return "RL (unbiased)";
    case SEPX_BOUND_RLO:
        return "RL (oracle)";
    default:
        return "";
    }
}

static enum sepx_err
write_title(struct sepx_text *text, const struct sepx_theory_plan *plan)
{
    enum sepx_err err = sepx_text_print(
        text, "Bound of expected improvement: %s", sepx_bound_method(plan->a));

    if (!err && plan->b != SEPX_BOUND_NONE)
        err = sepx_text_print(text, " − %s", sepx_bound_method(plan->b));
    return err;
}

/* Only what the bounds shown depend on and no axis goes through. */
static enum sepx_err
write_setting(struct sepx_text *text, const struct sepx_theory_plan *plan)
{
    const struct sepx_theory *at = &plan->at;
    bool agents = shows(plan, SEPX_BOUND_RLU) || shows(plan, SEPX_BOUND_RLO);
    enum sepx_err err;

    err = sepx_text_print(text, "n = %u; edges: optimum %u, parents %u and %u",
                          at->n, at->edges[0], at->edges[1], at->edges[2]);
    if (!err && shows(plan, SEPX_BOUND_SEPX) &&
        !varies(plan, SEPX_AXIS_EPSILON) && at->epsilon > 0)
        err = sepx_text_print(text, "; ε = %g", at->epsilon);
    if (!err && shows(plan, SEPX_BOUND_STDX) && at->trials != SEPX_STDX_ROUND)
        err = sepx_text_print(text, "; trials: %s",
                              sepx_stdx_trials_name(at->trials));
    if (!err && shows(plan, SEPX_BOUND_MUTA) && !varies(plan, SEPX_AXIS_P_M)) {
        if (at->p_m > 0)
            err = sepx_text_print(text, "; p_m = %g", at->p_m);
        else
            err = sepx_text_print(text, "; p_m = 1/%u", at->n * (at->n - 1));
    }
    if (!err && agents && !varies(plan, SEPX_AXIS_ALPHA_ETA))
        err = sepx_text_print(text, "; αη = %g", at->alpha_eta);
    if (!err && agents && at->b > 0)
        err = sepx_text_print(text, "; b = %g", at->b);
    return err;
}

/* All ticks in one text, each ended by a zero, and where each begins. */
static enum sepx_err
write_ticks(struct sepx_text *text, const char ***tick,
            const struct sepx_theory_axis *axis)
{
    enum sepx_err err = SEPX_OK;
    const char *at;

    *tick = sepx__calloc(axis->count, sizeof(**tick));
    if (!*tick)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < axis->count && !err; i++) {
        err = sepx_text_print(text, "%g", axis->at[i]);
        if (!err)
            err = sepx_text_add(text, "", 1);
    }
    at = text->at;
    for (size_t i = 0; i < axis->count && !err; i++) {
        (*tick)[i] = at;
        at += strlen(at) + 1;
    }
    return err;
}

enum sepx_err
sepx_theory_grid_draw(struct sepx_text *script,
                      const struct sepx_theory_grid *grid, double most,
                      enum sepx_picture kind, struct sepx_msg *msg)
{
    const struct sepx_theory_plan *plan = &grid->plan;
    struct sepx_text title = {0}, setting = {0}, columns = {0}, rows = {0};
    const char **x_tick = NULL, **y_tick = NULL;
    struct sepx_heatmap map;
    enum sepx_err err = write_title(&title, plan);

    if (!err)
        err = write_setting(&setting, plan);
    if (!err)
        err = write_ticks(&columns, &x_tick, &plan->x);
    if (!err)
        err = write_ticks(&rows, &y_tick, &plan->y);
    if (err)
        goto done;
    map = (struct sepx_heatmap){
        .title = title.at,
        .subtitle = setting.at,
        .x_text = sepx_theory_field_text(plan->x.field),
        .y_text = sepx_theory_field_text(plan->y.field),
        .x_tick = x_tick,
        .y_tick = y_tick,
        .columns = plan->x.count,
        .rows = plan->y.count,
        .value = grid->difference,
        .most = most,
    };
    err = sepx_heatmap_write(script, &map, kind, msg);
done:
    sepx__free((void *)x_tick);
    sepx__free((void *)y_tick);
    sepx_text_release(&title);
    sepx_text_release(&setting);
    sepx_text_release(&columns);
    sepx_text_release(&rows);
    return err;
}
