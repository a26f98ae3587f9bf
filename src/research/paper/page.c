/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page that carries all it shows: no script, no font, no request. It is
 * made of the items' files alone; when and where is in one paragraph.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paper.h"

static const char css[] = {
#include "page_css.inc"
};

enum { ITEMS_MAX = 32 };

/* What the folder holds, by the position of the item. */
struct page {
    const struct paper *paper;
    struct sepx_json *done[ITEMS_MAX];   /* when and where; NULL: not made */
    struct sepx_json *result[ITEMS_MAX]; /* NULL: not made */
    struct out out;
    unsigned verdicts[VERDICTS + 1]; /* the last: not tested */
};

enum { UNTESTED = VERDICTS };

static const struct {
    const char *class, *mark;
} looks[] = {
    [HOLDS] = {"good", "✓"},    [NOT_SHOWN] = {"weak", "○"},
    [REVERSED] = {"bad", "✗"},  [MISSED] = {"weak", "△"},
    [UNTESTED] = {"none", "–"},
};

static const char *
verdict_text(int verdict)
{
    return verdict == UNTESTED ? "not tested" : verdict_names[verdict];
}

/* ---- small helpers ---- */

static void
put(struct page *page, const char *html)
{
    out_print(&page->out, "%s", html);
}

/* Text as it is, between what comes before and behind it. */
static void
put_text(struct page *page, const char *before, const char *text,
         const char *behind)
{
    put(page, before);
    if (!page->out.err)
        page->out.err = sepx_html_text(&page->out.text, text ? text : "");
    put(page, behind);
}

static const char *
member(const struct sepx_json *object, const char *key)
{
    return sepx_json_string(sepx_json_get(object, key));
}

/* ---- what is there ---- */

static void
load(struct page *page)
{
    for (size_t i = 0; i < ITEMS_MAX && paper_items[i].name; i++) {
        char folder[PAPER_PATH];

        if (!paper_path(folder, page->paper->folder, paper_items[i].name))
            continue;
        page->done[i] = paper_json(folder, "done.json");
        if (page->done[i])
            page->result[i] = paper_json(folder, "result.json");
    }
}

static const struct sepx_json *
result_of(const struct page *page, const char *item)
{
    for (size_t i = 0; i < ITEMS_MAX && paper_items[i].name; i++)
        if (!strcmp(paper_items[i].name, item))
            return page->result[i];
    return NULL;
}

/* What an item said about a claim; NULL: nothing. */
static const struct sepx_json *
outcome_of(const struct page *page, const struct paper_claim *claim)
{
    const struct sepx_json *all =
        sepx_json_get(result_of(page, claim->item), "claims");

    for (size_t i = 0; i < sepx_json_size(all); i++) {
        const struct sepx_json *one = sepx_json_at(all, i);
        const char *id = member(one, "id");

        if (id && !strcmp(id, claim->id))
            return one;
    }
    return NULL;
}

static int
verdict_of(const struct sepx_json *outcome)
{
    const char *verdict = member(outcome, "verdict");

    for (int i = 0; i < VERDICTS && verdict; i++)
        if (!strcmp(verdict, verdict_names[i]))
            return i;
    return UNTESTED;
}

/* ---- claims ---- */

static void
put_statistic(struct page *page, const struct sepx_json *o)
{
    double p = sepx_json_number(sepx_json_get(o, "p"), NAN);
    double effect = sepx_json_number(sepx_json_get(o, "effect"), NAN);

    put_text(page, "<td class=\"stat\">", member(o, "test"), "");
    if (!isnan(p))
        out_print(&page->out, p < 1e-300 ? "; p &lt; 1e-300" : "; p = %.2g", p);
    if (!isnan(effect))
        out_print(&page->out, "; effect %.2f", effect);
    out_print(&page->out, "; n = %lld<br>",
              (long long)sepx_json_integer(sepx_json_get(o, "n"), 0));
    put_text(page, "", member(o, "detail"), "</td>");
}

static void
put_claim(struct page *page, const struct paper_claim *claim)
{
    const struct sepx_json *o = outcome_of(page, claim);
    int verdict = verdict_of(o);

    put_text(page, "<tr><td><a href=\"#", claim->item, "\">");
    put_text(page, "", claim->text, "</a></td>");
    put_text(page, "<td class=\"place\">", claim->place, "</td>");
    out_print(&page->out, "<td><span class=\"badge %s\">%s %s</span></td>",
              looks[verdict].class, looks[verdict].mark, verdict_text(verdict));
    if (o)
        put_statistic(page, o);
    else if (result_of(page, claim->item))
        put(page, "<td class=\"stat\">the data at hand cannot tell</td>");
    else
        put_text(page, "<td class=\"stat\">sepx reproduce ", claim->item,
                 "</td>");
    put(page, "</tr>\n");
}

