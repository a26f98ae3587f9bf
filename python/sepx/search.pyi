# SPDX-License-Identifier: Apache-2.0
import os
from typing import Any, NamedTuple, TypeVar

from . import _core
from ._core import Graph
from .space import Rules, Space

S = TypeVar("S", float, None)
methods: dict[str, str]

class Trial(NamedTuple):
    number: int
    graph: Graph
    operator: str | None = None
    parents: tuple[int, ...] = ()
    fidelity: float = 1.0

def make_trial(number: int, graph: Graph, operator: str | None,
               parents: tuple[int, int], fidelity: float) -> Trial: ...

class Search(_core.Search):
    space: Space
    method: str
    maximize: bool
    def __new__(cls, space: Space | str | os.PathLike[str] | dict[str, Any],
                method: str = "sep", seed: int = 0, maximize: bool = False,
                rules: Rules = None, run: int = 0) -> Search: ...
    def ask(self) -> Trial: ...
    def tell(self, trial: Trial | int, score: S) -> S: ...
