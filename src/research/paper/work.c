/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One item under way. Every file is replaced whole, and done.json comes last:
 * a call that is killed leaves either the finished item or one that is made
 * anew, never a part that counts.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frame/display.h"
#include "paper.h"

/* Counts up when an item's rows or words change without a new version. */
#define REVISION 3

static const char result_name[] = "result.json";
static const char done_name[] = "done.json";

/* ---- opening and closing ---- */

static uint32_t
chosen(int64_t given, bool quick, uint32_t usual, uint32_t hurried)
{
    uint32_t count = quick ? hurried : usual;

    return given > 0 && count && given < count ? (uint32_t)given : count;
}

void
work_open(struct work *work, struct paper *paper, const struct paper_item *item,
          const char *folder)
{
    const struct paper_settings *s = paper->settings;
    struct sepx_json_writer *writer[] = {&work->figures, &work->tables,
                                         &work->claims, &work->files};

    *work = (struct work){.paper = paper, .item = item, .pictures = true};
    snprintf(work->folder, sizeof work->folder, "%s/%s", folder, item->name);
    work->runs = chosen(s->runs, s->quick, item->runs, item->quick_runs);
    work->evals = chosen(s->evals, s->quick, item->evals, item->quick_evals);
    work->weight = work_weight(s, item);
    for (int i = 0; i < 4; i++) {
        sepx_json_begin(writer[i], &work->text[i]);
        sepx_json_open(writer[i], '[');
    }
}

void
work_close(struct work *work)
{
    for (int i = 0; i < 4; i++)
        sepx_text_release(&work->text[i]);
    *work = (struct work){0};
}

double
work_weight(const struct paper_settings *settings,
            const struct paper_item *item)
{
    return settings->quick ? item->hurry : item->seconds;
}

/* ---- progress ---- */

static const char *
unit_of(double *seconds)
{
    if (*seconds < 100)
        return "s";
    *seconds /= 60;
    return "min";
}

bool
work_progress(struct work *work, double share)
{
    struct paper *p = work->paper;
    double done = (p->weight_before + work->weight * share) / p->weight_all;
    double made = p->weight_made + work->weight * share;
    double left = made > 0 ? (sepx_clock() - p->started) * (1 - done) *
                                 p->weight_all / made
                           : 0;
    const char *unit = unit_of(&left);
    struct out out = {0};

    if (!display_due())
        return !interrupt_seen();
    out_print(&out, "[%u/%u] %s%s%s: %.0f %%, all %.0f %%", p->number, p->count,
              work->item->name, work->doing ? " " : "",
              work->doing ? work->doing : "", 100 * share, 100 * done);
    if (made > 0.02 * p->weight_all)
        out_print(&out, ", about %.0f %s left", left, unit);
    display_draw(&out);
    return !interrupt_seen();
}

/* ---- files ---- */

static int
write_file(const struct work *work, const char *name,
           const struct sepx_text *text)
{
    char path[PAPER_PATH];
    struct sepx_msg msg = {0};
    enum sepx_err err;

    if (!paper_path(path, work->folder, name))
        return CLI_FAILED;
    err = sepx_file_write(path, text->at ? text->at : "", text->len, &msg);
    return err ? cli_fail("reproduce", err, &msg) : CLI_DONE;
}

int
work_write(struct work *work, const char *name, const struct sepx_text *text,
           bool rows)
{
    struct sepx_json_writer *w = &work->files;
    char hex[SEPX_SHA256_HEX];

    if (rows) {
        sepx_sha256_hex(hex, text->at ? text->at : "", text->len);
        sepx_json_open(w, '{');
        sepx_json_add_string(w, "name", name);
        sepx_json_add_string(w, "sha256", hex);
        sepx_json_close(w, '}');
    }
    return write_file(work, name, text);
}

/* ---- pictures ---- */

static const struct {
    enum sepx_picture kind;
    const char *suffix;
} kinds[] = {
    {SEPX_PICTURE_SVG, "svg"},
    {SEPX_PICTURE_PNG, "png"},
    {SEPX_PICTURE_PDF, "pdf"},
};

static int
write_as(const struct work *work, const char *name, const char *suffix,
         const struct sepx_text *text)
{
    char file[256];

    snprintf(file, sizeof file, "%s.%s", name, suffix);
    return write_file(work, file, text);
}

