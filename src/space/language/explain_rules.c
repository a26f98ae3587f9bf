/* SPDX-License-Identifier: Apache-2.0 */
/* A space in words, for a person who wonders what a file says. */
#include <stdio.h>

#include "space/language/language.h"

/* "3", "2 to 5", "2 or more", "any number of" */
static const char *
words(struct range range, char *room, size_t size)
{
    if (range.min == range.max)
        snprintf(room, size, "%u", range.min);
    else if (range.max == UNLIMITED && range.min)
        snprintf(room, size, "%u or more", range.min);
    else if (range.max == UNLIMITED)
        snprintf(room, size, "any number");
    else
        snprintf(room, size, "%u to %u", range.min, range.max);
    return room;
}

#define WORDS(range) words(range, (char[32]){0}, 32)

static enum sepx_err
explain_label(struct sepx_text *text, const struct custom *c, uint16_t i)
{
    static const char *const roles[] = {[SEPX__INNER] = "inner",
                                        [SEPX__INPUT] = "input",
                                        [SEPX__OUTPUT] = "output"};
    const struct label_rule *rule = &c->rule[i];
    enum sepx__role role = c->label[i].role;
    const char *group = c->group[rule->group].name;

    return sepx_text_print(
        text, "  %-20s %s%s%s, %s; in: %s, out: %s%s\n", c->label[i].text,
        roles[role], group ? " of " : "", group ? group : "",
        WORDS(rule->count), role == SEPX__INPUT ? "0" : WORDS(rule->in),
        role == SEPX__OUTPUT ? "0" : WORDS(rule->out),
        role == SEPX__INNER && c->label[i].pinned ? "; never relabelled" : "");
}

static enum sepx_err
explain_edges(struct sepx_text *text, const struct custom *c)
{
    enum sepx_err err = SEPX_OK;

    if (c->n_edge_labels == 1 && !c->edge_text[0][0])
        return sepx_text_print(text, "edges have no labels\n");
    err = sepx_text_print(text, "edge labels:");
    for (uint8_t i = 0; i < c->n_edge_labels && !err; i++)
        err = sepx_text_print(text, "%s %s", i ? "," : "",
                              c->edge_text[i][0] ? c->edge_text[i] : "(none)");
    return err ? err : sepx_text_print(text, "\n");
}

static enum sepx_err
explain_groups(struct sepx_text *text, const struct custom *c)
{
    enum sepx_err err = SEPX_OK;

    for (uint8_t g = 0; g < c->n_groups && c->group[0].name && !err; g++) {
        err = sepx_text_print(text, "group %s: nodes: %s; edges: %s",
                              c->group[g].name, WORDS(c->group[g].nodes),
                              WORDS(c->group[g].edges));
        for (uint8_t k = 0; k < c->n_groups && !err; k++)
            if (k != g && c->link[g][k])
                err = sepx_text_print(text, "; edges to group %s",
                                      c->group[k].name);
        if (!err)
            err = sepx_text_print(text, "\n");
    }
    return err;
}

static enum sepx_err
explain_rules(struct sepx_text *text, const struct custom *c)
{
    static const char *const connected[] = {
        "every node is on a path from an input to an output",
        ("nodes on no path from an input to an output are dead; limits of "
         "edges and degrees, and least numbers, count live ones only"),
        "nodes need not be on a path from an input to an output",
        ("every node leads to an output; paths may begin at any node whose "
         "\"in\" allows it"),
    };

    return sepx_text_print(
        text, "nodes: %s; %sedges: %s; %s\n%s\n%s", WORDS(c->nodes),
        c->connected == CONNECTED_PRUNED ? "live " : "", WORDS(c->edges),
        c->ops.cyclic ? "cycles allowed" : "no cycles", connected[c->connected],
        c->ops.prune ? "new graphs lose such nodes before they are checked\n"
                     : "");
}

