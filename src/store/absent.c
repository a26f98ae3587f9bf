/* SPDX-License-Identifier: Apache-2.0 */
/* The store of a build without SQLite: says so. */
#include "store/internal.h"

static enum sepx_err
absent(struct sepx_msg *msg)
{
    return sepx_fail(msg, SEPX_EUNSUPPORTED,
                     "studies need SQLite, which this build does not have; "
                     "install libsqlite3-dev and build with -Dsqlite=enabled");
}

enum sepx_err
sepx_store_create(const char *path, const char *settings, const char *options,
                  struct sepx_msg *msg)
{
    (void)path;
    (void)settings;
    (void)options;
    return absent(msg);
}

enum sepx_err
sepx_store_open(struct sepx_store **store, const char *path, bool write,
                struct sepx_msg *msg)
{
    (void)path;
    (void)write;
    *store = NULL;
    return absent(msg);
}

/* No store is ever open, so none of these is ever reached. */

void
sepx_store_close(struct sepx_store *store)
{
    (void)store;
}

const char *
sepx_store_path(const struct sepx_store *store)
{
    (void)store;
    return "";
}

const char *
sepx_store_settings(const struct sepx_store *store)
{
    (void)store;
    return "";
}

const char *
sepx_store_options(const struct sepx_store *store)
{
    (void)store;
    return NULL;
}

int64_t
sepx_store_writer(const struct sepx_store *store)
{
    (void)store;
    return -1;
}

enum sepx_err
sepx_store_session(struct sepx_store *store, const char *options,
                   struct sepx_msg *msg)
{
    (void)store;
    (void)options;
    return absent(msg);
}

enum sepx_err
sepx_store_begin(struct sepx_store *store, struct sepx_msg *msg)
{
    (void)store;
    return absent(msg);
}

enum sepx_err
sepx_store_commit(struct sepx_store *store, struct sepx_msg *msg)
{
    (void)store;
    return absent(msg);
}

enum sepx_err
sepx_store_ask(struct sepx_store *store, const struct sepx_asked *asked,
               struct sepx_msg *msg)
{
    (void)store;
    (void)asked;
    return absent(msg);
}

enum sepx_err
sepx_store_tell(struct sepx_store *store, const struct sepx_told *told,
                struct sepx_msg *msg)
{
    (void)store;
    (void)told;
    return absent(msg);
}

enum sepx_err
sepx_store_read(struct sepx_store *store, struct sepx_cursor **cursor,
                enum sepx_store_order order, uint32_t first,
                struct sepx_msg *msg)
{
    (void)store;
    (void)order;
    (void)first;
    *cursor = NULL;
    return absent(msg);
}

enum sepx_err
sepx_cursor_next(struct sepx_cursor *cursor, struct sepx_entry *entry,
                 bool *more, struct sepx_msg *msg)
{
    (void)cursor;
    (void)entry;
    *more = false;
    return absent(msg);
}

void
sepx_cursor_free(struct sepx_cursor *cursor)
{
    (void)cursor;
}

enum sepx_err
sepx_store_check(struct sepx_store *store, struct sepx_msg *msg)
{
    (void)store;
    return absent(msg);
}
