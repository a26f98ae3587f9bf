# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, overload

from . import _core
from ._core import Buffer, Graph, Prepared
from .graph import Drawing

Progress = bool | Callable[[int, int], object] | None
Graphs = Iterable[Graph] | Prepared

class Edit(NamedTuple):
    kind: str
    place: int | tuple[int, int]
    old: str | None
    new: str | None
    name: Any

class Result:
    first: Graph
    second: Graph
    lower: float
    upper: float
    exact: bool
    end: str
    map: list[int | None]
    nodes: int
    def __float__(self) -> float: ...
    @property
    def path(self) -> list[Edit]: ...
    def draw(self, title: str | None = None) -> Drawing: ...

class Ged(_core.Ged):
    def __new__(cls, *, pinned: Iterable[object] = (),
                costs: Mapping[str, Any] | None = None,
                ignore_labels: bool = False, threads: int = 0) -> Ged: ...
    def result(self, first: Graph, second: Graph,
               time_limit: float | None = None,
               at_most: float | None = None,
               node_limit: int | None = None) -> Result: ...
    @overload
    def pairs(self, first: Graphs, second: Graphs, *,
              threads: int | None = None, time_limit: float | None = None,
              node_limit: int | None = None, bounds: Literal[False] = False,
              progress: Progress = None) -> Buffer: ...
    @overload
    def pairs(self, first: Graphs, second: Graphs, *,
              threads: int | None = None, time_limit: float | None = None,
              node_limit: int | None = None, bounds: Literal[True],
              progress: Progress = None) -> tuple[Buffer, Buffer]: ...
    @overload
    def cdist(self, first: Graphs, second: Graphs, *,
              threads: int | None = None, time_limit: float | None = None,
              node_limit: int | None = None, bounds: Literal[False] = False,
              progress: Progress = None) -> Buffer: ...
    @overload
    def cdist(self, first: Graphs, second: Graphs, *,
              threads: int | None = None, time_limit: float | None = None,
              node_limit: int | None = None, bounds: Literal[True],
              progress: Progress = None) -> tuple[Buffer, Buffer]: ...
    @overload
    def matrix(self, graphs: Graphs, *, threads: int | None = None,
               time_limit: float | None = None, node_limit: int | None = None,
               bounds: Literal[False] = False, progress: Progress = None
               ) -> Buffer: ...
    @overload
    def matrix(self, graphs: Graphs, *, threads: int | None = None,
               time_limit: float | None = None, node_limit: int | None = None,
               bounds: Literal[True], progress: Progress = None
               ) -> tuple[Buffer, Buffer]: ...
