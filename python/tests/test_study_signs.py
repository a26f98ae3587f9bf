# SPDX-License-Identifier: Apache-2.0
"""Scores have the sign that the evaluator uses, wherever they are shown."""
import json
import math
import subprocess
import sys
import types

import pytest

import sepx
from scores import score


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def accuracy(graph):
    """Positive, and larger is better."""
    return {"acc": score(graph), "size": len(graph)}


SETTINGS = [
    ({"maximize": True}, score),
    ({"objectives": ["acc:max"]}, accuracy),
    ({"objectives": ["-acc"]}, accuracy),
    ({"objectives": ["acc:max:3", "size"]}, accuracy),
    ({"objectives": ["acc:max"], "where": ["size<=7"]}, accuracy),
    ({"objectives": ["size:max", "acc"]},
     lambda graph: {"size": score(graph), "acc": 1}),
]


@pytest.mark.parametrize("settings, function", SETTINGS)
def test_maximised_scores_are_those_of_the_function(
        program, tmp_path, monkeypatch, settings, function):
    path = str(tmp_path / "a.study")
    frames = []
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(
        DataFrame=lambda rows: frames.append(rows)))
    seen = []
    with sepx.Study(path, "nb101", seed=2, **settings) as study:
        study.optimize(function, evals=60, progress=seen.append)
        assert study.maximize is True
        rows, best = study.trials, study.best
        assert [row.value for row in rows] == [score(row.graph)
                                               for row in rows]
        assert all(row.test == row.value for row in rows)
        assert all(row.value == score(row.graph) for row in seen)
        assert best.value == max(row.value for row in rows) > 0
        assert repr(best) == f"<sepx.Row: trial {best.number}, {best.value:g}>"
        assert study.trial(best.number).value == best.value
        study.dataframe()
        assert [row["value"] for row in frames[0]] == [row["test"] for row in
                frames[0]] == [row.value for row in rows]
        for row, made in zip(rows, study.predict([row.graph for row in rows])):
            assert made.low <= made.score <= made.high
            assert made.known and abs(made.score - row.value) < 5
        assert study.verify() == (60, 60)
    assert f"{best.value:.12g}" in run(program, "study", "best", path)
    status = json.loads(run(program, "study", "status", "--json", path))
    assert status["best"] == best.value
    assert f"{best.value:.12g}, trial {best.number}" in run(
        program, "study", "status", path)
    assert f"best {best.value:.8g}" in run(program, "study", "list",
                                           str(tmp_path))
    exported = [json.loads(line) for line in run(
        program, "study", "export", "--format", "jsonl", path).splitlines()]
    assert [row["value"] for row in exported] == [row.value for row in rows]
    trial = json.loads(run(program, "study", "trial", "--json", path,
                           str(best.number)))
    assert trial["value"] == trial["test"] == best.value
    lines = [json.loads(line) for line in run(
        program, "study", "lineage", "--json", path,
        str(best.number)).splitlines()]
    assert best.value in [line["value"] for line in lines]
    page = run(program, "study", "report", path)
    assert f'"best":{json.dumps(best.value).removesuffix(".0")},' in page
    graphs = tmp_path / "graphs.jsonl"
    graphs.write_text(best.graph.to_json() + "\n")
    made = json.loads(run(program, "study", "predict", "--json", path,
                          str(graphs)))
    assert made["low"] <= made["score"] <= made["high"] and made["score"] > 0


@pytest.mark.parametrize("settings, function", SETTINGS)
def test_until_is_a_value_of_the_function(program, tmp_path, settings,
                                          function):
    for wanted, end in ((-100, "reached"), (1000, "complete")):
        path = str(tmp_path / f"{wanted}.study")
        with sepx.Study(path, "nb101", seed=2, **settings) as study:
            assert study.optimize(function, evals=30, until=wanted) == end
            assert len(study.trials) == (8 if end == "reached" else 30)
        status = json.loads(run(program, "study", "status", "--json", path))
        assert status["options"]["until"] == wanted
        assert status["state"] == "finished"


