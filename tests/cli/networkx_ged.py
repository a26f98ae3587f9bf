#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""networkx's own tests of its edit distances, answered by `sepx ged`.

    tests/cli/networkx_ged.py SEPX

Runs the test file that networkx's package ships, with its functions replaced:
each call becomes two JSON graphs whose nodes and edges all have labels of
their own, with tables of what the call's match and cost functions say of each
pair. networkx's assertions then judge the values. What cannot be written down
(a directed graph and an undirected one) goes to networkx and is counted. Exits with 77, which meson
counts as skipped, where networkx, its tests, numpy or scipy are missing.
"""
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile

SKIP = 77


class Answers:
    """The functions in question, and how often each was asked."""

    def __init__(self, sepx, original):
        self.sepx, self.original = sepx, original
        self.asked = self.left = 0

    def ask(self, g1, g2, node_match=None, edge_match=None,
            node_subst_cost=None, node_del_cost=None, node_ins_cost=None,
            edge_subst_cost=None, edge_del_cost=None, edge_ins_cost=None,
            roots=None):
        """The distance, and whether it could be written down."""
        if g1.is_directed() != g2.is_directed():
            return None
        names = [list(g1), list(g2)]
        edges = [list(g1.edges), list(g2.edges)]

        def graph(which):
            place = {node: i for i, node in enumerate(names[which])}
            side = "ab"[which]
            return {"directed": g1.is_directed(),
                    "nodes": [f"{side}{i}" for i in range(len(place))],
                    "edges": [[place[u], place[v], f"{side}e{i}"]
                              for i, (u, v, *_) in enumerate(edges[which])]}

        def table(kind, first, second, cost, match):
            def price(x, y):
                if cost:
                    return float(cost(x, y))
                return 0 if not match or match(x, y) else 1
            return [[f"a{kind}{i}", f"b{kind}{k}", price(x, y)]
                    for i, x in enumerate(first)
                    for k, y in enumerate(second)]

        def single(side, kind, items, cost):
            return [[f"{side}{kind}{i}", float(cost(x)) if cost else 1]
                    for i, x in enumerate(items)]

        n1, n2 = ([g.nodes[n] for n in g] for g in (g1, g2))
        e1, e2 = ([g.edges[e] for e in g.edges] for g in (g1, g2))
        costs = {
            "node_table": table("", n1, n2, node_subst_cost, node_match),
            "edge_table": table("e", e1, e2, edge_subst_cost, edge_match),
            "node_delete_table": single("a", "", n1, node_del_cost),
            "node_insert_table": single("b", "", n2, node_ins_cost),
            "edge_delete_table": single("a", "e", e1, edge_del_cost),
            "edge_insert_table": single("b", "e", e2, edge_ins_cost),
        }
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for name, value in (("a", graph(0)), ("b", graph(1)),
                                ("costs", costs)):
                paths.append(os.path.join(folder, name + ".json"))
                with open(paths[-1], "w", encoding="utf-8") as file:
                    json.dump(value, file)
            command = [self.sepx, "ged", "--json", "--costs", paths[2]]
            if roots:
                command += ["--root", f"{names[0].index(roots[0])}:"
                                      f"{names[1].index(roots[1])}"]
            done = subprocess.run(command + paths[:2], check=True,
                                  stdout=subprocess.PIPE, timeout=300)
        answer = json.loads(done.stdout)
        assert answer["exact"], answer
        self.asked += 1
        return answer["ged"]

    def distance(self, g1, g2, *rest, **named):
        """networkx.graph_edit_distance()"""
        bound = inspect.signature(self.original["graph_edit_distance"]).bind(
            g1, g2, *rest, **named).arguments
        upper = bound.pop("upper_bound", None)
        timeout, roots = bound.pop("timeout", None), bound.get("roots")
        if ((timeout is not None and timeout <= 0) or
                (roots and (len(roots) != 2 or roots[0] not in g1 or
                            roots[1] not in g2))):  # a test of refusals
            return self.original["graph_edit_distance"](g1, g2, *rest, **named)
        if timeout is not None and timeout < 1e-3:
            return None  # no program starts in this time
        value = self.ask(**{"g1": bound.pop("G1"), "g2": bound.pop("G2"),
                            **bound})
        if value is None:
            self.left += 1
            return self.original["graph_edit_distance"](g1, g2, *rest, **named)
        return value if upper is None or value <= upper else None

    def improving(self, g1, g2, *rest, **named):
        """networkx.optimize_graph_edit_distance(): only the last value."""
        bound = inspect.signature(
            self.original["optimize_graph_edit_distance"]).bind(
                g1, g2, *rest, **named).arguments
        upper = bound.pop("upper_bound", None)
        value = self.ask(**{"g1": bound.pop("G1"), "g2": bound.pop("G2"),
                            **bound})
        if value is None:
            self.left += 1
            yield from self.original["optimize_graph_edit_distance"](
                g1, g2, *rest, **named)
        elif upper is None or value <= upper:
            yield value

    def paths(self, g1, g2, *rest, **named):
        """networkx.optimal_edit_paths(): its paths, our cost beside them."""
        paths, cost = self.original["optimal_edit_paths"](g1, g2, *rest,
                                                          **named)
        bound = inspect.signature(self.original["optimal_edit_paths"]).bind(
            g1, g2, *rest, **named).arguments
        bound.pop("upper_bound", None)
        value = self.ask(**{"g1": bound.pop("G1"), "g2": bound.pop("G2"),
                            **bound})
        assert value is None or abs(value - cost) < 1e-9, (value, cost)
        return paths, cost


def main():
    try:
        module = importlib.import_module(
            "networkx.algorithms.tests.test_similarity")
        importlib.import_module("numpy")
        importlib.import_module("scipy")
    except ImportError as error:
        print(f"SKIP: {error}; install python3-networkx, python3-scipy and "
              "python3-pytest")
        return SKIP
    wanted = {"graph_edit_distance": Answers.distance,
              "optimize_graph_edit_distance": Answers.improving,
              "optimal_edit_paths": Answers.paths}
    answers = Answers(os.path.abspath(sys.argv[1]),
                      {name: getattr(module, name) for name in wanted})
    for name, function in wanted.items():
        setattr(module, name, function.__get__(answers))
    case = module.TestSimilarity()
    setup = getattr(case, "setup_class", None)
    if setup:
        setup()
    tests, wrong = 0, []
    for name, method in inspect.getmembers(case, inspect.ismethod):
        source = inspect.getsource(method) if name.startswith("test") else ""
        if not any(word in source for word in wanted):
            continue
        tests += 1
        try:
            method()
        except Exception as error:  # a test may fail in any way
            wrong.append(f"{name}: {type(error).__name__}: {error}")
    for text in wrong:
        print(text)
    print(f"{tests} tests of networkx, {answers.asked} distances by sepx, "
          f"{answers.left} left to networkx, {len(wrong)} tests failed")
    return 1 if wrong or not answers.asked else 0


if __name__ == "__main__":
    sys.exit(main())
