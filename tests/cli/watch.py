#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The server of `sepx study watch`, without a browser: watch.py SEPX

Who may ask for what, documents of every kind, events while a study runs,
50 clients at once, hostile texts, studies that vanish or are replaced, and an
end within half a second.
"""
import atexit
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SEPX = os.path.abspath(sys.argv[1])
DOCUMENTS = ["summary", "history", "front", "gallery", "lineage", "map",
             "operators", "trials", "workers"]
HOSTILE = '<script>alert(1)</script>" \' & \u202e \x1b[31m </script>'
faults = []


def check(good, *words):
    if not good:
        faults.append(" ".join(map(str, words)))
        print("FAULT:", *words)


class Watch:
    """A server, and requests to it."""

    def __init__(self, folder, *names, listen=None):
        words = [SEPX, "study", "watch", *names]
        if listen:
            words += ["--listen", listen]
        self.process = subprocess.Popen(words, cwd=folder, text=True,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        atexit.register(self.process.kill)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.port = parts.port
        wildcard = parts.hostname in ("0.0.0.0", "::")
        self.at = "127.0.0.1" if wildcard else parts.hostname
        self.host = "127.0.0.1:%d" % (self.port or 0)
        self.token = self.url.rpartition("token=")[2]
        self.cookie = self.begin_session() if self.port else None

    def begin_session(self):
        """The cookie that a browser gets for the URL."""
        headers = self.ask("/?token=" + self.token, cookie=False)[1]
        return headers.get("Set-Cookie", "").partition(";")[0]

    def ask(self, path, method="GET", host=None, cookie=True):
        link = http.client.HTTPConnection(self.at, self.port, timeout=20)
        link.putrequest(method, path, skip_host=True)
        link.putheader("Host", self.host if host is None else host)
        if cookie:
            link.putheader("Cookie", self.cookie)
        link.endheaders()
        answer = link.getresponse()
        body = answer.read()
        link.close()
        return answer.status, dict(answer.getheaders()), body

    def document(self, path):
        status, _, body = self.ask("/api/" + path)
        check(status == 200, path, status, body[:200])
        return json.loads(body) if status == 200 else None

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        status = self.process.wait(20)
        check(status == 0, "exit status", status)


def sepx(folder, *words, code=0):
    done = subprocess.run([SEPX, *words], cwd=folder, capture_output=True,
                          text=True, timeout=120)
    check(done.returncode == code, words, done.returncode, done.stderr)
    return done.stdout


def test_doors(watch):
    status, headers, _ = watch.ask("/?token=" + watch.token, cookie=False)
    cookie = headers.get("Set-Cookie", "")
    check(status == 303 and headers["Location"] == "/", "token", status)
    check("HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie)
    check(watch.ask("/", cookie=False)[0] == 403, "no token")
    check(watch.ask("/?token=" + "0" * 32, cookie=False)[0] == 403, "wrong")
    for host in ("evil.example", "evil.example:%d" % watch.port, "",
                 "localhost.evil.example", "127.0.0.1.evil.example:80",
                 "127.0.0.1:80.evil.example", "localhost:80:80", "[::1",
                 "[::1]evil.example", ":80", "127.0.0.11", "0.0.0.0"):
        check(watch.ask("/", host=host)[0] == 421, "host", repr(host))
    # A tunnel ('ssh -L') has a port of its own.
    for host in ("localhost:%d" % watch.port, "127.0.0.1", "127.0.0.1:1",
                 "localhost", "LocalHost:8888", "[::1]:9", "[::1]"):
        check(watch.ask("/", host=host)[0] == 200, "host", host)
        check(watch.ask("/", host=host, cookie=False)[0] == 403, host)
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        check(watch.ask("/", method)[0] == 405, method)
    status, headers, body = watch.ask("/", "HEAD")
    check(status == 200 and not body, "HEAD", status, body)
    policy = headers["Content-Security-Policy"]
    check("default-src 'self'" in policy and "unsafe" not in policy, policy)
    check(headers["X-Content-Type-Options"] == "nosniff", headers)
    for path in ("/nothing", "/../etc/passwd", "/api/", "/api/nothing",
                 "/api/7/summary", "/api/0/trial?trial=99999999"):
        check(watch.ask(path)[0] == 404, path)


def test_documents(watch, trials):
    for name in DOCUMENTS:
        watch.document("0/" + name)
    check(watch.document("studies")[0]["told"] == trials, "told")
    check(len(watch.document("compare")["groups"]) == 1, "groups")
    rows = watch.document("0/trials?sort=value&count=5")["rows"]
    values = [row[3] for row in rows]
    check(values == sorted(values), "sorted", values)
    down = watch.document("0/trials?sort=value&down=1&count=5")["rows"]
    check(down[0][3] >= values[-1], "sorted downwards")
    check(watch.document("0/trials?find=17")["total"] == 1, "find a number")
    best = watch.document("0/summary")["best_trial"]
    trial = watch.document("0/trial?trial=%d" % best)
    check(trial["trial"] == best and trial["graph"]["nodes"], trial)
    for parent in trial["parents"]:
        check(str(parent["trial"]) in trial["graphs"], "graph of a parent")


def test_front(folder):
    """Several objectives: the front is that of `sepx study status`."""
    (folder / "two").write_text(
        "#!/bin/sh\nn=$(grep -o '\\[[0-9]*,[0-9]*' \"$SEPX_GRAPH\" | wc -l)\n"
        "c=$(grep -o conv3x3 \"$SEPX_GRAPH\" | wc -l)\n"
        "echo \"{\\\"size\\\": $((2 * n + 3 * c)), \\\"width\\\": "
        "$((n * c + c)), \\\"load\\\": $n}\"\n")
    (folder / "two").chmod(0o755)
    sepx(folder, "study", "run", "two.study", "-q", "-e", "command:./two",
         "--objective", "size,width:max", "--where", "load<=8", "-m",
         "sep:population=10,tournament=3", "--evals", "60")
    status = json.loads(sepx(folder, "study", "status", "--json", "two.study"))
    rows = [json.loads(line) for line in
            sepx(folder, "study", "export", "-f", "jsonl",
                 "two.study").splitlines()]
    watch = Watch(folder, "two.study")
    summary = watch.document("0/summary")
    check([o["name"] for o in summary["objectives"]] == ["size", "width"]
          and summary["numbers"] == ["size", "width", "load"]
          and summary["where"] == ["load<=8"], summary)
    points = watch.document("0/front")["points"]
    front = [p["trial"] for p in points if p["state"] == "front"]
    check(len(front) > 1 and front == status["front"], front, status["front"])
    own = [r for r in rows if r["value"] is not None and r["cached"] is None]
    check(sorted(p["trial"] for p in points) == [r["trial"] for r in own],
          "points of the front")
    for point in points:
        row = rows[point["trial"]]
        check(point["values"] == list(row["numbers"].values()), point, row)
        check((point["state"] == "barred") == (row["violation"] > 0), point)
    check(any(p["state"] == "barred" for p in points), "nothing is barred")
    allowed = [r["value"] for r in own if not r["violation"]]
    check(summary["best"] == min(allowed), "best", summary["best"])
    ranked = [e["trial"] for e in watch.document("0/gallery")]
    check(ranked[:len(front)] == front[:len(ranked)], "gallery", ranked)
    down = watch.document("0/trials?sort=number1&down=1&count=5")["rows"]
    check(down[0][11] == max(r["numbers"]["width"] for r in own), down[0])
    watch.end()


def test_history(watch):
    """Costs are added up over all trials."""
    points = watch.document("0/history")["points"]
    rows = watch.document("0/trials?count=500")["rows"]
    spent = [sum(row[5] for row in rows[:trial + 1])
             for trial in points["trial"]]
    check(points["spent"] == spent, "costs added up")


def listen_for_events(watch, count, heard):
    link = http.client.HTTPConnection("127.0.0.1", watch.port, timeout=30)
    link.request("GET", "/events", headers={"Cookie": watch.cookie})
    answer = link.getresponse()
    seen = []
    while len(seen) < count:
        line = answer.readline()
        if not line:
            break
        if line.startswith(b"data: "):
            seen.append(int(line[6:]))
    heard.append(seen)
    link.close()


def test_running(folder):
    """Events come while a study runs, to 50 clients at once."""
    (folder / "nap").write_text("#!/bin/sh\nsleep 0.05\nwc -c\n")
    (folder / "nap").chmod(0o755)
    words = [SEPX, "study", "run", "live.study", "-q", "--evals"]
    subprocess.run([*words, "5", "-e", "command:./nap", "--workers", "2"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    watch = Watch(folder, "live.study")
    study = subprocess.Popen([*words, "9999"], cwd=folder,
                             stdout=subprocess.DEVNULL)
    heard = []
    clients = [threading.Thread(target=listen_for_events,
                                args=(watch, 3, heard)) for _ in range(50)]
    for client in clients:
        client.start()
    for client in clients:
        client.join(60)
    check(len(heard) == 50, "clients that heard events:", len(heard))
    for seen in heard:
        check(len(seen) == 3 and sorted(set(seen)) == seen, "events", seen)
    end = time.monotonic() + 20
    while not watch.document("0/summary")["running"] and time.monotonic() < end:
        time.sleep(0.1)
    summary = watch.document("0/summary")
    check(summary["running"] and summary["told"] > 5, summary)
    check(summary["goal"] == 9999, "goal", summary["goal"])
    study.send_signal(signal.SIGKILL)
    study.wait()
    end = time.monotonic() + 20
    while watch.document("0/summary")["running"] and time.monotonic() < end:
        time.sleep(0.1)
    check(not watch.document("0/summary")["running"], "running after a kill")
    watch.end(signal.SIGTERM)


def test_hostile(folder):
    space = {"sepx-space": 1, "name": "hostile", "nodes": [2, 4],
             "labels": {"input": {"count": 1, "in": 0}, "output": {"count": 1, "out": 0},
                        HOSTILE.replace("\x1b", ""): {}},
             "acyclic": True}
    answer = {"score": 1, "why": HOSTILE, "long": "x" * 10000}
    (folder / "answer").write_text("#!/bin/sh\ncat >/dev/null\n"
                                   "echo '<b>' >&2\ncat answer.json\n")
    (folder / "answer").chmod(0o755)
    (folder / "answer.json").write_text(json.dumps(answer))
    (folder / "hostile.json").write_text(json.dumps(space))
    done = subprocess.run([SEPX, "study", "run", "h.study", "-q", "--space",
                           "hostile.json", "-e", "command:./answer",
                           "--evals", "6"], cwd=folder, capture_output=True,
                          text=True)
    if done.returncode:  # the language of spaces refuses such a label
        sepx(folder, "study", "run", "h.study", "-q", "-e",
             "command:./answer", "--evals", "6")
    watch = Watch(folder, "h.study")
    trial = watch.document("0/trial?trial=0")
    check(trial["answer"]["why"] == HOSTILE, trial["answer"]["why"])
    watch.end()
    page = sepx(folder, "study", "report", "h.study")
    inside = page.partition('id="documents">')[2].partition("</script>")[0]
    check("<" not in inside, "markup inside the data of a report")
    check(json.loads(inside)["0/trial?trial=0"]["answer"]["why"] == HOSTILE,
          "data of a report")


def test_crowd(folder):
    """Hundreds of connections without a token keep no client out."""
    watch = Watch(folder, "a.study")
    follower = socket.create_connection(("127.0.0.1", watch.port), 20)
    follower.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\nCookie: %s"
                     b"\r\n\r\n" % watch.cookie.encode())
    seen = b""
    while b"id: " not in seen and (piece := follower.recv(4096)):
        seen += piece
    check(b"id: " in seen, "the first event", seen)
    begun = (b"", b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nCoo",
             b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
             b"POST / HTTP/1.1\r\nHost: localhost\r\n"
             b"Content-Length: 99999\r\n\r\nabc")
    crowd = []
    for i in range(600):
        link = socket.create_connection(("127.0.0.1", watch.port), 20)
        crowd.append(link)
        try:
            link.sendall(begun[i % len(begun)])
        except OSError:
            pass  # it was ended for the next one
        if i % 100 == 99:
            check(watch.document("studies")[0]["told"] == 200, i)
    # Those that go on a byte at a time are not served before others.
    for link in crowd:
        try:
            link.sendall(b"x")
        except OSError:
            pass
    watch.document("0/gallery")
    # The client that waits for events is still there.
    follower.settimeout(0.2)
    try:
        check(follower.recv(4096) != b"", "events ended")
    except TimeoutError:
        pass
    for link in crowd:
        link.close()
    follower.close()
    watch.end()


def has_dual_stack():
    try:
        with socket.create_server(("::", 0), family=socket.AF_INET6,
                                  dualstack_ipv6=True) as server:
            socket.create_connection(("127.0.0.1",
                                      server.getsockname()[1]), 5).close()
    except (OSError, ValueError):
        return False
    return True


def test_addresses(folder):
    """At all addresses the token guards; at one of them its name is asked."""
    wildcards = ["0.0.0.0", "0.0.0.0:0"]
    if has_dual_stack():
        wildcards.append("[::]:0")
    for listen in wildcards:
        watch = Watch(folder, "a.study", listen=listen)
        for host in ("127.0.0.1:%d" % watch.port, "0.0.0.0:%d" % watch.port,
                     "node7.example.org:%d" % watch.port, "192.0.2.7:80",
                     "[2001:db8::1]:80", "localhost"):
            check(watch.ask("/", host=host)[0] == 200, listen, host)
            check(watch.ask("/", host=host, cookie=False)[0] == 403, listen,
                  host, "without the token")
        watch.end()
        said = watch.process.stderr.read()
        check("other machines" in said and "name of this one" in said, said)
    if has_dual_stack():
        # A browser asks for an address in the form of its own.
        watch = Watch(folder, "a.study", listen="[::ffff:127.0.0.1]:0")
        for host, status in (("[::ffff:7f00:1]:5", 200), ("[::1]", 200),
                             ("[::FFFF:7F00:1]", 200), ("[::2]", 421),
                             ("[::ffff:7f00:2]:5", 421), ("[]", 421)):
            check(watch.ask("/", host=host)[0] == status, host)
        watch.end()
    watch = Watch(folder, "a.study", listen="127.0.0.2")
    for host, status in (("127.0.0.2:5", 200), ("localhost:5", 200),
                         ("evil.example", 421)):
        check(watch.ask("/", host=host)[0] == status, host)
    watch.end()


def own_address():
    """An address of this machine that others can reach, or None."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.connect(("192.0.2.1", 9))  # this sends nothing
            address = link.getsockname()[0]
    except OSError:
        return None
    return None if address.startswith("127.") else address