def test_a_sign_does_not_change_the_course_of_a_search(tmp_path):
    def course(name, function, **settings):
        with sepx.Study(tmp_path / name, "nb101", "sep:population=20",
                        seed=4, **settings) as study:
            study.optimize(function, evals=80)
            return [row.graph.to_json() for row in study.trials]

    def loss(graph):
        return {"loss": -score(graph)}
    ways = [course("a", score, maximize=True),
            course("b", lambda graph: -score(graph))]
    assert ways[0] == ways[1]
    ways = [course("c", accuracy, objectives=["acc:max"]),
            course("d", loss, objectives=["loss"])]
    assert ways[0] == ways[1]


@pytest.fixture
def table(program, tmp_path):
    """A table of accuracies for 60 cells, and these cells."""
    graphs = sepx.Space("nb101").sample(60, seed=5)
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(
        json.dumps(dict(json.loads(graph.to_json()), acc=50 + score(graph)))
        + "\n" for graph in graphs))
    made = tmp_path / "acc.table"
    run(program, "data", "table", "--space", "nb101", str(rows), "--out",
        str(made))
    return made, graphs


def test_an_evaluator_that_maximises_by_itself(program, tmp_path, table):
    made, graphs = table
    path, added = str(tmp_path / "a.study"), tmp_path / "added.jsonl"
    added.write_text("".join(graph.to_json() + "\n" for graph in graphs))
    with sepx.Study(path, "nb101", "random",
                    f"table:{made},score=-acc") as study:
        study.ask()
        study.tell(0, 17.5)
        assert study.trial(0).value == 17.5 and study.maximize
    run(program, "study", "add", path, str(added))
    run(program, "study", "import", path, str(scored(tmp_path, 99.5)))
    run(program, "study", "run", path, "-q", "--evals", "60", "--max-failures",
        "0")
    values = [json.loads(line)["value"] for line in run(
        program, "study", "export", "--format", "jsonl", path).splitlines()]
    values = [value for value in values if value is not None]
    assert min(values) == 17.5 and max(values) == 99.5
    with sepx.Study(path) as study:
        assert study.best.value == 99.5
        assert study.best.graph == scored_graph()
    run(program, "study", "verify", path)


def scored_graph():
    return sepx.Space("nb101").sample(seed=77)


def scored(folder, value):
    path = folder / "known.jsonl"
    path.write_text(json.dumps({"graph": json.loads(scored_graph().to_json()),
                                "score": value}) + "\n")
    return path


def test_searches_report_the_sign_of_a_table(program, table):
    words = ["--space", "nb101", "--eval", f"table:{table[0]},score=acc:max",
             "--evals", "400", "--runs", "3"]
    answer = json.loads(run(program, "search", "--json", *words, "--method",
                            "random"))
    for one in answer["runs"]:
        curve = [value for value in one["curve"] if value is not None]
        assert one["best"] is None or one["best"] == max(curve) > 0
        assert curve == sorted(curve)
        assert curve == [value for value in one["test"] if value is not None]
    words[-1] = "1"
    answer = json.loads(run(program, "compare", "--json", *words, "random",
                            "mutation"))
    for method in answer["methods"]:
        at = method["at"][-1]
        if at["mean"] is not None:
            assert 0 < at["min"] <= at["q25"] <= at["median"] <= at["q75"]
            assert at["q75"] <= at["max"] and at["test"]["mean"] > 0
    goals = ["--objective", "acc:max:40", "--where", "acc>=0"]
    answer = json.loads(run(program, "compare", "--json", *words[:2], "--eval",
                            f"table:{table[0]}", *goals, *words[4:], "random",
                            "mutation"))
    for method in answer["methods"]:
        mean = method["at"][-1]["mean"]
        assert mean is None or math.isnan(mean) or mean >= 0


def test_the_page_mixes_no_directions(program, tmp_path):
    paths = [str(tmp_path / "up.study"), str(tmp_path / "down.study")]
    for path in paths:
        with sepx.Study(path, "nb101", maximize=path == paths[0]) as study:
            study.optimize(score, evals=10)
    page = run(program, "study", "report", *paths)
    assert '"studies":[0]' in page and '"studies":[1]' in page
