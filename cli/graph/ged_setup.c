/* SPDX-License-Identifier: Apache-2.0 */
/* From words of the command line to the options of a distance. */
#include "graph/ged_command.h"

#include <math.h>
#include <stdlib.h>

static enum sepx_err
pin(struct ged_setup *setup, const struct word_list *words,
    struct sepx_msg *msg)
{
    setup->pinned = calloc(words->count + 1, sizeof *setup->pinned);
    setup->met = calloc(words->count + 1, sizeof *setup->met);
    if (!setup->pinned || !setup->met)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < words->count; i++) {
        enum sepx_err err =
            sepx_names_add(setup->names, &setup->pinned[i], words->at[i]);

        if (err)
            return sepx_fail(msg, err, "--pinned: label %zu: %s", i + 1,
                             sepx_strerror(err));
    }
    setup->options.pinned = setup->pinned;
    setup->options.n_pinned = words->count;
    return SEPX_OK;
}

static enum sepx_err
set_costs(struct ged_setup *setup, const struct ged_settings *settings,
          struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    setup->costs = (struct sepx_costs){SEPX_UNIT_COSTS};
    setup->costs.names = setup->names;
    if (settings->costs)
        err = costs_read_file(setup, settings->costs, msg);
    for (size_t i = 0; i < settings->cost.count && !err; i++)
        err = costs_read_word(setup, settings->cost.at[i], msg);
    if (settings->costs || settings->cost.count)
        setup->options.costs = &setup->costs;
    return err;
}

enum sepx_err
ged_setup_init(struct ged_setup *setup, const struct ged_settings *settings,
               struct sepx_msg *msg)
{
    enum sepx_err err;

    *setup = (struct ged_setup){0};
    setup->names = sepx_names_new();
    if (!setup->names)
        return SEPX_ENOMEM;
    setup->options.ignore_labels = settings->ignore_labels;
    if (!isnan(settings->seconds))
        setup->limits.seconds = settings->seconds;
    if (!isnan(settings->at_most)) {
        setup->limits.threshold = true;
        setup->limits.at_most = settings->at_most;
    }
    err = pin(setup, &settings->pinned, msg);
    if (!err)
        err = set_costs(setup, settings, msg);
    return err;
}

enum sepx_err
ged_check_alike(const struct sepx_graph *a, const char *name_a,
                const struct sepx_graph *b, const char *name_b,
                struct sepx_msg *msg)
{
    static const char *const kind[] = {"directed", "undirected"};

    if (a->undirected == b->undirected)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s is %s, but %s is %s; there is no distance between "
                     "the two kinds, convert one of them",
                     name_a, kind[a->undirected], name_b, kind[b->undirected]);
}

void
ged_setup_meet(struct ged_setup *setup, const struct sepx_graph *graph)
{
    for (size_t i = 0; i < setup->options.n_pinned; i++) {
        for (uint32_t k = 0; k < graph->n_nodes && !setup->met[i]; k++)
            setup->met[i] = graph->label[k] == setup->pinned[i];
    }
}

void
ged_setup_warn(const struct ged_setup *setup, const char *command)
{
    for (size_t i = 0; i < setup->options.n_pinned; i++) {
        if (!setup->met[i])
            cli_say(command,
                    "warning: --pinned: no node has the label '%s'; check its "
                    "spelling",
                    sepx_names_text(setup->names, setup->pinned[i]));
    }
}

void
ged_setup_release(struct ged_setup *setup)
{
    free(setup->pinned);
    free(setup->met);
    costs_release(setup);
    sepx_names_free(setup->names);
    *setup = (struct ged_setup){0};
}
