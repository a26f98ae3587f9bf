/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/check.h"

#include <stdlib.h>
#include <string.h>

#include "nas/nb301/darts_code.h"
#include "nas/nb301/mlp_net.h"
#include "sepx/eval.h"
#include "unit/ranks.h"
#include "unit/shared.h"

#define SIZE 2568368u
#define NET "data/nb301/surrogate_mlp.f32"

/* The path of a shared file, or NULL with a message. */
static const char *
shared_path(const char *name, char *room, size_t size)
{
    const char *folder = getenv("SEPX_SHARED");
    FILE *file = shared_open(name);

    if (!file)
        return NULL;
    fclose(file);
    snprintf(room, size, "%s/%s",
             folder && *folder ? folder : SEPX_SOURCE_ROOT "/../shared", name);
    return room;
}

/* ---- codes ---- */

static struct sepx_space *
open_darts(void)
{
    struct sepx_space *space;

    assert_int_equal(sepx_space_open(&space, "darts", NULL), SEPX_OK);
    return space;
}

/* "0:0 1:5 ...|...": source:op of the pairs of both cells. */
static void
parse_arch(uint16_t value[32], const char *text)
{
    for (unsigned i = 0; i < 16; i++) {
        unsigned source, op;
        int used = 0;

        assert_int_equal(sscanf(text, "%u:%u%n", &source, &op, &used), 2);
        text += used + 1;
        value[2 * i] = (uint16_t)op;
        value[2 * i + 1] = (uint16_t)source;
    }
}

static void
build_arch(const struct sepx_space *space, struct sepx_graph *graph,
           const char *text)
{
    uint16_t value[32];
    bool valid = false;

    parse_arch(value, text);
    assert_int_equal(sepx_space_decode(space, graph, &valid, value, NULL),
                     SEPX_OK);
    assert_true(valid);
}

static void
test_codes_of_a_graph(void **state)
{
    static const int edge[2][SEPX__DARTS_EDGES] = {
        {0, 5, 1, 1, -1, 3, 3, -1, -1, -1, 3, -1, 2, -1},
        {2, 0, 3, 3, -1, 1, -1, -1, 0, -1, -1, 0, 6, -1}};
    static const int inputs[2][3] = {{0, 0, 5}, {0, 2, 7}};
    struct sepx_space *space = open_darts();
    struct sepx__darts_code code;
    struct sepx_graph graph = {0};

    (void)state;
    build_arch(space, &graph,
               "0:0 1:5 1:1 0:1 1:3 0:3 1:3 3:2|1:0 0:2 1:3 0:3 3:0 0:1 2:0 "
               "3:6");
    assert_int_equal(sepx__darts_code(&code, space, &graph), SEPX_OK);
    assert_memory_equal(code.edge, edge, sizeof edge);
    assert_memory_equal(code.inputs, inputs, sizeof inputs);
    sepx_graph_release(&graph);
    sepx_space_close(space);
}

/* ---- reading ---- */

static void
test_bad_files_are_refused(void **state)
{
    unsigned char *bytes = calloc(1, SIZE + 4);
    struct sepx__mlp *mlp;
    struct sepx_msg msg;

    (void)state;
    for (unsigned len = 0; len <= SIZE + 4; len += SIZE / 4 + 1) {
        assert_int_equal(sepx__mlp_parse(&mlp, "x", bytes, len, &msg),
                         SEPX_EDATA);
        assert_null(mlp);
    }
    assert_int_equal(sepx__mlp_parse(&mlp, "x", bytes, SIZE - 1, &msg),
                     SEPX_EDATA);
    assert_string_equal(msg.text, "x: 2568367 bytes, not the 2568368 of the "
                                  "surrogate 'surrogate_mlp.f32'; the file "
                                  "is cut short or another");
    memcpy(bytes + 4000, "\0\0\xc0\x7f", 4);
    assert_int_equal(sepx__mlp_parse(&mlp, "x", bytes, SIZE, &msg), SEPX_EDATA);
    assert_non_null(strstr(msg.text, "offset 4000"));
    memcpy(bytes + 4000, "\0\0\x80\xff", 4);
    assert_int_equal(sepx__mlp_parse(&mlp, "x", bytes, SIZE, &msg), SEPX_EDATA);
    free(bytes);
}

