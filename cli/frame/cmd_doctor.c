/* SPDX-License-Identifier: Apache-2.0 */
/* sepx doctor: what is installed, and what each missing part would give. */
#include "frame/cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct settings {
    bool json;
};

/* clang-format off */
static const struct option options[] = {
    {"json", 'j', OPTION_FLAG, offsetof(struct settings, json),
     .help = "print JSON"},
    {0},
};

static const struct example examples[] = {
    {"doctor", "what is there and what is missing"},
    {"doctor --json", "the same for programs"},
    {0},
};

enum kind { BUILT, PROGRAM, PYTHON, KINDS };

static const char *const kinds[KINDS] = {"built", "program", "python"};
static const char *const titles[KINDS] = {
    "Built into this program (a missing one: install it, then run ./quickstart):",
    "Programs that it starts:",
    "Python modules that examples and comparisons use:"};

static const struct part {
    enum kind kind;
    const char *name;    /* of a feature, a program, a module */
    const char *gives;
    const char *package; /* of Debian */
} parts[] = {
    {BUILT, "sqlite", "studies that survive crashes (sepx study)",
     "libsqlite3-dev"},
    {BUILT, "libpq", "studies on PostgreSQL that several machines share",
     "libpq-dev"},
    {BUILT, "microhttpd", "the live page (sepx study watch)",
     "libmicrohttpd-dev"},
    {BUILT, "xgboost", "the XGBoost surrogate of NAS-Bench-301 (--eval xgb:)",
     "libxgboost-dev"},
    {PROGRAM, "dot", "pictures of graphs (sepx draw -o FILE.svg)", "graphviz"},
    {PROGRAM, "gnuplot", "plots (sepx theory, sepx reproduce)", "gnuplot-nox"},
    {PROGRAM, "sqlite3", "queries of studies by hand", "sqlite3"},
    {PROGRAM, "python3", "evaluators in Python, and the examples", "python3"},
    {PYTHON, "networkx", "comparisons with its graph edit distance",
     "python3-networkx"},
    {PYTHON, "numpy", "the examples with networks", "python3-numpy"},
    {PYTHON, "sklearn", "the data of examples/digits", "python3-sklearn"},
    {PYTHON, "torch", "training networks (examples/digits)", "python3-torch"},
    {PYTHON, "xgboost", "training a surrogate of NAS-Bench-301",
     "python3-xgboost"},
    {PYTHON, "optuna", "comparisons, and looking at exported studies",
     "python3-optuna"},
};
/* clang-format on */

enum { N_PARTS = sizeof parts / sizeof parts[0] };

struct finding {
    bool there;
    char detail[PATH_MAX]; /* a version or a path; may be empty */
};

/* ---- looking ---- */

/* "jansson 2.14, sqlite 3.40.1": the feature and what stands behind it. */
static void
look_built(struct finding *found, const char *name)
{
    const char *at = SEPX_FEATURES;
    size_t len = strlen(name);

    while (*at) {
        size_t word = strcspn(at, ",");

        if (!strncmp(at, name, len) && (word == len || at[len] == ' ')) {
            found->there = true;
            (void)snprintf(found->detail, sizeof found->detail, "%.*s",
                           word > len ? (int)(word - len - 1) : 0,
                           at + len + (word > len));
        }
        at += word + strspn(at + word, ", ");
    }
}

static void
look_program(struct finding *found, const char *name)
{
    const char *path = getenv("PATH");

    while (path && *path && !found->there) {
        size_t len = strcspn(path, ":");

        (void)snprintf(found->detail, sizeof found->detail, "%.*s/%s",
                       (int)(len < PATH_MAX ? len : 0), path, name);
        found->there = len && access(found->detail, X_OK) == 0;
        path += len + (path[len] == ':');
    }
    if (!found->there)
        found->detail[0] = '\0';
}

