#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that were made to do harm: hostile.py SEPX

Each is made from a good study. Every command that reads a study must end
soon, with a message that names the file if it refuses it, and leave all other
files alone. Most files must be refused by all commands (exit code 65).
"""
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

VERBS = [["status"], ["status", "--json"], ["best"], ["export"],
         ["export", "-f", "jsonl"], ["export", "-f", "dot"], ["verify"],
         ["copy"], ["lineage"], ["run", "-q", "--evals", "70"]]
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
GUARD = 30  # seconds, of a command that takes milliseconds

failed = 0


def check(condition, words):
    global failed
    print(("ok: " if condition else "FAILED: ") + words)
    failed += not condition


def edit(path, *lines, script=None):
    """Change the file by SQL, triggers aside."""
    db = sqlite3.connect(path)
    kept = db.execute("SELECT name, sql FROM sqlite_schema "
                      "WHERE type = 'trigger'").fetchall()
    for name, _ in kept:
        db.execute(f"DROP TRIGGER {name}")
    for line in lines:
        db.execute(*line) if isinstance(line, tuple) else db.execute(line)
    tables = [row[0] for row in db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for name, sql in kept:
        if name.split("_")[0] in tables:
            db.execute(sql)
    db.commit()
    db.close()


def schema(path, table, sql):
    """Write other words into the schema, past SQLite's checks."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
    db.commit()
    db.close()


def replace_bytes(path, change):
    data = bytearray(open(path, "rb").read())
    change(data)
    open(path, "wb").write(data)


# ---- views, triggers and tables of others ----

def view_of_results(path):
    edit(path, "DROP TABLE told", "CREATE VIEW told AS " + ENDLESS +
         "SELECT x AS trial, 0 AS attempt, x AS event, 'scored' AS outcome, "
         "1 AS value, 1 AS test, 1 AS cost, NULL AS cached, NULL AS answer, "
         "NULL AS errors, NULL AS slot, 1 AS seconds, 1 AS finished, 1 AS "
         "elapsed, x'00' AS sum FROM n WHERE x < 0")


def view_of_proposals(path):
    edit(path, "PRAGMA foreign_keys = OFF", "DROP TABLE asked",
         "CREATE VIEW asked AS " + ENDLESS +
         "SELECT x AS trial, x AS event, 'sep' AS operator, NULL AS parent1, "
         "NULL AS parent2, 1 AS fidelity, NULL AS same, '{}' AS graph, "
         "x'00' AS sum FROM n WHERE x < 0")


def view_of_settings(path):
    edit(path, "ALTER TABLE study RENAME TO real", "CREATE VIEW study AS " +
         ENDLESS + "SELECT 1 AS id, settings FROM n, real WHERE x < 0")


def view_of_sessions(path):
    edit(path, "DROP TABLE session", "CREATE VIEW session AS " + ENDLESS +
         "SELECT x AS id, 0 AS began, 1 AS pid, '' AS host, '{}' AS options "
         "FROM n WHERE x < 0")


def trigger_that_never_ends(path):
    edit(path, "CREATE TRIGGER t AFTER INSERT ON session BEGIN SELECT * FROM ("
         + ENDLESS + "SELECT x FROM n WHERE x < 0); END")


def trigger_that_writes(path):
    edit(path, "CREATE TRIGGER t AFTER INSERT ON session BEGIN "
         "UPDATE study SET settings = replace(settings, 'target:optimum', "
         "'shell:touch harm'); END")


def table_of_others(path):
    edit(path, "CREATE TABLE more(x)")


def index_on_an_expression(path):
    edit(path, "CREATE INDEX i ON told(hex(zeroblob(100000)))")


def column_that_is_computed(path):
    db = sqlite3.connect(path)
    sql = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'told'"
                     ).fetchone()[0]
    db.close()
    schema(path, "told", sql.replace(
        "answer TEXT", "answer TEXT AS (hex(zeroblob(900000000)))"))


def virtual_table(path):
    schema(path, "told", "CREATE VIRTUAL TABLE told USING fts5(trial)")


def table_that_is_missing(path):
    edit(path, "DROP TABLE told")


def version_that_is_wrong(path):
    edit(path, "PRAGMA user_version = 1")


# ---- rows ----

def family_in_a_circle(path):
    edit(path, "UPDATE asked SET parent1 = 49 WHERE trial = 3")


def trial_out_of_range(path):
    edit(path, "UPDATE asked SET trial = 1 << 40 WHERE trial = 49")


def text_with_a_zero(path):
    edit(path, "UPDATE asked SET operator = 'sep' || char(0) || 'x'")


def settings_that_nest(path):
    edit(path, ("UPDATE study SET settings = ?", ("[" * 1000000,)))


