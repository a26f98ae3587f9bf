#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command with a display, on a pseudo-terminal: terminal.py SEPX

Each command runs to its end at 80 columns; at 60 columns, resized while it
runs, until Ctrl-C; with NO_COLOR; and with TERM=dumb. A small terminal reads
along. No line may be wider than the terminal is, nothing of the display may
be left at the end, and the exit status must be right. Names of commands
behind SEPX choose some.
"""
import fcntl
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

STOPPED = 130   # exit status after Ctrl-C
PATIENCE = 120  # seconds until a command counts as hung
GRACE = 0.5     # seconds in which a drawing may still have the old width
SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|(\x1b)")


def columns(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Terminal:
    """Lines as a terminal that wraps them anew when it is resized has them."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.lines, self.row, self.column = [[]], 0, 0
        self.resized, self.widest = 0, width
        self.faults, self.drawn, self.styles, self.escapes = [], 0, 0, 0
        self.rest = ""

    def resize(self, width):
        self.widest = max(self.width, width)
        self.width, self.resized = width, time.monotonic()

    def rows(self, line):
        return max(1, -(-len(line) // self.width))

    def above(self):
        """Rows above the cursor that are still on the screen."""
        rows = sum(self.rows(line) for line in self.lines[self.row:])
        rows -= self.column // self.width
        up = sum(self.rows(line) for line in self.lines[:self.row])
        return min(up, max(0, self.height - rows)) + self.column // self.width

    def up(self, count):
        count = min(count, self.above())
        while count:
            step = self.column // self.width
            if step >= count:
                self.column -= count * self.width
                return
            count -= step + 1
            self.row -= 1
            last = self.rows(self.lines[self.row]) - 1
            self.column = last * self.width + self.column % self.width

    def put(self, character):
        line = self.lines[self.row]
        for i in range(columns(character)):
            while len(line) <= self.column:
                line.append(" ")
            line[self.column] = character if i == 0 else ""
            self.column += 1

    def end_line(self):
        """Of the display, since answers have no such sequence."""
        line = self.lines[self.row]
        limit = self.width
        if time.monotonic() - self.resized < GRACE:
            limit = max(limit, self.widest)
        del line[self.column:]
        if len(line) > limit:
            self.faults.append("wider than %d: %r" % (limit, "".join(line)))

    def feed(self, text):
        """Half a sequence at the end waits for its other half."""
        text, self.rest = self.rest + text, ""
        at = 0
        while at < len(text):
            found = SEQUENCE.match(text, at)
            if found and found.group(3) and len(text) - at < 16:
                self.rest = text[at:]
                return
            at = found.end() if found else at + 1
            self.take(text[at - 1], found)

    def take(self, character, found):
        if found and found.group(3):
            self.faults.append("an escape that is no sequence")
        elif found:
            self.command(found.group(2), found.group(1))
        elif character == "\r":
            self.column = self.column // self.width * self.width
        elif character == "\n":
            self.row += 1
            self.column = 0
            if self.row == len(self.lines):
                self.lines.append([])
        elif character == "\t":
            self.put(" ")
        elif ord(character) < 32 or 0x7f <= ord(character) < 0xa0:
            self.faults.append("control character %#x" % ord(character))
        else:
            self.put(character)

    def command(self, letter, number):
        self.escapes += 1
        if letter == "A":
            self.up(int(number or 1))
        elif letter == "K":
            self.end_line()
        elif letter == "J":
            del self.lines[self.row][self.column:]
            del self.lines[self.row + 1:]
            self.drawn += 1
        elif letter == "m":
            self.styles += 1
        else:
            self.faults.append("sequence %r" % letter)

    def text(self):
        return ["".join(line).rstrip() for line in self.lines]


class Session:
    """One command on one terminal."""

    def __init__(self, argv, folder, width, env):
        self.terminal = Terminal(width, 24)
        self.raw = b""
        self.argv = argv
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            self.set_size(0, width)
            os.execve(argv[0], argv, env)
        self.set_size(self.fd, width)
        self.partial = b""

    def set_size(self, fd, width):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))

    def resize(self, width):
        self.read(0)
        self.terminal.resize(width)
        self.set_size(self.fd, width)

    def read(self, seconds):
        """All output of so many seconds; False at its end."""
        end = time.monotonic() + seconds
        while True:
            left = max(0, end - time.monotonic())
            if not select.select([self.fd], [], [], left)[0]:
                return True
            try:
                piece = os.read(self.fd, 65536)
            except OSError:
                piece = b""
            if not piece:
                return False
            self.raw += piece
            self.partial += piece
            # Bytes of a character may come apart.
            text = self.partial.decode("utf-8", "ignore")
            done = len(text.encode())
            if len(self.partial) - done > 3:
                self.terminal.faults.append("not UTF-8: %r" % self.partial)
                done = len(self.partial)
            self.partial = self.partial[done:]
            self.terminal.feed(text)

    def draw(self, count):
        """Until the display was drawn so often; False if it ended before."""
        start = self.terminal.drawn
        end = time.monotonic() + PATIENCE
        while self.terminal.drawn < start + count:
            if not self.read(0.05) or time.monotonic() > end:
                return False
        return True

    def interrupt(self):
        os.write(self.fd, b"\x03")

    def finish(self):
        """The exit status, 128 + N after signal N."""
        end = time.monotonic() + PATIENCE
        while self.read(0.2):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status) % 256


