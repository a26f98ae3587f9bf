#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kill a study at once after a result was printed: shown.py SEPX SLEEPER

Four workers; SIGKILL follows the n-th line of standard error, for n from 1 to
24. Every result that was printed must be in the log, with the same value.
"""
import csv
import io
import re
import signal
import subprocess
import sys
import tempfile

KILLS = 24
LINE = re.compile(r"trial (\d+)  .*?  (-?[0-9.e+]+)  (as trial|[0-9.e+-]+ s)")


def results(sepx, path):
    """Values of the log, by trial."""
    text = subprocess.run([sepx, "study", "export", path], check=True,
                          capture_output=True, text=True).stdout
    return {int(row["trial"]): float(row["value"])
            for row in csv.DictReader(io.StringIO(text)) if row["value"]}


def kill_after(command, lines):
    """The results that were printed before the kill, by trial."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        text = "".join(process.stderr.readline() for _ in range(lines))
        process.send_signal(signal.SIGKILL)
        text += process.stderr.read()
    found = LINE.findall(text)
    if len(found) < lines:
        sys.exit(f"no results in {text!r}")
    return {int(trial): float(value) for trial, value, _ in found}


def main():
    sepx, sleeper = sys.argv[1:]
    shown = lost = 0
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/a.study"
        command = [sepx, "study", "run", path, "--method", "random",
                   "--evals", "100000", "--workers", "4", "--eval",
                   f"command:{sleeper} 5"]
        for kill in range(1, KILLS + 1):
            printed = kill_after(command, kill)
            told = results(sepx, path)
            wrong = [trial for trial, value in printed.items()
                     if abs(told.get(trial, 1e300) - value) > 1e-4]
            if wrong:
                print(f"kill {kill}: trials {wrong} were printed and are not "
                      "in the log")
            shown += len(printed)
            lost += len(wrong)
    print(f"{KILLS} kills, {shown} results printed, {lost} of them lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
