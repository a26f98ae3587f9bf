# SPDX-License-Identifier: Apache-2.0
"""What the tests share: graphs drawn by hypothesis, and slow oracles."""
import itertools
import os
import pathlib
import signal
import sys

import hypothesis
import pytest
from hypothesis import strategies

import sepx

sys.path.insert(0, str(pathlib.Path(__file__).parent))

# Whoever started us in the background may have had it ignored, which children
# that are to be interrupted would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples follow from the code of a test, so that a failure comes again.
hypothesis.settings.register_profile("check", deadline=None, max_examples=60,
                                     derandomize=True, database=None)
hypothesis.settings.load_profile("check")


def pytest_terminal_summary(terminalreporter):
    """Reasons of what was skipped, and counts, as ./check reads them."""
    stats = terminalreporter.stats
    for report in stats.get("skipped", ()):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        terminalreporter.write_line(f"SKIP: {report.nodeid}: {reason}")
    if "SEPX_COUNTS" in os.environ:
        count = [len(stats.get(key, ())) for key in
                 ("passed", "failed", "error", "skipped")]
        pathlib.Path(os.environ["SEPX_COUNTS"]).write_text(
            f"{count[0]} {count[1] + count[2]} {count[3]}\n")


ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def program(tmp_path):
    """The program sepx of the build whose package is tested."""
    path = pathlib.Path(sepx.__file__).resolve().parents[2] / "sepx"
    if not path.is_file():
        pytest.skip("no program sepx beside the package")
    if "LD_PRELOAD" not in os.environ:
        return str(path)
    # A sanitizer's runtime for Python; the program has its own.
    wrapper = tmp_path / "sepx"
    wrapper.write_text(f'#!/bin/sh\nunset LD_PRELOAD\nexec "{path}" "$@"\n')
    wrapper.chmod(0o755)
    return str(wrapper)


@strategies.composite
def graphs(draw, most=4, directed=None, simple=False):
    """Labelled graphs, with self-loops and parallel edges unless `simple`."""
    count = draw(strategies.integers(0, most))
    labels = draw(strategies.lists(strategies.sampled_from([None, "a", "b"]),
                                   min_size=count, max_size=count))
    if directed is None:
        directed = draw(strategies.booleans())
    ends = [(i, j) for i in range(count) for j in range(count)
            if (directed or i <= j) and not (simple and i == j)]
    edges = []
    if ends:
        edges = draw(strategies.lists(
            strategies.tuples(strategies.sampled_from(ends),
                              strategies.sampled_from([None, "x", "y"])),
            max_size=2 * most,
            unique_by=(lambda edge: edge[0]) if simple else None))
    return sepx.Graph(labels, [(i, j, text) for (i, j), text in edges],
                      directed)


@strategies.composite
def pairs(draw, most=4, simple=False):
    """Two graphs that have a distance."""
    directed = draw(strategies.booleans())
    return (draw(graphs(most, directed, simple)),
            draw(graphs(most, directed, simple)))


def oracle_distance(a, b, pinned=(), costs=None, ignore_labels=False):
    """The least cost over all maps, by trying each of them."""
    cost = dict(node_insert=1, node_delete=1, node_relabel=1, edge_insert=1,
                edge_delete=1, edge_relabel=1)
    cost.update(costs or {})
    na, nb = len(a), len(b)
    best = float("inf")
    for size in range(min(na, nb) + 1):
        for rows in itertools.combinations(range(na), size):
            for columns in itertools.permutations(range(nb), size):
                best = min(best, _map_cost(a, b, dict(zip(rows, columns)),
                                           cost, pinned, ignore_labels))
    return best


def _relabel(cost, kind, x, y):
    table = {(u, v): c for u, v, c in cost.get(kind + "_table", ())}
    return 0 if x == y else table.get((x, y), cost[kind + "_relabel"])


def _map_cost(a, b, mapping, cost, pinned, ignore_labels):
    total = (cost["node_delete"] * (len(a) - len(mapping))
             + cost["node_insert"] * (len(b) - len(mapping)))
    for i, j in mapping.items():
        x, y = a.nodes[i], b.nodes[j]
        if ignore_labels:
            continue
        if x != y and (x in pinned or y in pinned):
            return float("inf")
        total += _relabel(cost, "node", x, y)
    bags_a, bags_b = _bags(a), _bags(b)
    matched = set()
    for (u, v), bag in bags_a.items():
        there = ()
        if u in mapping and v in mapping:
            key = _ends(b, mapping[u], mapping[v])
            there = bags_b.get(key, ())
            matched.add(key)
        total += _bag_cost(bag, there, cost)
    for key, bag in bags_b.items():
        if key not in matched:
            total += cost["edge_insert"] * len(bag)
    return total


def _ends(graph, u, v):
    return (u, v) if graph.directed else (min(u, v), max(u, v))


def _bags(graph):
    made = {}
    for edge in graph.edges:
        label = edge[2] if len(edge) > 2 else None
        made.setdefault(_ends(graph, *edge[:2]), []).append(label)
    return made


def _bag_cost(bag, there, cost):
    """The cheapest way from one bag of parallel edges to another."""
    best = (cost["edge_delete"] * len(bag) + cost["edge_insert"] * len(there))
    for size in range(1, min(len(bag), len(there)) + 1):
        for rows in itertools.combinations(bag, size):
            for columns in itertools.permutations(there, size):
                best = min(best, sum(_relabel(cost, "edge", x, y) for x, y in
                                     zip(rows, columns))
                           + cost["edge_delete"] * (len(bag) - size)
                           + cost["edge_insert"] * (len(there) - size))
    return best
