/* SPDX-License-Identifier: Apache-2.0 */
/* sepx theory: grids as rows and as pictures. */
#include "research/theory_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frame/display.h"

enum { PATH_BYTES = 4096 };

/* ---- one grid in one format ---- */

static enum sepx_err
write_json(struct sepx_text *text, const struct sepx_theory_grid *grid)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, text);
    sepx_theory_grid_put_json(&w, grid);
    err = sepx_json_done(&w);
    return err ? err : sepx_text_add(text, "\n", 1);
}

static int
run_gnuplot(struct sepx_text *picture, const struct sepx_text *script)
{
    static const char *const argv[] = {"gnuplot", "-", NULL};
    struct sepx_msg msg = {0};
    int status = 0;
    enum sepx_err err = child_run(argv, script, picture, &status, &msg);

    if (err)
        return cli_fail("theory", err, &msg);
    if (status == 127)
        cli_say("theory", "'gnuplot' is not there, a picture needs it; "
                          "install the package 'gnuplot-nox', or use "
                          "--format gp");
    else if (status && !interrupt_seen())
        cli_say("theory", "'gnuplot' failed with status %d", status);
    return status ? CLI_FAILED : CLI_DONE;
}

static int
make_picture(struct sepx_text *text, const struct sepx_theory_grid *grid,
             const char *format)
{
    enum sepx_picture kind =
        strcmp(format, "png") ? SEPX_PICTURE_SVG : SEPX_PICTURE_PNG;
    struct sepx_text script = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_theory_grid_draw(&script, grid, 0, kind, &msg);
    int status;

    if (err)
        status = cli_fail("theory", err, &msg);
    else if (strcmp(format, "gp"))
        status = run_gnuplot(text, &script);
    else
        status = (err = sepx_text_add(text, script.at, script.len))
                     ? cli_fail("theory", err, NULL)
                     : CLI_DONE;
    sepx_text_release(&script);
    return status;
}

static int
make(struct sepx_text *text, const struct sepx_theory_grid *grid,
     const char *format)
{
    enum sepx_err err;

    if (strcmp(format, "csv") && strcmp(format, "json"))
        return make_picture(text, grid, format);
    err = strcmp(format, "csv") ? write_json(text, grid)
                                : sepx_theory_grid_write_csv(text, grid);
    return err ? cli_fail("theory", err, NULL) : CLI_DONE;
}

/* To a file, or to standard output if `path` is NULL. */
static int
write_grid(const struct sepx_theory_grid *grid, const char *format,
           const char *path)
{
    struct sepx_msg msg = {0};
    struct out out = {0};
    int status = make(&out.text, grid, format);
    enum sepx_err err;

    if (!status && !path)
        status = out_flush(&out);
    else if (!status) {
        err = sepx_file_write(path, out.text.at, out.text.len, &msg);
        status = err ? cli_fail("theory", err, &msg) : CLI_DONE;
    }
    out_release(&out);
    return status;
}

/* ---- the format that the user wants ---- */

/* By --format or --json, else by the suffix; NULL: unknown. */
static const char *
format_of(const struct theory_settings *settings)
{
    static const char *const known[] = {"csv", "json", "gp", "svg", "png"};
    const char *suffix;

    if (settings->format)
        return settings->format;
    if (settings->json)
        return "json";
    if (!settings->output)
        return "csv";
    suffix = strrchr(settings->output, '.');
    for (size_t i = 0; suffix && i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(suffix + 1, known[i]))
            return known[i];
    return NULL;
}

static int
run_plan(const struct theory_settings *settings,
         const struct sepx_theory_plan *plan)
{
    const char *format = format_of(settings);
    struct sepx_theory_grid grid = {0};
    struct sepx_msg msg = {0};
    int status;

    if (!format)
        return cli_usage("theory",
                         "'%s' has no known suffix; add --format csv, json, "
                         "gp, svg or png",
                         settings->output);
    if (!strcmp(format, "png") && !settings->output && isatty(STDOUT_FILENO))
        return cli_usage("theory", "a PNG file is not for a terminal; add "
                                   "-o FILE.png");
    if (sepx_theory_grid_fill(&grid, plan, &msg))
        return cli_usage("theory", "%s", msg.text);
    status = write_grid(&grid, format, settings->output);
    sepx_theory_grid_release(&grid);
    return status;
}