def test_tunnels(folder):
    """Pages behind tunnels are all at localhost, with other ports."""
    address = own_address()
    if address:
        watch = Watch(folder, "a.study", listen=address + ":0")
        for host, status in (("localhost:5", 200), ("127.0.0.1:5", 200),
                             (address + ":5", 200), ("evil.example", 421)):
            check(watch.ask("/", host=host)[0] == status, address, host)
        watch.end()
    # Two servers with one port, as those of two machines.
    first = Watch(folder, "a.study", listen="127.0.0.2:0")
    second = Watch(folder, "a.study", listen="127.0.0.3:%d" % first.port)
    jar = dict(w.cookie.split("=") for w in (first, second))
    for watch in (first, second):
        watch.cookie = "; ".join("=".join(pair) for pair in jar.items())
        check(watch.ask("/")[0] == 200, "logged out by another server")
        watch.end()


def ask_socket(path, request, cookie=""):
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(path))
        link.sendall(("GET %s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n"
                      "Connection: close\r\n\r\n"
                      % (request, cookie)).encode())
        answer = b""
        while piece := link.recv(65536):
            answer += piece
    return answer


def test_socket(folder):
    watch = Watch(folder, "a.study", listen="unix:page.socket")
    path = folder / "page.socket"
    check(watch.url.startswith("unix:page.socket token="), watch.url)
    check(path.stat().st_mode & 0o077 == 0, "socket for others")
    answer = ask_socket(path, "/?token=" + watch.token)
    check(answer.startswith(b"HTTP/1.1 303"), answer[:100])
    cookie = answer.partition(b"Set-Cookie: ")[2].partition(b";")[0].decode()
    answer = ask_socket(path, "/api/studies", cookie)
    check(answer.startswith(b"HTTP/1.1 200"), answer[:100])
    watch.end()
    check(not path.exists(), "the socket is left behind")


