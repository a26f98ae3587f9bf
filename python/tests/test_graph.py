# SPDX-License-Identifier: Apache-2.0
"""sepx.Graph against networkx and against itself."""
import copy
import pickle
import random

import networkx
import numpy
import pytest
from hypothesis import given, strategies

import sepx
from conftest import graphs


def shuffled(graph, seed):
    order = list(range(len(graph)))
    random.Random(seed).shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    return sepx.Graph([graph.nodes[i] for i in order],
                      [(place[e[0]], place[e[1]], *e[2:]) for e in graph.edges],
                      graph.directed)


def match(graph):
    """As networkx sees labels: of nodes, and of all edges between two."""
    made = networkx.MultiDiGraph() if graph.directed else networkx.MultiGraph()
    for i, label in enumerate(graph.nodes):
        made.add_node(i, label=label)
    for edge in graph.edges:
        made.add_edge(*edge[:2], label=edge[2] if len(edge) > 2 else None)
    return made


def test_a_graph_has_what_it_was_made_of():
    graph = sepx.Graph(["a", None, 7], [(1, 0), (0, 1, "x"), (2, 2)])
    assert graph.nodes == ("a", None, "7")
    assert graph.edges == ((0, 1, "x"), (1, 0), (2, 2))
    assert len(graph) == 3 and graph and graph.directed and not graph.simple
    assert graph.ids == (0, 1, 2)
    assert sepx.Graph(2).nodes == (None, None)
    assert sepx.Graph([]) and len(sepx.Graph([])) == 0


def test_undirected_edges_have_no_direction():
    assert sepx.Graph(2, [(1, 0)], False) == sepx.Graph(2, [(0, 1)], False)
    assert sepx.Graph(2, [(1, 0)]) != sepx.Graph(2, [(0, 1)])
    assert sepx.Graph(2, [(0, 1)]) != sepx.Graph(2, [(0, 1)], False)


@pytest.mark.parametrize("arguments, error, words", [
    ((["a"], [(0, 1)]), ValueError, "names the node 1"),
    ((["a"], [(0, -1)]), ValueError, "names the node -1"),
    ((["a"], [(0,)]), ValueError, "is no edge"),
    ((["a"], ["ab"]), TypeError, "is no edge"),
    (("ab", []), TypeError, "one str"),
    ((["a\0b"],), ValueError, "NUL"),
    ((["a" * 256],), sepx.LimitError, "longer than 255"),
    ((5000,), sepx.LimitError, "at most 4096"),
    ((-1,), ValueError, "negative"),
    ((["a", "b"], [], True, ["n", "n"]), ValueError, "two nodes are called"),
    ((["a", "b"], [], True, ["n"]), ValueError, "1 names for 2"),
    ((["\ud800"],), UnicodeEncodeError, "surrogates"),
    ((["a"], [], True, None, "[1]"), ValueError, ""),
    ((["a"], 5), TypeError, "iterable"),
])
def test_what_is_no_graph_raises(arguments, error, words):
    with pytest.raises(error, match=words):
        sepx.Graph(*arguments)


@given(graphs(), strategies.integers(0, 100))
def test_isomorphic_graphs_share_key_hash_and_form(graph, seed):
    other = shuffled(graph, seed)
    assert graph.isomorphic(other) and graph.key() == other.key()
    assert hash(graph) == hash(other)
    assert graph.canonical() == other.canonical()
    place = graph.isomorphism(other)
    assert [other.nodes[j] for j in place] == list(graph.nodes)


@given(graphs(3), graphs(3))
def test_isomorphism_is_what_networkx_says(a, b):
    def same(x, y):
        return x.get("label") == y.get("label")

    def same_bag(x, y):
        return sorted(str(e["label"]) for e in x.values()) == sorted(
            str(e["label"]) for e in y.values())
    if a.directed == b.directed:
        expected = networkx.is_isomorphic(match(a), match(b), same, same_bag)
    else:
        expected = False
    assert a.isomorphic(b) == expected == (a.key() == b.key())


@given(graphs(5))
def test_every_form_reads_back(graph):
    assert pickle.loads(pickle.dumps(graph)) == graph
    names = [f"n{i}" for i in range(len(graph))]
    named = sepx.Graph(graph.nodes, [
        (names[edge[0]], names[edge[1]], *edge[2:]) for edge in graph.edges],
        graph.directed, names)
    for back in (pickle.loads(pickle.dumps(named)), copy.deepcopy(named)):
        assert back == graph and list(back.ids) == names
    assert copy.deepcopy(graph) == graph
    assert sepx.Graph.from_json(graph.to_json()) == graph
    assert sepx.Graph.from_graphml(graph.to_graphml()) == graph
    back = sepx.Graph.from_networkx(graph.to_networkx())
    assert back == graph
    if len(graph.nodes) < 5 and graph.simple:
        plain = sepx.Graph(len(graph), [e[:2] for e in graph.edges],
                           graph.directed)
        assert sepx.Graph.from_numpy(graph.to_numpy(),
                                     directed=graph.directed) == plain


