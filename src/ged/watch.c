/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a search from outside. Reads the clock only if it has to. */
#include <math.h>

#include "ged/internal.h"

#define SECONDS_BETWEEN_CALLS 0.05
#define WORK_BETWEEN_POLLS (1 << 14) /* some 0.1 ms */

void
sepx__ged_watch_init(struct ged_watch *watch,
                     const struct sepx_ged_limits *limits)
{
    *watch = (struct ged_watch){.lower = 0, .upper = INFINITY};
    if (!limits)
        return;
    watch->call = limits->watch;
    watch->context = limits->context;
    if (limits->seconds > 0)
        watch->deadline = sepx_clock() + limits->seconds;
}

static double
lower_of(const struct ged_task *task)
{
    return (double)task->lower * task->step;
}

/* Enumeration keeps `upper` above the distance, which is its cap. */
static double
upper_of(const struct ged_task *task)
{
    const int64_t upper = task->visit ? task->cap : task->upper;

    return upper == GED_UNKNOWN ? INFINITY : (double)upper * task->step;
}

bool
sepx__ged_is_over(const struct ged_task *task)
{
    struct ged_watch *watch = task->watch;
    const double lower = fmax(watch->lower, lower_of(task));
    const double upper = fmin(watch->upper, upper_of(task));
    double now;

    if (watch->ended || (!watch->call && !(watch->deadline > 0)))
        return watch->ended;
    now = sepx_clock();
    if (watch->call &&
        (now >= watch->due || lower > watch->lower || upper < watch->upper)) {
        watch->due = now + SECONDS_BETWEEN_CALLS;
        watch->lower = lower;
        watch->upper = upper;
        watch->ended = !watch->call(watch->context, lower + watch->extra,
                                    upper + watch->extra);
    }
    return watch->ended || (watch->deadline > 0 && now > watch->deadline);
}

bool
sepx__ged_is_over_by(const struct ged_task *task, uint64_t *work, uint64_t more)
{
    *work += more;
    if (*work < WORK_BETWEEN_POLLS)
        return false;
    *work = 0;
    return sepx__ged_is_over(task);
}
