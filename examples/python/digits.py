# SPDX-License-Identifier: Apache-2.0
"""A search of your own: cells for the digits data, trained with PyTorch.

    apt-get install python3-torch python3-sklearn
    PYTHONPATH=build/python python3 examples/python/digits.py digits.study 100

Run it again to resume. Each trial trains a small network for two seconds or so.
"""
# %% Data
import sys

import torch
from sklearn.datasets import load_digits
from torch import nn

import sepx
import sepx.torch

PATH = sys.argv[1] if len(sys.argv) > 1 else "digits.study"
EVALS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
EPOCHS = int(sys.argv[3]) if len(sys.argv) > 3 else 5

x, y = load_digits(return_X_y=True)
order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
x = torch.tensor(x, dtype=torch.float32)[order].reshape(-1, 1, 8, 8) / 16
y = torch.tensor(y)[order]
TRAIN, VALID = slice(0, 1000), slice(1000, 1400)

# %% What a cell is made of: a graph becomes a network
SIZE = 8
OPS = {"conv3x3-bn-relu": f"nn.Sequential(nn.Conv2d({SIZE}, {SIZE}, 3, "
                          f"padding=1), nn.BatchNorm2d({SIZE}), nn.ReLU())",
       "conv1x1-bn-relu": f"nn.Sequential(nn.Conv2d({SIZE}, {SIZE}, 1), "
                          f"nn.BatchNorm2d({SIZE}), nn.ReLU())",
       "maxpool3x3": "nn.MaxPool2d(3, 1, 1)"}


def network(graph):
    return nn.Sequential(
        nn.Conv2d(1, SIZE, 3, padding=1),
        sepx.torch.Module(graph, OPS, space="nb101"),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16 * SIZE, 10))


# %% Training, for a score and what is worth keeping beside it
def train(graph):
    torch.manual_seed(0)
    net = network(graph)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    for _ in range(EPOCHS):
        for batch in torch.randperm(1000).split(50):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x[TRAIN][batch]),
                                               y[TRAIN][batch])
            loss.backward()
            optimizer.step()
    net.eval()
    with torch.no_grad():
        wrong = (net(x[VALID]).argmax(1) != y[VALID]).float().mean()
    return {"score": float(wrong),
            "params": sum(p.numel() for p in net.parameters())}


# %% The study: nothing that was trained is lost
if __name__ == "__main__":
    with sepx.Study(PATH, "nb101", method="sep:population=20", seed=1) as study:
        study.optimize(train, evals=EVALS, progress=lambda row: print(
            row.number, row.value, flush=True))
        best = study.best
        print(f"best: trial {best.number}, error {best.value:.3f}, "
              f"{best.answer['params']} parameters")
        print(sepx.torch.code(best.graph, OPS, space="nb101"))