/* Rules about the whole of a network. */
static enum sepx_err
explain_network(struct sepx_text *text, const struct custom *c)
{
    const struct range total = c->shapes.total;
    enum sepx_err err = SEPX_OK;

    if (c->shapes.given && (total.min || total.max != UNLIMITED))
        err = sepx_text_print(text,
                              "total stride (field %s) of every path from an "
                              "input to an output: %s\n",
                              c->shapes.stride, WORDS(total));
    if (!err && c->shapes.check)
        err = sepx_text_print(text,
                              "shapes fit: inputs of a node have one stride "
                              "(field %s) and as many channels (field %s)\n",
                              c->shapes.stride, c->shapes.channels);
    for (uint8_t i = 0; i < c->n_required && !err; i++)
        err = sepx_text_print(text, "every '%s' has an edge to a '%s'\n",
                              c->required[i].from, c->required[i].to);
    if (!err && c->n_fields)
        err = sepx_text_print(text, "relabelling costs the share of the "
                                    "fields that differ, by weight:");
    for (size_t i = 0; i < c->n_fields && !err; i++)
        err = sepx_text_print(text, "%s %s %g", i ? "," : "",
                              c->field[i].field[0] ? c->field[i].field
                                                   : "(words)",
                              c->field[i].weight);
    return err || !c->n_fields ? err : sepx_text_print(text, "\n");
}

static enum sepx_err
explain_mutation(struct sepx_text *text, const struct custom *c)
{
    const char *comma = ":";
    double total = 0;
    enum sepx_err err = sepx_text_print(text, "mutation:\n");

    if (!err && sepx__custom_has_whole(c) && !c->mutation.given)
        return sepx_text_print(text, "  another label that fits a node's "
                                     "edges (1/2), a node put into an edge "
                                     "(1/4), a node bypassed (1/4)\n");
    for (unsigned i = 0; i < N_CHANGES; i++)
        total += c->mutation.weight[i];
    if (!err && c->mutation.fill)
        err = sepx_text_print(text, "  bare nodes first, up to %u\n",
                              c->mutation.fill);
    for (unsigned i = 0; i < N_CHANGES && !err; i++)
        if (c->mutation.each[i] > 0)
            err =
                sepx_text_print(text, "  %s at each place, probability %.4g\n",
                                sepx__change_keys[i], c->mutation.each[i]);
    if (err || !(total > 0))
        return err;
    err = sepx_text_print(text, "  single changes, %s in a mutant",
                          WORDS(c->mutation.changes));
    for (unsigned i = 0; i < N_CHANGES && !err; i++) {
        if (!(c->mutation.weight[i] > 0))
            continue;
        err =
            sepx_text_print(text, "%s %s %.3g %%", comma, sepx__change_keys[i],
                            100 * c->mutation.weight[i] / total);
        comma = ",";
    }
    return err ? err : sepx_text_print(text, "\n");
}

static enum sepx_err
explain_drawing(struct sepx_text *text, const struct custom *c)
{
    enum sepx_err err = SEPX_OK;

    if (!c->from_starts)
        err = sepx_text_print(
            text, "samples: nodes: %s; each edge with probability %.4g%s\n",
            WORDS(c->sample.nodes), c->sample.edge,
            c->repair ? ", then repaired" : ", drawn again until valid");
    else
        err = sepx_text_print(text, "samples: start graphs with one to four "
                                    "changes; no random graph was valid\n");

    if (!err)
        err = explain_mutation(text, c);
    if (!err)
        err = sepx_text_print(text,
                              "start graphs: %zu; targets:", c->start.count);
    for (size_t i = 0; i < c->target.count && !err; i++)
        err = sepx_text_print(text, " %s", c->target_name[i]);
    if (!err && !c->target.count)
        err = sepx_text_print(text, " none");
    if (!err && c->ops.n_variables)
        err = sepx_text_print(text, "\nvector: %u variables\n",
                              c->ops.n_variables);
    else if (!err)
        err = sepx_text_print(text, "\nvector: none, the places of nodes are "
                                    "not fixed\n");
    return err;
}

enum sepx_err
sepx_space_explain(struct sepx_text *text, const struct sepx_space *space)
{
    const struct custom *c = custom_of(space);
    enum sepx_err err = sepx_text_print(text, "%s%s%s\n", space->ops->info.name,
                                        space->ops->info.summary[0] ? ": " : "",
                                        space->ops->info.summary);

    if (!c || err)
        return err;
    err = sepx_text_print(text, "node labels:\n");
    for (uint16_t i = 0; i < c->ops.n_labels && !err; i++)
        err = explain_label(text, c, i);
    if (!err)
        err = explain_edges(text, c);
    if (!err)
        err = explain_groups(text, c);
    if (!err)
        err = explain_rules(text, c);
    if (!err)
        err = explain_network(text, c);
    return err ? err : explain_drawing(text, c);
}
