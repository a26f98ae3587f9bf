/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The running checksum of a log: that of an event is made from the one
 * before and every field of the event, so a changed byte of any row, a row
 * that is missing and rows that changed places are found. Against accidents
 * and careless edits: who can write the file can also write new sums.
 */
#include "store/internal.h"

#include <math.h>
#include <string.h>

static void
put_word(unsigned char *to, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        to[i] = (unsigned char)(word >> 8 * i);
}

void
sepx__sum_write(unsigned char bytes[SEPX__SUM_BYTES],
                const struct sepx__hash *sum)
{
    put_word(bytes, sum->high);
    put_word(bytes + 8, sum->low);
}

static uint64_t
get_word(const unsigned char *from)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word |= (uint64_t)from[i] << 8 * i;
    return word;
}

struct sepx__hash
sepx__sum_read(const unsigned char bytes[SEPX__SUM_BYTES])
{
    return (struct sepx__hash){.high = get_word(bytes),
                               .low = get_word(bytes + 8)};
}

static void
add(struct sepx__hash *sum, const void *bytes, size_t len)
{
    unsigned char both[2 * SEPX__SUM_BYTES];
    struct sepx__hash field = sepx__hash(bytes, len);

    sepx__sum_write(both, sum);
    sepx__sum_write(both + SEPX__SUM_BYTES, &field);
    *sum = sepx__hash(both, sizeof both);
}

static void
add_integer(struct sepx__hash *sum, int64_t value)
{
    unsigned char bytes[8];

    put_word(bytes, (uint64_t)value);
    add(sum, bytes, sizeof bytes);
}

/* NaN stands for "none" and 0 has no sign: a database keeps neither apart. */
static void
add_number(struct sepx__hash *sum, double value)
{
    uint64_t word;

    if (isnan(value)) {
        add(sum, "", 1);
        return;
    }
    value = value == 0 ? 0 : value;
    memcpy(&word, &value, sizeof word);
    add_integer(sum, (int64_t)word);
}

/* One byte 0 is no text, so it can stand for NULL. */
static void
add_text(struct sepx__hash *sum, const char *text)
{
    add(sum, text ? text : "", text ? strlen(text) : 1);
}

struct sepx__hash
sepx__sum_begin(const char *settings)
{
    return sepx__hash(settings, strlen(settings));
}

static void
add_asked(struct sepx__hash *sum, const struct sepx_asked *asked)
{
    add_text(sum, "asked");
    add_integer(sum, asked->trial);
    add_text(sum, asked->op);
    add_integer(sum, asked->parent[0]);
    add_integer(sum, asked->parent[1]);
    add_number(sum, asked->fidelity);
    add_integer(sum, asked->same);
    add_text(sum, asked->graph);
}

static void
add_told(struct sepx__hash *sum, const struct sepx_told *told)
{
    add_text(sum, "told");
    add_integer(sum, told->trial);
    add_integer(sum, told->attempt);
    add_text(sum, told->outcome);
    add_number(sum, told->value);
    add_number(sum, told->test);
    add_number(sum, told->cost);
    add_integer(sum, told->cached);
    add_text(sum, told->answer);
    add_text(sum, told->errors);
    add_text(sum, told->slot);
    add_number(sum, told->seconds);
    add_number(sum, told->finished);
    add_number(sum, told->elapsed);
    /* Logs from before there were any keep their sums. */
    if (told->numbers || told->steps) {
        add_text(sum, told->numbers);
        add_text(sum, told->steps);
    }
}

void
sepx__sum_add(struct sepx__hash *sum, int64_t event,
              const struct sepx_entry *entry)
{
    add_integer(sum, event);
    if (entry->is_asked)
        add_asked(sum, &entry->asked);
    if (entry->is_told)
        add_told(sum, &entry->told);
    if (entry->is_retried) {
        add_text(sum, "retried");
        add_integer(sum, entry->retried);
    }
}
