# SPDX-License-Identifier: Apache-2.0
"""networkx's functions for the graph edit distance, by the library's search.

The four functions have the signatures and meanings of those of networkx, from
version 2.8 on: change the import line.

>>> import networkx as nx
>>> import sepx.nx
>>> sepx.nx.graph_edit_distance(nx.cycle_graph(6), nx.wheel_graph(7))
7.0
>>> sepx.nx.graph_edit_distance(nx.star_graph(5), nx.star_graph(5), roots=(0, 1))
8.0

Two differences: a self-loop only ever becomes a self-loop (networkx lets it
become any edge), and where networkx would yield better and better paths,
these yield the best one at once. graph_edit_distance(..., bounds=True) gives
proven bounds, also when `timeout` ends the search.
"""
import array
import itertools
import math
import time

import networkx

from . import _core
from .ged import Ged
from .graph import Graph

__all__ = ["graph_edit_distance", "optimal_edit_paths",
           "optimize_graph_edit_distance", "optimize_edit_paths"]


def graph_edit_distance(G1, G2, node_match=None, edge_match=None,
                        node_subst_cost=None, node_del_cost=None,
                        node_ins_cost=None, edge_subst_cost=None,
                        edge_del_cost=None, edge_ins_cost=None, roots=None,
                        upper_bound=None, timeout=None, *, bounds=False):
    """The least cost of edits that turn G1 into a graph isomorphic to G2.

    As networkx.graph_edit_distance: None if it is above `upper_bound`; the
    best that was found if `timeout` (seconds) ends the search, None if that
    is nothing. An infinite cost forbids an edit; the distance is infinite if
    no path is allowed. With `bounds` the answer is (lower, upper), which are
    proven and equal if the distance is known; upper is infinite if nothing
    was found.
    """
    problem = _Problem(G1, G2, node_match, edge_match, node_subst_cost,
                       node_del_cost, node_ins_cost, edge_subst_cost,
                       edge_del_cost, edge_ins_cost, roots, upper_bound,
                       timeout)
    lower, costs = problem.solve(False)
    best = problem.path(costs[0])[2] if costs else math.inf
    if bounds:
        return min(lower, best), best
    if upper_bound is not None and best > problem.at_most:
        return None
    return None if best == math.inf > lower else best


def optimal_edit_paths(G1, G2, node_match=None, edge_match=None,
                       node_subst_cost=None, node_del_cost=None,
                       node_ins_cost=None, edge_subst_cost=None,
                       edge_del_cost=None, edge_ins_cost=None,
                       upper_bound=None):
    """All edit paths of least cost, and that cost: ([], None) if it is above
    `upper_bound` or infinite. A path is (node_edit_path, edge_edit_path), lists of pairs
    (u, v) and ((u1, v1), (u2, v2)) with None for what is not there."""
    paths, best = [], None
    for nodes, edges, best in optimize_edit_paths(
            G1, G2, node_match, edge_match, node_subst_cost, node_del_cost,
            node_ins_cost, edge_subst_cost, edge_del_cost, edge_ins_cost,
            upper_bound, False):
        paths.append((nodes, edges))
    return paths, best


def optimize_graph_edit_distance(G1, G2, node_match=None, edge_match=None,
                                 node_subst_cost=None, node_del_cost=None,
                                 node_ins_cost=None, edge_subst_cost=None,
                                 edge_del_cost=None, edge_ins_cost=None,
                                 upper_bound=None):
    """A generator of costs, of which the last is the distance: here it is
    the only one."""
    for _, _, cost in optimize_edit_paths(
            G1, G2, node_match, edge_match, node_subst_cost, node_del_cost,
            node_ins_cost, edge_subst_cost, edge_del_cost, edge_ins_cost,
            upper_bound, True):
        yield cost


