/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a table is as it was written, and whether it suits a space. */
#include <math.h>

#include "results/open_results.h"

enum { PROBES = 16 };

/* *fits: it is a graph of the space; then its key must be the table's. */
static enum sepx_err
check_entry(const struct sepx_results *r, const struct sepx_space *space,
            uint32_t entry, bool *fits, struct sepx_msg *msg)
{
    struct sepx_graph graph = {.names = sepx_space_names(space)};
    struct sepx_graph room = {.names = sepx_space_names(space)};
    struct sepx_key want = sepx__results_key_at(r, entry), key = {0};
    enum sepx_err err =
        sepx_results_graph(r, &graph, sepx_space_names(space), entry, msg);

    if (!err)
        err = sepx_space_check(space, fits, &graph, msg);
    if (!err && *fits)
        err = sepx__results_key(&key, &room, space, &graph);
    if (!err && *fits && (key.high != want.high || key.low != want.low))
        err = sepx_fail(msg, SEPX_EDATA,
                        "graph %u has another key here; the table is damaged, "
                        "or was made with another version of nauty: make it "
                        "again",
                        entry);
    sepx_graph_release(&room);
    sepx_graph_release(&graph);
    return err;
}

enum sepx_err
sepx_results_match(const struct sepx_results *r, const struct sepx_space *space,
                   struct sepx_msg *msg)
{
    uint32_t probes = r->graphs < PROBES ? r->graphs : PROBES;
    struct sepx_msg why = {0};
    bool any = false;

    for (uint32_t i = 0; i < probes; i++) {
        uint32_t entry = (uint32_t)((uint64_t)i * r->graphs / probes);
        bool fits = false;
        enum sepx_err err = check_entry(r, space, entry, &fits, &why);

        if (err) {
            sepx_fail(msg, err, "%s", why.text);
            return err;
        }
        any |= fits;
    }
    if (any)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EINVAL,
                     "the table has graphs of another space (%.200s); choose "
                     "the space that it was made with",
                     why.text);
}

static enum sepx_err
check_order(const struct sepx_results *r, struct sepx_msg *msg)
{
    for (uint32_t i = 1; i < r->graphs; i++) {
        struct sepx_key a = sepx__results_key_at(r, i - 1);
        struct sepx_key b = sepx__results_key_at(r, i);

        if (a.high > b.high || (a.high == b.high && a.low >= b.low))
            return sepx__results_damaged(msg, "keys are not in order");
    }
    return SEPX_OK;
}

static enum sepx_err
check_graphs(const struct sepx_results *r, const struct sepx_space *space,
             struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_OK;

    for (uint32_t i = 0; i < r->graphs && !err; i++) {
        bool fits = false;

        err = check_entry(r, space, i, &fits, msg);
        if (!err && !fits) {
            sepx_msg_prefix(msg, "graph %u is not of the space", i);
            err = SEPX_EDATA;
        }
        if (!err && sepx_space_stopped(space))
            err = SEPX_ESTOPPED;
    }
    return err;
}

enum sepx_err
sepx_results_verify(const struct sepx_results *r, struct sepx_msg *msg)
{
    uint32_t head = sepx__get32(r->bytes + HEAD_BYTES);
    struct sepx_space *space = NULL;
    struct sepx__crc32c crc;
    enum sepx_err err;

    sepx__crc32c_init(&crc);
    if (sepx__crc32c_add(&crc, 0, r->bytes + head, r->len - head) !=
        sepx__get32(r->bytes + HEAD_BODY))
        return sepx__results_damaged(msg, "the checksum of the body is wrong");
    for (size_t i = 0; i < (size_t)r->graphs * r->metrics; i++)
        if (isinf(sepx__get_double(r->columns + 8 * i)))
            return sepx__results_damaged(msg, "a value is infinite");
    err = check_order(r, msg);
    if (!err)
        err = sepx_results_open_space(r, &space, msg);
    if (err == SEPX_ENOTFOUND || err == SEPX_ENOINPUT)
        err = SEPX_EDATA; /* a name of no space, in the file */
    if (!err)
        err = check_graphs(r, space, msg);
    sepx_space_close(space);
    return err;
}
