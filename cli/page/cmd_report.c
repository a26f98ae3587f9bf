/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sepx study report: the page of studies in one file, with its data, that
 * asks nobody for anything. Modules are joined in the order of page_files[]:
 * lines that import go, "export" goes, and no two modules share a name.
 */
#include "page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *output;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"output", 'o', OPTION_FILE, AT(output), "FILE",
     .help = "write here, not to standard output"},
    {0},
};

static const struct example examples[] = {
    {"study report digits.study -o digits.html", "a page to send to a colleague"},
    {"study report a.study b.study -o both.html", "two studies, compared"},
    {0},
};
/* clang-format on */

enum { TRIALS_MOST = 5000, DETAILS_MOST = 200 };

/* ---- documents ---- */

struct report {
    struct page page;
    struct sepx_text data; /* all documents, an object by address */
    struct sepx_text html;
    char nonce[40];
    size_t done, total; /* documents */
};

/* While distances are measured, too. */
static bool
show(void *context, double lower, double upper)
{
    const struct report *report = context;

    (void)lower, (void)upper;
    progress_show("documents", report->done, report->total);
    return !interrupt_seen();
}

/* Add one document; `address` is what the page asks for. */
static enum sepx_err
add_document(struct report *report, const char *address, const char *name,
             size_t index, const char *query, struct sepx_msg *msg)
{
    const struct page_query asked = {query};
    struct sepx_text text = {0};
    enum sepx_err err = SEPX_ESTOPPED;

    if (show(report, 0, 0))
        err = page_document(&report->page, &text, name, index, &asked, msg);
    report->done++;
    if (!err)
        err = sepx_text_print(&report->data,
                              "%s\"%s\":", report->data.len > 1 ? "," : "",
                              address);
    if (!err)
        err = sepx_text_add(&report->data, text.at, text.len);
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
add_trial(struct report *report, size_t index, uint32_t trial,
          struct sepx_msg *msg)
{
    char address[64], query[32];

    snprintf(address, sizeof address, "%zu/trial?trial=%u", index, trial);
    snprintf(query, sizeof query, "trial=%u", trial);
    return add_document(report, address, "trial", index, query, msg);
}

/* The best ones, and all if they are few. */
static enum sepx_err
add_details(struct report *report, size_t index, struct sepx_msg *msg)
{
    const struct page_study *study = &report->page.study[index];
    uint32_t *rank = NULL;
    size_t count = 0;
    enum sepx_err err = SEPX_OK;

    if (study->count <= DETAILS_MOST) {
        for (size_t i = 0; i < study->count && !err; i++)
            err = add_trial(report, index, (uint32_t)i, msg);
        return err;
    }
    err = page_rank(study, &rank, &count);
    for (size_t i = 0; i < count && i < DETAILS_MOST && !err; i++)
        err = add_trial(report, index, rank[i], msg);
    free(rank);
    return err;
}

/* Of each study, besides its list of trials and the details of some. */
static const char *const names[] = {"history", "front", "gallery",
                                    "lineage", "map",   "operators",
                                    "workers", NULL};

static enum sepx_err
add_study(struct report *report, size_t index, struct sepx_msg *msg)
{
    char address[64], query[64];
    enum sepx_err err = SEPX_OK;

    for (int k = 0; names[k] && !err; k++) {
        snprintf(address, sizeof address, "%zu/%s", index, names[k]);
        err = add_document(report, address, names[k], index, NULL, msg);
    }
    snprintf(address, sizeof address, "%zu/trials", index);
    snprintf(query, sizeof query, "all=%d", TRIALS_MOST);
    if (!err)
        err = add_document(report, address, "trials", index, query, msg);
    return err ? err : add_details(report, index, msg);
}

static void
count_documents(struct report *report)
{
    report->total = 2;
    for (size_t i = 0; i < report->page.count; i++) {
        struct page_study *study = &report->page.study[i];

        study->family.watch = show;
        study->family.context = report;
        report->total += sizeof names / sizeof *names;
        report->total +=
            study->count < DETAILS_MOST ? study->count : DETAILS_MOST;
    }
}

static enum sepx_err
add_all(struct report *report, struct sepx_msg *msg)
{
    enum sepx_err err = sepx_text_add(&report->data, "{", 1);

    count_documents(report);
    if (!err)
        err = add_document(report, "studies", "studies", 0, NULL, msg);
    if (!err)
        err = add_document(report, "compare", "compare", 0, NULL, msg);
    for (size_t i = 0; i < report->page.count && !err; i++)
        err = add_study(report, i, msg);
    return err ? err : sepx_text_add(&report->data, "}", 1);
}

/* ---- the page ---- */

/* JSON inside HTML: "<" can only stand in a string, where it is escaped. */
static enum sepx_err
add_data(struct report *report)
{
    struct sepx_text *to = &report->html;
    const char *at = report->data.at;
    enum sepx_err err = sepx_text_print(
        to, "<script type=\"application/json\" id=\"documents\">");

    while (*at && !err) {
        size_t len = strcspn(at, "<");

        err = sepx_text_add(to, at, len);
        at += len;
        if (!err && *at == '<') {
            err = sepx_text_print(to, "\\u003c");
            at++;
        }
    }
    return err ? err : sepx_text_print(to, "</script>\n");
}

static enum sepx_err
add_module(struct sepx_text *to, const struct page_file *file)
{
    const char *at = (const char *)file->bytes;
    const char *end = at + file->len;
    enum sepx_err err = SEPX_OK;
    bool importing = false;

    while (at < end && !err) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop + 1 : end) - at);
        size_t skip = 0;

        if (len > 7 && !strncmp(at, "import ", 7))
            importing = true;
        if (importing) {
            skip = len; /* up to the line that ends it */
            importing = !memchr(at, ';', len);
        } else if (len > 7 && !strncmp(at, "export ", 7)) {
            skip = 7;
        }
        err = sepx_text_add(to, at + skip, len - skip);
        at += len;
    }
    return err;
}