static void
put_claims(struct page *page)
{
    put(page, "<section id=\"claims\"><h2>What the paper claims, and what "
              "came out here</h2>\n<div class=\"box\"><table class=\"claims\">"
              "<thead><tr><th>Claim</th><th>Where</th><th>Verdict</th>"
              "<th>Statistic</th></tr></thead><tbody>\n");
    for (const struct paper_claim *c = paper_claims; c->id; c++)
        put_claim(page, c);
    put(page,
        "</tbody></table></div>\n<p class=\"soft\">Methods are compared by "
        "two-sided Mann-Whitney tests at 5 %, not corrected for their number; "
        "the effect is the chance that a run of the one is better than a run "
        "of the other, ties counting half. <i>Not shown</i>: no difference at "
        "5 %. <i>Reversed</i>: a difference, the other way. Claims about maps "
        "are exact counts of cells, whose effect is the share: <i>threshold "
        "missed</i> is fewer than the claim asks for, <i>reversed</i> more "
        "against it than for it. A claim about several methods holds if it "
        "does against each; the hardest one is shown. Rows marked “control” "
        "are ours.</p></section>\n");
}

static void
tally(struct page *page)
{
    for (const struct paper_claim *c = paper_claims; c->id; c++)
        page->verdicts[verdict_of(outcome_of(page, c))]++;
    put(page, "<ul class=\"tally\">");
    for (int i = 0; i <= UNTESTED; i++)
        out_print(&page->out, "<li class=\"%s\"><b>%u</b> %s</li>",
                  looks[i].class, page->verdicts[i],
                  i == HOLDS && page->verdicts[i] != 1 ? "hold"
                                                       : verdict_text(i));
    put(page, "</ul>\n");
}

/* ---- figures ---- */

static void
read_picture(struct sepx_text *svg, const struct page *page, const char *item,
             const char *name)
{
    char path[PAPER_PATH], file[512];

    snprintf(file, sizeof file, "%s/%s.svg", item, name);
    if (paper_path(path, page->paper->folder, file) &&
        sepx_file_read(svg, path, PAPER_BYTES_MAX, NULL))
        sepx_text_release(svg);
}

/* Pictures whose letters would be too small in half a page. */
static bool
is_wide(const struct sepx_text *svg)
{
    const char *box = svg->at ? strstr(svg->at, "viewBox=\"") : NULL;
    double left, top, width, height;

    return box &&
           sscanf(box + 9, "%lf %lf %lf %lf", &left, &top, &width, &height) ==
               4 &&
           (width > 1000 || width > 2.1 * height);
}

static void
put_files(struct page *page, const char *item, const struct sepx_json *figure)
{
    const char *name = member(figure, "name");
    const char *const suffix[] = {"svg", "png", "pdf",
                                  member(figure, "source")};

    put(page, "<p class=\"soft\">Files:");
    for (int i = 0; i < 4; i++)
        if (suffix[i])
            out_print(&page->out, " <a href=\"%s/%s.%s\">%s</a>", item, name,
                      suffix[i], suffix[i]);
    put(page, "</p>");
}

static void
put_figure(struct page *page, const char *item, const struct sepx_json *figure)
{
    const char *name = member(figure, "name");
    const char *title = member(figure, "title");
    struct sepx_text svg = {0};
    char prefix[256];

    if (!name || !title)
        return;
    read_picture(&svg, page, item, name);
    out_print(&page->out, "<figure%s><a href=\"%s/%s.svg\">",
              is_wide(&svg) ? " class=\"wide\"" : "", item, name);
    snprintf(prefix, sizeof prefix, "%s-%s-", item, name);
    if (!page->out.err && (!svg.at || sepx_svg_inline(&page->out.text, svg.at,
                                                      svg.len, prefix, title)))
        put(page, "<p class=\"soft\">The picture is not there.</p>");
    sepx_text_release(&svg);
    put_text(page, "</a><figcaption><p><b>", title, ".</b> ");
    put_text(page, "", member(figure, "see"), "</p>");
    put_text(page, "<p>Made by <code>", member(figure, "made"), "</code></p>");
    put_text(page,
             "<p class=\"soft\">Against the paper: ", member(figure, "differs"),
             "</p>");
    put_files(page, item, figure);
    put(page, "</figcaption></figure>\n");
}

