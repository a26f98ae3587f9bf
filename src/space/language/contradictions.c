/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of a space's file that contradict each other, found by counting. */
#include "space/language/reader.h"

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* A member, and one of its own unless `two` is NULL. */
static void
enter_both(struct reader *r, const char *one, const char *two)
{
    sepx__reader_enter(r, one);
    if (two)
        sepx__reader_enter(r, two);
}

static enum sepx_err
refuse_at(struct reader *r, const char *one, const char *two, const char *what)
{
    enter_both(r, one, two);
    return sepx__refuse(r, "%s", what);
}

/* ---- nodes ---- */

/* Fewest and most nodes of a group that its labels and it allow. */
static struct range
group_nodes(const struct custom *c, uint8_t group)
{
    struct range sum = {0, 0};

    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        if (c->rule[i].group != group)
            continue;
        sum.min += c->rule[i].count.min;
        sum.max += least(c->rule[i].count.max, SEPX__WIDE_NODES);
    }
    if (sum.min < c->group[group].nodes.min)
        sum.min = c->group[group].nodes.min;
    sum.max = least(sum.max, c->group[group].nodes.max);
    return sum;
}

static enum sepx_err
check_groups(struct reader *r, struct range *all)
{
    struct custom *c = r->c;

    *all = (struct range){0, 0};
    for (uint8_t g = 0; g < c->n_groups; g++) {
        struct range sum = group_nodes(c, g);

        if (sum.min > sum.max && c->group[g].name) {
            sepx__reader_enter(r, "groups");
            sepx__reader_enter(r, c->group[g].name);
            return sepx__refuse(r,
                                "needs %u nodes or more, but has room for "
                                "%u; change \"nodes\" or the labels' "
                                "\"count\"",
                                sum.min, sum.max);
        }
        all->min += sum.min;
        all->max += sum.max;
    }
    return SEPX_OK;
}

/* Nothing can be drawn: samples are start graphs, with changes. */
static enum sepx_err
leave_to_starts(struct reader *r, uint32_t nodes)
{
    struct custom *c = r->c;

    c->only_starts = true;
    c->sample.nodes = (struct range){NODES, NODES};
    if (c->has_starts)
        return SEPX_OK;
    enter_both(r, "limits", "nodes");
    return sepx__refuse(r,
                        "graphs have %u nodes or more, and random ones %d at "
                        "most; give \"start\" graphs",
                        nodes, NODES);
}

static enum sepx_err
check_nodes(struct reader *r)
{
    struct custom *c = r->c;
    struct range all, *sample = &c->sample.nodes;
    enum sepx_err err = check_groups(r, &all);

    if (err)
        return err;
    c->nodes.max = least(
        c->nodes.max,
        c->ops.cyclic && c->nodes.max == UNLIMITED ? NODES : SEPX__WIDE_NODES);
    if (all.min > c->nodes.max || all.max < c->nodes.min) {
        sepx__reader_enter(r, "limits");
        sepx__reader_enter(r, "nodes");
        return sepx__refuse(r,
                            "allows %u to %u nodes, but labels and groups "
                            "make %u to %u; change one of them",
                            c->nodes.min, c->nodes.max, all.min, all.max);
    }
    if (c->ops.cyclic && c->nodes.max > NODES) {
        sepx__reader_enter(r, "limits");
        sepx__reader_enter(r, "nodes");
        return sepx__refuse(r,
                            "allows %u nodes, and graphs of more than %d have "
                            "no cycles; lower it or write \"acyclic\": true",
                            c->nodes.max, NODES);
    }
    if (c->nodes.min > NODES || all.min > NODES)
        return leave_to_starts(r,
                               c->nodes.min > all.min ? c->nodes.min : all.min);
    sample->max = least(sample->max, least(c->nodes.max, all.max));
    sample->max = least(sample->max, NODES);
    if (sample->min < c->nodes.min)
        sample->min = c->nodes.min;
    if (sample->min > sample->max || all.min > sample->max)
        return refuse_at(r, "sample", "nodes",
                         "allows no number of nodes that the limits allow; "
                         "change it");
    if (c->mutation.fill > c->nodes.max)
        return refuse_at(r, "mutation", "fill_to",
                         "is above the limit of nodes; lower it");
    return SEPX_OK;
}

/* ---- degrees ---- */

/* Nodes that may have an edge to label `i`, or from it. */
static uint32_t
neighbours(const struct custom *c, uint16_t i, bool before)
{
    uint32_t count = 0;

    for (uint16_t k = 0; k < c->ops.n_labels; k++) {
        uint16_t from = before ? k : i, to = before ? i : k;

        if (!c->rule[from].out.max || !c->rule[to].in.max ||
            !sepx__may_join(c, (uint16_t)(from + 1), (uint16_t)(to + 1)))
            continue;
        count += least(c->rule[k].count.max, SEPX__WIDE_NODES);
        count -= k == i && c->rule[k].count.max;
    }
    return least(count, c->nodes.max - 1);
}

static enum sepx_err
check_degree(struct reader *r, uint16_t i, const char *key, uint32_t need,
             uint32_t found)
{
    if (need <= found || !r->c->rule[i].count.min)
        return SEPX_OK;
    sepx__reader_enter(r, "nodes");
    sepx__reader_enter(r, r->c->label[i].text);
    sepx__reader_enter(r, key);
    return sepx__refuse(r,
                        "needs %u nodes or more at the other end, but rules "
                        "allow %u; lower it",
                        need, found);
}

