/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A wide and deep network: 34 categorical codes are looked up in tables, and
 * three stacks (linear, two and four hidden layers) read the same 337 inputs;
 * the sigmoid of their sum is accuracy and time.
 *
 * The file is the tensors as little-endian floats, one behind the other, each
 * row by row, in the order of `layers` below; nothing else.
 *
 * Sums are formed in a fixed order in single precision. A compiler that joins
 * multiplication and addition changes last bits, some 1e-6 of a percent.
 */
#include <math.h>
#include <string.h>

#include "nas/nb301/mlp_net.h"

#define INPUTS 337
#define WIDEST 512
#define LANES 16
#define ABSURD 1e6
#define EPOCH_UNIT 52.0
#define ACCURACY_UNIT 0.01
#define TIME_RANGE 13132.0927734375
#define TIME_LEAST 30.557992935180664
#define TABLES 2692 /* floats */
#define FLOATS 642092

struct table {
    unsigned choices, width;
};

/* Of an edge: 28 times; then inputs of nodes 3, 4 and 5, for both cells. */
static const struct table edge_table = {8, 10};
static const struct table input_table[3] = {{4, 6}, {7, 10}, {11, 12}};

struct layer {
    unsigned outputs, inputs;
};

/* Each: weights, then biases. */
static const struct layer layers[] = {
    {2, INPUTS},                                                 /* wide */
    {512, INPUTS}, {512, 512}, {2, 512},                         /* deep */
    {256, INPUTS}, {256, 256}, {128, 256}, {128, 128}, {2, 128}, /* deeper */
};

struct sepx__mlp {
    float weight[FLOATS];
};

static struct table
table_of(unsigned i)
{
    return i < 28 ? edge_table : input_table[(i - 28) % 3];
}

unsigned
sepx__mlp_choices(unsigned i)
{
    return table_of(i).choices;
}

/* ---- reading ---- */

static float
read_float(const unsigned char *at)
{
    uint32_t bits = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                    (uint32_t)at[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static enum sepx_err
read_weights(struct sepx__mlp *mlp, const char *name,
             const unsigned char *bytes, struct sepx_msg *msg)
{
    for (size_t i = 0; i < FLOATS; i++) {
        float value = read_float(bytes + 4 * i);

        if (!(fabsf(value) < (float)ABSURD))
            return sepx_fail(msg, SEPX_EDATA,
                             "%s: offset %zu: %g is no weight; the file is "
                             "damaged, get it again",
                             name, 4 * i, (double)value);
        mlp->weight[i] = value;
    }
    return SEPX_OK;
}

enum sepx_err
sepx__mlp_parse(struct sepx__mlp **mlp, const char *name, const void *bytes,
                size_t len, struct sepx_msg *msg)
{
    struct sepx__mlp *made;
    enum sepx_err err;

    *mlp = NULL;
    if (len != 4 * (size_t)FLOATS)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: %zu bytes, not the %d of the surrogate "
                         "'surrogate_mlp.f32'; the file is %s",
                         name, len, 4 * FLOATS,
                         len < 4 * (size_t)FLOATS ? "cut short or another"
                                                  : "another");
    made = sepx__alloc(sizeof *made);
    if (!made)
        return SEPX_ENOMEM;
    err = read_weights(made, name, bytes, msg);
    if (err)
        sepx__mlp_free(made);
    else
        *mlp = made;
    return err;
}

enum sepx_err
sepx__mlp_read(struct sepx__mlp **mlp, const char *path, struct sepx_msg *msg)
{
    struct sepx_text text = {0};
    enum sepx_err err =
        sepx_file_read(&text, path, 4 * (size_t)FLOATS + 1, msg);

    *mlp = NULL;
    if (err == SEPX_ELIMIT) {
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: more than the %d bytes of the surrogate "
                        "'surrogate_mlp.f32'; the file is another",
                        path, 4 * FLOATS);
    } else if (!err) {
        err = sepx__mlp_parse(mlp, path, text.at, text.len, msg);
    }
    sepx_text_release(&text);
    return err;
}

void
sepx__mlp_free(struct sepx__mlp *mlp)
{
    sepx__free(mlp);
}

/* ---- running ---- */

static void
look_up(const struct sepx__mlp *mlp, float input[INPUTS], const uint8_t *code,
        double epoch)
{
    const float *table = mlp->weight;

    for (unsigned i = 0; i < SEPX__MLP_CODES; i++) {
        struct table shape = table_of(i);

        memcpy(input, table + shape.width * code[i],
               shape.width * sizeof *input);
        input += shape.width;
        table += shape.width * shape.choices;
    }
    *input = (float)(epoch / EPOCH_UNIT);
}

/* In lanes, so that compilers may use vectors without leave to reorder. */
static float
dot(const float *a, const float *b, unsigned count)
{
    float lane[LANES] = {0}, sum = 0;
    unsigned i = 0;

    for (; i + LANES <= count; i += LANES) {
        for (unsigned k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    }
    for (; i < count; i++)
        lane[i % LANES] += a[i] * b[i];
    for (unsigned k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

static float
selu(float x)
{
    const double scale = 1.0507009873554805, alpha = 1.6732632423543772;

    return (float)(x > 0 ? scale * (double)x
                         : scale * alpha * (exp((double)x) - 1));
}

/* Returns what follows the layer's weights. */
static const float *
run_layer(const float *weight, const struct layer *layer, float *out,
          const float *in, bool last)
{
    const float *bias = weight + layer->outputs * layer->inputs;

    for (unsigned i = 0; i < layer->outputs; i++) {
        float sum = dot(weight + i * layer->inputs, in, layer->inputs);

        out[i] = last ? sum + bias[i] : selu(sum + bias[i]);
    }
    return bias + layer->outputs;
}

static double
sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

void
sepx__mlp_run(const struct sepx__mlp *mlp, double *accuracy, double *seconds,
              const uint8_t code[SEPX__MLP_CODES], double epoch)
{
    const float *weight = mlp->weight + TABLES;
    float input[INPUTS], room[2][WIDEST];
    const float *in = input;
    double sum[2] = {0};
    unsigned side = 0;

    look_up(mlp, input, code, epoch);
    for (unsigned i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        bool last = layers[i].outputs == 2;

        weight = run_layer(weight, &layers[i], room[side], in, last);
        in = last ? input : room[side];
        if (last) {
            sum[0] += (double)room[side][0];
            sum[1] += (double)room[side][1];
        }
        side ^= 1;
    }
    *accuracy = sigmoid(sum[0]) / ACCURACY_UNIT;
    *seconds = (sigmoid(sum[1]) - ACCURACY_UNIT) * TIME_RANGE + TIME_LEAST;
}
