# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from . import _core
from ._core import Graph
from ._errors import Error
from .search import Trial
from .space import Rules, Space

Score = float | dict[str, Any] | tuple[float, dict[str, Any]]

class Unfit(Exception): ...
class FailingError(Error, RuntimeError): ...

class Prediction(NamedTuple):
    score: float
    low: float
    high: float
    known: int
    trial: int | None
    live: bool

class Row:
    number: int
    operator: str
    parents: tuple[int, ...]
    fidelity: float
    outcome: str | None
    value: float | None
    test: float | None
    cost: float | None
    cached: int | None
    answer: dict[str, Any] | None
    numbers: dict[str, float]
    errors: str | None
    slot: str | None
    seconds: float | None
    elapsed: float | None
    @property
    def graph(self) -> Graph: ...
    def as_dict(self) -> dict[str, Any]: ...

class Study(_core.Study):
    path: str
    settings: dict[str, Any]
    goals: tuple[str, ...]
    def __new__(cls, path: str | os.PathLike[str],
                space: Space | str | os.PathLike[str] | dict[str, Any]
                | None = None, method: str | None = None,
                evaluator: str | None = None, *,
                objectives: str | Iterable[str] | None = None,
                where: str | Iterable[str] | None = None,
                seed: int | None = None, maximize: bool | None = None,
                window: int | None = None,
                asynchronous: bool | None = None, repeats: bool | None = None,
                rules: Rules = None, time_limit: float | None = None,
                write: bool = True) -> Study: ...
    def __enter__(self) -> Study: ...
    def __exit__(self, *_: object) -> None: ...
    @property
    def maximize(self) -> bool: ...
    @property
    def space(self) -> Space: ...
    def optimize(self, function: Callable[[Any], Score] | None = None,
                 evals: int | None = None, *, workers: int | None = None,
                 executor: str | concurrent.futures.Executor | None = None,
                 seconds: float | None = None, until: float | None = None,
                 patience: int = 0, max_failures: int = 10,
                 count: str = "trials", with_trial: bool = False,
                 progress: Callable[[Row], object] | None = None
                 ) -> str: ...
    def ask(self) -> Trial | None: ...
    def tell(self, trial: Trial | int, score: Score | None = None, *,
             errors: str | None = None, unfit: bool = False,
             seconds: float = 0.0) -> None: ...
    def retry(self) -> int: ...
    def trial(self, number: int) -> Row: ...
    @property
    def trials(self) -> list[Row]: ...
    @property
    def front(self) -> list[Row]: ...
    @property
    def best(self) -> Row | None: ...
    def predict(self, graphs: Iterable[Graph]) -> list[Prediction]: ...
    def dataframe(self) -> Any: ...
