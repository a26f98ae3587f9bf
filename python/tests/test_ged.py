# SPDX-License-Identifier: Apache-2.0
"""sepx.Ged against a brute-force distance."""
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest
from hypothesis import given, settings, strategies

import sepx
from conftest import graphs, oracle_distance, pairs

COST = strategies.sampled_from([0, 0.5, 1, 1.25, 3])


@given(pairs(4))
def test_the_distance_is_the_least_over_all_maps(pair):
    assert sepx.Ged()(*pair) == oracle_distance(*pair)


@given(pairs(3), strategies.fixed_dictionaries({}, optional={
    "node_insert": COST, "node_delete": COST, "node_relabel": COST,
    "edge_insert": COST, "edge_delete": COST, "edge_relabel": COST,
    "node_table": strategies.just([("a", "b", 0.25), (None, "a", 2)]),
    "edge_table": strategies.just([("x", "y", 0.25)])}))
def test_costs_are_obeyed(pair, costs):
    distance = sepx.Ged(costs=costs)(*pair)
    assert distance == pytest.approx(oracle_distance(*pair, costs=costs))


@given(pairs(4), strategies.booleans())
def test_pinned_labels_are_not_relabelled(pair, ignore):
    ged = sepx.Ged(pinned=["a"], ignore_labels=ignore)
    assert ged(*pair) == oracle_distance(*pair, pinned=["a"],
                                         ignore_labels=ignore)


@given(pairs(4))
def test_the_path_leads_to_the_second_graph(pair):
    first, second = pair
    ged = sepx.Ged()
    result = ged.result(first, second)
    assert result.exact and result.lower == result.upper == float(result)
    assert len(result.path) == result.upper
    assert ged.map_cost(first, second, result.map) == result.upper
    assert apply(first, result.path).isomorphic(second)
    drawing = result.draw("both")
    assert drawing.startswith(("digraph", "graph")) and "both" in drawing


def test_inserted_nodes_have_names_of_their_own():
    one = sepx.Graph({"a": "x"})
    two = sepx.Graph({"a": "x", "b": "y"}, [("a", "b")])
    back = sepx.Graph({"b": "x", "a": "y"}, [("b", "a")])
    assert [str(edit) for edit in sepx.Ged().result(one, two).path] == [
        "insert node b: y", "insert edge a to b"]
    assert [str(edit) for edit in sepx.Ged().result(one, back).path] == [
        "insert node new a: y", "insert edge a to new a"]


def apply(graph, path):
    """Edits applied one by one, to lists."""
    nodes = dict(enumerate(graph.nodes))
    edges = [(e[0], e[1], e[2] if len(e) > 2 else None) for e in graph.edges]

    def find(place, label):
        for row in ((*place, label), (*place[::-1], label)):
            if row in edges and (row[:2] == place or not graph.directed):
                return row
        raise AssertionError(f"no edge {place} labelled {label}")
    for edit in path:
        if edit.kind in ("node_insert", "node_relabel"):
            assert (edit.place in nodes) == (edit.kind == "node_relabel")
            nodes[edit.place] = edit.new
        elif edit.kind == "node_delete":
            assert nodes.pop(edit.place) == edit.old
            assert all(edit.place not in e[:2] for e in edges)
        elif edit.kind == "edge_insert":
            edges.append((*edit.place, edit.new))
        else:
            edges.remove(find(edit.place, edit.old))
            if edit.kind == "edge_relabel":
                edges.append((*edit.place, edit.new))
    return sepx.Graph(nodes, edges, graph.directed)


@settings(max_examples=15)
@given(strategies.lists(graphs(4, True), max_size=6),
       strategies.integers(1, 3))
