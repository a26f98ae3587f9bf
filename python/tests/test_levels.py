# SPDX-License-Identifier: Apache-2.0
"""Networks as units and blocks, and back to operations."""
import random

import pytest

import sepx
from sepx import levels


def residual(begin, nodes, edges, name, project):
    """A residual block after a node; its last node."""
    at = len(nodes)
    nodes += [f"Conv out={name} k=3", "BatchNorm", "Relu", "Conv k=3",
              "BatchNorm", "Add", "Relu"]
    edges += [(begin, at)] + [(i, i + 1) for i in range(at, at + 6)]
    if project:
        nodes.append(f"Conv out={name} k=1")
        edges += [(begin, at + 7), (at + 7, at + 5)]
    else:
        edges.append((begin, at + 5))
    return at + 6


def network(rng, length):
    """(graph, number of residual blocks) of some blocks and layers."""
    nodes, edges, last, count = ["input"], [], 0, 0
    for _ in range(length):
        if rng.random() < 0.6:
            last = residual(last, nodes, edges, rng.choice((8, 16)),
                            rng.random() < 0.5)
            count += 1
        else:
            nodes.append(rng.choice(("MaxPool k=2", "Conv k=5", "Relu")))
            edges.append((last, len(nodes) - 1))
            last = len(nodes) - 1
    nodes.append("output")
    edges.append((last, len(nodes) - 1))
    return sepx.Graph(nodes, edges), count


def shuffled(graph, rng):
    places = list(range(len(graph)))
    rng.shuffle(places)
    nodes = [None] * len(graph)
    for old, new in enumerate(places):
        nodes[new] = graph.nodes[old]
    return sepx.Graph(nodes, [(places[e[0]], places[e[1]])
                              for e in graph.edges])


@pytest.mark.parametrize("seed", range(40))
def test_each_level_leads_back(seed):
    rng = random.Random(seed)
    graph, count = network(rng, rng.randint(1, 8))
    for one in (graph, shuffled(graph, rng)):
        table = {}
        small, few = levels.units(one), levels.blocks(one, table)
        assert levels.expand(small).isomorphic(graph)
        assert levels.expand(few, table).isomorphic(graph)
        assert sum(label in table for label in few.nodes) == count
        assert len(few) <= len(small) <= len(one)


def test_equal_blocks_of_two_networks_have_one_label():
    table = {}
    made = [levels.blocks(network(random.Random(seed), 6)[0], table)
            for seed in range(12)]
    assert 1 < len(table) <= 4  # two widths, with and without projection
    assert all(not one.isomorphic(two) for i, one in enumerate(
        table.values()) for two in list(table.values())[:i])
    space = sepx.Space.of(made)
    assert all(graph in space for graph in made)


def test_a_unit_ends_where_a_value_is_read_twice():
    graph = sepx.Graph(
        ["input", "Conv", "BatchNorm", "Relu", "Add", "Relu", "output"],
        [(0, 1), (1, 2), (2, 3), (2, 4), (3, 4), (4, 5), (5, 6)])
    assert levels.units(graph).nodes == (
        "input", "Conv + BatchNorm", "Relu", "Add", "Relu", "output")


def test_a_value_that_is_added_to_itself_stays_so():
    graph = sepx.Graph(["input", "Relu", "Add", "Add", "output"],
                       [(0, 1), (0, 2), (0, 2), (1, 3), (2, 3), (3, 4)])
    table = {}
    few = levels.blocks(graph, table)
    assert len(few) == 3 and levels.expand(few, table).isomorphic(graph)


def test_a_label_of_a_block_is_none_of_an_operation():
    graph = sepx.Graph(
        ["input", "Relu", "Add", "Add", "Relu", "output"],
        [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5)])
    table = {}
    few = levels.blocks(graph, table)
    assert "Add" in few.nodes and "Add" not in table
    assert levels.expand(few, table).isomorphic(graph)


def test_what_cannot_be_expanded_raises():
    graph = sepx.Graph(["input", "a", "output"], [(0, 1), (1, 2)])
    with pytest.raises(ValueError, match="one node 'input'"):
        levels.expand(graph, {"a": sepx.Graph(["x", "y"], [(0, 1)])})
    with pytest.raises(ValueError, match="one node leads to 'output'"):
        levels.expand(graph, {"a": sepx.Graph(
            ["input", "x", "y", "output"], [(0, 1), (0, 2), (1, 3), (2, 3)])})
    branches = sepx.Graph(["input", "x", "y", "output"],
                          [(0, 1), (0, 2), (1, 2), (2, 3)])
    with pytest.raises(ValueError, match="2 edges lead to a block 'a'"):
        levels.expand(sepx.Graph(["input", "input", "a", "output"],
                                 [(0, 2), (1, 2), (2, 3)]), {"a": branches})
    with pytest.raises(ValueError, match="at least one"):
        sepx.Space.of([])
    with pytest.raises(ValueError, match="cycle"):
        levels.expand(sepx.Graph(2, [(0, 1), (1, 0)]))
    with pytest.raises(ValueError, match="directed"):
        levels.blocks(sepx.Graph(2, [(0, 1)], False), {})


def test_a_space_has_room_for_its_graphs():
    row = ["input"] + ["conv"] * 78 + ["output"]
    graph = sepx.Graph(row, [(i, i + 1) for i in range(79)])
    assert graph in sepx.Space.of([graph])
    with pytest.raises(ValueError, match="80 nodes; at most 70"):
        sepx.Space.of([graph], nodes=70)


def test_a_space_around_graphs_has_labels_of_edges():
    graph = sepx.Graph(["input", "a", "output"], [(0, 1, "x"), (1, 2)])
    space = sepx.Space.of([graph])
    assert graph in space
    assert "edge" in space.check(sepx.Graph(
        ["input", "a", "output"], [(0, 1, "y"), (1, 2)]))


def test_spaces_of_graphs_with_parameters_have_them():
    a = sepx.Graph(["input", "conv", "token", "concat", "output"],
                   [(0, 1), (1, 3), (2, 3), (3, 4)])
    b = sepx.Graph(["input", "token", "concat", "output"],
                   [(0, 2), (1, 2), (2, 3)])
    space = sepx.Space.of([a, b])
    assert a in space and b in space
    assert sepx.Graph(["input", "conv", "token", "output"],
                      [(0, 1), (1, 3)]) not in space
