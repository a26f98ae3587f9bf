# SPDX-License-Identifier: Apache-2.0
"""The networkx backend "sepx", for networkx 3.2 and newer.

networkx.config.backend_priority = ["sepx"], or backend="sepx" in a call. Two of
the four functions are dispatched without attributes of nodes and edges, so the
original graph goes along by reference and is what is measured.
"""

_NAMES = ("graph_edit_distance", "optimal_edit_paths",
          "optimize_graph_edit_distance", "optimize_edit_paths")


class Original:
    """A networkx graph that came through the dispatch, as it was."""

    __networkx_backend__ = "sepx"

    def __init__(self, graph):
        self.graph = graph

    def is_directed(self):
        return self.graph.is_directed()

    def is_multigraph(self):
        return self.graph.is_multigraph()

    def __getattr__(self, name):
        return getattr(self.graph, name)


def _original(graph):
    return graph.graph if isinstance(graph, Original) else graph


def convert_from_nx(graph, *_args, **_kwargs):
    """The graph by reference: nothing is copied, no attribute is lost."""
    return graph if isinstance(graph, Original) else Original(graph)


def convert_to_nx(result, *_args, **_kwargs):
    """Results are numbers and lists already."""
    return _original(result)


def can_run(name, args, kwargs):
    """True, or the reason why not."""
    if name not in _NAMES:
        return f"sepx has no {name}; it has {', '.join(_NAMES)}"
    graphs = [_original(graph) for graph in [
        *args[:2], *(kwargs[key] for key in ("G1", "G2") if key in kwargs)]]
    if len({graph.is_directed() for graph in graphs}) > 1:
        return "one graph is directed and the other is not"
    if any(len(graph) > 4096 for graph in graphs):
        return "a graph has more than 4096 nodes"
    return True


def should_run(name, args, kwargs):
    """Always: it is exact, and faster."""
    return can_run(name, args, kwargs)


def _function(name):
    def call(G1, G2, *args, **kwargs):
        from . import nx

        return getattr(nx, name)(_original(G1), _original(G2), *args, **kwargs)
    call.__name__ = name
    call.__doc__ = f"sepx.nx.{name}"
    return call


graph_edit_distance, optimal_edit_paths = map(_function, _NAMES[:2])
optimize_graph_edit_distance, optimize_edit_paths = map(_function, _NAMES[2:])


def info():
    """What networkx tells of the backend."""
    note = {"additional_docs": "Exact, by the search of sepx.",
            "additional_parameters": {}}
    return {"backend_name": "sepx", "project": "sepx", "package": "sepx",
            "short_summary": "Exact graph edit distance, thousands of times "
                             "faster",
            "default_config": {},
            "functions": {name: dict(note) for name in _NAMES}}
