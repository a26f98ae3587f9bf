/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acyclic graphs in a topological order that follows from their labels and
 * edges. Searches break ties by number; nodes that are near each other should
 * have near numbers then, as in graphs that were written down in the order of
 * their making. And the numbers that nodes happen to have decide nothing:
 * what is found in a limited time is the same for graphs that are shuffled,
 * but for nodes that cannot be told apart by what lies around them.
 */
#include "ged/align/align.h"

static size_t
lay_out(struct ged_numbers *to, const struct ged_task *task, uint8_t *base)
{
    size_t used = 0;

    for (unsigned side = 0; side < 2; side++) {
        const size_t size = (side ? task->b->n : task->a->n) * sizeof(uint32_t);

        to->at[side] = sepx__ged_take(base, &used, size);
        to->place[side] = sepx__ged_take(base, &used, size);
    }
    return used;
}

/* Both graphs in the order that goes backward from the sinks. */
static SEPX_CHECKED enum sepx_err
reorder(struct ged_numbers *to, const struct ged_task *task, struct dag *dag)
{
    const unsigned first = dag->p->swapped;
    struct dag_order order;
    enum sepx_err err;

    to->memory = sepx__aligned(lay_out(to, task, NULL), GED_ALIGN);
    if (!to->memory)
        return SEPX_ENOMEM;
    lay_out(to, task, to->memory);
    for (unsigned side = 0; side < 2; side++) {
        order.at[side] = to->at[side ^ first];
        order.place[side] = to->place[side ^ first];
    }
    sepx__dag_order(dag, &order, sepx__dag_numbered(dag->p->m));
    err = sepx__ged_reorder(&to->graph[0], task->a, to->at[0], to->place[0]);
    if (!err)
        err =
            sepx__ged_reorder(&to->graph[1], task->b, to->at[1], to->place[1]);
    return err;
}

enum sepx_err
sepx__ged_renumber(struct ged_numbers *numbers, const struct ged_task *task)
{
    const uint32_t most = task->a->n > task->b->n ? task->a->n : task->b->n;
    struct ged_problem p = {0};
    struct dag dag = {0};
    enum sepx_err err;

    *numbers = (struct ged_numbers){0};
    if (task->a->undirected || !task->a->n || !task->b->n ||
        most < ALIGN_LEAST ||
        (most <= GED_SMALL && sepx__dag_ascends(task->a, NULL) &&
         sepx__dag_ascends(task->b, NULL)))
        return SEPX_OK;
    err = sepx__problem_init(&p, task, false);
    if (!err)
        err = sepx__dag_init(&dag, &p);
    if (!err && dag.acyclic)
        err = reorder(numbers, task, &dag);
    sepx__dag_release(&dag);
    sepx__problem_release(&p);
    if (err)
        sepx__ged_numbers_release(numbers);
    return err;
}

void
sepx__ged_numbers_release(struct ged_numbers *numbers)
{
    sepx_ged_graph_free(numbers->graph[0]);
    sepx_ged_graph_free(numbers->graph[1]);
    sepx__aligned_free(numbers->memory);
    *numbers = (struct ged_numbers){0};
}

void
sepx__ged_numbers_map(const struct ged_numbers *numbers, int16_t *to,
                      const int16_t *from, bool back)
{
    uint32_t *const *const number = back ? numbers->at : numbers->place;

    for (uint32_t i = 0; i < numbers->graph[0]->n; i++)
        to[number[0][i]] =
            from[i] < 0 ? SEPX_NONE : (int16_t)number[1][from[i]];
}
