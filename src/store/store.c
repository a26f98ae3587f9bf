/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Studies in any place: the name of one chooses its back end, and what holds
 * for all of them is here.
 *
 * Rows are not trusted, wherever they come from: keys must ascend, because
 * the pages of a damaged or hostile file can make a short table endless, and
 * each event of a log must be what its checksum says.
 */
#include "store/claims.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

/* ---- back ends ---- */

/*
 * SEPX_EUNSUPPORTED if this build lacks the back end of `path`; SEPX_EINVAL if
 * it has a password.
 */
static enum sepx_err
ops_for(const struct sepx__store_ops **ops, const char *path,
        struct sepx_msg *msg)
{
    enum sepx_err err = sepx_store_check_name(path, msg);

    if (err)
        return err;
    *ops =
        sepx__name_is_url(path) ? &sepx__store_postgres : &sepx__store_sqlite;
    if ((*ops)->absent)
        return sepx_fail(msg, SEPX_EUNSUPPORTED, "%s; %s", (*ops)->absent,
                         (*ops)->remedy);
    return SEPX_OK;
}

enum sepx_err
sepx_store_create(const char *path, const char *settings, const char *options,
                  struct sepx_msg *msg)
{
    const struct sepx__store_ops *ops;
    enum sepx_err err = ops_for(&ops, path, msg);

    return err ? err : ops->create(path, settings, options, msg);
}

void
sepx_store_close(struct sepx_store *store)
{
    if (store)
        store->ops->close(store);
}

/* ---- sessions ---- */

void
sepx__store_take_elapsed(struct sepx_store *store, double elapsed, bool sane)
{
    store->odd_elapsed = !sane || !isfinite(elapsed) || elapsed < 0;
    store->elapsed = store->odd_elapsed ? 0 : elapsed;
}

static enum sepx_err
check_elapsed(const struct sepx_store *store, struct sepx_msg *msg)
{
    if (!store->odd_elapsed)
        return SEPX_OK;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: the time that its sessions noted makes no sense; it "
                     "was changed or is damaged, " SEPX__LOG_REMEDY,
                     store->path);
}

static enum sepx_err
check_options(const struct sepx_store *store, struct sepx_msg *msg)
{
    struct sepx_json *json = NULL;
    enum sepx_err err = SEPX_OK;

    if (store->options)
        err = sepx_json_parse(&json, store->options, strlen(store->options),
                              NULL);
    if (!err && json && sepx_json_type(json) != SEPX_JSON_OBJECT)
        err = SEPX_EDATA;
    sepx_json_free(json);
    if (err != SEPX_EDATA)
        return err;
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: the options of its last session are no JSON object; "
                     "they were changed or are damaged, " SEPX__LOG_REMEDY,
                     store->path);
}

static enum sepx_err
check_sessions(const struct sepx_store *store, struct sepx_msg *msg)
{
    enum sepx_err err = check_elapsed(store, msg);

    return err ? err : check_options(store, msg);
}

enum sepx_err
sepx_store_mend_sessions(struct sepx_store *store, bool *elapsed, bool *options)
{
    enum sepx_err err = check_options(store, NULL);

    *elapsed = store->odd_elapsed;
    *options = err == SEPX_EDATA;
    if (*options) {
        sepx__free(store->options);
        store->options = NULL;
    }
    return *options ? SEPX_OK : err;
}

/* ---- opening ---- */

enum sepx_err
sepx_store_open(struct sepx_store **store, const char *path, bool write,
                struct sepx_msg *msg)
{
    const struct sepx__store_ops *ops;
    enum sepx_err err = ops_for(&ops, path, msg);

    *store = NULL;
    if (!err)
        err = ops->open(store, path, write, msg);
    if (!err && write)
        err = check_elapsed(*store, msg);
    if (err) {
        sepx_store_close(*store);
        *store = NULL;
    }
    return err;
}

static enum sepx_err
check_log(struct sepx_store *store, struct sepx_msg *msg)
{
    struct sepx_cursor *cursor;
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = sepx_store_read(store, &cursor, SEPX_STORE_LOG, 0, msg);

    while (!err && more)
        err = sepx_cursor_next(cursor, &entry, &more, msg);
    sepx_cursor_free(cursor);
    return err;
}

