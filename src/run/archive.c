/* SPDX-License-Identifier: Apache-2.0 */
/* The front of what was seen so far, one merit at a time. */
#include "run/study_internal.h"

void
sepx__archive_release(struct sepx__archive *archive)
{
    sepx__free(archive->merit);
    *archive = (struct sepx__archive){0};
}

/* Whether `a` is nowhere worse than `b`. */
static bool
covers(const struct sepx_merit *a, const struct sepx_merit *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->objective[i] > b->objective[i])
            return false;
    }
    return true;
}

enum sepx_err
sepx__archive_add(struct sepx__archive *archive, const struct sepx_merit *merit,
                  bool *entered)
{
    size_t kept = 0;
    enum sepx_err err;

    *entered = false;
    if (merit->violation > 0)
        return SEPX_OK;
    for (size_t i = 0; i < archive->count; i++) {
        if (covers(&archive->merit[i], merit))
            return SEPX_OK;
    }
    err = sepx__grow((void **)&archive->merit, &archive->room,
                     archive->count + 1, sizeof *archive->merit);
    if (err)
        return err;
    for (size_t i = 0; i < archive->count; i++) {
        if (!covers(merit, &archive->merit[i]))
            archive->merit[kept++] = archive->merit[i];
    }
    archive->merit[kept++] = *merit;
    archive->count = kept;
    *entered = true;
    return SEPX_OK;
}
