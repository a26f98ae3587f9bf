/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library in one page: two graphs, their distance, the edits between.
 *
 *     cc distance.c $(pkg-config --cflags --libs sepx) && ./a.out
 */
#include <stdio.h>
#include <string.h>

#include <sepx.h>

static const char first[] =
    "{\"nodes\": [\"input\", \"conv3x3\", \"conv1x1\", \"output\"],"
    " \"edges\": [[0, 1], [1, 2], [2, 3]]}";
static const char second[] =
    "{\"nodes\": [\"input\", \"maxpool\", \"conv3x3\", \"output\"],"
    " \"edges\": [[0, 2], [2, 1], [1, 3], [0, 3]]}";

static enum sepx_err
compare(const struct sepx_graph *a, const struct sepx_graph *b)
{
    struct sepx_ged_result result;
    struct sepx_path path = {0};
    struct sepx_ged *ged = NULL;
    enum sepx_err err;

    err = sepx_ged_new(&ged, NULL);
    if (err)
        goto done;
    err = sepx_ged_between(ged, &result, a, b, NULL);
    if (err)
        goto done;
    err = sepx_path_from_map(&path, a, b, result.map, false);
    if (err)
        goto done;
    printf("distance %g, %zu edits\n", result.upper, path.len);
done:
    sepx_path_release(&path);
    sepx_ged_free(ged);
    return err;
}

int
main(void)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graph a = {0}, b = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = names ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx_graph_read(&a, names, first, strlen(first), SEPX_FORMAT_AUTO,
                              &msg);
    if (!err)
        err = sepx_graph_read(&b, names, second, strlen(second),
                              SEPX_FORMAT_AUTO, &msg);
    if (!err)
        err = compare(&a, &b);
    if (err)
        fprintf(stderr, "%s %s\n", sepx_strerror(err), msg.text);
    sepx_graph_release(&a);
    sepx_graph_release(&b);
    sepx_names_free(names);
    return err ? 1 : 0;
}