def test_networkx_names_and_labels_are_kept():
    g = networkx.MultiDiGraph()
    g.add_node("left", op="conv", size=3)
    g.add_node(("right", 1), op="pool", size=5)
    g.add_edge("left", ("right", 1), weight=2)
    g.add_edge("left", ("right", 1), weight=2)
    graph = sepx.Graph.from_networkx(g, edge_label="weight")
    assert graph.ids == ("left", ("right", 1))
    assert graph.nodes == ("conv", "pool")
    assert graph.edges == ((0, 1, "2"), (0, 1, "2"))
    assert sepx.Graph.from_networkx(g, node_label="size").nodes == ("3", "5")
    assert sepx.Graph.from_networkx(g, None, None).nodes == (None, None)
    both = sepx.Graph.from_networkx(
        g, node_label=lambda data: f"{data['op']}{data['size']}")
    assert both.nodes == ("conv3", "pool5")
    assert set(graph.to_networkx().nodes) == set(g.nodes)


def test_files_are_read_and_errors_name_the_place(tmp_path):
    path = tmp_path / "two.jsonl"
    path.write_text('{"nodes": ["a"], "edges": []}\n{"nodes": 3}\n')
    with pytest.raises(sepx.DataError) as raised:
        sepx.read(path)
    assert raised.value.file == str(path) and raised.value.line == 2
    assert isinstance(raised.value, ValueError)
    path.write_text('{"nodes": ["a"], "edges": []}\n')
    assert sepx.read(str(path)) == [sepx.Graph(["a"])]
    with pytest.raises(FileNotFoundError) as raised:
        sepx.read(tmp_path / "none.json")
    assert isinstance(raised.value, sepx.Error)
    with pytest.raises(sepx.DataError):
        sepx.Graph.from_json("{")
    with pytest.raises(sepx.DataError):
        sepx.Graph.from_graphml("<graphml>")
    with pytest.raises(sepx.DataError, match="GraphML cannot hold"):
        sepx.Graph(["a\x01"]).to_graphml()
    odd = sepx.Graph(["a\r\n\t<&>\"'"], [(0, 0, "]]>\r")])
    assert sepx.Graph.from_graphml(odd.to_graphml()) == odd


def test_unknown_keys_survive():
    graph = sepx.Graph.from_json(
        '{"nodes": ["a"], "edges": [], "loss": 0.5, "by": {"x": [1]}}')
    again = pickle.loads(pickle.dumps(graph))
    assert '"loss": 0.5' in again.to_json() or '"loss":0.5' in again.to_json()
    assert again.to_json() == graph.to_json()
    with pytest.raises(sepx.DataError, match="has no nodes"):
        sepx.Graph([], extra='{"loss": 0.5}')


def test_matrices_must_be_square_and_symmetric():
    with pytest.raises(ValueError, match="square"):
        sepx.Graph.from_numpy([[0, 1]])
    with pytest.raises(ValueError, match="symmetric"):
        sepx.Graph.from_numpy(numpy.triu(numpy.ones((3, 3))), directed=False)
    labelled = sepx.Graph.from_numpy([[0, 2], [0, 0]], labels=True)
    assert labelled.edges == ((0, 1, "2"),)


def test_more_labels_than_a_table_holds():
    """Tables of names end; graphs of two of them still meet."""
    first = sepx.Graph(["early", "common"], [(0, 1)])
    for i in range(12):
        sepx.Graph([f"label {4000 * i + k}" for k in range(4000)])
    last = sepx.Graph(["common", "late"], [(0, 1)])
    ged = sepx.Ged()
    assert ged(first, last) == 2.0
    assert ged.result(first, last).path[0].new == "common"
    same = sepx.Graph(["early", "common"], [(0, 1)])
    assert first == same and first.isomorphic(same)
    assert hash(first) == hash(same)


def test_notebooks_get_a_picture():
    graph = sepx.Graph(["input", "<&>"], [(0, 1, "x")])
    assert graph.to_dot().startswith("digraph")
    picture = graph._repr_svg_()
    if picture is None:
        pytest.skip("no dot")
    assert picture.rstrip().endswith("</svg>") and "&lt;&amp;&gt;" in picture


def test_dead_nodes_are_left_out_by_the_rules_of_a_space():
    space = sepx.Space("nb101")
    for cell in space.sample(50, seed=3):
        live = cell.live(space)
        after, before = {cell.nodes.index("input")}, {
            cell.nodes.index("output")}
        for _ in cell.nodes:
            after |= {edge[1] for edge in cell.edges if edge[0] in after}
            before |= {edge[0] for edge in cell.edges if edge[1] in before}
        assert live.ids == tuple(sorted(after & before))
        assert live.nodes == tuple(cell.nodes[i] for i in live.ids)
        assert [tuple(live.ids[i] for i in edge) for edge in live.edges] == [
            edge for edge in cell.edges if set(edge) <= after & before]
        assert live.live("nb101") is live and live in space
    named = sepx.Graph({"a": "input", "x": "maxpool3x3", "b": "output"},
                       [("a", "b"), ("a", "x")]).live("nb101")
    assert named.ids == ("a", "b") and named.edges == ((0, 1),)
    # In NAS-Bench-201 every node counts.
    cell = sepx.Space("nb201").sample(seed=1)
    assert cell.live("nb201") is cell
    for graph, why in (
            (sepx.Graph(["input", "output"]), "no path"),
            (sepx.Graph(["input", "blur"], [(0, 1)]), "no label 'blur'"),
            (sepx.Graph(["maxpool3x3"] * 2, [(0, 1), (1, 0)]), "cycle")):
        with pytest.raises(sepx.InvalidError, match=why):
            graph.live("nb101")
