/* SPDX-License-Identifier: Apache-2.0 */
/* How everything in the folder was made. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "paper.h"

static void
put_text(struct sepx_json_writer *w, const char *key, const char *value)
{
    sepx_json_key(w, key);
    if (value)
        sepx_json_put_string(w, value);
    else
        sepx_json_put_null(w);
}

static void
put_build(struct sepx_json_writer *w)
{
    struct utsname name;

    put_text(w, "version", SEPX_VERSION);
    put_text(w, "compiler", SEPX_COMPILER);
    put_text(w, "options", SEPX_FLAGS);
    put_text(w, "features", SEPX_FEATURES);
    if (uname(&name) >= 0) {
        put_text(w, "system", name.sysname);
        put_text(w, "machine", name.machine);
    }
    sepx_json_key(w, "processors");
    sepx_json_put_integer(w, sepx_processors());
}

static void
put_settings(struct sepx_json_writer *w, const struct paper_settings *s)
{
    sepx_json_key(w, "seed");
    sepx_json_put_integer(w, s->seed);
    sepx_json_key(w, "quick");
    sepx_json_put_bool(w, s->quick);
    sepx_json_key(w, "runs");
    sepx_json_put_integer(w, s->runs);
    sepx_json_key(w, "evals");
    sepx_json_put_integer(w, s->evals);
}

static void
put_data(struct sepx_json_writer *w, const char *key, const char *path)
{
    char hex[SHA256_HEX];

    sepx_json_key(w, key);
    if (!path || !sha256_file(hex, path)) {
        sepx_json_put_null(w);
        return;
    }
    sepx_json_open(w, '{');
    put_text(w, "path", path);
    put_text(w, "sha256", hex);
    sepx_json_close(w, '}');
}

static enum sepx_err
put_item(struct sepx_json_writer *w, const struct paper *paper,
         const struct paper_item *item)
{
    char folder[PAPER_PATH];
    struct sepx_json *done, *result;
    struct sepx_text csv = {0};
    enum sepx_err err = SEPX_OK;

    if (!paper_path(folder, paper->folder, item->name))
        return SEPX_EINVAL;
    done = paper_json(folder, "done.json");
    result = done ? paper_json(folder, "result.json") : NULL;
    sepx_json_open(w, '{');
    put_text(w, "name", item->name);
    put_text(w, "state", result ? "done" : "not made");
    if (result) {
        sepx_json_key(w, "seconds");
        sepx_json_put_number(
            w, sepx_json_number(sepx_json_get(done, "seconds"), 0));
        put_text(w, "settings",
                 sepx_json_string(sepx_json_get(done, "settings")));
        err = sepx_json_dump(&csv, sepx_json_get(result, "csv"));
        sepx_json_key(w, "csv");
        if (!err)
            sepx_json_put_raw(w, csv.at);
    }
    sepx_json_close(w, '}');
    sepx_text_release(&csv);
    sepx_json_free(result);
    sepx_json_free(done);
    return err;
}

static enum sepx_err
manifest_text(struct sepx_text *text, const struct paper *paper)
{
    struct sepx_json_writer w;
    enum sepx_err err = SEPX_OK;

    sepx_json_begin(&w, text);
    sepx_json_open(&w, '{');
    put_build(&w);
    put_settings(&w, paper->settings);
    put_data(&w, "table", paper->settings->table);
    put_data(&w, "nb301", paper->settings->nb301);
    sepx_json_key(&w, "items");
    sepx_json_open(&w, '[');
    for (const struct paper_item *item = paper_items; item->name && !err;
         item++)
        err = put_item(&w, paper, item);
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    if (!err)
        err = sepx_json_done(&w);
    return err ? err : sepx_text_add(text, "\n", 1);
}

int
manifest_write(const struct paper *paper)
{
    char path[PAPER_PATH];
    struct sepx_text text = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = manifest_text(&text, paper);

    if (!err && !paper_path(path, paper->folder, "manifest.json"))
        err = SEPX_EINVAL;
    if (!err)
        err = sepx_file_write(path, text.at, text.len, &msg);
    sepx_text_release(&text);
    return err ? cli_fail("reproduce", err, &msg) : CLI_DONE;
}
