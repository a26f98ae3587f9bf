#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""sepx.nx beside networkx on random pairs with random costs.

    PYTHONPATH=build/python /usr/bin/python3 python/tests/compare_nx.py

Directed and undirected graphs and multigraphs of up to --nodes nodes, each
pair with its own choice of match functions, cost functions and roots. Pairs
that networkx does not finish in --seconds are counted and left out.
Self-loops are left out: networkx lets them become any edge.
"""
import argparse
import collections
import random
import sys
import time

import networkx

import sepx.nx


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
    """Any of the eight functions, each with constants of its own."""
    def single(scale):
        return lambda data: scale * (1 + data["x"])

    def both(scale):
        return lambda one, two: scale * abs(one["x"] - two["x"])

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
    if len(first) and len(second) and rng.random() < 0.2:
        arguments["roots"] = (rng.choice(list(first)),
                              rng.choice(list(second)))
    return first, second, arguments


def path_cost(first, second, arguments, nodes, edges):
    """What a path of either library costs, from networkx's definitions."""
    def cost(kind, source, target, one, two):
        if one is None:
            ins = arguments.get(f"{kind}_ins_cost")
            return ins(target[two]) if ins else 1
        if two is None:
            delete = arguments.get(f"{kind}_del_cost")
            return delete(source[one]) if delete else 1
        subst = arguments.get(f"{kind}_subst_cost")
        match = arguments.get(f"{kind}_match")
        if subst:
            return subst(source[one], target[two])
        return 1 - bool(match(source[one], target[two])) if match else 0
    return (sum(cost("node", first.nodes, second.nodes, *pair)
                for pair in nodes)
            + sum(cost("edge", first.edges, second.edges, *pair)
                  for pair in edges))


def check(seed, most, seconds):
    """"same", "late", "not least" if networkx misses a path that is cheaper
    by its own functions, or what differs."""
    first, second, arguments = draw(seed, most)
    began = time.monotonic()
    theirs = networkx.graph_edit_distance(first, second, timeout=seconds,
                                          **arguments)
    if time.monotonic() - began >= seconds:
        return "late"
    mine = sepx.nx.graph_edit_distance(first, second, **arguments)
    (nodes, edges, cost), = sepx.nx.optimize_edit_paths(first, second,
                                                        **arguments)
    total = path_cost(first, second, arguments, nodes, edges)
    if abs(cost - total) > 1e-9 * max(1, total):
        return f"seed {seed}: a path said to cost {cost!r} costs {total!r}"
    if theirs is None or total < theirs - 1e-9 * max(1, theirs):
        return "not least"
    if abs(mine - theirs) > 1e-9 * max(1, abs(theirs)):
        return f"seed {seed}: {mine!r}, networkx says {theirs!r}"
    return "same"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--nodes", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count = collections.Counter()
    for i in range(options.pairs):
        answer = check(options.seed + i, options.nodes, options.seconds)
        if answer.startswith("seed"):
            print(answer)
            answer = "differ"
        count[answer] += 1
    print(f"{count['same']} of {options.pairs} pairs have the value of "
          f"networkx {networkx.__version__}; {count['late']} it did not finish "
          f"in {options.seconds:g} s; {count['not least']} where its path is "
          f"not the least or is none, by its own costs; {count['differ']} "
          "differ")
    return 1 if count["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
