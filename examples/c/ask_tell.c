/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop of your own: ask for a graph, score it, tell the score.
 *
 *     cc ask_tell.c $(pkg-config --cflags --libs sepx) && ./a.out
 */
#include <stdio.h>

#include <sepx.h>

/* Cells should have six edges; any function of the graph will do. */
static double
score_of(const struct sepx_graph *graph)
{
    return graph->n_edges > 6 ? graph->n_edges - 6.0 : 6.0 - graph->n_edges;
}

static enum sepx_err
evolve(struct sepx_search *search, unsigned evals)
{
    struct sepx_ask ask = {0};
    double best = 1e9;
    enum sepx_err err = SEPX_OK;

    for (unsigned i = 0; i < evals && !err; i++) {
        err = sepx_search_ask(search, &ask);
        if (!err) {
            double score = score_of(&ask.graph);

            if (score < best)
                printf("evaluation %u: %g\n", ask.trial, score);
            best = score < best ? score : best;
            err = sepx_search_tell(search, &ask, score);
        }
    }
    sepx_ask_release(&ask);
    return err;
}

int
main(void)
{
    struct sepx_space *space = NULL;
    struct sepx_method *method = NULL;
    struct sepx_search *search = NULL;
    struct sepx_msg msg = {0};
    enum sepx_err err = sepx_space_open(&space, "nb101", &msg);

    if (!err)
        err = sepx_method_new(&method, space, "sep", NULL, NULL, &msg);
    if (!err)
        err = sepx_search_new(&search, method, 1, 0, NULL);
    if (!err)
        err = evolve(search, 500);
    if (err)
        fprintf(stderr, "%s %s\n", sepx_strerror(err), msg.text);
    sepx_search_free(search);
    sepx_method_free(method);
    sepx_space_close(space);
    return err ? 1 : 0;
}
