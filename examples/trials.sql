-- SPDX-License-Identifier: Apache-2.0
-- The trials of a study as one view, for any program that speaks SQLite:
--
--     sqlite3 -readonly -init examples/trials.sql digits.study
--
-- The view is temporary: it lives as long as the connection and leaves the
-- file as it is. A study's file with views of its own would be refused.
CREATE TEMP VIEW trials AS
SELECT asked.trial, asked.operator, asked.parent1, asked.parent2,
       asked.fidelity, told.outcome, told.value, told.test, told.cost,
       told.cached, told.answer, told.numbers, told.errors, told.slot,
       told.seconds, told.finished, told.elapsed, asked.graph
FROM asked
LEFT JOIN told ON told.trial = asked.trial
              AND told.attempt = (SELECT max(attempt) FROM told AS last
                                  WHERE last.trial = asked.trial);
