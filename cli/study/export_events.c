/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A study as an event file of TensorBoard: TFRecords of the protocol buffer
 * Event with scalars. The step is the trial. And the family tree as GraphML.
 */
#include <math.h>
#include <string.h>

#include "study/study_export.h"

/* ---- protocol buffers: fields of Event, Summary and Summary.Value ---- */

enum { WIRE_VARINT = 0, WIRE_DOUBLE = 1, WIRE_BYTES = 2, WIRE_FLOAT = 5 };

static void
put(struct out *to, const void *bytes, size_t len)
{
    if (!to->err)
        to->err = sepx_text_add(&to->text, bytes, len);
}

static void
put_varint(struct out *to, uint64_t value)
{
    do {
        char byte = (char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

        put(to, &byte, 1);
        value >>= 7;
    } while (value);
}

static void
put_tag(struct out *to, unsigned field, unsigned wire)
{
    put_varint(to, field << 3 | wire);
}

static void
put_bits(struct out *to, uint64_t bits, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        char byte = (char)(bits >> 8 * i & 0xff);

        put(to, &byte, 1);
    }
}

static void
put_double(struct out *to, unsigned field, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_tag(to, field, WIRE_DOUBLE);
    put_bits(to, bits, 8);
}

static void
put_float(struct out *to, unsigned field, double value)
{
    float narrow = (float)value;
    uint32_t bits;

    memcpy(&bits, &narrow, sizeof bits);
    put_tag(to, field, WIRE_FLOAT);
    put_bits(to, bits, 4);
}

static void
put_part(struct out *to, unsigned field, const char *bytes, size_t len)
{
    put_tag(to, field, WIRE_BYTES);
    put_varint(to, len);
    put(to, bytes, len);
}

static void
put_message(struct out *to, unsigned field, struct out *part)
{
    put_part(to, field, part->text.at ? part->text.at : "", part->text.len);
    if (!to->err)
        to->err = part->err;
    out_release(part);
}

/* The event as a record of the file. */
static enum sepx_err
put_record(struct out *out, struct out *event)
{
    enum sepx_err err = event->err;

    if (!err)
        err = sepx_record_add(&out->text, event->text.at, event->text.len);
    out_release(event);
    return err;
}

enum sepx_err
export_events_head(struct out *out, struct export *x, struct sepx_msg *msg)
{
    struct out event = {0};

    (void)x;
    (void)msg;
    put_double(&event, 1, 0);
    put_part(&event, 3, "brain.Event:2", 13);
    return put_record(out, &event);
}

static void
put_scalar(struct out *summary, const char *tag, double value)
{
    struct out part = {0};

    if (isnan(value))
        return;
    put_part(&part, 1, tag, strlen(tag));
    put_float(&part, 2, value);
    put_message(summary, 1, &part);
}

enum sepx_err
export_events(struct out *out, struct export *x, const struct sepx_entry *entry)
{
    const struct sepx_goals *goals = x->s->goals;
    const struct sepx_told *told = &entry->told;
    double number[SEPX_GOALS_MAX];
    struct out event = {0}, summary = {0};

    if (!entry->is_told)
        return SEPX_OK;
    if (!isnan(told->value) && !(told->value >= x->best))
        x->best = told->value;
    put_scalar(&summary, "value", study_value(x->s, told->value));
    put_scalar(&summary, "best", study_value(x->s, x->best));
    put_scalar(&summary, "test", study_value(x->s, told->test));
    put_scalar(&summary, "cost", told->cost);
    if (goals->names && !sepx_study_numbers(goals, number, told->numbers))
        for (uint32_t i = 0; i < goals->names; i++)
            put_scalar(&summary, goals->name[i], number[i]);
    /* Times differ from run to run; without them a trial is a second. */
    put_double(&event, 1, x->times ? told->finished : entry->asked.trial);
    put_tag(&event, 2, WIRE_VARINT);
    put_varint(&event, entry->asked.trial);
    put_message(&event, 5, &summary);
    return put_record(out, &event);
}

/* ---- GraphML ---- */

static void
put_data(struct out *out, const char *key, const char *text)
{
    out_print(out, "<data key=\"%s\">", key);
    for (; *text; text++) {
        size_t plain = strcspn(text, "<>&");

        if (plain) {
            out_print(out, "%.*s", (int)plain, text);
            text += plain - 1;
        } else {
            out_print(out, "%s",
                      *text == '<'   ? "&lt;"
                      : *text == '>' ? "&gt;"
                                     : "&amp;");
        }
    }
    out_print(out, "</data>");
}

enum sepx_err
export_graphml(struct out *out, struct export *x,
               const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;

    out_print(out, "    <node id=\"t%u\">", asked->trial);
    put_data(out, "label", asked->op);
    if (entry->is_told) {
        put_data(out, "outcome", entry->told.outcome);
        if (!isnan(entry->told.value))
            out_print(out, "<data key=\"value\">%.17g</data>",
                      study_value(x->s, entry->told.value));
    }
    put_data(out, "graph", asked->graph);
    out_print(out, "</node>\n");
    return SEPX_OK;
}
