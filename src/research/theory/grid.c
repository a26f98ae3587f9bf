/* SPDX-License-Identifier: Apache-2.0 */
/* A bound, or the difference of two, over two axes; as CSV and as JSON. */
#include <math.h>

#include "base/internal.h"
#include "research/theory/internal.h"

#define CELLS_MOST ((size_t)1 << 20)

void
sepx_theory_grid_release(struct sepx_theory_grid *grid)
{
    sepx__free(grid->a);
    sepx__free(grid->b);
    sepx__free(grid->difference);
    *grid = (struct sepx_theory_grid){0};
}

static enum sepx_err
set_distance(uint32_t *field, const char *name, double value,
             struct sepx_msg *msg)
{
    if (!(value >= 0 && value <= UINT32_MAX && value == floor(value)))
        return sepx_fail(msg, SEPX_EINVAL,
                         "%s is %g; it must be a whole number, at least 0",
                         name, value);
    *field = (uint32_t)value;
    return SEPX_OK;
}

static enum sepx_err
set_field(struct sepx_theory *at, enum sepx_theory_field field, double value,
          struct sepx_msg *msg)
{
    switch (field) {
    case SEPX_AXIS_D_OPT:
        return set_distance(&at->d_opt, "d_opt", value, msg);
    case SEPX_AXIS_D_12:
        return set_distance(&at->d_12, "d_12", value, msg);
    case SEPX_AXIS_ALPHA_ETA:
        at->alpha_eta = value;
        break;
    case SEPX_AXIS_EPSILON:
        at->epsilon = value;
        break;
    case SEPX_AXIS_P_M:
        at->p_m = value;
        break;
    case SEPX_AXIS_END:
        break;
    }
    return SEPX_OK;
}

static enum sepx_err
check_plan(const struct sepx_theory_plan *plan, struct sepx_msg *msg)
{
    size_t columns = plan->x.count, rows = plan->y.count;

    if (!sepx_bound_name(plan->a))
        return sepx_fail(msg, SEPX_EINVAL, "unknown bound %u",
                         (unsigned)plan->a);
    if (plan->b != SEPX_BOUND_NONE && !sepx_bound_name(plan->b))
        return sepx_fail(msg, SEPX_EINVAL, "unknown bound %u",
                         (unsigned)plan->b);
    if (plan->x.field >= SEPX_AXIS_END || plan->y.field >= SEPX_AXIS_END)
        return sepx_fail(msg, SEPX_EINVAL, "an axis of no known field");
    if (plan->x.field == plan->y.field)
        return sepx_fail(msg, SEPX_EINVAL, "both axes are %s; take two fields",
                         sepx_theory_field_name(plan->x.field));
    if (columns < 1 || rows < 1)
        return sepx_fail(msg, SEPX_EINVAL, "an axis without values");
    if (columns > CELLS_MOST || rows > CELLS_MOST / columns)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "a grid of %zu x %zu cells; the most is %zu", columns,
                         rows, CELLS_MOST);
    return SEPX_OK;
}

static enum sepx_err
fill_cell(struct sepx_theory_grid *grid, size_t column, size_t row,
          struct sepx_msg *msg)
{
    const struct sepx_theory_plan *plan = &grid->plan;
    double x = plan->x.at[column], y = plan->y.at[row];
    size_t cell = row * plan->x.count + column;
    struct sepx_theory at = plan->at;
    enum sepx_err err = set_field(&at, plan->x.field, x, msg);

    if (!err)
        err = set_field(&at, plan->y.field, y, msg);
    if (!err)
        err = sepx_theory_exact(&grid->a[cell], &at, plan->a, msg);
    if (!err && grid->b)
        err = sepx_theory_exact(&grid->b[cell], &at, plan->b, msg);
    if (err) {
        sepx_msg_prefix(msg, "cell %s %g, %s %g",
                        sepx_theory_field_name(plan->x.field), x,
                        sepx_theory_field_name(plan->y.field), y);
        return err;
    }
    grid->difference[cell] = grid->a[cell] - (grid->b ? grid->b[cell] : 0);
    return SEPX_OK;
}

