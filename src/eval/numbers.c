/* SPDX-License-Identifier: Apache-2.0 */
/* Named numbers beside the score: who asked for which. */
#include <stdio.h>
#include <string.h>

#include "eval/internal.h"

/* What every evaluator knows. */
static const char *const common[] = {"score", "test", "cost", NULL};

static int
place_of(const char *name, const char *const *names)
{
    for (int i = 0; names && names[i]; i++) {
        if (!strcmp(names[i], name))
            return i;
    }
    return -1;
}

static enum sepx_err
unknown(const char *name, const char *const *known, struct sepx_msg *msg)
{
    struct sepx_text list = {0};
    enum sepx_err err = SEPX_OK;

    for (int i = 0; common[i] && !err; i++)
        err = sepx_text_print(&list, " %s", common[i]);
    for (int i = 0; known && known[i] && !err; i++)
        err = sepx_text_print(&list, " %s", known[i]);
    if (!err)
        err = sepx_fail(msg, SEPX_EINVAL,
                        "the evaluator knows no number '%.60s'; it knows%.300s",
                        name, list.at);
    sepx_text_release(&list);
    return err;
}

enum sepx_err
sepx__eval_match(int place[SEPX_NUMBERS_MAX], const char *const *name,
                 const char *const *known, struct sepx_msg *msg)
{
    for (int i = 0; i < SEPX_NUMBERS_MAX && name[i]; i++) {
        place[i] = place_of(name[i], known);
        if (place[i] < 0 && place_of(name[i], common) < 0)
            return unknown(name[i], known, msg);
    }
    return SEPX_OK;
}

void
sepx__eval_fill(struct sepx_score *score, const char *const *name, double sign)
{
    const double number[] = {sign * score->value, sign * score->test,
                             score->cost};

    for (int i = 0; name[i]; i++) {
        int place = place_of(name[i], common);

        if (place >= 0)
            score->number[i] = number[place];
    }
}

void
sepx__eval_names_free(char **name)
{
    for (int i = 0; name && name[i]; i++)
        sepx__free(name[i]);
    sepx__free(name);
}

enum sepx_err
sepx__eval_names_copy(char ***copy, const char *const *name,
                      struct sepx_msg *msg)
{
    size_t count = 0;

    *copy = NULL;
    while (name[count])
        count++;
    if (count > SEPX_NUMBERS_MAX)
        return sepx_fail(msg, SEPX_ELIMIT,
                         "%zu numbers are asked for; the most is %d", count,
                         SEPX_NUMBERS_MAX);
    *copy = sepx__calloc(count + 1, sizeof **copy);
    for (size_t i = 0; *copy && i < count; i++) {
        (*copy)[i] = sepx__strdup(name[i]);
        if (!(*copy)[i]) {
            sepx__eval_names_free(*copy);
            *copy = NULL;
        }
    }
    return *copy ? SEPX_OK : SEPX_ENOMEM;
}
