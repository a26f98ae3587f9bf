/* SPDX-License-Identifier: Apache-2.0 */
#include "research/report/internal.h"

#define FONT 12
#define FONT_PNG 9 /* a PNG is drawn at twice the size */

double
sepx__plot_font(enum sepx_picture kind)
{
    return kind == SEPX_PICTURE_PNG ? FONT_PNG : FONT;
}

enum sepx_err
sepx__plot_check(const char *text, struct sepx_msg *msg)
{
    for (size_t i = 0; text && text[i]; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return sepx_fail(msg, SEPX_EINVAL,
                             "control character %d at byte %zu of a text "
                             "for a drawing",
                             text[i], i);
    return SEPX_OK;
}

enum sepx_err
sepx__plot_quoted(struct sepx_text *text, const char *from)
{
    enum sepx_err err = sepx_text_add(text, "'", 1);

    for (; from && *from && !err; from++)
        err = sepx_text_add(text, *from == '\'' ? "''" : from,
                            *from == '\'' ? 2 : 1);
    return err ? err : sepx_text_add(text, "'", 1);
}

enum sepx_err
sepx__plot_set(struct sepx_text *text, const char *command, const char *value)
{
    enum sepx_err err = sepx_text_print(text, "%s ", command);

    if (!err)
        err = sepx__plot_quoted(text, value);
    return err ? err : sepx_text_print(text, "\n");
}

static enum sepx_err
write_terminal(struct sepx_text *text, unsigned width, unsigned height,
               enum sepx_picture kind)
{
    if (kind == SEPX_PICTURE_PNG)
        return sepx_text_print(
            text,
            "set terminal pngcairo size %u,%u fontscale 2 linewidth 2 "
            "noenhanced font 'DejaVu Sans,%d'\n",
            2 * width, 2 * height, FONT_PNG);
    /* 96 pixels of the SVG are an inch, and 12 of its points 9 printed. */
    if (kind == SEPX_PICTURE_PDF)
        return sepx_text_print(
            text,
            "set terminal pdfcairo size %.4fin,%.4fin noenhanced "
            "font 'DejaVu Sans,%d' fontscale 0.75\n",
            width / 96.0, height / 96.0, FONT);
    return sepx_text_print(
        text,
        "set terminal svg size %u,%u noenhanced background '#ffffff' "
        "font 'DejaVu Sans,Arial,sans-serif,%d'\n",
        width, height, FONT);
}

/*
 * gnuplot takes "default" for UTF-8 in these terminals, and warns about the
 * degree sign if it is told so in the C locale.
 */
enum sepx_err
sepx__plot_begin(struct sepx_text *text, unsigned width, unsigned height,
                 enum sepx_picture kind)
{
    enum sepx_err err = write_terminal(text, width, height, kind);

    return err ? err
               : sepx_text_print(text, "if (GPVAL_ENCODING ne 'default') "
                                       "set encoding utf8\n");
}

enum sepx_err
sepx__plot_title(struct sepx_text *text, const char *value, double x,
                 double down, unsigned width, unsigned height, double size)
{
    enum sepx_err err = sepx_text_print(text, "set label ");

    if (!err)
        err = sepx__plot_quoted(text, value);
    if (!err)
        err = sepx_text_print(
            text, " at screen %.6f, screen %.6f center font ',%g'\n", x / width,
            1 - down / height, size);
    return err;
}
