/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does it come out the same again? The rows on disk must be those that the
 * manifest's checksums were taken of. Then short items are made anew, and of
 * the long ones a few runs of each method, and their rows compared.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frame/display.h"
#include "paper.h"

enum { SAMPLE = 3 };

static bool
listed(char **item, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(item[i], name))
            return true;
    return !count;
}

/* ---- rows ---- */

/* The next line of *at, without its end; NULL behind the last. */
static const char *
next_line(const char **at, size_t *len)
{
    const char *line = *at;

    if (!*line)
        return NULL;
    *len = strcspn(line, "\n");
    *at = line + *len + (line[*len] == '\n');
    return line;
}

/* Every line of `fresh` is one of `stored`, in the same order. */
static bool
contains(const char *stored, const char *fresh, size_t *number)
{
    const char *line, *old;
    size_t len, old_len;

    for (*number = 1; (line = next_line(&fresh, &len)); ++*number) {
        do
            old = next_line(&stored, &old_len);
        while (old && (old_len != len || memcmp(old, line, len)));
        if (!old)
            return false;
    }
    return true;
}

static int
compare_file(const struct work *work, const char *folder, const char *name)
{
    char old_path[PAPER_PATH], new_path[PAPER_PATH];
    struct sepx_text old = {0}, fresh = {0};
    size_t line = 0;
    bool same;

    if (!paper_path(old_path, folder, name) ||
        !paper_path(new_path, work->folder, name))
        return CLI_FAILED;
    same = !sepx_file_read(&old, old_path, PAPER_BYTES_MAX, NULL) &&
           !sepx_file_read(&fresh, new_path, PAPER_BYTES_MAX, NULL);
    if (same && work->only)
        same = contains(old.at, fresh.at, &line);
    else if (same)
        same = old.len == fresh.len && !memcmp(old.at, fresh.at, old.len);
    if (!same)
        cli_say("reproduce", "%s differs%s%.0zu", old_path,
                line ? " from the repeated runs, their line " : "", line);
    sepx_text_release(&old);
    sepx_text_release(&fresh);
    return same ? CLI_DONE : CLI_FAILED;
}

/* ---- checksums ---- */

static int
check_sums(const char *folder, const struct sepx_json *result)
{
    const struct sepx_json *csv = sepx_json_get(result, "csv");
    int status = CLI_DONE;

    for (size_t i = 0; i < sepx_json_size(csv); i++) {
        const struct sepx_json *row = sepx_json_at(csv, i);
        const char *name = sepx_json_string(sepx_json_get(row, "name"));
        const char *sum = sepx_json_string(sepx_json_get(row, "sha256"));
        char path[PAPER_PATH], hex[SEPX_SHA256_HEX];

        if (!name || !sum || !paper_path(path, folder, name) ||
            !sepx_sha256_file(hex, path) || strcmp(hex, sum)) {
            cli_say("reproduce", "%s/%s is not the file that was written",
                    folder, name ? name : "?");
            status = CLI_FAILED;
        }
    }
    return status;
}

/* ---- making again ---- */

/* Every file of the fresh item, removed after it was compared. */
static int
compare_item(const struct work *work, const char *folder,
             const struct sepx_json *csv)
{
    int status = CLI_DONE;

    for (size_t i = 0; i < sepx_json_size(csv); i++) {
        const char *name =
            sepx_json_string(sepx_json_get(sepx_json_at(csv, i), "name"));
        char path[PAPER_PATH];

        if (!name || (work->only && strcmp(name, "runs.csv")))
            continue;
        if (compare_file(work, folder, name))
            status = CLI_FAILED;
        if (paper_path(path, work->folder, name))
            unlink(path);
    }
    return status;
}

static void
clean(const struct work *work)
{
    static const char *const others[] = {"parent1.json", "parent2.json",
                                         "times.csv"};
    char path[PAPER_PATH];

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (paper_path(path, work->folder, others[i]))
            unlink(path);
    rmdir(work->folder);
}

static int
by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* A file that is gone or another one now would only look like a difference. */
static bool
data_is_there(const struct paper_item *item, const struct sepx_json *result)
{
    const struct sepx_json *data = sepx_json_get(result, "data");
    const char *path = sepx_json_string(sepx_json_get(data, "path"));
    const char *sum = sepx_json_string(sepx_json_get(data, "sha256"));
    char hex[SEPX_SHA256_HEX];

    if (!path || !sum || (sepx_sha256_file(hex, path) && !strcmp(hex, sum)))
        return true;
    cli_say("reproduce",
            "%s: not repeated, since '%s' is not the file that "
            "it was made from",
            item->name, path);
    return false;
}

/* All of the item, or `only` some runs of it. */
static void
open_repeat(struct work *work, struct paper *paper,
            const struct paper_item *item, const char *scratch,
            uint32_t only[SAMPLE])
{
    struct sepx_rng rng;

    work_open(work, paper, item, scratch);
    work->pictures = false;
    if (!item->sampled || work->runs <= SAMPLE)
        return;
    sepx_rng_init(&rng, (uint64_t)paper->settings->seed, 0, 0,
                  SEPX__STREAM_VERIFY);
    sepx_rng_sample(&rng, only, SAMPLE, work->runs);
    qsort(only, SAMPLE, sizeof *only, by_size);
    work->only = only;
    work->n_only = SAMPLE;
    work->weight *= (double)SAMPLE / work->runs;
}

