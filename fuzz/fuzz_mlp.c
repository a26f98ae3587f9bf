/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Weights of the feed-forward surrogate: zeros of the right length, give or
 * take, overwritten by the input. What is taken scores every graph.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define SIZE 2568368u

static void
require_scores(struct sepx_eval *eval, struct sepx_space *space)
{
    struct sepx_eval_worker *worker;
    struct sepx_graph graph = {0};
    struct sepx_eval_job job = {.graph = &graph, .fidelity = 1};
    struct sepx_score score;
    struct sepx_rng rng;

    sepx_rng_init(&rng, 1, 0, 0, 0);
    REQUIRE(!sepx_eval_worker_new(&worker, eval, NULL));
    REQUIRE(!sepx_space_sample(space, &graph, &rng));
    REQUIRE(!sepx_eval_score(worker, &score, &job));
    REQUIRE(isnan(score.test) || (score.test >= 0 && score.test <= 1));
    sepx_graph_release(&graph);
    sepx_eval_worker_free(worker);
}

/* Not sepx_file_write(), which waits for the disk. */
static void
write_file(const char *path, const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    REQUIRE(file);
    REQUIRE(fwrite(bytes, 1, len, file) == len);
    REQUIRE(!fclose(file));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[SIZE + 8];
    struct sepx_space *space;
    struct sepx_eval *eval;
    struct sepx_msg msg = {0};
    char text[64];
    size_t at, len = SIZE;
    enum sepx_err err;

    if (size < 4)
        return 0;
    /* The place of the weights, and for odd inputs a wrong length. */
    at = (data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16) % SIZE;
    if (data[3] & 1)
        len = data[3] & 2 ? SIZE + (data[3] >> 5) : size;
    data += 4;
    size -= 4;
    if (size > SIZE - at)
        size = SIZE - at;
    memcpy(bytes + at, data, size);
    snprintf(text, sizeof text, "mlp:/tmp/sepx-fuzz-%ld.f32", (long)getpid());
    write_file(text + 4, bytes, len);
    REQUIRE(!sepx_space_open(&space, "darts", &msg));
    err = sepx_eval_open(&eval, space, text, &msg);
    if (err)
        require_refusal(err, &msg);
    else
        require_scores(eval, space);
    sepx_eval_close(eval);
    sepx_space_close(space);
    unlink(text + 4);
    memset(bytes + at, 0, size);
    return 0;
}
