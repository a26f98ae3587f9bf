/* SPDX-License-Identifier: Apache-2.0 */
/* sepx reproduce: the paper, item by item. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/display.h"
#include "paper.h"

#define AT(member) offsetof(struct paper_settings, member)

/* clang-format off */
static const struct option options[] = {
    {"quick", 0, OPTION_FLAG, AT(quick),
     .help = "fewer and shorter runs, under a minute in all; the report says "
             "so at its top"},
    {"out", 'o', OPTION_FILE, AT(out), "DIR", "reproduction",
     .help = "where the report and all files go; what is finished there is "
             "kept"},
    {"list", 'l', OPTION_FLAG, AT(list),
     .help = "list the items, what they need and how long they take"},
    {"verify", 0, OPTION_FILE, AT(verify), "DIR",
     .help = "repeat a sample of what was made there, and compare"},
    {"seed", 0, OPTION_COUNT, AT(seed), "N", "1", .high = 1e15,
     .help = "the first seed; everything drawn follows from it"},
    {"runs", 0, OPTION_COUNT, AT(runs), "N", NULL, 1, 1e6,
     .help = "limit on the runs of each method"},
    {"evals", 0, OPTION_COUNT, AT(evals), "N", NULL, 1, 1e6,
     .help = "limit on the evaluations of each run"},
    {"table", 0, OPTION_FILE, AT(table), "FILE",
     .help = "table of NAS-Bench-101 for the noisy items; a surrogate stands "
             "in without it"},
    {"nb301", 0, OPTION_FILE, AT(nb301), "FILE",
     .help = "surrogate of NAS-Bench-301"},
    {"threads", 0, OPTION_COUNT, AT(threads), "N", "0", .high = 1024,
     .help = "number of threads, 0 for one per processor; the result is the "
             "same"},
    {"python", 0, OPTION_FILE, AT(python), "PROGRAM", "/usr/bin/python3",
     .help = "the Python that has networkx"},
    {0},
};

static const struct example examples[] = {
    {"reproduce", "everything, with the paper's run counts, into "
                  "reproduction/report.html"},
    {"reproduce --quick --out look", "the same with fewer runs, in a minute"},
    {"reproduce noise-free-nb101 ged-time", "two items"},
    {"reproduce --verify reproduction", "does it come out the same again?"},
    {0},
};
/* clang-format on */

/* ---- --list ---- */

static void
print_seconds(struct out *out, double seconds)
{
    char text[32];

    snprintf(text, sizeof text, seconds < 100 ? "%.0f s" : "%.0f min",
             seconds < 100 ? seconds : seconds / 60);
    out_print(out, "%9s", text);
}

static int
list(const struct paper_settings *settings)
{
    struct out out = {0};
    int status;

    out_print(&out, "%-18s %8s %8s  %-22s %s\n", "item", "time", "--quick",
              "in the paper", "needs");
    for (const struct paper_item *item = paper_items; item->name; item++) {
        const char *missing = item->missing ? item->missing(settings) : NULL;

        out_print(&out, "%-18s", item->name);
        print_seconds(&out, item->seconds);
        print_seconds(&out, item->hurry);
        out_print(&out, "  %-22s %s\n", item->place,
                  missing ? missing : item->needs);
    }
    status = out_flush(&out);
    out_release(&out);
    return status;
}

/* ---- what is needed ---- */

static int
need_program(const char *program, const char *option, const char *package)
{
    const char *argv[] = {program, option, NULL};
    struct sepx_text nothing = {0}, output = {0};
    struct sepx_msg msg = {0};
    int status = 0;
    enum sepx_err err = child_run(argv, &nothing, &output, &status, &msg);

    sepx_text_release(&output);
    if (err)
        return cli_fail("reproduce", err, &msg);
    if (status)
        cli_say("reproduce",
                "'%s' is not there, the figures need it; install the package "
                "'%s'",
                program, package);
    return status ? CLI_FAILED : CLI_DONE;
}

/* ---- items ---- */

static bool
wanted(const struct call *call, const struct paper_item *item)
{
    for (unsigned i = 0; i < call->n_operands; i++)
        if (!strcmp(call->operand[i], item->name))
            return true;
    return !call->n_operands;
}

static int
check_names(const struct call *call)
{
    const char *names[64] = {NULL};

    for (size_t i = 0; i < 63 && paper_items[i].name; i++)
        names[i] = paper_items[i].name;
    for (unsigned i = 0; i < call->n_operands; i++)
        if (!paper_item_find(call->operand[i]))
            return cli_unknown("reproduce", "item", call->operand[i], names);
    return CLI_DONE;
}

