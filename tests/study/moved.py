#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A study whose file goes away while it runs: moved.py SEPX SLEEPER

The file is moved, deleted or replaced. The process must end with a failure
that says so, and every result that it printed must be in a file that it names
or that was moved. A study that is moved over it must keep every byte, also
when it is read before the process has noticed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

failed = 0


def check(condition, words):
    global failed
    print(("ok: " if condition else "FAILED: ") + words)
    failed += not condition


def sepx(*words):
    return subprocess.run([sys.argv[1], *words], capture_output=True,
                          text=True)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def begin(path):
    process = subprocess.Popen(
        [sys.argv[1], "study", "run", path, "--evals", "100000",
         "--method", "random", "--eval", f"command:{sys.argv[2]} 20"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for _ in range(5):
        process.stderr.readline()
    return process


def try_it(folder, name, change, left, moved_in=None):
    path = os.path.join(folder, name + ".study")
    left = path + left
    process = begin(path)
    try:
        change(path, left)
        said = process.communicate(timeout=60)[1].splitlines()
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        check(False, f"{name}: not noticed within a minute")
        return
    check(process.returncode == 1 and path in said[-1],
          f"{name}: {process.returncode}: {said[-1]}")
    if moved_in:
        check(content(path) == moved_in, f"{name}: keeps its bytes")
    # A line for each result, but for the first five and the last.
    printed = len(said) - 1 + 5
    done = sepx("study", "verify", left)
    told = int(done.stdout.split()[3]) if done.returncode == 0 else 0
    check(told >= printed, f"{name}: {printed} results printed, {told} left "
          f"{done.stderr.strip()}")
    done = sepx("study", "run", "-q", left, "--evals", str(told + 20))
    check(done.returncode == 0, f"{name}: resumed {done.stderr.strip()}")
    done = sepx("study", "run", path, "-q", "--evals", "5", "--space", "nb101")
    check(done.returncode == 0, f"{name}: its name {done.stderr.strip()}")


def replace(path, left):
    os.link(path, left)
    other = path + ".other"
    shutil.copy(path, other)
    os.rename(other, path)


def move_over(folder):
    path = os.path.join(folder, "over.study")
    other = os.path.join(folder, "other.study")
    done = sepx("study", "run", "-q", other, "--evals", "40", "--seed", "7",
                "--method", "random", "--eval", f"command:{sys.argv[2]} 0")
    check(done.returncode == 0, f"over: other {done.stderr.strip()}")
    before = content(other)

    def change(path, _):
        os.rename(other, path)
        for _ in range(3):
            done = sepx("study", "status", path)
            check("40 of 40" in done.stdout or "still runs" in done.stderr,
                  f"over: status {done.stdout[:60]!r} {done.stderr.strip()}")

    try_it(folder, "over", change, ".rescued", before)
    done = sepx("study", "verify", path)
    check("40 told" in done.stdout, f"over: verify {done.stderr.strip()}")
    check(sorted(name for name in os.listdir(folder) if "over" in name) ==
          ["over.study", "over.study.rescued"], "over: no other file is left")


def main():
    with tempfile.TemporaryDirectory() as folder:
        try_it(folder, "moved", os.rename, ".elsewhere")
        try_it(folder, "deleted", lambda path, _: os.unlink(path), ".rescued")
        try_it(folder, "replaced", replace, ".kept")
        move_over(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