static void
test_zero_weights_give_half(void **state)
{
    unsigned char *bytes = calloc(1, SIZE);
    uint8_t code[SEPX__MLP_CODES] = {0};
    struct sepx__mlp *mlp;
    double accuracy, seconds;

    (void)state;
    assert_int_equal(sepx__mlp_parse(&mlp, "x", bytes, SIZE, NULL), SEPX_OK);
    sepx__mlp_run(mlp, &accuracy, &seconds, code, 98);
    CHECK_NEAR(accuracy, 50, 1e-12);
    CHECK_NEAR(seconds, 0.49 * 13132.0927734375 + 30.557992935180664, 1e-12);
    sepx__mlp_free(mlp);
    free(bytes);
}

/* ---- the real weights ---- */

static void
test_matches_the_test_vectors(void **state)
{
    FILE *file = shared_open("data/nb301/surrogate_mlp_testvectors.csv");
    char line[1024], path[4096];
    struct sepx__mlp *mlp;
    double far = 0, late = 0;
    unsigned count = 0;

    (void)state;
    if (!file || !shared_path(NET, path, sizeof path))
        skip();
    assert_int_equal(sepx__mlp_read(&mlp, path, NULL), SEPX_OK);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        uint8_t code[SEPX__MLP_CODES];
        double want[3], accuracy, seconds;
        char *at = line;

        for (unsigned i = 0; i < SEPX__MLP_CODES; i++, at++) {
            code[i] = (uint8_t)strtoul(at, &at, 10);
            assert_true(code[i] < sepx__mlp_choices(i));
        }
        for (unsigned i = 0; i < 3; i++, at++)
            want[i] = strtod(at, &at);
        sepx__mlp_run(mlp, &accuracy, &seconds, code, want[0]);
        far = fmax(far, fabs(accuracy - want[1]));
        late = fmax(late, fabs(seconds - want[2]) / want[2]);
        count++;
    }
    print_message("%u vectors: accuracy within %.1e, time within %.1e\n", count,
                  far, late);
    assert_int_equal(count, 200);
    CHECK(far < 1e-4 && late < 1e-4, "%g, %g", far, late);
    sepx__mlp_free(mlp);
    fclose(file);
}

/* Through the evaluator, from graphs; and what the file says of this net. */
static void
test_agrees_with_the_official_ensemble(void **state)
{
    FILE *file = shared_open("data/nb301/xgb_v1_values.csv");
    char line[512], path[4096], text[4200];
    struct sepx_space *space = open_darts();
    struct sepx_eval *eval;
    struct sepx_eval_worker *worker;
    struct sepx_graph graph = {0};
    struct ranked at[1218];
    size_t n = 0;
    double far = 0, rank;

    (void)state;
    if (!file || !shared_path(NET, path, sizeof path)) {
        sepx_space_close(space);
        skip();
    }
    snprintf(text, sizeof text, "mlp:%s,noise=no", path);
    assert_int_equal(sepx_eval_open(&eval, space, text, NULL), SEPX_OK);
    assert_int_equal(sepx_eval_worker_new(&worker, eval, NULL), SEPX_OK);
    assert_non_null(fgets(line, sizeof line, file));
    while (n < 1218 && fgets(line, sizeof line, file)) {
        struct sepx_eval_job job = {.graph = &graph, .fidelity = 1};
        struct sepx_score score;
        double want[2];

        assert_int_equal(
            sscanf(strchr(line, ','), ",%lf,%lf", &want[0], &want[1]), 2);
        build_arch(space, &graph, line);
        assert_int_equal(sepx_eval_score(worker, &score, &job), SEPX_OK);
        assert_true(score.value == score.test);
        far = fmax(far, fabs(100 * (1 - score.value) - want[1]));
        at[n++] = (struct ranked){-score.value, want[0]};
    }
    rank = spearman(at, n);
    print_message("%zu architectures: within %.1e of the file, Spearman %.4f "
                  "with XGBoost\n",
                  n, far, rank);
    assert_int_equal(n, 1218);
    CHECK(far < 1e-4, "%g", far);
    CHECK(rank >= 0.85, "%g", rank);
    sepx_graph_release(&graph);
    sepx_eval_worker_free(worker);
    sepx_eval_close(eval);
    sepx_space_close(space);
    fclose(file);
}

