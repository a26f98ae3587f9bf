#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/cluster/cluster.py SEPX [--soak N] [--only NAME[,NAME]] [--seed N]

Studies on a real PostgreSQL server, which the tests start themselves as an
ordinary user: any number of workers gives the study of one, and whatever
happens to workers, server and network, nothing is lost or changed. The short
tier makes each fault once; --soak N makes it N times, at random moments.
Exit code 77 and a reason: skipped."""

import argparse
import glob
import json
import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

EVALUATOR = """#!/bin/sh
# A value that depends on the graph alone; every start leaves a line.
set -eu
echo "$SEPX_TRIAL" >> "$COUNT_FILE"
value=$(cksum | cut -d' ' -f1)
sleep %s
echo "$((value %% 1000))"
"""


class Failure(Exception):
    pass


class Skipped(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failure(text)


class Cluster:
    """A server in a folder of its own, and what runs on it."""

    def __init__(self, sepx, seed):
        self.sepx = os.path.abspath(sepx)
        self.random = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="sepx-cluster-")
        os.chmod(self.folder, 0o755)
        self.server = os.path.join(self.folder, "server")
        self.count_file = os.path.join(self.folder, "count")
        self.number = 0
        self.workers = []
        self.environment = dict(os.environ, COUNT_FILE=self.count_file,
                                NO_COLOR="1")
        self.url = self.run("server", "start", self.server).strip()

    def run(self, *words, code=0, **more):
        done = subprocess.run([self.sepx, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              env=self.environment, cwd=self.folder,
                              timeout=300, **more)
        self.said = done.stderr
        expect(done.returncode == code,
               f"sepx {' '.join(words)}: exit code {done.returncode}, not "
               f"{code}\n{(done.stdout + done.stderr)[-2000:]}")
        return done.stdout

    def sql(self, text):
        pg = self.pg_bin() + "/psql"
        done = subprocess.run([pg, "-X", "-q", "-t", "-A", "-v",
                               "ON_ERROR_STOP=1", self.url, "-c", text],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)
        return done.returncode, done.stdout.strip(), done.stderr

    @staticmethod
    def pg_bin():
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/pg_ctl"))
        return os.path.dirname(found[-1]) if found else None

    def evaluator(self, seconds):
        path = os.path.join(self.folder, "evaluate.sh")
        with open(path, "w") as file:
            file.write(EVALUATOR % seconds)
        os.chmod(path, 0o755)
        open(self.count_file, "w").close()
        os.chmod(self.count_file, 0o666)
        return "command:./evaluate.sh"

    def evaluations(self):
        with open(self.count_file) as file:
            return len(file.readlines())

    def settings(self, evaluator, evals, window, *more):
        retries = ["--retries", "0"] if ":./" in evaluator else []
        return ["--space", "nb101", "--eval", evaluator, "--evals",
                str(evals), "--window", str(window), *retries, *more]

    def reference(self, *settings):
        """The export of the same study in a file, and its evaluations."""
        self.number += 1
        path = f"reference{self.number}.study"
        before = self.evaluations() if os.path.exists(self.count_file) else 0
        self.run("study", "run", path, *settings, "--workers", "8", "-q")
        made = (self.evaluations() if os.path.exists(self.count_file)
                else 0) - before
        return self.run("study", "export", path), made

    def begin(self, *settings):
        self.number += 1
        name = f"{self.url}&study=s{self.number}"
        self.run("study", "run", name, *settings, "--no-work", "-q")
        return name

    def worker(self, name, evaluator, host="h", *more, url=None):
        words = [self.sepx, "study", "work", url or name, "-q", "--name",
                 host, *more]
        if evaluator.startswith("command:"):
            words += ["--eval", evaluator]
        log = open(os.path.join(self.folder, "workers.log"), "a")
        process = subprocess.Popen(words, stdout=log, stderr=log,
                                   env=self.environment, cwd=self.folder,
                                   start_new_session=True)
        log.close()
        self.workers.append(process)
        return process

    def told(self, name):
        out = self.run("study", "status", name, "--json")
        return json.loads(out)["told"]

    def wait_told(self, name, least, seconds=120):
        end = time.monotonic() + seconds
        while self.told(name) < least:
            expect(time.monotonic() < end, f"{name}: stands still")
            time.sleep(0.05)

    def finish(self, name, seconds=240):
        """All workers end by themselves."""
        end = time.monotonic() + seconds
        for process in self.workers:
            try:
                process.wait(max(1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise Failure(f"{name}: a worker does not end\n" +
                              self.run("study", "status", name)) from None
            expect(process.returncode == 0,
                   f"{name}: a worker ended with {process.returncode}")
        self.workers = []

    def check(self, name, export):
        self.run("study", "verify", name)
        expect(self.run("study", "export", name) == export,
               f"{name}: the export differs from that of one worker")

    def kill_server(self):
        """kill -9 of the server's first process; the others notice."""
        with open(self.server + "/data/postmaster.pid") as file:
            os.kill(int(file.readline()), signal.SIGKILL)

    def stop_server(self):
        """Stop without a checkpoint, as a machine that loses its power."""
        words = [self.pg_bin() + "/pg_ctl", "-D", self.server + "/data", "-m",
                 "immediate", "-w", "-s", "stop"]
        more = {}
        if os.getuid() == 0:
            owner = os.stat(self.server)
            more = dict(user=owner.st_uid, group=owner.st_gid,
                        extra_groups=[])
        subprocess.run(words, cwd="/", check=True, **more)

    def restart(self):
        self.random.choice((self.kill_server, self.stop_server))()
        time.sleep(self.random.choice((0, self.random.uniform(0, 1))))
        self.run("server", "start", self.server)
        code, _, said = self.sql("SELECT 1")
        expect(code == 0, f"started again, it does not answer: {said}")

    def close(self):
        for process in self.workers:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
        subprocess.run([self.sepx, "server", "stop", self.server],
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy:
    """Between workers and server: passes on, delays, stalls or cuts."""

    def __init__(self, port):
        self.target = port
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.pairs = set()
        self.stalled = threading.Event()
        self.delay = 0.0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            self.pairs.add((client, server))
            for a, b in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(a, b, client, server),
                                 daemon=True).start()

    def pump(self, a, b, client, server):
        try:
            while True:
                data = a.recv(65536)
                while self.stalled.is_set():
                    time.sleep(0.01)
                if self.delay:
                    time.sleep(self.delay)
                if not data:
                    break
                b.sendall(data)
        except OSError:
            pass
        for one in (client, server):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.pairs.discard((client, server))

    def cut(self):
        for pair in list(self.pairs):
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.stalled.clear()
        self.socket.close()
        self.cut()


