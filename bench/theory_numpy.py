# SPDX-License-Identifier: Apache-2.0
"""Time numpy's Monte Carlo estimate of the bounds: JSON Lines in and out.

Part of `sepx bench theory`, which carries this text inside and runs it as a
child. Each line of input has a "setting", a "bound" and a number of "trials".
The first line of output names the versions; then one line for each setting:
"mean" and "seconds", the best of several repetitions.
"""
import json
import platform
import signal
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback on Ctrl-C

try:
    import numpy as np
except ImportError:
    sys.exit(3)

REPETITIONS = 5


def sepx(case, trials, rng):
    places = case["n"] * (case["n"] - 1)
    same = max(places - case["d_opt"] - case["d_12"], 0)
    gain = case["d_opt"] * case["d_12"] / (places - same)
    return np.maximum(gain - rng.binomial(case["d_12"], 0.5, trials), 0)


def stdx(case, trials, rng):
    places = case["n"] * (case["n"] - 1)
    opt, one, two = case["edges"]
    d = case["d_opt"]
    differ = round((one * (places - two) + (places - one) * two) / places)
    both = ((d + one - opt) * two + (d - one + opt) * (places - two))
    gain = d - both / (2 * places)
    return np.maximum(gain - rng.binomial(differ, 0.5, trials), 0)


def muta(case, trials, rng):
    places = case["n"] * (case["n"] - 1)
    d, p = case["d_opt"], case["p_m"]
    spoilt = rng.binomial(places - d, p, trials)
    kept = rng.binomial(d, 1 - p, trials)
    return np.maximum(d - spoilt - kept, 0)


def agent(case, trials, rng, entries):
    b = case["d_opt"]
    p = b / entries
    odds = 1 / p - 1
    wrong = rng.binomial(entries, p, trials)
    step = 2 * case["alpha_eta"] * (b - wrong)
    return b - (wrong / (1 + odds * np.exp(-step * (1 - p))) +
                (entries - wrong) / (1 + odds * np.exp(step * p)))


def rlu(case, trials, rng):
    return agent(case, trials, rng, case["n"] * (case["n"] - 1))


def rlo(case, trials, rng):
    return agent(case, trials, rng, case["d_opt"] + 1)


BOUNDS = {"sepx": sepx, "stdx": stdx, "muta": muta, "rlu": rlu, "rlo": rlo}


def measure(task):
    bound, trials = BOUNDS[task["bound"]], task["trials"]
    case = task["setting"]
    rng = np.random.default_rng(1)
    best = float("inf")
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        mean = float(bound(case, trials, rng).mean())
        best = min(best, time.perf_counter() - start)
    return {"mean": mean, "seconds": best}


def main():
    print(json.dumps({"numpy": np.__version__,
                      "python": platform.python_version()}))
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), flush=True)


main()
