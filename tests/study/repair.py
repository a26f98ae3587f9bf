#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows of a study that are no events: repair.py SEPX

Each fault is made in a copy of a good study. 'study verify' and 'study copy'
must name the event and refuse (exit code 65), 'study copy --repair' must leave
it out and say why, and the copy must verify, resume and become the good study.
"""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

NEW = ("INSERT INTO told(trial, attempt, event, outcome, value, seconds, "
       "finished, elapsed, sum) SELECT {}, {}, max(event) + 1, {}, 1, 1, 1, 1, "
       "x'00112233445566778899aabbccddeeff' FROM told")
FAULTS = {  # name: statement, row of the event, words of the report
    "garbage": (NEW.format(59, 1, "char(27) || '[31m'"), "told", 59,
                ["the result of trial 59, differs", "60 trials"]),
    "no trial": (NEW.format(77, 0, "'scored'"), "told", 77,
                 ["the result of trial 77, differs", "60 trials"]),
    "duplicate": (NEW.format(3, 1, "'scored'"), "told", 3,
                  ["the result of trial 3, differs", "60 trials"]),
    "result": ("UPDATE told SET value = 0 WHERE trial = 40", "told", 40,
               ["the result of trial 40, differs",
                "trial 48 was proposed before the results",
                "events of trials from 48 on", "was left out: 40"]),
    "graph": ("UPDATE asked SET graph = substr(graph, 1, 9) WHERE trial = 50",
              "asked", 50, ["the proposal of trial 50, differs",
                            "of trials from 50 on", "50 trials"]),
}

failed = 0


def check(condition, words):
    global failed
    print(("ok: " if condition else "FAILED: ") + words)
    failed += not condition


def sepx(*words):
    return subprocess.run([sys.argv[1], "study", *words], capture_output=True,
                          text=True)


def edit(path, statement):
    """Change the file, triggers aside."""
    db = sqlite3.connect(path)
    kept = db.execute("SELECT name, sql FROM sqlite_schema "
                      "WHERE type = 'trigger'").fetchall()
    for name, _ in kept:
        db.execute(f"DROP TRIGGER {name}")
    db.execute(statement)
    for _, sql in kept:
        db.execute(sql)
    db.commit()
    db.close()


def event_of(path, table, trial):
    db = sqlite3.connect(path)
    event = db.execute(f"SELECT max(event) FROM {table} WHERE trial = {trial}")
    event = event.fetchone()[0]
    db.close()
    return event


def try_fault(folder, good, name):
    statement, table, trial, words = FAULTS[name]
    bad = os.path.join(folder, "bad.study")
    whole = os.path.join(folder, "whole.study")
    shutil.copy(good, bad)
    edit(bad, statement)
    event = event_of(bad, table, trial)
    for verb in (["verify", bad], ["copy", bad, whole]):
        done = sepx(*verb)
        check(done.returncode == 65 and f"event {event}, " in done.stderr and
              "--repair" in done.stderr, f"{name}: {verb[0]}: {done.stderr}")
    check(not os.path.exists(whole), f"{name}: no copy was made")
    done = sepx("copy", "--repair", bad, whole)
    words = [f"event {event}, ", *words]
    check(done.returncode == 0 and all(word in done.stdout for word in words)
          and "\x1b" not in done.stdout,
          f"{name}: repair: {done.stdout}{done.stderr}")
    done = sepx("verify", whole)
    check(done.returncode == 0, f"{name}: the copy {done.stdout}{done.stderr}")
    done = sepx("run", "-q", whole, "--evals", "60")
    check(done.returncode == 0, f"{name}: resumed {done.stderr}")
    check(sepx("verify", whole).returncode == 0, f"{name}: verified again")
    check(sepx("export", whole).stdout == sepx("export", good).stdout,
          f"{name}: it is the good study again")
    os.unlink(whole)


def try_session(folder, good, statement, word):
    """What a session noted cannot be read; the log is whole."""
    bad = os.path.join(folder, "bad.study")
    whole = os.path.join(folder, "whole.study")
    shutil.copy(good, bad)
    edit(bad, statement)
    check(sepx("best", bad).returncode == 0, f"{word}: best")
    for verb in (["verify", bad], ["copy", bad, whole],
                 ["run", "-q", bad, "--evals", "61"]):
        done = sepx(*verb)
        check(done.returncode == 65 and word in done.stderr and
              "--repair" in done.stderr, f"{word}: {verb[0]}: {done.stderr}")
    check(not os.path.exists(whole), f"{word}: no copy was made")
    done = sepx("copy", "--repair", bad, whole)
    check(done.returncode == 0 and word in done.stdout
          and "120 events; 0 left out" in done.stdout,
          f"{word}: repair: {done.stdout}{done.stderr}")
    for verb in (["verify", whole], ["status", whole],
                 ["run", "-q", whole, "--evals", "60"]):
        done = sepx(*verb)
        check(done.returncode == 0, f"{word}: the copy: {done.stderr}")
    check(sepx("export", whole).stdout == sepx("export", good).stdout,
          f"{word}: it is the good study again")
    os.unlink(whole)


def main():
    with tempfile.TemporaryDirectory() as folder:
        good = os.path.join(folder, "good.study")
        subprocess.run([sys.argv[1], "study", "run", good, "-q", "--evals",
                        "60", "-e", "target:optimum", "-m",
                        "sep:population=10,tournament=3"], check=True,
                       stdout=subprocess.DEVNULL)
        for name in FAULTS:
            try_fault(folder, good, name)
        for value in ("-1", "9e999"):
            try_session(folder, good, "INSERT OR REPLACE INTO spent "
                        f"VALUES (1, {value})", "time that its sessions")
        for text in ("{", "[]"):
            try_session(folder, good, f"UPDATE session SET options = '{text}'",
                        "options of its last session")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
