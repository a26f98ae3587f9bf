# SPDX-License-Identifier: Apache-2.0
"""Nothing leaks: memory and references after many calls, failed ones too."""
import subprocess
import sys

import pytest

WORK = r"""
import gc, os, resource, sys, tempfile, warnings
import sepx, sepx.nx, networkx

limit = 1 << 30
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
warnings.simplefilter("ignore")
space = sepx.Space("nb101")
graphs = space.sample(30, seed=1)
ged = sepx.Ged(pinned=space.pinned, costs={"node_relabel": 0.5})
one, two = networkx.path_graph(4), networkx.star_graph(4)
folder = tempfile.TemporaryDirectory()
study = sepx.Study(os.path.join(folder.name, "a.study"), "nb101")

def fails(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except Exception:
        return
    raise AssertionError(f"{function} did not fail")

def refuse(*_):
    raise RuntimeError

def graphs_once():
    a = sepx.Graph(["x", None, 3], [(0, 1, "e"), (1, 2)])
    sepx.Graph({"p": "x", "q": "y"}, [("p", "q")], False).ids
    a.key(), hash(a), a.canonical(), a.isomorphism(a), a.nodes, a.edges, a.ids
    a.to_json(), a.to_dot("t"), repr(a), a.__reduce__(), a == a
    sepx.Graph.from_json(a.to_json())
    fails(sepx.Graph, ["a"], [(0, 5)])
    fails(sepx.Graph, ["a", "b"], [], True, ["n", "n"])
    fails(sepx.Graph, ["a" * 300])
    fails(sepx.Graph.from_json, "{")
    fails(a.isomorphic, 3)

def distances_once():
    a, b = graphs[0], graphs[1]
    ged(a, b), ged.distance(a, b)
    result = ged.result(a, b, time_limit=1.0)
    result.path, result.draw(), ged.map_cost(a, b, result.map)
    ged.pairs(graphs, graphs[::-1], threads=1), ged.cdist([a], graphs)
    ready = ged.prepare(graphs[:5])
    ged.matrix(ready, bounds=True, threads=2)[0].tolist()
    other = sepx.Ged()
    other(a, b)
    fails(other.matrix, ready)
    fails(ged, a)
    fails(ged, a, 7)
    fails(ged.matrix, [a, 7])
    fails(ged.matrix, graphs, progress=refuse)
    fails(sepx.Ged, costs={"nothing": 1})
    fails(sepx.Ged, costs={"node_table": [(1, 2)]})
    fails(ged.map_cost, a, b, ["x"])

def networkx_once():
    sepx.nx.graph_edit_distance(one, two, node_del_cost=lambda data: 2)
    sepx.nx.optimal_edit_paths(one, two)
    fails(sepx.nx.graph_edit_distance, one, two, node_del_cost=lambda d: -1)

def spaces_once():
    sepx.Space("nb101").sample(2)
    space.mutate(graphs[0], 2)
    space.check(graphs[0]), space.pinned, space.starts, space.explain()
    sepx.cross(graphs[0], graphs[1], space, explain=True)
    fails(sepx.cross, graphs[0], sepx.Graph(1), space)
    fails(sepx.cross, graphs[0], graphs[1], space, operator="none")
    fails(sepx.Space, "none")
    search = sepx.Search(space, "random")
    for _ in range(3):
        search.tell(search.ask(), 1.0)
    search.ask()
    fails(search.tell, 99, 1.0)
    fails(sepx.Search, space, "none")

def studies_once():
    trial = study.ask()
    study.tell(trial, {"score": len(trial.graph.edges)})
    study.best.graph, study.front
    fails(study.tell, 10 ** 6, 1.0)
    fails(study.trial, 10 ** 6)
    looks = sepx.Study(study.path, write=False)
    looks.settings, looks.best
    fails(sepx.Study, "/nowhere/a.study", "nb101")

def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

jobs = {name[:-5]: value for name, value in list(globals().items())
        if name.endswith("_once")}
job, times = jobs[sys.argv[1]], int(sys.argv[2])
watched = [None, True, False, graphs[0], graphs[1], ged, space, sepx.Graph]
for _ in range(times):
    job()
before, counts = resident(), [sys.getrefcount(value) for value in watched]
for _ in range(times):
    job()
after = resident()
drift = [now - was for now, was in zip(
    [sys.getrefcount(value) for value in watched], counts)]
assert all(abs(change) < times // 2 for change in drift), drift
print(after - before)
"""


@pytest.mark.parametrize("what, times", [
    ("graphs", 1500), ("distances", 40), ("networkx", 100), ("spaces", 100),
    ("studies", 60)])
def test_nothing_leaks(what, times):
    done = subprocess.run([sys.executable, "-c", WORK, what, str(times)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # A leak of 1 KiB a time would be more; allocators grow by some pages.
    assert int(done.stdout) < 2 ** 19 + 400 * times