/* One line "NAME VERSION" for each module that is there. */
static void
look_modules(struct finding *found, const char *python)
{
    static const char script[] =
        "import sys, importlib.util as u, importlib.metadata as m\n"
        "for name in sys.argv[1:]:\n"
        "    if u.find_spec(name):\n"
        "        try: version = m.version(name)\n"
        "        except Exception: version = ''\n"
        "        print(name, version)\n";
    const char *argv[N_PARTS + 4] = {python, "-c", script};
    struct sepx_text input = {0}, output = {0};
    int status = 0;
    unsigned n = 3;

    for (unsigned i = 0; i < N_PARTS; i++)
        if (parts[i].kind == PYTHON)
            argv[n++] = parts[i].name;
    if (child_run(argv, &input, &output, &status, NULL) || !output.at) {
        sepx_text_release(&output);
        return;
    }
    for (char *line = strtok(output.at, "\n"); line; line = strtok(NULL, "\n"))
        for (unsigned i = 0; i < N_PARTS; i++) {
            size_t len = strlen(parts[i].name);

            if (parts[i].kind != PYTHON || found[i].there ||
                strncmp(line, parts[i].name, len) != 0 || line[len] != ' ')
                continue;
            found[i].there = true;
            (void)snprintf(found[i].detail, sizeof found[i].detail, "%s",
                           line + len + 1);
        }
    sepx_text_release(&output);
}

static void
look(struct finding *found)
{
    for (unsigned i = 0; i < N_PARTS; i++) {
        if (parts[i].kind == BUILT)
            look_built(&found[i], parts[i].name);
        if (parts[i].kind == PROGRAM)
            look_program(&found[i], parts[i].name);
    }
    /* The system's own has Debian's packages, whatever comes first. */
    look_modules(found, "python3");
    if (access("/usr/bin/python3", X_OK) == 0)
        look_modules(found, "/usr/bin/python3");
}

/* ---- telling ---- */

static void
write_text(struct out *out, const struct finding *found)
{
    out_print(out, "sepx %s, %s\n", sepx_version(), SEPX_COMPILER);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        out_print(out, "\n%s\n", titles[kind]);
        for (unsigned i = 0; i < N_PARTS; i++) {
            if (parts[i].kind != kind)
                continue;
            out_print(out, "  %-3s  %-11s %s", found[i].there ? "yes" : "no",
                      parts[i].name, parts[i].gives);
            if (found[i].there && found[i].detail[0])
                out_print(out, " [%s]", found[i].detail);
            else if (!found[i].there)
                out_print(out, "; package %s", parts[i].package);
            out_print(out, "\n");
        }
    }
}

static void
put_string(struct sepx_json_writer *w, const char *key, const char *text)
{
    sepx_json_key(w, key);
    sepx_json_put_string(w, text);
}

static void
write_json(struct out *out, const struct finding *found)
{
    struct sepx_json_writer w;

    sepx_json_begin(&w, &out->text);
    sepx_json_open(&w, '{');
    put_string(&w, "version", sepx_version());
    put_string(&w, "compiler", SEPX_COMPILER);
    sepx_json_key(&w, "parts");
    sepx_json_open(&w, '[');
    for (unsigned i = 0; i < N_PARTS; i++) {
        sepx_json_open(&w, '{');
        put_string(&w, "name", parts[i].name);
        put_string(&w, "kind", kinds[parts[i].kind]);
        sepx_json_key(&w, "there");
        sepx_json_put_bool(&w, found[i].there);
        put_string(&w, "detail", found[i].detail);
        put_string(&w, "gives", parts[i].gives);
        put_string(&w, "package", parts[i].package);
        sepx_json_close(&w, '}');
    }
    sepx_json_close(&w, ']');
    sepx_json_close(&w, '}');
    if (!out->err)
        out->err = sepx_json_done(&w);
    out_print(out, "\n");
}

static int
run(const struct call *call)
{
    const struct settings *settings = call->settings;
    struct finding *found = calloc(N_PARTS, sizeof *found);
    struct out out = {0};
    int status;

    if (!found)
        return cli_fail("doctor", SEPX_ENOMEM, NULL);
    look(found);
    if (settings->json)
        write_json(&out, found);
    else
        write_text(&out, found);
    status = out_flush(&out);
    out_release(&out);
    free(found);
    return status;
}

static const char *const synopsis[] = {"[--json]", NULL};

const struct command command_doctor = {
    .name = "doctor",
    .group = GROUP_HELP,
    .summary = "show what is installed and what is missing",
    COMMAND_PARTS,
    .about = "Lists the optional parts: those built into this program, the "
             "programs that it starts, and the Python modules that examples "
             "and comparisons use. For each: whether it is there, what it "
             "gives, and the Debian package that has it. Nothing listed here "
             "is needed by distances, spaces and searches.",
    .settings_size = sizeof(struct settings),
};
