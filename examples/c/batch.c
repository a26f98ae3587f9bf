/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many distances: all pairs of some graphs, on all processors.
 *
 *     cc batch.c $(pkg-config --cflags --libs sepx) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sepx.h>

static const char lines[] =
    "{\"nodes\": [\"a\", \"b\", \"c\"], \"edges\": [[0, 1], [1, 2]]}\n"
    "{\"nodes\": [\"c\", \"b\", \"a\"], \"edges\": [[2, 1], [1, 0]]}\n"
    "{\"nodes\": [\"a\", \"b\"], \"edges\": [[0, 1]]}\n";

static void
print(const struct sepx_ged_bounds *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            printf("%g%s", at[i * count + j].upper, j + 1 < count ? " " : "\n");
}

int
main(void)
{
    struct sepx_names *names = sepx_names_new();
    struct sepx_graphs graphs = {0};
    struct sepx_ged_bounds *at = NULL;
    struct sepx_msg msg = {0};
    enum sepx_err err = names ? SEPX_OK : SEPX_ENOMEM;

    if (!err)
        err = sepx_graphs_read(&graphs, names, lines, strlen(lines), "lines",
                               &msg);
    if (!err) {
        at = (struct sepx_ged_bounds *)calloc(graphs.count * graphs.count,
                                              sizeof(*at));
        err = at ? SEPX_OK : SEPX_ENOMEM;
    }
    if (!err)
        err = sepx_ged_matrix(NULL, at, graphs.at, graphs.count, NULL, 0, NULL,
                              NULL);
    if (err)
        fprintf(stderr, "%s %s\n", sepx_strerror(err), msg.text);
    else
        print(at, graphs.count);
    free(at);
    sepx_graphs_release(&graphs);
    sepx_names_free(names);
    return err ? 1 : 0;
}
