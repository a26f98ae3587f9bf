#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports of a study, read by others: tests/study/export.py SEPX

CSV by Python's reader, GraphML by its XML parser and by sepx, the event file
of TensorBoard record by record with its checksums, and the journal by Optuna
if it is installed.
"""
import csv
import io
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SEPX = os.path.abspath(sys.argv[1])
EVALUATOR = ("shell:n=$(wc -c < $SEPX_GRAPH); test $((SEPX_TRIAL % 9)) = 8 && "
             "exit 1; echo \"{\\\"score\\\": $n.5, \\\"test\\\": $n, "
             "\\\"size\\\": $n, \\\"host\\\": \\\"a,b\\\"}\"")

LOAD = """
import json, sys, warnings
warnings.simplefilter("ignore")
import optuna
optuna.logging.disable_default_handler()
storage = optuna.storages.JournalStorage(
    optuna.storages.JournalFileStorage(sys.argv[1]))
study = optuna.load_study(study_name="x", storage=storage)
print(json.dumps({
    "directions": [d.name for d in study.directions],
    "trials": [{"number": t.number, "state": t.state.name, "values": t.values,
                "params": t.params, "graph": t.user_attrs["graph"],
                "operator": t.user_attrs["operator"]}
               for t in study.trials]}))
"""


def sepx(*words, binary=False):
    out = subprocess.run([SEPX, *words], stdout=subprocess.PIPE,
                         check=True).stdout
    return out if binary else out.decode()


def crc32c(data):
    total = 0xFFFFFFFF
    for byte in data:
        total ^= byte
        for _ in range(8):
            total = total >> 1 ^ (0x82F63B78 if total & 1 else 0)
    return total ^ 0xFFFFFFFF


def masked(data):
    total = crc32c(data)
    return ((total >> 15 | total << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    at = 0
    while at < len(data):
        length, check = struct.unpack_from("<QI", data, at)
        assert check == masked(data[at:at + 8])
        body = data[at + 12:at + 12 + length]
        at += 12 + length
        assert struct.unpack_from("<I", data, at)[0] == masked(body)
        at += 4
        yield body


def fields(data):
    """(number, value) of a protocol buffer."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        size = {1: 8, 5: 4}.get(tag & 7)
        if tag & 7 == 0:
            yield tag >> 3, varint()
            continue
        if size is None:
            assert tag & 7 == 2
            size = varint()
        yield tag >> 3, data[at:at + size]
        at += size


def check_events(rows):
    events = list(records(sepx("study", "export", "-f", "tensorboard",
                               "x.study", binary=True)))
    assert dict(fields(events[0]))[3] == b"brain.Event:2"
    assert len(events) == 1 + len(rows)
    best = float("inf")
    for event, row in zip(events[1:], rows):
        parts = dict(fields(event))
        assert parts.get(2, 0) == row["trial"]
        scalars = {}
        for number, value in fields(parts[5]):
            assert number == 1
            scalar = dict(fields(value))
            scalars[scalar[1].decode()] = struct.unpack("<f", scalar[2])[0]
        if row["value"] is None:
            assert "value" not in scalars
        else:
            best = min(best, row["value"])
            assert scalars["value"] == row["value"]
            assert scalars["test"] == row["test"]
        assert scalars["best"] == best


def check_csv(rows):
    table = list(csv.DictReader(io.StringIO(sepx("study", "export",
                                                 "x.study"))))
    assert len(table) == len(rows)
    for line, row in zip(table, rows):
        answer = row["answer"] or {}
        assert line["answer.size"] == str(answer.get("size", ""))
        assert line["answer.host"] == answer.get("host", "")
        assert "answer.score" not in line
        assert json.loads(line["graph"]) == row["graph"]


def check_graphml(rows):
    text = sepx("study", "export", "-f", "graphml", "x.study")
    with open("family.graphml", "w") as file:
        file.write(text)
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = xml.etree.ElementTree.fromstring(text)
    nodes = list(root.iter(space + "node"))
    edges = list(root.iter(space + "edge"))
    assert len(nodes) == len(rows)
    assert len(edges) == sum((row["parent1"] is not None) +
                             (row["parent2"] is not None) for row in rows)
    graph = json.loads(sepx("convert", "family.graphml"))
    assert graph["nodes"] == [row["operator"] for row in rows]
    assert len(graph["edges"]) == len(edges)


def python_with_optuna():
    for name in [sys.executable, "/usr/bin/python3"]:
        if os.path.exists(name) and not subprocess.run(
                [name, "-c", "import optuna"], stderr=subprocess.DEVNULL
        ).returncode:
            return name
    return None


def check_optuna(rows):
    journal = sepx("study", "export", "-f", "optuna", "--times", "x.study")
    lines = [json.loads(line) for line in journal.splitlines()]
    assert lines[0]["op_code"] == 0 and len(lines) == 1 + len(rows)
    python = python_with_optuna()
    if not python:
        print("without Optuna: its journal is not loaded")
        return
    with open("x.log", "w") as file:
        file.write(journal)
    loaded = json.loads(subprocess.run(
        [python, "-c", LOAD, "x.log"], stdout=subprocess.PIPE,
        check=True).stdout)
    assert loaded["directions"] == ["MINIMIZE"]
    assert len(loaded["trials"]) == len(rows)
    for trial, row in zip(loaded["trials"], rows):
        assert trial["number"] == row["trial"]
        assert trial["operator"] == row["operator"]
        assert trial["graph"] == row["graph"]
        assert len(trial["params"]) == 6
        if row["outcome"] == "scored":
            assert trial["state"] == "COMPLETE"
            assert trial["values"] == [row["value"]]
        else:
            assert trial["state"] == "FAIL" and trial["values"] is None
    print(f"Optuna loads {len(rows)} trials")


def check_sql(rows):
    """The view and the queries of the documents, on a read-only file."""
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    page = (root / "docs" / "studies.md").read_text()
    block = re.search(r"```sql\n(.*?)```", page, re.S).group(1)
    base = sqlite3.connect("file:x.study?mode=ro", uri=True)
    base.executescript((root / "examples" / "trials.sql").read_text())
    values = base.execute("SELECT trial, outcome, value FROM trials "
                          "ORDER BY trial").fetchall()
    assert values == [(row["trial"], row["outcome"], row["value"])
                      for row in rows]
    queries = [part for part in block.split(";") if part.strip()]
    assert len(queries) == 5
    answers = [base.execute(query).fetchall() for query in queries]
    scores = [row["value"] for row in rows if row["value"] is not None]
    assert answers[0][0][2] == answers[1][0][2] == min(scores)
    assert answers[2][-1][1] == min(scores)
    base.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sepx("study", "run", "x.study", "--space", "nb201", "--eval",
             EVALUATOR, "--evals", "40", "--workers", "2", "--retries", "0",
             "--quiet")
        rows = [json.loads(line) for line in
                sepx("study", "export", "-f", "jsonl",
                     "x.study").splitlines()]
        assert len(rows) == 40
        assert any(row["outcome"] != "scored" for row in rows)
        check_csv(rows)
        check_graphml(rows)
        check_events(rows)
        check_optuna(rows)
        check_sql(rows)
        os.chdir("/")


main()
