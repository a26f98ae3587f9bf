/* SPDX-License-Identifier: Apache-2.0 */
/* The log in an SQLite file: sessions and events are appended. */
#include "store/sqlite.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SLOW_SECONDS 0.1
#define RESCUES 1000 /* names for them */
#define LOG_PAGES 1000

/* ---- a file that was moved, replaced or deleted ---- */

/* Under a name that is free: the path may have lost a study before. */
static enum sepx_err
save_copy(struct sepx__sqlite *store, struct sepx_text *name,
          struct sepx_msg *msg)
{
    enum sepx_err err = SEPX_EINVAL;

    for (unsigned i = 1; i <= RESCUES && err == SEPX_EINVAL; i++) {
        name->len = 0;
        err = i == 1 ? sepx_text_print(name, "%s.rescued", store->place)
                     : sepx_text_print(name, "%s.rescued-%u", store->place, i);
        if (!err)
            err = sepx__sqlite_copy(name->at, &store->base, NULL, msg);
    }
    return err;
}

static enum sepx_err
rescue(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct sepx_text name = {0};
    struct sepx_msg why = {0};
    enum sepx_err err = save_copy(store, &name, &why);

    if (err)
        (void)sepx_fail(msg, err,
                        "%s was moved, replaced or deleted while its study "
                        "ran, and cannot be saved: %s",
                        store->base.path, why.text);
    else
        (void)sepx_fail(msg, SEPX_EIO,
                        "%s was moved, replaced or deleted while its study "
                        "ran; all of it is saved as %s, which can be resumed",
                        store->base.path, name.at);
    sepx_text_release(&name);
    return SEPX_EIO;
}

/* The file has lost its path: keep its results, and say where they are. */
static enum sepx_err
save(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    struct stat at;

    if (store->lost)
        return sepx_fail(msg, SEPX_EIO,
                         "%s was overwritten while its study ran, and results "
                         "of the study are lost; restore a copy of it",
                         store->base.path);
    /* SQLite itself would leave the log where the file was. */
    if (fstat(store->lock, &at) != 0 || at.st_nlink == 0 ||
        sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE,
                                  NULL, NULL) != SQLITE_OK)
        return rescue(store, msg);
    return sepx_fail(msg, SEPX_EIO,
                     "%s was moved or replaced while its study ran; the file "
                     "that was moved has all results so far, resume that",
                     store->base.path);
}

/*
 * Whether a checkpoint was made since the last call, by any process, or is
 * being made. The index of the log says so (sqlite.org/walformat.html): salts,
 * and frames that were written to the file and that were begun with.
 */
static bool
has_checkpoint(struct sepx__sqlite *store)
{
    enum { INDEX_BYTES = 32768, DONE = 2, BEGUN = 3 };
    static const unsigned char word[] = {8, 9, 24, 32};
    volatile void *index = NULL;
    sqlite3_file *file = NULL;
    bool found = false;

    if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER,
                             &file) != SQLITE_OK ||
        !file->pMethods || file->pMethods->iVersion < 2 ||
        file->pMethods->xShmMap(file, 0, INDEX_BYTES, 0, &index) != SQLITE_OK ||
        !index)
        return false;
    for (size_t i = 0; i < sizeof word; i++) {
        uint32_t now = ((const volatile uint32_t *)index)[word[i]];

        found = found || now != store->checkpoint[i];
        store->checkpoint[i] = now;
    }
    return found || store->checkpoint[BEGUN] > store->checkpoint[DONE];
}

/* Whether other bytes are in the file than those of checkpoints. */
static bool
is_overwritten(struct sepx__sqlite *store)
{
    if (!sepx__place_overwritten(&store->state, store->lock))
        return false;
    if (!has_checkpoint(store))
        return true;
    sepx__place_note(&store->state, store->lock);
    return false;
}

/*
 * Note whether the path still leads to the file. If not, SQLite goes on
 * writing to a log and a file that have no names there any more. A file that
 * was overwritten keeps its new bytes.
 */
static void
look(struct sepx__sqlite *store)
{
    if (store->log < 0 || store->gone) /* a new file has no log yet */
        return;
    store->lost = is_overwritten(store);
    if (!store->lost && sepx__place_same(store->lock, store->place))
        return;
    store->gone = true;
    if (store->lost)
        (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                                NULL);
    sepx__place_drop_log(store->log, store->place);
}

/*
 * As SQLite does by itself. The first commit after a checkpoint begins the log
 * anew, which changes its index, too.
 */
