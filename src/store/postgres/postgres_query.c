/* SPDX-License-Identifier: Apache-2.0 */
/* The log on a PostgreSQL server: every statement that a running study uses. */
#include "store/postgres/postgres.h"

/* clang-format off */
#define ASKED "a.trial, a.operator, a.parent1, a.parent2, a.fidelity, " \
              "a.same, a.graph"
#define TOLD "t.trial, t.attempt, t.outcome, t.value, t.test, t.cost, " \
             "t.cached, t.answer, t.errors, t.slot, t.seconds, t.finished, " \
             "t.elapsed, t.numbers, t.steps"
#define NO_ASKED "NULL::bigint, NULL::text, NULL::bigint, NULL::bigint, " \
                 "NULL::float8, NULL::bigint, NULL::text"
#define NO_TOLD "NULL::bigint, NULL::bigint, NULL::text, NULL::float8, " \
                "NULL::float8, NULL::float8, NULL::bigint, NULL::bytea, " \
                "NULL::bytea, NULL::bytea, NULL::float8, NULL::float8, " \
                "NULL::float8, NULL::bytea, NULL::bytea"
#define NONE "NULL::bigint"
#define RANGE(t) t ".study = $1 AND " t ".event > $2 AND " t ".event <= $3"
/* As of event $4: nothing that was appended later. */
#define LAST "t.study = a.study AND t.trial = a.trial AND t.event <= $4" \
             " AND t.attempt = (SELECT count(*) FROM sepx.retried r" \
             "  WHERE r.study = a.study AND r.trial = a.trial" \
             "  AND r.event <= $4)"
/*
 * Whose worker has not been heard of for a lease, or is ahead of its time; one
 * that is no number counts as a minute.
 */
#define LATE "abs(extract(epoch FROM sepx.now() - w.seen))::float8" \
             " > CASE WHEN w.lease < 'Infinity' THEN w.lease ELSE 60 END"

