/* SPDX-License-Identifier: Apache-2.0 */
/* A space's file is refused with a reason, or gives valid graphs. */
#include "fuzz.h"

#include <string.h>

static void
require_draws(const struct sepx_space *space)
{
    struct sepx_graph graph = {0}, child = {0};
    struct sepx_rules rules;
    struct sepx_rng rng;
    bool valid;

    sepx_rng_init(&rng, 1, 0, 0, 0);
    REQUIRE(!sepx_rules_preset(&rules, "default", "", "mutation", NULL));
    REQUIRE(!sepx_space_sample(space, &graph, &rng));
    REQUIRE(!sepx_space_check(space, &valid, &graph, NULL) && valid);
    rules.differ = false;
    REQUIRE(!sepx_space_mutate(space, &child, &graph, &rules, &rng));
    REQUIRE(!sepx_space_check(space, &valid, &child, NULL) && valid);
    require_valid(&child);
    sepx_graph_release(&graph);
    sepx_graph_release(&child);
}

/* Written and read again, it is the same space. */
static void
require_same_text(const struct sepx_space *space)
{
    struct sepx_text one = {0}, two = {0};
    struct sepx_space *copy;

    REQUIRE(!sepx_space_write(&one, space));
    REQUIRE(!sepx_space_open_text(&copy, one.at, one.len, "copy", NULL));
    REQUIRE(!sepx_space_write(&two, copy));
    REQUIRE(!strcmp(one.at, two.at));
    sepx_space_close(copy);
    sepx_text_release(&one);
    sepx_text_release(&two);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sepx_space *space;
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_space_open_text(&space, (const char *)data, size,
                                             "fuzz/none", &msg);

    if (err) {
        require_refusal(err, &msg);
        return 0;
    }
    require_draws(space);
    require_same_text(space);
    sepx_space_close(space);
    return 0;
}
