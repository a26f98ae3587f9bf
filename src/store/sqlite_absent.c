/* SPDX-License-Identifier: Apache-2.0 */
/* The back end of files in a build without SQLite. */
#include "store/internal.h"

const struct sepx__store_ops sepx__store_sqlite = {
    .name = "sqlite",
    .absent = "studies need SQLite, which this build does not have",
    .remedy = "install libsqlite3-dev and build with -Dsqlite=enabled",
};
