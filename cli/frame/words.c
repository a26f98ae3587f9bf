/* SPDX-License-Identifier: Apache-2.0 */
/* Names that completion offers, asked from the registries of this build. */
#include "frame/cli.h"

#include <string.h>

const char *const cli_word_kinds[] = {
    [WORDS_METHODS - 1] = "methods",
    [WORDS_SPACES - 1] = "spaces",
    [WORDS_EVALUATORS - 1] = "evaluators",
    [WORDS_CROSSOVERS - 1] = "crossovers",
    [WORDS_RULES - 1] = "rules",
    [WORDS_FORMATS - 1] = "formats",
    [WORDS_END - 1] = NULL,
};

static void
methods(struct out *out)
{
    const struct sepx_method_info *const *row = sepx_method_list();
    const struct sepx_method_alias *alias = sepx_method_aliases();

    for (; *row; row++)
        out_print(out, "%s\n", (*row)->name);
    for (; alias->name; alias++)
        out_print(out, "%s\n", alias->name);
}

static void
evaluators(struct out *out)
{
    const struct sepx_eval_info *const *row = sepx_eval_list();

    for (const char *last = ""; *row; last = (*row++)->name)
        if (strcmp(last, (*row)->name) != 0)
            out_print(out, "%s:\n", (*row)->name);
}

void
cli_words_print(struct out *out, enum cli_words kind)
{
    switch (kind) {
    case WORDS_METHODS:
        methods(out);
        break;
    case WORDS_SPACES:
        for (size_t i = 0; sepx_space_list()[i]; i++)
            out_print(out, "%s\n", sepx_space_list()[i]->name);
        break;
    case WORDS_EVALUATORS:
        evaluators(out);
        break;
    case WORDS_CROSSOVERS:
        for (size_t i = 0; sepx_cross_list()[i]; i++)
            out_print(out, "%s\n", sepx_cross_list()[i]->name);
        break;
    case WORDS_RULES:
        for (size_t i = 0; sepx_rules_presets()[i]; i++)
            out_print(out, "%s\n", sepx_rules_presets()[i]);
        break;
    case WORDS_FORMATS:
        for (size_t i = 0; sepx_format_list()[i]; i++)
            out_print(out, "%s\n", sepx_format_list()[i]->name);
        break;
    case WORDS_NONE:
    case WORDS_END:
        break;
    }
}