const struct sepx__pg_query sepx__pg_queries[SEPX__PG_QUERIES] = {
    [SEPX__PG_BEGIN] = {"BEGIN", ""},
    [SEPX__PG_COMMIT] = {"COMMIT", ""},
    [SEPX__PG_DURABLE] = {"SET LOCAL synchronous_commit = on", ""},
    [SEPX__PG_FIRST_RUN] = {"SELECT (to_regclass('sepx.schema') IS NOT NULL)"
        "::int::bigint", ""},
    [SEPX__PG_VERSION] = {"SELECT max(version) FROM sepx.schema", ""},
    [SEPX__PG_STUDY] = {"SELECT id, settings FROM sepx.study WHERE name = $1",
        "t"},
    [SEPX__PG_OPTIONS] = {"SELECT options, id FROM sepx.session"
        "  WHERE study = $1 ORDER BY id DESC LIMIT 1", "i"},
    [SEPX__PG_ELAPSED] = {"SELECT elapsed FROM sepx.spent WHERE study = $1",
        "i"},
    [SEPX__PG_WRITER] = {"SELECT w.pid FROM sepx.worker w WHERE w.study = $1"
        "  AND w.ended IS NULL AND NOT " LATE " ORDER BY w.seen DESC LIMIT 1",
        "i"},
    [SEPX__PG_LIST] = {"SELECT name FROM sepx.study WHERE name COLLATE \"C\" > $1"
        "  ORDER BY name COLLATE \"C\" LIMIT 1000", "t"},
    [SEPX__PG_ADD_STUDY] = {"INSERT INTO sepx.study(name, settings)"
        "  VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id", "tt"},
    [SEPX__PG_ADD_HEAD] = {"INSERT INTO sepx.head VALUES ($1, 0, $2)", "is"},
    [SEPX__PG_ADD_SESSION] = {"INSERT INTO sepx.session(study, pid, host,"
        "  options) VALUES ($1, $2, $3, $4)", "iitt"},
    [SEPX__PG_SPEND] = {"INSERT INTO sepx.spent AS s VALUES ($1, $2)"
        "  ON CONFLICT (study) DO UPDATE SET elapsed ="
        "  greatest(s.elapsed, excluded.elapsed)", "id"},
    [SEPX__PG_LOCK] = {"SELECT event, sum FROM sepx.head WHERE study = $1"
        "  FOR UPDATE", "i"},
    /* One may wait for the lock, who is ready; no row: another one does. */
    [SEPX__PG_TRY_LOCK] = {"SELECT event, sum FROM sepx.head WHERE study = $1"
        "  AND pg_try_advisory_lock((1936027768::bigint << 32) # study)"
        "  FOR UPDATE", "i"},
    [SEPX__PG_UNLOCK_LINE] = {"SELECT pg_advisory_unlock_all()", ""},
    [SEPX__PG_HEAD] = {"SELECT h.event, (SELECT max(id) FROM sepx.session s"
        "  WHERE s.study = h.study) FROM sepx.head h WHERE h.study = $1", "i"},
    [SEPX__PG_END] = {"SELECT h.event, h.sum, greatest("
        "(SELECT max(event) FROM sepx.asked WHERE study = h.study),"
        "(SELECT max(event) FROM sepx.told WHERE study = h.study),"
        "(SELECT max(event) FROM sepx.retried WHERE study = h.study)), least("
        "(SELECT min(event) FROM sepx.asked WHERE study = h.study),"
        "(SELECT min(event) FROM sepx.told WHERE study = h.study),"
        "(SELECT min(event) FROM sepx.retried WHERE study = h.study))"
        "  FROM sepx.head h WHERE h.study = $1", "i"},
    [SEPX__PG_NEXT] = {"SELECT least("
        "(SELECT min(event) FROM sepx.asked WHERE study = $1 AND event > $2),"
        "(SELECT min(event) FROM sepx.told WHERE study = $1 AND event > $2),"
        "(SELECT min(event) FROM sepx.retried WHERE study = $1"
        "  AND event > $2))", "ii"},
    [SEPX__PG_SET_HEAD] = {"UPDATE sepx.head SET event = $2, sum = $3"
        "  WHERE study = $1", "iis"},
    [SEPX__PG_ADD_ASKED] = {"INSERT INTO sepx.asked(study, event, sum, trial,"
        "  operator, parent1, parent2, fidelity, same, graph)"
        "  VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)", "iisitIIdIt"},
    [SEPX__PG_ADD_TOLD] = {"INSERT INTO sepx.told(study, event, sum, trial,"
        "  attempt, outcome, value, test, cost, cached, answer, errors, slot,"
        "  seconds, finished, elapsed, numbers, steps) VALUES ($1,$2,$3,$4,$5,"
        "  $6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18)",
        "iisiitdddIbbbdddbb"},
    [SEPX__PG_ADD_RETRIED] = {"INSERT INTO sepx.retried(study, event, sum,"
        "  trial) VALUES ($1,$2,$3,$4)", "iisi"},
    [SEPX__PG_READ_SUM] = {"SELECT sum FROM sepx.asked WHERE study = $1"
        "  AND event = $2 UNION ALL SELECT sum FROM sepx.told WHERE study = $1"
        "  AND event = $2 UNION ALL SELECT sum FROM sepx.retried"
        "  WHERE study = $1 AND event = $2", "ii"},
    [SEPX__PG_READ_LOG] = {
        "SELECT " ASKED ", " NO_TOLD ", " NONE ", a.event AS event, a.sum"
        "  FROM sepx.asked a WHERE " RANGE("a")
        " UNION ALL SELECT " NO_ASKED ", " TOLD ", " NONE ", t.event, t.sum"
        "  FROM sepx.told t WHERE " RANGE("t")
        " UNION ALL SELECT " NO_ASKED ", " NO_TOLD ", r.trial, r.event, r.sum"
        "  FROM sepx.retried r WHERE " RANGE("r") " ORDER BY event", "iii"},
    [SEPX__PG_READ_TRIALS] = {
        "SELECT " ASKED ", " TOLD ", " NONE ", a.trial FROM sepx.asked a"
        "  LEFT JOIN sepx.told t ON " LAST
        "  WHERE a.study = $1 AND a.trial >= $2 AND a.trial < $3"
        "  AND a.event <= $4 ORDER BY a.trial", "iiii"},
    [SEPX__PG_READ_BEST] = {
        "SELECT " ASKED ", " TOLD ", " NONE ", " NONE " FROM sepx.told t"
        "  JOIN sepx.asked a ON " LAST
        "  WHERE t.study = $1 AND t.value IS NOT NULL"
        "  AND (t.value, t.trial) > ($2::float8, $3::bigint)"
        "  ORDER BY t.value, t.trial LIMIT $5", "idiii"},
    [SEPX__PG_BEAT] = {
        "INSERT INTO sepx.worker AS w(id, study, host, pid, slots, lease, told,"
        "  failed, worked, waited) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)"
        "  ON CONFLICT (id) DO UPDATE SET beat = w.beat + 1,"
        "  seen = sepx.now(), ended = NULL, told = excluded.told,"
        "  failed = excluded.failed, worked = excluded.worked,"
        "  waited = excluded.waited", "iititdiidd"},
    [SEPX__PG_LEAVE] = {"UPDATE sepx.worker SET ended = sepx.now(),"
        "  reason = $2 WHERE id = $1", "it"},
    [SEPX__PG_CLAIMS] = {
        "SELECT c.trial, c.attempt, c.worker, c.lost, c.failed_on, w.beat,"
        "  CASE WHEN c.worker IS NULL OR w.id IS NULL THEN 1"
        "  WHEN w.ended IS NOT NULL THEN 1 WHEN " LATE " THEN 2 ELSE 0"
        "  END::bigint, w.host FROM sepx.claim c LEFT JOIN sepx.worker w"
        "  ON w.id = c.worker WHERE c.study = $1 ORDER BY c.trial", "i"},
    [SEPX__PG_TAKE] = {
        "INSERT INTO sepx.claim AS c(study, trial, attempt, worker, slot, lost)"
        "  VALUES ($1,$2,$3,$4,$5,$6)"
        "  ON CONFLICT (study, trial, attempt) DO UPDATE SET"
        "  worker = excluded.worker, slot = excluded.slot,"
        "  began = sepx.now(), lost = excluded.lost"
        "  WHERE c.worker IS NOT DISTINCT FROM $7 RETURNING c.trial",
        "iiiibiI"},
    [SEPX__PG_DROP] = {"DELETE FROM sepx.claim"
        "  WHERE study = $1 AND trial = $2 AND attempt = $3", "iii"},
    [SEPX__PG_GIVE_BACK] = {"UPDATE sepx.claim SET worker = NULL,"
        "  failed_on = coalesce($5, failed_on) WHERE study = $1"
        "  AND trial = $2 AND attempt = $3 AND worker = $4", "iiiit"},
    [SEPX__PG_GIVE_ALL_BACK] = {"UPDATE sepx.claim SET worker = NULL"
        "  WHERE study = $1 AND worker = $2", "ii"},
    [SEPX__PG_WORKERS] = {
        "SELECT w.id, w.host, w.pid, extract(epoch FROM sepx.now() - w.seen)"
        "::float8, w.told, w.failed, w.worked, w.waited,"
        "  CASE WHEN w.ended IS NOT NULL THEN 2 WHEN " LATE " THEN 1 ELSE 0"
        "  END::bigint, w.reason, c.trial, c.slot, extract(epoch FROM"
        "  sepx.now() - c.began)::float8"
        "  FROM sepx.worker w LEFT JOIN (SELECT DISTINCT ON (worker,"
        "  slot, CASE WHEN slot IS NULL THEN trial END)"
        "  worker, slot, trial, began FROM sepx.claim WHERE study = $1"
        "  ORDER BY worker, slot, CASE WHEN slot IS NULL THEN trial END,"
        "  trial) c ON c.worker = w.id"
        "  WHERE w.study = $1 AND (w.id, coalesce("
        "  c.trial, -1)) > ($2::bigint, $3::bigint)"
        "  ORDER BY w.id, coalesce(c.trial, -1) LIMIT 1000", "iii"},
    [SEPX__PG_FILES] = {"SELECT DISTINCT ON (name) name, sum FROM sepx.file"
        "  WHERE study = $1 ORDER BY name, id DESC", "i"},
    [SEPX__PG_ADD_FILE] = {"INSERT INTO sepx.file(study, name, sum)"
        "  VALUES ($1, $2, $3)", "itt"},
};
/* clang-format on */
