# SPDX-License-Identifier: Apache-2.0
"""Networks at three levels, and the way back.

A graph of operations becomes one of units, a convolution or linear layer
with its norm and activation, or one of blocks, parts with one entry and one
exit. expand() makes the operations again.
"""
import heapq

from .graph import Graph, convert

__all__ = ["units", "blocks", "expand"]

_JOIN = " + "
_ACTIVATIONS = frozenset((
    "celu clip elu gelu glu hardsigmoid hardswish hardtanh leakyrelu mish "
    "prelu relu relu6 selu sigmoid silu softplus softsign tanh").split())


def fields(label):
    """("Conv2d", {"k": "3", "s": "2"}) of "Conv2d k=3 s=2"."""
    words = (label or "").split(" ")
    pairs = [word.partition("=") for word in words if "=" in word]
    return words[0], {name: value for name, _, value in pairs}


def _kind(label):
    return fields(label)[0].lower().replace("_", "")


def neighbours(graph):
    """(sources, targets) of each node; parallel edges count."""
    sources = [[] for _ in graph.nodes]
    targets = [[] for _ in graph.nodes]
    for edge in graph.edges:
        sources[edge[1]].append(edge[0])
        targets[edge[0]].append(edge[1])
    return sources, targets


def order(graph):
    """Nodes in an order in which all sources come first, by small numbers."""
    if not graph.directed:
        raise ValueError("a network is a directed graph")
    sources, targets = neighbours(graph)
    missing = [len(row) for row in sources]
    ready = [i for i, count in enumerate(missing) if not count]
    done = []
    while ready:
        node = heapq.heappop(ready)
        done.append(node)
        for target in targets[node]:
            missing[target] -= 1
            if not missing[target]:
                heapq.heappush(ready, target)
    if len(done) < len(missing):
        raise ValueError("the graph has a cycle; a network has none")
    return done


# ---- units ----


def is_layer(kind):
    return kind.startswith("conv") or kind in ("linear", "gemm", "matmul")


def units(graph):
    """The graph with each convolution or linear layer, and the norm and the
    activation that alone read it, as one node; its label is theirs, joined.

    >>> import sepx
    >>> g = sepx.Graph(["input", "Conv k=3", "BatchNorm", "Relu", "output"],
    ...                [(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> sepx.levels.units(g).nodes
    ('input', 'Conv k=3 + BatchNorm + Relu', 'output')
    >>> sepx.levels.expand(sepx.levels.units(g)) == g
    True
    """
    graph = convert(graph)
    sources, targets = neighbours(graph)
    kinds = [_kind(label) for label in graph.nodes]
    groups = []
    for node, kind in enumerate(kinds):
        if not is_layer(kind):
            continue
        chain, wanted = [node], ["norm", "activation"]
        while len(targets[chain[-1]]) == 1:
            after = targets[chain[-1]][0]
            what = ("norm" if "norm" in kinds[after] else "activation"
                    if kinds[after] in _ACTIVATIONS else None)
            if what not in wanted or len(sources[after]) != 1:
                break
            wanted = wanted[wanted.index(what) + 1:]
            chain.append(after)
        if len(chain) > 1:
            groups.append((chain, _JOIN.join(graph.nodes[i] for i in chain)))
    return _merge(graph, groups)


def _merge(graph, groups):
    """The graph with each (nodes, label) as one node, which stands where the
    last of them stood. Edges within are left out, and several nodes that read
    the same value are one edge."""
    place = list(range(len(graph)))
    labels = dict(enumerate(graph.nodes))
    for nodes, label in groups:
        last = max(nodes)
        for node in nodes:
            place[node] = last
            if node != last:
                del labels[node]
        labels[last] = label
    outer = [edge for edge in graph.edges if place[edge[0]] != place[edge[1]]]
    readers = {}
    for edge in outer:
        readers.setdefault(place[edge[1]], set()).add(edge[1])
    ids, edges, read = graph.ids, [], set()
    for edge in outer:
        pair = place[edge[0]], place[edge[1]]
        if len(readers[pair[1]]) == 1 or pair not in read:
            edges.append((ids[pair[0]], ids[pair[1]], *edge[2:]))
        read.add(pair)
    return Graph({ids[i]: label for i, label in labels.items()}, edges)


# ---- blocks ----


def part(graph, nodes):
    """What a block of these nodes is: a graph with one node `input`, one
    `output` and the nodes between; None if they have no single entry and
    exit. Either one node outside is read, or one node inside reads."""
    inside, inner = set(nodes), sorted(nodes)
    entries = [edge for edge in graph.edges
               if edge[1] in inside and edge[0] not in inside]
    exits = {edge[0] for edge in graph.edges
             if edge[0] in inside and edge[1] not in inside}
    read, readers = {e[0] for e in entries}, {e[1] for e in entries}
    sources, targets = neighbours(graph)
    if not all(targets[i] and (sources[i] or graph.nodes[i] == "parameter")
               for i in inner):
        return None
    if len(exits) != 1 or not entries or min(len(read), len(readers)) != 1:
        return None
    ids = graph.ids
    edges = [("input", ids[edge[1]]) for edge in (
        entries if len(readers) > 1 else entries[:1])]
    edges += [(ids[edge[0]], ids[edge[1]], *edge[2:]) for edge in graph.edges
              if edge[0] in inside and edge[1] in inside]
    edges.append((ids[exits.pop()], "output"))
    return Graph({"input": "input", **{ids[i]: graph.nodes[i] for i in inner},
                  "output": "output"}, edges)


