# SPDX-License-Identifier: Apache-2.0
"""Time networkx's exact graph edit distance: JSON Lines in, JSON Lines out.

Part of `sepx bench ged`, which carries this text inside and runs it as a
child. Each line of input is a pair: graphs "a" and "b", "pinned" labels and a
"timeout" in seconds. The first line of output names the versions; then one
line for each pair: "ged" (null: timed out) and "seconds". All seconds are of
processor time, so that a busy machine does not make networkx look slow.
"""
import json
import platform
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on Ctrl-C

try:
    import networkx as nx
except ImportError:
    sys.exit(3)

FORBIDDEN = 1000  # far above deleting and inserting the node, which cost 2
ENOUGH = 0.1  # seconds of repetitions


class TimedOut(Exception):
    pass


def stop(_signal, _frame):
    raise TimedOut


def build(graph):
    built = nx.DiGraph()
    for number, label in enumerate(graph["nodes"]):
        built.add_node(number, label=label)
    for edge in graph["edges"]:
        built.add_edge(edge[0], edge[1])
    return built


def relabel_cost(pinned):
    def cost(x, y):
        if x["label"] == y["label"]:
            return 0
        if x["label"] in pinned or y["label"] in pinned:
            return FORBIDDEN
        return 1
    return cost


def measure(pair):
    """A short run is repeated: processor time has a coarse step."""
    a, b = build(pair["a"]), build(pair["b"])
    cost = relabel_cost(set(pair["pinned"]))
    distance, runs, seconds = None, 0, 0
    signal.setitimer(signal.ITIMER_PROF, pair["timeout"])
    start = time.process_time()
    try:
        while seconds < ENOUGH:
            distance = nx.graph_edit_distance(a, b, node_subst_cost=cost)
            runs += 1
            seconds = time.process_time() - start
    except TimedOut:
        seconds = time.process_time() - start
    signal.setitimer(signal.ITIMER_PROF, 0)
    return {"ged": distance, "seconds": seconds / max(runs, 1)}


def main():
    signal.signal(signal.SIGPROF, stop)
    pairs = [json.loads(line) for line in sys.stdin]
    print(json.dumps({"networkx": nx.__version__,
                      "python": platform.python_version()}))
    for pair in pairs:
        print(json.dumps(measure(pair)), flush=True)


main()