/* Run a program that draws; it gets `input` and answers the picture. */
static int
render(const struct work *work, const struct figure *figure,
       const char *const *argv, const struct sepx_text *input,
       const char *suffix)
{
    struct sepx_text picture = {0};
    struct sepx_msg msg = {0};
    int status = 0;
    enum sepx_err err = child_run(argv, input, &picture, &status, &msg);

    if (err)
        status = cli_fail("reproduce", err, &msg);
    else if (status && !interrupt_seen())
        cli_say("reproduce", "'%s' failed with status %d at %s/%s.%s", argv[0],
                status, work->folder, figure->name, suffix);
    else if (!status)
        status = write_as(work, figure->name, suffix, &picture);
    if (interrupt_seen())
        status = CLI_STOPPED;
    sepx_text_release(&picture);
    return status && status != CLI_STOPPED ? CLI_FAILED : status;
}

static void
note_figure(struct work *work, const struct figure *figure, const char *source)
{
    struct sepx_json_writer *w = &work->figures;
    const char *const rows[][2] = {
        {"name", figure->name},       {"title", figure->title},
        {"source", source},           {"see", figure->see},
        {"differs", figure->differs}, {"made", figure->made},
    };

    sepx_json_open(w, '{');
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sepx_json_key(w, rows[i][0]);
        if (rows[i][1])
            sepx_json_put_string(w, rows[i][1]);
        else
            sepx_json_put_null(w);
    }
    sepx_json_close(w, '}');
}

int
work_plot(struct work *work, const struct figure *figure,
          enum sepx_err (*draw)(struct sepx_text *script, const void *what,
                                enum sepx_picture kind, struct sepx_msg *msg),
          const void *what)
{
    static const char *const argv[] = {"gnuplot", "-", NULL};
    int status = CLI_DONE;

    note_figure(work, figure, "gp");
    for (int i = 0; i < 3 && !status && work->pictures; i++) {
        struct sepx_text script = {0};
        struct sepx_msg msg = {0};
        enum sepx_err err = draw(&script, what, kinds[i].kind, &msg);

        if (err)
            status = cli_fail("reproduce", err, &msg);
        if (!status && kinds[i].kind == SEPX_PICTURE_SVG)
            status = write_as(work, figure->name, "gp", &script);
        if (!status)
            status = render(work, figure, argv, &script, kinds[i].suffix);
        sepx_text_release(&script);
    }
    return status;
}

int
work_graph(struct work *work, const struct figure *figure,
           const struct sepx_text *dot)
{
    int status = CLI_DONE;

    note_figure(work, figure, "dot");
    if (!work->pictures)
        return CLI_DONE;
    status = write_as(work, figure->name, "dot", dot);
    for (int i = 0; i < 3 && !status; i++) {
        char option[8];
        const char *argv[] = {"dot", option, NULL};

        snprintf(option, sizeof option, "-T%s", kinds[i].suffix);
        status = render(work, figure, argv, dot, kinds[i].suffix);
    }
    return status;
}

/* ---- tables and claims ---- */

void
work_table(struct work *work, const char *title, const char *const *head,
           size_t columns)
{
    struct sepx_json_writer *w = &work->tables;

    sepx_json_open(w, '{');
    sepx_json_add_string(w, "title", title);
    sepx_json_key(w, "head");
    sepx_json_open(w, '[');
    for (size_t i = 0; i < columns; i++)
        sepx_json_put_string(w, head[i]);
    sepx_json_close(w, ']');
    sepx_json_key(w, "rows");
    sepx_json_open(w, '[');
    sepx_json_open(w, '[');
}

void
work_cell(struct work *work, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sepx_json_put_string(&work->tables, text);
}

void
work_row(struct work *work)
{
    sepx_json_close(&work->tables, ']');
    sepx_json_open(&work->tables, '[');
}

void
work_table_end(struct work *work)
{
    sepx_json_close(&work->tables, ']');
    sepx_json_close(&work->tables, ']');
    sepx_json_close(&work->tables, '}');
}

void
work_claim(struct work *work, const struct outcome *o)
{
    struct sepx_json_writer *w = &work->claims;

    sepx_json_open(w, '{');
    sepx_json_add_string(w, "id", o->id);
    sepx_json_add_string(w, "verdict", verdict_names[o->verdict]);
    sepx_json_add_string(w, "test", o->test);
    sepx_json_add_number(w, "p", o->p);
    sepx_json_add_number(w, "effect", o->effect);
    sepx_json_add_count(w, "n", o->n);
    sepx_json_add_string(w, "detail", o->detail);
    sepx_json_close(w, '}');
}

/* ---- the end ---- */

/* The file that the item reads, or NULL. */
static const char *
data_of(const struct work *work)
{
    const struct paper_settings *s = work->paper->settings;

    if (work->item->reads == PAPER_TABLE)
        return s->table;
    return work->item->reads == PAPER_NB301 ? s->nb301 : NULL;
}

