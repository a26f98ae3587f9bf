# SPDX-License-Identifier: Apache-2.0
"""Exact graph edit distance."""
import collections
import operator
import warnings
from typing import NamedTuple

from . import _core
from ._errors import UnprovenError, UnprovenWarning
from .graph import Drawing, Graph


class Edit(NamedTuple):
    """One edit of a path.

    kind: node_insert, node_delete, node_relabel, edge_insert, edge_delete or
    edge_relabel. place: a node's number, or the two of an edge; inserted
    nodes are numbered after those of the first graph. old, new: labels.
    name: what the place is called in the graph that it comes from, "new ..."
    if an inserted node is called as one of the first graph's.
    """

    kind: str
    place: object
    old: object
    new: object
    name: object

    def __str__(self):
        what, verb = self.kind.split("_")
        if what == "node":
            where = f"node {self.name}"
        else:
            where = f"edge {self.name[0]} to {self.name[1]}"
        text = f"{verb} {where}"
        if verb == "relabel":
            return f"{text}: {self.old or ''} -> {self.new or ''}"
        label = self.new if verb == "insert" else self.old
        return f"{text}: {label}" if label else text


class Result:
    """What is known of the distance of two graphs.

    lower, upper: proven bounds. exact: they are equal. end: why they may not
    be ("proven", "at_most", "time_limit", "node_limit", "size"). map: the
    node of `second` that each node of `first` becomes, None for a deleted
    one; its cost is `upper`. nodes: of the search tree.
    """

    __slots__ = ("first", "second", "lower", "upper", "exact", "end", "map",
                 "nodes", "_ignore_labels", "_path")

    def __init__(self, row, ignore_labels):
        (self.first, self.second, self.lower, self.upper, self.exact, self.end,
         self.map, self.nodes) = row
        self._ignore_labels = ignore_labels
        self._path = None

    def __repr__(self):
        if self.exact:
            return f"<sepx.Result: {self.upper:g}>"
        return (f"<sepx.Result: {self.lower:g} to {self.upper:g} "
                f"({self.end})>")

    def __float__(self):
        """The distance; UnprovenError if only bounds are known."""
        if not self.exact:
            raise UnprovenError(self.lower, self.upper)
        return self.upper

    @property
    def path(self):
        """The edits of the map, in an order in which each can be applied."""
        if self._path is None:
            rows = _core.path(self.first, self.second, self.map,
                              self._ignore_labels)
            names = self._names()
            self._path = [Edit(*row, _named(row[1], names)) for row in rows]
        return self._path

    def _names(self):
        """What each node of the path is called: inserted ones come last."""
        kept, there = set(self.map), set(self.first.ids)
        return list(self.first.ids) + [
            f"new {name}" if name in there else name
            for j, name in enumerate(self.second.ids) if j not in kept]

    def draw(self, title=None):
        """A drawing of both graphs on top of each other, what the path
        deletes dashed, what it inserts green. Notebooks show it; .svg() is
        the picture, the text itself is for Graphviz."""
        return Drawing(_draw(self, title))


def _named(place, names):
    if isinstance(place, tuple):
        return names[place[0]], names[place[1]]
    return names[place]


def _draw(result, title):
    """Nodes and edges before and after, and what becomes of each."""
    first = result.first
    labels, marks = list(first.nodes), [None] * len(first)
    edges = collections.defaultdict(list)  # (from, to, label): their marks
    for edge in first.edges:
        edges[_key(edge)].append(None)
    for edit in result.path:
        if edit.kind == "node_insert":
            labels.append(edit.new)
            marks.append((2, None))
        elif edit.kind == "node_delete":
            marks[edit.place] = (1, None)
        elif edit.kind == "node_relabel":
            labels[edit.place] = edit.new
            marks[edit.place] = (3, edit.old)
        else:
            _mark_edge(edges, edit)
    union = Graph(labels, [(u, v, label) for (u, v, label), row in
                           edges.items() for _ in row], first.directed)
    if not first.directed:
        edges = {(min(u, v), max(u, v), label): row
                 for (u, v, label), row in edges.items()}
    edge_marks = [edges[_key(edge)].pop() for edge in union.edges]
    return union.to_dot(title, marks, edge_marks)


def _key(edge):
    return edge[0], edge[1], edge[2] if len(edge) > 2 else None


def _mark_edge(edges, edit):
    place = edit.place
    if edit.kind == "edge_insert":
        edges[(*place, edit.new)].append((2, None))
        return
    row = edges.get((*place, edit.old)) or edges[(*place[::-1], edit.old)]
    row.remove(None)
    if edit.kind == "edge_delete":
        row.append((1, None))
    else:
        edges[(*place, edit.new)].append((3, edit.old))


