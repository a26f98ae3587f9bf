# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Iterator
from typing import Any, Literal, overload

Match = Callable[[dict[str, Any], dict[str, Any]], bool] | None
Pair = Callable[[dict[str, Any], dict[str, Any]], float] | None
Single = Callable[[dict[str, Any]], float] | None
NodePath = list[tuple[Any, Any]]
EdgePath = list[tuple[Any, Any]]

@overload
def graph_edit_distance(
    G1: Any, G2: Any, node_match: Match = None, edge_match: Match = None,
    node_subst_cost: Pair = None, node_del_cost: Single = None,
    node_ins_cost: Single = None, edge_subst_cost: Pair = None,
    edge_del_cost: Single = None, edge_ins_cost: Single = None,
    roots: tuple[Any, Any] | None = None, upper_bound: float | None = None,
    timeout: float | None = None, *, bounds: Literal[False] = False
) -> float | None: ...
@overload
def graph_edit_distance(
    G1: Any, G2: Any, node_match: Match = None, edge_match: Match = None,
    node_subst_cost: Pair = None, node_del_cost: Single = None,
    node_ins_cost: Single = None, edge_subst_cost: Pair = None,
    edge_del_cost: Single = None, edge_ins_cost: Single = None,
    roots: tuple[Any, Any] | None = None, upper_bound: float | None = None,
    timeout: float | None = None, *, bounds: Literal[True]
) -> tuple[float, float]: ...
def optimal_edit_paths(
    G1: Any, G2: Any, node_match: Match = None, edge_match: Match = None,
    node_subst_cost: Pair = None, node_del_cost: Single = None,
    node_ins_cost: Single = None, edge_subst_cost: Pair = None,
    edge_del_cost: Single = None, edge_ins_cost: Single = None,
    upper_bound: float | None = None
) -> tuple[list[tuple[NodePath, EdgePath]], float | None]: ...
def optimize_graph_edit_distance(
    G1: Any, G2: Any, node_match: Match = None, edge_match: Match = None,
    node_subst_cost: Pair = None, node_del_cost: Single = None,
    node_ins_cost: Single = None, edge_subst_cost: Pair = None,
    edge_del_cost: Single = None, edge_ins_cost: Single = None,
    upper_bound: float | None = None) -> Iterator[float]: ...
def optimize_edit_paths(
    G1: Any, G2: Any, node_match: Match = None, edge_match: Match = None,
    node_subst_cost: Pair = None, node_del_cost: Single = None,
    node_ins_cost: Single = None, edge_subst_cost: Pair = None,
    edge_del_cost: Single = None, edge_ins_cost: Single = None,
    upper_bound: float | None = None, strictly_decreasing: bool = True,
    roots: tuple[Any, Any] | None = None, timeout: float | None = None
) -> Iterator[tuple[NodePath, EdgePath, float]]: ...
