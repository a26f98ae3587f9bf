# SPDX-License-Identifier: Apache-2.0
"""Spaces of graphs, and operators on them."""
import json
import os

from . import _core
from .ged import Edit


def rule_rows(rules):
    """(preset, rows "name=value") of a preset's name, a dict or None."""
    if rules is None:
        return "default", ()
    if isinstance(rules, str):
        return rules, ()
    rows = dict(rules)
    preset = rows.pop("preset", "default")

    def text(value):
        return {True: "yes", False: "no"}.get(value, value) if isinstance(
            value, bool) else value
    return preset, tuple(f"{key}={text(value)}" for key, value in rows.items())


class Space(_core.Space):
    """Which graphs are legal, how to draw one and how to change one.

    source: a name ("nb101", "nbnlp", "darts"), a file, or a dict with what
    such a file says; docs/spaces.md explains its keys.

    >>> import sepx
    >>> space = sepx.Space("nb101")
    >>> graph = space.sample(seed=1)
    >>> space.check(graph) is None
    True
    >>> print(space.check(sepx.Graph(["input"])))
    1 inputs and 0 outputs; a cell has one each
    """

    def __new__(cls, source):
        if isinstance(source, dict):
            name, text = "space", json.dumps(source)
        else:
            name, text = os.fspath(source), None
        self = super().__new__(cls, name, text)
        self.source = source
        return self

    @classmethod
    def of(cls, graphs, nodes=None):
        """The space around some graphs, such as known networks: their labels,
        each with the numbers of incoming edges that it has there, and once if
        each of them has it once; at most `nodes` nodes (None: 64, or as many
        as the largest has), no cycle, all on paths from `input` to `output`,
        or only to it if some begin a path, as parameters do. Mutation relabels
        a node, puts one into an edge or bypasses one. A search begins with the graphs.

        >>> import sepx
        >>> a = sepx.Graph(["input", "conv", "output"], [(0, 1), (1, 2)])
        >>> b = sepx.Graph(["input", "pool", "output"], [(0, 1), (1, 2)])
        >>> space = sepx.Space.of([a, b])
        >>> a in space, sepx.Graph(["input", "conv"], [(0, 1)]) in space
        (True, False)
        """
        graphs, into = list(graphs), {}
        if not graphs:
            raise ValueError("a space around graphs needs at least one")
        if nodes is None:
            nodes = max(64, max(len(graph) for graph in graphs))
        for graph in graphs:
            counts = [0] * len(graph)
            for edge in graph.edges:
                counts[edge[1]] += 1
            for label, count in zip(graph.nodes, counts):
                into.setdefault(label, []).append(count)
        rows = {}
        for label, counts in sorted(into.items()):
            rows[label] = {"in": [min(counts), max(counts)]}
            if all(graph.nodes.count(label) == 1 for graph in graphs):
                rows[label]["count"] = 1
            if label in ("input", "output"):
                rows[label]["role"] = label
        rows.get("input", {}).pop("in", None)
        words = {edge[2] if len(edge) > 2 else "" for graph in graphs
                 for edge in graph.edges}
        more = {"edge_labels": sorted(words)} if words - {""} else {}
        if any(row.get("in", [1])[0] == 0 for row in rows.values()):
            more["connected"] = "to_output"
        return cls({"format": "sepx-space", "version": 1, "nodes": rows,
                    **more, "limits": {"nodes": [1, nodes]},
                    "mutation": {"weights": {"relabel_node": 2,
                                             "insert_node": 1,
                                             "delete_node": 1}},
                    "start": [json.loads(graph.to_json())
                              for graph in graphs]})

    def __reduce__(self):
        return type(self), (self.source,)

    def __repr__(self):
        return f"sepx.Space({self.source!r})"

    def __contains__(self, graph):
        return self.check(graph) is None

    def sample(self, n=None, seed=0):
        """A random graph, or a list of n; the same for the same seed, and
        those of 'sepx sample --seed'."""
        made = self._sample(1 if n is None else n, seed)
        return made[0] if n is None else made

    def mutate(self, graph, n=None, seed=0, rules=None):
        """A graph with a random small change, or a list of n of them.

        rules: a preset's name, or a dict of rules (docs/spaces.md)."""
        preset, rows = rule_rows(rules)
        made = self._mutate(graph, 1 if n is None else n, seed, preset, rows)
        return made[0] if n is None else made


class Explanation:
    """How a child came about.

    path: the edits from one parent to the other; taken: which of them were
    drawn; dropped: drawn, but without effect. swapped: the path leads from
    the second parent to the first. distance: number of edits; lower: what is
    proven of the parents' distance. verdict: "accepted", or why there is no
    child, with `why` in words. trials: draws that were made.
    """

    def __init__(self, parts, first, second):
        self.first, self.second = first, second
        self.swapped = parts["swapped"]
        self.distance, self.lower = parts["distance"], parts["lower"]
        self.map, self.trials = parts["map"], parts["trials"]
        self.taken, self.dropped = parts["taken"], parts["dropped"]
        self.verdict, self.why = parts["verdict"], parts["why"]
        start, end = (second, first) if self.swapped else (first, second)
        kept = set(self.map)
        names = list(range(len(start))) + [
            f"new {j}" for j in range(len(end)) if j not in kept]
        self.path = [Edit(*row, tuple(names[k] for k in row[1])
                          if isinstance(row[1], tuple) else names[row[1]])
                     for row in parts["path"]]

    def __repr__(self):
        return (f"<sepx.Explanation: {sum(self.taken)} of {len(self.path)} "
                f"edits, {self.verdict}>")


def cross(first, second, space, operator="sep", seed=0, rules=None,
          explain=False, index=0):
    """A child of two graphs of a space, or None if no draw was acceptable.

    space: a sepx.Space, or what one is made of. operator: "sep" (shortest edit path), "matched", "standard" or "path".
    With `explain` the answer is (child, sepx.Explanation). `index` counts
    children of one seed, as 'sepx cross -n' does.

    >>> import sepx
    >>> space = sepx.Space("nb101")
    >>> a, b = space.sample(2, seed=3)
    >>> child, how = sepx.cross(a, b, space, explain=True)
    >>> child in space, how.verdict
    (True, 'accepted')
    """
    if not isinstance(space, Space):
        space = Space(space)
    preset, rows = rule_rows(rules)
    made = _core._cross(space, first, second, operator, preset, rows, seed,
                        index, explain)
    if not explain:
        return made
    return made[0], Explanation(made[1], first, second)