static enum sepx_err
add_modules(struct report *report)
{
    struct sepx_text *to = &report->html;
    enum sepx_err err = sepx_text_print(
        to, "<script type=\"module\" nonce=\"%s\">\n", report->nonce);

    for (const struct page_file *f = page_files; f->name && !err; f++) {
        const char *suffix = strrchr(f->name, '.');

        if (suffix && !strcmp(suffix, ".js") && !strchr(f->name, '/'))
            err = add_module(to, f);
    }
    return err ? err : sepx_text_print(to, "</script>\n");
}

/* A style sheet or script that a line of index.html names. */
static enum sepx_err
add_file(struct report *report, const char *name, size_t len, const char *tag)
{
    char room[64];
    const struct page_file *file;
    enum sepx_err err;

    snprintf(room, sizeof room, "%.*s", (int)len, name);
    file = page_file_find(room);
    if (!file)
        return SEPX_ENOTFOUND;
    err = sepx_text_print(&report->html, "<%s nonce=\"%s\">\n", tag,
                          report->nonce);
    if (!err)
        err =
            sepx_text_add(&report->html, (const char *)file->bytes, file->len);
    return err ? err : sepx_text_print(&report->html, "</%s>\n", tag);
}

/* One line of index.html, with what it names in its place. */
static enum sepx_err
add_line(struct report *report, const char *line, size_t len)
{
    static const struct {
        const char *begin, *tag;
    } named[] = {{"<link rel=\"stylesheet\" href=\"", "style"},
                 {"<script src=\"", "script"}};

    for (size_t k = 0; k < 2; k++) {
        size_t begin = strlen(named[k].begin);

        if (len > begin && !strncmp(line, named[k].begin, begin))
            return add_file(report, line + begin, strcspn(line + begin, "\""),
                            named[k].tag);
    }
    if (!strncmp(line, "<link rel=\"icon\"", 16))
        return SEPX_OK;
    if (!strncmp(line, "<meta charset", 13))
        return sepx_text_print(
            &report->html,
            "<meta charset=\"utf-8\">\n<meta "
            "http-equiv=\"Content-Security-Policy\" content=\"default-src "
            "'none'; script-src 'nonce-%s'; style-src 'nonce-%s'\">\n",
            report->nonce, report->nonce);
    if (!strncmp(line, "<script type=\"module\"", 21)) {
        enum sepx_err err = add_data(report);

        return err ? err : add_modules(report);
    }
    return sepx_text_add(&report->html, line, len);
}

/*
 * Labels cannot hold the nonce of the file that they are in: it is a hash of
 * all of the data.
 */
static void
set_nonce(struct report *report)
{
    uint64_t hash[2] = {14695981039346656037u, 88172645463325252u};

    for (size_t i = 0; i < report->data.len; i++) {
        hash[0] =
            (hash[0] ^ (unsigned char)report->data.at[i]) * 1099511628211u;
        hash[1] = (hash[1] ^ hash[0] >> 29) * 0xbf58476d1ce4e5b9u;
    }
    snprintf(report->nonce, sizeof report->nonce, "%016llx%016llx",
             (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

static enum sepx_err
add_page(struct report *report)
{
    const struct page_file *index = page_file_find("index.html");
    const char *at = (const char *)index->bytes;
    const char *end = at + index->len;
    enum sepx_err err = SEPX_OK;

    set_nonce(report);
    while (at < end && !err) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop + 1 : end) - at);

        err = add_line(report, at, len);
        at += len;
    }
    return err;
}

/* ---- the command ---- */

static int
write_file(const struct sepx_text *text, const char *path)
{
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_file_write(path, text->at, text->len, &msg);

    return err ? cli_fail("study report", err, &msg) : CLI_DONE;
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct report report = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err;
    int status = page_open(&report.page, "study report", call->operand,
                           call->n_operands, true);

    report.page.is_report = true;
    interrupt_catch();
    if (!status) {
        err = add_all(&report, &msg);
        if (!err)
            err = add_page(&report);
        if (err == SEPX_ESTOPPED)
            status = CLI_STOPPED;
        else if (err)
            status = cli_fail("study report", err, &msg);
    }
    if (!status && settings->output) {
        status = write_file(&report.html, settings->output);
    } else if (!status) {
        struct out out = {.text = report.html};

        report.html = (struct sepx_text){0};
        status = out_flush(&out);
        out_release(&out);
    }
    page_close(&report.page);
    sepx_text_release(&report.data);
    sepx_text_release(&report.html);
    return status;
}

static const char *const synopsis[] = {"[OPTION...] STUDY...", NULL};

const struct command command_study_report = {
    .name = "study report",
    .group = GROUP_STUDIES,
    .summary = "write the page of studies into one HTML file",
    COMMAND_PARTS,
    .about =
        "The page of 'sepx study watch' as one file with its data inside: it "
        "opens from the disk, asks no server for anything, prints, and can be "
        "sent to a colleague. It holds the first 5,000 trials and the details "
        "of the 200 best.",
    .least_operands = 1,
    .most_operands = 64,
    .settings_size = sizeof(struct settings),
};
