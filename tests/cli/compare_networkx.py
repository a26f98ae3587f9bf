#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Distances of directed and undirected graphs, compared with networkx.

Usage: compare_networkx.py SEPX [SEED]. Skips (77) without networkx and numpy.
Self-loops are left out: networkx prices them wrongly in some versions (its
issues 5400 and 8188).
"""
import itertools
import json
import random
import subprocess
import sys
import types

try:
    import numpy
    import networkx
    from networkx.readwrite import json_graph
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PAIRS = 50


def assign(cost):
    """The assignment of least cost, by shortest augmenting paths."""
    n = len(cost)
    u, v, row, way = ([0] * (n + 1) for _ in range(4))
    for i in range(1, n + 1):
        row[0], at = i, 0
        least, used = [float("inf")] * (n + 1), [False] * (n + 1)
        while row[at]:
            used[at] = True
            for j in itertools.compress(range(1, n + 1),
                                        (not x for x in used[1:])):
                here = cost[row[at] - 1][j - 1] - u[row[at]] - v[j]
                if here < least[j]:
                    least[j], way[j] = here, at
            step, after = min((least[j], j) for j in range(1, n + 1)
                              if not used[j])
            for j in range(n + 1):
                if used[j]:
                    u[row[j]] += step
                    v[j] -= step
                else:
                    least[j] -= step
            at = after
        while at:
            row[at], at = row[way[at]], way[at]
    column = numpy.zeros(n, dtype=int)
    for j in range(1, n + 1):
        column[row[j] - 1] = j - 1
    return numpy.arange(n), column


def stand_in_for_scipy():
    """networkx takes one function from scipy, which may not be there."""
    try:
        import scipy.optimize  # noqa: F401
    except ImportError:
        scipy = types.ModuleType("scipy")
        scipy.optimize = types.ModuleType("scipy.optimize")
        scipy.optimize.linear_sum_assignment = assign
        sys.modules["scipy"] = scipy
        sys.modules["scipy.optimize"] = scipy.optimize


def draw(rng, directed):
    """A random graph of up to five nodes, with labels."""
    graph = networkx.DiGraph() if directed else networkx.Graph()
    n = rng.randint(1, 5)
    for i in range(n):
        graph.add_node(i, label=rng.choice("abc"))
    for i in range(n):
        for j in range(n) if directed else range(i + 1, n):
            if i != j and rng.random() < 0.4:
                graph.add_edge(i, j, label=rng.choice("xy"))
    return graph


def same(x, y):
    return x["label"] == y["label"]


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 13
    rng = random.Random(seed)
    pairs = [[draw(rng, k % 5 == 0) for _ in "ab"] for k in range(PAIRS)]
    lines = "".join(
        json.dumps({key: json_graph.node_link_data(graph)
                    for key, graph in zip("ab", pair)}) + "\n"
        for pair in pairs)
    answer = subprocess.run([sys.argv[1], "ged", "--pairs", "-"], input=lines,
                            capture_output=True, text=True, check=True)
    found = [float(line) for line in answer.stdout.split()]
    stand_in_for_scipy()
    wrong = 0
    for k, (a, b) in enumerate(pairs):
        want = networkx.graph_edit_distance(a, b, node_match=same,
                                            edge_match=same)
        if found[k] != want:
            wrong += 1
            print(f"pair {k}: {found[k]}, networkx says {want}")
    print(f"networkx {networkx.__version__}, seed {seed}: {len(pairs)} pairs, "
          f"{wrong} wrong")
    sys.exit(1 if wrong or len(found) != PAIRS else 0)


if __name__ == "__main__":
    main()
