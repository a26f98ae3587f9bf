/* SPDX-License-Identifier: Apache-2.0 */
/* Random search: independent draws from the space. */
#include "search/internal.h"

struct random_state {
    const struct sepx__search_env *env;
};

static enum sepx_err
random_init(void *state, const struct sepx__search_env *env,
            struct sepx_msg *msg)
{
    struct random_state *random = state;

    (void)msg;
    random->env = env;
    env->op[0].name = "random";
    return SEPX_OK;
}

static enum sepx_err
random_ask(void *state, struct sepx_ask *next)
{
    struct random_state *random = state;

    return sepx__search_sample(random->env, next, 0);
}

static const struct sepx_option random_options[] = {{0}};

const struct sepx__search_ops sepx__search_random = {
    .info = {"random", "independent draws from the space", random_options},
    .state_size = sizeof(struct random_state),
    .init = random_init,
    .ask = random_ask,
};
