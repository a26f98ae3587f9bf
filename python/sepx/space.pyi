# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, overload

from . import _core
from ._core import Graph
from .ged import Edit

Rules = str | Mapping[str, object] | None

def rule_rows(rules: Rules) -> tuple[str, tuple[str, ...]]: ...

class Space(_core.Space):
    source: str | os.PathLike[str] | dict[str, Any]
    def __new__(cls, source: str | os.PathLike[str] | dict[str, Any]
                ) -> Space: ...
    @classmethod
    def of(cls, graphs: Iterable[Graph], nodes: int | None = None) -> Space: ...
    def __contains__(self, graph: object) -> bool: ...
    @overload
    def sample(self, n: None = None, seed: int = 0) -> Graph: ...
    @overload
    def sample(self, n: int, seed: int = 0) -> list[Graph]: ...
    @overload
    def mutate(self, graph: Graph, n: None = None, seed: int = 0,
               rules: Rules = None) -> Graph: ...
    @overload
    def mutate(self, graph: Graph, n: int, seed: int = 0,
               rules: Rules = None) -> list[Graph]: ...

class Explanation:
    first: Graph
    second: Graph
    swapped: bool
    distance: float
    lower: float
    map: list[int | None]
    trials: int
    taken: list[bool]
    dropped: list[bool]
    verdict: str
    why: str
    path: list[Edit]

@overload
def cross(first: Graph, second: Graph, space: Space, operator: str = "sep",
          seed: int = 0, rules: Rules = None,
          explain: Literal[False] = False, index: int = 0
          ) -> Graph | None: ...
@overload
def cross(first: Graph, second: Graph, space: Space, operator: str = "sep",
          seed: int = 0, rules: Rules = None, *, explain: Literal[True],
          index: int = 0) -> tuple[Graph | None, Explanation]: ...
