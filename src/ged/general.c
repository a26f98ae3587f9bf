/* SPDX-License-Identifier: Apache-2.0 */
#include "ged/internal.h"

/* Costs other than 1 follow in the next step. */
enum sepx_err
sepx__ged_general(struct sepx_ged *ged, struct ged_task *task)
{
    (void)ged;
    return task->upper == GED_UNKNOWN ? SEPX_EUNSUPPORTED : SEPX_OK;
}
