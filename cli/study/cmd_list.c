/* SPDX-License-Identifier: Apache-2.0 */
/* sepx study list: the studies in a folder or on a server. */
#include "study/study_command.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct option options[] =
    JSON_OPTIONS("print one JSON object per line");

static const struct example examples[] = {
    {"study list", "the studies in this folder"},
    {"study list results --json", "those of another one, for a program"},
    {"study list postgresql://server/sepx", "those of a database"},
    {0},
};
/* clang-format on */

static int
is_study_name(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);

    return len > 6 && !strcmp(entry->d_name + len - 6, ".study");
}

static void
put_study(struct sepx_json_writer *w, const struct study *s,
          const struct sepx_study_summary *sum)
{
    sepx_json_open(w, '{');
    sepx_json_add_string(w, "study", s->path);
    sepx_json_add_bool(w, "running", sepx_store_writer(s->store) >= 0);
    sepx_json_add_integer(w, "asked", sum->asked);
    sepx_json_add_integer(w, "told", sum->told);
    sepx_json_add_number(w, "best", study_value(s, sum->best));
    sepx_json_close(w, '}');
}

/* Whoever names files or studies gives orders to no terminal. */
static void
print_name(struct out *out, const char *name)
{
    struct sepx_text text = {0};
    enum sepx_err err = SEPX_OK;

    while (*name && !err) {
        size_t len = strcspn(name, "\t\n");

        err = sepx_text_add_visible(&text, name, len);
        name += len;
        if (!err && *name)
            err = sepx_text_print(&text, "\\u%04x", (unsigned)*name++);
    }
    if (err)
        out->err = err;
    else
        out_print(out, "%-30s", text.at ? text.at : "");
    sepx_text_release(&text);
}

/* One line; a file that is no study gets a message and no line. */
static int
show_study(struct out *out, const char *path, bool json)
{
    struct sepx_study_summary sum = {0};
    struct sepx_json_writer w;
    struct sepx_msg msg = {0};
    struct study s = {0};
    enum sepx_err err;
    int status = study_open(&s, "study list", path, false);

    if (status)
        return status;
    err = sepx_study_summarize(&sum, s.study, &msg);
    if (err) {
        status = cli_fail(s.command, err, &msg);
    } else if (json) {
        sepx_json_begin(&w, &out->text);
        put_study(&w, &s, &sum);
        out->err = sepx_json_done(&w);
        out_print(out, "\n");
    } else {
        print_name(out, path);
        out_print(out, " %8u trials  ", sum.told);
        if (isnan(sum.best))
            out_print(out, "no score");
        else
            out_print(out, "best %.8g", study_value(&s, sum.best));
        out_print(out, "%s\n",
                  sepx_store_writer(s.store) >= 0 ? "  running" : "");
    }
    sepx_study_summary_release(&sum);
    study_close(&s);
    return status;
}

struct listing {
    struct out out;
    bool json;
    int status;
};

static enum sepx_err
show_one(void *context, const char *path)
{
    struct listing *listing = context;
    int shown = show_study(&listing->out, path, listing->json);

    listing->status = listing->status ? listing->status : shown;
    return SEPX_OK;
}

static int
list_server(const char *url, bool json)
{
    struct listing listing = {.json = json};
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_store_list(url, show_one, &listing, &msg);
    int shown =
        err ? cli_fail("study list", err, &msg) : out_flush(&listing.out);

    out_release(&listing.out);
    return listing.status ? listing.status : shown;
}

static int
run(const struct call *call)
{
    const struct json_settings *settings = call->settings;
    const char *folder = call->n_operands ? call->operand[0] : ".";
    struct dirent **entry = NULL;
    struct out out = {0};
    struct sepx_msg msg = {0};
    int status = CLI_DONE, shown, count;

    if (sepx_store_check_name(folder, &msg))
        return cli_fail("study list", msg.code, &msg);
    if (strstr(folder, "://"))
        return list_server(folder, settings->json);
    count = scandir(folder, &entry, is_study_name, alphasort);
    if (count < 0) {
        return cli_fail("study list",
                        sepx_fail(&msg, SEPX_ENOINPUT,
                                  "%s: cannot read this folder: %s; check the "
                                  "path",
                                  folder, strerror(errno)),
                        &msg);
    }
    for (int i = 0; i < count; i++) {
        struct sepx_text path = {0};
        enum sepx_err err =
            sepx_text_print(&path, "%s%s%s", strcmp(folder, ".") ? folder : "",
                            strcmp(folder, ".") ? "/" : "", entry[i]->d_name);

        shown = err ? cli_fail("study list", err, NULL)
                    : show_study(&out, path.at, settings->json);
        status = status ? status : shown;
        sepx_text_release(&path);
        free(entry[i]);
    }
    free(entry);
    shown = out_flush(&out);
    out_release(&out);
    return status ? status : shown;
}

static const char *const synopsis[] = {"[OPTION...] [FOLDER|URL]", NULL};

const struct command command_study_list = {
    .name = "study list",
    .group = GROUP_STUDIES,
    .summary = "list the studies in a folder or on a server",
    COMMAND_PARTS,
    .about = "Lists the files with the suffix .study in FOLDER (this one "
             "unless named), or the studies of a database, "
             "postgresql://HOST/DATABASE: trials told, the best score, and "
             "whether a process runs the study now.",
    .most_operands = 1,
    .settings_size = sizeof(struct json_settings),
};
