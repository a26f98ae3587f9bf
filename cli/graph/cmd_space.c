/* SPDX-License-Identifier: Apache-2.0 */
/* sepx space: what a space allows, and whether a file describes one. */
#include "frame/cli.h"
#include "graph/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct settings {
    int64_t samples;
    uint64_t seed;
    double effort;
    const char *draw;
    bool json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"samples", 'n', OPTION_COUNT, AT(samples), "N", "3", .high = 1e6,
     .help = "number of random graphs that check prints"},
    {"seed", 0, OPTION_SEED, AT(seed), "N", "1",
     .help = "seed of the samples"},
    {"effort", 0, OPTION_NUMBER, AT(effort), "N", "1e6", 0, 1e12,
     .help = "count the graphs one by one if not more than N forms have to be "
             "looked at, else estimate"},
    {"draw", 'o', OPTION_FILE, AT(draw), "FILE",
     .help = "one drawing of all samples; the suffix .dot, .svg or .png sets "
             "the format"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "print one JSON object"},
    {0},
};

static const struct example examples[] = {
    {"space check my.json", "what the file allows, or what is wrong with it"},
    {"space check my.json -n 5 --draw five.svg", "with five graphs drawn"},
    {"space count my.json --effort 1e8", "how many graphs it has"},
    {"space show nb101 > my.json", "a file to start from"},
    {"space list", "the built-in spaces"},
    {0},
};
/* clang-format on */

static const char *const actions[] = {"check", "count", "list", "show", NULL};

/* ---- list and show ---- */

static int
list(const struct settings *settings)
{
    const struct sepx_space_info *const *row = sepx_space_list();
    struct out out = {0};
    struct sepx_json_writer w;
    int status;

    sepx_json_begin(&w, &out.text);
    if (settings->json)
        sepx_json_open(&w, '[');
    for (; *row; row++) {
        if (!settings->json) {
            out_print(&out, "%-8s %s\n", (*row)->name, (*row)->summary);
            continue;
        }
        sepx_json_open(&w, '{');
        sepx_json_add_string(&w, "name", (*row)->name);
        sepx_json_add_string(&w, "description", (*row)->summary);
        sepx_json_close(&w, '}');
    }
    if (settings->json) {
        sepx_json_close(&w, ']');
        out.err = sepx_json_done(&w);
        out_print(&out, "\n");
    }
    status = out_flush(&out);
    out_release(&out);
    return status;
}

/* Words of the command line are wrong usage, files are bad data. */
static int
open_space(struct sepx_space **space, const char *name)
{
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_space_open(space, name, &msg);
    bool file = strchr(name, '/') || strstr(name, ".json");

    if (err == SEPX_ENOTFOUND && !file)
        return cli_usage("space", "%s", msg.text);
    return err ? cli_fail("space", err, &msg) : CLI_DONE;
}

static int
show(const char *name)
{
    struct sepx_space *space;
    struct out out = {0};
    int status = open_space(&space, name);

    if (status)
        return status;
    out.err = sepx_space_write(&out.text, space);
    if (out.err == SEPX_EUNSUPPORTED) {
        cli_say("space",
                "no file can express %s; 'sepx space show nb101' is "
                "one to start from",
                name);
        status = CLI_FAILED;
    } else {
        if (!out.err && out.text.at[out.text.len - 1] != '\n')
            out_print(&out, "\n");
        status = out_flush(&out);
    }
    out_release(&out);
    sepx_space_close(space);
    return status;
}

/* ---- check ---- */

struct check {
    const struct settings *settings;
    struct sepx_space *space;
    struct sepx_space_size size;
    bool has_size;
    struct sepx_graphs samples;
    struct out out;
};

/* Built-in spaces are counted as files if they can be one. */
static enum sepx_err
count_graphs(struct check *check)
{
    struct sepx_space *space = NULL;
    struct sepx_text text = {0};
    enum sepx_err err = sepx_space_write(&text, check->space);

    if (!err)
        err = sepx_space_open_text(&space, text.at, text.len,
                                   sepx_space_info(check->space)->name, NULL);
    if (!err)
        err = sepx_space_count(space, &check->size,
                               (uint64_t)check->settings->effort);
    check->has_size = !err;
    sepx_space_close(space);
    sepx_text_release(&text);
    return err == SEPX_EUNSUPPORTED ? SEPX_OK : err;
}