/* The mark of an earlier end goes first: from now on it is not finished. */
static int
begin(const struct work *work)
{
    char path[PAPER_PATH];
    int status = paper_mkdir(work->folder);

    if (!status && !paper_path(path, work->folder, "done.json"))
        status = CLI_FAILED;
    if (!status)
        unlink(path);
    return status;
}

static int
make_item(struct paper *paper, const struct paper_item *item)
{
    const char *missing = item->missing ? item->missing(paper->settings) : NULL;
    double start = sepx_clock();
    struct work work;
    int status;

    if (missing) {
        cli_say("reproduce", "%s: skipped; %s", item->name, missing);
        return CLI_DONE;
    }
    work_open(&work, paper, item, paper->folder);
    if (work_is_done(&work)) {
        cli_say("reproduce", "%s: there already", item->name);
        work_close(&work);
        return CLI_DONE;
    }
    status = begin(&work);
    if (!status)
        status = item->make(&work);
    if (!status)
        status = work_finish(&work, sepx_clock() - start);
    display_end();
    paper->weight_made += work_weight(paper->settings, item);
    if (!status)
        cli_say("reproduce", "%s: done in %.1f s", item->name,
                sepx_clock() - start);
    work_close(&work);
    return status;
}

static int
make_items(struct paper *paper, const struct call *call)
{
    int status = CLI_DONE;

    for (const struct paper_item *item = paper_items; item->name; item++) {
        if (!wanted(call, item))
            continue;
        paper->weight_all += work_weight(paper->settings, item);
        paper->count++;
    }
    for (const struct paper_item *item = paper_items; item->name && !status;
         item++) {
        if (!wanted(call, item))
            continue;
        paper->number++;
        status = make_item(paper, item);
        paper->weight_before += work_weight(paper->settings, item);
    }
    return status;
}

static int
reproduce(struct paper *paper, const struct call *call)
{
    int status = need_program("gnuplot", "--version", "gnuplot-nox");
    int told;

    if (!status)
        status = need_program("dot", "-?", "graphviz");
    if (!status)
        status = paper_mkdir(paper->folder);
    if (status)
        return status;
    interrupt_catch();
    status = make_items(paper, call);
    told = page_write(paper);
    if (!told)
        told = manifest_write(paper);
    if (status == CLI_STOPPED)
        cli_say("reproduce", "stopped; the same command resumes from here");
    if (!told && (!status || status == CLI_STOPPED))
        cli_say("reproduce", "the page is %s/report.html", paper->folder);
    return status ? status : told;
}

static int
run(const struct call *call)
{
    const struct paper_settings *settings = call->settings;
    struct paper paper = {.settings = settings,
                          .folder = settings->verify ? settings->verify
                                                     : settings->out,
                          .started = sepx_clock()};
    int status = check_names(call);

    if (status)
        return status;
    if (settings->list)
        return list(settings);
    if (settings->verify)
        return verify_run(&paper, call->operand, call->n_operands);
    return reproduce(&paper, call);
}

static void
list_names(struct out *out)
{
    for (const struct paper_item *item = paper_items; item->name; item++)
        out_print(out, "%s\n", item->name);
}

static const char *const synopsis[] = {"[OPTION...] [ITEM...]",
                                       "--verify DIR [ITEM...]", NULL};

const struct command command_reproduce = {
    .name = "reproduce",
    .group = GROUP_PAPER,
    .summary = "make the paper's figures and tables, and check its claims",
    .synopsis = synopsis,
    .about =
        "Runs the paper's experiments (all ITEMs unless given, see --list), "
        "draws their figures, tests each claim and writes one page, "
        "DIR/report.html, that opens without a network. Beside it each item "
        "has a folder with its rows (CSV), scripts (gnuplot, Graphviz) and "
        "pictures (SVG, PNG, PDF), and manifest.json says how all was "
        "made.\n\n"
        "Items that are finished in DIR, with the same settings and version, "
        "are kept, so a call that was stopped continues where it was. The same "
        "seed gives the same rows; only times differ.\n\n"
        "Figures are drawn by gnuplot and Graphviz's 'dot', which must be "
        "installed.",
    .options = options,
    .examples = examples,
    .operand_list = list_names,
    .most_operands = 64,
    .settings_size = sizeof(struct paper_settings),
    .run = run,
};
