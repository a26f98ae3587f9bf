/* SPDX-License-Identifier: Apache-2.0 */
/* The back end of servers in a build without libpq. */
#include "store/internal.h"

const struct sepx__store_ops sepx__store_postgres = {
    .name = "postgresql",
    .absent = "studies on a server need libpq, which this build does not have",
    .remedy = "install libpq-dev and build with -Dpostgres=enabled",
};