class Starting(Proxy):
    """Says for a while that the server is not ready."""

    def __init__(self, port, seconds):
        self.ready = time.monotonic() + seconds
        self.refused = 0
        super().__init__(port)

    def accept(self):
        text = b"SFATAL\0VFATAL\0C57P03\0" \
               b"Mthe database system is starting up\0\0"
        while time.monotonic() < self.ready:
            client, _ = self.socket.accept()
            while int.from_bytes(client.recv(8, socket.MSG_PEEK)[4:],
                                 "big") in (80877103, 80877104):
                client.recv(8)
                client.sendall(b"N")
            client.recv(65536)
            client.sendall(b"E" + (len(text) + 4).to_bytes(4, "big") + text)
            client.close()
            self.refused += 1
        super().accept()


# ---- tests ----

def start_killed(c, folder):
    """kill -9 of 'server start' and all that it started, at some moment."""
    process = subprocess.Popen([c.sepx, "server", "start", folder],
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        process.wait(c.random.uniform(0.05, 3))
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def password_of(folder, role):
    with open(f"{folder}/{role}.pgpass") as file:
        return file.readline().strip().split(":")[4]


def test_server(c, soak):
    """sepx server: killed, started twice, with other options, spoiled."""
    folder = os.path.join(c.folder, "own")
    for _ in range(soak or 2):
        start_killed(c, folder)
    crew = [subprocess.Popen([c.sepx, "server", "start", folder],
                             stdout=subprocess.PIPE, text=True)
            for _ in range(3)]
    urls = {process.communicate()[0] for process in crew}
    expect(len(urls) == 1 and not any(p.returncode for p in crew),
           f"three starts at once: {urls}")
    try:
        for role in ("owner", "worker", "reader"):
            url = c.run("server", "url", folder, "--role", role).strip()
            c.run("study", "list", url, code=66)
            expect("no study in this" in c.said, f"{role}: {c.said}")
            mode = os.stat(f"{folder}/{role}.pgpass").st_mode
            expect(stat.S_IMODE(mode) == 0o600, f"{role}.pgpass: {mode:o}")
        c.run("server", "start", folder, "--listen", "127.0.0.2", code=1)
        expect("runs already" in c.said, c.said)
        c.run("server", "stop", folder)
        c.run("server", "start", folder, "--listen", "a'b", code=2)
        url = c.run("server", "start", folder, "--listen", "127.0.0.2")
        expect("@127.0.0.2:" in url, url)
        c.run("server", "stop", folder)
        expect(c.run("server", "start", folder) == url,
               "started again, it has another address")
        c.run("study", "list", url.strip(), code=66)
        password = password_of(folder, "owner")
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    expect(password.encode() not in file.read(), path)
            except OSError:
                pass
        with open(folder + "/server.log") as file:
            expect(password not in file.read(), "a password is in the log")
        c.run("server", "stop", folder)
        os.chmod(folder + "/data", 0o755)
        c.run("server", "start", folder, code=1)
        expect("permissions" in c.said, c.said)
        os.chmod(folder + "/data", 0o700)
        c.run("server", "start", folder)
    finally:
        c.run("server", "stop", folder)
    url = c.run("server", "url", folder, "--host", "::1")
    expect("@[::1]:" in url, url)
    if os.getuid() == 0:
        full = os.path.join(c.folder, "full")
        os.mkdir(full)
        open(full + "/precious", "w").close()
        c.run("server", "start", full, code=1)
        expect(os.stat(full).st_uid == 0, "a folder in use changed its owner")


def test_first_run(c, soak):
    """A new server, and eight who begin the same study at once."""
    settings = c.settings("target:optimum", 60, 12)
    export, _ = c.reference(*settings)
    code, _, said = c.sql("CREATE DATABASE first")
    expect(code == 0, said)
    name = c.url.replace("/sepx?", "/first?") + "&study=first"
    crew = [subprocess.Popen([c.sepx, "study", "run", name, "-q", *settings],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True,
                             cwd=c.folder, env=c.environment)
            for _ in range(8)]
    for process in crew:
        said = process.communicate(timeout=240)[1]
        expect(process.returncode == 0, f"{process.returncode}: {said}")
    c.check(name, export)


def test_same(c, soak):
    """1, 2, 8 and 32 workers: the export of one worker, and of a file; and
    every method with 4."""
    for method, counts in (("sep", (1, 2, 8, 32)), ("mutation", (4,)),
                           ("bohb", (4,)), ("smac", (4,)),
                           ("reinforce", (4,)), ("local", (4,)),
                           ("random", (4,))):
        settings = c.settings("target:optimum", 400 if soak else 200, 48,
                              "--method", method)
        export, _ = c.reference(*settings)
        for count in counts:
            name = c.begin(*settings)
            for i in range(count):
                c.worker(name, "target:", f"h{i}")
            c.finish(name)
            c.check(name, export)


def test_async(c, soak):
    """Without a window: another order, and a log that verifies."""
    name = c.begin(*c.settings("target:optimum", 200, 16, "--async"))
    for i in range(4):
        c.worker(name, "target:", f"h{i}")
    c.finish(name)
    c.run("study", "verify", name)
    expect(c.told(name) == 200, "not all trials are told")


def test_copy(c, soak):
    """A file, a server, a file: the same events, and any change is found."""
    c.run("study", "run", "a.study", *c.settings("target:optimum", 60, 8),
          "-q")
    name = f"{c.url}&study=copied"
    c.run("study", "copy", "a.study", name)
    c.run("study", "copy", name, "b.study")
    exports = [c.run("study", "export", where)
               for where in ("a.study", name, "b.study")]
    expect(len(set(exports)) == 1, "copies differ")
    c.run("study", "verify", name)
    c.run("study", "verify", "b.study")
    c.run("study", "copy", "a.study", name, code=1)
    code, _, said = c.sql("UPDATE sepx.told SET value = 0")
    expect(code != 0 and "append-only" in said, "an event was changed")
    code, _, said = c.sql("DELETE FROM sepx.asked")
    expect(code != 0 and "append-only" in said, "an event was removed")
    c.sql("SET ROLE sepx_worker; CREATE TABLE sepx.x(y int)")
    code, _, said = c.sql("SET ROLE sepx_worker; INSERT INTO sepx.study(name,"
                          " settings) VALUES ('x', '{}')")
    expect(code != 0 and "denied" in said, "a worker began a study")
    for change in ("UPDATE sepx.told SET value = value + 1 WHERE trial = 7",
                   "UPDATE sepx.asked SET graph = graph || ' '"
                   " WHERE trial = 9",
                   "UPDATE sepx.asked SET parent1 = 500 WHERE trial = 3",
                   "DELETE FROM sepx.told WHERE event ="
                   " (SELECT max(event) FROM sepx.told t WHERE"
                   " t.study = told.study)",
                   "UPDATE sepx.told SET trial = -5 WHERE trial = 4",
                   "UPDATE sepx.head SET event = event - 2 WHERE true",
                   "UPDATE sepx.head SET event = 9223372036854775807"
                   " WHERE true",
                   "UPDATE sepx.head SET sum = sha256(sum) WHERE true",
                   "UPDATE sepx.head SET sum = substr(sha256(sum), 1, 16)"
                   " WHERE true"):
        other = f"{c.url}&study=hostile{c.number}"
        c.number += 1
        c.run("study", "copy", "a.study", other)
        code, _, said = c.sql("SET session_replication_role = replica; " +
                              change + " AND study = (SELECT max(id) FROM "
                              "sepx.study)")
        expect(code == 0, said)
        c.run("study", "verify", other, code=65)
        if "event" in change:
            c.run("study", "export", other, code=65)
            c.run("study", "copy", other, "hidden.study", code=65)
            c.run("study", "work", other, code=65)


def test_repair(c, soak):
    """A row of a broken worker ends a study; a copy without it goes on."""
    evaluator = c.evaluator(0)
    settings = c.settings(evaluator, 40, 8)
    export, _ = c.reference(*settings)
    study = "(SELECT max(id) FROM sepx.study)"
    head = f"(SELECT event + 1 FROM sepx.head WHERE study = {study})"
    told = ("INSERT INTO sepx.told(study, trial, attempt, event, outcome, "
            "value, answer, seconds, finished, elapsed, sum) VALUES "
            f"({study}, {{}}, {{}}, {head}, {{}}, 1, {{}}, 1, 1, 1, "
            "'\\x{}');")
    some = "00112233445566778899aabbccddeeff"
    faults = (  # statement, whether the head is behind it, its event
        (told.format(3, 1, "'scored'", "NULL", some), True),
        (told.format(3, 1, "'scored'", "'\\x7b2200ff'", some), True),
        (told.format(77, 0, "'scored'", "NULL", some), False),
        (told.format(9, 5, "''", "NULL", "00"), False),
        (told.format(2, 1, "'scored'", "NULL", some).replace(
            head, "9223372036854775807"), False),
        (told.format(2, 1, "'scored'", "NULL", some).replace(head, "-7"),
         False),
        ("INSERT INTO sepx.asked(study, trial, event, operator, fidelity, "
         f"graph, sum) VALUES ({study}, 99, {head}, 'sep', 1, "
         f"'{{\"nodes\":[', '\\x{some}');", True))
    for fault, moves in faults:
        name = c.begin(*settings)
        for _ in range(3):
            c.run("study", "work", name, "--one", "-q", "--eval", evaluator)
        before = c.told(name)
        code, _, said = c.sql(
            "SET session_replication_role = replica; " + fault +
            (f"UPDATE sepx.head SET event = event + 1 WHERE study = {study}"
             if moves else ""))
        expect(code == 0, said)
        event = c.sql("SELECT event FROM sepx.told WHERE study = "
                      f"{study} AND seconds = 1 AND finished = 1 UNION ALL "
                      f"SELECT event FROM sepx.asked WHERE study = {study} "
                      "AND trial = 99")[1]
        whole = f"{c.url}&study=whole{c.number}"
        for words in (("verify", name), ("copy", name, whole),
                      ("work", name, "-q", "--eval", evaluator)):
            c.run("study", *words, code=65)
            expect(event in c.said and "--repair" in c.said,
                   f"event {event}: {c.said}")
        out = c.run("study", "copy", "--repair", name, whole)
        expect(f"event {event}, " in out and " 1 left out" in out, out)
        c.run("study", "verify", whole)
        expect(c.told(whole) == before, "it lost a result")
        c.run("study", "work", whole, "-q", "--eval", evaluator)
        c.check(whole, export)
    # What sessions noted: workers may write the first, the owner the second.
    for fault, word in (
            (f"INSERT INTO sepx.spent VALUES ({study}, 'NaN') ON CONFLICT "
             "(study) DO UPDATE SET elapsed = 'NaN'", "time that its sessions"),
            ("UPDATE sepx.session SET options = '{' WHERE study = " + study,
             "options of its last session")):
        name = c.begin(*settings)
        c.run("study", "work", name, "-q", "--eval", evaluator)
        code, _, said = c.sql(
            "SET session_replication_role = replica; " + fault)
        expect(code == 0, said)
        whole = f"{c.url}&study=whole{c.number}"
        for words in (("verify", name), ("copy", name, whole),
                      ("work", name, "-q", "--eval", evaluator)):
            c.run("study", *words, code=65)
            expect(word in c.said and "--repair" in c.said, c.said)
        out = c.run("study", "copy", "--repair", name, whole)
        expect(word in out and "; 0 left out" in out, out)
        c.run("study", "verify", whole)
        c.check(whole, export)
    # The same without the head of the log.
    code, _, said = c.sql(f"DELETE FROM sepx.head WHERE study = {study}")
    expect(code == 0, said)
    for words in (("verify", whole), ("work", whole, "--eval", evaluator)):
        c.run("study", *words, code=65)
        expect("--repair" in c.said, c.said)
    c.run("study", "copy", "--repair", whole, whole + "2")
    c.check(whole + "2", export)


def test_errors(c, soak):
    """What is said to those who cannot get in, and what they can do."""
    study = "&study=none"
    other = c.url.replace("/sepx?", "/{}?")
    for url, code, words in (
            (c.url.replace("localhost:", "localhost:1") + study, 1,
             ("refused", "start the server")),
            (c.url.replace("localhost", "nowhere.invalid") + study, 66,
             ("nowhere.invalid", "host")),
            (other.format("nowhere") + study, 66, ("does not exist",)),
            (c.url.split("?")[0] + "?passfile=/dev/null" + study, 1,
             ("password", "~/.pgpass")),
            (c.url + study, 66, ("no such study",)),
            (c.url, 1, ("?study=NAME",))):
        c.run("study", "status", url, code=code)
        for word in words:
            expect(word in c.said, f"no '{word}' in: {c.said}")
    c.sql("CREATE DATABASE newer")
    newer = other.format("newer") + "&study=a"
    c.run("study", "run", newer, *c.settings("target:optimum", 5, 8), "-q")
    # A schema that was made for those who may not make one.
    c.sql("CREATE DATABASE given")
    given = other.format("given")
    subprocess.run([c.pg_bin() + "/psql", "-X", "-q", given, "-c",
                    "CREATE SCHEMA sepx AUTHORIZATION worker"], check=True)
    mine = c.run("server", "url", c.server, "--role", "worker").strip()
    mine = mine.replace("/sepx?", "/given?") + "&study=a"
    c.run("study", "run", mine, *c.settings("target:optimum", 5, 8), "-q")
    c.run("study", "verify", mine)
    subprocess.run([c.pg_bin() + "/psql", "-X", "-q", other.format("newer"),
                    "-c", "INSERT INTO sepx.schema(version) VALUES (99)"],
                   check=True)
    for words in (("status",), ("work",), ("verify",)):
        c.run("study", *words, newer, code=65)
        expect("update sepx" in c.said, c.said)
    name = c.begin(*c.settings("target:optimum", 5, 8))
    study = name.rpartition("&")[2]
    for role, verb in (("reader", "work"), ("worker", "run")):
        url = c.run("server", "url", c.server, "--role", role).strip()
        c.run("study", verb, f"{url}&{study}", code=1)
        expect("denied" in c.said and "sepx_worker" in c.said, c.said)


def test_page(c, soak):
    """The page of a study on a server has its name, and no other's data."""
    name = c.begin(*c.settings("target:optimum", 40, 8))
    c.worker(name, "target:", "h0")
    c.finish(name)
    page = c.run("study", "report", name)
    inside = page.partition('id="documents">')[2].partition("</script>")[0]
    documents = json.loads(inside)
    summary = documents["studies"][0]
    expect(summary["name"] == name.rpartition("study=")[2], summary["name"])
    expect(summary["told"] == 40 and "pgpass" not in inside, "data of a page")
    expect(len(documents["0/trials"]["rows"]) == 40, "rows of a page")


def test_trust(c, soak):
    """A worker runs no program that its command line does not name."""
    evaluator = c.evaluator(0)
    name = c.begin(*c.settings(evaluator, 4, 8))
    c.run("study", "work", name, code=2)
    hash = c.said.split("--eval-hash ")[1].split()[0]
    expect(c.evaluations() == 0, "an evaluator ran")
    c.run("study", "work", name, "--eval", "command:./other", code=65)
    c.run("study", "work", name, "--eval-hash", "0" * 16, code=2)
    with open(os.path.join(c.folder, "evaluate.sh"), "a") as file:
        file.write("# changed\n")
    c.run("study", "work", name, "--eval-hash", hash, code=65)
    c.evaluator(0)
    c.run("study", "work", name, "--eval-hash", hash, "-q")
    expect(c.told(name) == 4, "not all trials are told")
    for url in ("postgresql://a:secret@localhost/x",
                "postgresql://a@localhost/x?password=secret",
                "postgresql://a@localhost/x?study=y&%70assword=secret",
                "postgresql://a:se?cret@localhost/x?study=y",
                "postgresql://a:#secret@localhost/x?study=y",
                "postgresql://a@localhost/x?study=y&sslpassword=secret",
                "host=localhost dbname=x password=secret"):
        c.run("study", "list", url, code=1)
        expect("~/.pgpass" in c.said, f"{url} was not refused")
        expect("cret" not in c.said, "a password was printed")


def test_term(c, soak):
    """A worker that is told to end hands its trial back at once."""
    evaluator = c.evaluator(30)
    name = c.begin(*c.settings(evaluator, 1, 8))
    first = c.worker(name, evaluator, "h1", "--lease", "600")
    end = time.monotonic() + 60
    while not c.evaluations():
        expect(time.monotonic() < end, "nothing begins")
        time.sleep(0.02)
    first.terminate()
    expect(first.wait(60) == 130, "exit code after SIGTERM")
    c.workers = []
    code, out, _ = c.sql("SELECT count(*) FROM sepx.claim WHERE worker IS NULL"
                         " AND study = (SELECT max(id) FROM sepx.study)")
    expect(out == "1", "the trial was not handed back")
    c.evaluator(0)
    c.run("study", "work", name, "--eval", evaluator, "-q", "--new-files",
          "--lease", "600")
    expect(c.told(name) == 1, "nobody took it")


def test_term_done(c, soak):
    """What is done is told, though the worker is stopped while it waits."""
    evaluator = c.evaluator(0.5)
    name = c.begin(*c.settings(evaluator, 1, 8))
    worker = c.worker(name, evaluator, "h1", "--lease", "600")
    end = time.monotonic() + 60
    while not c.evaluations():
        expect(time.monotonic() < end, "nothing begins")
        time.sleep(0.02)
    other = subprocess.Popen([c.pg_bin() + "/psql", "-X", "-q", c.url],
                             stdin=subprocess.PIPE, text=True,
                             stdout=subprocess.DEVNULL)
    other.stdin.write("BEGIN; SELECT * FROM sepx.head FOR UPDATE;\n")
    other.stdin.flush()
    time.sleep(2)
    expect(c.told(name) == 0, "it was told without the lock")
    worker.terminate()
    time.sleep(0.3)
    other.communicate("COMMIT;\n")
    expect(worker.wait(60) in (0, 130), "exit code after SIGTERM")
    c.workers = []
    expect(c.told(name) == 1, "a result was thrown away")


def descendants(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        for child in map(int, file.read().split()):
            yield child
            yield from descendants(child)


def test_preempted(c, soak):
    """A batch system ends worker and evaluators with the same signal."""
    evaluator = c.evaluator(30)
    # Who runs this under nohup hands "ignored" down to all workers.
    before_us = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        name = c.begin(*c.settings(evaluator, 6, 8))
        before = c.evaluations()
        worker = c.worker(name, evaluator, "h1", "--lease", "600",
                          "--workers", "3")
        end = time.monotonic() + 60
        while c.evaluations() < before + 3:
            expect(time.monotonic() < end, "nothing begins")
            time.sleep(0.02)
        # Once from the step and once from srun; only Ctrl-C twice is another
        # wish.
        again = [worker.pid] if number != signal.SIGINT else []
        for process in (worker.pid, *descendants(worker.pid), *again):
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass                # ended with one that came before it
        expect(worker.wait(60) == 130, f"exit code after {number}")
        c.workers = []
        expect(c.told(name) == 0, "what was ended counts as failed")
        code, out, _ = c.sql(
            "SELECT count(*) FROM sepx.claim WHERE worker IS NULL AND lost = 0"
            " AND study = (SELECT max(id) FROM sepx.study)")
        expect(out == "3", f"{out} of 3 trials were handed back")
    signal.signal(signal.SIGHUP, before_us)


def test_lost(c, soak):
    """A trial that three workers lost is lost, not failed."""
    evaluator = c.evaluator(60)
    name = c.begin(*c.settings(evaluator, 1, 8))
    for i in range(3):
        before = c.evaluations()
        process = c.worker(name, evaluator, f"h{i}", "--lease", "1")
        end = time.monotonic() + 60
        while c.evaluations() == before:
            expect(time.monotonic() < end, "nothing begins")
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    c.workers = []
    c.run("study", "work", name, "--eval", evaluator, "-q", "--lease", "1",
          code=69)
    expect('"lost":1' in c.run("study", "status", name, "--json"),
           "the trial is not lost")
    c.run("study", "verify", name)


def test_starting(c, soak):
    """A new worker waits for a server that is starting."""
    name = c.begin(*c.settings("target:optimum", 20, 8))
    port = int(name.split("/")[2].split(":")[1])
    proxy = Starting(port, 2)
    try:
        c.worker(name, "target:", "h",
                 url=name.replace(f":{port}/", f":{proxy.port}/"))
        c.finish(name, 30)
    finally:
        proxy.close()
    expect(c.told(name) == 20, "not all trials are told")
    expect(proxy.refused > 1, "it was let in at once")


def test_rows(c, soak):
    """Rows of workers and studies that make no sense."""
    name = c.begin(*c.settings("target:optimum", 20, 8))
    study = "(SELECT max(id) FROM sepx.study)"
    code, _, said = c.sql(
        "INSERT INTO sepx.worker(id, study, host, pid, slots, lease, told, "
        f"failed, worked, waited, seen) VALUES (7, {study}, 'h', 1, '', "
        "'NaN', 0, 0, 0, 0, now() - interval '2 minutes')")
    expect(code == 0, said)
    worker = json.loads(c.run("study", "status", name, "--json"))["workers"]
    expect(worker[0]["state"] == "late", f"it is {worker[0]}")
    code, _, said = c.sql(
        "INSERT INTO sepx.study(name, settings) VALUES (E'\\u001b[31m\\n', "
        "'{}')")
    expect(code == 0, said)
    out = subprocess.run([c.sepx, "study", "list", c.url],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env=c.environment).stdout
    expect(b"\x1b" not in out, "a name reaches the terminal as it is")
    expect(b"%1B[31m%0A" in out, f"where is it? {out[-300:]}")
    path = os.path.join(c.folder, "\x1b[31m\n.study")
    c.run("study", "copy", name, path)
    out = c.run("study", "list", c.folder)
    os.unlink(path)
    expect("\\u001b[31m\\u000a.study" in out, f"where is it? {out}")


def test_set_aside(c, soak):
    """A worker whose evaluations only fail; its trials go to others."""
    evaluator = c.evaluator(0.2)
    settings = c.settings(evaluator, 30, 12)
    export, _ = c.reference(*settings)
    name = c.begin(*settings)
    c.worker(name, evaluator, "good")
    c.wait_told(name, 2)
    # Only there the evaluator finds none of its programs.
    environment = c.environment
    c.environment = dict(environment, COUNT_FILE="/nowhere/x", PATH="/nowhere")
    bad = c.worker(name, evaluator, "bad", "--workers", "4", "--lease", "5")
    c.environment = environment
    code = bad.wait(120)
    c.workers.remove(bad)
    expect(code == 69, f"exit code {code} of the one set aside")
    c.finish(name)
    c.check(name, export)


def test_unstarted(c, soak):
    """A program that cannot be started, and no other worker; the study keeps
    its evaluator, because others may come."""
    evaluator = "shell:no-such-program"
    name = c.begin(*c.settings(evaluator, 30, 12))
    out = c.run("study", "work", name, "-q", "--eval", evaluator, code=69)
    expect("1 of 30: 1 failed" in out, out)
    expect("cannot be started" in c.said and "--retry-failed" in c.said and
           "begins anew" not in c.said, c.said)
    c.run("study", "run", name, "-q", "--eval", "target:optimum", code=2)
    expect("settings never change" in c.said, c.said)


def test_password(c, soak):
    """A worker that was in waits for a server that refuses it for a while."""
    evaluator = c.evaluator(0.5)
    settings = c.settings(evaluator, 8, 8)
    export, needed = c.reference(*settings)
    name = c.begin(*settings)
    begun = c.evaluations()
    passfile = os.path.join(c.folder, "copy.pgpass")

    def write(password):
        with open(passfile, "w") as file:
            file.write(f"*:*:*:sepx:{password}\n")
        os.chmod(passfile, 0o600)

    write(password_of(c.server, "owner"))
    start, rest = name.split("passfile=")
    c.worker(name, evaluator, "h1", url=f"{start}passfile={passfile}&" +
             rest.split("&")[1])
    c.wait_told(name, 1)
    write("wrong")
    c.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
          "application_name = 'sepx'")
    time.sleep(2)
    expect(c.workers[0].poll() is None, "the worker gave up")
    write(password_of(c.server, "owner"))
    c.finish(name)
    c.check(name, export)
    expect(c.evaluations() - begun == needed, "a result was lost")


def faulty(c, soak, fault, lease="6", evals=40, workers=5, proxy=None,
           behind=None, seconds=0.15, window=12):
    """Run a study with a fault at random moments; judge what is left. All
    workers are behind the proxy, or so many of them."""
    evaluator = c.evaluator(seconds)
    settings = c.settings(evaluator, evals, window)
    export, needed = c.reference(*settings)
    name = c.begin(*settings)
    url = name
    if proxy:
        url = name.replace(f":{proxy.target}/", f":{proxy.port}/")
    begun = c.evaluations()

    def spawn(i):
        return c.worker(name, evaluator, f"h{i}", "--lease", lease,
                        url=url if behind is None or i < behind else name)

    crew = [spawn(i) for i in range(workers)]
    c.wait_told(name, 2)
    time.sleep(c.random.uniform(0, 0.5))
    lost = fault(crew)
    for i, process in enumerate(crew):
        if process.poll() is not None:
            c.workers.remove(process)
            crew[i] = spawn(i)
    c.finish(name)
    c.check(name, export)
    made = c.evaluations() - begun
    expect(made >= needed, "results without evaluations")
    expect(made <= needed + lost,
           f"{made} evaluations, {needed} needed, {lost} lost under way")


def repeat(c, soak, kind):
    for i in range(soak or 1):
        kind()
        if soak:
            print(f"  {i + 1} of {soak}", flush=True)


def test_kill_one(c, soak):
    """kill -9 of a worker."""
    def fault(crew):
        os.killpg(c.random.choice(crew).pid, signal.SIGKILL)
        time.sleep(0.1)
        return 1
    repeat(c, soak, lambda: faulty(c, soak, fault))


def test_kill_all(c, soak):
    """kill -9 of all workers."""
    def fault(crew):
        for process in crew:
            os.killpg(process.pid, signal.SIGKILL)
        for process in crew:
            process.wait()
        return len(crew)
    repeat(c, soak, lambda: faulty(c, soak, fault))


def test_quick(c, soak):
    """Quick evaluations are taken several at once; so many are lost."""
    def kill_one(crew):
        os.killpg(c.random.choice(crew).pid, signal.SIGKILL)
        time.sleep(0.1)
        return 32

    def kill_all(crew):
        for process in crew:
            os.killpg(process.pid, signal.SIGKILL)
        for process in crew:
            process.wait()
        return 32 * len(crew)

    def restart(crew):
        # Without a wait for the disk: some results, or all of them.
        c.restart()
        return 300

    for fault, lease in ((kill_one, "6"), (kill_all, "6"), (restart, "30")):
        repeat(c, soak, lambda: faulty(c, soak, fault, lease, evals=300,
                                       workers=3, seconds=0, window=64))


def test_stuck(c, soak):
    """What a worker took ahead behind a long evaluation goes to others."""
    path = os.path.join(c.folder, "evaluate.sh")
    free = os.path.join(c.folder, "free")  # the long one may end
    evaluator = c.evaluator(0)
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("sleep 0", 'if [ "$SEPX_TRIAL" = 120 ]; then '
                                f'until [ -e {free} ]; do sleep 0.1; done; '
                                'fi'))
    settings = c.settings(evaluator, 170, 64)
    open(free, "w").close()
    export, needed = c.reference(*settings)
    os.remove(free)
    name = c.begin(*settings)
    begun = c.evaluations()
    for i in range(2):
        c.worker(name, evaluator, f"h{i}")
    c.wait_told(name, 169)
    open(free, "w").close()
    c.finish(name)
    c.check(name, export)
    made = c.evaluations() - begun
    expect(made == needed, f"{made} evaluations, {needed} needed")


