# SPDX-License-Identifier: Apache-2.0
"""Graphs from and to what Python programs keep them in.

The functions here are methods of sepx.Graph.
"""
import re
import shutil
import subprocess
from xml.sax.saxutils import escape, quoteattr

from ._core import Graph, read_graphs, read_text
from ._errors import DataError, InvalidError

LABELS = ("label", "op", "operation")


def convert(value):
    """A Graph of whatever is a graph; TypeError otherwise. Called from C."""
    if isinstance(value, Graph):
        return value
    if hasattr(value, "_adj") and hasattr(value, "_node"):
        return from_networkx(value)
    raise TypeError(
        f"expected a sepx.Graph or a networkx graph, got {type(value).__name__}"
        "; see sepx.Graph.from_networkx, from_json, from_numpy and sepx.read")


def read(path):
    """The graphs of a file of any format that 'sepx convert --list' names:
    JSON Lines, GraphML, DOT, SDF, ONNX, ... Always a list."""
    return read_graphs(path)


# ---- networkx ----


def _label_of(wanted):
    """A function from a node or edge's attributes to its label."""
    if wanted is None:
        return lambda data: None
    if isinstance(wanted, str):
        return lambda data: data.get(wanted)
    if callable(wanted):
        return wanted
    names = tuple(wanted)

    def first(data):
        for name in names:
            if name in data:
                return data[name]
        return None
    return first


def from_networkx(graph, node_label=LABELS, edge_label=LABELS):
    """The graph of a networkx graph of any kind, with the names of its nodes.

    node_label, edge_label: the attribute that is the label, several of which
    the first that is there counts, a function of the dict of attributes, or
    None for no labels. Labels that are no str become str(label).

    >>> import networkx, sepx
    >>> g = networkx.path_graph(["a", "b", "c"])
    >>> g.nodes["a"]["op"] = "conv"
    >>> sepx.Graph.from_networkx(g)
    sepx.Graph(('conv', None, None), ((0, 1), (1, 2)), directed=False)
    """
    of_node, of_edge = _label_of(node_label), _label_of(edge_label)
    nodes = {name: of_node(data) for name, data in graph._node.items()}
    if graph.is_multigraph():
        edges = [(u, v, of_edge(data))
                 for u, v, data in graph.edges(data=True)]
    elif graph.is_directed():
        edges = [(u, v, of_edge(data)) for u, row in graph._adj.items()
                 for v, data in row.items()]
    else:
        edges, seen = [], set()
        for u, row in graph._adj.items():
            edges += [(u, v, of_edge(data)) for v, data in row.items()
                      if v not in seen]
            seen.add(u)
    return Graph(nodes, edges, graph.is_directed())


def to_networkx(self, label="label"):
    """A networkx graph with the same node names; labels are an attribute.

    The class follows from the graph: DiGraph or Graph, or a multigraph if
    there are parallel edges.
    """
    import networkx

    pairs = {edge[:2] for edge in self.edges}
    name = "Multi" if len(pairs) < len(self.edges) else ""
    made = getattr(networkx, name + ("DiGraph" if self.directed
                                     else "Graph"))()
    ids = self.ids
    for node, text in zip(ids, self.nodes):
        made.add_node(node, **({} if text is None else {label: text}))
    for edge in self.edges:
        made.add_edge(ids[edge[0]], ids[edge[1]],
                      **({label: edge[2]} if len(edge) > 2 else {}))
    return made


# ---- numpy ----


def from_numpy(adjacency, nodes=None, directed=True, labels=False):
    """The graph of a square matrix: an edge from i to j where entry (i, j) is
    not 0. An undirected graph takes the entries above and on the diagonal of
    a symmetric matrix. With `labels`, entries are the labels of edges.

    >>> import sepx
    >>> sepx.Graph.from_numpy([[0, 1], [0, 0]], ["x", "y"])
    sepx.Graph(('x', 'y'), ((0, 1),))
    """
    rows = adjacency.tolist() if hasattr(adjacency, "tolist") else [
        list(row) for row in adjacency]
    size = len(rows)
    if any(len(row) != size for row in rows):
        raise ValueError("an adjacency matrix must be square")
    if not directed and any(rows[i][j] != rows[j][i] for i in range(size)
                            for j in range(i)):
        raise ValueError("the matrix of an undirected graph is symmetric")
    edges = [(i, j, entry if labels else None)
             for i, row in enumerate(rows) for j, entry in enumerate(row)
             if entry and (directed or j >= i)]
    return Graph(size if nodes is None else nodes, edges, directed,
                 ids=range(size) if isinstance(nodes, dict) else None)