/* A part of the one drawing that all samples share. */
static enum sepx_err
draw_sample(const struct check *check, int64_t index,
            const struct sepx_graph *graph, struct sepx_text *dot)
{
    char title[32], prefix[32];
    struct sepx_dot_style style = {.title = title, .prefix = prefix};

    snprintf(title, sizeof title, "sample %lld", (long long)index);
    snprintf(prefix, sizeof prefix, "s%lld_", (long long)index);
    style.pinned = sepx_space_pinned(check->space, &style.n_pinned);
    return sepx_dot_add(dot, graph, &style);
}

static enum sepx_err
print_sample(struct check *check, int64_t index, struct sepx_json_writer *w,
             struct sepx_text *dot)
{
    struct sepx_graph graph = {0};
    struct sepx_rng rng;
    enum sepx_err err;

    sepx_rng_init(&rng, check->settings->seed, 0, (uint32_t)index, 0);
    err = sepx_space_sample(check->space, &graph, &rng);
    if (!err && w)
        sepx_graph_put_json(w, &graph);
    else if (!err)
        err = sepx_graph_write_json(&check->out.text, &graph);
    if (!w)
        out_print(&check->out, "\n");
    if (!err && check->settings->draw)
        err = draw_sample(check, index, &graph, dot);
    sepx_graph_release(&graph);
    return err;
}

static enum sepx_err
print_samples(struct check *check, struct sepx_json_writer *w,
              struct sepx_text *dot)
{
    char title[320];
    enum sepx_err err;

    snprintf(title, sizeof title, "%s: samples of seed %llu",
             sepx_space_info(check->space)->name,
             (unsigned long long)check->settings->seed);
    err = sepx_dot_begin(dot, title, NULL);
    for (int64_t i = 0; i < check->settings->samples && !err; i++)
        err = print_sample(check, i, w, dot);
    return err ? err : sepx_dot_end(dot);
}

static void
print_size(struct check *check)
{
    const struct sepx_space_size *size = &check->size;
    struct out *out = &check->out;

    if (!check->has_size || isnan(size->log10_forms))
        out_print(out, "size: not known\n");
    else if (size->exact)
        out_print(out,
                  "size: %.0f graphs that are not isomorphic (counted), %.0f "
                  "in stored order\n",
                  size->classes, pow(10, size->log10_forms));
    else if (isnan(size->relative_error))
        out_print(out,
                  "size: not known; at most 10^%.1f graphs in stored order "
                  "(too few random ones were valid to tell)\n",
                  size->log10_forms);
    else
        out_print(out,
                  "size: about 10^%.2f graphs in stored order (estimated, "
                  "standard error %.1f %%), of which 10^%.2f or more are not "
                  "isomorphic\n",
                  size->log10_forms, 100 * size->relative_error,
                  floor(100 * size->log10_least) / 100);
}

static void
put_size(struct sepx_json_writer *w, const struct check *check)
{
    if (!check->has_size) {
        sepx_json_put_null(w);
        return;
    }
    sepx_json_open(w, '{');
    sepx_json_add_bool(w, "exact", check->size.exact);
    sepx_json_add_number(w, "classes", check->size.classes);
    sepx_json_add_number(w, "log10_forms", check->size.log10_forms);
    sepx_json_add_number(w, "log10_classes_least", check->size.log10_least);
    sepx_json_add_number(w, "relative_error", check->size.relative_error);
    sepx_json_close(w, '}');
}

static enum sepx_err
write_json(struct check *check, struct sepx_text *dot)
{
    const struct sepx_space_info *info = sepx_space_info(check->space);
    struct sepx_text file = {0};
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &check->out.text);
    sepx_json_open(&w, '{');
    sepx_json_add_string(&w, "name", info->name);
    sepx_json_add_string(&w, "description", info->summary);
    sepx_json_add_integer(&w, "variables", sepx_space_variables(check->space));
    sepx_json_key(&w, "size");
    put_size(&w, check);
    sepx_json_key(&w, "samples");
    sepx_json_open(&w, '[');
    err = print_samples(check, &w, dot);
    sepx_json_close(&w, ']');
    if (!err && !sepx_space_write(&file, check->space)) {
        sepx_json_key(&w, "file");
        sepx_json_put_raw(&w, file.at);
    }
    sepx_json_close(&w, '}');
    out_print(&check->out, "\n");
    sepx_text_release(&file);
    return err ? err : sepx_json_done(&w);
}