def test_restart(c, soak):
    """The server dies (immediate shutdown) and comes back."""
    def fault(crew):
        c.restart()
        return 0
    repeat(c, soak, lambda: faulty(c, soak, fault, lease="30"))


def with_proxy(c, fault, lease):
    port = int(c.url.split("localhost:")[1].split("/")[0])
    proxy = Proxy(port)
    try:
        faulty(c, False, lambda crew: fault(crew, proxy), lease=lease,
               proxy=proxy)
    finally:
        proxy.close()


def test_cut(c, soak):
    """All connections are cut, several times."""
    def fault(crew, proxy):
        for _ in range(3):
            proxy.cut()
            time.sleep(c.random.uniform(0, 0.4))
        return 0
    repeat(c, soak, lambda: with_proxy(c, fault, "30"))


def test_stall(c, soak):
    """Connections go quiet without a word, then go on or are cut."""
    def fault(crew, proxy):
        proxy.stalled.set()
        time.sleep(c.random.uniform(0.5, 2))
        if c.random.random() < 0.5:
            proxy.cut()
        proxy.stalled.clear()
        return 0
    repeat(c, soak, lambda: with_proxy(c, fault, "30"))


def test_silent(c, soak):
    """One worker's network goes silent for longer than its lease."""
    def one():
        proxy = Proxy(int(c.url.split("localhost:")[1].split("/")[0]))

        def fault(crew):
            proxy.stalled.set()
            time.sleep(c.random.uniform(7, 12))
            if c.random.random() < 0.5:
                proxy.cut()
            proxy.stalled.clear()
            return 2
        try:
            faulty(c, soak, fault, lease="4", evals=60, proxy=proxy, behind=1)
        finally:
            proxy.close()
    repeat(c, soak, one)


