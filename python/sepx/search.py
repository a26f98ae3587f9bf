# SPDX-License-Identifier: Apache-2.0
"""A search method at work: ask and tell."""
import math
from typing import NamedTuple

from . import _core
from .space import Space, rule_rows

methods = _core.methods


class Trial(NamedTuple):
    """A graph to evaluate: its number, where it comes from, and the share of
    a full evaluation to spend on it."""

    number: int
    graph: object
    operator: object = None
    parents: tuple = ()
    fidelity: float = 1.0


def make_trial(number, graph, operator, parents, fidelity):
    """A Trial of what C hands over: parents that are not there are -1."""
    return Trial(number, graph, operator,
                 tuple(parent for parent in parents if parent >= 0), fidelity)


class Search(_core.Search):
    """What to try next, in memory; sepx.Study keeps it in a file.

    method: "NAME" or "NAME:option=value,..."; sepx.methods lists them.
    The same seed, asks and tells give the same proposals. Several trials may
    be under way at once.

    >>> import sepx
    >>> space = sepx.Space("nb101")
    >>> target, ged = space.target("optimum"), sepx.Ged(pinned=space.pinned)
    >>> search = sepx.Search(space, method="sep", seed=1)
    >>> best = min(search.tell(trial, ged(trial.graph, target))
    ...            for trial in (search.ask() for _ in range(300)))
    >>> best < 6
    True
    """

    def __new__(cls, space, method="sep", seed=0, maximize=False, rules=None,
                run=0):
        if not isinstance(space, Space):
            space = Space(space)
        preset, rows = rule_rows(rules)
        self = super().__new__(cls, space, method, seed, run, preset, rows)
        self.space, self.method, self.maximize = space, method, maximize
        return self

    def ask(self):
        """The next trial. Never runs dry."""
        return make_trial(*self._ask())

    def tell(self, trial, score):
        """The score of a trial, None if its evaluation failed; returns it."""
        number = trial.number if isinstance(trial, Trial) else trial
        value = math.nan if score is None else float(score)
        self._tell(number, -value if self.maximize else value)
        return score
