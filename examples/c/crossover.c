/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child of two random cells of NAS-Bench-101, and how far it is from each.
 *
 *     cc crossover.c $(pkg-config --cflags --libs sepx) && ./a.out
 */
#include <stdio.h>

#include <sepx.h>

struct family {
    struct sepx_space *space;
    struct sepx_cross *cross;
    struct sepx_ged *ged;
    struct sepx_graph first, second, child;
};

static enum sepx_err
open_all(struct family *f, struct sepx_msg *msg)
{
    struct sepx_ged_options options = {0};
    struct sepx_rules rules;
    enum sepx_err err = sepx_space_open(&f->space, "nb101", msg);

    if (!err)
        err = sepx_rules_preset(&rules, "default", "nb101", "sep", msg);
    if (!err)
        err = sepx_cross_new(&f->cross, f->space, "sep", &rules, msg);
    if (!err) {
        options.pinned = sepx_space_pinned(f->space, &options.n_pinned);
        err = sepx_ged_new(&f->ged, &options);
    }
    return err;
}

static enum sepx_err
distance(struct family *f, double *value, const struct sepx_graph *a,
         const struct sepx_graph *b)
{
    struct sepx_ged_result result;
    enum sepx_err err = sepx_ged_between(f->ged, &result, a, b, NULL);

    *value = err ? 0 : result.upper;
    return err;
}

static enum sepx_err
show(struct family *f)
{
    struct sepx_rng rng;
    double apart = 0, first = 0, second = 0;
    bool accepted = false;
    enum sepx_err err;

    sepx_rng_init(&rng, 1, 0, 0, 0);
    err = sepx_space_sample(f->space, &f->first, &rng);
    if (!err)
        err = sepx_space_sample(f->space, &f->second, &rng);
    if (!err)
        err = sepx_cross_run(f->cross, &f->child, &accepted, &f->first,
                             &f->second, &rng, NULL, NULL);
    if (!err)
        err = distance(f, &apart, &f->first, &f->second);
    if (!err && accepted)
        err = distance(f, &first, &f->first, &f->child);
    if (!err && accepted)
        err = distance(f, &second, &f->child, &f->second);
    if (!err && accepted)
        printf("parents %g apart, child %g from one and %g from the other\n",
               apart, first, second);
    else if (!err)
        printf("no valid child was found\n");
    return err;
}

int
main(void)
{
    struct family f = {0};
    struct sepx_msg msg = {0};
    enum sepx_err err = open_all(&f, &msg);

    if (!err)
        err = show(&f);
    if (err)
        fprintf(stderr, "%s %s\n", sepx_strerror(err), msg.text);
    sepx_graph_release(&f.first);
    sepx_graph_release(&f.second);
    sepx_graph_release(&f.child);
    sepx_ged_free(f.ged);
    sepx_cross_free(f.cross);
    sepx_space_close(f.space);
    return err ? 1 : 0;
}