def test_stop(c, soak):
    """A worker is stopped for longer than its lease, and continued."""
    def fault(crew):
        victim = c.random.choice(crew)
        os.killpg(victim.pid, signal.SIGSTOP)
        time.sleep(9)
        os.killpg(victim.pid, signal.SIGCONT)
        return 1
    repeat(c, soak, lambda: faulty(c, soak, fault, lease="5", evals=60))


def set_clock(c, offset):
    code, _, said = c.sql(
        "CREATE OR REPLACE FUNCTION sepx.now() RETURNS timestamptz LANGUAGE "
        "sql VOLATILE AS 'SELECT pg_catalog.clock_timestamp() + "
        f"interval ''{offset}'''")
    expect(code == 0, said)


def test_clock(c, soak):
    """The server's clock jumps an hour, forward or back, and stays there."""
    def fault(crew):
        set_clock(c, c.random.choice(("1 hour", "-1 hour")))
        return 0

    def one():
        try:
            faulty(c, soak, fault, lease="20")
        finally:
            set_clock(c, "0 s")
    repeat(c, soak, one)


def test_disk(c, soak):
    """The server's disk is full for a while (root only: a small tmpfs)."""
    if os.getuid() != 0:
        raise Skipped("a small file system needs root")
    place = os.path.join(c.folder, "small")
    os.mkdir(place)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs",
                       place], stderr=subprocess.DEVNULL).returncode:
        raise Skipped("no tmpfs can be mounted here")
    old = c.server, c.url
    try:
        c.server = os.path.join(place, "server")
        c.url = c.run("server", "start", c.server).strip()
        filler = os.path.join(place, "filler")

        def fault(crew):
            try:
                with open(filler, "wb", buffering=0) as file:
                    while file.write(bytes(1 << 16)):
                        pass
            except OSError:
                pass
            c.sql("CREATE TABLE IF NOT EXISTS public.x AS SELECT repeat('x', "
                  "1000) FROM generate_series(1, 20000)")
            time.sleep(2)
            os.unlink(filler)
            time.sleep(0.5)
            # A server that could not write its log has ended itself.
            c.run("server", "start", c.server)
            c.sql("DROP TABLE IF EXISTS public.x")
            return 0
        repeat(c, soak, lambda: faulty(c, soak, fault, lease="60"))
    finally:
        subprocess.run([c.sepx, "server", "stop", c.server],
                       stderr=subprocess.DEVNULL)
        subprocess.run(["umount", "-l", place])
        c.server, c.url = old