enum sepx_err
sepx_store_copy(struct sepx_store *store, const char *path,
                struct sepx_msg *msg)
{
    const struct sepx__store_ops *ops;
    enum sepx_err err = ops_for(&ops, path, msg);

    /* Of a file, pages are copied; the events of others are read anyway. */
    if (!err && !store->ops->share)
        err = check_log(store, msg);
    if (!err)
        err = check_sessions(store, msg);
    return err ? err : ops->copy(path, store, NULL, msg);
}

enum sepx_err
sepx_store_copy_some(struct sepx_store *store, const char *path,
                     const struct sepx_store_sieve *sieve, struct sepx_msg *msg)
{
    const struct sepx__store_ops *ops;
    enum sepx_err err = ops_for(&ops, path, msg);

    return err ? err : ops->copy(path, store, sieve, msg);
}

enum sepx_err
sepx_store_list(const char *url,
                enum sepx_err (*each)(void *context, const char *path),
                void *context, struct sepx_msg *msg)
{
    const struct sepx__store_ops *ops;
    enum sepx_err err = ops_for(&ops, url, msg);

    if (err)
        return err;
    if (!ops->list)
        return sepx_fail(msg, SEPX_EINVAL, "%s: not the URL of a database",
                         url);
    return ops->list(url, each, context, msg);
}

/* ---- what a study has beside its log ---- */

const char *
sepx_store_path(const struct sepx_store *store)
{
    return store->path;
}

const char *
sepx_store_settings(const struct sepx_store *store)
{
    return store->settings;
}

const char *
sepx_store_options(const struct sepx_store *store)
{
    return store->options;
}

double
sepx_store_elapsed(const struct sepx_store *store)
{
    return store->elapsed;
}

int64_t
sepx_store_writer(const struct sepx_store *store)
{
    return store->writer;
}

enum sepx_err
sepx_store_check(struct sepx_store *store, struct sepx_msg *msg)
{
    enum sepx_err err = store->ops->check(store, msg);

    return err ? err : check_sessions(store, msg);
}

bool
sepx_store_shared(const struct sepx_store *store)
{
    return store->ops->share;
}

enum sepx_err
sepx_store_workers(struct sepx_store *store,
                   void (*each)(void *context,
                                const struct sepx_store_worker *worker),
                   void *context, struct sepx_msg *msg)
{
    return store->ops->share
               ? store->ops->share->workers(store, each, context, msg)
               : SEPX_OK;
}

enum sepx_err
sepx_store_files(struct sepx_store *store,
                 void (*each)(void *context, const char *name, const char *sum),
                 void *context, struct sepx_msg *msg)
{
    return store->ops->share
               ? store->ops->share->files(store, each, context, msg)
               : SEPX_OK;
}

enum sepx_err
sepx_store_add_file(struct sepx_store *store, const char *name, const char *sum,
                    struct sepx_msg *msg)
{
    return store->ops->share
               ? store->ops->share->add_file(store, name, sum, msg)
               : SEPX_OK;
}

/* ---- writing ---- */

enum sepx_err
sepx_store_session(struct sepx_store *store, const char *options,
                   struct sepx_msg *msg)
{
    return store->ops->session(store, options, msg);
}

enum sepx_err
sepx_store_spend(struct sepx_store *store, double elapsed, struct sepx_msg *msg)
{
    return store->ops->spend(store, elapsed, msg);
}

bool
sepx_store_renewable(const struct sepx_store *store)
{
    return store->ops->renew;
}

enum sepx_err
sepx_store_renew(struct sepx_store *store, const char *settings,
                 struct sepx_msg *msg)
{
    char *copy = sepx__strdup(settings);
    enum sepx_err err =
        copy ? store->ops->renew(store, settings, msg) : SEPX_ENOMEM;

    if (err) {
        sepx__free(copy);
        return err;
    }
    sepx__free(store->settings);
    store->settings = copy;
    store->elapsed = 0;
    store->event = 0;
    store->sum = sepx__sum_begin(copy);
    return SEPX_OK;
}

enum sepx_err
sepx_store_begin(struct sepx_store *store, struct sepx_msg *msg)
{
    return store->ops->begin(store, msg);
}

