#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kill a study 30 times and resume it: crash.py SEPX SLEEPER [OPTION...]

Four workers run a program that sleeps for a random while. The process is
killed with SIGKILL at random moments, and resumed. At the end every trial is
told exactly once, the log verifies, its export equals that of an undisturbed
run, no process of it is left, and no session has more than one row. Copies
that were taken while it ran verify, and one of them ends like the study.
OPTIONs are those of 'sepx study run', such as several objectives; with them
there are 20 kills and half as many trials.
"""
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

MORE = sys.argv[3:]
KILLS = 20 if MORE else 30
COPY_EVERY = 10
EVALS = 400 if MORE else 800
SETTINGS = ["--method", "sep:population=20,tournament=5", "--space", "nb101",
            "--evals", str(EVALS), "--workers", "4", "--quiet"]


def run(sepx, *words):
    return subprocess.run([sepx, *words], check=True,
                          stdout=subprocess.PIPE).stdout


def told(path):
    db = sqlite3.connect(path)
    rows = db.execute("SELECT trial FROM told ORDER BY 1").fetchall()
    db.close()
    return rows


def sessions(path):
    db = sqlite3.connect(path)
    pids = [row[0] for row in db.execute("SELECT pid FROM session")]
    db.close()
    return pids


def kill_sometimes(sepx, first, path, seed, most):
    """Start, copy now and then, kill within `most` seconds, resume; the
    number of kills."""
    draw = random.Random(seed)
    command, kills = first, 0
    while kills < KILLS:
        process = subprocess.Popen([sepx, *command],
                                   stdout=subprocess.DEVNULL)
        try:
            status = process.wait(draw.uniform(0, most))
            print(f"ended after {kills} kills: {status}")
            return kills
        except subprocess.TimeoutExpired:
            if kills % COPY_EVERY == COPY_EVERY - 1 and os.path.exists(path):
                run(sepx, "study", "copy", path, f"{path}-copy-{kills}")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
        # Killed before there was a file: begin once more.
        if os.path.exists(path):
            command = ["study", "run", "--quiet", path]
    return kills


def leftovers(mark):
    """Processes with `mark` in their environment, once they had time to go."""
    for _ in range(50):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and \
                        mark in (entry / "environ").read_bytes():
                    found.append(entry.name)
            except OSError:
                pass
        found = [pid for pid in found if int(pid) != os.getpid()]
        if not found:
            return []
        time.sleep(0.1)
    return found


def check(condition, words):
    print(("ok: " if condition else "FAILED: ") + words)
    return 0 if condition else 1


def main():
    sepx, worker = sys.argv[1:3]
    seed = int(os.environ.get("SEPX_CRASH_SEED", time.time_ns() % 1000000))
    print(f"seed {seed} (SEPX_CRASH_SEED)")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEPX_CRASH_MARK"] = folder
        calm, wild = folder + "/calm.study", folder + "/wild.study"
        settings = SETTINGS + MORE + ["--eval", f"command:{worker} 20"]
        begun = time.monotonic()
        run(sepx, "study", "run", calm, *settings)
        whole = time.monotonic() - begun
        run(sepx, "study", "verify", calm)
        start = time.monotonic() - begun - whole
        kills = kill_sometimes(sepx, ["study", "run", wild, *settings],
                               wild, seed, 1.5 * start + whole / 40)
        between = len(told(wild))
        failed += check(kills == KILLS and between < EVALS,
                        f"{kills} kills, {between} of {EVALS} trials then")
        run(sepx, "study", "run", "--quiet", wild)
        failed += check(told(wild) == [(i,) for i in range(EVALS)],
                        "every trial is told exactly once")
        failed += check(b"follows" in run(sepx, "study", "verify", wild), "verify")
        pids = sessions(wild)
        failed += check(len(pids) == len(set(pids)) > 1,
                        f"{len(pids)} sessions, a row each")
        copies = sorted(n for n in os.listdir(folder) if "-copy-" in n)
        failed += check(len(copies) > 0, f"{len(copies)} copies")
        for name in copies:
            run(sepx, "study", "verify", f"{folder}/{name}")
        run(sepx, "study", "run", "--quiet", f"{folder}/{copies[-1]}")
        failed += check(run(sepx, "study", "export", f"{folder}/{copies[-1]}") ==
                        run(sepx, "study", "export", calm), "a copy ends the same way")
        for form in ("csv", "jsonl", "dot"):
            failed += check(run(sepx, "study", "export", "-f", form, wild) ==
                            run(sepx, "study", "export", "-f", form, calm),
                            f"{form} as if nothing had happened")
        left = leftovers(folder.encode())
        failed += check(not left, f"no process left {left or ''}")
        # A kill while the file is made may leave its beginnings.
        names = sorted(n for n in os.listdir(folder)
                       if ".tmp" not in n and n not in copies)
        failed += check(names == ["calm.study", "wild.study"],
                        f"no file left: {names}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
