# SPDX-License-Identifier: Apache-2.0
"""Crosses two published networks, block by block, and evolves what they have
between them: little error and few parameters.

    apt-get install python3-torch python3-torchvision python3-sklearn
    PYTHONPATH=build/python python3 examples/python/networks.py
    PYTHONPATH=build/python python3 examples/python/networks.py \\
        googlenet inception_v3 --size 96 --share 0.125

Any two networks of torchvision that are made of layers will do. Both are
built without their weights and with a quarter of their channels, so that a
trial takes seconds; the digits of scikit-learn are made as large as the
networks need. Run it again to resume, with more --evals for more trials.
"""
# %% What is asked for
import argparse
import math
import re

import torch
import torchvision
from sklearn.datasets import load_digits
from torch import nn

import sepx
import sepx.torch

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("names", nargs="*", metavar="NETWORK",
                    default=["mobilenet_v2", "efficientnet_b0"])
parser.add_argument("--evals", type=int, default=48)
parser.add_argument("--steps", type=int, default=60, help="of training")
parser.add_argument("--size", type=int, default=32, help="of a picture")
parser.add_argument("--share", type=float, default=0.25, help="of channels")
parser.add_argument("--study", help="default: the names of the networks")
parser.add_argument("--picture", help="an SVG file to write")
options = parser.parse_args()
if len(options.names) != 2:
    parser.error("two networks are crossed")

# %% Two networks as graphs of blocks, with what each label stands for
blocks = {}


def published(name):
    more = {"init_weights": False, "aux_logits": False} if name in (
        "googlenet", "inception_v3") else {}
    model = getattr(torchvision.models, name)(weights=None, num_classes=10,
                                              **more)
    return sepx.torch.trace(model, "block", blocks=blocks)


parents = [published(name) for name in options.names]
around = sepx.Space.of(parents)
print(f"{options.names[0]} and {options.names[1]}: {len(parents[0])} and "
      f"{len(parents[1])} nodes, "
      f"{sepx.Ged(pinned=around.pinned)(*parents):g} edits apart")

# %% Children have half of the edits, in groups that keep a network whole
RULES = {"by": "hunks"}
children = []
for number in range(14):
    child, how = sepx.cross(*parents, around, rules=RULES, seed=1,
                            index=number, explain=True)
    if child is None:
        continue
    if not children:
        print(f"a child with {sum(how.taken)} of these edits:")
        print("  " + "\n  ".join(child.nodes[1:-1]))
    children.append(child)


# %% Blocks become operations, operations a network
def narrow(graph):
    """With fewer channels, but for the last layer."""
    ends = {edge[0] for edge in graph.edges if graph.nodes[edge[1]] ==
            "output"}

    def fewer(match):
        count = 8 * round(int(match[1]) * options.share / 8)
        return f"out={max(8, count)}"
    return sepx.Graph([label if node in ends else
                       re.sub(r"\bout=(\d+)", fewer, label)
                       for node, label in enumerate(graph.nodes)],
                      graph.edges)


def build(graph):
    example = torch.zeros(1, 3, options.size, options.size)
    return sepx.torch.Module(narrow(sepx.torch.expand(graph, blocks)),
                             sepx.torch.layer, example=example)


# %% The digits, enlarged
x, y = load_digits(return_X_y=True)
order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
x = torch.tensor(x, dtype=torch.float32)[order].reshape(-1, 1, 8, 8) / 8 - 1
y = torch.tensor(y)[order]


def pictures(numbers):
    large = nn.functional.interpolate(
        x[numbers], (options.size, options.size), mode="bilinear",
        align_corners=False)
    return large.expand(-1, 3, -1, -1)


