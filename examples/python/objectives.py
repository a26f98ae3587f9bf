# SPDX-License-Identifier: Apache-2.0
"""Two objectives: near to a good design, and small.

    PYTHONPATH=build/python python3 examples/python/objectives.py

The front is what no other trial is better than in both.
"""
# %% What is wanted
import os
import sys
import tempfile

import sepx

EVALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1500

space = sepx.Space("nb101")
target = space.target("optimum")
ged = sepx.Ged(pinned=space.pinned)


def judge(graph):
    return {"distance": ged(graph, target), "edges": len(graph.edges)}


# %% A study with two objectives and a constraint
folder = tempfile.TemporaryDirectory()
path = os.path.join(folder.name, "two.study")
with sepx.Study(path, space, objectives=["distance", "edges"],
                where=["distance<=9"], seed=1) as study:
    print(study.optimize(judge, evals=EVALS), "after", EVALS, "trials")
    for row in study.front:
        print(f"trial {row.number:5}: distance {row.numbers['distance']:g}, "
              f"{row.numbers['edges']:g} edges")

# %% The same file on the command line: sepx study best two.study
folder.cleanup()