static void
put_table(struct page *page, const struct sepx_json *table)
{
    const struct sepx_json *head = sepx_json_get(table, "head");
    const struct sepx_json *rows = sepx_json_get(table, "rows");

    put_text(page, "<h3>", member(table, "title"),
             "</h3><div class=\"box\"><table class=\"numbers\"><thead><tr>");
    for (size_t i = 0; i < sepx_json_size(head); i++)
        put_text(page, "<th>", sepx_json_string(sepx_json_at(head, i)),
                 "</th>");
    put(page, "</tr></thead><tbody>");
    for (size_t r = 0; r < sepx_json_size(rows); r++) {
        const struct sepx_json *row = sepx_json_at(rows, r);

        put(page, "<tr>");
        for (size_t i = 0; i < sepx_json_size(row); i++)
            put_text(page, "<td>", sepx_json_string(sepx_json_at(row, i)),
                     "</td>");
        put(page, "</tr>");
    }
    put(page, "</tbody></table></div>\n");
}

/* ---- items ---- */

static long long
count_of(const struct sepx_json *result, const char *key)
{
    return (long long)sepx_json_integer(sepx_json_get(result, key), 0);
}

static bool
is_shortened(const struct paper_item *item, const struct sepx_json *result)
{
    return item->runs && (count_of(result, "runs") < item->runs ||
                          count_of(result, "evals") < item->evals);
}

static void
put_counts(struct page *page, const struct paper_item *item,
           const struct sepx_json *result)
{
    if (item->runs)
        out_print(&page->out,
                  "; %lld runs of each method, %lld evaluations each",
                  count_of(result, "runs"), count_of(result, "evals"));
    if (is_shortened(item, result))
        out_print(&page->out, " (the paper: %u and %u)", item->runs,
                  item->evals);
    out_print(&page->out, "; seed %lld",
              (long long)sepx_json_integer(sepx_json_get(result, "seed"), 0));
}

static void
put_rows(struct page *page, const char *item, const struct sepx_json *result)
{
    const struct sepx_json *csv = sepx_json_get(result, "csv");

    put(page, "<p class=\"soft\">Rows:");
    for (size_t i = 0; i < sepx_json_size(csv); i++) {
        const char *name = member(sepx_json_at(csv, i), "name");

        if (name)
            out_print(&page->out, " <a href=\"%s/%s\">%s</a>", item, name,
                      name);
    }
    put(page, "</p>\n");
}

static void
put_item(struct page *page, const struct paper_item *item,
         const struct sepx_json *result)
{
    const struct sepx_json *figures = sepx_json_get(result, "figures");
    const struct sepx_json *tables = sepx_json_get(result, "tables");

    out_print(&page->out, "<section id=\"%s\">", item->name);
    put_text(page, "<h2>", item->title, "</h2>");
    put_text(page, "<p class=\"soft\">", item->place, "");
    if (result)
        put_counts(page, item, result);
    else
        put_text(page, "; not made. Needs ", item->needs, "");
    put(page, "</p>\n");
    if (sepx_json_size(figures)) {
        put(page, "<div class=\"figures\">\n");
        for (size_t i = 0; i < sepx_json_size(figures); i++)
            put_figure(page, item->name, sepx_json_at(figures, i));
        put(page, "</div>\n");
    }
    for (size_t i = 0; i < sepx_json_size(tables); i++)
        put_table(page, sepx_json_at(tables, i));
    if (result)
        put_rows(page, item->name, result);
    put(page, "</section>\n");
}

/* ---- how it was made ---- */