# %% A few steps of training
def train(graph):
    torch.manual_seed(0)
    try:
        net = build(graph)
    except ValueError as error:  # strides of both: nothing is left
        raise sepx.Unfit(str(error)) from error
    optimizer = torch.optim.Adam(net.parameters(), lr=0.003)
    for step in range(options.steps):
        batch = torch.randint(0, 1300, (50,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(pictures(batch)), y[batch]).backward()
        optimizer.step()
    net.eval()
    wrong = 0
    with torch.no_grad():
        for batch in torch.arange(1300, 1797).split(50):
            wrong += int((net(pictures(batch)).argmax(1) != y[batch]).sum())
    return {"error": wrong / (1797 - 1300),
            "params": sum(p.numel() for p in net.parameters())}


# %% A picture of the parents, a child and all trials
COLOURS = ("#4878b0", "#d9822b")


def colour(label):
    """Of the parent that has such blocks; grey if both have."""
    has = [label in parent.nodes for parent in parents]
    return "#a0a0a0" if all(has) else COLOURS[has.index(True)]


def row(graph, top, title):
    """A network as bars, as high as it has channels."""
    lines = [f'<text x="10" y="{top + 12}">{title}</text>']
    place, inner = 10, graph.nodes[1:-1]
    for label in inner:
        known = dict(re.findall(r"\b(out|k|s)=(\d+)", label))
        high = 8 + 3.2 * math.log2(int(known.get("out", 1)))
        wide = 18 if "out" in known else 8
        text = f"{known['k']}" if "k" in known else ""
        lines += [f'<rect x="{place}" y="{top + 62 - high:.1f}" '
                  f'width="{wide}" height="{high:.1f}" rx="3" '
                  f'fill="{colour(label)}"><title>{label}</title></rect>']
        if "s" in known:
            lines.append(f'<path d="M{place - 3} {top + 16}V{top + 66}" '
                         'stroke="#888" stroke-dasharray="2 2"/>')
        if text and wide > 8:
            lines.append(f'<text x="{place + 9}" y="{top + 58}" fill="#fff" '
                         f'text-anchor="middle" font-size="9">{text}</text>')
        place += wide + 6
    return lines


def draw(study, path):
    rows = [row for row in study.trials if row.outcome == "scored"
            and row.cached is None]
    front, wide, top = study.front, 680, 260
    most = max(row.numbers["params"] for row in rows)
    worst = max(row.numbers["error"] for row in rows)

    def place(row):
        return (f"{60 + (wide - 90) * row.numbers['params'] / most:.1f}",
                f"{top + 180 * (1 - row.numbers['error'] / worst):.1f}")

    def title(name, row):
        return (f"{name}: error {100 * row.numbers['error']:.1f} %, "
                f"{row.numbers['params'] / 1000:,.0f} thousand parameters")
    best = next((row for row in front if len(row.parents) > 1), front[0])
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} '
             '490" font-family="sans-serif" font-size="12">',
             f'<rect width="{wide}" height="490" fill="#fff"/>']
    shown = [(options.names[0], rows[0]), (f"trial {best.number}",
                                           best), (options.names[1], rows[1])]
    for number, (name, trial) in enumerate(shown):
        lines += row(trial.graph, 8 + 80 * number, title(name, trial))
    lines.append(f'<path d="M60 {top}V{top + 180}H{wide - 30}" fill="none" '
                 'stroke="#444"/>')
    for share in (0, 0.5, 1):
        lines += [f'<text x="54" y="{top + 184 - 180 * share:g}" '
                  f'text-anchor="end">{100 * worst * share:.0f} %</text>',
                  f'<text x="{60 + (wide - 90) * share:g}" y="{top + 196}" '
                  f'text-anchor="middle">{most * share / 1000:,.0f}</text>']
    lines += [f'<text x="{wide / 2:g}" y="{top + 216}" text-anchor="middle">'
              'thousand parameters</text>',
              f'<text x="66" y="{top + 4}">error</text>']
    points = " ".join(",".join(place(row)) for row in front)
    lines.append(f'<polyline points="{points}" fill="none" stroke="#2a8a4a"/>')
    for trial in rows:
        fill, size = "#bbb", 3
        if trial.number in [row.number for row in front]:
            fill, size = "#2a8a4a", 4
        if trial.number < 2:
            fill, size = COLOURS[trial.number], 7
        cx, cy = place(trial)
        lines.append(f'<circle cx="{cx}" cy="{cy}" r="{size}" fill="{fill}">'
                     f'<title>trial {trial.number}</title></circle>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines + ["</svg>"]) + "\n")


# %% The search: parents, then children, then children of them all
if __name__ == "__main__":
    path = options.study or "-".join(options.names) + ".study"
    space = sepx.Space.of([*parents, *children])
    with sepx.Study(path, space, method="sep:population=16,tournament=4",
                    objectives=["error", "params"], rules=RULES,
                    seed=1) as study:
        study.optimize(train, evals=options.evals, progress=lambda row: print(
            row.number, row.operator, row.outcome, row.numbers, flush=True))
        front = study.front
        print("no trial is better in both than these:")
        for trial in front:
            print(f"  trial {trial.number:3}: error "
                  f"{100 * trial.numbers['error']:5.2f} %, "
                  f"{trial.numbers['params']:9,.0f} parameters")
        if options.picture:
            draw(study, options.picture)
        best = front[0].graph
    text = sepx.torch.code(narrow(sepx.torch.expand(best, blocks)),
                           sepx.torch.layer, "Found", example=torch.zeros(
                               1, 3, options.size, options.size))
    with open("found.py", "w", encoding="utf-8") as file:
        file.write(text)
    print(f"found.py: the one with the least error, {len(text.splitlines())} "
          "lines of PyTorch")