static int
repeat(struct paper *paper, const struct paper_item *item, const char *scratch,
       const struct sepx_json *result, const char *folder)
{
    uint32_t only[SAMPLE];
    struct work work;
    int status;

    open_repeat(&work, paper, item, scratch, only);
    status = paper_mkdir(work.folder);
    if (!status)
        status = item->make(&work);
    if (!status)
        status = compare_item(&work, folder, sepx_json_get(result, "csv"));
    display_end();
    if (!status)
        cli_say("reproduce", "%s: the same (%s)", item->name,
                work.only ? "3 runs of each method" : "all rows");
    clean(&work);
    paper->weight_before += work.weight;
    paper->weight_made += work.weight;
    work_close(&work);
    return status;
}

static int
weigh(struct paper *paper, const struct paper_item *item, const char *scratch,
      const struct sepx_json *result, const char *folder)
{
    uint32_t only[SAMPLE];
    struct work work;

    (void)result;
    (void)folder;
    open_repeat(&work, paper, item, scratch, only);
    paper->weight_all += work.weight;
    paper->count++;
    work_close(&work);
    return CLI_DONE;
}

static int
check(struct paper *paper, const struct paper_item *item, const char *scratch,
      const struct sepx_json *result, const char *folder)
{
    int status = check_sums(folder, result);

    paper->number++;
    if (!status && !data_is_there(item, result))
        status = CLI_DATA;
    return status ? status : repeat(paper, item, scratch, result, folder);
}

/* As the item was made, whatever the command line says. */
static void
take_settings(struct paper_settings *s, const struct sepx_json *result)
{
    const char *data =
        sepx_json_string(sepx_json_get(sepx_json_get(result, "data"), "path"));

    s->seed = sepx_json_integer(sepx_json_get(result, "seed"), 1);
    s->quick = sepx_json_bool(sepx_json_get(result, "quick"), false);
    s->runs = sepx_json_integer(sepx_json_get(result, "runs"), -1);
    s->evals = sepx_json_integer(sepx_json_get(result, "evals"), -1);
    s->table = data;
    s->nb301 = data;
}

/* Do it with the item's own settings, if the item is finished. */
static int
with_item(struct paper *paper, const struct paper_item *item,
          const char *scratch,
          int (*doing)(struct paper *paper, const struct paper_item *item,
                       const char *scratch, const struct sepx_json *result,
                       const char *folder))
{
    char folder[PAPER_PATH];
    const struct paper_settings *given = paper->settings;
    struct paper_settings settings = *given;
    struct sepx_json *done, *result;
    int status = CLI_DONE;

    if (!paper_path(folder, paper->folder, item->name))
        return CLI_FAILED;
    done = paper_json(folder, "done.json");
    result = done ? paper_json(folder, "result.json") : NULL;
    if (result) {
        take_settings(&settings, result);
        paper->settings = &settings;
        status = doing(paper, item, scratch, result, folder);
        paper->settings = given;
    }
    sepx_json_free(result);
    sepx_json_free(done);
    return status;
}

static int
check_manifest(const char *folder)
{
    char path[PAPER_PATH];
    struct sepx_json *manifest = paper_json(folder, "manifest.json");
    bool valid = manifest;

    sepx_json_free(manifest);
    if (valid)
        return CLI_DONE;
    cli_say("reproduce",
            "'%s' has no manifest.json that can be read; give a folder "
            "that 'sepx reproduce' has filled",
            folder);
    return paper_path(path, folder, "manifest.json") && !access(path, R_OK)
               ? CLI_DATA
               : CLI_NOINPUT;
}

static bool
make_scratch(char scratch[PAPER_PATH])
{
    const char *tmp = getenv("TMPDIR");

    if (!paper_path(scratch, tmp && *tmp ? tmp : "/tmp", "sepx-verify-XXXXXX"))
        return false;
    if (mkdtemp(scratch))
        return true;
    cli_say("reproduce", "cannot make a folder like '%s'", scratch);
    return false;
}

int
verify_run(struct paper *paper, char **item, unsigned n_items)
{
    char scratch[PAPER_PATH];
    int status = check_manifest(paper->folder);

    if (status)
        return status;
    if (!make_scratch(scratch))
        return CLI_FAILED;
    interrupt_catch();
    for (const struct paper_item *i = paper_items; i->name && !status; i++)
        if (listed(item, n_items, i->name))
            status = with_item(paper, i, scratch, weigh);
    for (const struct paper_item *i = paper_items; i->name; i++) {
        int one = CLI_DONE;

        if (status != CLI_STOPPED && listed(item, n_items, i->name))
            one = with_item(paper, i, scratch, check);
        status = one ? one : status;
    }
    rmdir(scratch);
    if (!status && !paper->number) {
        cli_say("reproduce", "'%s' has no finished item", paper->folder);
        status = CLI_DATA;
    }
    return status;
}
