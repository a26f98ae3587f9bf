/* SPDX-License-Identifier: Apache-2.0 */
/* Runs networkx_ged.py, whose text is inside the program, as a child. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_NETWORKX = 3, NO_PYTHON = 127 };

static const char script[] = {
#include "networkx_ged.inc"
};

enum sepx_err
bench_networkx_add(struct bench_networkx *networkx,
                   const struct bench_pairs *pairs, size_t index,
                   double timeout)
{
    struct sepx_json_writer w;
    enum sepx_err err;

    sepx_json_begin(&w, &networkx->input);
    sepx_json_open(&w, '{');
    sepx_json_key(&w, "a");
    sepx_graph_put_json(&w, &pairs->a[index]);
    sepx_json_key(&w, "b");
    sepx_graph_put_json(&w, &pairs->b[index]);
    sepx_json_key(&w, "pinned");
    sepx_json_open(&w, '[');
    for (size_t i = 0; pairs->kind->pinned[i]; i++)
        sepx_json_put_string(&w, pairs->kind->pinned[i]);
    sepx_json_close(&w, ']');
    sepx_json_add_number(&w, "timeout", timeout);
    sepx_json_close(&w, '}');
    err = sepx_json_done(&w);
    if (!err)
        err = sepx_text_add(&networkx->input, "\n", 1);
    networkx->count++;
    return err;
}

/* The line at *at, which moves behind it. */
static enum sepx_err
next_line(struct sepx_json **root, const char **at)
{
    const char *end = strchr(*at, '\n');
    const char *start = *at;

    if (!end)
        return SEPX_EDATA;
    *at = end + 1;
    return sepx_json_parse(root, start, (size_t)(end - start), NULL);
}

static enum sepx_err
read_answers(struct bench_networkx *networkx, const char *at)
{
    struct sepx_json *root = NULL;
    enum sepx_err err = next_line(&root, &at);

    if (!err)
        snprintf(networkx->version, sizeof networkx->version,
                 "networkx %.20s, Python %.20s",
                 sepx_json_string(sepx_json_get(root, "networkx")),
                 sepx_json_string(sepx_json_get(root, "python")));
    sepx_json_free(root);
    networkx->answer = calloc(networkx->count + 1, sizeof *networkx->answer);
    if (!networkx->answer)
        return SEPX_ENOMEM;
    for (size_t i = 0; i < networkx->count && !err; i++) {
        struct bench_peer *peer = &networkx->answer[i];

        root = NULL;
        err = next_line(&root, &at);
        peer->seconds = sepx_json_number(sepx_json_get(root, "seconds"), NAN);
        peer->ged = sepx_json_number(sepx_json_get(root, "ged"), NAN);
        sepx_json_free(root);
    }
    return err;
}

/* Its first line is the version. */
static bool
watch(void *context, const struct sepx_text *output)
{
    const struct bench_networkx *networkx = context;
    size_t lines = 0;

    for (size_t i = 0; i < output->len; i++)
        lines += output->at[i] == '\n';
    if (networkx->watch)
        return networkx->watch(networkx->context, lines ? lines - 1 : 0,
                               networkx->count);
    progress_show("networkx: pair", lines, networkx->count);
    return true;
}

enum sepx_err
bench_networkx_run(struct bench_networkx *networkx, const char *command,
                   const char *python)
{
    const char *argv[] = {python, "-c", script, NULL};
    struct sepx_text output = {0};
    int status = 0;
    enum sepx_err err = child_run_watched(argv, &networkx->input, &output,
                                          &status, watch, networkx, NULL);

    if (!err && (status == NO_NETWORKX || status == NO_PYTHON))
        cli_say(command,
                "%s has no networkx, so its columns stay empty; "
                "install the package 'python3-networkx'",
                python);
    else if (!err && status)
        cli_say(command,
                "networkx failed with status %d; its columns stay "
                "empty",
                status);
    else if (!err)
        err = read_answers(networkx, output.at ? output.at : "");
    sepx_text_release(&output);
    return err;
}

void
bench_networkx_release(struct bench_networkx *networkx)
{
    sepx_text_release(&networkx->input);
    free(networkx->answer);
    *networkx = (struct bench_networkx){0};
}
