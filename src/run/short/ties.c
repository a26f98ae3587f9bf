/* SPDX-License-Identifier: Apache-2.0 */
#include "run/short/ties.h"

void
sepx__ties_release(struct sepx__ties *ties)
{
    for (uint32_t i = 0; i < SEPX__TIES_MAX; i++)
        sepx_graph_release(&ties->row[i].graph);
    ties->count = 0;
}

static enum sepx_err
add(struct sepx__ties *ties, const struct sepx_ask *ask, double test)
{
    struct sepx__tie *row = &ties->row[ties->count];
    enum sepx_err err = sepx_graph_copy(&row->graph, &ask->graph);

    if (err)
        return err;
    row->trial = ask->trial;
    row->test = test;
    ties->count++;
    return SEPX_OK;
}

/* A graph is not listed twice, so that its repeats take no room. */
static bool
is_listed(const struct sepx__ties *ties, const struct sepx_search *search,
          uint32_t trial)
{
    for (uint32_t i = 0; i < ties->count; i++) {
        if (sepx_search_same(search, ties->row[i].trial, trial))
            return true;
    }
    return false;
}

enum sepx_err
sepx__ties_note(struct sepx__ties *ties, struct sepx_run *run,
                const struct sepx_search *search, const struct sepx_ask *ask,
                const struct sepx_score *score)
{
    const struct sepx__tie *best = &ties->row[0];
    enum sepx_err err = SEPX_OK;

    if (run->best_trial == ask->trial && score->value == run->best)
        ties->count = 0;
    if (score->value == run->best && ties->count < SEPX__TIES_MAX &&
        !is_listed(ties, search, ask->trial))
        err = add(ties, ask, score->test);
    if (err || ties->count < 2)
        return err;
    for (uint32_t i = 1; i < ties->count; i++) {
        if (sepx_search_prefers(search, ties->row[i].trial, best->trial))
            best = &ties->row[i];
    }
    run->test[run->evaluations - 1] = best->test;
    if (run->best_trial == best->trial)
        return SEPX_OK;
    run->best_trial = best->trial;
    return sepx_graph_copy(&run->graph, &best->graph);
}