def test_many_are_as_one_by_one(some, threads):
    ged = sepx.Ged()
    expected = [[ged(a, b) for b in some] for a in some]
    matrix = ged.matrix(some, threads=threads)
    assert matrix.tolist() == expected
    assert matrix.shape == (len(some), len(some))
    assert ged.cdist(some, some, threads=threads).tolist() == expected
    assert ged.pairs(some, some[::-1], threads=threads).tolist() == [
        ged(a, b) for a, b in zip(some, some[::-1])]


def test_prepared_graphs_serve_their_ged():
    ged, some = sepx.Ged(), [sepx.Graph(n) for n in (1, 2, 4)]
    ready = ged.prepare(some)
    assert len(ready) == 3
    assert ged.matrix(ready).tolist() == ged.matrix(some).tolist()
    assert ged.pairs(ready, some[::-1]).tolist() == [3, 0, 3]
    del some
    assert ged.cdist(ready, ready)[0] == [0, 1, 3]
    with pytest.raises(ValueError, match="another Ged"):
        sepx.Ged().matrix(ready)
    with pytest.raises(TypeError):
        ged.prepare([1])


def test_costs_that_are_not_symmetric_make_a_matrix_that_is_not():
    ged = sepx.Ged(costs={"node_insert": 3})
    assert ged.matrix([sepx.Graph(1), sepx.Graph(2)]).tolist() == [
        [0, 3], [1, 0]]


def test_numpy_takes_buffers_without_a_copy():
    matrix = sepx.Ged().matrix([sepx.Graph(n) for n in (1, 2, 4)])
    array = numpy.asarray(matrix)
    assert array.dtype == numpy.float64 and array.flags.c_contiguous
    assert array.tolist() == [[0, 1, 3], [1, 0, 2], [3, 2, 0]]
    array[0, 1] = 17
    assert matrix[0, 1] == 17 and matrix[0] == [0, 17, 3]
    assert memoryview(matrix).shape == (3, 3)
    assert matrix[-1, -2] == 2 and len(matrix) == 3
    vector = sepx.Ged().pairs([sepx.Graph(1)], [sepx.Graph(5)])
    assert numpy.asarray(vector).tolist() == [4] == list(vector)
    for index in (3, -4, (0, 3), (0,), "a"):
        with pytest.raises((IndexError, TypeError)):
            matrix[index]
    assert sepx.Ged().matrix([]).tolist() == []


def hard_pair(n=40, seed=1):
    """Two graphs without labels that take long."""
    draw = random.Random(seed)
    return [sepx.Graph(n, [(i, j) for i in range(n) for j in range(i + 1, n)
                           if draw.random() < 0.3], False) for _ in range(2)]


def test_limits_give_proven_bounds():
    a, b = hard_pair()
    result = sepx.Ged().result(a, b, node_limit=1000)
    assert result.lower < result.upper and not result.exact
    assert result.end == "node_limit" and "node_limit" in repr(result)
    with pytest.raises(sepx.UnprovenError) as raised:
        float(result)
    assert raised.value.lower == result.lower
    assert sepx.Ged().result(a, b, time_limit=0.05).end == "time_limit"
    assert sepx.Ged().result(a, b, at_most=2).lower > 2
    with pytest.warns(sepx.UnprovenWarning, match="1 distances"):
        upper = sepx.Ged().matrix([a, b], node_limit=1000)
    low, high = sepx.Ged().matrix([a, b], node_limit=1000, bounds=True)
    assert high[0, 1] == upper[0, 1] and low[0, 1] < high[0, 1]