def optimize_edit_paths(G1, G2, node_match=None, edge_match=None,
                        node_subst_cost=None, node_del_cost=None,
                        node_ins_cost=None, edge_subst_cost=None,
                        edge_del_cost=None, edge_ins_cost=None,
                        upper_bound=None, strictly_decreasing=True,
                        roots=None, timeout=None):
    """A generator of (node_edit_path, edge_edit_path, cost): the best path or,
    unless `strictly_decreasing`, all of least cost; none if it is infinite."""
    problem = _Problem(G1, G2, node_match, edge_match, node_subst_cost,
                       node_del_cost, node_ins_cost, edge_subst_cost,
                       edge_del_cost, edge_ins_cost, roots, upper_bound,
                       timeout)
    _, maps = problem.solve(not strictly_decreasing)
    for mapping in maps:
        path = problem.path(mapping)
        if path[2] < math.inf and (upper_bound is None
                                   or path[2] <= problem.at_most):
            yield path


# ---- what networkx's arguments come to ----


class _Side:
    """One graph: names of nodes and edges by number, and the Graph."""

    def __init__(self, graph):
        self.graph = graph
        self.nodes = list(graph.nodes)
        self.node_data = [graph.nodes[name] for name in self.nodes]
        number = {name: i for i, name in enumerate(self.nodes)}
        directed = graph.is_directed()
        rows = []
        for edge in graph.edges:  # with its key in multigraphs
            u, v = number[edge[0]], number[edge[1]]
            rows.append((u, v, edge) if directed or u <= v else (v, u, edge))
        rows.sort(key=lambda row: row[:2])
        self.ends = [row[:2] for row in rows]
        self.edges = [row[2] for row in rows]
        self.edge_data = [graph.edges[edge] for edge in self.edges]
        self.directed = directed

    def as_graph(self, node_labels, edge_labels):
        return Graph(node_labels or len(self.nodes),
                     [(*ends, label) for ends, label in
                      zip(self.ends, edge_labels)], self.directed)

    def numbered(self):
        """Edges labelled so that parallel ones keep their order."""
        return self.as_graph(None, (f"{k:06d}" for k in
                                    range(len(self.edges))))


