/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label texts, numbered in the order of their arrival. A hash table finds a
 * text; `rank` orders the numbers by text, so that what must not depend on
 * the order of arrival can sort by it without comparing strings. Adding is
 * O(count) for the sake of `rank`: tables are small and read much more often
 * than they grow.
 */
#include "graph/internal.h"

#include <string.h>

struct name {
    char *text;
    struct sepx__hash hash;
};

struct sepx_names {
    struct name *at;
    uint16_t *rank;   /* of each number */
    uint16_t *sorted; /* the number at each rank */
    uint32_t *slot;   /* number + 1, 0: free; n_slots is a power of two */
    size_t count, room, n_slots;
};

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t *
find_slot(const struct sepx_names *names, const char *text, size_t len,
          struct sepx__hash hash)
{
    size_t mask = names->n_slots - 1;

    for (size_t i = (size_t)hash.low & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &names->slot[i];
        const struct name *name;

        if (!*slot)
            return slot;
        name = &names->at[*slot - 1];
        if (name->hash.low == hash.low && name->hash.high == hash.high &&
            !strncmp(name->text, text, len) && !name->text[len])
            return slot;
    }
}

static enum sepx_err
grow_slots(struct sepx_names *names)
{
    size_t n_slots = names->n_slots ? 2 * names->n_slots : 64;
    uint32_t *slot;

    if (2 * (names->count + 1) <= names->n_slots)
        return SEPX_OK;
    slot = sepx__calloc(n_slots, sizeof(*slot));
    if (!slot)
        return SEPX_ENOMEM;
    sepx__free(names->slot);
    names->slot = slot;
    names->n_slots = n_slots;
    for (size_t id = 0; id < names->count; id++) {
        const struct name *name = &names->at[id];

        *find_slot(names, name->text, strlen(name->text), name->hash) =
            (uint32_t)id + 1;
    }
    return SEPX_OK;
}

/* The three arrays grow one by one; `room` counts what all of them have. */
static enum sepx_err
grow_arrays(struct sepx_names *names)
{
    size_t room[3] = {names->room, names->room, names->room};
    size_t need = names->count + 1;
    enum sepx_err err;

    if (need <= names->room)
        return SEPX_OK;
    err = sepx__grow((void **)&names->at, &room[0], need, sizeof(*names->at));
    if (!err)
        err = sepx__grow((void **)&names->rank, &room[1], need,
                         sizeof(*names->rank));
    if (!err)
        err = sepx__grow((void **)&names->sorted, &room[2], need,
                         sizeof(*names->sorted));
    if (err)
        return err;
    names->room = room[0] < room[1] ? room[0] : room[1];
    names->room = names->room < room[2] ? names->room : room[2];
    return SEPX_OK;
}

static void
insert_rank(struct sepx_names *names, uint16_t id)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp(names->at[names->sorted[middle]].text, names->at[id].text) <
            0)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(names->sorted + low + 1, names->sorted + low,
            (names->count - low) * sizeof(*names->sorted));
    names->sorted[low] = id;
    for (size_t i = 0; i < names->count; i++)
        names->rank[i] = (uint16_t)(names->rank[i] + (names->rank[i] >= low));
    names->rank[id] = (uint16_t)low;
}

static enum sepx_err
insert(struct sepx_names *names, const char *text, size_t len,
       struct sepx__hash hash)
{
    uint16_t id = (uint16_t)names->count;
    char *copy;
    enum sepx_err err;

    if (names->count >= SEPX_LABELS_MAX)
        return SEPX_ELIMIT;
    err = grow_arrays(names);
    if (!err)
        err = grow_slots(names);
    if (err)
        return err;
    copy = sepx__alloc(len + 1);
    if (!copy)
        return SEPX_ENOMEM;
    memcpy(copy, text, len);
    copy[len] = 0;
    *find_slot(names, text, len, hash) = (uint32_t)id + 1;
    names->at[id] = (struct name){copy, hash};
    insert_rank(names, id);
    names->count++;
    return SEPX_OK;
}

enum sepx_err
sepx__names_add(struct sepx_names *names, uint16_t *id, const char *text,
                size_t len)
{
    struct sepx__hash hash = sepx__hash(text, len);
    enum sepx_err err;

    if (len > SEPX__LABEL_BYTES)
        return SEPX_ELIMIT;
    if (names->count) {
        uint32_t slot = *find_slot(names, text, len, hash);

        if (slot) {
            *id = (uint16_t)(slot - 1);
            return SEPX_OK;
        }
    }
    if (memchr(text, 0, len) || sepx__utf8_span(text, len) != len)
        return SEPX_EINVAL;
    err = insert(names, text, len, hash);
    if (!err)
        *id = (uint16_t)(names->count - 1);
    return err;
}

struct sepx_names *
sepx_names_new(void)
{
    struct sepx_names *names = sepx__calloc(1, sizeof(*names));
    uint16_t none;

    if (names && sepx__names_add(names, &none, "", 0)) {
        sepx_names_free(names);
        names = NULL;
    }
    return names;
}

void
sepx_names_free(struct sepx_names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->count; i++)
        sepx__free(names->at[i].text);
    sepx__free(names->at);
    sepx__free(names->rank);
    sepx__free(names->sorted);
    sepx__free(names->slot);
    sepx__free(names);
}

enum sepx_err
sepx_names_add(struct sepx_names *names, uint16_t *id, const char *text)
{
    return sepx__names_add(names, id, text, strlen(text));
}

int
sepx__names_find(const struct sepx_names *names, const char *text, size_t len)
{
    return (int)*find_slot(names, text, len, sepx__hash(text, len)) - 1;
}

int
sepx_names_find(const struct sepx_names *names, const char *text)
{
    return sepx__names_find(names, text, strlen(text));
}

const char *
sepx_names_text(const struct sepx_names *names, uint16_t id)
{
    return names->at[id].text;
}

unsigned
sepx_names_count(const struct sepx_names *names)
{
    return (unsigned)names->count;
}

const uint16_t *
sepx__names_rank(const struct sepx_names *names)
{
    return names->rank;
}

struct sepx__hash
sepx__names_hash(const struct sepx_names *names, uint16_t id)
{
    return names->at[id].hash;
}
