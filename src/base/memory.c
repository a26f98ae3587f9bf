/* SPDX-License-Identifier: Apache-2.0 */
#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

/* The library's only mutable global: set before use, read ever after. */
static struct {
    void *(*resize)(void *old, size_t size);
    void (*release)(void *block);
} allocator = {realloc, free};

void
sepx_set_allocator(void *(*resize)(void *old, size_t size),
                   void (*release)(void *block))
{
    allocator.resize = resize ? resize : realloc;
    allocator.release = release ? release : free;
}

void *
sepx__resize(void *old, size_t size)
{
    return allocator.resize(old, size ? size : 1);
}

void *
sepx__alloc(size_t size)
{
    return sepx__resize(NULL, size);
}

void *
sepx__calloc(size_t count, size_t size)
{
    void *block;

    if (size && count > SIZE_MAX / size)
        return NULL;
    block = sepx__alloc(count * size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

void
sepx__free(void *block)
{
    if (block)
        allocator.release(block);
}

char *
sepx__strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = sepx__alloc(size);

    return copy ? memcpy(copy, text, size) : NULL;
}

enum sepx_err
sepx__grow(void **block, size_t *room, size_t need, size_t size)
{
    size_t more = *room + *room / 2;
    void *grown;

    if (need <= *room)
        return SEPX_OK;
    if (more < need)
        more = need;
    if (more < 8)
        more = 8;
    if (more > SIZE_MAX / size)
        return SEPX_ENOMEM;
    grown = sepx__resize(*block, more * size);
    if (!grown)
        return SEPX_ENOMEM;
    *block = grown;
    *room = more;
    return SEPX_OK;
}

/* The block behind it is kept just before the aligned one. */
void *
sepx__aligned(size_t size, size_t align)
{
    char *block, *at;

    if (size > SIZE_MAX - align - sizeof(char *))
        return NULL;
    block = sepx__alloc(size + align + sizeof(char *));
    if (!block)
        return NULL;
    at = block + sizeof(char *);
    at += (align - (uintptr_t)at % align) % align;
    memcpy(at - sizeof(char *), &block, sizeof block);
    return at;
}

void
sepx__aligned_free(void *at)
{
    char *block;

    if (!at)
        return;
    memcpy(&block, (char *)at - sizeof(char *), sizeof block);
    sepx__free(block);
}