class Command:
    def __init__(self, name, words, shown, short=None, before=None, needs=(),
                 answer="^", ends=False, says=""):
        self.name = name
        self.words = words              # takes long enough to be stopped
        self.shown = re.compile(shown)  # a line of the display
        self.short = short              # the words that run to an end
        self.before = before            # run this first, silently
        self.needs = needs              # programs
        self.answer = re.compile(answer)  # a line of it after Ctrl-C
        # A fast machine may be done before Ctrl-C reaches the command.
        self.ends = ends
        self.says = re.compile(says)    # what some drawing has


# Wide, long, and with a command for the terminal.
SLOT = "gpu 界 \x1b]0;\x07 whose name is longer than the terminal, and on and on"
STUDY = ["-m", "sep:population=8,tournament=3", "-e", "command:./nap",
         "--workers", "2", "--slots", SLOT + "," + SLOT]
DRAWS = ["-m", "sep", "-e", "command:./nap", "--workers", "2"]
LIVE = r" of \d+(,|  )|^random start|new bests:|^  trial \d+ |^stopping|under way"
SHARE = r"\d+/\d+ \(\d+ %\)"
BENCH = ["bench", "--quick", "--no-networkx", "--no-numpy"]

COMMANDS = [
    Command("ged", ["ged", "hard-a.json", "hard-b.json"], r" so far, \d+ s",
            short=["ged", "-t", "1", "hard-a.json", "hard-b.json"],
            answer=r"^\d+\.\.\d+$"),
    Command("ged-maps", ["ged", "--all-maps", "free.json", "free.json"],
            r"^all optimal maps", answer=r"^at least \d+ optimal maps$"),
    Command("ged-pairs", ["ged", "--pairs", "pairs.jsonl", "--threads", "2"],
            r"^line \d+: ", answer=r"^\d+\.\.\d+$"),
    Command("ged-matrix", ["ged", "--matrix", "graphs.jsonl"],
            r"^distances " + SHARE,
            short=["ged", "-t", "0.3", "--matrix", "graphs.jsonl"]),
    Command("ged-nearest", ["ged", "--nearest", "2", "hard-a.json",
                            "graphs.jsonl"], r"^query 1: ",
            short=["ged", "-t", "0.3", "--nearest", "2", "hard-a.json",
                   "graphs.jsonl"]),
    Command("draw", ["draw", "hard-a.json", "hard-b.json", "-f", "dot"],
            r" so far, \d+ s",
            short=["draw", "-t", "1", "hard-a.json", "hard-b.json",
                   "-f", "dot"]),
    Command("search-slow", ["search", "-e", "command:./nap", "--runs", "1",
                            "--evals", "999"], SHARE,
            short=["search", "-e", "command:./nap", "--runs", "1",
                   "--evals", "9"]),
    Command("search", ["search", "-m", "sep", "--runs", "9", "--evals", "50000"],
            SHARE,
            short=["search", "-m", "sep", "--runs", "2", "--evals", "20000"]),
    Command("compare", ["compare", "sep", "--runs", "9", "--evals", "50000"],
            SHARE,
            short=["compare", "sep", "--runs", "2", "--evals", "20000"]),
    Command("study", ["study", "run", "NEW.study", "--evals", "999", *STUDY],
            LIVE, answer=r"^study .*: stopped$",
            short=["study", "run", "NEW.study", "--evals", "20", *STUDY]),
    Command("resume", ["study", "run", "OLD.study", "--evals", "999"], LIVE,
            before=["study", "run", "OLD.study", "-q", "--evals", "4", *STUDY],
            short=["study", "run", "OLD.study", "--evals", "20"]),
    Command("start", ["study", "run", "NEW.study", "--evals", "999", *DRAWS],
            LIVE, answer=r"^phase     random start \d+ of 100$",
            short=["study", "run", "NEW.study", "--evals", "20", *DRAWS],
            says=r"random start \d+ of 100"),
    Command("lineage", ["study", "lineage", "WIDE.study", "59"],
            r"^ancestors " + SHARE, ends=True),
    Command("report", ["study", "report", "WIDE.study", "-o", "NEW.html"],
            r"^documents " + SHARE, ends=True),
    Command("predict", ["study", "predict", "WIDE.study", "wide.json"],
            r"^predictions " + SHARE, ends=True),
    Command("reproduce", ["reproduce", "--out", "NEW.out", "noise-free-lstm"],
            r"^\[\d/\d\] ",
            short=["reproduce", "--quick", "--out", "NEW.out", "ged-error"],
            needs=("gnuplot", "dot"), ends=True),
    Command("reproduce-verify", ["reproduce", "--verify", "MADE.out"],
            r"^\[\d/\d\] ", short=["reproduce", "--verify", "MADE.out"],
            needs=("gnuplot", "dot"), ends=True),
    Command("figures", ["theory", "--all-figures", "NEW.figures"],
            r"^figures " + SHARE, needs=("gnuplot",), ends=True),
    Command("cells", ["data", "cells"], r"^all cells: ",
            short=["data", "cells"], ends=True),
    Command("bench-data", [*BENCH, "data"], SHARE, ends=True),
    Command("bench-eval", ["bench", "eval"], SHARE, short=[*BENCH, "eval"],
            ends=True),
    Command("bench-ged", ["bench", "ged"], SHARE, short=[*BENCH, "ged"],
            ends=True),
    Command("bench-search", ["bench", "search"], SHARE,
            short=[*BENCH, "search"], ends=True),
    Command("bench-study", ["bench", "study"], SHARE, short=[*BENCH, "study"],
            ends=True),
    Command("bench-theory", ["bench", "theory"], SHARE,
            needs=("import numpy",), ends=True),
]