static enum sepx_err
check_degrees(struct reader *r)
{
    enum sepx_err err = SEPX_OK;

    for (uint16_t i = 0; i < r->c->ops.n_labels && !err; i++) {
        err = check_degree(r, i, "in", r->c->rule[i].in.min,
                           neighbours(r->c, i, true));
        if (!err)
            err = check_degree(r, i, "out", r->c->rule[i].out.min,
                               neighbours(r->c, i, false));
    }
    return err;
}

/* ---- paths ---- */

static bool
leads(const struct custom *c, uint16_t from, uint16_t to)
{
    return c->rule[from].count.max && c->rule[to].count.max &&
           c->rule[from].out.max && c->rule[to].in.max &&
           sepx__may_join(c, (uint16_t)(from + 1), (uint16_t)(to + 1));
}

/* Labels on a way from those of a role, or to them. */
static void
spread(const struct custom *c, bool *found, enum sepx__role role, bool ahead)
{
    bool more = true;

    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        found[i] = (c->label[i].role == role ||
                    (ahead && c->ops.sources && !c->rule[i].in.min)) &&
                   c->rule[i].count.max;
    while (more) {
        more = false;
        for (uint16_t i = 0; i < c->ops.n_labels; i++)
            for (uint16_t k = 0; k < c->ops.n_labels; k++)
                if (found[i] && !found[k] &&
                    (ahead ? leads(c, i, k) : leads(c, k, i)))
                    more = found[k] = true;
    }
}

static enum sepx_err
check_paths(struct reader *r)
{
    bool after[SEPX__LABELS_MAX], before[SEPX__LABELS_MAX], in = false,
                                                            out = false;
    const struct custom *c = r->c;

    if (c->connected == CONNECTED_IGNORED && c->ops.prune)
        return refuse_at(r, "prune", NULL,
                         "takes out what is on no path, but \"connected\" is "
                         "\"ignored\"; change one of them");
    if (c->connected == CONNECTED_IGNORED)
        return SEPX_OK;
    spread(c, after, SEPX__INPUT, true);
    spread(c, before, SEPX__OUTPUT, false);
    for (uint16_t i = 0; i < c->ops.n_labels; i++) {
        in |= c->label[i].role == SEPX__INPUT && c->rule[i].count.max;
        out |= c->label[i].role == SEPX__OUTPUT && c->rule[i].count.max;
    }
    if (!in || !out)
        return refuse_at(r, "connected", NULL,
                         "paths need a label with \"role\": \"input\" and one "
                         "with \"output\"; add them, or write \"connected\": "
                         "\"ignored\"");
    for (uint16_t i = 0; i < c->ops.n_labels; i++)
        if (c->rule[i].count.min && !(after[i] && before[i]))
            return refuse_at(r, "nodes", c->label[i].text,
                             after[i] ? "can never reach an output; change "
                                        "\"in\", \"out\" or the links"
                                      : "can never be reached from an input; "
                                        "change \"in\", \"out\" or the links");
    return SEPX_OK;
}

/* ---- edges ---- */

static enum sepx_err
check_edges(struct reader *r)
{
    const struct custom *c = r->c;
    uint32_t n = c->nodes.max > NODES ? c->nodes.max : c->sample.nodes.max;
    uint32_t least_sum = 0;
    uint32_t places = n * (n - 1) / (c->ops.cyclic ? 1 : 2);

    for (uint8_t g = 0; g < c->n_groups; g++)
        least_sum += c->group[g].edges.min;
    if (least_sum > c->edges.max)
        return refuse_at(r, "limits", "edges",
                         "allows fewer edges than the groups need; raise it");
    if (c->edges.min <= places && least_sum <= places)
        return SEPX_OK;
    enter_both(r, "limits", "edges");
    return sepx__refuse(r,
                        "needs %u edges or more, but %u nodes have at most "
                        "%u; lower it",
                        c->edges.min > least_sum ? c->edges.min : least_sum, n,
                        places);
}

/* ---- required edges ---- */

static enum sepx_err
check_required(struct reader *r)
{
    const struct custom *c = r->c;

    for (uint8_t x = 0; x < c->n_required; x++) {
        const struct edge_rule *rule = &c->required[x];
        bool any = false, ends = c->ops.cyclic;

        for (uint16_t i = 0; i < c->ops.n_labels; i++) {
            ends |= rule->is_to[i] && !rule->is_from[i];
            for (uint16_t k = 0; k < c->ops.n_labels && rule->is_from[i]; k++)
                any |= rule->is_to[k] && leads(c, i, k);
        }
        if (any && ends)
            continue;
        sepx__reader_enter(r, "required_edges");
        sepx__reader_item(r, x);
        return sepx__refuse(r,
                            any ? "the last node '%s' has no edge to another "
                                  "'%s' where there are no cycles; remove it"
                                : "no node '%s' can have an edge to one '%s', "
                                  "by their roles and rules; remove it",
                            rule->from, rule->to);
    }
    return SEPX_OK;
}

enum sepx_err
sepx__check_limits(struct reader *r)
{
    enum sepx_err err = check_nodes(r);

    if (!err)
        err = check_required(r);

    if (!err)
        err = check_degrees(r);
    if (!err)
        err = check_paths(r);
    return err ? err : check_edges(r);
}