static int
checkpoint(void *context, sqlite3 *db, const char *name, int pages)
{
    struct sepx__sqlite *store = context;

    if (pages >= LOG_PAGES)
        look(store);
    if (pages >= LOG_PAGES && !store->lost)
        (void)sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE,
                                        NULL, NULL);
    if (!store->lost && has_checkpoint(store))
        sepx__place_note(&store->state, store->lock);
    return SQLITE_OK;
}

void
sepx__sqlite_watch(struct sepx__sqlite *store)
{
    (void)has_checkpoint(store);
    sepx__place_note(&store->state, store->lock);
    (void)sqlite3_wal_hook(store->db, checkpoint, store);
}

static enum sepx_err
check_place(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    look(store);
    if (!store->gone)
        return SEPX_OK;
    if (!store->saved.code)
        (void)save(store, &store->saved);
    if (msg)
        *msg = store->saved;
    return SEPX_EIO;
}

void
sepx__sqlite_leave(struct sepx__sqlite *store)
{
    if (store->log >= 0)
        sepx__sqlite_undo(store);
    (void)check_place(store, NULL);
}

/* ---- sessions and transactions ---- */

static double
now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum sepx_err
sepx__sqlite_session(struct sepx_store *base, const char *options,
                     struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    sqlite3_stmt *statement = NULL;
    char host[256] = "";
    char *copy = sepx__strdup(options);
    enum sepx_err err = copy ? check_place(store, msg) : SEPX_ENOMEM;

    (void)gethostname(host, sizeof host - 1);
    if (!err)
        err = sepx__sqlite_prepare(
            store, &statement,
            "INSERT INTO session(began, pid, host, options) "
            "VALUES (?1, ?2, ?3, ?4)",
            msg);
    if (!err) {
        (void)sqlite3_bind_double(statement, 1, now());
        (void)sqlite3_bind_int64(statement, 2, getpid());
        (void)sqlite3_bind_text(statement, 3, host, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(statement, 4, options, -1, SQLITE_STATIC);
        err = sepx__sqlite_check(store->base.path, store->db,
                                 sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    if (err) {
        sepx__free(copy);
        return err;
    }
    sepx__free(store->base.options);
    store->base.options = copy;
    return SEPX_OK;
}

enum sepx_err
sepx__sqlite_spend(struct sepx_store *base, double elapsed,
                   struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    sqlite3_stmt *statement = NULL;
    enum sepx_err err = check_place(store, msg);

    if (!err)
        err = sepx__sqlite_prepare(store, &statement,
                                   "INSERT OR REPLACE INTO spent "
                                   "SELECT max(id), ?1 FROM session",
                                   msg);
    if (!err) {
        (void)sqlite3_bind_double(statement, 1, elapsed);
        err = sepx__sqlite_check(store->base.path, store->db,
                                 sqlite3_step(statement), msg);
    }
    sqlite3_finalize(statement);
    if (!err && elapsed > store->base.elapsed)
        store->base.elapsed = elapsed;
    return err;
}

enum sepx_err
sepx__sqlite_begin(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);

    look(store);
    if (store->lost) /* no page of it can be read */
        return check_place(store, msg);
    return sepx__sqlite_execute(store, "BEGIN IMMEDIATE", msg);
}

/*
 * With synchronous = NORMAL a commit is in the log but maybe not on the disk,
 * which takes a hundred times as long. Results that are worth it wait.
 */
static enum sepx_err
sync_log(struct sepx__sqlite *store, struct sepx_msg *msg)
{
    sqlite3_file *log = NULL;
    int code = sqlite3_file_control(store->db, "main",
                                    SQLITE_FCNTL_JOURNAL_POINTER, &log);

    store->slow = false;
    if (code == SQLITE_OK && log && log->pMethods)
        code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
    return sepx__sqlite_check(store->base.path, NULL, code, msg);
}

/*
 * A file that is moved between the look at its path and COMMIT is noticed by
 * the next write, or when the store is closed.
 */
enum sepx_err
sepx__sqlite_commit(struct sepx_store *base, struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    enum sepx_err err;

    look(store);
    err = sepx__sqlite_execute(store, "COMMIT", msg);
    if (err)
        sepx__sqlite_undo(store);
    else if (store->slow)
        err = sync_log(store, msg);
    return store->gone ? check_place(store, msg) : err;
}

static void
bind_trial(sqlite3_stmt *statement, int at, int64_t trial)
{
    if (trial < 0)
        (void)sqlite3_bind_null(statement, at);
    else
        (void)sqlite3_bind_int64(statement, at, trial);
}

static void
bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    (void)sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

/* ---- events ---- */

static enum sepx_err
prepared(struct sepx__sqlite *store, sqlite3_stmt **statement, const char *sql,
         struct sepx_msg *msg)
{
    return *statement ? SEPX_OK
                      : sepx__sqlite_prepare(store, statement, sql, msg);
}

static enum sepx_err
bind_asked(struct sepx__sqlite *store, const struct sepx_asked *asked,
           struct sepx_msg *msg)
{
    enum sepx_err err = prepared(
        store, &store->add_asked,
        "INSERT INTO asked(event, sum, trial, operator, parent1, parent2,"
        "  fidelity, same, graph) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
        msg);
    sqlite3_stmt *add = store->add_asked;

    if (err)
        return err;
    (void)sqlite3_bind_int64(add, 3, asked->trial);
    bind_text(add, 4, asked->op);
    bind_trial(add, 5, asked->parent[0]);
    bind_trial(add, 6, asked->parent[1]);
    (void)sqlite3_bind_double(add, 7, asked->fidelity);
    bind_trial(add, 8, asked->same);
    bind_text(add, 9, asked->graph);
    return SEPX_OK;
}

static enum sepx_err
bind_told(struct sepx__sqlite *store, const struct sepx_told *told,
          struct sepx_msg *msg)
{
    enum sepx_err err = prepared(
        store, &store->add_told,
        "INSERT INTO told(event, sum, trial, attempt, outcome, value, test,"
        "  cost, cached, answer, errors, slot, seconds, finished, elapsed,"
        "  numbers, steps) VALUES"
        " (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)",
        msg);
    sqlite3_stmt *add = store->add_told;

    if (err)
        return err;
    store->slow = store->slow || told->seconds > SLOW_SECONDS;
    (void)sqlite3_bind_int64(add, 3, told->trial);
    (void)sqlite3_bind_int64(add, 4, told->attempt);
    bind_text(add, 5, told->outcome);
    (void)sqlite3_bind_double(add, 6, told->value); /* NaN: NULL */
    (void)sqlite3_bind_double(add, 7, told->test);
    (void)sqlite3_bind_double(add, 8, told->cost);
    bind_trial(add, 9, told->cached);
    bind_text(add, 10, told->answer);
    bind_text(add, 11, told->errors);
    bind_text(add, 12, told->slot);
    (void)sqlite3_bind_double(add, 13, told->seconds);
    (void)sqlite3_bind_double(add, 14, told->finished);
    (void)sqlite3_bind_double(add, 15, told->elapsed);
    bind_text(add, 16, told->numbers);
    bind_text(add, 17, told->steps);
    return SEPX_OK;
}

static enum sepx_err
bind_retried(struct sepx__sqlite *store, uint32_t trial, struct sepx_msg *msg)
{
    enum sepx_err err = prepared(
        store, &store->add_retried,
        "INSERT INTO retried(event, sum, trial) VALUES (?1,?2,?3)", msg);

    if (!err)
        (void)sqlite3_bind_int64(store->add_retried, 3, trial);
    return err;
}

/* The first two columns of each statement, then run it. */
static enum sepx_err
insert(struct sepx__sqlite *store, sqlite3_stmt *statement,
       const struct sepx_entry *entry, struct sepx_msg *msg)
{
    unsigned char sum[SEPX__SUM_BYTES];
    enum sepx_err err;

    sepx__store_count(&store->base, entry, sum);
    (void)sqlite3_bind_int64(statement, 1, store->base.event);
    (void)sqlite3_bind_blob(statement, 2, sum, sizeof sum, SQLITE_STATIC);
    err = sepx__sqlite_check(store->base.path, store->db,
                             sqlite3_step(statement), msg);
    (void)sqlite3_reset(statement);
    (void)sqlite3_clear_bindings(statement);
    return err;
}

enum sepx_err
sepx__sqlite_append(struct sepx_store *base, const struct sepx_entry *entry,
                    struct sepx_msg *msg)
{
    struct sepx__sqlite *store = sepx__sqlite_of(base);
    sqlite3_stmt *const *statement = &store->add_asked;
    enum sepx_err err;

    if (entry->is_asked) {
        err = bind_asked(store, &entry->asked, msg);
    } else if (entry->is_told) {
        statement = &store->add_told;
        err = bind_told(store, &entry->told, msg);
    } else {
        statement = &store->add_retried;
        err = bind_retried(store, entry->retried, msg);
    }
    if (!err)
        err = insert(store, *statement, entry, msg);
    if (err)
        sepx__sqlite_undo(store);
    return err;
}