/* At the top of a page whose numbers are not those of the paper's counts. */
static void
put_warning(struct page *page)
{
    unsigned shortened = 0, quick = 0;

    for (size_t i = 0; i < ITEMS_MAX && paper_items[i].name; i++) {
        shortened +=
            is_shortened(&paper_items[i], page->result[i]) && page->result[i];
        quick += sepx_json_bool(sepx_json_get(page->result[i], "quick"), false);
    }
    if (!shortened && !quick)
        return;
    put(page, quick ? "<div class=\"warning\"><p><b>A quick look, not the "
                      "paper's experiments.</b> "
                    : "<div class=\"warning\"><p><b>Fewer runs than the "
                      "paper's.</b> ");
    put(page, "Verdicts of short searches may differ from those of the full "
              "ones; <code>sepx reproduce</code> without <code>--quick</code>, "
              "<code>--runs</code> and <code>--evals</code> makes those. Runs "
              "of each method × evaluations, here (in the paper):</p><p>");
    for (size_t i = 0; i < ITEMS_MAX && paper_items[i].name; i++) {
        const struct paper_item *item = &paper_items[i];

        if (page->result[i] && is_shortened(item, page->result[i]))
            out_print(&page->out, "<span>%s %lld × %lld (%u × %u)</span> ",
                      item->name, count_of(page->result[i], "runs"),
                      count_of(page->result[i], "evals"), item->runs,
                      item->evals);
    }
    put(page, "</p></div>\n");
}

/* The one line of the page that differs between equal calls. */
static void
put_made(struct page *page)
{
    const char *last = NULL, *machine = NULL;
    double seconds = 0;
    unsigned made = 0, all = 0;

    for (; all < ITEMS_MAX && paper_items[all].name; all++) {
        const struct sepx_json *done = page->done[all];
        const char *finished = member(done, "finished");

        if (!page->result[all])
            continue;
        made++;
        seconds += sepx_json_number(sepx_json_get(done, "seconds"), 0);
        if (finished && (!last || strcmp(finished, last) > 0)) {
            last = finished;
            machine = member(done, "machine");
        }
    }
    out_print(&page->out, "<p class=\"soft made\">%u of %u items", made, all);
    if (last)
        put_text(page, "; finished ", last, "");
    if (machine)
        put_text(page, " on ", machine, "");
    out_print(&page->out, "; %.*f %s in all.</p>\n", seconds < 600 ? 0 : 1,
              seconds < 600 ? seconds : seconds / 60,
              seconds < 600 ? "seconds" : "minutes");
}

/* ---- the page ---- */

static void
put_head(struct page *page)
{
    put(page, "<!doctype html>\n<html lang=\"en\"><head>"
              "<meta charset=\"utf-8\"><meta name=\"viewport\" "
              "content=\"width=device-width, initial-scale=1\">"
              "<title>Shortest edit path crossover, reproduced</title>"
              "<style>\n");
    put(page, css);
    put(page, "</style></head>\n<body>\n<header><h1>Shortest edit path "
              "crossover, reproduced</h1>\n<p>Qiu &amp; Miikkulainen, "
              "<i>Shortest Edit Path Crossover: A Theory-driven Solution to "
              "the Permutation Problem in Evolutionary Neural Architecture "
              "Search</i> (ICML 2023): every figure and table, made again by "
              "<code>sepx reproduce</code>");
    out_print(&page->out, ", sepx %s.</p>\n", SEPX_VERSION);
    put_warning(page);
    put_made(page);
    tally(page);
    put(page, "<nav>");
    for (const struct paper_item *item = paper_items; item->name; item++) {
        out_print(&page->out, "<a href=\"#%s\">", item->name);
        put_text(page, "", item->title, "</a>");
    }
    put(page, "</nav></header>\n<main>\n");
}

int
page_write(const struct paper *paper)
{
    struct page page = {.paper = paper};
    char path[PAPER_PATH];
    struct sepx_msg msg = {0};
    enum sepx_err err;

    load(&page);
    put_head(&page);
    put_claims(&page);
    for (size_t i = 0; i < ITEMS_MAX && paper_items[i].name; i++)
        put_item(&page, &paper_items[i], page.result[i]);
    put(&page, "</main>\n<footer class=\"soft\"><p>How it was made: "
               "<a href=\"manifest.json\">manifest.json</a>. "
               "<code>sepx reproduce --verify</code> repeats a sample and "
               "compares.</p></footer>\n</body></html>\n");
    err = page.out.err;
    if (!err && !paper_path(path, paper->folder, "report.html"))
        err = SEPX_EINVAL;
    if (!err)
        err = sepx_file_write(path, page.out.text.at, page.out.text.len, &msg);
    for (size_t i = 0; i < ITEMS_MAX; i++) {
        sepx_json_free(page.done[i]);
        sepx_json_free(page.result[i]);
    }
    out_release(&page.out);
    return err ? cli_fail("reproduce", err, &msg) : CLI_DONE;
}