class _Problem:
    """Two graphs, costs for each pair of nodes and of edges, and limits."""

    def __init__(self, G1, G2, node_match, edge_match, node_subst, node_del,
                 node_ins, edge_subst, edge_del, edge_ins, roots, upper_bound,
                 timeout):
        self.end = math.inf if timeout is None else (
            time.perf_counter() + timeout)
        if timeout is not None and timeout <= 0:
            raise networkx.NetworkXError(
                "Timeout value must be greater than 0")
        if G1.is_directed() != G2.is_directed():
            raise networkx.NetworkXError(
                "one graph is directed and the other is not; they have no "
                "distance")
        self.first, self.second = _Side(G1), _Side(G2)
        self.most = math.inf  # no allowed path costs more
        self.at_most = None if upper_bound is None else (
            upper_bound * (1 + math.copysign(1e-9, upper_bound)))
        a, b = self.first, self.second
        self.node_sub = _pairs("node_subst_cost", node_subst, node_match,
                               a.node_data, b.node_data, self.end)
        self.edge_sub = _pairs("edge_subst_cost", edge_subst, edge_match,
                               a.edge_data, b.edge_data, self.end)
        self.node_del = _each("node_del_cost", node_del, a.node_data)
        self.node_ins = _each("node_ins_cost", node_ins, b.node_data)
        self.edge_del = _each("edge_del_cost", edge_del, a.edge_data)
        self.edge_ins = _each("edge_ins_cost", edge_ins, b.edge_data)
        self._map_roots(roots)
        self.plain = not (node_subst or node_del or node_ins or edge_subst
                          or edge_del or edge_ins or roots)

    def _map_roots(self, roots):
        """Forbid all edits of the roots but the substitution of one by the
        other, so that no bound and no path can be of a map without it."""
        if not roots:
            return
        u, v = roots
        if u not in self.first.nodes or v not in self.second.nodes:
            raise networkx.NodeNotFound("Root node not in graph.")
        u, v = self.first.nodes.index(u), self.second.nodes.index(v)
        self.node_sub = [[cost if (i == u) == (j == v) else math.inf
                          for j, cost in enumerate(row)]
                         for i, row in enumerate(self.node_sub)]
        self.node_del[u] = self.node_ins[v] = math.inf

    # ---- solving ----

    def solve(self, every):
        """(lower bound, maps): the best or all of least cost."""
        labels = None if every or _is_past(self.end) else self._labels()
        matrices = None if labels or _is_past(self.end) else self._matrices()
        seconds = self.end - time.perf_counter()
        if seconds <= 0:  # the tables may be cut short
            return 0.0, []
        seconds = None if seconds == math.inf else seconds
        if labels:
            first, second = labels
            result = _UNIT.result(first, second, time_limit=seconds,
                                  at_most=self.at_most)
            return result.lower, [result.map]
        limits = [limit for limit in (self.at_most, 1.5 * self.most)
                  if limit is not None and limit < math.inf]
        lower, _, _, maps = _core.pair(
            self.first.numbered(), self.second.numbered(), matrices, seconds,
            min(limits, default=None), every)
        return (lower if lower <= self.most else math.inf), maps

    def _labels(self):
        """Both as labelled graphs, if all that costs is equality."""
        if not self.plain:
            return None
        nodes = _classes(self.node_sub, self.second.nodes, self.end)
        edges = nodes and _classes(self.edge_sub, self.second.edges, self.end)
        if not edges:
            return None
        return (self.first.as_graph(nodes[0], edges[0]),
                self.second.as_graph(nodes[1], edges[1]))

    def _matrices(self):
        """Costs for C, which wants a price for each deletion and insertion:
        a forbidden one costs more than any allowed path."""
        single = [self.node_del, self.node_ins, self.edge_del, self.edge_ins]
        if any(math.inf in costs for costs in single):
            allowed = math.fsum(
                cost for costs in single for cost in costs
                if cost < math.inf) + math.fsum(
                    max((cost for cost in row if cost < math.inf), default=0)
                    for row in _until(self.end,
                                      self.node_sub + self.edge_sub))
            self.most = 1.1 * allowed or 1.0
            price = 2 * self.most
            single = [[min(cost, price) for cost in costs]
                      for costs in single]
        nodes, edges = (_flat(rows, self.end)
                        for rows in (self.node_sub, self.edge_sub))
        single = [array.array("d", part) for part in single]
        return nodes, *single[:2], edges, *single[2:]

    # ---- paths ----

    def path(self, mapping):
        """(node_edit_path, edge_edit_path, cost) of a map."""
        a, b = self.first, self.second
        nodes, costs, used = [], [], set()
        for i, j in enumerate(mapping):
            if j is None:
                nodes.append((a.nodes[i], None))
                costs.append(self.node_del[i])
            else:
                nodes.append((a.nodes[i], b.nodes[j]))
                costs.append(self.node_sub[i][j])
                used.add(j)
        for j, name in enumerate(b.nodes):
            if j not in used:
                nodes.append((None, name))
                costs.append(self.node_ins[j])
        edges = []
        for i, j, cost in self._edge_pairs(mapping):
            edges.append((None if i is None else a.edges[i],
                          None if j is None else b.edges[j]))
            costs.append(cost)
        return nodes, edges, float(math.fsum(costs))

    def _edge_pairs(self, mapping):
        """(edge, edge, cost) of all edges, None for one that is not there."""
        there = {}
        for j, ends in enumerate(self.second.ends):
            there.setdefault(ends, []).append(j)
        here = {}
        for i, (u, v) in enumerate(self.first.ends):
            ends = mapping[u], mapping[v]
            if None in ends:
                ends = (i, None)
            elif not self.first.directed and ends[0] > ends[1]:
                ends = ends[::-1]
            here.setdefault(ends, []).append(i)
        for ends, bag in here.items():
            yield from self._match_bags(bag, there.pop(ends, []))
        for bag in there.values():
            yield from self._match_bags([], bag)

    def _match_bags(self, rows, columns):
        """The cheapest way from some parallel edges to others."""
        def cost(i, j):
            if i is None:
                return self.edge_ins[j]
            return self.edge_del[i] if j is None else self.edge_sub[i][j]

        size = len(rows) + len(columns)
        if len(rows) == len(columns) == 1:
            i, j = rows[0], columns[0]
            if cost(i, j) <= cost(i, None) + cost(None, j):
                return [(i, j, cost(i, j))]
            return [(i, None, cost(i, None)), (None, j, cost(None, j))]
        left = rows + [None] * len(columns)
        right = columns + [None] * len(rows)
        table = [[0.0 if i is None and j is None else cost(i, j)
                  for j in right] for i in left]
        return [(left[k], right[l], table[k][l])
                for k, l in enumerate(_assign(table, size))
                if left[k] is not None or right[l] is not None]


