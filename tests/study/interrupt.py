#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interrupt commands on spaces of 16, 36 and 64 nodes: interrupt.py SEPX

Each command gets SIGINT or SIGTERM at a random moment and has to end soon,
whatever it is doing; a study that was interrupted again and again is the one
that was not. Prints the seed, and the longest time that a command took.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

GUARD = 15.0  # seconds; on an idle machine commands end within 0.1
ROUNDS = 2
SIZES = [16, 36, 64]
SEP = "sep:population=4,tournament=2"


def space(nodes):
    return ('{"format": "sepx-space", "version": 1, "nodes": {'
            '"in": {"role": "input", "count": 1}, "a": {}, "b": {}, "c": {},'
            '"out": {"role": "output", "count": 1}}, "limits": {"nodes": %d},'
            '"sample": {"edge_probability": 0.15}}' % nodes)


def commands(folder, n):
    """Each runs for a long time unless it is stopped."""
    file, a, b = (str(folder / f"{name}{n}.json") for name in "sab")
    many, evals = "1000000000", "1000000"
    target = ["--eval", f"target:{a}"]
    quick = ["--eval", "shell:echo 1"]
    yield ["search", "--space", file, *target, "-m", SEP, "-n", evals]
    yield ["search", "--space", file, *quick, "-m", SEP, "-n", evals]
    yield ["search", "--space", file, *quick, "-m", SEP, "-n", evals,
           "--rule", "align=0"]
    yield ["compare", "--space", file, *target, "-n", evals, SEP, "smac"]
    yield ["cross", "--space", file, a, b, "-n", many, "--rule", "align=0"]
    yield ["sample", "--space", file, "-n", many]
    yield ["mutate", "--space", file, a, "-n", many]
    yield ["study", "run", str(folder / f"{os.urandom(4).hex()}.study"),
           "--space", file, *quick, "-m", SEP, "-n", evals,
           "--rule", "align=0", "--quiet"]


def interrupt(sepx, command, after, number):
    """The seconds from the signal to the end."""
    process = subprocess.Popen([sepx, *command], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        process.wait(after)
        sys.exit(f"ended by itself, {process.returncode}: {' '.join(command)}")
    except subprocess.TimeoutExpired:
        pass
    began = time.monotonic()
    process.send_signal(number)
    try:
        process.wait(GUARD)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        sys.exit(f"still there {GUARD} s after signal {number}: "
                 f"{' '.join(command)}")
    took = time.monotonic() - began
    if process.returncode not in (130, -number, 128 + number):
        sys.exit(f"exit code {process.returncode}: {' '.join(command)}")
    return took


def study(sepx, folder, draw):
    """Interrupted or not, the same study."""
    settings = ["--space", str(folder / "s36.json"), "-m", SEP, "--quiet",
                "--eval", "shell:echo 1", "--evals", "60", "--workers", "2"]
    whole, parts = str(folder / "whole.study"), str(folder / "parts.study")
    out = {"check": True, "stdout": subprocess.PIPE}
    subprocess.run([sepx, "study", "run", whole, *settings], **out)
    command, stops = ["study", "run", parts, *settings], 0
    while True:
        process = subprocess.Popen([sepx, *command], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(draw.uniform(0, 0.4) if stops < 20 else None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait(GUARD)
        if process.returncode == 0:
            break
        stops += 1
    subprocess.run([sepx, "study", "verify", parts], **out)
    trials = [subprocess.run([sepx, "study", "export", path], **out).stdout
              for path in (whole, parts)]
    if trials[0] != trials[1]:
        sys.exit("the interrupted study is another one")
    print(f"study: {stops} stops, the same trials")


def main():
    sepx = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else os.getpid()
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else ROUNDS
    draw = random.Random(seed)
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        longest = 0
        for n in SIZES:
            (folder / f"s{n}.json").write_text(space(n))
            for i, graph in enumerate("ab"):
                (folder / f"{graph}{n}.json").write_bytes(subprocess.run(
                    [sepx, "sample", "--space", str(folder / f"s{n}.json"),
                     "--seed", str(i)],
                    check=True, stdout=subprocess.PIPE).stdout)
            for _ in range(rounds):
                for command in commands(folder, n):
                    longest = max(longest, interrupt(
                        sepx, command, draw.uniform(0.05, 0.6),
                        draw.choice([signal.SIGINT, signal.SIGTERM])))
        print(f"longest: {longest:.3f} s from signal to end")
        study(sepx, folder, draw)


main()