static void
put_data(struct sepx_json_writer *w, const struct work *work)
{
    const char *path = data_of(work);
    char hex[SEPX_SHA256_HEX];

    sepx_json_key(w, "data");
    if (!path || !sepx_sha256_file(hex, path)) {
        sepx_json_put_null(w);
        return;
    }
    sepx_json_open(w, '{');
    sepx_json_add_string(w, "path", path);
    sepx_json_add_string(w, "sha256", hex);
    sepx_json_close(w, '}');
}

/* All that the item's bytes depend on, as one number. */
static enum sepx_err
settings_of(const struct work *work, char hex[SEPX_SHA256_HEX])
{
    const struct paper_settings *s = work->paper->settings;
    const char *path = data_of(work);
    char data[SEPX_SHA256_HEX] = "none";
    struct sepx_text text = {0};
    enum sepx_err err;

    if (path)
        sepx_sha256_file(data, path);
    err = sepx_text_print(&text, "%s %s %d %lld %d %u %u %s", work->item->name,
                          SEPX_VERSION, REVISION, (long long)s->seed, s->quick,
                          work->runs, work->evals, data);
    if (!err)
        sepx_sha256_hex(hex, text.at, text.len);
    sepx_text_release(&text);
    return err;
}

static bool
file_is(const struct work *work, const char *name, const char *sum)
{
    char path[PAPER_PATH], hex[SEPX_SHA256_HEX];

    return name && paper_path(path, work->folder, name) &&
           sepx_sha256_file(hex, path) && (!sum || !strcmp(hex, sum));
}

/* Rows as they were written, and every picture there. */
static bool
files_are_there(const struct work *work)
{
    struct sepx_json *result = paper_json(work->folder, result_name);
    const struct sepx_json *csv = sepx_json_get(result, "csv");
    const struct sepx_json *figures = sepx_json_get(result, "figures");
    bool there = result;

    for (size_t i = 0; i < sepx_json_size(csv) && there; i++) {
        const struct sepx_json *row = sepx_json_at(csv, i);

        there = file_is(work, sepx_json_string(sepx_json_get(row, "name")),
                        sepx_json_string(sepx_json_get(row, "sha256")));
    }
    for (size_t i = 0; i < sepx_json_size(figures) && there; i++) {
        const char *name =
            sepx_json_string(sepx_json_get(sepx_json_at(figures, i), "name"));
        char file[256];

        snprintf(file, sizeof file, "%s.svg", name ? name : "");
        there = file_is(work, file, NULL);
    }
    sepx_json_free(result);
    return there;
}

bool
work_is_done(const struct work *work)
{
    struct sepx_json *done = paper_json(work->folder, done_name);
    const char *was = sepx_json_string(sepx_json_get(done, "settings"));
    char now[SEPX_SHA256_HEX];
    bool same = was && !settings_of(work, now) && !strcmp(was, now);

    sepx_json_free(done);
    return same && files_are_there(work);
}

static enum sepx_err
result_text(struct sepx_text *text, struct work *work)
{
    struct sepx_json_writer *part[] = {&work->figures, &work->tables,
                                       &work->claims, &work->files};
    static const char *const keys[] = {"figures", "tables", "claims", "csv"};
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "item", work->item->name);
    sepx_json_add_integer(&w, "seed", work->paper->settings->seed);
    sepx_json_add_integer(&w, "runs", work->runs);
    sepx_json_add_integer(&w, "evals", work->evals);
    sepx_json_add_bool(&w, "quick", work->paper->settings->quick);
    put_data(&w, work);
    for (int i = 0; i < 4 && !err; i++) {
        sepx_json_close(part[i], ']');
        err = sepx_json_done(part[i]);
        sepx_json_key(&w, keys[i]);
        if (!err)
            sepx_json_put_raw(&w, work->text[i].at);
    }
    sepx_json_close(&w, '}');
    return err ? err : sepx_json_done(&w);
}

static enum sepx_err
done_text(struct sepx_text *text, const struct work *work, double seconds)
{
    struct sepx_json_writer w;
    char hex[SEPX_SHA256_HEX];
    enum sepx_err err = settings_of(work, hex);

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "settings", hex);
    sepx_json_add_integer(&w, "seed", work->paper->settings->seed);
    sepx_json_add_string(&w, "version", SEPX_VERSION);
    sepx_json_add_number(&w, "seconds", round(1000 * seconds) / 1000);
    paper_put_made(&w);
    sepx_json_close(&w, '}');
    return err ? err : sepx_json_done(&w);
}

int
work_finish(struct work *work, double seconds)
{
    struct sepx_text result = {0}, done = {0};
    enum sepx_err err = result_text(&result, work);
    int status;

    if (!err)
        err = done_text(&done, work, seconds);
    status = err ? cli_fail("reproduce", err, NULL)
                 : write_file(work, result_name, &result);
    if (!status)
        status = write_file(work, done_name, &done);
    sepx_text_release(&result);
    sepx_text_release(&done);
    return status;
}