def graphs_that_nest(path):
    edit(path, ("UPDATE asked SET graph = ?",
                ('{"nodes":' + "[" * 100000,)))


def value_that_is_infinite(path):
    edit(path, "UPDATE told SET value = -9e999 WHERE trial = 7")


def names_that_are_code(path):
    edit(path, ("UPDATE asked SET operator = ?",
                ('x"];t0 [URL="javascript:alert(1)"];//\\',)),
         ("UPDATE told SET value = NULL, outcome = ?",
          ('y\n"]; t1 [URL="javascript:alert(2)',)))


# ---- pages and other files ----

def root_of(path, table):
    db = sqlite3.connect(path)
    page = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?",
                      (table,)).fetchone()[0]
    db.close()
    return (page - 1) * 4096


def set_children(data, root, page=None):
    """All children of an inner page become one: its first, or `page`."""
    cells = struct.unpack_from(">H", data, root + 3)[0]
    assert data[root] == 5 and cells > 0, "not an inner page"
    at = [root + struct.unpack_from(">H", data, root + 12 + 2 * i)[0]
          for i in range(cells)] + [root + 8]
    first = page or struct.unpack_from(">I", data, at[0])[0]
    for place in at:
        struct.pack_into(">I", data, place, first)


def pages_that_repeat(path):
    root = root_of(path, "asked")
    replace_bytes(path, lambda data: set_children(data, root))


def pages_in_a_circle(path):
    root = root_of(path, "asked")
    replace_bytes(path, lambda data: set_children(data, root,
                                                  root // 4096 + 1))


def cut_off(path):
    os.truncate(path, 8192)


def pipe(path):
    os.unlink(path)
    os.mkfifo(path)


def log_that_is_a_link(path):
    victim = os.path.join(os.path.dirname(path), "victim")
    open(victim, "w").write("mine")
    os.symlink(victim, path + "-wal")


def log_of_noise(path):
    open(path + "-wal", "wb").write(os.urandom(20000))


REFUSED = [
    view_of_results, view_of_proposals, view_of_settings, view_of_sessions,
    trigger_that_never_ends, trigger_that_writes, table_of_others,
    index_on_an_expression, column_that_is_computed, virtual_table,
    table_that_is_missing, version_that_is_wrong, settings_that_nest, cut_off,
    pipe, log_that_is_a_link,
]
# Refused by those who read all of it; others may not come across it.
FOUND = [family_in_a_circle, trial_out_of_range, text_with_a_zero,
         graphs_that_nest, value_that_is_infinite, names_that_are_code,
         pages_that_repeat, pages_in_a_circle]
IGNORED = [log_of_noise]


def run(sepx, words, path):
    words = [sepx, "study", *words, path]
    if "copy" in words:
        words.append(path + ".copy")
    if "lineage" in words:
        words.append("49")
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, timeout=GUARD,
                              capture_output=True, text=True, errors="replace",
                              cwd=os.path.dirname(path))
    except subprocess.TimeoutExpired:
        return None


def try_file(sepx, good, make):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.study")
        for words in VERBS:
            for name in os.listdir(folder):
                os.unlink(os.path.join(folder, name))
            shutil.copy(good, path)
            make(path)
            done = run(sepx, words, path)
            what = f"{make.__name__}: {' '.join(words)}"
            if done is None:
                check(False, f"{what}: no end within {GUARD} s")
                continue
            said = done.stderr.strip()
            fine = done.returncode in (0, 1, 65)
            if done.returncode:
                fine = fine and said.startswith(f"sepx study {words[0]}: ") and \
                    path in said
            if make in REFUSED or \
                    make in FOUND and words[0] in ("verify", "run"):
                fine = done.returncode == 65 and path in said
            if make in IGNORED:
                fine = done.returncode == 0
            check(fine, f"{what}: {done.returncode} {said[:150]}")
            if words[-1] == "dot":
                bare = re.sub(r'"(?:\\.|[^"\\])*"|<(?:[^<>]|<br/>)*>', "",
                              done.stdout, flags=re.S)
                check("URL" not in bare and "javascript" not in bare,
                      f"{what}: nothing outside of labels")
            victim = os.path.join(folder, "victim")
            if os.path.exists(victim):
                check(open(victim).read() == "mine", f"{what}: alone")
            check(not os.path.exists(os.path.join(folder, "harm")),
                  f"{what}: nothing was started")


def main():
    sepx = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        good = os.path.join(folder, "good.study")
        subprocess.run([sepx, "study", "run", good, "-q", "--evals", "60",
                        "-e", "target:optimum",
                        "-m", "sep:population=10,tournament=3"], check=True,
                       stdout=subprocess.DEVNULL)
        for make in REFUSED + FOUND + IGNORED:
            try_file(sepx, good, make)
    print(f"{len(REFUSED + FOUND + IGNORED)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
