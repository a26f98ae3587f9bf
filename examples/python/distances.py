# SPDX-License-Identifier: Apache-2.0
"""Distances: what they are, what proves them, and many at once.

    PYTHONPATH=build/python python3 examples/python/distances.py

Cells begin with "# %%": editors and Jupyter run them one by one.
"""
# %% Two small networks
import sepx

one = sepx.Graph(["input", "conv", "relu", "output"],
                 [(0, 1), (1, 2), (2, 3)])
two = sepx.Graph(["input", "conv", "pool", "relu", "output"],
                 [(0, 1), (1, 2), (2, 3), (3, 4), (0, 3)])
ged = sepx.Ged(pinned=["input", "output"])
print("distance", ged(one, two))

# %% The edits that turn the one into the other; in a notebook, result.draw()
# shows both on top of each other.
result = ged.result(one, two)
for edit in result.path:
    print("   ", edit)

# %% Relabelling a convolution to a pooling may be half an edit, say.
halves = sepx.Ged(costs={"node_table": [("conv", "pool", 0.5),
                                        ("pool", "conv", 0.5)]})
print("by other costs", halves(one, two))

# %% Graphs too large for a proof within a limit have bounds.
space = sepx.Space("nb101")
cells = space.sample(300, seed=1)
rough = ged.result(cells[0], cells[1], node_limit=1)
print("bounds", rough.lower, rough.upper)

# %% All pairs of 300 cells, on all processors, for numpy without a copy.
matrix = ged.matrix(cells)
rows = [sum(row) / (len(cells) - 1) for row in matrix]
center = min(range(len(cells)), key=rows.__getitem__)
print(f"{len(cells) * (len(cells) - 1) // 2} distances; cell {center} is "
      f"nearest to all others, {rows[center]:.2f} edits on average")

# %% Isomorphic graphs share a key, whatever the order of their nodes.
print(len({cell.key() for cell in cells}), "different cells")
