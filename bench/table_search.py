#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How many evaluations a search needs to the best graphs of a table.

  table_search.py SEPX SPACE TABLE METRIC [OPTION...]

TABLE is one of 'sepx data table', METRIC one of its columns, larger values
being better; SPACE is what the table was made with. Counts the evaluations
until a graph is among the best of the table, and prints, for each method,
median, quartiles and how many runs got there.

  --rows FILE   JSON Lines that the table was made of: where the threshold
                is taken from
  --share X     of the graphs that count as the best [0.001]
  --runs N      of each method [50]
  --evals N     of each run [500]
  --seed N      the first seed [71001]
  --methods M   separated by blanks [all that the space allows]
"""
import argparse
import json
import math
import statistics
import subprocess
import sys

METHODS = "random mutation standard matched sep local reinforce bohb smac model"


def threshold(rows, metric, share):
    """The value of the worst graph that counts, and how many count."""
    values = sorted((row[metric] for row in map(json.loads, open(rows))
                     if metric in row), reverse=True)
    count = max(1, math.ceil(share * len(values)))
    return values[count - 1], count, len(values)


def first_good(curve, least):
    """Scores are minimised, so that the curve has the metric's negative."""
    for i, score in enumerate(curve):
        if score is not None and -score >= least - 1e-9:
            return i + 1
    return math.inf


def search(given, method, least):
    """None if the method does not work on the space."""
    answer = subprocess.run(
        [given.sepx, "search", "--space", given.space, "-m", method, "--eval",
         f"table:{given.table},score=-{given.metric}", "--runs",
         str(given.runs), "--evals", str(given.evals), "--seed",
         str(given.seed), "--json"],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if answer.returncode == 2 and "--methods" not in sys.argv:
        return None
    if answer.returncode:
        sys.exit(answer.stderr.strip())
    return sorted(first_good(run["curve"], least)
                  for run in json.loads(answer.stdout)["runs"])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for word in ("sepx", "space", "table", "metric"):
        parser.add_argument(word)
    parser.add_argument("--rows", required=True)
    parser.add_argument("--share", type=float, default=0.001)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--evals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=71001)
    parser.add_argument("--methods", default=METHODS)
    given = parser.parse_args()
    least, count, known = threshold(given.rows, given.metric, given.share)
    print(f"{given.metric} of {given.table}: at least {least:g}, the best "
          f"{count} of {known}; {given.runs} runs of {given.evals}, seeds "
          f"from {given.seed}")

    def show(value):
        return f">{given.evals}" if value == math.inf else f"{value:g}"

    for method in given.methods.split():
        firsts = search(given, method, least)
        if firsts is None:
            print(f"{method:10} does not know this space")
            continue
        quarter = len(firsts) // 4
        print(f"{method:10} {show(statistics.median(firsts))} "
              f"({show(firsts[quarter])}, {show(firsts[-1 - quarter])}) "
              f"[{sum(f < math.inf for f in firsts)}]", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
