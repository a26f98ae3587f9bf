# SPDX-License-Identifier: Apache-2.0
"""Studies: a search kept in a file, the same as that of 'sepx study'."""
import concurrent.futures
import functools
import json
import os
import tempfile
import threading
import time
import traceback
import warnings
import weakref
from typing import NamedTuple

from . import _core
from ._answers import left_out_text, make_answer
from ._errors import BusyError, Error, InvalidError, MissingError
from .graph import Graph
from .search import Trial, make_trial
from .space import Space, rule_rows

_SCORED, _UNFIT, _FAILED = 0, 1, 3  # enum sepx_outcome


class Unfit(Exception):
    """Raised by a function that scores graphs: this one can have no score,
    and trying again is no use."""


class FailingError(Error, RuntimeError):
    """Too many evaluations in a row failed, __cause__ being the last; or the
    program of the evaluator cannot be started."""


class Prediction(NamedTuple):
    """An expected score, one standard deviation to either side of it, how
    many scores the study has of the graph, and the first trial of them or
    None. live: they are of graphs that differ in dead nodes alone, which
    change no score of the study's evaluator."""

    score: float
    low: float
    high: float
    known: int
    trial: int | None
    live: bool


class Row:
    """A trial and what became of it.

    number, graph, operator, parents, fidelity; outcome ("scored", "unfit",
    "failed", ..., None while it is under way), value, test, cost, answer (a
    dict), errors (why it failed, or what is left out of the answer), seconds,
    cached: the trial whose result this is. numbers: of objectives and
    constraints, by name.
    """

    def __init__(self, parts, goals=()):
        self._graph = parts["graph"]
        self.number, self.operator = parts["trial"], parts["operator"]
        self.parents = tuple(parent for parent in (
            parts["parent1"], parts["parent2"]) if parent is not None)
        self.fidelity = parts["fidelity"]
        self.outcome = parts.get("outcome")
        self.value, self.test = parts.get("value"), parts.get("test")
        self.cost, self.cached = parts.get("cost"), parts.get("cached")
        answer = parts.get("answer")
        self.answer = json.loads(answer) if answer else None
        numbers = json.loads(parts.get("numbers") or "[]")
        self.numbers = dict(zip(goals, numbers))
        self.errors, self.slot = parts.get("errors"), parts.get("slot")
        self.seconds = parts.get("seconds")
        self.elapsed = parts.get("elapsed")

    @property
    def graph(self):
        """The graph of the trial."""
        return Graph.from_json(self._graph)

    def as_dict(self):
        """A row of a table."""
        row = {"trial": self.number, "operator": self.operator,
               "parent1": None, "parent2": None, "fidelity": self.fidelity,
               "outcome": self.outcome, "value": self.value,
               "test": self.test, "cost": self.cost, "cached": self.cached,
               "seconds": self.seconds, "elapsed": self.elapsed}
        row.update(zip(("parent1", "parent2"), self.parents))
        for key, value in (self.answer or {}).items():
            row.setdefault(key, value)
        row["graph"] = self._graph
        return row

    def __repr__(self):
        what = self.outcome if self.value is None else f"{self.value:g}"
        return f"<sepx.Row: trial {self.number}, {what}>"


_opening = threading.RLock()


def _renew_lock():
    global _opening
    _opening = threading.RLock()


os.register_at_fork(after_in_child=_renew_lock)


def _one_at_a_time(function):
    """Two threads that open one study get the same object."""
    @functools.wraps(function)
    def locked(*args, **settings):
        with _opening:
            return function(*args, **settings)
    return locked