static enum sepx_err
write_text(struct check *check, struct sepx_text *dot)
{
    enum sepx_err err = sepx_space_explain(&check->out.text, check->space);

    if (err)
        return err;
    print_size(check);
    if (check->settings->samples)
        out_print(&check->out, "samples of seed %llu:\n",
                  (unsigned long long)check->settings->seed);
    return print_samples(check, NULL, dot);
}

static int
check_space(const struct settings *settings, const char *name)
{
    struct check check = {.settings = settings};
    struct sepx_text dot = {0};
    const char *format = NULL;
    enum sepx_err err;
    int status = open_space(&check.space, name);

    if (!status && settings->draw && !settings->samples)
        status = cli_usage("space", "--draw needs samples; leave out "
                                    "'--samples 0'");
    if (!status && settings->draw)
        status = picture_format("space", &format, NULL, settings->draw);
    if (!status) {
        err = count_graphs(&check);
        if (!err)
            err = settings->json ? write_json(&check, &dot)
                                 : write_text(&check, &dot);
        status = err ? cli_fail("space", err, NULL) : out_flush(&check.out);
    }
    if (!status && settings->draw)
        status = picture_write("space", &dot, format, settings->draw);
    out_release(&check.out);
    sepx_text_release(&dot);
    sepx_space_close(check.space);
    return status;
}

/* ---- count ---- */

static int
count_space(const struct settings *settings, const char *name)
{
    struct check check = {.settings = settings};
    struct sepx_json_writer w;
    enum sepx_err err;
    int status = open_space(&check.space, name);

    if (status)
        return status;
    err = count_graphs(&check);
    sepx_json_begin(&w, &check.out.text);
    if (!err && settings->json) {
        put_size(&w, &check);
        err = sepx_json_done(&w);
        out_print(&check.out, "\n");
    } else if (!err) {
        print_size(&check);
    }
    status = err ? cli_fail("space", err, NULL) : out_flush(&check.out);
    out_release(&check.out);
    sepx_space_close(check.space);
    return status;
}

/* ---- the command ---- */

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    const char *action = call->operand[0];
    const char *name = call->n_operands > 1 ? call->operand[1] : NULL;

    if (!strcmp(action, "list") && !name)
        return list(settings);
    if (!strcmp(action, "list"))
        return cli_usage("space", "unexpected operand '%s'", name);
    if (strcmp(action, "check") && strcmp(action, "count") &&
        strcmp(action, "show"))
        return cli_unknown("space", "action", action, actions);
    if (!name)
        return cli_usage("space",
                         "%s needs a space; add the name of one, or "
                         "a file",
                         action);
    if (!strcmp(action, "count"))
        return count_space(settings, name);
    return strcmp(action, "check") ? show(name) : check_space(settings, name);
}

static const char *const synopsis[] = {"check [OPTION...] FILE|NAME",
                                       "count [OPTION...] FILE|NAME",
                                       "show FILE|NAME", "list", NULL};

const struct command command_space = {
    .name = "space",
    .group = GROUP_SPACES,
    .summary = "explain a space, or check the file that describes one",
    COMMAND_PARTS,
    .about =
        "check reads a file that describes a space and says what is wrong with "
        "it: file, line, key, value and remedy, with exit code 65. If nothing "
        "is, it explains the space in words, counts or estimates how many "
        "graphs it has, and prints random ones. A form, or graph in stored "
        "order, has its inputs first and its outputs last, and no edge leads "
        "back if there are no cycles; isomorphic graphs can be several "
        "forms. count only says how many graphs there are.\n\n"
        "show prints a space as such a file, with every setting that holds; "
        "of the built-in ones, nb101 can be one. list names the built-in "
        "spaces. docs/spaces.md explains the keys of the file.",
    .operands = actions,
    .least_operands = 1,
    .most_operands = 2,
    .settings_size = sizeof(struct settings),
};
