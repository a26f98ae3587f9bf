#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Train a network of two cells on the digits data; print its error as JSON.

The cell is a graph like those of NAS-Bench-101, on standard input. Inputs of
an operation are added, those of the output are concatenated.
"""
import json
import os
import sys

import numpy
import sklearn
import torch
from torch import nn

CHANNELS, EPOCHS, BATCH, RATE = 8, 5, 50, 0.02
FILE = "datasets/data/digits.csv.gz"  # reading it takes less than the import


class Cell(nn.Module):
    def __init__(self, nodes, edges, channels):
        super().__init__()
        self.sources = [[a for a, b in edges if b == i]
                        for i in range(len(nodes))]
        self.steps = nn.ModuleList(self.step(op, channels, sources)
                                   for op, sources in zip(nodes, self.sources))

    @staticmethod
    def step(op, channels, sources):
        if op == "output":
            return nn.Conv2d(channels * len(sources), channels, 1)
        if not op.startswith("conv"):
            return nn.MaxPool2d(3, 1, 1) if sources else nn.Identity()
        size = 3 if op.startswith("conv3x3") else 1
        return nn.Sequential(
            nn.Conv2d(channels, channels, size, padding="same", bias=False),
            nn.BatchNorm2d(channels), nn.ReLU())

    def forward(self, x):
        done = [x]
        for step, sources in zip(self.steps[1:-1], self.sources[1:-1]):
            done.append(step(sum(done[s] for s in sources)))
        return self.steps[-1](torch.cat([done[s] for s in self.sources[-1]], 1))


def live(nodes, edges):
    """Without nodes that are on no path from the input to the output."""
    after, before = {nodes.index("input")}, {nodes.index("output")}
    for _ in nodes:
        after |= {b for a, b in edges if a in after}
        before |= {a for a, b in edges if b in before}
    keep = sorted(after & before)
    return ([nodes[i] for i in keep],
            [(keep.index(a), keep.index(b)) for a, b in edges
             if a in keep and b in keep])


def digits():
    path = os.path.join(os.path.dirname(sklearn.__file__), FILE)
    data = numpy.loadtxt(path, delimiter=",", dtype=numpy.float32)
    data = data[numpy.random.RandomState(0).permutation(len(data))]
    x = torch.tensor(data[:, :-1].reshape(-1, 1, 8, 8) / 16)
    y = torch.tensor(data[:, -1]).long()
    return (x[:1000], y[:1000]), (x[1000:1400], y[1000:1400]), (x[1400:],
                                                                y[1400:])


def fit(net, train, epochs):
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    batches = [batch for _ in range(epochs)
               for batch in torch.randperm(len(train[0])).split(BATCH)]
    for i, batch in enumerate(batches):
        optimizer.param_groups[0]["lr"] = RATE * (1 - i / len(batches))
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(train[0][batch]),
                                    train[1][batch]).backward()
        optimizer.step()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(int(os.environ.get("SEPX_SEED", "0")))
    epochs = max(1, round(EPOCHS * float(os.environ.get("SEPX_FIDELITY", "1"))))
    graph = json.load(sys.stdin)
    cell = live(graph["nodes"], [tuple(edge[:2]) for edge in graph["edges"]])
    if not cell[1]:
        sys.exit(65)  # no way from the input to the output
    train, valid, test = digits()
    net = nn.Sequential(
        nn.Conv2d(1, CHANNELS, 3, padding=1), Cell(*cell, CHANNELS),
        nn.MaxPool2d(2), Cell(*cell, CHANNELS),
        nn.Flatten(), nn.Linear(16 * CHANNELS, 10))
    fit(net, train, epochs)
    net.eval()
    with torch.no_grad():
        error = [(net(x).argmax(1) != y).float().mean().item()
                 for x, y in (valid, test)]
    print(json.dumps({
        "score": round(error[0], 6), "test": round(error[1], 6),
        "parameters": sum(p.numel() for p in net.parameters())}))


main()
