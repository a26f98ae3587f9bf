# SPDX-License-Identifier: Apache-2.0
"""Spaces, searches and studies; the program sepx reads the same files."""
import concurrent.futures
import enum
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import sepx
from scores import broken, details, score


def run(program, *words, check=True):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if check:
        assert done.returncode == 0, done.stderr
    return done.stdout


def export(program, path):
    return run(program, "study", "export", "--format", "jsonl", str(path))


# ---- spaces ----


def test_samples_are_those_of_the_program(program):
    lines = run(program, "sample", "-n", "20", "--space", "nb101", "--seed",
                "7").splitlines()
    mine = sepx.Space("nb101").sample(20, seed=7)
    assert [sepx.Graph.from_json(line) for line in lines] == mine
    assert sepx.Space("nb101").sample(seed=7) == mine[0]


def test_a_space_judges_and_changes_graphs(tmp_path):
    space = sepx.Space("nb101")
    graph = space.sample(seed=2)
    assert graph in space and space.check(graph) is None
    assert "input" in space.pinned
    with pytest.raises(TypeError):
        "none" in space
    bad = sepx.Graph(["input", "what"], [(0, 1)])
    assert bad not in space and space.check(bad)
    mutants = space.mutate(graph, 10, seed=3)
    assert all(mutant in space for mutant in mutants)
    assert mutants[0] == space.mutate(graph, seed=3)
    with pytest.raises(sepx.InvalidError, match="not a graph of the space"):
        space.mutate(bad)
    with pytest.raises(LookupError, match="did you mean|valid"):
        sepx.Space("nb102")
    with pytest.raises(sepx.Error):
        space.mutate(graph, rules={"order": "sideways"})
    again = pickle.loads(pickle.dumps(space))
    assert again.sample(seed=2) == graph
    path = tmp_path / "cells.json"
    path.write_text(space.to_json())
    assert sepx.Space(path).sample(seed=2) in space


def test_a_dict_is_a_space():
    space = sepx.Space(json.loads(sepx.Space("nb101").to_json()))
    assert space.sample(seed=4) in sepx.Space("nb101")
    assert pickle.loads(pickle.dumps(space)).explain() == space.explain()
    with pytest.raises(sepx.DataError):
        sepx.Space({"labels": 7})