enum sepx_err
sepx_store_commit(struct sepx_store *store, struct sepx_msg *msg)
{
    return store->ops->commit(store, msg);
}

enum sepx_err
sepx_store_ask(struct sepx_store *store, const struct sepx_asked *asked,
               struct sepx_msg *msg)
{
    struct sepx_entry entry = {.is_asked = true, .asked = *asked};

    return store->ops->append(store, &entry, msg);
}

enum sepx_err
sepx_store_tell(struct sepx_store *store, const struct sepx_told *told,
                struct sepx_msg *msg)
{
    struct sepx_entry entry = {.is_told = true, .told = *told};

    return store->ops->append(store, &entry, msg);
}

enum sepx_err
sepx_store_retry(struct sepx_store *store, uint32_t trial, struct sepx_msg *msg)
{
    struct sepx_entry entry = {.is_retried = true, .retried = trial};

    return store->ops->append(store, &entry, msg);
}

void
sepx__store_count(struct sepx_store *store, const struct sepx_entry *entry,
                  unsigned char sum[SEPX__SUM_BYTES])
{
    sepx__sum_add(&store->sum, ++store->event, entry);
    sepx__sum_write(sum, &store->sum);
}

/* ---- reading ---- */

enum sepx_err
sepx_store_read(struct sepx_store *store, struct sepx_cursor **cursor,
                enum sepx_store_order order, uint32_t first,
                struct sepx_msg *msg)
{
    *cursor = NULL;
    return store->ops->read(store, cursor, order, first, msg);
}

void
sepx_cursor_free(struct sepx_cursor *cursor)
{
    if (cursor)
        cursor->ops->cursor_free(cursor);
}

/* None, or one that came before. */
static bool
is_before(int64_t other, int64_t trial)
{
    return other >= -1 && other < trial;
}

static bool
makes_sense(const struct sepx_entry *entry)
{
    const struct sepx_asked *asked = &entry->asked;
    const struct sepx_told *told = &entry->told;

    if (entry->is_asked && (!asked->op || !asked->graph ||
                            !is_before(asked->parent[0], asked->trial) ||
                            !is_before(asked->parent[1], asked->trial) ||
                            !is_before(asked->same, asked->trial)))
        return false;
    return !entry->is_told ||
           (told->outcome && is_before(told->cached, told->trial));
}

/* Whether an event is what its sum says. */
static bool
fits_sum(struct sepx_cursor *cursor, const struct sepx__row *row,
         const struct sepx_entry *entry)
{
    unsigned char sum[SEPX__SUM_BYTES];

    if (!cursor->sums)
        return true;
    sepx__sum_add(&cursor->sum, row->key, entry);
    sepx__sum_write(sum, &cursor->sum);
    return row->sum && row->sum_len == sizeof sum &&
           memcmp(row->sum, sum, sizeof sum) == 0;
}

static struct sepx_store_row
row_of(const struct sepx_entry *entry, int64_t event)
{
    struct sepx_store_row row = {event, "retry", entry->retried, entry, NULL};

    if (entry->is_asked) {
        row.what = "proposal";
        row.trial = entry->asked.trial;
    } else if (entry->is_told) {
        row.what = "result";
        row.trial = entry->told.trial;
    }
    return row;
}

/* Rows of a log have the number of their event. */
static enum sepx_err
odd(const struct sepx_cursor *cursor, const struct sepx_entry *entry,
    const char *why, struct sepx_msg *msg)
{
    struct sepx_store_row row = row_of(entry, cursor->key);

    if (cursor->sums)
        return sepx_fail(msg, SEPX_EDATA,
                         "%s: event %lld, the %s of trial %u, %s; the log was "
                         "changed or is damaged, " SEPX__LOG_REMEDY,
                         cursor->path, (long long)row.event, row.what,
                         row.trial, why);
    return sepx_fail(msg, SEPX_EDATA,
                     "%s: the %s of trial %u %s; the log was changed or is "
                     "damaged, " SEPX__LOG_REMEDY,
                     cursor->path, row.what, row.trial, why);
}