class Study(_core.Study):
    """One search, kept in a file and continued after any interruption.

    path: a file, or a URL as in docs/cluster.md, for one process at a time;
    opened if it exists, else created; settings that are given again
    must be those of the study, but one in which no trial has a score begins
    anew with another evaluator. space: a sepx.Space, or what one is made of.
    method: as for sepx.Search, "sep" unless said. evaluator: a text for evaluators
    of the library ("target:optimum", "command:python3 train.py"), with which
    the program sepx can resume it; None if a function of yours scores graphs.
    objectives: several, such as ["error", "params"] or ["accuracy:max"], and
    where: constraints such as ["params<=1e6"]; the function then returns a
    dict with those members. maximize: larger scores are better. window: how
    many proposals may be ahead of the results that they see, and the most
    evaluations at once (8); the study is the same for any number of workers.
    asynchronous: results count as they come instead. repeats: evaluate isomorphic graphs again.
    write=False only looks at a study, also while another process runs it.
    A study that this process has open for writing is the same object again,
    until close() or the end of the outermost `with`.

    >>> import sepx
    >>> def edges(graph):
    ...     return len(graph.edges)
    >>> with sepx.Study("few.study", space="nb101", seed=1) as study:
    ...     study.optimize(edges, evals=200)
    ...     study.best.value < 7
    'complete'
    True
    """

    @_one_at_a_time
    def __new__(cls, path, space=None, method=None, evaluator=None, *,
                objectives=None, where=None, seed=None, maximize=None,
                window=None, asynchronous=None, repeats=None, rules=None,
                time_limit=None, write=True):
        path = os.fsdecode(path)
        settings = {
            "method": method, "evaluator": evaluator, "seed": seed,
            "objectives": _texts(objectives), "where": _texts(where),
            "maximize": maximize, "window": window,
            "asynchronous": asynchronous, "repeats": repeats,
            "time_limit": time_limit}
        self = _find_open(cls, path) if write else None
        if self is not None:
            self._refuse_while_running()
            self._compare(dict(settings, space=space), rules, write)
            return self
        try:
            self = super().__new__(cls, path, None, None, write)
        except MissingError:
            # On a server, the message says what is missing.
            if "://" in path and (space is None or not write):
                raise
        if self is not None:
            self._compare(dict(settings, space=space), rules, write)
            return self._set_up(path, write)
        if space is None or not write:
            raise MissingError(f"{path}: no such study; give a space to begin "
                               "one", path, remedy="give a space to begin one")
        preset, rows = rule_rows(rules)
        settings.update(
            eval=settings.pop("evaluator"), method=method or "sep", folder=os.getcwd(), rule=rows,
            rules=None if preset == "default" else preset,
            made_by=f"sepx {_core.version}")
        with _space_name(space) as name:
            self = super().__new__(cls, path, dict(settings, space=name),
                                   None, True)
        return self._set_up(path, True)

    def __init__(self, *_args, **_kwargs):
        """Empty: __new__ sets up a new object, or gives an open one."""

    def _set_up(self, path, write):
        self.path = self._path()
        self._place = path if "://" in path else os.path.abspath(path)
        self._asking = self._running = False
        self._entered = 0
        self._left_out = set()
        self._keep_settings()
        if write:
            _open[_identity(path)] = self
        return self

    def _keep_settings(self):
        self.settings = json.loads(self._settings())
        self._maximize = self._maximized()
        self.goals = self._goals()

    def _compare(self, given, rules, write):
        """Settings that are given again must be those of the study, except
        that one without any score begins anew with another evaluator."""
        there = json.loads(self._settings())
        if rules is not None:
            preset, rows = rule_rows(rules)
            given.update(rules=preset, rule=list(rows))
        there.update(rules=there.get("rules") or "default",
                     evaluator=there.get("eval"),
                     maximize=there["program"]["maximize"],
                     time_limit=there["program"]["time_limit"],
                     asynchronous=there["async"])
        anew = (write and given["evaluator"] not in (None, there["evaluator"])
                and self._is_blank())
        for key, value in given.items():
            was = there.get(key)
            if value is None or (key == "space" and self._has_space(value)):
                continue
            if anew and key in ("evaluator", "maximize", "time_limit"):
                continue
            if key in ("objectives", "where"):
                was = tuple(was or ())
            if key != "space" and was == value:
                continue
            raise InvalidError(
                f"{self._path()}: the study has {key} {was}, not {value}; "
                "settings never change, so leave it out or begin another "
                "study", self._path())
        if anew:
            self._asking = False
            self._renew(dict(given, folder=os.getcwd(),
                             made_by=f"sepx {_core.version}"))
            self._keep_settings()

    def _has_space(self, space):
        """Whether it is the study's: by its name, or by what it says."""
        source = space.source if isinstance(space, Space) else space
        if source == json.loads(self._settings())["space"]:
            return True
        try:
            return Space(source).to_json() == self._space()
        except Error:  # no space, or one that no file can express
            return False

    def __enter__(self):
        if not self._is_open():
            raise RuntimeError("the study is closed")
        self._entered += 1
        return self

    def __exit__(self, *_):
        self._entered -= 1
        if not self._entered:
            self.close()

    def __repr__(self):
        return f"sepx.Study({self.path!r})"

    @property
    def maximize(self):
        """Whether larger scores are better; of several objectives, of the
        first."""
        return self._maximize

    @property
    def space(self):
        """The space of the study."""
        text = self._space()
        return Space(json.loads(text) if text else self.settings["space"])

    # ---- evaluating ----

    def optimize(self, function=None, evals=None, *, workers=None,
                 executor=None, seconds=None, until=None, patience=0,
                 max_failures=10, count="trials", with_trial=False,
                 progress=None):
        """Evaluate until `evals` trials are made in all, those of earlier
        sessions included. Says why it ended: "complete", "reached" (`until`),
        "stalled" (`patience` evaluations without a new best), "time"
        (`seconds` in all sessions), "exhausted".

        function: of a graph (with_trial: of a sepx.Trial); returns a number,
        a dict with "score" and whatever else to keep, or a pair of a number
        and such a dict. If it raises, the trial failed; sepx.Unfit says that the graph can have no score. None:
        the study's own evaluator. workers: evaluations at once; executor:
        any concurrent.futures executor, "threads" or "processes". progress:
        called with each sepx.Row. Ctrl-C ends it; what was under way is
        evaluated again when it resumes.
        """
        plan = self._plan(evals, workers, executor, seconds, until, patience,
                          max_failures, count)
        self._refuse_while_running()
        self._running, self._asking = True, False
        try:
            end = self._evaluate_all(function, plan, executor, with_trial,
                                     progress)
        finally:
            self._running = False
        self._warn_if_unscored("function" if function else "evaluator")
        return end

    def _warn_if_unscored(self, mended):
        if self._trials(True, 0, 1):
            return
        failed = [row for row in self.trials
                  if row.outcome not in (None, "scored", "unfit")]
        if failed:
            what = ("1 evaluation" if len(failed) == 1 else
                    f"{len(failed)} evaluations in a row")
            last = failed[-1]
            why = [last.outcome, *(last.errors or "").splitlines()[-1:]]
            warnings.warn(
                f"{self.path}: {what} failed; the last, trial {last.number}: "
                f"{': '.join(why)}; mend the {mended}, then retry()",
                stacklevel=3)

    def _refuse_while_running(self):
        if self._running:
            raise BusyError(f"{self.path}: optimize() of this process works "
                            "with this study; wait until it ends, or look "
                            "with write=False", self.path)

    def _evaluate_all(self, function, plan, executor, with_trial, progress):
        if function is None:
            end, left_out = self._run(plan, _options(plan))
            if left_out:
                warnings.warn(f"{self.path}: {left_out}; the scores count, and"
                              " the errors of each trial name what its answer"
                              " lacks", stacklevel=3)
            return self._ended(end, None)
        self._begin(plan, _options(plan))
        try:
            with _pool(executor, plan["workers"]) as pool:
                return self._loop(function, pool, plan["workers"], with_trial,
                                  progress)
        finally:
            self._end()

    def _plan(self, evals, workers, executor, seconds, until, patience,
              max_failures, count):
        before = json.loads(self._options() or "{}")
        if evals is None:
            evals = before.get("evals")
        if evals is None:
            raise ValueError("evals is not said; how many trials in all?")
        if count not in ("trials", "evaluations"):
            raise ValueError("count is 'trials' or 'evaluations'")
        window = int(self.settings["window"])
        if workers is None:
            workers = getattr(executor, "_max_workers", None)
            workers = min(window, workers or (
                _core.processors() if isinstance(executor, str) else 1))
        if not 1 <= workers <= window:
            raise ValueError(f"{workers} workers need a window of at least "
                             f"{workers}, this study has {window}")
        return {"evals": evals, "workers": workers, "seconds": seconds or 0,
                "until": until, "patience": patience,
                "max_failures": max_failures,
                "count_evaluations": count == "evaluations"}

    def _loop(self, function, pool, workers, with_trial, progress):
        """Keep so many evaluations under way; tell them as they end."""
        running, last = {}, None
        try:
            while True:
                end = "open"
                while len(running) < workers:
                    end = self._ask()
                    if isinstance(end, str):
                        break
                    trial = make_trial(end[0], end[1], None, *end[2:])
                    future = pool.submit(_evaluate, function,
                                         trial if with_trial else trial.graph,
                                         self.goals)
                    running[future] = trial
                if not running:
                    return self._ended(end, last)
                for future in _first(running):
                    trial = running.pop(future)
                    last = self._take(trial, future, progress) or last
        except BaseException:
            for future in running:
                future.cancel()
            raise

    def _take(self, trial, future, progress):
        """The result of an evaluation to the log; what it failed with."""
        try:
            result = future.result()
        except Exception as error:  # the worker died, or cannot be reached
            result = _Result(_FAILED, None, repr(error), error)
        self._tell(trial.number, result.outcome, result.answer, result.errors,
                   result.seconds)
        self._warn(result.left_out, 6)
        if progress:
            progress(self.trial(trial.number))
        return result.raised

    def _warn(self, left_out, level):
        """Name each member that is left out of answers once."""
        new = {key: why for key, why in left_out.items()
               if key not in self._left_out}
        self._left_out.update(new)
        if new:
            warnings.warn(f"{self.path}: {left_out_text(new)}; the scores "
                          "count, and the errors of each trial name what its "
                          "answer lacks", stacklevel=level)

    def _ended(self, end, last):
        if end not in ("failing", "unstarted"):
            return end
        if last is None:
            what = ("the last evaluations in a row failed" if end == "failing"
                    else "the evaluator's program cannot be started")
            row = next(row for row in reversed(self.trials)
                       if row.outcome not in (None, "scored", "unfit"))
            raise FailingError(
                f"{what}: trial {row.number} "
                f"{row.outcome}, {' '.join((row.errors or '').split())}; mend the "
                "evaluator, then retry()", self.path,
                remedy="mend the evaluator, then retry()")
        raise FailingError(
            f"the last evaluations in a row failed: {last!r}; mend the "
            "function, then retry()", self.path,
            remedy="mend the function, then retry()") from last

    def ask(self):
        """The next trial, for a loop of your own; None if the study is at
        its end. sepx.BusyError if it needs the result of a trial that is
        under way."""
        self._refuse_while_running()
        if not self._asking:
            self._begin({"max_failures": 0}, None)
            self._asking = True
        row = self._ask()
        if row == "open":
            raise BusyError("the next trial needs the results of those that "
                            "are under way; tell one of them first")
        if isinstance(row, str):
            return None
        return make_trial(row[0], row[1], None, *row[2:])

    def tell(self, trial, score=None, *, errors=None, unfit=False,
             seconds=0.0):
        """The result of a trial: what optimize()'s function may return, or
        None if the evaluation failed, with `errors` saying why."""
        if not self._asking:
            raise RuntimeError("nothing is under way; ask first")
        number = trial.number if isinstance(trial, Trial) else trial
        if score is None:
            outcome, answer, left_out = _UNFIT if unfit else _FAILED, None, {}
        else:
            outcome = _SCORED
            answer, left_out = make_answer(score, self.goals)
        self._tell(number, outcome, answer, errors or left_out_text(left_out),
                   seconds)
        self._warn(left_out, 3)

    def retry(self):
        """Have every trial that failed evaluated again by what comes next;
        how many there are. Trials that ask() gave and that have no result
        are given again."""
        self._refuse_while_running()
        self._asking = False
        return super().retry()

    # ---- what was found ----

    def trial(self, number):
        """One trial."""
        rows = self._trials(False, number, 1)
        if not rows or rows[0]["trial"] != number:
            raise LookupError(f"{self.path}: there is no trial {number}")
        return Row(rows[0], self.goals)

    @property
    def trials(self):
        """All trials, in their order."""
        return [Row(parts, self.goals) for parts in
                self._trials(False, 0, _MOST)]

    @property
    def front(self):
        """With several objectives, the trials that none is better than, by
        the first objective, constraints obeyed; else the best alone."""
        if not self.goals:
            best = self.best
            return [] if best is None else [best]
        rows = self.trials
        return [rows[number] for number in self._front(len(rows))]

    @property
    def best(self):
        """The trial with the best score, the first of equals; or None. With
        objectives or constraints, the first of `front`: one that obeys the
        constraints."""
        if self.goals:
            return next(iter(self.front), None)
        rows = self._trials(True, 0, 1)
        return Row(rows[0], self.goals) if rows else None

    def predict(self, graphs):
        """What to expect of graphs that were not evaluated: a list of
        sepx.Prediction, by a model of all results of the study."""
        return [Prediction(*row) for row in self._predict(tuple(graphs))]

    def dataframe(self):
        """All trials as a pandas.DataFrame; members of answers are columns."""
        import pandas

        return pandas.DataFrame([row.as_dict() for row in self.trials])


