/* SPDX-License-Identifier: Apache-2.0 */
/* sepx convert: graphs from one format to another. */
#include "frame/cli.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 30 };

struct settings {
    const char *out, *from, *to;
    bool drop_keys, list, json;
};

#define AT(member) offsetof(struct settings, member)

/* clang-format off */
static const struct option options[] = {
    {"out", 'o', OPTION_FILE, AT(out), "FILE", "-",
     .help = "the file to write; '-' is standard output"},
    {"from", 0, OPTION_TEXT, AT(from), "FORMAT", .words = WORDS_FORMATS,
     .help = "the format of the input; otherwise told by its content, then "
             "by the file's extension"},
    {"to", 0, OPTION_TEXT, AT(to), "FORMAT", .words = WORDS_FORMATS,
     .help = "the format of the output; otherwise told by the extension, "
             "and jsonl for standard output"},
    {"drop-keys", 0, OPTION_FLAG, AT(drop_keys),
     .help = "leave out what JSON has beside nodes and edges, which most "
             "formats cannot hold"},
    {"list", 'l', OPTION_FLAG, AT(list), .help = "list the formats"},
    {"json", 'j', OPTION_FLAG, AT(json), .help = "with --list, print JSON"},
    {0},
};

static const struct example examples[] = {
    {"convert cell.json -o cell.graphml", "for networkx, igraph, Gephi, yEd"},
    {"convert cells.jsonl --to nb101", "matrices for NAS-Bench-101"},
    {"convert model.onnx -o model.dot", "operators of a network and edges"},
    {"convert fx.json --to jsonl", "a trace that sepx.torch.save_fx() wrote"},
    {"convert molecules.sdf | sepx ged --matrix -",
     "distances between molecules"},
    {0},
};
/* clang-format on */

/* ---- the list ---- */

static void
put_format(struct sepx_json_writer *w, const struct sepx_format_info *format)
{
    sepx_json_open(w, '{');
    sepx_json_key(w, "name");
    sepx_json_put_string(w, format->name);
    sepx_json_key(w, "extensions");
    sepx_json_put_string(w, format->extensions);
    sepx_json_key(w, "summary");
    sepx_json_put_string(w, format->summary);
    sepx_json_key(w, "read");
    sepx_json_put_bool(w, format->reads);
    sepx_json_key(w, "written");
    sepx_json_put_bool(w, format->writes);
    sepx_json_key(w, "several");
    sepx_json_put_bool(w, format->many);
    sepx_json_close(w, '}');
}

static int
list(bool json)
{
    const struct sepx_format_info *const *row = sepx_format_list();
    struct sepx_json_writer w;
    struct out out = {0};
    int status;

    for (; *row; row++) {
        const struct sepx_format_info *format = *row;

        if (json) {
            sepx_json_begin(&w, &out.text);
            put_format(&w, format);
            if (!out.err)
                out.err = sepx_json_done(&w);
            out_print(&out, "\n");
            continue;
        }
        out_print(&out, "%-10s %-13s %s%s%s\n", format->name,
                  *format->extensions ? format->extensions : "-",
                  format->summary, format->writes ? "" : "; only read",
                  format->many ? "" : "; one graph a file");
    }
    status = out_flush(&out);
    out_release(&out);
    return status;
}

/* ---- the work ---- */

struct work {
    const struct settings *settings;
    const char *path;
    const struct sepx_format_info *from, *to; /* `from` NULL: by content */
    struct sepx_names *names;
    struct sepx_graphs graphs;
    struct sepx_text text;
    struct sepx_msg msg;
};

static enum sepx_err
choose(struct work *w)
{
    const struct settings *s = w->settings;
    enum sepx_err err = SEPX_OK;

    if (s->from)
        err = sepx_format_find(&w->from, s->from, &w->msg);
    if (!err && s->to)
        err = sepx_format_find(&w->to, s->to, &w->msg);
    if (err)
        return err;
    if (!w->to && strcmp(s->out, "-") != 0) {
        w->to = sepx_format_of_file(s->out);
        if (!w->to)
            return sepx_fail(&w->msg, SEPX_ENOTFOUND,
                             "%s: the extension tells no format; name one "
                             "with --to (see --list)",
                             s->out);
    }
    return w->to ? SEPX_OK : sepx_format_find(&w->to, "jsonl", &w->msg);
}