enum sepx_err
sepx_theory_grid_fill(struct sepx_theory_grid *grid,
                      const struct sepx_theory_plan *plan, struct sepx_msg *msg)
{
    size_t cells = plan->x.count * plan->y.count;
    enum sepx_err err = check_plan(plan, msg);

    if (err)
        return err;
    grid->plan = *plan;
    grid->a = sepx__calloc(cells, sizeof(*grid->a));
    grid->difference = sepx__calloc(cells, sizeof(*grid->difference));
    if (plan->b != SEPX_BOUND_NONE)
        grid->b = sepx__calloc(cells, sizeof(*grid->b));
    if (!grid->a || !grid->difference ||
        (plan->b != SEPX_BOUND_NONE && !grid->b))
        err = SEPX_ENOMEM;
    for (size_t row = 0; row < plan->y.count && !err; row++)
        for (size_t column = 0; column < plan->x.count && !err; column++)
            err = fill_cell(grid, column, row, msg);
    if (err)
        sepx_theory_grid_release(grid);
    return err;
}

size_t
sepx_theory_grid_ahead(const struct sepx_theory_grid *grid)
{
    size_t cells = grid->plan.x.count * grid->plan.y.count, ahead = 0;

    for (size_t i = 0; i < cells; i++)
        ahead += grid->difference[i] > 0;
    return ahead;
}

/* ---- writing ---- */

static enum sepx_err
write_head(struct sepx_text *text, const struct sepx_theory_plan *plan)
{
    const char *a = sepx_bound_name(plan->a), *b = sepx_bound_name(plan->b);
    enum sepx_err err;

    err =
        sepx_text_print(text, "%s,%s,%s", sepx_theory_field_name(plan->x.field),
                        sepx_theory_field_name(plan->y.field), a);
    if (!err && b)
        err = sepx_text_print(text, ",%s,%s-%s", b, a, b);
    return err ? err : sepx_text_print(text, "\n");
}

enum sepx_err
sepx_theory_grid_write_csv(struct sepx_text *text,
                           const struct sepx_theory_grid *grid)
{
    const struct sepx_theory_axis *x = &grid->plan.x, *y = &grid->plan.y;
    enum sepx_err err = write_head(text, &grid->plan);

    for (size_t i = 0; i < x->count * y->count && !err; i++) {
        err = sepx_text_print(text, "%.15g,%.15g,%.15g", x->at[i % x->count],
                              y->at[i / x->count], grid->a[i]);
        if (!err && grid->b)
            err = sepx_text_print(text, ",%.15g,%.15g", grid->b[i],
                                  grid->difference[i]);
        if (!err)
            err = sepx_text_print(text, "\n");
    }
    return err;
}

void
sepx_theory_grid_put_json(struct sepx_json_writer *w,
                          const struct sepx_theory_grid *grid)
{
    const struct sepx_theory_axis *x = &grid->plan.x, *y = &grid->plan.y;

    sepx_json_open(w, '{');
    sepx_json_key(w, "setting");
    sepx_theory_put_json(w, &grid->plan.at);
    sepx_json_add_string(w, "a", sepx_bound_name(grid->plan.a));
    sepx_json_add_string(w, "b", sepx_bound_name(grid->plan.b));
    sepx_json_add_string(w, "x", sepx_theory_field_name(x->field));
    sepx_json_add_string(w, "y", sepx_theory_field_name(y->field));
    sepx_json_key(w, "rows");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < x->count * y->count; i++) {
        sepx_json_open(w, '{');
        sepx_json_add_number(w, sepx_theory_field_name(x->field),
                             x->at[i % x->count]);
        sepx_json_add_number(w, sepx_theory_field_name(y->field),
                             y->at[i / x->count]);
        sepx_json_add_number(w, sepx_bound_name(grid->plan.a), grid->a[i]);
        if (grid->b && grid->plan.b != grid->plan.a)
            sepx_json_add_number(w, sepx_bound_name(grid->plan.b), grid->b[i]);
        if (grid->b)
            sepx_json_add_number(w, "difference", grid->difference[i]);
        sepx_json_close(w, '}');
    }
    sepx_json_close(w, ']');
    sepx_json_close(w, '}');
}
