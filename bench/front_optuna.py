#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Two objectives: sepx and random search against Optuna's NSGA-II.

  front_optuna.py SEPX nb101 TABLE [OPTION...]
  front_optuna.py SEPX nb201 ROWS.jsonl SPACE.json [OPTION...]

TABLE is one of 'sepx data build' or 'import' (docs/data.md); ROWS.jsonl has a
line for each of the 15,625 cells of NAS-Bench-201: a graph, "c10_test" and
"params". nb101 minimises the mean test error (noise=no) and the parameters,
nb201 maximises the test accuracy on CIFAR-10 and minimises the parameters.

Optuna (Debian's python3-optuna) gets the same space as categorical variables,
26 in nb101 and 6 in nb201, and as many evaluations: a vector that is no cell
of nb101 is told as a failure and does not count. All hypervolumes are computed
here, in shares of that of the true front, with the worst values of the table
as reference; so is the share of the points of the true front that were found.

  --runs N     of each method [20]
  --evals N    of each run; figures are of N/4 and N [2000]
  --seed N     the first seed [1001]
  --methods M  of sepx, separated by blanks [random mutation sep]
"""
import argparse
import csv
import hashlib
import io
import itertools
import json
import math
import subprocess
import sys

OPS = ["conv3x3-bn-relu", "conv1x1-bn-relu", "maxpool3x3"]
KINDS = ["none", "skip_connect", "nor_conv_1x1", "nor_conv_3x3",
         "avg_pool_3x3"]


def run(*words, text=None):
    return subprocess.run(words, input=text, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


# ---- NAS-Bench-101 ----

def prune(edges, ops):
    """The live part of a cell of 7 vertices: (matrix, ops), or None."""
    ahead, behind = {0}, {6}
    for j in range(1, 7):
        if any((i, j) in edges for i in ahead):
            ahead.add(j)
    for i in range(5, -1, -1):
        if any((i, j) in edges for j in behind):
            behind.add(i)
    live = sorted(ahead & behind)
    if 0 not in live or 6 not in live:
        return None
    kept = [(i, j) for i, j in edges if i in live and j in live]
    if len(kept) > 9:
        return None
    place = {v: k for k, v in enumerate(live)}
    return (len(live), frozenset((place[i], place[j]) for i, j in kept),
            [ops[v - 1] for v in live[1:-1]])


def name_of(cell):
    """The benchmark's hash of a cell."""
    n, edges, ops = cell
    label = [-1] + ops + [-2]
    into = [[i for i in range(n) if (i, j) in edges] for j in range(n)]
    out = [[j for j in range(n) if (i, j) in edges] for i in range(n)]

    def digest(text):
        return hashlib.md5(text.encode()).hexdigest()

    mark = [digest(str((len(out[v]), len(into[v]), label[v])))
            for v in range(n)]
    for _ in range(n):
        mark = [digest("".join(sorted(mark[w] for w in into[v])) + "|" +
                       "".join(sorted(mark[w] for w in out[v])) + "|" +
                       mark[v]) for v in range(n)]
    return digest(str(sorted(mark)))


def parameters(n, edges, ops):
    """Of the published network, for a cell in the benchmark's order."""
    total, channels = 27 * 128 + 256, 128
    last = n - 1
    for stack in range(3):
        before = channels
        channels *= 2 if stack else 1
        ends = [v for v in range(1, last) if (v, last) in edges]
        width = [0] * n
        for k, v in enumerate(ends):
            width[v] = channels // len(ends) + (k < channels % len(ends))
        for v in range(last - 1, 0, -1):
            if v not in ends:
                width[v] = max(width[w] for w in range(v + 1, last)
                               if (v, w) in edges)
        for k in range(3):
            source = channels if k else before
            for v in range(1, last):
                if (0, v) in edges:
                    total += source * width[v] + 2 * width[v]
                side = (3, 1, 0)[ops[v - 1]]
                if side:
                    total += side * side * width[v] ** 2 + 2 * width[v]
            if (0, last) in edges:
                total += source * channels + 2 * channels
    return total + 512 * 10 + 10


def ordered(cell):
    """The first of a cell's orders, as the benchmark counts them; it matters
    only if the channels cannot be split evenly."""
    n, edges, ops = cell
    best = None
    if sum((v, n - 1) in edges for v in range(1, n - 1)) in (0, 1, 2, 4):
        return cell
    for inner in itertools.permutations(range(1, n - 1)):
        new = {0: 0, n - 1: n - 1, **{v: k + 1 for k, v in enumerate(inner)}}
        moved = [(new[i], new[j]) for i, j in edges]
        if any(i > j for i, j in moved):
            continue
        bits = sum(1 << (i + j * (j - 1) // 2) for i, j in moved)
        key = (bits, [ops[v - 1] for v in inner])
        if best is None or key < best[0]:
            best = (key, (n, frozenset(moved), key[1]))
    return best[1]


class Nb101:
    names, goals = ["error", "params"], [1, 1]

    def __init__(self, sepx, table):
        graphs, self.known = [], {}
        for row in csv.DictReader(io.StringIO(
                run(sepx, "data", "cells", "--csv"))):
            n = int(row["vertices"])
            graphs.append(json.dumps({
                "nodes": ["input"] + [OPS[int(c)] for c in row["ops"]] +
                ["output"],
                "edges": [[i, j] for i in range(n) for j in range(n)
                          if row["adj"][i * n + j] == "1"]}))
        for graph, line in zip(graphs, run(
                sepx, "data", "query", table,
                text="\n".join(graphs) + "\n").splitlines()):
            name, _, test = line.split()[:3]
            self.known[name] = [1 - float(test), graph]
        self.size = {}
        self.words = ["--space", "nb101", "--eval", f"table:{table},noise=no"]

    def params(self, name, cell):
        if name not in self.size:
            self.size[name] = parameters(*ordered(cell))
        return self.size[name]

    def draw(self, trial):
        pairs = list(itertools.combinations(range(7), 2))
        edges = {p for p in pairs if trial.suggest_categorical(
            f"e{p[0]}{p[1]}", [0, 1])}
        ops = [trial.suggest_categorical(f"o{i}", [0, 1, 2])
               for i in range(5)]
        cell = prune(edges, ops)
        if cell is None:
            return None
        name = name_of(cell)
        return self.known[name][0], self.params(name, cell)

    def all_points(self):
        """All that may be on the front, and the worst of all."""
        rough = []
        for name, (error, text) in self.known.items():
            graph = json.loads(text)
            cell = (len(graph["nodes"]),
                    frozenset(map(tuple, graph["edges"])),
                    [OPS.index(o) for o in graph["nodes"][1:-1]])
            rough.append((error, parameters(*cell), name, cell))
        # The order of nodes changes the parameters by less than 3 %.
        front = front_of([(e, 1.03 * p) for e, p, _, _ in rough])
        points = [(max(r[0] for r in rough), max(r[1] for r in rough))]
        for error, size, name, cell in rough:
            if not any(e <= error and p < 0.97 * size for e, p in front):
                points.append((error, self.params(name, cell)))
        return points


# ---- NAS-Bench-201 ----

class Nb201:
    names, goals = ["c10_test", "params"], [-1, 1]

    def __init__(self, sepx, rows, space):
        self.known = {}
        for line in open(rows):
            row = json.loads(line)
            key = tuple(KINDS.index(e[2]) for e in sorted(row["edges"]))
            self.known[key] = (-row["c10_test"], row["params"])
        table = rows + ".table"
        run(sepx, "data", "table", "--space", space, rows, "--out", table)
        self.words = ["--space", space, "--eval",
                      f"table:{table},score=-c10_test"]

    def draw(self, trial):
        return self.known[tuple(trial.suggest_categorical(f"e{i}", range(5))
                                for i in range(6))]

    def all_points(self):
        return self.known.values()


# ---- fronts ----

def front_of(points):
    front, lowest = [], math.inf
    for x, y in sorted(set(points)):
        if y < lowest:
            front.append((x, y))
            lowest = y
    return front


def volume(front, reference):
    total, last = 0, reference[1]
    for x, y in front:
        total += max(0, reference[0] - x) * max(0, last - y)
        last = min(last, y)
    return total


class Judge:
    def __init__(self, problem):
        points = list(problem.all_points())
        self.reference = [max(p[k] for p in points) for k in (0, 1)]
        self.true = front_of(points)
        self.whole = volume(self.true, self.reference)
        self.keys = {self.key(p) for p in self.true}

    @staticmethod
    def key(point):
        return round(point[0], 9), point[1]

    def figures(self, points):
        front = front_of(points)
        found = len({self.key(p) for p in front} & self.keys)
        return (volume(front, self.reference) / self.whole,
                found / len(self.true))


def mann_whitney(a, b):
    """Two-sided p by the normal approximation with ties and continuity."""
    both = sorted(a + b)
    rank = {v: (both.index(v) + 1 + both.index(v) + both.count(v)) / 2
            for v in set(both)}
    n, m = len(a), len(b)
    u = sum(rank[v] for v in a) - n * (n + 1) / 2
    ties = sum(both.count(v) ** 3 - both.count(v) for v in set(both))
    spread = n * m / 12 * ((n + m + 1) - ties / ((n + m) * (n + m - 1)))
    if spread <= 0:
        return 1, 0.5
    z = max(0, abs(u - n * m / 2) - 0.5) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)), u / (n * m)


# ---- methods ----

def with_optuna(problem, seed, evals, marks):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        directions=["minimize", "minimize"],
        sampler=optuna.samplers.NSGAIISampler(seed=seed))
    points, at = [], {}
    while len(points) < evals:
        trial = study.ask()
        values = problem.draw(trial)
        if values is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        study.tell(trial, list(values))
        points.append(values)
        if len(points) in marks:
            at[len(points)] = list(points)
    return at


