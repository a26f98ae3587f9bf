# SPDX-License-Identifier: Apache-2.0
"""sepx.nx against networkx, its tests, and a brute-force distance."""
import random
import re
import subprocess
import sys
import time
import tomllib

import networkx
import pytest
from hypothesis import given, settings, strategies

pytest.importorskip("scipy", reason="networkx needs python3-scipy")

import compare_nx
import sepx.nx
from conftest import ROOT, oracle_distance, pairs
from sepx import _backend

UPSTREAM = """
import sys
import networkx, networkx.algorithms.similarity as similarity
import pytest, sepx.nx
for name in sepx.nx.__all__:
    for module in (networkx, networkx.algorithms, similarity):
        setattr(module, name, getattr(sepx.nx, name))
tests = similarity.__file__.replace("similarity.py", "tests/test_similarity.py")
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--tb=line", tests, "-k",
                      "not simrank and not panther and not random_paths"]))
"""
# These two are wrong about sepx.nx. The first wants no answer in 0.1 ms, in
# which there is one. The second wants an edge to become a self-loop by one
# substitution, though their ends differ: networkx issues 5400 and 8188.
FAIL = {"test_graph_edit_distance_roots_and_timeout",
        "test_symmetry_with_custom_matching"}


def test_the_tests_of_networkx_pass():
    found = pytest.importorskip("networkx.algorithms.tests.test_similarity")
    assert found
    done = subprocess.run([sys.executable, "-c", UPSTREAM], text=True,
                          capture_output=True)
    failed = set(re.findall(r"^FAILED \S*::(\w+)", done.stdout, re.M))
    assert failed <= FAIL, done.stdout
    if "test_graph_edit_distance_roots_and_timeout" in failed:
        # 8, or a path not that short where a machine is slow
        assert re.search(r"assert \d+\.0 is None", done.stdout), done.stdout
    passed = int(re.search(r"(\d+) passed", done.stdout)[1])
    assert passed >= 25


def test_values_and_paths_are_those_of_all_maps():
    """The full comparison is compare_nx.py, as a command."""
    answers = [compare_nx.check(seed, 4, 60) for seed in range(400)]
    wrong = [answer for answer in answers if answer.startswith("seed")]
    assert not wrong
    assert answers.count("same") > 300


def test_no_path_deletes_a_root():
    inf, distance = float("inf"), sepx.nx.graph_edit_distance
    one, two = networkx.empty_graph(1), networkx.path_graph(2)
    rooted = {"node_subst_cost": lambda a, b: 3, "roots": (0, 1)}
    assert distance(one, two, **rooted) == 5
    assert distance(one, two, **rooted, upper_bound=4.5) is None
    assert distance(one, two, **rooted, upper_bound=5, timeout=60) == 5
    lower, upper = distance(one, two, **rooted, upper_bound=4.5, bounds=True)
    assert 4.5 < lower <= 5 <= upper
    for only in (True, False):
        def paths(**more):
            return list(sepx.nx.optimize_edit_paths(
                one, two, strictly_decreasing=only, **more))
        assert paths(**rooted, upper_bound=4.5) == []
        assert [cost for _, _, cost in paths(**rooted)] == [5]
        rooted_apart = dict(rooted, node_subst_cost=lambda a, b: inf)
        assert paths(**rooted_apart) == []
        assert distance(one, two, **rooted_apart) == inf
        assert distance(one, two, **rooted_apart, upper_bound=9) is None


def test_no_path_is_infinite_where_costs_are_far_apart():
    """None is for what is not known."""
    inf, distance = float("inf"), sepx.nx.graph_edit_distance
    one, two = networkx.empty_graph(1), networkx.path_graph(2)
    apart = {"node_ins_cost": lambda data: 9e6, "roots": (0, 0),
             "edge_ins_cost": lambda data: 0.034411}
    for subst, best in ((inf, inf), (2, 9e6 + 0.034411 + 2)):
        assert distance(one, two, **apart,
                        node_subst_cost=lambda a, b: subst) == best
    assert distance(one, two, **apart, upper_bound=-inf) is None


def test_upper_bounds_hold_for_tiny_costs():
    distance, best = sepx.nx.graph_edit_distance, 2e-10 + 3e-10
    one, two = networkx.empty_graph(1), networkx.path_graph(2)
    tiny = {"node_ins_cost": lambda data: 2e-10,
            "edge_ins_cost": lambda data: 3e-10}
    assert distance(one, two, **tiny) == best
    assert distance(one, two, **tiny, upper_bound=best) == best
    for limit in (0, 4e-10):
        assert distance(one, two, **tiny, upper_bound=limit) is None
    lower, upper = distance(one, two, **tiny, upper_bound=4e-10, bounds=True)
    assert 4e-10 < lower <= best <= upper