class Ged(_core.Ged):
    """A graph edit distance: what it is called with are two graphs.

    pinned: labels whose nodes may be inserted or deleted, never relabelled.
    costs: a dict with any of node_insert, node_delete, node_relabel,
    edge_insert, edge_delete, edge_relabel (1 each), and node_table and
    edge_table, rows (from, to, cost) for relabelling. ignore_labels: of
    nodes. threads: for many distances, 0 for one on each processor.

    A Ged may be used by several threads at once. Graphs that are compared
    often are best kept as sepx.Graph: what is prepared of them is reused.
    networkx graphs are converted at each call.

    >>> import sepx
    >>> ged = sepx.Ged()
    >>> a = sepx.Graph(["in", "conv", "out"], [(0, 1), (1, 2)])
    >>> b = sepx.Graph(["in", "pool", "out"], [(0, 1), (1, 2), (0, 2)])
    >>> ged(a, b)
    2.0
    >>> [str(edit) for edit in ged.result(a, b).path]
    ['relabel node 1: conv -> pool', 'insert edge 0 to 2']
    """

    def __new__(cls, *, pinned=(), costs=None, ignore_labels=False, threads=0):
        if isinstance(costs, dict):
            costs = dict(costs)
        self = super().__new__(cls, pinned=pinned, costs=costs,
                               ignore_labels=ignore_labels)
        _count("threads", threads)
        self._settings = {"pinned": tuple(pinned), "costs": costs,
                          "ignore_labels": bool(ignore_labels),
                          "threads": threads}
        return self

    def __reduce__(self):
        return _remake, (type(self), self._settings)

    def __repr__(self):
        shown = [f"{key}={value!r}" for key, value in self._settings.items()
                 if value]
        return f"sepx.Ged({', '.join(shown)})"

    def result(self, first, second, time_limit=None, at_most=None,
               node_limit=None):
        """What is known of a distance: bounds, map and path.

        time_limit: seconds; node_limit: nodes of the search tree, the same
        on every machine. at_most: only decide whether the distance is at
        most this. The bounds are proven however it ends.
        """
        row = self._solve(first, second, time_limit, at_most,
                          _count("node_limit", node_limit))
        return Result(row, self._settings["ignore_labels"])

    def pairs(self, first, second, *, threads=None, time_limit=None,
              node_limit=None, bounds=False, progress=None):
        """The distance of first[i] and second[i] for each i, as a vector."""
        return self._run("pairs", first, second, threads, time_limit,
                         node_limit, bounds, progress)

    def cdist(self, first, second, *, threads=None, time_limit=None,
              node_limit=None, bounds=False, progress=None):
        """The distance of each of `first` and each of `second`, as a matrix
        with a row for each of `first`."""
        return self._run("table", first, second, threads, time_limit,
                         node_limit, bounds, progress)

    def matrix(self, graphs, *, threads=None, time_limit=None,
               node_limit=None, bounds=False, progress=None):
        """The distances of all pairs, as a square matrix. It serves
        scikit-learn as metric="precomputed".

        All of pairs(), cdist() and matrix() give a sepx.Buffer of float64,
        which numpy.asarray() takes without a copy. They use `threads` threads
        and end on Ctrl-C. The limits are of each pair; a distance that they
        leave unproven is its upper bound, and a warning says how many are;
        with `bounds` the answer is (lower, upper). progress: True for tqdm,
        or a function of (done, total) that may raise to stop.

        >>> import sepx
        >>> graphs = [sepx.Graph(n, [(0, 1)]) for n in (2, 3, 4)]
        >>> sepx.Ged().matrix(graphs).tolist()
        [[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]
        """
        if not isinstance(graphs, _core.Prepared):
            graphs = list(graphs)
        shape = "matrix" if self._symmetric() else "table"
        return self._run(shape, graphs, graphs, threads, time_limit,
                         node_limit, bounds, progress)

    def _run(self, shape, first, second, threads, time_limit, node_limit,
             bounds, progress):
        if threads is None:
            threads = self._settings["threads"]
        with _progress(progress) as show:
            upper, lower, unproven = self._many(
                shape, first, second, _count("threads", threads), time_limit,
                _count("node_limit", node_limit), show, bounds)
        if bounds:
            return lower, upper
        if unproven:
            warnings.warn(f"{unproven} distances are upper bounds, not "
                          "proven; ask for bounds=True", UnprovenWarning,
                          stacklevel=3)
        return upper


def _count(what, value):
    """A number of something; 0 and None are no limit."""
    value = operator.index(value or 0)
    if not 0 <= value < 2 ** (16 if what == "threads" else 64):
        raise ValueError(f"{what} is {value}; it must be 0 or more"
                         + (", 0 for one on each processor"
                            if what == "threads" else ""))
    return value


def _remake(cls, settings):
    return cls(**settings)


class _progress:
    """tqdm, a function of (done, total), or nothing."""

    def __init__(self, wanted):
        self.wanted, self.bar = wanted, None

    def __enter__(self):
        if self.wanted is True:
            return self.show
        return self.wanted or None

    def show(self, done, total):
        if self.bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.bar = tqdm(total=total, unit="pair")
        self.bar.update(done - self.bar.n)

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()
