#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two interrupts in a row are one wish to stop: twice.py SEPX

GNU timeout sends SIGINT to a command and at once to its group. Each command
must give its answer so far; a later Ctrl-C ends it, and one that the display
of a study asks for ends it at once. Names of tests behind SEPX choose some.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

STOPPED = 130
PATIENCE = 120.0  # seconds until a command counts as hung
WORK = 0.4        # seconds of processor time after which a search is under way
NEAR = 0.25       # seconds; signals this near are one wish, half a second is not
TRIES = 20        # on a machine so busy that signals are further apart
SPACE = ('{"format": "sepx-space", "version": 1, "nodes": {'
         '"in": {"role": "input", "count": 1}, "a": {}, "b": {}, "c": {},'
         '"out": {"role": "output", "count": 1}}, "limits": {"nodes": 64},'
         '"sample": {"edge_probability": 0.15}}')
METHOD = "sep:population=4,tournament=2"


def expect(good, what):
    if not good:
        sys.exit(what)


def skip():
    print("SKIP: this machine is too busy for two signals in a row")
    sys.exit(77)


def wait_for(happened, what):
    end = time.monotonic() + PATIENCE
    while not happened():
        expect(time.monotonic() < end, "waited in vain for " + what)
        time.sleep(0.005)


def processor_time(pid):
    """Of all threads, in seconds."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1]
    return sum(map(int, fields.split()[11:13])) / os.sysconf("SC_CLK_TCK")


def has_taken(pid, number):
    """The signal is no longer pending, or the process has ended."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    field = dict(line.split(":", 1) for line in lines)
    pending = int(field["ShdPnd"], 16) >> (number - 1) & 1
    return not pending or field["State"].strip().startswith("Z")


def interrupt(pid):
    os.kill(pid, signal.SIGINT)
    wait_for(lambda: has_taken(pid, signal.SIGINT), "the signal to be taken")


def interrupt_twice(pid):
    """True if both signals came soon enough to be one wish."""
    began = time.monotonic()
    interrupt(pid)
    interrupt(pid)
    return time.monotonic() - began < NEAR


@contextlib.contextmanager
def started(words, **options):
    process = subprocess.Popen(words, **options)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Test:
    def __init__(self, sepx, folder):
        self.sepx, self.folder = sepx, folder
        self.file("space.json", SPACE)
        graphs = [self.graph(i) for i in range(3)]
        self.file("many.jsonl", "".join(graphs[1:]))
        pairs = [{"a": json.loads(graphs[0]), "b": json.loads(graph)}
                 for graph in graphs[1:]]
        self.file("pairs.jsonl", "".join(json.dumps(p) + "\n" for p in pairs))

    def file(self, name, text):
        (self.folder / name).write_text(text)

    def graph(self, seed):
        text = subprocess.run(
            [self.sepx, "sample", "--space", "space.json", "--seed",
             str(seed)], cwd=self.folder, check=True,
            stdout=subprocess.PIPE).stdout.decode()
        self.file(f"{seed}.json", text)
        return text

    def answer(self, words, under_way):
        """The output of a command after two interrupts in a row."""
        for _ in range(TRIES):
            with open(self.folder / "out", "wb") as out, \
                    started([self.sepx, *words], cwd=self.folder, stdout=out,
                            stderr=subprocess.STDOUT) as process:
                wait_for(lambda: under_way(process), " ".join(words))
                near = interrupt_twice(process.pid)
                process.wait(PATIENCE)
            if near:
                expect(process.returncode == STOPPED,
                       f"exit code {process.returncode}: {' '.join(words)}")
                return (self.folder / "out").read_text()
        skip()

    def works(self, process):
        expect(process.poll() is None, "ended by itself")
        return processor_time(process.pid) > WORK

    def has_output(self, process):
        expect(process.poll() is None, "ended by itself")
        return (self.folder / "out").stat().st_size

    def expect_answer(self, words, wanted, under_way=None):
        text = self.answer(words, under_way or self.works)
        expect(wanted in text, f"no {wanted!r} in the answer of "
               f"{' '.join(words)}: {text!r}")

    def test_ged(self):
        self.expect_answer(["ged", "0.json", "1.json", "--progress-json",
                            "--json"], '"stopped":"interrupt"',
                           self.has_output)

    def test_matrix(self):
        self.expect_answer(["ged", "--matrix", "many.jsonl"],
                           "stopped on request")

    def test_pairs(self):
        self.expect_answer(["ged", "--pairs", "pairs.jsonl", "--threads", "2"],
                           "..")

    def test_nearest(self):
        self.expect_answer(["ged", "--nearest", "1", "0.json", "many.jsonl"],
                           "stopped on request")

    def test_search(self):
        self.expect_answer(["search", "--space", "space.json", "--eval",
                            "target:0.json", "-m", METHOD, "-n", "1000000"],
                           "stopped after 0 of ")

    def test_study(self):
        self.expect_answer(["study", "run", f"{os.urandom(4).hex()}.study",
                            "--space", "space.json", "--eval", "shell:echo 1",
                            "-m", METHOD, "-n", "1000000"],
                           "operator ", self.has_output)

    def test_later_interrupt_ends(self):
        """A matrix that waits for the reader of its pipe does not answer."""
        self.file("small.jsonl", '{"nodes": ["a"], "edges": []}\n' * 300)
        for _ in range(TRIES):
            with started([self.sepx, "ged", "--matrix", "small.jsonl"],
                         cwd=self.folder, stdout=subprocess.PIPE) as process:
                expect(select.select([process.stdout], [], [], PATIENCE)[0],
                       "no matrix")
                if not interrupt_twice(process.pid):
                    continue
                expect(process.poll() is None, "two interrupts in a row end")
                end = time.monotonic() + PATIENCE
                while process.poll() is None:
                    expect(time.monotonic() < end, "no interrupt ends it")
                    process.send_signal(signal.SIGINT)
                    time.sleep(0.02)
                expect(process.returncode == STOPPED, "exit code")
                return
        skip()

    def test_display_announces(self):
        """An evaluation that ignores SIGTERM holds a study up."""
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        with started([self.sepx, "study", "run", "held.study", "--space",
                      "space.json", "-m", METHOD, "--evals", "9", "--eval",
                      "shell:trap '' TERM; echo > begun; sleep 600"],
                     cwd=self.folder, stdin=other, stdout=other, stderr=other,
                     env={**os.environ, "TERM": "xterm"}) as process:
            os.close(other)
            wait_for((self.folder / "begun").exists, "an evaluation")
            process.send_signal(signal.SIGINT)
            shown, asked = b"", False
            with contextlib.suppress(OSError):  # the end of a terminal
                while piece := os.read(main, 4096):
                    shown += piece
                    if not asked and b"Ctrl-C again" in shown:
                        process.send_signal(signal.SIGINT)
                        asked = True
            process.wait(PATIENCE)
        os.close(main)
        expect(asked, f"no display: {shown!r}")
        expect(b"resume it with" not in shown, "the second one did not end it")
        expect(process.returncode == STOPPED, "exit code")


def main():
    sepx, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        test = Test(sepx, pathlib.Path(folder))
        for name in names or [n for n in dir(test) if n.startswith("test_")]:
            getattr(test, name)()
            print(name)


main()