/* Texts that look like nothing known are what their extension says. */
static enum sepx_err
read_input(struct work *w)
{
    const char *name = strcmp(w->path, "-") ? w->path : "standard input";
    const struct sepx_format_info *other = sepx_format_of_file(w->path);
    struct sepx_text bytes = {0};
    struct sepx_msg second = {0};
    enum sepx_err err = sepx_file_read(&bytes, w->path, BYTES_MAX, &w->msg);

    if (!err) {
        err = sepx_graphs_read_as(&w->graphs, w->names, bytes.at, bytes.len,
                                  w->from, name, &w->msg);
        if (err == SEPX_EDATA && !w->from && other &&
            !sepx_graphs_read_as(&w->graphs, w->names, bytes.at, bytes.len,
                                 other, name, &second))
            err = SEPX_OK;
    }
    sepx_text_release(&bytes);
    return err;
}

static enum sepx_err
write_output(struct work *w)
{
    const char *name = strcmp(w->path, "-") ? w->path : "standard input";
    enum sepx_err err = SEPX_OK;

    if (!w->to->many && w->graphs.count > 1)
        return sepx_fail(&w->msg, SEPX_EDATA,
                         "%s: %zu graphs, and a file of the format %s holds "
                         "one; choose another format, such as jsonl",
                         name, w->graphs.count, w->to->name);
    for (size_t i = 0; i < w->graphs.count && !err; i++) {
        struct sepx_graph graph = w->graphs.at[i];

        if (w->settings->drop_keys)
            graph.extra = NULL;
        err = sepx_graph_write(&w->text, &graph, w->to, &w->msg);
        if (err && w->graphs.count > 1)
            sepx_msg_prefix(&w->msg, "%s: graph %zu", name, i + 1);
        else if (err)
            sepx_msg_prefix(&w->msg, "%s", name);
    }
    return err;
}

static int
run(const struct call *call)
{
    struct work w = {.settings = call->settings,
                     .path = call->n_operands ? call->operand[0] : "-"};
    struct out out = {0};
    enum sepx_err err;
    int status = CLI_DONE;

    if (w.settings->list)
        return list(w.settings->json);
    if (!call->n_operands)
        return cli_usage("convert", "name the file to convert, or '-'");
    w.names = sepx_names_new();
    err = w.names ? choose(&w) : SEPX_ENOMEM;
    if (err == SEPX_ENOTFOUND) {
        sepx_names_free(w.names);
        return cli_usage("convert", "%s", w.msg.text);
    }
    if (!err)
        err = read_input(&w);
    if (!err)
        err = write_output(&w);
    if (!err && strcmp(w.settings->out, "-") != 0) {
        err = sepx_file_write(w.settings->out, w.text.at, w.text.len, &w.msg);
    } else if (!err) {
        out.text = w.text;
        w.text = (struct sepx_text){0};
        status = out_flush(&out);
    }
    if (err)
        status = cli_fail("convert", err, &w.msg);
    out_release(&out);
    sepx_text_release(&w.text);
    sepx_graphs_release(&w.graphs);
    sepx_names_free(w.names);
    return status;
}

static const char *const synopsis[] = {
    "[--from FORMAT] [--to FORMAT] [-o FILE] FILE", "--list", NULL};

const struct command command_convert = {
    .name = "convert",
    .group = GROUP_DISTANCES,
    .summary = "convert graphs from one format to another",
    COMMAND_PARTS,
    .about =
        "Reads graphs and writes them in another format: JSON, GraphML, DOT, "
        "GML, molecules, the text of graph databases, the strings of "
        "benchmarks. All commands that read graphs know these formats by "
        "themselves. What a format cannot hold is an error and never lost: "
        "the direction of edges, labels with blanks, parallel edges, keys "
        "beside nodes and edges.",
    .least_operands = 0,
    .most_operands = 1,
    .settings_size = sizeof(struct settings),
};
