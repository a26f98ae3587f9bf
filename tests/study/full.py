#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No room, no permission: full.py SEPX

A study on a small file system runs until that is full, and on one that turns
read-only. Each gives a clear error and a file that verifies and goes on.
Root is needed to mount; without, a limit on file sizes stands for the former
and permissions for the latter.
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

TARGET = ("-e", "target:optimum")

failed = 0


def check(condition, words):
    global failed
    print(("ok: " if condition else "FAILED: ") + words)
    failed += not condition


def sepx(*words, **more):
    return subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **more)


def mounted(folder, options):
    return os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder],
        stderr=subprocess.DEVNULL).returncode == 0


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))


def check_full(folder):
    mount = mounted(folder, "size=1m")
    path = os.path.join(folder, "a.study")
    more = {} if mount else {"preexec_fn": limit_files}
    try:
        done = sepx("study", "run", path, "-q", "--evals", "100000",
                    *TARGET, **more)
        said = done.stderr.strip()
        check(done.returncode == 1, f"full: exit code {done.returncode}")
        check(path in said and len(said.splitlines()) == 1, f"says: {said}")
        copy = os.path.join(tempfile.mkdtemp(dir="/tmp"), "b.study")
        for end in ("", "-wal"):
            if os.path.exists(path + end):
                shutil.copy(path + end, copy + end)
        done = sepx("study", "verify", copy)
        check(done.returncode == 0, f"copy: {done.stdout.strip()}")
        told = int(done.stdout.split()[1])
        check(told > 10, f"{told} trials before it was full")
        done = sepx("study", "run", "-q", copy, "--evals", str(told + 200))
        check(done.returncode == 0 and sepx("study", "verify", copy).returncode == 0,
              "goes on elsewhere")
        shutil.rmtree(os.path.dirname(copy))
        new = sepx("study", "run", path + "2", "-q", *TARGET, **more)
        if mount:
            check(new.returncode == 1 and "full" in new.stderr,
                  f"no new one: {new.stderr.strip()}")
            check(not os.path.exists(path + "2"), "and nothing of it is left")
    finally:
        if mount:
            subprocess.run(["umount", folder], check=True)


def check_no_room_to_begin(folder):
    """Of any size, it says so, and the same line works when there is room."""
    path = os.path.join(folder, "a.study")
    for size in (48, 64, 80, 96):
        if not mounted(folder, f"size={size}k"):
            print("SKIP: no right to mount")
            return
        try:
            words = ("study", "run", path, "-q", *TARGET, "--evals", "5000")
            done = sepx(*words)
            said = done.stderr.strip()
            check(done.returncode == 1 and path in said and "space" in said,
                  f"{size} KiB: {done.returncode}: {said}")
            subprocess.run(["mount", "-o", "remount,size=9m", folder],
                           check=True)
            done = sepx(*words[:-1], "9")
            check(done.returncode == 0, f"and then: {done.stderr.strip()}")
        finally:
            subprocess.run(["umount", folder], check=True)


def check_read_only(folder):
    mount = mounted(folder, "size=4m")
    path = os.path.join(folder, "a.study")
    try:
        sepx("study", "run", path, "-q", *TARGET, "--evals", "50")
        before = sepx("study", "export", path).stdout
        if mount:
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        else:
            os.chmod(path, 0o444)
            os.chmod(folder, 0o555)
            if os.access(path, os.W_OK):
                print("SKIP: root without the right to mount")
                return
        done = sepx("study", "run", "-q", path, "--evals", "99")
        check(done.returncode == 1 and path in done.stderr,
              f"resume: {done.stderr.strip()}")
        done = sepx("study", "run", path + "2", "-q", *TARGET)
        check(done.returncode == 1 and path + "2" in done.stderr,
              f"search: {done.stderr.strip()}")
        check(sepx("study", "export", path).stdout == before and before,
              "it can still be read")
        check(sepx("study", "verify", path).returncode == 0, "and verified")
    finally:
        if mount:
            subprocess.run(["umount", folder], check=True)
        else:
            os.chmod(folder, 0o755)


def main():
    for part in (check_full, check_no_room_to_begin, check_read_only):
        with tempfile.TemporaryDirectory() as folder:
            part(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