def as_nx(graph):
    made = (networkx.MultiDiGraph if graph.directed
            else networkx.MultiGraph)()
    for i, label in enumerate(graph.nodes):
        made.add_node(i, label=label)
    for edge in graph.edges:
        made.add_edge(*edge[:2], label=edge[2] if len(edge) > 2 else None)
    return made


def same(one, two):
    return one["label"] == two["label"]


@settings(max_examples=40)
@given(pairs(3), strategies.sampled_from([0.5, 1, 3]))
def test_self_loops_and_parallel_edges(pair, cost):
    first, second = map(as_nx, pair)
    assert sepx.nx.graph_edit_distance(
        first, second, node_match=same, edge_match=same,
        node_del_cost=lambda data: cost) == pytest.approx(
            oracle_distance(*pair, costs={"node_delete": cost}))
    assert sepx.nx.graph_edit_distance(
        first, second, node_match=same,
        edge_match=same) == oracle_distance(*pair)


@settings(max_examples=30)
@given(pairs(3, simple=True))
def test_all_optimal_paths_are_found(pair):
    first, second = (graph.to_networkx() for graph in pair)
    mine, cost = sepx.nx.optimal_edit_paths(first, second)
    theirs, expected = networkx.optimal_edit_paths(first, second)
    assert cost == expected

    def forms(paths):
        return {(frozenset(nodes), frozenset(edges)) for nodes, edges in paths}
    assert forms(mine) == forms(theirs) and len(mine) == len(theirs)


def test_limits_mean_what_they_mean_there():
    one, two = networkx.cycle_graph(6), networkx.wheel_graph(7)
    distance = sepx.nx.graph_edit_distance
    assert distance(one, two) == 7 == networkx.graph_edit_distance(one, two)
    assert distance(one, two, upper_bound=7) == 7
    assert distance(one, two, upper_bound=6.9) is None
    assert sepx.nx.optimal_edit_paths(one, two, upper_bound=6) == ([], None)
    assert list(sepx.nx.optimize_edit_paths(one, two, upper_bound=6)) == []
    assert distance(one, two, bounds=True) == (7, 7)
    with pytest.raises(networkx.NetworkXError, match="greater than 0"):
        distance(one, two, timeout=0)
    with pytest.raises(networkx.NetworkXError, match="directed"):
        distance(one, networkx.DiGraph())
    with pytest.raises(networkx.NodeNotFound):
        distance(one, two, roots=(0, 99))
    for bad in (-1, float("nan")):
        with pytest.raises(ValueError, match="node_del_cost of {} is"):
            distance(one, two, node_del_cost=lambda data: bad)
    with pytest.raises(ValueError, match="edge_subst_cost of {} and {} is -2"):
        distance(one, two, edge_subst_cost=lambda a, b: -2)
    with pytest.raises(ZeroDivisionError):
        distance(one, two, node_match=lambda a, b: 1 / 0)
    large = networkx.gnp_random_graph(60, 0.2, 1)
    other = networkx.gnp_random_graph(60, 0.2, 2)
    lower, upper = distance(large, other, timeout=0.3, bounds=True)
    assert 0 < lower < upper
    assert lower <= distance(large, other, timeout=0.3) < 1000


def parallel(seed):
    """60 nodes, 1,900 pairs of them with five edges each, of 200 labels."""
    rng = random.Random(seed)
    ends = [(i, j) for i in range(60) for j in range(60) if i != j]
    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(range(60))
    graph.add_edges_from((u, v, {"label": rng.randrange(200)})
                         for u, v in rng.sample(ends, 1900) for _ in range(5))
    return graph


def test_the_timeout_holds_while_edges_are_compared():
    """There are 90 million pairs of them, 10 s and more of processor time."""
    one, two = parallel(1), parallel(2)
    for name in ("edge_match", "edge_subst_cost"):
        began = time.process_time()
        assert sepx.nx.graph_edit_distance(
            one, two, timeout=1, bounds=True,
            **{name: lambda a, b: a == b}) == (0, float("inf"))
        assert time.process_time() - began < 4
    began = time.process_time()
    assert sepx.nx.graph_edit_distance(one, one, timeout=60) == 0
    assert time.process_time() - began < 3


def test_prices_of_all_pairs_are_copied_once():
    """Of 6 million; each row was copied again for each that followed."""
    one, two = (parallel(seed).edge_subgraph(
        list(parallel(seed).edges)[:2500]) for seed in (1, 2))
    began = time.process_time()
    assert sepx.nx.graph_edit_distance(
        one, two, timeout=20, upper_bound=0,
        edge_subst_cost=lambda a, b: 0.5 * (a != b)) is None
    assert time.process_time() - began < 15


