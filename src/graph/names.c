/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Label texts, numbered in the order of their arrival. A hash table finds a
 * text; ascending keys order the numbers by text, so that what must not
 * depend on the order of arrival can sort by key without comparing strings.
 */
#include "graph/internal.h"

#include <string.h>

#define KEY_STEP ((uint64_t)1 << 44) /* 2^16 steps and as many again fit */

struct name {
    char *text;
    struct sepx__hash hash;
    uint64_t key; /* ascends with the text */
};

struct sepx_names {
    struct name *at;
    uint16_t *sorted; /* all numbers, ascending by text */
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

/* Both arrays grow; `room` counts what both of them have. */
static enum sepx_err
grow_arrays(struct sepx_names *names)
{
    size_t room = names->room, sorted_room = names->room;
    size_t need = names->count + 1;
    enum sepx_err err;

    if (need <= names->room)
        return SEPX_OK;
    err = sepx__grow((void **)&names->at, &room, need, sizeof(*names->at));
    if (!err)
        err = sepx__grow((void **)&names->sorted, &sorted_room, need,
                         sizeof(*names->sorted));
    if (!err)
        names->room = room < sorted_room ? room : sorted_room;
    return err;
}

static size_t
place_of(const struct sepx_names *names, const char *text)
{
    size_t low = 0, high = names->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (strcmp(names->at[names->sorted[middle]].text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * Sort in the name after the last, which `count` does not count yet. Its key
 * lies halfway between its neighbours'; when no number is left between them,
 * all keys are dealt out anew.
 */
static void
sort_in(struct sepx_names *names)
{
    uint16_t id = (uint16_t)names->count, *sorted = names->sorted;
    size_t place = place_of(names, names->at[id].text);
    uint64_t low = place ? names->at[sorted[place - 1]].key : 0;
    uint64_t high = place < names->count ? names->at[sorted[place]].key
                                         : low + 2 * KEY_STEP;

    memmove(sorted + place + 1, sorted + place,
            (names->count - place) * sizeof(*sorted));
    sorted[place] = id;
    names->at[id].key = low + (high - low) / 2;
    for (size_t i = 0; high - low < 2 && i <= names->count; i++)
        names->at[sorted[i]].key = i * KEY_STEP;
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
    names->at[id] = (struct name){copy, hash, 0};
    sort_in(names);
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

uint64_t
sepx__names_key(const struct sepx_names *names, uint16_t id)
{
    return names->at[id].key;
}

struct sepx__hash
sepx__names_hash(const struct sepx_names *names, uint16_t id)
{
    return names->at[id].hash;
}
