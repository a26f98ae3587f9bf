#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random DOT files as `sepx convert` and Graphviz read them.

Usage: compare_graphviz.py SEPX [FILES [SEED]]. Skips (77) without Graphviz.
The seed is printed, and drawn unless it is given. Nodes are compared in order,
with their labels, and edges as a multiset, with theirs. Labels are compared
as Graphviz draws them. The first three files that differ are shown.

Left out: labels in HTML; entities; keys in strict graphs, except of directed
edges outside of subgraphs, since Graphviz then makes parallel edges.
"""
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys

BATCH = 250
LABEL_KEYS = ["label", "op", "operation"]
NAMES = ["a", "b", "c", "d", "1", "-2.5", ".5", '"a"', '"x y"', '"e\\nf"',
         '"node"', '"q\\"q"', "\u00e9", '"s" + "t"', "Nodes", '"b\\lm"']
LABELS = ["x", "y", "z", '""', "7", '"\\N"', '"\\N!"', '"u\\nv"', '"\\\\w"',
          '"\\qr"', '"p" + "q"', '"l\\\nm"', '"i\\"j"', '"\\G:\\N"']
EDGE_LABELS = [text for text in LABELS if "N" not in text] + ['"\\T-\\H"',
                                                              '"\\E"']
SPACES = [" ", "\n", "\t", " /* c -> d */ ", " // }\n", "\n# {\n"]


class File:
    """One random graph, as text."""

    def __init__(self, rng):
        self.rng = rng
        self.strict = rng.random() < 0.3
        self.directed = rng.random() < 0.7
        self.join = "->" if self.directed else "--"
        self.names = rng.sample(NAMES, rng.randint(2, 6))

    def chance(self, p):
        return self.rng.random() < p

    def space(self):
        return self.rng.choice(SPACES) if self.chance(0.1) else " "

    def attributes(self, labels, keyed=False):
        pairs = []
        for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3])):
            key = self.rng.choice(LABEL_KEYS[:1] * 4 + LABEL_KEYS +
                                  ["color", "weight"] + ["key"] * keyed)
            value = self.rng.choice(labels)
            if key == "color":
                value = "red"
            elif key == "weight":
                value = "2"
            elif key == "key":
                value = self.rng.choice(["k", "m", '"0"'])
            if self.chance(0.05):
                key = f'"{key}"'
            pairs.append(f"{key}{self.space()}={self.space()}{value}")
        parts = self.rng.choice([", ", "; ", " "]).join(pairs)
        if len(pairs) > 1 and self.chance(0.2):
            parts = parts.replace(", ", "] [")
        return f" [{parts}]"

    def node(self):
        port = ""
        if self.chance(0.15):
            port = self.rng.choice([":n", ":p", ":p:s", ': "p" :w'])
        return self.rng.choice(self.names) + port

    def nodes(self):
        count = 1 if self.chance(0.85) else self.rng.randint(2, 3)
        return ", ".join(self.node() for _ in range(count))

    def subgraph(self, depth):
        head = self.rng.choice(["", "", "subgraph ", "subgraph S ",
                                "subgraph S ", "SubGraph cluster_T ",
                                'subgraph "" '])
        return head + "{" + self.statements(depth + 1) + "}"

    def end(self, depth):
        if depth < 2 + self.chance(0.2) and self.chance(0.25):
            return self.subgraph(depth)
        return self.nodes()

    def statement(self, depth):
        kind = self.rng.random()
        if kind < 0.15:
            which = self.rng.choice(["node", "Edge", "graph", "edge"])
            return which + self.attributes(
                EDGE_LABELS if which.lower() == "edge" else LABELS)
        if kind < 0.2:
            return f"rankdir{self.space()}= LR"
        if kind < 0.4:
            return self.nodes() + (self.attributes(LABELS)
                                   if self.chance(0.6) else "")
        if kind < 0.5 and depth < 3:
            return self.subgraph(depth) + (self.attributes(LABELS)
                                           if self.chance(0.1) else "")
        ends = [self.end(depth)
                for _ in range(self.rng.choice([2, 2, 2, 2, 3]))]
        keyed = not self.strict or depth == 0 and self.directed
        return f" {self.join} ".join(ends) + (
            self.attributes(EDGE_LABELS, keyed) if self.chance(0.5) else "")

    def statements(self, depth):
        count = self.rng.randint(0 if depth else 1, 6 - depth)
        text = self.space()
        for _ in range(count):
            text += self.statement(depth) + self.rng.choice(
                [";", "\n", ";" + self.space()])
        return text

    def text(self):
        name = self.rng.choice(["G", '"the graph"', "g1"])
        return "{}{} {} {{{}}}\n".format(
            self.rng.choice(["strict ", "STRICT "]) if self.strict else "",
            self.rng.choice(["digraph", "DiGraph"] if self.directed
                            else ["graph", "Graph"]), name,
            self.statements(0))


def drawn(item):
    """The lines of a label that Graphviz draws."""
    return "\n".join(part["text"] for part in item.get("_ldraw_", [])
                     if part["op"] == "T")


def plain(text):
    """Line ends and characters behind a backslash, as they are drawn."""
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] in "nlr"
                  else found[1], text, flags=re.DOTALL)


def resolve(text, graph, item, names):
    """The escapes of an attribute that Graphviz does not draw."""
    terms = {"G": graph["name"]}
    if "tail" in item:
        tail, head = names[item["tail"]], names[item["head"]]
        terms.update(T=tail, H=head,
                     E=tail + ("->" if graph["directed"] else "--") + head)
    else:
        terms["N"] = item["name"]
    return plain(re.sub(r"\\(.)", lambda found: terms.get(found[1], found[0]),
                        text, flags=re.DOTALL))


def as_graphviz(graph):
    """(labels of the nodes, sorted edges)."""
    nodes = [item for item in graph.get("objects", [])
             if item["_gvid"] >= graph["_subgraph_cnt"]]
    names = {item["_gvid"]: item["name"] for item in nodes}
    place = {item["_gvid"]: i for i, item in enumerate(nodes)}

    def label(item, none):
        if item.get("label", none) == none:
            for key in LABEL_KEYS[1:]:
                if item.get(key):
                    return resolve(item[key], graph, item, names)
        return drawn(item)

    edges = []
    for item in graph.get("edges", []):
        ends = [place[item["tail"]], place[item["head"]]]
        if not graph["directed"]:
            ends.sort()
        edges.append([*ends, label(item, "")])
    return [label(item, "\\N") for item in nodes], sorted(edges)


def as_sepx(sepx, text):
    done = subprocess.run([sepx, "convert", "--from", "dot", "--to", "json",
                           "-"], input=text.encode(), capture_output=True,
                          check=False)
    if done.returncode:
        return done.stderr.decode()
    graph = json.loads(done.stdout)
    return (graph["nodes"],
            sorted([*edge[:2], edge[2] if len(edge) > 2 else ""]
                   for edge in graph["edges"]))


def parse_all(texts):
    """Graphviz reads many graphs at once."""
    answer = subprocess.run(["dot", "-Kneato", "-Tjson"], input="".join(texts).encode(),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            check=False)
    decoder, at, graphs = json.JSONDecoder(strict=False), 0, []
    out = answer.stdout.decode()
    while at < len(out.rstrip()):
        while out[at].isspace():
            at += 1
        graph, at = decoder.raw_decode(out, at)
        graphs.append(graph)
    if len(graphs) != len(texts):
        sys.exit(f"Graphviz answers {len(graphs)} of {len(texts)} graphs: "
                 f"{answer.stderr.decode()[:500]}")
    return graphs


def main():
    if not shutil.which("dot"):
        print("skipped: Graphviz (dot) is not installed")
        sys.exit(77)
    sepx = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else int.from_bytes(
        os.urandom(4), "big")
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    texts = [File(rng).text() for _ in range(count)]
    wanted = []
    for at in range(0, count, BATCH):
        wanted += map(as_graphviz, parse_all(texts[at:at + BATCH]))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda text: as_sepx(sepx, text), texts))
    wrong = [i for i in range(count) if found[i] != wanted[i]]
    for i in wrong[:3]:
        print(f"file {i}:\n{texts[i]}sepx:     {found[i]}\n"
              f"Graphviz: {wanted[i]}")
    edges = sum(len(graph[1]) for graph in wanted)
    print(f"{count} files, {edges} edges, {len(wrong)} read differently")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
