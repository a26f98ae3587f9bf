/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of studies on a server, version by version.
 *
 * Settings and events are append-only: triggers refuse to change or remove
 * them for everyone, and the role of workers may insert and nothing else. The
 * state of work (head, claim, worker) is no part of a study: a study can go
 * on without it.
 */
#include "store/postgres/postgres.h"

/* clang-format off */
#define KEPT(table) \
    "CREATE TRIGGER stays BEFORE UPDATE OR DELETE ON sepx." table \
    "  FOR EACH ROW EXECUTE FUNCTION sepx.refuse();" \
    "CREATE TRIGGER is_kept BEFORE TRUNCATE ON sepx." table \
    "  EXECUTE FUNCTION sepx.refuse();"

/*
 * The head's row is the lock of its study, and gives events their numbers.
 * Who may not make a schema can be given one, empty.
 */
static const char log_1[] =
    "DO $$ BEGIN IF to_regnamespace('sepx') IS NULL THEN"
    "  CREATE SCHEMA sepx; END IF; END $$;"
    "CREATE TABLE sepx.schema(version bigint NOT NULL,"
    "  since timestamptz NOT NULL DEFAULT now());"
    "CREATE FUNCTION sepx.now() RETURNS timestamptz LANGUAGE sql VOLATILE"
    "  AS 'SELECT pg_catalog.clock_timestamp()';"
    "CREATE FUNCTION sepx.refuse() RETURNS trigger LANGUAGE plpgsql"
    "  AS 'BEGIN RAISE EXCEPTION ''the log is append-only''; END';"
    "CREATE TABLE sepx.study("
    "  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
    "  name text NOT NULL UNIQUE, settings text NOT NULL,"
    "  began timestamptz NOT NULL DEFAULT now());"
    "CREATE TABLE sepx.head("
    "  study bigint PRIMARY KEY REFERENCES sepx.study,"
    "  event bigint NOT NULL, sum bytea NOT NULL) WITH (fillfactor = 10);"
    "CREATE TABLE sepx.session("
    "  study bigint NOT NULL REFERENCES sepx.study,"
    "  id bigint GENERATED ALWAYS AS IDENTITY,"
    "  began timestamptz NOT NULL DEFAULT now(), pid bigint NOT NULL,"
    "  host text NOT NULL, options text NOT NULL, PRIMARY KEY (study, id));"
    "CREATE TABLE sepx.spent("
    "  study bigint PRIMARY KEY REFERENCES sepx.study,"
    "  elapsed float8 NOT NULL) WITH (fillfactor = 10);"
    "CREATE TABLE sepx.asked("
    "  study bigint NOT NULL, trial bigint NOT NULL,"
    "  event bigint NOT NULL, operator text NOT NULL, parent1 bigint,"
    "  parent2 bigint, fidelity float8 NOT NULL, same bigint,"
    "  graph text NOT NULL, sum bytea NOT NULL,"
    "  PRIMARY KEY (study, trial), UNIQUE (study, event));"
    "CREATE TABLE sepx.told("
    "  study bigint NOT NULL, trial bigint NOT NULL, attempt bigint NOT NULL,"
    "  event bigint NOT NULL, outcome text NOT NULL, value float8,"
    "  test float8, cost float8, cached bigint, answer bytea, errors bytea,"
    "  slot bytea, seconds float8 NOT NULL, finished float8 NOT NULL,"
    "  elapsed float8 NOT NULL, numbers bytea, steps bytea,"
    "  sum bytea NOT NULL, PRIMARY KEY (study, trial, attempt),"
    "  UNIQUE (study, event),"
    "  FOREIGN KEY (study, trial) REFERENCES sepx.asked(study, trial));"
    "CREATE INDEX told_value ON sepx.told(study, value, trial)"
    "  WHERE value IS NOT NULL;"
    "CREATE TABLE sepx.retried("
    "  study bigint NOT NULL, event bigint NOT NULL, trial bigint NOT NULL,"
    "  sum bytea NOT NULL, PRIMARY KEY (study, event),"
    "  FOREIGN KEY (study, trial) REFERENCES sepx.asked(study, trial));"
    "CREATE INDEX retried_trial ON sepx.retried(study, trial);"
    KEPT("study") KEPT("asked") KEPT("told") KEPT("retried") KEPT("session");

static const char work_1[] =
    "CREATE TABLE sepx.worker("
    "  id bigint PRIMARY KEY, study bigint NOT NULL,"
    "  host text NOT NULL, pid bigint NOT NULL, slots text NOT NULL,"
    "  lease float8 NOT NULL, beat bigint NOT NULL DEFAULT 0,"
    "  began timestamptz NOT NULL DEFAULT now(),"
    "  seen timestamptz NOT NULL DEFAULT sepx.now(), ended timestamptz,"
    "  reason text, told bigint NOT NULL, failed bigint NOT NULL,"
    "  worked float8 NOT NULL, waited float8 NOT NULL)"
    "  WITH (fillfactor = 50);"
    "CREATE INDEX worker_study ON sepx.worker(study);"
    "CREATE TABLE sepx.claim("
    "  study bigint NOT NULL, trial bigint NOT NULL,"
    "  attempt bigint NOT NULL, worker bigint, slot bytea,"
    "  began timestamptz NOT NULL DEFAULT sepx.now(),"
    "  lost bigint NOT NULL DEFAULT 0, failed_on text,"
    "  PRIMARY KEY (study, trial, attempt)) WITH (fillfactor = 50);"
    "CREATE INDEX claim_worker ON sepx.claim(worker);"
    "CREATE TABLE sepx.file("
    "  study bigint NOT NULL REFERENCES sepx.study,"
    "  id bigint GENERATED ALWAYS AS IDENTITY, name text NOT NULL,"
    "  sum text NOT NULL, PRIMARY KEY (study, id));"
    KEPT("file")
    "INSERT INTO sepx.schema(version) VALUES (1);";