@pytest.mark.parametrize("make, words", [
    (lambda: sepx.Ged(pinned="ab"), "one str"),
    (lambda: sepx.Ged(costs={"node_insert": -1}), "from 0"),
    (lambda: sepx.Ged(costs={"nodes": 1}), "unknown cost 'nodes'"),
    (lambda: sepx.Ged(costs={"node_table": [(1, 2)]}), "expected"),
    (lambda: sepx.Ged(costs=[1]), "dict"),
    (lambda: sepx.Ged(threads=-1), "threads"),
    (lambda: sepx.Ged()(sepx.Graph(1)), "two graphs"),
    (lambda: sepx.Ged()(sepx.Graph(1), 3), "expected a sepx.Graph"),
    (lambda: sepx.Ged()(sepx.Graph(1), sepx.Graph(1, (), False)),
     "directed and the other"),
    (lambda: sepx.Ged().pairs([sepx.Graph(1)], []), "as many on each side"),
    (lambda: sepx.Ged().cdist([sepx.Graph(1)], [sepx.Graph(1, (), False)]),
     "some are"),
    (lambda: sepx.Ged().matrix(7), "iterable"),
    (lambda: sepx.Ged().matrix([7]), "expected a sepx.Graph"),
    (lambda: sepx.Ged().result(sepx.Graph(1), sepx.Graph(1), time_limit=-1),
     "above 0"),
    (lambda: sepx.Ged().result(sepx.Graph(1), sepx.Graph(1), at_most="a"),
     "real number"),
    (lambda: sepx.Ged().map_cost(sepx.Graph(1), sepx.Graph(1), []), "entry"),
    (lambda: sepx.Ged().map_cost(sepx.Graph(1), sepx.Graph(1), [5]), "node 5"),
    (lambda: sepx.Ged().map_cost(sepx.Graph(1), sepx.Graph(1), [65536]),
     "node 65536"),
    (lambda: sepx.Ged().map_cost(sepx.Graph(1), sepx.Graph(1), [-1]),
     "node -1"),
    (lambda: sepx.Ged().matrix([sepx.Graph(1)], threads=-1), "threads"),
    (lambda: sepx.Ged().result(sepx.Graph(1), sepx.Graph(1), node_limit=-1),
     "node_limit"),
])
def test_what_cannot_be_raises(make, words):
    with pytest.raises((ValueError, TypeError), match=words):
        make()


def test_a_ged_serves_several_threads():
    ged = sepx.Ged()
    some = [hard_pair(9, seed)[0] for seed in range(12)]
    expected = [[ged(a, b) for b in some] for a in some]
    wrong = []

    def work():
        mine = [[ged(a, b) for b in some] for a in some]
        if mine != expected:
            wrong.append(mine)
    crew = [threading.Thread(target=work) for _ in range(4)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join()
    assert not wrong


def test_a_ged_pickles_with_its_options():
    ged = sepx.Ged(pinned=["a"], costs={"edge_insert": 2}, threads=1)
    again = pickle.loads(pickle.dumps(ged))
    assert repr(again) == repr(ged)
    a, b = sepx.Graph(["a"]), sepx.Graph(["b", "b"], [(0, 1)])
    assert again(a, b) == ged(a, b) == 5


def test_progress_is_told_and_may_stop():
    seen = []
    some = hard_pair(8) * 3
    sepx.Ged().matrix(some, progress=lambda *now: seen.append(now))
    assert seen[-1] == (15, 15)

    def fail(done, total):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        sepx.Ged().matrix(hard_pair(), progress=fail)


INTERRUPTED = """
import sys, time
sys.path.insert(0, {tests!r})
import sepx, sepx.nx, test_ged
a, b = test_ged.hard_pair(60)
ged = sepx.Ged()
print("ready", flush=True)
try:
    {what}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("what", [
    "ged(a, b)", "ged.result(a, b)", "ged.matrix([a, b])",
    "sepx.nx.graph_edit_distance(a.to_networkx(), b.to_networkx())",
    "sepx.nx.optimal_edit_paths(a.to_networkx(), b.to_networkx())",
    "ged.pairs([a], [b], threads=1)"])
def test_ctrl_c_works_inside(what):
    code = INTERRUPTED.format(tests=os.path.dirname(__file__), what=what)
    with subprocess.Popen([sys.executable, "-c", code], text=True,
                          stdout=subprocess.PIPE) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "stopped\n"
        assert child.wait() == 0