def test_hosts(c, soak):
    """Two hosts with addresses of their own (root: network namespaces)."""
    def ip(*words):
        return subprocess.run(["ip", *words], stderr=subprocess.DEVNULL
                              ).returncode == 0
    if os.getuid() != 0 or not shutil.which("ip"):
        raise Skipped("hosts need root and ip (iproute2)")
    tag = f"sx{os.getpid() % 10000}"
    net = f"10.{c.random.randrange(64, 250)}.{c.random.randrange(250)}"
    if not ip("link", "add", tag, "type", "bridge"):
        raise Skipped("no bridge between hosts can be made here")
    old = c.server, c.url
    try:
        ip("addr", "add", f"{net}.1/24", "dev", tag)
        ip("link", "set", tag, "up")
        for i in (2, 3):
            ip("netns", "add", f"{tag}-{i}")
            ip("link", "add", f"{tag}v{i}", "type", "veth", "peer", "name",
               "eth0", "netns", f"{tag}-{i}")
            ip("link", "set", f"{tag}v{i}", "master", tag, "up")
            ip("-n", f"{tag}-{i}", "addr", "add", f"{net}.{i}/24", "dev",
               "eth0")
            ip("-n", f"{tag}-{i}", "link", "set", "eth0", "up")
        c.server = os.path.join(c.folder, "lab")
        c.run("server", "start", c.server, "--listen", f"{net}.1")
        c.url = c.run("server", "url", c.server).strip()
        settings = c.settings(c.evaluator(0.1), 30, 12)
        export, _ = c.reference(*settings)
        name = c.begin(*settings)
        study = name.split("&study=")[1]
        url = c.run("server", "url", c.server, "--role", "worker").strip()
        crew = []
        for i in (2, 3, 2, 3):
            words = ["ip", "netns", "exec", f"{tag}-{i}", c.sepx, "study",
                     "work", f"{url}&study={study}", "-q", "--name",
                     f"host{i}", "--eval", "command:./evaluate.sh",
                     "--lease", "20"]
            crew.append(subprocess.Popen(words, env=c.environment,
                                         cwd=c.folder,
                                         stdout=subprocess.DEVNULL))
        c.wait_told(name, 4)
        code, out, said = c.sql(
            "SELECT DISTINCT client_addr FROM pg_stat_activity "
            "WHERE usename = 'worker' ORDER BY 1")
        expect(out.split() == [f"{net}.2", f"{net}.3"], out + said)
        ip("link", "set", f"{tag}v2", "down")   # one of them is cut off
        time.sleep(1)
        ip("link", "set", f"{tag}v2", "up")
        for process in crew:
            expect(process.wait(200) == 0, "a worker failed")
        c.check(name, export)
        code, out, _ = c.sql("SELECT count(DISTINCT host) FROM sepx.worker")
        expect(out == "2", "not both hosts worked")
    finally:
        subprocess.run([c.sepx, "server", "stop", c.server],
                       stderr=subprocess.DEVNULL)
        for i in (2, 3):
            ip("netns", "del", f"{tag}-{i}")
        ip("link", "del", tag)
        c.server, c.url = old