def test_what_must_not_be_has_no_price():
    """An infinite cost forbids an edit."""
    inf, distance = float("inf"), sepx.nx.graph_edit_distance
    one, two = networkx.path_graph(4), networkx.cycle_graph(5)
    for name in ("node_del_cost", "edge_del_cost"):
        for cost in (0.1, 1.0):
            costs = {name: lambda data: inf,
                     "node_ins_cost": lambda data: cost}
            assert distance(one, two, **costs) == pytest.approx(
                networkx.graph_edit_distance(one, two, **costs))
    # A node must go, whatever it costs.
    never = {"node_del_cost": lambda data: inf}
    assert distance(two, one, **never) == inf
    assert distance(two, one, **never, bounds=True) == (inf, inf)
    assert distance(two, one, **never, upper_bound=100) is None
    assert distance(two, one, **never, upper_bound=inf) == inf
    assert sepx.nx.optimal_edit_paths(two, one, **never) == ([], None)
    found = set()
    for seed in range(30):
        first = networkx.gnp_random_graph(4, 0.4, seed)
        second = networkx.gnp_random_graph(5, 0.5, seed + 100)
        for name in ("node_del_cost", "edge_del_cost", "edge_ins_cost"):
            dear = distance(first, second, **{name: lambda data: 1e6})
            assert distance(first, second, **{name: lambda data: inf}) == (
                dear if dear < 1e6 else inf)
            found.add(dear < 1e6)
    assert found == {True, False}


def test_empty_graphs():
    none = networkx.Graph()
    assert sepx.nx.graph_edit_distance(none, none) == 0
    assert sepx.nx.optimal_edit_paths(none, none) == ([([], [])], 0)


def test_the_backend_knows_what_it_can_run():
    one, two = networkx.path_graph(3), networkx.DiGraph()
    assert _backend.can_run("graph_edit_distance", (one, one), {}) is True
    assert "directed" in _backend.can_run("optimal_edit_paths", (one, two), {})
    assert "pagerank" in _backend.can_run("pagerank", (one,), {})
    assert "4096" in _backend.can_run(
        "graph_edit_distance", (networkx.empty_graph(4097), one), {})
    kept = _backend.convert_from_nx(one, node_attrs=None, edge_attrs=None)
    assert _backend.can_run("graph_edit_distance", (kept,), {"G2": one}) is True
    assert _backend.graph_edit_distance(kept, kept) == 0
    assert kept.is_directed() is False and _backend.convert_to_nx(kept) is one
    assert set(_backend.info()["functions"]) == set(sepx.nx.__all__)


DISPATCHED = """
import sys
sys.path.insert(0, {folder!r})  # as pip leaves it
import networkx as nx
nx.config.warnings_to_ignore.add("cache")
one, two = nx.cycle_graph(6), nx.wheel_graph(7)
for graph, colours in ((one, 2), (two, 3)):
    for node in graph:
        graph.nodes[node]["colour"] = node % colours
def same(a, b):
    return a["colour"] == b["colour"]
found = nx.graph_edit_distance(one, two, node_match=same, backend="sepx")
assert found == 10
paths, cost = nx.optimal_edit_paths(one, two, node_match=same, backend="sepx")
assert cost == found and len(paths) > 0
assert list(nx.optimize_graph_edit_distance(
    one, two, node_match=same, backend="sepx")) == [found]
assert [path[2] for path in nx.optimize_edit_paths(
    one, two, node_match=same, backend="sepx")] == [found]
try:
    nx.graph_edit_distance(one, nx.DiGraph(), backend="sepx")
    raise SystemExit("a distance to a directed graph")
except NotImplementedError:
    pass
nx.config.backend_priority = ["sepx"]
assert nx.graph_edit_distance(one, two, node_match=same) == found
assert abs(sum(nx.pagerank(one).values()) - 1) < 1e-6  # of networkx itself
print("fine")
"""


def test_networkx_finds_the_backend(tmp_path):
    if not hasattr(networkx, "config"):
        pytest.skip("networkx 3.2 or newer is not installed")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = tmp_path / "sepx-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: sepx\n"
                                     "Version: 0\n")
    (folder / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{key} = {value}\n"
                                 for key, value in rows.items())
        for group, rows in project["entry-points"].items()))
    done = subprocess.run(
        [sys.executable, "-c", DISPATCHED.format(folder=str(tmp_path))],
        text=True, capture_output=True)
    assert done.stdout == "fine\n", done.stderr