enum sepx_err
sepx_cursor_next(struct sepx_cursor *cursor, struct sepx_entry *entry,
                 bool *more, struct sepx_msg *msg)
{
    struct sepx__row row = {0};
    int64_t before = cursor->key;
    const char *why = NULL;
    enum sepx_err err = cursor->ops->next(cursor, entry, &row, more, msg);

    if (err || !*more)
        return err;
    if (row.keyed)
        cursor->key = row.key;
    if (row.odd || !makes_sense(entry) || (row.keyed && row.key <= before))
        why = "makes no sense";
    else if (!fits_sum(cursor, &row, entry))
        why = "differs from its checksum";
    return why ? odd(cursor, entry, why, msg) : SEPX_OK;
}

/* ---- appending another log ---- */

enum sepx_err
sepx__store_append_all(struct sepx_store *store, struct sepx_cursor *cursor,
                       struct sepx_msg *msg)
{
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err && more) {
        err = sepx_cursor_next(cursor, &entry, &more, msg);
        if (!err && more)
            err = store->ops->append(store, &entry, msg);
    }
    return err;
}

/* The sum behind an event. */
struct link {
    int64_t event;
    struct sepx__hash sum;
};

/* Whether the row's sum is that of its entry behind the link. */
static bool
follows(const struct link *before, const struct sepx__row *row,
        const struct sepx_entry *entry)
{
    struct sepx_cursor at = {.sums = true, .sum = before->sum};

    return before->event == row->key - 1 && fits_sum(&at, row, entry);
}

/*
 * A row is an event of the log if its sum follows from that of the row before,
 * be that one an event or not.
 */
static const char *
fault_of(const struct sepx__row *row, const struct sepx_entry *entry, bool sums,
         const struct link *event, const struct link *other)
{
    if (row->odd || !makes_sense(entry))
        return "makes no sense";
    if (row->key <= event->event)
        return "has no number of its own";
    if (!sums || follows(event, row, entry) || follows(other, row, entry))
        return NULL;
    return event->event == row->key - 1 || other->event == row->key - 1
               ? "differs from its checksum"
               : "follows an event that is missing or has no checksum";
}

static enum sepx_err
append_some(struct sepx_store *store, struct sepx_cursor *cursor,
            const struct sepx_store_sieve *sieve, struct sepx_msg *msg)
{
    struct link event = {0, cursor->sum}, other = {-1, cursor->sum};
    struct sepx_entry entry;
    bool more = true;
    enum sepx_err err = SEPX_OK;

    while (!err) {
        struct sepx__row row = {0};
        struct sepx_store_row at;
        bool keep = false;

        err = cursor->ops->next(cursor, &entry, &row, &more, msg);
        if (err || !more)
            break;
        at = row_of(&entry, row.key);
        at.fault = fault_of(&row, &entry, cursor->sums, &event, &other);
        err = sieve->keep(sieve->context, &at, &keep, msg);
        if (!err && keep)
            err = store->ops->append(store, &entry, msg);
        if (row.sum && row.sum_len == SEPX__SUM_BYTES)
            *(at.fault ? &other : &event) =
                (struct link){row.key, sepx__sum_read(row.sum)};
    }
    return err;
}

enum sepx_err
sepx__store_append_log(struct sepx_store *store, struct sepx_store *from,
                       const struct sepx_store_sieve *sieve,
                       struct sepx_msg *msg)
{
    struct sepx_cursor *cursor = NULL;
    enum sepx_err err =
        sieve && from->ops->rows
            ? from->ops->rows(from, &cursor, msg)
            : sepx_store_read(from, &cursor, SEPX_STORE_LOG, 0, msg);

    store->event = 0;
    store->sum = sepx__sum_begin(from->settings);
    if (!err && sieve)
        err = append_some(store, cursor, sieve, msg);
    else if (!err)
        err = sepx__store_append_all(store, cursor, msg);
    /* Sums are made from the numbers of events, so those are the same. */
    if (!err && !sieve && (cursor->key > 0 ? cursor->key : 0) != store->event)
        err = sepx_fail(
            msg, SEPX_EDATA,
            "%s: the numbers of its events have gaps; " SEPX__LOG_REMEDY,
            from->path);
    sepx_cursor_free(cursor);
    return err;
}
