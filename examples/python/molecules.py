# SPDX-License-Identifier: Apache-2.0
"""Molecules by their chemistry: exact distances for scikit-learn.

    apt-get install python3-sklearn
    PYTHONPATH=build/python python3 examples/python/molecules.py

Atoms are nodes, bonds edges labelled by their order; hydrogen is left out. No
features are learned or chosen: a cluster is what is few edits apart.
"""
# %% Thirty molecules that everyone knows, as SMILES
import sepx

MOLECULES = {
    "ethanol": "CCO", "propanol": "CCCO", "butanol": "CCCCO",
    "pentanol": "CCCCCO", "isopropanol": "CC(C)O", "glycol": "OCCO",
    "ethylamine": "CCN", "propylamine": "CCCN", "butylamine": "CCCCN",
    "diethylamine": "CCNCC", "triethylamine": "CCN(CC)CC",
    "acetic acid": "CC(=O)O", "propionic acid": "CCC(=O)O",
    "butyric acid": "CCCC(=O)O", "lactic acid": "CC(O)C(=O)O",
    "malonic acid": "OC(=O)CC(=O)O",
    "benzene": "C1=CC=CC=C1", "toluene": "CC1=CC=CC=C1",
    "phenol": "OC1=CC=CC=C1", "aniline": "NC1=CC=CC=C1",
    "xylene": "CC1=CC=CC=C1C", "benzoic acid": "OC(=O)C1=CC=CC=C1",
    "salicylic acid": "OC(=O)C1=CC=CC=C1O", "pyridine": "C1=CC=NC=C1",
    "benzaldehyde": "O=CC1=CC=CC=C1",
    "cyclohexane": "C1CCCCC1", "cyclohexanol": "OC1CCCCC1",
    "cyclopentane": "C1CCCC1", "piperidine": "C1CCNCC1",
    "methylcyclohexane": "CC1CCCCC1"}


def read_smiles(text):
    """The part of SMILES that these need: branches, one digit a ring, '='."""
    atoms, bonds, branch, ring = [], [], [], {}
    last, order = None, "1"
    for letter in text:
        if letter == "=":
            order = "2"
        elif letter == "(":
            branch.append(last)
        elif letter == ")":
            last = branch.pop()
        elif letter.isdigit():
            if letter in ring:
                bonds.append((ring.pop(letter), last, order))
            else:
                ring[letter] = last
            order = "1"
        else:
            atoms.append(letter)
            if last is not None:
                bonds.append((last, len(atoms) - 1, order))
            last, order = len(atoms) - 1, "1"
    return sepx.Graph(atoms, bonds, directed=False)


names = list(MOLECULES)
graphs = [read_smiles(text) for text in MOLECULES.values()]

# %% All distances, exact
distances = sepx.Ged().matrix(graphs)
a, b = names.index("phenol"), names.index("aniline")
print("phenol to aniline:", distances[a, b])
print(*sepx.Ged().result(graphs[a], graphs[b]).path)

# %% Clusters: the buffer is a matrix that scikit-learn takes as it is.
from sklearn.cluster import AgglomerativeClustering

clusters = AgglomerativeClustering(
    n_clusters=4, metric="precomputed", linkage="average").fit_predict(distances)
for cluster in sorted(set(clusters)):
    print(f"{cluster}:", ", ".join(name for name, c in zip(names, clusters)
                                   if c == cluster))

# %% Nearest neighbours as a classifier: has it a ring?
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
import numpy

ring = [any(letter.isdigit() for letter in text)
        for text in MOLECULES.values()]
right = cross_val_score(KNeighborsClassifier(3, metric="precomputed"),
                        numpy.asarray(distances), ring, cv=LeaveOneOut())
print(f"ring or not, by three neighbours: {int(sum(right))} of {len(right)} "
      "right")