_UNIT = Ged()


def _cost(name, cost, *data):
    cost = float(cost)
    if cost >= 0:
        return cost
    raise ValueError(f"{name} of {' and '.join(map(repr, data))} is {cost!r};"
                     " a cost must be 0 or more")


def _is_past(end):
    return time.perf_counter() >= end


def _until(end, rows):
    """Cut short once the time `end` is past."""
    return itertools.takewhile(lambda _: not _is_past(end), rows)


def _pairs(name, subst, match, first, second, end):
    """Costs of substitution, a row for each of `first`."""
    if subst:
        return [[_cost(name, subst(x, y), x, y) for y in second]
                for x in _until(end, first)]
    if match:
        return [[0.0 if match(x, y) else 1.0 for y in second]
                for x in _until(end, first)]
    row = [0.0] * len(second)
    return [row] * len(first)


def _flat(rows, end):
    made = array.array("d")
    for row in _until(end, rows):
        made.fromlist(row)
    return made


def _each(name, function, data):
    if function:
        return [_cost(name, function(attributes), attributes)
                for attributes in data]
    return [1.0] * len(data)


def _classes(costs, second, end):
    """Labels of both sides that are equal where the cost is 0, or None if no
    labels can be: what matches need not be an equivalence."""
    kind_of, label_of = {}, [None] * len(second)
    rows, before, kind = [], None, None
    for row in _until(end, costs):
        if row is not before:  # all rows are one if nothing is compared
            same = tuple(j for j, cost in enumerate(row) if not cost)
            kind = kind_of.setdefault(same, f"c{len(kind_of)}")
            for j in same:
                if label_of[j] not in (None, kind):
                    return None
                label_of[j] = kind
            before = row
        rows.append(kind)
    return rows, [label or "none" for label in label_of]


def _assign(table, size):
    """Columns of the cheapest assignment of a square table, row by row: the
    Hungarian method with potentials, a shortest path for each row."""
    row_of, price, gain = [None] * size, [0.0] * size, [0.0] * size
    for start in range(size):
        dist, via, done = [math.inf] * size, [None] * size, [False] * size
        column, row, base = None, start, 0.0
        while row is not None:
            best = None
            for j in range(size):
                if done[j]:
                    continue
                reach = base + table[row][j] - gain[row] - price[j]
                if reach < dist[j]:
                    dist[j], via[j] = reach, column
                if best is None or dist[j] < dist[best]:
                    best = j
            column, base = best, dist[best]
            done[column] = True
            row = row_of[column]
        gain[start] += base
        for j in range(size):
            if done[j] and j != column:
                gain[row_of[j]] += base - dist[j]
                price[j] -= base - dist[j]
        while column is not None:
            before = via[column]
            row_of[column] = start if before is None else row_of[before]
            column = before
    answer = [None] * size
    for column, row in enumerate(row_of):
        answer[row] = column
    return answer
