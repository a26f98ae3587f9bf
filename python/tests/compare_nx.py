#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compare sepx.nx with all maps of two graphs, and with networkx.

    PYTHONPATH=build/python /usr/bin/python3 python/tests/compare_nx.py

Random directed and undirected graphs and multigraphs of up to --nodes nodes.
Each pair has match functions, cost functions (some costs infinite), roots and
an upper bound of its own. Every value and path of sepx.nx is compared with
the least cost over all node maps, so a wrong one is found even if networkx
has no value: it does not finish in --seconds, fails on infinite costs, or
misses the cheapest path. There are no self-loops, which networkx lets become
any edge.
"""
import argparse
import collections
import functools
import itertools
import math
import random
import sys
import time

import networkx

import sepx.nx

INF = math.inf


def draw_graph(rng, kind, most):
    graph = kind()
    count = rng.randint(0, most)
    for i in range(count):
        graph.add_node(f"n{i}", x=rng.randint(0, 3), y=rng.choice("ab"))
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    for i, j in rng.sample(pairs, min(len(pairs), rng.randint(
            0, 2 * count))):
        for _ in range(rng.choice((1, 1, 2)) if graph.is_multigraph() else 1):
            graph.add_edge(f"n{i}", f"n{j}", x=rng.randint(0, 2))
    return graph


def draw_costs(rng):
    """Any of the eight functions, each with constants of its own; a third of
    the pairs have infinite costs."""
    forbids = rng.random() < 1 / 3

    def single(scale):
        never = rng.randint(0, 4) if forbids else None
        return lambda data: (INF if data["x"] == never
                             else scale * (1 + data["x"]))

    def both(scale):
        most = rng.randint(0, 3) if forbids else 3
        return lambda one, two: (INF if abs(one["x"] - two["x"]) > most
                                 else scale * abs(one["x"] - two["x"]))

    def scale():
        return rng.choice((0.1, 0.25, 0.5, 1, 1.5, 2.75, 1 / 3))
    makers = {
        "node_match": lambda: lambda one, two: one["y"] == two["y"],
        "edge_match": lambda: lambda one, two: one["x"] >= two["x"],
        "node_subst_cost": lambda: both(scale()),
        "node_del_cost": lambda: single(scale()),
        "node_ins_cost": lambda: single(scale()),
        "edge_subst_cost": lambda: both(scale()),
        "edge_del_cost": lambda: single(scale()),
        "edge_ins_cost": lambda: single(scale())}
    return {name: make() for name, make in makers.items()
            if rng.random() < 0.4}


def draw(seed, most):
    """(first, second, arguments) of a seed."""
    rng = random.Random(seed)
    kind = rng.choice((networkx.Graph, networkx.DiGraph, networkx.MultiGraph,
                       networkx.MultiDiGraph))
    first, second = draw_graph(rng, kind, most), draw_graph(rng, kind, most)
    arguments = draw_costs(rng)
    if len(first) and len(second) and rng.random() < 0.5:
        arguments["roots"] = (rng.choice(list(first)),
                              rng.choice(list(second)))
    if rng.random() < 0.5:
        arguments["upper_bound"] = rng.choice((0, 0.7, 1.5, 3, 4.5, 7, 12,
                                               INF))
    return first, second, arguments


# ---- the least cost over all maps ----


class Prices:
    """Costs of single edits, by the definitions of networkx."""

    def __init__(self, first, second, arguments):
        self.first, self.second, self.given = first, second, arguments

    @functools.cache
    def edit(self, kind, one, two):
        """A substitution, a deletion (two: None) or an insertion."""
        source = self.first.nodes if kind == "node" else self.first.edges
        target = self.second.nodes if kind == "node" else self.second.edges
        if one is None:
            insert = self.given.get(f"{kind}_ins_cost")
            return insert(target[two]) if insert else 1
        if two is None:
            delete = self.given.get(f"{kind}_del_cost")
            return delete(source[one]) if delete else 1
        subst = self.given.get(f"{kind}_subst_cost")
        match = self.given.get(f"{kind}_match")
        if subst:
            return subst(source[one], target[two])
        return 1 - bool(match(source[one], target[two])) if match else 0

    @functools.cache
    def bags(self, ends, other):
        """Parallel edges of the first graph into those of the second."""
        rows, columns = self.edges(self.first, ends), self.edges(self.second,
                                                                 other)
        best = INF
        columns += [None] * len(rows)
        for chosen in set(itertools.permutations(columns, len(rows))):
            best = min(best, math.fsum(
                [self.edit("edge", i, j) for i, j in zip(rows, chosen)]
                + [self.edit("edge", None, j) for j in columns
                   if j is not None and j not in chosen]))
        return best

    @staticmethod
    def edges(graph, ends):
        if ends is None:
            return []
        return [edge for edge in graph.edges if edge[:2] == ends or (
            not graph.is_directed() and edge[:2] == ends[::-1])]

    def map_cost(self, pairs):
        """Of a map, as pairs of nodes; None for one that is not there."""
        image = dict(pairs)
        ends = {frozenset(edge[:2]) if not self.first.is_directed()
                else edge[:2]: edge[:2] for edge in self.first.edges}
        left = {frozenset(edge[:2]) if not self.second.is_directed()
                else edge[:2]: edge[:2] for edge in self.second.edges}
        costs = [self.edit("node", i, j) for i, j in pairs]
        for u, v in ends.values():
            other = image[u], image[v]
            key = frozenset(other) if not self.first.is_directed() else other
            costs.append(self.bags((u, v), left.pop(key, None)))
        costs += [self.bags(None, other) for other in left.values()]
        return math.fsum(costs)

    def maps(self):
        """All maps that map the roots onto each other."""
        rows, columns = list(self.first), list(self.second)
        fixed = []
        if "roots" in self.given:
            fixed = [self.given["roots"]]
            rows.remove(fixed[0][0])
            columns.remove(fixed[0][1])
        for size in range(min(len(rows), len(columns)) + 1):
            for kept in itertools.combinations(rows, size):
                gone = [(i, None) for i in rows if i not in kept]
                for onto in itertools.permutations(columns, size):
                    yield fixed + list(zip(kept, onto)) + gone + [
                        (None, j) for j in columns if j not in onto]

    def least(self):
        """(the least cost, how many maps have it)."""
        best, count = INF, 0
        for pairs in self.maps():
            cost = self.map_cost(pairs)
            if cost < best and not close(cost, best):
                best, count = cost, 1
            elif cost < INF and close(cost, best):
                count += 1
        return best, count

    def path_cost(self, nodes, edges):
        """Of a path, which must edit each node and edge once."""
        for graph, pairs, place in (
                (self.first.nodes, nodes, 0), (self.second.nodes, nodes, 1),
                (self.first.edges, edges, 0), (self.second.edges, edges, 1)):
            found = [pair[place] for pair in pairs if pair[place] is not None]
            if sorted(found) != sorted(graph):
                return math.nan
        if "roots" in self.given and self.given["roots"] not in nodes:
            return math.nan
        return math.fsum([self.edit("node", *pair) for pair in nodes]
                         + [self.edit("edge", *pair) for pair in edges])


def close(one, two):
    return one == two or abs(one - two) <= 1e-9 * max(1, abs(one))


# ---- the comparison ----


def complaint(first, second, arguments, best, count, prices):
    """The first wrong result of sepx.nx as a sentence, or None."""
    limit = arguments.get("upper_bound")
    mine = sepx.nx.graph_edit_distance(first, second, **arguments)
    wanted = best if limit is None or best <= limit else None
    at_limit = limit is not None and limit < INF and close(best, limit)
    if at_limit and mine is not None:
        wanted = best
    if (mine is None) != (wanted is None) or (
            mine is not None and not close(mine, wanted)):
        return f"{mine!r}, not {wanted!r}"
    lower, upper = sepx.nx.graph_edit_distance(first, second, bounds=True,
                                               **arguments)
    if (lower > best and not close(lower, best)) or (
            upper < best and not close(upper, best)):
        return f"bounds {lower!r} to {upper!r} of {best!r}"
    if not close(lower, upper) and (limit is None or lower <= limit):
        return f"nothing is proven by {lower!r} to {upper!r}"
    for only in (True, False):
        paths = list(sepx.nx.optimize_edit_paths(
            first, second, strictly_decreasing=only, **arguments))
        size = 0 if wanted in (None, INF) else 1 if only else count
        if len(paths) != size and not at_limit:
            return f"{len(paths)} paths, not {size}"
        for nodes, edges, cost in paths:
            if not (close(cost, best)
                    and close(prices.path_cost(nodes, edges), best)):
                return f"a path of {cost!r}, not {best!r}: {nodes}, {edges}"
    return None


def of_networkx(first, second, arguments, best, seconds):
    """How networkx compares with the least cost."""
    began = time.monotonic()
    try:
        theirs = networkx.graph_edit_distance(first, second, timeout=seconds,
                                              **arguments)
    except (IndexError, ValueError):  # for infinite costs, in assignments
        return "fails"
    if time.monotonic() - began >= seconds:
        return "late"
    if theirs is None:
        return "same" if best > arguments.get("upper_bound", INF) else (
            "not least")
    return "same" if close(theirs, best) else "not least"


def check(seed, most, seconds):
    """"same", or why networkx has not the value of sepx.nx: "late", "fails"
    or "not least"; a text with the seed if sepx.nx is wrong."""
    first, second, arguments = draw(seed, most)
    prices = Prices(first, second, arguments)
    best, count = prices.least()
    wrong = complaint(first, second, arguments, best, count, prices)
    if wrong:
        return f"seed {seed}: {wrong}"
    return of_networkx(first, second, arguments, best, seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = collections.Counter()
    for i in range(options.pairs):
        answer = check(options.seed + i, options.nodes, options.seconds)
        if answer.startswith("seed"):
            print(answer)
            answer = "wrong"
        count[answer] += 1
    print(f"{count['wrong']} of {options.pairs} pairs are wrong; networkx "
          f"{networkx.__version__} has the same value for {count['same']}, "
          f"another for {count['not least']}, fails for {count['fails']}, and "
          f"does not finish {count['late']} in {options.seconds:g} s")
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