def test_children_are_those_of_the_program(program, tmp_path):
    space = sepx.Space("nb101")
    a, b = space.sample(2, seed=3)
    for name, graph in (("a", a), ("b", b)):
        (tmp_path / name).write_text(graph.to_json())
    lines = run(program, "cross", "-n", "5", "--seed", "9", "--space",
                "nb101", str(tmp_path / "a"), str(tmp_path / "b")).splitlines()
    mine = [sepx.cross(a, b, space, seed=9, index=i) for i in range(5)]
    assert [sepx.Graph.from_json(line) for line in lines] == [
        child for child in mine if child is not None]
    child, how = sepx.cross(a, b, space, seed=9, explain=True)
    assert child == mine[0] and how.verdict == "accepted"
    assert how.distance == sepx.Ged(pinned=space.pinned)(a, b) == len(how.path)
    assert sum(how.taken) == -(-len(how.path) // 2)
    with pytest.raises(LookupError, match="sep"):
        sepx.cross(a, b, space, operator="sap")


# ---- searches ----


def test_a_search_repeats_itself():
    def play(seed):
        search, seen = sepx.Search("nb101", "sep:population=20", seed), []
        for _ in range(60):
            trial = search.ask()
            seen.append(trial.graph)
            search.tell(trial, score(trial.graph))
        return seen
    assert play(1) == play(1) != play(2)


def test_several_trials_may_be_under_way():
    search = sepx.Search("nb101", "random", maximize=True)
    first, second = search.ask(), search.ask()
    search.tell(second, 1.0)
    search.tell(first, None)
    with pytest.raises(ValueError, match="not under way"):
        search.tell(first, 1.0)
    assert search.ask().number == 2
    with pytest.raises(LookupError):
        sepx.Search("nb101", "sepp")
    assert "smac" in sepx.methods and "sep" in sepx.methods


# ---- studies ----


def test_workers_and_executors_do_not_matter(program, tmp_path):
    made = []
    with concurrent.futures.ThreadPoolExecutor(2) as own:
        for i, how in enumerate([
                {}, {"workers": 3}, {"executor": own},
                {"executor": "processes", "workers": 2}]):
            path = tmp_path / f"{i}.study"
            with sepx.Study(path, "nb101", seed=3) as study:
                assert study.optimize(score, evals=60, **how) == "complete"
                assert study.verify() == (60, 60)
            made.append(export(program, path))
            assert "60" in run(program, "study", "verify", str(path))
    assert made[0] and made.count(made[0]) == len(made)


def test_ask_and_tell_by_hand(program, tmp_path):
    loop, usual = tmp_path / "loop.study", tmp_path / "usual.study"
    with sepx.Study(usual, "nb101", seed=3, window=4) as study:
        study.optimize(details, evals=30)
    with sepx.Study(loop, "nb101", seed=3, window=4) as study:
        under_way = []
        while len(study.trials) < 30 or under_way:
            try:
                under_way.append(study.ask())
            except sepx.BusyError:
                pass
            if len(under_way) == 3 or len(study.trials) >= 30:
                trial = under_way.pop()
                study.tell(trial, details(trial.graph))
            elif len(under_way) < 3 and study.trials[-1].outcome is None:
                trial = under_way.pop(0)
                study.tell(trial.number, details(trial.graph))
        with pytest.raises(sepx.InvalidError, match="not under way"):
            study.tell(0, 1.0)
    ours, theirs = (export(program, path).splitlines()[:30]
                    for path in (loop, usual))
    assert ours == theirs


def test_what_was_found(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101", maximize=True) as study:
        assert study.best is None
        seen = []
        study.optimize(details, evals=25, progress=seen.append)
        assert len(seen) == 25 - sum(
            row.cached is not None for row in study.trials)
        best = study.best
        assert best.value == max(row.value for row in study.trials)
        assert best.answer["nodes"] == len(best.graph)
        assert score(best.graph) == best.value
        assert study.trial(best.number).graph == best.graph
        assert best.graph in study.space
        with pytest.raises(LookupError):
            study.trial(1000)
        pandas = pytest.importorskip("pandas")
        frame = study.dataframe()
        assert isinstance(frame, pandas.DataFrame)
        assert frame["value"].max() == best.value and "nodes" in frame


def test_scores_can_be_predicted(tmp_path):
    space = sepx.Space("nb101")
    with sepx.Study(tmp_path / "a", "nb101", maximize=True) as study:
        with pytest.raises(LookupError):
            study.predict([space.sample()])
        study.optimize(score, evals=60)
        rows = study.predict([row.graph for row in study.trials[:20]])
        assert all(row.known and row.low <= row.score <= row.high
                   for row in rows)
        new = study.predict(space.sample(30, seed=9))
        assert all(0 < row.score < 20 for row in new)
        with pytest.raises(sepx.InvalidError):
            study.predict([sepx.Graph(["input"])])


@pytest.mark.parametrize("evaluator, live", [
    (None, False), ("target:optimum", False), ("target-pruned:optimum", True),
    ("surrogate:", True)])
def test_a_graph_is_known_by_what_changes_its_score(
        program, tmp_path, evaluator, live):
    """Both graphs are known if dead nodes change no score."""
    one, two = (sepx.Graph(["input", "conv3x3-bn-relu", dead, "output"],
                           [(0, 1), (0, 2), (1, 3)])
                for dead in ("maxpool3x3", "conv1x1-bn-relu"))
    assert one.live("nb101") == two.live("nb101")
    with sepx.Study(tmp_path / "a", "nb101", evaluator=evaluator) as study:
        study.optimize(score, evals=20)
        (tmp_path / "one").write_text(one.to_json())
    run(program, "study", "add", str(tmp_path / "a"), str(tmp_path / "one"))
    with sepx.Study(tmp_path / "a") as study:
        study.optimize(score, evals=30)
        assert study.trial(20).graph == one
        assert [row[3:] for row in study.predict([one, two])] == [
            (1, 20, False), (1, 20, True) if live else (0, None, False)]


def test_several_objectives(program, tmp_path):
    path = tmp_path / "two.study"

    def two(graph):
        return {"size": len(graph), "width": -len(graph.edges),
                "pools": graph.nodes.count("maxpool3x3")}
    with sepx.Study(path, "nb101", objectives=["size", "width"],
                    where=["pools<=1"], seed=2) as study:
        assert study.front == []
        study.optimize(two, evals=80)
        rows, front = study.trials, study.front
        assert study.verify() == (80, 80)
    allowed = [row.numbers for row in rows if row.numbers["pools"] <= 1]
    assert [two(row.graph) == row.numbers for row in rows].count(False) == 0

    def better(a, b):
        return (a != b and a["size"] <= b["size"] and a["width"] <= b["width"]
                and (a["size"], a["width"]) != (b["size"], b["width"]))
    least = {(n["size"], n["width"]) for n in allowed
             if not any(better(m, n) for m in allowed)}
    assert {(row.numbers["size"], row.numbers["width"])
            for row in front} == least and len(front) == len(least)
    run(program, "study", "verify", str(path))
    with pytest.raises(sepx.Error):
        sepx.Study(tmp_path / "no", "nb101", where=["pools"])


@pytest.mark.parametrize("objectives", [None, ["score"], ["score:max"],
                                        ["score:max", "nodes"]])
def test_the_best_trial_obeys_the_constraints(tmp_path, objectives):
    """The best scores are those of large cells or of small ones."""
    sign = -1 if objectives and ":max" in objectives[0] else 1
    limit = "score<=8" if sign < 0 else "score>=8"
    with sepx.Study(tmp_path / "a", "nb101", objectives=objectives,
                    where=[limit], seed=3) as study:
        assert study.best is None
        study.optimize(details, evals=60)
        scores = [row.numbers["score"] for row in study.trials]
        allowed = [value for value in scores if sign * value >= sign * 8]
        assert min(scores) < 8 < max(scores) and allowed
        best = study.best
        assert best.numbers["score"] == (max if sign < 0 else min)(allowed)
        assert best.number == study.front[0].number
    with sepx.Study(tmp_path / "b", "nb101", objectives=objectives,
                    where=["nodes>=9"], seed=3) as study:
        study.optimize(details, evals=10)
        assert study.best is None and study.front == []


def test_failures_are_kept_and_end_a_session(tmp_path):
    path = tmp_path / "a.study"
    with sepx.Study(path, "nb101") as study:
        with pytest.raises(sepx.FailingError) as raised:
            study.optimize(broken, evals=50, max_failures=3)
        assert isinstance(raised.value.__cause__, ZeroDivisionError)
        assert study.trials[0].outcome == "failed"
        assert "no luck" in study.trials[0].errors
        assert study.retry() == len(study.trials)
        assert study.optimize(score, evals=20) == "complete"
        assert all(row.outcome == "scored" for row in study.trials)

        def picky(graph):
            if len(graph) > 4:
                raise sepx.Unfit("too large")
            return float("nan") if len(graph) == 2 else 1
        study.optimize(picky, evals=40, max_failures=0)
        kinds = {row.outcome for row in study.trials[20:]}
        assert "unfit" in kinds
        assert study.verify() == (40, 40)


def test_rules_that_end_a_study(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101") as study:
        assert study.optimize(score, evals=500, until=9) == "reached"
        assert study.best.value <= 9
        assert study.optimize(lambda graph: 99, evals=500,
                              patience=5) == "stalled"
        assert study.optimize(score, evals=500, seconds=1e-6) == "time"
        with pytest.raises(ValueError, match="window of at least 9"):
            study.optimize(score, evals=1000, workers=9)
        with pytest.raises(ValueError, match="executor"):
            study.optimize(score, evals=1000, executor="fibres")


def test_studies_that_cannot_be(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such study"):
        sepx.Study(tmp_path / "none.study")
    with pytest.raises(sepx.Error, match="localhost|libpq"):
        sepx.Study("postgresql://localhost:1/none?study=a", "nb101")
    for name in ("host=localhost password=S3kret", "postgresql:/a:S3kret@b/c",
                 "postgresql://a:S3k?ret@b/c?study=d"):
        with pytest.raises(sepx.Error, match="pgpass") as raised:
            sepx.Study(name)
        assert "S3k" not in str(raised.value)
    bad = tmp_path / "bad.study"
    bad.write_text("hello")
    with pytest.raises(sepx.DataError) as raised:
        sepx.Study(bad)
    assert raised.value.file == str(bad)
    path = tmp_path / "a.study"
    study = sepx.Study(path, "nb101", seed=3)
    with pytest.raises(RuntimeError, match="ask first"):
        study.tell(0, 1.0)
    with pytest.raises(ValueError, match="evals is not said"):
        study.optimize(score)
    with pytest.raises(sepx.InvalidError, match="function of the program"):
        study.optimize(evals=5)
    study.close()
    study.close()
    with pytest.raises(RuntimeError, match="closed"):
        study.best
    for other in ({"space": "nbnlp"}, {"space": sepx.Space("nbnlp")},
                  {"method": "random"}, {"seed": 0}, {"maximize": True},
                  {"window": 9}, {"objectives": ["a"]}, {"where": ["a<1"]},
                  {"asynchronous": True}, {"time_limit": 3.0},
                  {"rules": "plain"},
                  {"rules": {"align": False}}):
        with pytest.raises(ValueError, match="settings never change"):
            sepx.Study(path, **other)
    sepx.Study(path, sepx.Space("nb101"), "sep", seed=3, maximize=False,
               window=8, objectives=[], rules="default").close()
    with pytest.raises(sepx.Error):
        sepx.Study(tmp_path / "b", "nb101", method="nothing")
    large = "tournament 9 is larger than population 5"
    for method in ("sep:population=5,tournament=9",
                   "model:population=5,tournament=9"):
        with pytest.raises(ValueError, match=large):
            sepx.Study(tmp_path / "b", "nb101", method=method)
        with pytest.raises(ValueError, match=large):
            sepx.Search("nb101", method)
    with pytest.raises(sepx.Error):
        sepx.Study(tmp_path / "b", "nb101", evaluator="target:nothing")


def test_another_evaluator_before_the_first_score(tmp_path):
    path = tmp_path / "a"
    with sepx.Study(path, "nb101", "random", "shell:exit 65") as study:
        study.optimize(evals=6)
        assert {row.outcome for row in study.trials} == {"unfit"}
    new = {"evaluator": "shell:wc -c", "maximize": True}
    with pytest.raises(ValueError, match="settings never change"):
        sepx.Study(path, write=False, **new)
    with pytest.raises(ValueError, match="the study has method random"):
        sepx.Study(path, method="sep", **new)
    with sepx.Study(path) as study:
        assert sepx.Study(path, **new) is study
        assert study.settings["eval"] == "shell:wc -c" and study.maximize
        assert study.trials == []
        study.optimize(evals=4)
        assert len(study.trials) == 4 and study.best.value > 0
    with pytest.raises(ValueError, match="the study has evaluator shell:wc"):
        sepx.Study(path, evaluator="shell:exit 65")


def test_another_evaluator_ends_what_was_asked(tmp_path):
    path = tmp_path / "a"
    with sepx.Study(path, "nb101", evaluator="shell:exit 65") as study:
        trial = study.ask()
        assert sepx.Study(path, evaluator="shell:wc -c") is study
        with pytest.raises(RuntimeError, match="ask first"):
            study.tell(trial, 1)
        study.tell(study.ask(), 2)
        assert study.best.value == 2 and study.verify() == (1, 1)


def test_failed_trials_can_be_asked_for_again(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101") as study:
        study.tell(study.ask(), errors="no")
        other = study.ask()
        assert study.retry() == 1
        with pytest.raises(RuntimeError, match="ask first"):
            study.tell(other, 1)
        assert {study.ask().number, study.ask().number} == {0, other.number}


def test_a_program_that_cannot_be_started(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101", "random",
                    "shell:no-such-program") as study:
        for evaluated in range(1, 3):
            with pytest.raises(sepx.FailingError, match="cannot be started: "
                               f"trial {evaluated - 1} failed, exit status 127"):
                study.optimize(evals=50, max_failures=0)
            assert len(study.trials) == evaluated
    with pytest.raises(sepx.MissingError, match="absent.py: no such file"):
        sepx.Study(tmp_path / "b", "nb101", "random",
                   "command:python3 absent.py")
    assert not (tmp_path / "b").exists()


def test_a_space_of_a_dict_or_file_is_known_again(tmp_path):
    parts = json.loads(sepx.Space("nb101").to_json())
    file = tmp_path / "cells.json"
    file.write_text(json.dumps(parts))
    sepx.Study(tmp_path / "a", parts).close()
    for same in (parts, sepx.Space(parts), file, str(file)):
        sepx.Study(tmp_path / "a", same).close()
    parts["nodes"].pop("maxpool3x3")
    with pytest.raises(ValueError, match="settings never change"):
        sepx.Study(tmp_path / "a", parts)


def test_answers_that_are_none(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101") as study:
        with pytest.raises(sepx.FailingError, match="no 'score', it has 'a'"):
            study.optimize(lambda graph: {"a": 1}, evals=30)
        trial = study.ask()
        with pytest.raises(ValueError, match="no 'score'"):
            study.tell(trial, {"a": 1})
        study.tell(trial, {"score": 1})
    with sepx.Study(tmp_path / "b", "nb101", objectives=["x", "y"]) as study:
        trial = study.ask()
        with pytest.raises(ValueError, match="no 'y'"):
            study.tell(trial, {"x": 1})
        with pytest.raises(TypeError, match="a dict with 'x', 'y'"):
            study.tell(trial, 1.0)
    with sepx.Study(tmp_path / "c", "nb101", evaluator="command:false") as bad:
        with pytest.raises(sepx.FailingError, match="exit status 1") as raised:
            bad.optimize(evals=30, max_failures=2)
        assert raised.value.file == str(tmp_path / "c")


class Number:
    """A number as those of numpy and torch."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)

    def item(self):
        return self.value

    def tolist(self):
        return self.value


NAN, INF = float("nan"), float("inf")


class Broken:
    """A value that cannot be converted, as a sparse tensor of torch."""

    def tolist(self):
        raise RuntimeError("no storage")


@pytest.mark.parametrize("beside, kept, left_out", [
    ({"loss": NAN}, {"loss": None}, "loss (NaN)"),
    ({"shape": (3, (4, INF)), "low": -INF}, {"shape": [3, [4, None]],
                                             "low": None},
     "shape (Infinity), low (-Infinity)"),
    ({"params": Number(5), "all": [Number(2.5), Number([1, 2])], 7: {8: True}},
     {"params": 5, "all": [2.5, [1, 2]], "7": {"8": True}}, None),
    ({"model": object(), "set": {1}, "bytes": b"1", "complex": 1j, "big": 2**70},
     {"model": None, "set": None, "bytes": None, "complex": None,
      "big": 2.0 ** 70},
     "model (object), set (set), bytes (bytes), complex (complex)"),
    ({"sparse": Broken(), "in": [1, Broken()]}, {"sparse": None, "in": [1, None]},
     "sparse (Broken), in (Broken)"),
    ({"text": "a\0b", "half": "\ud800", "\0": 1}, {"text": None, "half": None},
     "text (NUL or surrogate), half (NUL or surrogate), '\\x00' (NUL or "
     "surrogate)"),
    ({"test": NAN, "cost": "none"}, {"test": None, "cost": None},
     "test (NaN), cost (str)"),
    ({"test": None, "cost": None}, {"test": None, "cost": None}, None),
])
@pytest.mark.parametrize("pair", [False, True])
def test_the_score_counts_whatever_is_beside_it(tmp_path, beside, kept,
                                                left_out, pair):
    def function(graph):
        return (Number(0.5), beside) if pair else dict(beside, score=0.5)
    with sepx.Study(tmp_path / "a", "nb101") as study:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert study.optimize(function, evals=3) == "complete"
            study.tell(study.ask(), function(None))
        assert [str(one.message) for one in caught] == ([] if not left_out else [
            f"{tmp_path / 'a'}: left out: {left_out}; the scores count, and the "
            "errors of each trial name what its answer lacks"])
        assert all(one.filename == __file__ for one in caught)
        for row in study.trials:
            assert (row.outcome, row.value, row.test, row.cost) == (
                "scored", 0.5, 0.5, 1)
            assert row.answer == dict(kept, score=0.5)
            assert row.errors == (left_out and f"left out: {left_out}")
        assert study.verify() == (4, 4)


class Text(str, enum.Enum):
    """Names as some keep them."""

    SCORE = "score"
    SGD = "sgd"


def test_members_of_text_enumerations_are_texts(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101") as study:
        study.optimize(lambda graph: {Text.SCORE: 2, "by": Text.SGD,
                                      "all": {Text.SGD: 1}}, evals=1)
        assert study.trials[0].answer == {"score": 2, "by": "sgd",
                                          "all": {"sgd": 1}}


def test_lists_without_end_are_left_out(tmp_path):
    endless = []
    endless.append(endless)
    with sepx.Study(tmp_path / "a", "nb101") as study:
        with pytest.warns(UserWarning, match="endless .nested too deep."):
            study.optimize(lambda graph: (1, {"endless": endless}), evals=1)
        assert study.trials[0].value == 1


def test_each_member_is_named_once(tmp_path):
    count = 0

    def function(graph):
        nonlocal count
        count += 1
        return count, {"a": NAN, "b": NAN if count > 3 else 0}
    with sepx.Study(tmp_path / "a", "nb101") as study:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            study.optimize(function, evals=8)
    assert [str(one.message).split(";")[0] for one in caught] == [
        f"{tmp_path / 'a'}: left out: a (NaN)",
        f"{tmp_path / 'a'}: left out: b (NaN)"]


@pytest.mark.parametrize("score", [NAN, INF, None, "1", True, 1j, [1]])
def test_a_score_that_is_no_number_is_a_failure(tmp_path, score):
    with sepx.Study(tmp_path / "a", "nb101") as study:
        study.optimize(lambda graph: {"score": score}, evals=2)
        assert [row.outcome for row in study.trials] == ["failed", "failed"]
    with sepx.Study(tmp_path / "b", "nb101", objectives=["x", "y"]) as study:
        study.optimize(lambda graph: {"x": Number(2), "y": score}, evals=2)
        assert [row.outcome for row in study.trials] == ["failed", "failed"]


def test_numbers_of_numpy_are_numbers(tmp_path):
    numpy = pytest.importorskip("numpy")
    made = {"int": numpy.int64(5), "array": numpy.ones((2, 2)),
            "flag": numpy.bool_(True), "empty": numpy.array(2.5),
            "nan": numpy.float32("nan"), "long": numpy.longdouble(1.5)}
    for i, one in enumerate((numpy.float32(0.5), numpy.array(0.5),
                             numpy.array([0.5]), numpy.float64(0.5))):
        for way in (one, {"score": one}, (one, made)):
            with sepx.Study(tmp_path / "a", "nb101") as study:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    study.optimize(lambda graph: way, evals=1)
                row = study.trials[0]
                assert row.value == 0.5
                assert len(row.answer) == 1 or row.answer == {
                    "score": 0.5, "int": 5, "array": [[1, 1], [1, 1]],
                    "flag": True, "empty": 2.5, "nan": None, "long": 1.5}
            os.unlink(tmp_path / "a")


def test_a_masked_number_of_numpy_is_no_score(tmp_path):
    masked = pytest.importorskip("numpy").ma
    none = masked.array([1.0, 2.0], mask=True).mean()
    with sepx.Study(tmp_path / "a", "nb101") as study:
        for answer in none, {"score": none}, masked.array(0.5):
            study.tell(study.ask(), answer)
        assert [row.outcome for row in study.trials] == [
            "failed", "failed", "scored"]
        assert study.best.value == 0.5


def test_answers_of_programs_may_have_nan(tmp_path):
    program = """shell:echo '{"score": 2, "loss": NaN, "more": [1, -inf]}'"""
    with sepx.Study(tmp_path / "a", "nb101", evaluator=program) as study:
        with pytest.warns(UserWarning,
                          match="left out: loss .NaN., more .-inf."):
            study.optimize(evals=2)
        row = study.trials[1]
        assert row.value == 2 and row.errors.startswith("left out: loss")
        assert row.answer == {"score": 2, "loss": None, "more": [1, None]}
        assert study.verify() == (2, 2)


def test_one_writes_and_others_look(tmp_path):
    path = tmp_path / "a.study"
    with sepx.Study(path, "nb101") as study:
        study.optimize(score, evals=10)
        code = ("import sepx, sys\n"
                "study = sepx.Study(sys.argv[1], write=False)\n"
                "print(len(study.trials), study.best.value)\n"
                "try:\n    sepx.Study(sys.argv[1])\n"
                "except BlockingIOError as e: print('busy', e)\n")
        done = subprocess.run([sys.executable, "-c", code, str(path)],
                              capture_output=True, text=True, check=True)
        assert done.stdout.split()[0] == "10" and "busy" in done.stdout
        assert f"process {os.getpid()} runs this study" in done.stdout


# ---- opened again in one process ----


def test_an_open_study_is_the_same_object_again(tmp_path, monkeypatch):
    path = tmp_path / "a.study"
    study = sepx.Study(path, "nb101", seed=3)
    study.optimize(score, evals=5)
    trial = study.ask()
    (tmp_path / "link").symlink_to(path)
    os.link(path, tmp_path / "hard")
    monkeypatch.chdir(tmp_path)
    for name in (path, str(path), os.fsencode(path), "a.study", "./a.study",
                 "link", "hard", tmp_path / ".." / tmp_path.name / "a.study"):
        assert sepx.Study(name, "nb101", seed=3) is study
    study.tell(trial, 7)
    monkeypatch.chdir("/")
    assert sepx.Study(path).trial(5).value == 7
    with pytest.raises(ValueError, match="has seed 3, not 4; settings never"):
        sepx.Study(path, "nb101", seed=4)
    with sepx.Study(path, write=False) as look:
        assert look is not study and len(look.trials) == 6
    assert study.optimize(score, evals=8) == "complete"
    again = sepx.Study(path)
    again.close()
    with pytest.raises(RuntimeError, match="closed"):
        study.best
    with pytest.raises(RuntimeError, match="closed"):
        with study:
            pass
    new = sepx.Study(path)
    assert new is not study and len(new.trials) == 8
    del new
    gc.collect()
    with sepx.Study(path) as last:
        assert last.verify() == (8, 8)


def test_blocks_of_one_study_may_be_nested(tmp_path):
    with sepx.Study(tmp_path / "a", "nb101") as outer:
        with sepx.Study(tmp_path / "a") as inner:
            inner.optimize(score, evals=3)
        assert len(outer.trials) == 3
    with pytest.raises(RuntimeError, match="closed"):
        inner.trials


def test_the_error_of_a_deleted_study_names_the_rescued_one(tmp_path):
    path = tmp_path / "a"
    with sepx.Study(path, "nb101") as study:
        def function(graph):
            if path.exists():
                path.unlink()
            return 1
        with pytest.raises(OSError, match="saved as .*a.rescued, which can"):
            study.optimize(function, evals=5)
    assert sepx.Study(tmp_path / "a.rescued").trial(0).value == 1


def test_a_file_in_its_place_is_another_study(tmp_path):
    path = tmp_path / "a"
    first = sepx.Study(path, "nb101", seed=1)
    for file in list(tmp_path.iterdir()):
        file.rename(tmp_path / file.name.replace("a", "b", 1))
    with sepx.Study(path, "nb101", seed=2) as second:
        assert second is not first and second.settings["seed"] == 2
    with pytest.raises(sepx.BusyError):
        sepx.Study(tmp_path / "b")


@pytest.mark.parametrize("within", [False, True])
def test_a_study_at_work_is_busy(tmp_path, within):
    path, begun, go_on = tmp_path / "a", threading.Event(), threading.Event()

    def waiting(graph):
        begun.set()
        assert go_on.wait(60)
        return 1

    def refused(study):
        for call in (lambda: sepx.Study(path), study.ask, study.retry,
                     lambda: study.optimize(score, evals=3)):
            with pytest.raises(sepx.BusyError, match="optimize.. of this "
                               "process works with this study"):
                call()
    study = sepx.Study(path, "nb101")
    if within:
        study.optimize(lambda graph: refused(study) or 1, evals=2)
    else:
        worker = threading.Thread(target=study.optimize, args=(waiting, 2))
        worker.start()
        assert begun.wait(60)
        refused(study)
        go_on.set()
        worker.join()
    assert sepx.Study(path) is study
    assert [row.outcome for row in study.trials] == ["scored", "scored"]
    study.close()


def test_processes_of_a_pool_do_not_keep_a_study_locked(tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for evals in (10, 20):
            with sepx.Study(tmp_path / "a", "nb101", seed=1) as study:
                study.optimize(score, evals=evals, executor=pool, workers=2)
                assert len(study.trials) == evals


def test_a_study_may_be_subclassed(tmp_path):
    class Mine(sepx.Study):
        def __init__(self, *args, **settings):
            super().__init__(*args, **settings)
            self.mine = True
    with Mine(tmp_path / "a", "nb101", seed=1) as study:
        assert study.mine and Mine(tmp_path / "a") is study
        assert sepx.Study(tmp_path / "a") is study

    class Other(sepx.Study):
        pass
    with sepx.Study(tmp_path / "a"):
        with pytest.raises(sepx.BusyError, match="this process has it open "
                           "as an object of .*, not of .*Other.*; close"):
            Other(tmp_path / "a")


def test_an_end_without_a_score_warns(tmp_path):
    study = sepx.Study(tmp_path / "a", "nb101")
    with pytest.warns(UserWarning, match="a: 4 evaluations in a row failed; "
                      "the last, trial 3: failed: .*; mend the function, then "
                      r"retry\(\)") as caught:
        assert study.optimize(broken, evals=4) == "complete"
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study.optimize(score, evals=5)
    other = sepx.Study(tmp_path / "b", "nb101",
                       evaluator="shell:echo boo >&2; exit 9")
    with pytest.warns(UserWarning, match="b: 1 evaluation failed; the last, "
                      "trial 0: failed: .*boo; mend the evaluator"):
        other.optimize(evals=1)


def test_threads_that_open_a_study_share_it(tmp_path):
    for turn in range(5):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            studies = list(pool.map(
                lambda _: sepx.Study(tmp_path / f"{turn}", "nb101"),
                range(8)))
        assert len({id(study) for study in studies}) == 1
        studies[0].close()


def test_a_fork_leaves_the_study_alone(tmp_path):
    path = tmp_path / "a"
    study = sepx.Study(path, "nb101")
    study.optimize(score, evals=5)
    study.ask()
    pid = os.fork()
    if not pid:
        said = []
        for call in (lambda: study.trials, study.ask, lambda: sepx.Study(path)):
            try:
                call()
            except (RuntimeError, sepx.BusyError) as error:
                said.append(str(error))
        study.close()
        os._exit(0 if len(said) == 3 and "before a fork" in said[0] and
                 "before a fork" in said[1] and "runs this" in said[2] else 1)
    assert os.waitpid(pid, 0)[1] == 0
    study.tell(5, 3.0)
    assert study.optimize(score, evals=9) == "complete"
    assert study.verify() == (9, 9)
    study.close()


# ---- begun here, resumed there ----

KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
import scores, sepx
count = 0
def dying(graph):
    global count
    count += 1
    if count == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return scores.details(graph)
with sepx.Study({path!r}, "nb101", evaluator={evaluator!r}, seed=5) as study:
    print("begun", flush=True)
    study.optimize({function}, evals=10 ** 6, workers=2)
"""
TRAIN = """import json, sys
sys.path[:0] = {places!r}
import scores, sepx
graph = sepx.Graph.from_json(sys.stdin.read())
print(json.dumps(scores.details(graph)))
"""


def interrupted(program, path, evaluator, function, more):
    """Python, killed; the program for some more; Python to the end."""
    code = KILLED.format(tests=os.path.dirname(__file__), path=str(path),
                         evaluator=evaluator,
                         function="dying" if function else "None")
    with subprocess.Popen([sys.executable, "-c", code], text=True,
                          stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == "begun\n"
        if not function:
            time.sleep(0.05)
            child.kill()
        assert child.wait() == -signal.SIGKILL
    with sepx.Study(path, write=False) as study:
        made = len(study.trials)
    run(program, "study", "run", "--quiet", "--evals", str(made + more),
        str(path))
    with sepx.Study(path) as study:
        study.optimize(function, evals=made + 2 * more)
        assert study.verify() == (made + 2 * more, made + 2 * more)
    run(program, "study", "verify", str(path))
    return made + 2 * more


def test_killed_and_resumed_with_a_program(program, tmp_path):
    """The function and the program give the same answers."""
    train = tmp_path / "train.py"
    places = [os.path.dirname(__file__),
              os.path.dirname(os.path.dirname(sepx.__file__))]
    train.write_text(TRAIN.format(places=places))
    evaluator = f"command:{sys.executable} -SB {train}"
    whole, parts = tmp_path / "whole.study", tmp_path / "parts.study"
    made = interrupted(program, parts, evaluator, details, 15)
    with sepx.Study(whole, "nb101", evaluator=evaluator, seed=5) as study:
        study.optimize(details, evals=made)
    assert export(program, parts) == export(program, whole)


def test_killed_and_resumed_with_an_evaluator(program, tmp_path):
    whole, parts = tmp_path / "whole.study", tmp_path / "parts.study"
    made = interrupted(program, parts, "target:optimum", None, 300)
    run(program, "study", "run", "--quiet", str(whole), "--space", "nb101",
        "--eval", "target:optimum", "--method", "sep", "--seed", "5",
        "--evals", str(made))
    assert export(program, parts) == export(program, whole)


def test_ctrl_c_leaves_a_study_that_goes_on(tmp_path):
    path = tmp_path / "a.study"
    code = ("import sepx, sys, time\n"
            "def slow(graph):\n    print('x', flush=True)\n"
            "    time.sleep(0.05)\n    return len(graph.edges)\n"
            "with sepx.Study(sys.argv[1], 'nb101') as study:\n"
            "    try:\n        study.optimize(slow, evals=10000, workers=2)\n"
            "    except KeyboardInterrupt:\n        print('stopped')\n")
    with subprocess.Popen([sys.executable, "-c", code, str(path)], text=True,
                          stdout=subprocess.PIPE) as child:
        for _ in range(5):
            child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert "stopped" in child.stdout.read()
        assert child.wait() == 0
    with sepx.Study(path) as study:
        done = len(study.trials)
        assert study.optimize(score, evals=done + 5) == "complete"
        assert study.verify() == (done + 5, done + 5)