FAULTS = [test_kill_one, test_kill_all, test_quick, test_restart, test_cut,
          test_stall, test_silent, test_stop, test_clock, test_disk,
          test_hosts]
SHORT = [test_server, test_first_run, test_same, test_async, test_copy,
         test_repair, test_errors, test_page, test_trust, test_term,
         test_term_done, test_preempted, test_lost, test_set_aside,
         test_unstarted, test_password, test_stuck, test_starting, test_rows, *FAULTS]
SOAK = [test_server, test_same, *FAULTS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sepx")
    parser.add_argument("--soak", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    if not Cluster.pg_bin():
        print("SKIP: cluster: no PostgreSQL; install the package postgresql")
        return 77
    version = subprocess.run([given.sepx, "--version"], text=True,
                             stdout=subprocess.PIPE).stdout
    if "libpq" not in version:
        print("SKIP: cluster: this build has no libpq")
        return 77
    print(f"seed {given.seed}", flush=True)
    c = Cluster(given.sepx, given.seed)
    passed = failed = skipped = 0
    try:
        for test in SOAK if given.soak else SHORT:
            name = test.__name__[5:]
            if given.only and name not in given.only.split(","):
                continue
            began = time.monotonic()
            try:
                test(c, given.soak)
                passed += 1
                print(f"ok    {name}  {time.monotonic() - began:.1f} s",
                      flush=True)
            except Skipped as why:
                skipped += 1
                print(f"SKIP: {why}", flush=True)
            except (Failure, subprocess.SubprocessError) as why:
                failed += 1
                print(f"FAIL  {name}: {why}", flush=True)
                for process in c.workers:
                    process.kill()
                    process.wait()
                c.workers = []
                with open(os.path.join(c.folder, "workers.log"), "a+") as log:
                    log.seek(0)
                    print("".join(log.readlines()[-15:]))
    finally:
        c.close()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
