#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a distance costs from Python, beside networkx and the C batch.

    PYTHONPATH=build/python /usr/bin/python3 python/bench/bench.py [--molecules FILE...]

All figures are of one run on the same graphs: cells of NAS-Bench-101 with up
to 7 nodes. Times are of the processor, the best of several repetitions.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import networkx

import sepx
import sepx.nx

BATCH = pathlib.Path(sepx.__file__).resolve().parents[1] / "bench_batch"


def best_of(function, repetitions, pairs):
    """Processor seconds a pair."""
    took = []
    for _ in range(repetitions):
        began = time.process_time()
        function()
        took.append((time.process_time() - began) / pairs)
    return min(took)


def of_c(graphs, pinned, repetitions):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(graph.to_json() + "\n" for graph in graphs)
        file.flush()
        done = subprocess.run([BATCH, file.name, str(repetitions), *pinned],
                              capture_output=True, text=True, check=True)
    seconds, total = done.stdout.split()
    return float(seconds), float(total)


def say(what, seconds, note=""):
    print(f"  {what:46}{1e9 * seconds:12,.0f} ns{'  ' + note if note else ''}")


def bench_cells(count, repetitions, networkx_pairs, timeout):
    space = sepx.Space("nb101")
    graphs = space.sample(count, seed=1)
    ged = sepx.Ged(pinned=space.pinned)
    first, second = graphs[:-1], graphs[1:]
    pairs = len(first)
    print(f"{pairs} pairs of cells, each with up to 7 nodes")
    ged.pairs(first, second, threads=1)

    # Interleaved, so that all see the same machine.
    ready = ged.prepare(first), ged.prepare(second)
    c = python = lists = 1.0
    total = None
    for _ in range(repetitions):
        seconds, total = of_c(graphs, space.pinned, 3)
        c = min(c, seconds)
        python = min(python, best_of(
            lambda: ged.pairs(*ready, threads=1), 3, pairs))
        lists = min(lists, best_of(
            lambda: ged.pairs(first, second, threads=1), 3, pairs))
    assert total == sum(ged.pairs(first, second))
    say("C, sepx_ged_batch()", c)
    say("ged.pairs(first, second), prepared", python,
        f"{python / c:.2f} times C")
    say("ged.pairs(first, second), lists of graphs", lists,
        f"{lists / c:.2f} times C")
    call = best_of(lambda: [ged(a, b) for a, b in zip(first, second)],
                   repetitions, pairs)
    say("ged(a, b)", call)
    some = [graph.to_networkx() for graph in graphs[:200]]
    say("sepx.Graph.from_networkx(g)", best_of(
        lambda: [sepx.Graph.from_networkx(g) for g in some], repetitions,
        len(some)))

    def match(one, two):
        return one["label"] == two["label"]
    say("sepx.nx.graph_edit_distance(g, h, node_match)", best_of(
        lambda: [sepx.nx.graph_edit_distance(g, h, node_match=match)
                 for g, h in zip(some, some[1:])], repetitions,
        len(some) - 1))
    took, late = [], 0
    for g, h in list(zip(some, some[1:]))[:networkx_pairs]:
        began = time.process_time()
        networkx.graph_edit_distance(g, h, node_match=match, timeout=timeout)
        took.append(time.process_time() - began)
        late += took[-1] >= timeout
    say("networkx.graph_edit_distance(g, h, node_match)",
        statistics.median(took),
        f"median of {networkx_pairs}, {late} not done in {timeout:g} s")


def read_molecules(path):
    """Graphs of a file, or of one with pairs {"a": ..., "b": ...}."""
    rows = [json.loads(line) for line in open(path, encoding="utf-8")]
    if not rows or "a" not in rows[0]:
        return sepx.read(path)
    return [sepx.Graph.from_json(json.dumps(row[side]))
            for row in rows for side in "ab"]


def bench_molecules(graphs, threads, node_limit):
    sizes = [len(graph) for graph in graphs]
    began, used = time.monotonic(), os.times()
    lower, upper = sepx.Ged().matrix(graphs, threads=threads, bounds=True,
                                     node_limit=node_limit)
    wall, now = time.monotonic() - began, os.times()
    processor = now.user + now.system - used.user - used.system
    pairs = len(graphs) * (len(graphs) - 1) // 2
    exact = sum(low == high for i in range(len(graphs))
                for low, high in list(zip(lower[i], upper[i]))[:i])
    print(f"matrix of {len(graphs)} molecules with {min(sizes)} to "
          f"{max(sizes)} atoms, {pairs:,} distances, {100 * exact / pairs:.1f}"
          f" % exact, the others with proven bounds (node_limit={node_limit}), "
          f"{threads or sepx.processors()} threads: {wall:.1f} s, "
          f"{processor:.1f} s of the processor, "
          f"{1e6 * processor / pairs:.1f} us a pair")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=2001)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--networkx-pairs", type=int, default=9)
    parser.add_argument("--timeout", type=float, default=5)
    parser.add_argument("--molecules", nargs="+", default=[])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    bench_cells(options.cells, options.repetitions, options.networkx_pairs,
                options.timeout)
    graphs = [graph for path in options.molecules
              for graph in read_molecules(path)]
    graphs.sort(key=len)
    small = [graph for graph in graphs if len(graph) <= 10]
    if small:
        bench_molecules(small, options.threads, None)
    if graphs:
        bench_molecules(graphs[:options.count], options.threads, 1000)


if __name__ == "__main__":
    main()
