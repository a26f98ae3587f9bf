#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Evaluations that cannot be made: failures.py SEPX

Each fault of the machine (temporary folder, open files, processes) gives an
error that names what is missing and the remedy, and a study that goes on
once it is there.
"""
import os
import resource
import subprocess
import sys
import tempfile

import full
from full import check, mounted, sepx


def says(done, code, *parts):
    said = done.stderr.strip()
    check(done.returncode == code and all(part in said for part in parts) and
          "input or output failed" not in said, f"{done.returncode}: {said}")


def begin(path, **more):
    return sepx("study", "run", path, "-q", "--evals", "3", "-e",
                "shell:wc -c", "--workers", "1", **more)


def goes_on(path):
    done = sepx("study", "run", "-q", path)
    check(done.returncode == 0 and "3 of 3" in done.stdout,
          f"{os.path.basename(path)} goes on: {done.stderr.strip()}")


def limited(which, count):
    return lambda: resource.setrlimit(which, (count, count))


def check_temporary(folder):
    missing = os.path.join(folder, "missing")
    study = os.path.join(folder, "tmp.study")
    says(begin(study, env={**os.environ, "TMPDIR": missing}), 1, missing,
         "No such file", "set TMPDIR")
    goes_on(study)
    says(sepx("search", "-e", "shell:wc -c", "--runs", "1", "--evals", "3",
              env={**os.environ, "TMPDIR": missing}), 1, missing,
         "set TMPDIR")


def check_full(folder):
    """A temporary folder that has no room, mounted if that is allowed."""
    small = os.path.join(folder, "small")
    study = os.path.join(folder, "full.study")
    os.mkdir(small)
    if not mounted(small, "size=16k"):
        print("skipped: a full TMPDIR; root is needed to mount")
        return
    try:
        with open(os.path.join(small, "rest"), "wb", 0) as rest:
            try:
                while True:
                    rest.write(b"x" * 4096)
            except OSError:
                pass
        says(begin(study, env={**os.environ, "TMPDIR": small}), 1, small,
             "graph.json", "No space left", "set TMPDIR")
    finally:
        subprocess.run(["umount", small], check=True)
    goes_on(study)


def check_open_files(folder):
    """The first limits are too low even for the study's own file."""
    texts = set()
    for count in range(6, 20):
        study = os.path.join(folder, f"files{count}.study")
        done = begin(study, preexec_fn=limited(resource.RLIMIT_NOFILE, count))
        if done.returncode == 0:
            break
        if "evaluat" in done.stderr:
            says(done, 1, "Too many open files", "ulimit -n")
            texts.add(done.stderr)
            goes_on(study)
    check(len(texts) >= 1, f"{len(texts)} messages about open files")


def check_pictures(folder):
    """Programs that draw are started, too."""
    texts = [sepx("draw", "-", "--format", "svg",
                  input='{"nodes":["a"],"edges":[]}',
                  preexec_fn=limited(resource.RLIMIT_NOFILE, count))
             for count in (4, 5)]
    for done in texts:
        says(done, 1, "'dot'", "ulimit -n")


def as_nobody():
    """Limits of processes do not bind root."""
    limited(resource.RLIMIT_NPROC, 1)()
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)


def check_processes(folder):
    study = os.path.join(folder, "processes.study")
    os.chmod(folder, 0o777)
    try:
        done = begin(study, preexec_fn=as_nobody)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"skipped: a limit of processes; {error}")
        return
    says(done, 1, "ulimit -u")
    goes_on(study)


def main():
    for part in (check_temporary, check_full, check_open_files,
                 check_pictures, check_processes):
        with tempfile.TemporaryDirectory() as folder:
            part(folder)
    return 1 if full.failed else 0


if __name__ == "__main__":
    sys.exit(main())
