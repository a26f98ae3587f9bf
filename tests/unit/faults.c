/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/faults.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <jansson.h>

#include "sepx/base.h"

static atomic_long countdown, live;
static atomic_bool hit;

static void *
counted_resize(void *old, size_t size)
{
    void *block = realloc(old, size);

    if (block && !old)
        atomic_fetch_add(&live, 1);
    return block;
}

static void *
fault_resize(void *old, size_t size)
{
    if (atomic_fetch_sub(&countdown, 1) == 0) {
        atomic_store(&hit, true);
        return NULL;
    }
    return counted_resize(old, size);
}

/*
 * jansson's scanner does not survive a buffer that cannot grow: it drops the
 * byte, or aborts. Its buffer has 32, 64, 128, ... bytes; such requests are
 * counted and never fail.
 */
static void *
fault_alloc(size_t size)
{
    bool spared = size >= 32 && (size & (size - 1)) == 0;

    return spared ? counted_resize(NULL, size) : fault_resize(NULL, size);
}

static void
fault_release(void *block)
{
    if (block)
        atomic_fetch_sub(&live, 1);
    free(block);
}

void
fault_after(long n)
{
    atomic_store(&countdown, n);
    atomic_store(&live, 0);
    atomic_store(&hit, false);
    sepx_set_allocator(fault_resize, fault_release);
    json_set_alloc_funcs(fault_alloc, fault_release);
}

void
fault_count(void)
{
    fault_after(LONG_MAX);
}

bool
fault_hit(void)
{
    return atomic_load(&hit);
}

long
fault_live(void)
{
    return atomic_load(&live);
}

void
fault_stop(void)
{
    sepx_set_allocator(NULL, NULL);
    json_set_alloc_funcs(malloc, free);
}
