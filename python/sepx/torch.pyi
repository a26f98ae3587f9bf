# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Mapping
from os import PathLike
from typing import IO, Any

from ._core import Graph
from .levels import expand as expand

def Module(graph: Graph, ops: Mapping[str, Any] | Callable[..., Any],
           combine: str = "add", combine_output: str | None = None,
           example: Any = None, space: Any = None) -> Any: ...
def describe(module: Any) -> str: ...
def layer(label: str, *shapes: Any) -> Any: ...
def trace(model: Any, level: str = "op",
          blocks: dict[str, Graph] | None = None, block: Any = None,
          label: Callable[[Any], str] = ..., **options: Any) -> Graph: ...
def save_fx(model: Any, path: str | PathLike[str] | IO[str],
            label: Callable[[Any], str] = ..., **options: Any) -> None: ...
def code(graph: Graph, ops: Mapping[str, Any] | Callable[..., Any],
         name: str = "Network", combine: str = "add",
         combine_output: str | None = None, example: Any = None,
         space: Any = None) -> str: ...
