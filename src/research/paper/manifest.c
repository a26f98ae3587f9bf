/* SPDX-License-Identifier: Apache-2.0 */
/* How everything in the folder was made. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "paper.h"

/* The name of the processor, or what the system calls the machine. */
static void
name_processor(char *text, size_t size)
{
    struct utsname name;
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    snprintf(text, size, "%s", uname(&name) >= 0 ? name.machine : "a machine");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) || !colon)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

void
paper_put_made(struct sepx_json_writer *w)
{
    char when[40] = "", what[200], machine[256];
    time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", &utc);
    name_processor(what, sizeof what);
    snprintf(machine, sizeof machine, "%s, %u processor%s", what,
             sepx_processors(), sepx_processors() == 1 ? "" : "s");
    sepx_json_add_string(w, "finished", when);
    sepx_json_add_string(w, "machine", machine);
}

static void
put_build(struct sepx_json_writer *w)
{
    struct utsname name;

    sepx_json_add_string(w, "version", SEPX_VERSION);
    sepx_json_add_string(w, "compiler", SEPX_COMPILER);
    sepx_json_add_string(w, "options", SEPX_FLAGS);
    sepx_json_add_string(w, "features", SEPX_FEATURES);
    if (uname(&name) >= 0) {
        sepx_json_add_string(w, "system", name.sysname);
        sepx_json_add_string(w, "machine", name.machine);
    }
    sepx_json_add_integer(w, "processors", sepx_processors());
}

/* A member of the result, as it is. */
static enum sepx_err
put_member(struct sepx_json_writer *w, const struct sepx_json *result,
           const char *key)
{
    const struct sepx_json *value = sepx_json_get(result, key);
    struct sepx_text text = {0};
    enum sepx_err err = value ? sepx_json_dump(&text, value) : SEPX_EDATA;

    sepx_json_key(w, key);
    if (!err)
        sepx_json_put_raw(w, text.at);
    sepx_text_release(&text);
    return err;
}

static enum sepx_err
put_result(struct sepx_json_writer *w, const struct sepx_json *result)
{
    static const char *const keys[] = {"seed",  "quick", "runs",
                                       "evals", "data",  "csv"};
    enum sepx_err err = SEPX_OK;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !err; i++)
        err = put_member(w, result, keys[i]);
    return err;
}

static enum sepx_err
put_item(struct sepx_json_writer *w, const struct paper *paper,
         const struct paper_item *item)
{
    char folder[PAPER_PATH];
    struct sepx_json *done, *result;
    enum sepx_err err = SEPX_OK;

    if (!paper_path(folder, paper->folder, item->name))
        return SEPX_EINVAL;
    done = paper_json(folder, "done.json");
    result = done ? paper_json(folder, "result.json") : NULL;
    sepx_json_open(w, '{');
    sepx_json_add_string(w, "name", item->name);
    sepx_json_add_string(w, "state", result ? "done" : "not made");
    if (result) {
        sepx_json_key(w, "seconds");
        sepx_json_put_number(
            w, sepx_json_number(sepx_json_get(done, "seconds"), 0));
        sepx_json_add_string(w, "finished",
                             sepx_json_string(sepx_json_get(done, "finished")));
        sepx_json_add_string(w, "settings",
                             sepx_json_string(sepx_json_get(done, "settings")));
        err = put_result(w, result);
    }
    sepx_json_close(w, '}');
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