def random_graph(seed, nodes, chance):
    draw = random.Random(seed)
    return {"nodes": ["a"] * nodes,
            "edges": [[i, j] for i in range(nodes) for j in range(nodes)
                      if i < j and draw.random() < chance]}


def prepare(folder, sepx):
    def write(name, text):
        (folder / name).write_text(text)

    hard = [random_graph(seed, 40, 0.2) for seed in (1, 2, 3)]
    free = json.dumps({"nodes": ["a"] * 14, "edges": []})
    write("hard-a.json", json.dumps(hard[0]))
    write("hard-b.json", json.dumps(hard[1]))
    write("free.json", free)
    write("graphs.jsonl", "".join(json.dumps(g) + "\n" for g in hard))
    write("pairs.jsonl", json.dumps({"a": hard[0], "b": hard[1]}) + "\n")
    write("nap", "#!/bin/sh\nsleep 0.1\nwc -c\n")
    (folder / "nap").chmod(0o755)
    # Graphs so large that distances between them take long.
    write("space.json", json.dumps({
        "format": "sepx-space", "version": 1,
        "nodes": {"in": {"role": "input", "count": 1}, "a": {}, "b": {},
                  "out": {"role": "output", "count": 1}},
        "limits": {"nodes": 64}, "sample": {"edge_probability": 0.15}}))
    (folder / "wide.json").write_bytes(subprocess.check_output(
        [sepx, "sample", "--space", str(folder / "space.json")]))
    if "sqlite" in features(sepx):
        quiet(sepx, folder, ["study", "run", "WIDE.study", "-q", "--evals",
                             "60", "--space", "space.json", "-e",
                             "shell:wc -c", "-m",
                             "sep:population=10,tournament=3"])
    if shutil.which("gnuplot") and shutil.which("dot"):
        quiet(sepx, folder, ["reproduce", "--out", "MADE.out",
                             "frequencies-nbnlp"])


def features(sepx):
    return subprocess.check_output([sepx, "--version"], text=True)


def is_there(word):
    if not word.startswith("import "):
        return shutil.which(word)
    return not subprocess.run(["/usr/bin/python3", "-c", word],
                              stderr=subprocess.DEVNULL).returncode