/* ---- --map ---- */

static int
read_bound(enum sepx_bound *which, const char *name)
{
#define X(id, text, about) text,
    static const char *const names[] = {SEPX_BOUNDS(X) NULL};
#undef X

    *which = sepx_bound_find(name);
    if (*which == SEPX_BOUND_NONE)
        return cli_unknown("theory", "bound", name, names);
    return CLI_DONE;
}

static int
read_map(struct sepx_theory_plan *plan, const char *map)
{
    char name[32];
    char *dash;
    int status;

    if (strlen(map) >= sizeof name)
        return cli_usage("theory", "--map '%s' is not A or A-B", map);
    strcpy(name, map);
    dash = strchr(name, '-');
    if (dash)
        *dash = 0;
    status = read_bound(&plan->a, name);
    return status || !dash ? status : read_bound(&plan->b, dash + 1);
}

int
theory_run_map(const struct theory_settings *settings,
               const struct sepx_theory *at, const struct theory_values *values)
{
    struct sepx_theory_plan plan = {.at = *at};
    struct sepx_theory_axis *axis[] = {&plan.x, &plan.y};
    unsigned axes = 0;
    int status = read_map(&plan, settings->map);

    if (status)
        return status;
    for (unsigned i = 0; i < SEPX_AXIS_END; i++) {
        if (values->count[i] < 2)
            continue;
        if (axes < 2)
            *axis[axes] =
                (struct sepx_theory_axis){i, values->at[i], values->count[i]};
        axes++;
    }
    if (axes != 2)
        return cli_usage("theory",
                         "a map needs exactly two options with several "
                         "values, here are %u; for example --d-opt 0..10 "
                         "--d-12 0..10",
                         axes);
    return run_plan(settings, &plan);
}

/* ---- the paper's figures ---- */

static int
unknown_figure(const char *name)
{
    const char *names[64] = {NULL};
    size_t count;
    const struct sepx_theory_figure *figure = sepx_theory_figures(&count);

    for (size_t i = 0; i < count && i < 63; i++)
        names[i] = figure[i].name;
    return cli_unknown("theory", "figure", name, names);
}

int
theory_run_figure(const struct theory_settings *settings)
{
    const struct sepx_theory_figure *figure =
        sepx_theory_figure_find(settings->figure);

    return figure ? run_plan(settings, &figure->plan)
                  : unknown_figure(settings->figure);
}

static int
write_figure(const struct sepx_theory_figure *figure, const char *folder)
{
    static const char *const formats[] = {"csv", "svg", "png"};
    struct sepx_theory_grid grid = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_theory_grid_fill(&grid, &figure->plan, &msg);
    int status = err ? cli_fail("theory", err, &msg) : CLI_DONE;

    for (int i = 0; i < 3 && !status; i++) {
        char path[PATH_BYTES];

        if (snprintf(path, sizeof path, "%s/%s.%s", folder, figure->name,
                     formats[i]) >= PATH_BYTES)
            status = cli_usage("theory", "the name of the folder is too long");
        else
            status = write_grid(&grid, formats[i], path);
    }
    sepx_theory_grid_release(&grid);
    return status;
}

int
theory_run_all_figures(const struct theory_settings *settings)
{
    int status = CLI_DONE;
    size_t count;
    const struct sepx_theory_figure *figure = sepx_theory_figures(&count);

    if (mkdir(settings->all_figures, 0777) && errno != EEXIST) {
        cli_say("theory", "cannot make the folder '%s': %s",
                settings->all_figures, strerror(errno));
        return CLI_FAILED;
    }
    for (size_t i = 0; i < count && !status; i++) {
        progress_show("figures", i, count);
        status = write_figure(&figure[i], settings->all_figures);
    }
    display_end();
    return status;
}