def with_sepx(sepx, problem, method, given, marks):
    goals = ",".join(n + (":max" if g < 0 else "") for n, g in
                     zip(problem.names, problem.goals))
    answer = json.loads(run(
        sepx, "search", *problem.words, "--objective", goals, "-m", method,
        "--runs", str(given.runs), "--evals", str(given.evals), "--seed",
        str(given.seed), "--json"))
    for one in answer["runs"]:
        yield {m: [tuple(g * p[n] for n, g in
                         zip(problem.names, problem.goals))
                   for p in one["points"] if p["trial"] < m] for m in marks}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("sepx")
    parser.add_argument("space", choices=["nb101", "nb201"])
    parser.add_argument("file", nargs="+")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--evals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1001)
    parser.add_argument("--methods", default="random mutation sep")
    given = parser.parse_args()
    problem = {"nb101": Nb101, "nb201": Nb201}[given.space](given.sepx,
                                                            *given.file)
    judge = Judge(problem)
    marks = [given.evals // 4, given.evals]
    print(f"{given.space}: true front {len(judge.true)} points, reference "
          f"{judge.reference}, {given.runs} runs, seeds from {given.seed}")
    rows = {"optuna NSGA-II": [
        with_optuna(problem, given.seed + i, given.evals, marks)
        for i in range(given.runs)]}
    for method in given.methods.split():
        rows[method] = list(with_sepx(given.sepx, problem, method, given,
                                      marks))
    figures = {name: {m: [judge.figures(one[m]) for one in row]
                      for m in marks} for name, row in rows.items()}
    for m in marks:
        print(f"\nafter {m} evaluations: hypervolume, share of the true "
              "front found; p against NSGA-II and chance to be better")
        base = [f[0] for f in figures["optuna NSGA-II"][m]]
        for name, row in figures.items():
            volumes = [f[0] for f in row[m]]
            p, chance = mann_whitney(volumes, base)
            print(f"{name:20} {sum(volumes) / len(volumes):.5f} "
                  f"{sum(f[1] for f in row[m]) / len(row[m]):7.1%}  "
                  f"p = {p:.1g} ({chance:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