def quiet(sepx, folder, words):
    subprocess.run([sepx, *words], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Driver:
    def __init__(self, sepx, folder):
        self.sepx, self.folder = sepx, folder
        self.count, self.faults = 0, []
        self.features = features(sepx)

    def session(self, command, words, width, **variables):
        self.count += 1
        fresh = {"NEW.study": "s%d.study", "NEW.out": "o%d",
                 "NEW.figures": "f%d", "OLD.study": "r%d.study",
                 "NEW.html": "p%d.html"}

        def place(word):
            return fresh[word] % self.count if word in fresh else word

        if command.before:
            quiet(self.sepx, self.folder, list(map(place, command.before)))
        env = {key: value for key, value in os.environ.items()
               if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        env.update({"TERM": "xterm", "LC_ALL": "C", **variables})
        return Session([self.sepx, *map(place, words)], self.folder,
                       width, env)

    def judge(self, command, how, session, want):
        terminal = session.terminal
        got = session.finish()
        done = command.ends and got == 0
        faults = terminal.faults[:3]
        if got != want and not done:
            faults.append("exit status %d, not %d" % (got, want))
        faults += ["left behind: %r" % line for line in terminal.text()
                   if command.shown.search(line)]
        if terminal.drawn and not command.says.search(session.raw.decode()):
            faults.append("no drawing has %r" % command.says.pattern)
        # The kernel sends the signal before it echoes Ctrl-C, so that a fast
        # command may have written its last byte, or ended, before the echo.
        last = terminal.text()[-1]
        if (terminal.column or last) and last != "^C":
            faults.append("the cursor is behind %r" % terminal.text()[-1])
        for fault in faults:
            self.faults.append("%s, %s: %s" % (command.name, how, fault))
        if faults:
            self.faults.append("    on the screen: %r" % terminal.text()[-12:])
        return done

    def whole(self, command):
        session = self.session(command, command.short, 80)
        self.judge(command, "80 columns", session, 0)
        # A fast machine may be done with it before the first draw.
        if not session.terminal.drawn and not command.ends:
            self.faults.append(command.name + ", 80 columns: no display")

    def resized(self, command):
        session = self.session(command, command.words, 60)
        shown = session.draw(2)
        for width in (40, 100, 20):
            session.resize(width)
            shown = shown and session.draw(2)
        self.stop(command, "resized", session, shown)

    def stop(self, command, how, session, shown):
        session.interrupt()
        if self.judge(command, how + ", Ctrl-C", session, STOPPED):
            return
        if not any(map(command.answer.search, session.terminal.text())):
            self.faults.append("%s, %s: no answer %s"
                               % (command.name, how, command.answer.pattern))
        if not shown:
            self.faults.append("%s, %s: ended before it was seen"
                               % (command.name, how))

    def colourless(self, command):
        session = self.session(command, command.words, 80, NO_COLOR="1")
        shown = session.draw(2)
        self.stop(command, "NO_COLOR", session, shown)
        if session.terminal.styles:
            self.faults.append(command.name + ", NO_COLOR: coloured")

    def dumb(self, command):
        session = self.session(command, command.words, 80, TERM="dumb")
        session.read(0.6)
        session.interrupt()
        terminal = session.terminal
        got = session.finish()
        plain = session.raw.replace(b"\r\n", b"\n").replace(b"^C", b"")
        if command.ends and got == 0:
            got = STOPPED
        if got != STOPPED or terminal.escapes or b"\r" in plain:
            self.faults.append("%s, TERM=dumb: exit status %d, %r"
                               % (command.name, got, session.raw[:200]))

    def run(self, command):
        missing = [word for word in command.needs if not is_there(word)]
        if command.words[0] == "study":
            missing += ["sqlite"] * ("sqlite" not in self.features)
        if missing:
            print("%s: skipped, no %s" % (command.name, " ".join(missing)))
            return
        start = time.monotonic()
        if command.short:
            self.whole(command)
        self.resized(command)
        self.colourless(command)
        self.dumb(command)
        print("%s: %.1f s" % (command.name, time.monotonic() - start))


def main():
    sepx = os.path.abspath(sys.argv[1])
    names = sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prepare(folder, sepx)
        driver = Driver(sepx, folder)
        for command in COMMANDS:
            if not names or command.name in names:
                driver.run(command)
    print("\n".join(driver.faults) or "all displays ended clean")
    sys.exit(bool(driver.faults))


main()
