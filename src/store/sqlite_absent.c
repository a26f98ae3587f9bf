/* SPDX-License-Identifier: Apache-2.0 */
/* The back end of files in a build without SQLite: says so. */
#include "store/internal.h"

static enum sepx_err
absent(struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EUNSUPPORTED,
                     "studies need SQLite, which this build does not have; "
                     "install libsqlite3-dev and build with -Dsqlite=enabled");
}

static enum sepx_err
create(const char *path, const char *settings, const char *options,
       struct sepx_msg *msg)
{
    (void)path;
    (void)settings;
    (void)options;
    return absent(msg);
}

static enum sepx_err
open_path(struct sepx_store **store, const char *path, bool write,
          struct sepx_msg *msg)
{
    (void)store;
    (void)path;
    (void)write;
    return absent(msg);
}

static enum sepx_err
copy(const char *path, struct sepx_store *from, struct sepx_msg *msg)
{
    (void)path;
    (void)from;
    return absent(msg);
}

/* No store is ever open, so nothing else is ever called. */
const struct sepx__store_ops sepx__store_sqlite = {
    .name = "sqlite",
    .create = create,
    .open = open_path,
    .copy = copy,
};
