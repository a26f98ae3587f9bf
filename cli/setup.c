/* SPDX-License-Identifier: Apache-2.0 */
/* From words of the command line to the options of a distance. */
#include "ged.h"

#include <math.h>
#include <stdlib.h>

static enum sepx_err
pin(struct ged_setup *setup, const struct word_list *words,
    struct sepx_msg *msg)
{
    setup->pinned = calloc(words->count + 1, sizeof *setup->pinned);
    if (!setup->pinned)
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

    setup->costs = (struct sepx_costs){1, 1, 1, 1, 1, 1, NULL, NULL, 0, 0};
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

void
ged_setup_release(struct ged_setup *setup)
{
    free(setup->pinned);
    free(setup->table[0]);
    free(setup->table[1]);
    sepx_names_free(setup->names);
    *setup = (struct ged_setup){0};
}