def to_numpy(self):
    """The adjacency matrix: how many edges lead from i to j."""
    import numpy

    made = numpy.zeros((len(self), len(self)), dtype=numpy.int64)
    for edge in self.edges:
        made[edge[0], edge[1]] += 1
        if not self.directed and edge[0] != edge[1]:
            made[edge[1], edge[0]] += 1
    return made


# ---- dead nodes ----


def live(self, space):
    """The graph without its dead nodes, which are on no path from an input to
    an output. What inputs and outputs are, and whether a path may begin at
    other nodes, is a rule of the space: a sepx.Space, or what one is made
    of. Nodes keep their order and names. sepx.InvalidError if nothing is
    left, or if labels or a cycle are none of the space.

    >>> import sepx
    >>> cell = sepx.Graph(["input", "maxpool3x3", "maxpool3x3", "output"],
    ...                   [(0, 1), (1, 3), (0, 2)])
    >>> cell.live("nb101")
    sepx.Graph(('input', 'maxpool3x3', 'output'), ((0, 1), (1, 2)))
    """
    from .space import Space

    if not isinstance(space, Space):
        space = Space(space)
    kept = space._live(self)
    if len(kept) == len(self):
        return self
    if not kept:
        raise InvalidError("no path leads from an input to an output")
    ids, labels, alive = self.ids, self.nodes, set(kept)
    return Graph([labels[i] for i in kept],
                 [(ids[edge[0]], ids[edge[1]], *edge[2:])
                  for edge in self.edges if alive.issuperset(edge[:2])],
                 self.directed, [ids[i] for i in kept])


# ---- text ----


def from_json(text):
    """The graph of a JSON text: {"nodes": ["input", ...], "edges": [[0, 1],
    ...]} or what networkx.node_link_data() gives."""
    if read_kind(text) == "xml":
        raise DataError("expected JSON, got XML; use from_graphml")
    return read_text(text)


def from_graphml(text):
    """The graph of a GraphML text."""
    return read_text(text, 3)


def read_kind(text):
    """"xml" or "json", by the first letter."""
    start = text.lstrip()[:1]
    return "xml" if start in ("<", b"<") else "json"


_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_RETURN = {"\r": "&#13;"}


def _xml(text):
    if _NOT_XML.search(text):
        raise DataError(f"GraphML cannot hold {text!r}: XML has no way to "
                        "write its control characters; use to_json()",
                        remedy="use to_json()")
    return text


def to_graphml(self):
    """A GraphML text, for yEd, Gephi and networkx. Control characters in
    labels and names are a ValueError: XML has no way to write them."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '<key id="n" for="node" attr.name="label" attr.type="string"/>',
        '<key id="e" for="edge" attr.name="label" attr.type="string"/>',
        f'<graph edgedefault="{"" if self.directed else "un"}directed">']
    ids = [quoteattr(_xml(str(name))) for name in self.ids]
    for name, label in zip(ids, self.nodes):
        data = f'<data key="n">{escape(_xml(label or ""), _RETURN)}</data>'
        lines.append(f"<node id={name}>{data}</node>")
    for edge in self.edges:
        data = (f'<data key="e">{escape(_xml(edge[2]), _RETURN)}</data>'
                if len(edge) > 2 else "")
        lines.append(f"<edge source={ids[edge[0]]} target={ids[edge[1]]}>"
                     f"{data}</edge>")
    return "\n".join(lines + ["</graph>", "</graphml>", ""])


# ---- pictures ----


def svg_of(dot):
    """The SVG of a drawing by Graphviz, or None if it is not installed."""
    program = shutil.which("dot")
    if not program:
        return None
    done = subprocess.run([program, "-Tsvg"], input=dot.encode(),
                          capture_output=True, check=True)
    return done.stdout.decode()


def to_svg(self, title=None):
    """A picture of the graph. Needs the program dot of Graphviz."""
    picture = svg_of(self.to_dot(title))
    if picture is None:
        raise FileNotFoundError("'dot' is not there; install the package "
                                "'graphviz', or use to_dot()")
    return picture


def _repr_svg_(self):
    return svg_of(self.to_dot())


class Drawing(str):
    """A drawing in the language of Graphviz, which notebooks show."""

    def svg(self):
        """The drawing as SVG, or None without Graphviz."""
        return svg_of(self)

    _repr_svg_ = svg


for _function in (from_networkx, from_numpy, from_json, from_graphml):
    setattr(Graph, _function.__name__, staticmethod(_function))
for _function in (live, to_networkx, to_numpy, to_graphml, to_svg, _repr_svg_):
    setattr(Graph, _function.__name__, _function)
