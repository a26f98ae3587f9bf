/* SPDX-License-Identifier: Apache-2.0 */
/* A space and two graphs of it, for the tests of each space. */
#ifndef SEPX_TESTS_SPACE_FIXTURE_H
#define SEPX_TESTS_SPACE_FIXTURE_H

#include "unit/check.h"

#include "library.h"

struct fixture {
    struct sepx_space *space;
    struct sepx_graph graph, other;
    struct sepx_rng rng;
    struct sepx_msg msg;
};

static inline int
open_space(void **state, const char *name, uint64_t seed)
{
    static struct fixture f;

    f = (struct fixture){0};
    sepx_rng_init(&f.rng, seed, 0, 0, 0);
    *state = &f;
    return sepx_space_open(&f.space, name, &f.msg);
}

static inline int
close_all(void **state)
{
    struct fixture *f = *state;

    sepx_graph_release(&f->graph);
    sepx_graph_release(&f->other);
    sepx_space_close(f->space);
    return 0;
}

static inline bool
is_valid(struct fixture *f)
{
    bool valid;

    assert_int_equal(sepx_space_check(f->space, &valid, &f->graph, &f->msg),
                     SEPX_OK);
    return valid;
}

#endif