def keep_asking(watch, ended, broken):
    """Requests of every kind for study 0; what is not an answer is noted."""
    paths = ["/api/studies", "/api/compare",
             *("/api/0/" + name for name in DOCUMENTS),
             "/api/0/trial?trial=5", "/api/0/trials?sort=value"]
    while not ended.is_set():
        for path in paths:
            try:
                status = watch.ask(path)[0]
            except OSError as error:
                broken.append((path, error))
                return
            if status not in (200, 404, 500):
                broken.append((path, status))


def wait_for_state(watch, wanted, about):
    """Wait until `wanted` holds for the first study in "studies"."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        studies = watch.document("studies")
        if not studies or wanted(studies[0]):
            break
        time.sleep(0.05)
    check(studies and wanted(studies[0]), about, studies)
    return studies


def vanish(path):
    for file in path.parent.glob(path.name + "*"):
        file.unlink()


def fill_with_noise(path):
    path.write_bytes(bytes(range(256)) * 64)


def cut(path):
    with open(path, "r+b") as file:
        file.truncate(path.stat().st_size // 2)


def empty(path):
    path.write_bytes(b"")


def test_unreadable(folder):
    """A study becomes unreadable during requests; the page outlives it."""
    shutil.copy(folder / "a.study", folder / "whole")
    sepx(folder, "study", "run", "short.study", "-q", "-e",
         "target:optimum", "-m", "random", "--evals", "7", "--seed", "1")
    victim = folder / "victim.study"
    shutil.copy(folder / "whole", victim)
    watch = Watch(folder, "victim.study", "a.study")
    ended, broken = threading.Event(), []
    clients = [threading.Thread(target=keep_asking,
                                args=(watch, ended, broken), daemon=True)
               for _ in range(3)]
    for client in clients:
        client.start()
    for damage in (vanish, fill_with_noise, cut, empty):
        damage(victim)
        studies = wait_for_state(watch, lambda s: s.get("fault"),
                                 damage.__name__)
        check("victim.study" in studies[0]["fault"], studies[0])
        check(studies[1]["told"] == 200, "the other study", studies[1])
        status, _, body = watch.ask("/api/0/summary")
        check(status == 500 and b"victim.study" in body, status, body)
        check(watch.ask("/api/1/gallery")[0] == 200, "the other gallery")
        groups = watch.document("compare")["groups"]
        check([g["studies"] for g in groups] == [[1]], "compared", groups)
        # Another study appears under the name, then the first one again.
        for source, told in (("short.study", 7), ("whole", 200)):
            vanish(victim)
            shutil.copy(folder / source, folder / "next")
            os.rename(folder / "next", victim)
            studies = wait_for_state(
                watch, lambda s, told=told: s.get("told") == told, source)
            method = "random" if told == 7 else "sep"
            check(studies[0]["settings"]["method"].startswith(method), studies)
            check(watch.document("0/trials")["total"] == told, "trials")
    # A younger copy of the same study lacks trials that were shown.
    sepx(folder, "study", "run", "young.study", "-q", "-e",
         "target:optimum", "-m", "sep:population=20,tournament=5", "--evals", "30", "--seed", "5")
    os.rename(folder / "young.study", victim)
    wait_for_state(watch, lambda s: s.get("told") == 30, "a younger copy")
    ended.set()
    for client in clients:
        client.join(60)
    check(not broken, "broken requests", broken[:5])
    watch.end()
    said = watch.process.stderr.read()
    check("victim.study" in said and "ERROR" not in said, said[-2000:])
    # One that cannot be read at the start does not hide the others.
    vanish(victim)
    watch = Watch(folder, "victim.study", "a.study")
    studies = watch.document("studies")
    check("victim.study" in studies[0]["fault"], studies[0])
    check(studies[1]["told"] == 200, "the other study", studies[1])
    for name in DOCUMENTS:
        check(watch.ask("/api/0/" + name)[0] == 500, name)
    shutil.copy(folder / "whole", victim)
    wait_for_state(watch, lambda s: s.get("told") == 200, "a late study")
    watch.end()


def test_mistakes(folder):
    for words, code in ((["a.study", "--listen", "nowhere"], 2),
                        (["a.study", "--listen", "127.0.0.1:99999"], 2),
                        (["missing.study"], 66)):
        done = subprocess.run([SEPX, "study", "watch", *words], cwd=folder,
                              capture_output=True, text=True, timeout=20)
        check(done.returncode in (code, 1), words, done.returncode)
        check(done.stderr.startswith("sepx study watch: "), done.stderr)


def main():
    features = subprocess.check_output([SEPX, "--version"], text=True)
    for part in ("microhttpd", "sqlite"):
        if part not in features:
            print("SKIP: this build has no", part)
            sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sepx(folder, "study", "run", "a.study", "-q", "-e",
             "target:optimum", "-m", "sep:population=20,tournament=5", "--evals", "200", "--seed", "5")
        watch = Watch(folder, "a.study")
        test_doors(watch)
        test_documents(watch, 200)
        test_history(watch)
        watch.end()
        test_front(folder)
        test_running(folder)
        test_hostile(folder)
        test_addresses(folder)
        test_crowd(folder)
        test_tunnels(folder)
        test_socket(folder)
        test_unreadable(folder)
        test_mistakes(folder)
    print("\n".join(faults) or "all answers are as they should be")
    sys.exit(bool(faults))


main()