_MOST = 2 ** 62

_open = weakref.WeakValueDictionary()  # open for writing, by _identity()


def _identity(path):
    """Of a study: the name on a server; of a file, None if it is missing."""
    if "://" in path:
        return path
    try:
        file = os.stat(path)
    except OSError:
        return None
    return file.st_dev, file.st_ino


def _find_open(cls, path):
    """The study that this process has open, however its path is written."""
    identity = _identity(path)
    found = _open.get(identity) if identity else None
    if (found is None or not found._is_open()
            or _identity(found._place) != identity):
        return None
    if not isinstance(found, cls):
        raise BusyError(f"{path}: this process has it open as an object of "
                        f"{type(found)!r}, not of {cls!r}; close() that one",
                        path)
    return found


def _texts(words):
    if words is None:
        return None
    return (words,) if isinstance(words, str) else tuple(words)


def _options(plan):
    """What 'sepx study run' remembers of a session."""
    return json.dumps({
        "evals": plan["evals"],
        "count": "evaluations" if plan["count_evaluations"] else "trials",
        "until": plan["until"], "patience": plan["patience"],
        "max_failures": plan["max_failures"], "seconds": plan["seconds"],
        "workers": plan["workers"], "slots": []})


class _space_name:
    """The name of a space as studies want it; a dict becomes a file for as
    long as the study is created, which keeps its text."""

    def __init__(self, space):
        self.source = space.source if isinstance(space, Space) else space
        self.folder = None

    def __enter__(self):
        if not isinstance(self.source, dict):
            return os.fspath(self.source)
        self.folder = tempfile.TemporaryDirectory()
        path = os.path.join(self.folder.name, "space.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.source, file)
        return path

    def __exit__(self, *_):
        if self.folder:
            self.folder.cleanup()


# ---- evaluations ----


class _Result(NamedTuple):
    """Of a call, anywhere."""

    outcome: int
    answer: str | None = None
    errors: str | None = None
    raised: Exception | None = None
    left_out: dict = {}
    seconds: float = 0.0


def _evaluate(function, what, goals):
    began = time.monotonic()
    try:
        answer, left_out = make_answer(function(what), goals)
        made = _Result(_SCORED, answer, left_out_text(left_out), None,
                       left_out)
    except Unfit as error:
        made = _Result(_UNFIT, None, str(error))
    except Exception as error:
        lines = traceback.format_exc().splitlines()[-20:]
        made = _Result(_FAILED, None, "\n".join(lines), error)
    return made._replace(seconds=time.monotonic() - began)


class _Inline(concurrent.futures.Executor):
    """Calls at once, in this thread: Ctrl-C reaches the function."""

    def submit(self, function, /, *args):
        future = concurrent.futures.Future()
        future.set_result(function(*args))
        return future


class _pool:
    """The executor that is meant; one of ours is shut down."""

    def __init__(self, executor, workers):
        self.mine, self.workers = True, workers
        if executor is None:
            executor = "threads" if workers > 1 else "inline"
        if isinstance(executor, str):
            makers = {"inline": lambda _: _Inline(),
                      "threads": concurrent.futures.ThreadPoolExecutor,
                      "processes": concurrent.futures.ProcessPoolExecutor}
            if executor not in makers:
                raise ValueError("executor is 'threads', 'processes' or an "
                                 "executor of concurrent.futures")
            executor = makers[executor](workers)
        else:
            self.mine = False
        self.executor = executor

    def __enter__(self):
        return self.executor

    def __exit__(self, kind, *_):
        if self.mine:
            self.executor.shutdown(wait=kind is None, cancel_futures=True)


def _first(running):
    """Those that are done, at least one."""
    done, _ = concurrent.futures.wait(
        running, return_when=concurrent.futures.FIRST_COMPLETED)
    return done