/* ---- noise, with weights that are all zero ---- */

static void
test_noise_has_the_spread(void **state)
{
    static const char *const texts[] = {"mlp:test_mlp.f32",
                                        "mlp:test_mlp.f32,spread=0.05"};
    static const double spread[] = {0.002, 0.05};
    char *bytes = calloc(1, SIZE);
    struct sepx_space *space = open_darts();
    struct sepx_graph graph = {0};

    (void)state;
    assert_int_equal(sepx_file_write("test_mlp.f32", bytes, SIZE, NULL),
                     SEPX_OK);
    build_arch(space, &graph,
               "0:0 1:5 1:1 0:1 1:3 0:3 1:3 3:2|1:0 0:2 1:3 0:3 3:0 0:1 2:0 "
               "3:6");
    for (unsigned k = 0; k < 2; k++) {
        struct sepx_eval *eval;
        struct sepx_eval_worker *worker;
        double square = 0;

        assert_int_equal(sepx_eval_open(&eval, space, texts[k], NULL), SEPX_OK);
        assert_int_equal(sepx_eval_worker_new(&worker, eval, NULL), SEPX_OK);
        for (uint32_t n = 0; n < 400; n++) {
            struct sepx_eval_job job = {
                .graph = &graph, .fidelity = 1, .seed = 3, .trial = n};
            struct sepx_score score;

            assert_int_equal(sepx_eval_score(worker, &score, &job), SEPX_OK);
            CHECK_NEAR(score.test, 0.5, 1e-12);
            square += pow(score.value - score.test, 2) / 400;
        }
        CHECK_NEAR(sqrt(square), spread[k], 0.15);
        sepx_eval_worker_free(worker);
        sepx_eval_close(eval);
    }
    remove("test_mlp.f32");
    sepx_graph_release(&graph);
    sepx_space_close(space);
    free(bytes);
}

static void
test_bad_arguments_are_told(void **state)
{
    struct sepx_space *space = open_darts();
    struct sepx_eval *eval;
    struct sepx_msg msg;

    (void)state;
    assert_int_equal(sepx_eval_open(&eval, space, "mlp:", &msg), SEPX_EINVAL);
    assert_string_equal(msg.text, "a file is missing; write mlp:FILE.f32");
    assert_int_equal(sepx_eval_open(&eval, space, "mlp:none.f32", &msg),
                     SEPX_ENOINPUT);
    assert_int_equal(sepx_eval_open(&eval, space, "mlp:x,spread=-1", &msg),
                     SEPX_EINVAL);
    assert_int_equal(sepx_eval_open(&eval, space, "mlp:x,noise=maybe", &msg),
                     SEPX_EINVAL);
    sepx_space_close(space);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes_of_a_graph),
        cmocka_unit_test(test_bad_files_are_refused),
        cmocka_unit_test(test_zero_weights_give_half),
        cmocka_unit_test(test_matches_the_test_vectors),
        cmocka_unit_test(test_agrees_with_the_official_ensemble),
        cmocka_unit_test(test_noise_has_the_spread),
        cmocka_unit_test(test_bad_arguments_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