def describe(block, name):
    """A label of a block: a name and, where they are known, the width, the
    largest kernel and the stride."""
    sources, _ = neighbours(block)
    width, stride, kernel = {}, {}, 0
    for node in order(block):
        word, known = fields(block.nodes[node])
        before = [width[i] for i in sources[node]]
        if "out" in known:
            width[node] = int(known["out"])
        elif word.lower().startswith(("cat", "concat")):
            width[node] = None if None in before else sum(before)
        else:
            width[node] = next((w for w in before if w is not None), None)
        own = known.get("s", "1")
        stride[node] = max([stride[i] for i in sources[node]], default=1) * (
            int(own) if own.isdigit() else 1)
        sizes = [int(k) for k in known.get("k", "0").split("x") if k.isdigit()]
        kernel = max(kernel, *sizes) if sizes else kernel
    end = block.nodes.index("output")
    rows = (("out", width[end]), ("k", kernel), ("s", stride[end]))
    return " ".join([name] + [f"{key}={value}" for key, value in rows
                              if value and (key, value) != ("s", 1)])


def enter(table, label, block):
    """The label under which a table has a block: the one that it is known by
    already, or this one, with a number if another block has it."""
    for known, other in table.items():
        if other.isomorphic(block):
            return known
    free, number = label, 2
    while free in table:
        free, number = f"{label} v={number}", number + 1
    table[free] = block
    return free


def collapse(graph, groups, table):
    """The graph with each (nodes, name) as one node, if they are a block;
    `table` gets what the labels stand for."""
    merged = []
    for nodes, name in groups:
        block = part(graph, nodes)
        if block is not None:
            label = describe(block, name)
            merged.append((nodes, enter(table, label, block)))
    return _merge(graph, merged)


def regions(graph):
    """Groups of nodes between two places that every path passes, wherever
    there is more than one path, with the second of these places; as lists."""
    sources, targets = neighbours(graph)
    line = order(graph)
    place = {node: i for i, node in enumerate(line)}
    ends = [node for node in line if not targets[node]]
    found, begin, reach = [], None, 0
    for i, node in enumerate(line):
        if (reach <= i and (sources[node] or not i)
                and all(place[end] >= i for end in ends)):
            if begin is not None and i - begin > 1:
                found.append(line[begin + 1:i + 1])
            begin = i
        reach = max([reach] + [place[target] for target in targets[node]])
    return found


def blocks(graph, table):
    """The graph with each part that branches and joins again as one node:
    residual blocks, inceptions. `table`, a dict, gets what each label stands
    for, a graph between `input` and `output`; share it between networks, so
    that equal blocks have equal labels.

    >>> import sepx
    >>> g = sepx.Graph(["input", "Conv out=8 k=3", "Add", "output"],
    ...                [(0, 1), (1, 2), (0, 2), (2, 3)])
    >>> table = {}
    >>> b = sepx.levels.blocks(g, table)
    >>> b.nodes
    ('input', 'block end=Add out=8 k=3', 'output')
    >>> sepx.levels.expand(b, table) == g
    True
    """
    graph = convert(graph)
    groups = [(nodes, f"block end={fields(graph.nodes[nodes[-1]])[0]}")
              for nodes in regions(graph)]
    return units(collapse(graph, groups, table))


# ---- the way back ----


def _chain(label):
    """The graph of a unit."""
    parts = label.split(_JOIN)
    nodes = {"input": "input", **dict(enumerate(parts)), "output": "output"}
    names = list(nodes)
    return Graph(nodes, list(zip(names, names[1:])))


def expand(graph, table=None):
    """The operations of a graph of blocks or units. `table` has what labels
    stand for, as blocks() and sepx.torch.trace() leave it, or as you write
    it: graphs with one node `input` and one `output`."""
    graph, table = convert(graph), table or {}
    nodes, entry, exit_of = {}, {}, {}
    edges = []
    sources, _ = neighbours(graph)
    for node in order(graph):
        label, name = graph.nodes[node], graph.ids[node]
        block = table.get(label)
        if block is None and label and _JOIN in label:
            block = _chain(label)
        if block is None:
            nodes[name] = label
            entry[node], exit_of[node] = [name], name
            continue
        inner = expand(block, {key: value for key, value in table.items()
                               if key != label})
        names = {i: name if len(inner) == 3 else f"{name}.{inner.ids[i]}"
                 for i in range(len(inner))}
        ends = {text: [i for i, other in enumerate(inner.nodes)
                       if other == text] for text in ("input", "output")}
        if any(len(found) != 1 for found in ends.values()):
            raise ValueError(f"the block {label!r} needs one node 'input' and "
                             "one 'output'")
        first, last = ends["input"][0], ends["output"][0]
        nodes.update((names[i], inner.nodes[i]) for i in order(inner)
                     if i not in (first, last))
        edges += [(names[e[0]], names[e[1]], *e[2:]) for e in inner.edges
                  if e[0] != first and e[1] != last]
        entry[node] = [names[e[1]] for e in inner.edges if e[0] == first]
        leave = [names[e[0]] for e in inner.edges if e[1] == last]
        if len(leave) != 1 or not entry[node]:
            raise ValueError(f"in the block {label!r} one node leads to "
                             "'output' and at least one reads 'input'")
        exit_of[node] = leave[0]
        if len(entry[node]) > 1 and len(sources[node]) > 1:
            raise ValueError(
                f"{len(sources[node])} edges lead to a block {label!r}, which "
                "reads one value at several places; join them before it")
    edges += [(exit_of[e[0]], name, *e[2:]) for e in graph.edges
              for name in entry[e[1]]]
    return Graph(nodes, edges)