/*
 * Roles are the whole server's, and not everyone may make them; without them
 * the owner of the tables works alone or grants by hand.
 */
static const char roles[] =
    "DO $$ BEGIN"
    "  IF to_regrole('sepx_worker') IS NULL THEN"
    "    CREATE ROLE sepx_worker NOLOGIN; END IF;"
    "  IF to_regrole('sepx_reader') IS NULL THEN"
    "    CREATE ROLE sepx_reader NOLOGIN; END IF;"
    "EXCEPTION WHEN insufficient_privilege OR duplicate_object"
    "  OR unique_violation THEN NULL; END $$;"
    "DO $$ BEGIN"
    "  IF to_regrole('sepx_reader') IS NOT NULL THEN"
    "    GRANT USAGE ON SCHEMA sepx TO sepx_reader, sepx_worker;"
    "    GRANT SELECT ON ALL TABLES IN SCHEMA sepx"
    "      TO sepx_reader, sepx_worker;"
    "    GRANT INSERT ON sepx.asked, sepx.told, sepx.retried, sepx.spent,"
    "      sepx.worker, sepx.claim TO sepx_worker;"
    "    GRANT UPDATE ON sepx.head, sepx.spent, sepx.worker, sepx.claim"
    "      TO sepx_worker;"
    "    GRANT DELETE ON sepx.claim TO sepx_worker;"
    "  END IF;"
    "EXCEPTION WHEN insufficient_privilege OR undefined_object"
    "  THEN NULL; END $$;";
/* clang-format on */

/* Step i brings the tables of version i to version i + 1. */
static const char *const steps[SEPX__PG_SCHEMA][2] = {{log_1, work_1}};

/* One number of one row; `otherwise` if there is none. */
static enum sepx_err
number(struct sepx__pg *pg, int64_t *value, enum sepx__pg_id id,
       int64_t otherwise, struct sepx_msg *msg)
{
    PGresult *rows;
    bool sane = true;
    enum sepx_err err = sepx__pg_queue(pg, id, msg);

    *value = otherwise;
    if (!err)
        err = sepx__pg_finish(pg, &rows, 1, msg);
    if (err)
        return err;
    if (PQntuples(rows) > 0)
        *value = sepx__pg_integer(rows, 0, 0, otherwise, &sane);
    PQclear(rows);
    return SEPX_OK;
}

static enum sepx_err
version_of(struct sepx__pg *pg, int64_t *version, struct sepx_msg *msg)
{
    int64_t there;
    enum sepx_err err = number(pg, &there, SEPX__PG_FIRST_RUN, 0, msg);

    *version = 0;
    if (!err && there)
        err = number(pg, version, SEPX__PG_VERSION, 0, msg);
    if (!err && *version > SEPX__PG_SCHEMA) {
        pg->passing = false;
        err = sepx_fail(msg, SEPX_EDATA,
                        "%s: tables of a newer sepx (version %lld, this "
                        "program knows %d); update sepx",
                        pg->base.path, (long long)*version, SEPX__PG_SCHEMA);
    }
    return err;
}

enum sepx_err
sepx__pg_identify(struct sepx__pg *pg, struct sepx_msg *msg)
{
    int64_t version;
    enum sepx_err err = version_of(pg, &version, msg);

    if (!err && version < SEPX__PG_SCHEMA) {
        pg->passing = false;
        err = sepx_fail(msg, SEPX_ENOINPUT,
                        version ? "%s: tables of an older sepx; 'sepx study "
                                  "run' as their owner brings them up to date"
                                : "%s: no such study, and no study in this "
                                  "database; begin one with 'sepx study run'",
                        pg->base.path);
    }
    return err;
}

/* The lock is for those who come first at the same time. */
enum sepx_err
sepx__pg_migrate(struct sepx__pg *pg, struct sepx_msg *msg)
{
    int64_t version;
    enum sepx_err err = version_of(pg, &version, msg);

    if (err || version == SEPX__PG_SCHEMA)
        return err;
    err = sepx__pg_execute(pg,
                           "BEGIN; SET LOCAL synchronous_commit = on;"
                           "SELECT pg_advisory_xact_lock(1936027768)",
                           msg);
    if (!err)
        err = version_of(pg, &version, msg);
    for (int64_t i = version; i < SEPX__PG_SCHEMA && !err; i++) {
        err = sepx__pg_execute(pg, steps[i][0], msg);
        if (!err)
            err = sepx__pg_execute(pg, steps[i][1], msg);
    }
    if (!err && version < SEPX__PG_SCHEMA)
        err = sepx__pg_execute(pg, roles, msg);
    if (!err)
        err = sepx__pg_execute(pg, "COMMIT", msg);
    return err;
}
