# SPDX-License-Identifier: Apache-2.0
"""recompute.py DIR: judge the paper's claims again, from the CSV files.

Shares no code with the program: other language, own statistics. Prints every
claim that comes out otherwise, and what is wrong with report.html.
"""
import csv
import json
import math
import pathlib
import re
import sys

DIR = pathlib.Path(sys.argv[1])
ALL = None
FREE = "score"

# claim: item, panel, series, better, worse (ALL: everyone else)
DUELS = {
    "free-nb101": ("noise-free-nb101", "paper", FREE, "SEP", ALL),
    "free-nb101-standard":
        ("noise-free-nb101", "paper", FREE, "standard", ["mutation"]),
    "free-nb101-fair": ("noise-free-nb101", "default", FREE, "SEP", ALL),
    "free-gru": ("noise-free-gru", "paper", FREE, "SEP", ALL),
    "free-gru-fair": ("noise-free-gru", "default", FREE, "SEP", ALL),
    "free-lstm": ("noise-free-lstm", "paper", FREE, "SEP", ALL),
    "free-lstm-fair": ("noise-free-lstm", "default", FREE, "SEP", ALL),
    "noisy-test": ("noisy-nb101", "paper", "test", "SEP", ALL),
    "noisy-reached": ("noisy-nb101", "paper", "reached", "SEP", ALL),
    "noisy-validation": ("noisy-nb101", "paper", "score", "SEP", ALL),
    "noisy-standard-test":
        ("noisy-nb101", "paper", "test", "mutation", ["standard"]),
    "noisy-standard-validation":
        ("noisy-nb101", "paper", "score", "mutation", ["standard"]),
    "noisy-visited": ("noisy-nb101", "paper", "visited", "SEP", ALL),
    "noisy-fair": ("noisy-nb101", "default", "test", "SEP", ALL),
    "bayes": ("bayes", "paper", "test", "SEP", ["BOHB", "SMAC"]),
    "path": ("path", "paper", "test", "SEP", ["path"]),
    "nb301": ("nb301", "paper", "test", "SEP", ALL),
    "nb301-fair": ("nb301", "default", "test", "SEP", ALL),
}
# claim: item, maps, sign, share (None: more than half)
MAPS = {
    "ei-muta": ("improvement", ["sepx-muta-nb101"], 1, 0.9),
    "ei-rlu": ("improvement", ["sepx-rlu-nb101"], 1, 0.9),
    "ei-rlo": ("improvement", ["sepx-rlo-nb101"], 1, 0.9),
    "ei-nlp": ("improvement", ["sepx-muta-nbnlp"], 1, None),
    "ei-nlp-stdx": ("improvement", ["stdx-muta-nbnlp"], -1, None),
    "ei-stdx-muta": ("improvement", ["stdx-muta-nb101"], -1, None),
    "ei-stdx-rl":
        ("improvement", ["stdx-rlu-nb101", "stdx-rlo-nb101"], -1, None),
    "ei-rlu-muta": ("improvement", ["rlu-muta-nb101"], -1, None),
}
for error in ("0.1", "0.2", "0.3"):
    MAPS["eps-" + error] = ("ged-error", [
        f"sepx-{other}-eps{error}" for other in ("muta", "rlu", "rlo")], 1, 0.9)


def rows(item, name):
    with open(DIR / item / name) as file:
        return list(csv.DictReader(file))


# ---- statistics ----

def ranks(values):
    """Twice the mid-rank of each value."""
    order = sorted(values)
    return [2 * order.index(v) + 1 + order.count(v) for v in values]


def exact_p(rank, nx, observed):
    """The share of splits whose rank sum is as far from its mean."""
    ways = [{0: 1}] + [{} for _ in range(nx)]
    for r in rank:
        for size in range(nx - 1, -1, -1):
            for total, count in ways[size].items():
                ways[size + 1][total + r] = \
                    ways[size + 1].get(total + r, 0) + count
    mean = nx * sum(rank) / len(rank)
    far = abs(observed - mean)
    hit = sum(c for t, c in ways[nx].items() if abs(t - mean) >= far - 1e-9)
    return hit / sum(ways[nx].values())


def normal_p(rank, nx, ny, u):
    n = nx + ny
    ties = sum(c ** 3 - c for c in
               (rank.count(r) for r in set(rank)))
    var = nx * ny / 12 * ((n + 1) - ties / (n * (n - 1)))
    if var <= 0:
        return 1.0
    z = max(abs(u - nx * ny / 2) - 0.5, 0) / math.sqrt(var)
    return math.erfc(z / math.sqrt(2))


def mann_whitney(x, y):
    """p, and the chance that x is the smaller one."""
    rank = ranks(x + y)
    total = sum(rank[:len(x)])
    u = total / 2 - len(x) * (len(x) + 1) / 2
    effect = 1 - u / (len(x) * len(y))
    if max(len(x), len(y)) <= 20:
        return exact_p(rank, len(x), total), effect
    return normal_p(rank, len(x), len(y), u), effect


# ---- claims ----

RANK = {"holds": 0, "threshold missed": 1, "not shown": 1, "reversed": 2}


def tested(p, effect):
    """effect: above 0.5 is for the claim."""
    if p >= 0.05:
        return "not shown"
    return "holds" if effect > 0.5 else "reversed"


def asked(good):
    return "holds" if good else "threshold missed"


def duel(item, panel, series, better, worse):
    runs = {}
    for row in rows(item, "runs.csv"):
        if row["panel"] == panel and row["series"] == series:
            runs.setdefault(row["method"], []).append(float(row["mean"]))
    if better not in runs:
        return None
    smaller = item.startswith("noise-free")
    tests = []
    for name, values in runs.items():
        if name == better or (worse is not ALL and name not in worse):
            continue
        p, effect = mann_whitney(runs[better], values)
        effect = effect if smaller else 1 - effect
        tests.append((p, effect, len(values) + len(runs[better])))
    p, effect, n = min(
        tests, key=lambda t: (-RANK[tested(*t[:2])], t[1], -t[0]))
    return tested(p, effect), p, effect, n


def cells(item, name):
    out = []
    for row in rows(item, name + ".csv"):
        if float(row["d_opt"]) >= 1 and float(row.get("d_12", 1)) >= 1:
            out.append(float(list(row.values())[-1]))
    return out


def map_claim(item, maps, sign, share):
    verdicts, least, n = [], 1, 0
    for name in maps:
        values = cells(item, name)
        part = sum(v * sign > 0 for v in values) / len(values)
        against = sum(v * sign < 0 for v in values) / len(values)
        good = part >= share if share else part > 0.5
        verdicts.append("reversed" if not good and against > part
                        else asked(good))
        least, n = min(least, part), n + len(values)
    return max(verdicts, key=RANK.get), None, least, n


def improvement():
    means = {}
    for agent in ("rlu", "rlo"):
        for row in rows("improvement", agent + "-nb101.csv"):
            means.setdefault(row["alpha_eta"], []).append(float(row[agent]))
    best = max(means, key=lambda rate: sum(means[rate]))
    yield "ei-rate", ("holds" if best == "0.1" else "reversed", None, None,
                      sum(map(len, means.values())) / 2)
    values = cells("improvement", "rlo-muta-nb101")
    above = sum(v > 0 for v in values)
    yield "ei-rlo-muta", (asked(0 < above and any(v < 0 for v in values)),
                          None, above / len(values), len(values))


def permutation():
    kept = {"standard": [], "sep": []}
    for row in rows("permutation", "children.csv"):
        kept[row["crossover"]].append(int(row["kept"]))
    p, effect = mann_whitney(kept["standard"], kept["sep"])
    n = sum(map(len, kept.values()))
    yield "perm-standard", (tested(p, effect), p, effect, n)
    yield "perm-sep", (asked(all(kept["sep"])), p, effect, n)


def frequencies(space, at, reach, edits):
    item = "frequencies-" + space
    met = {r["region"]: int(r["count"]) for r in rows(item, "regions.csv")}
    kinds = {"distance": {}, "edges": {}}
    for row in rows(item, "frequencies.csv"):
        kinds[row["kind"]][int(row["x"]), int(row["y"])] = int(row["count"])
    solved = sum(c for (x, _), c in kinds["distance"].items() if x == 0)
    equal = sum(c for (x, y), c in kinds["distance"].items() if x and not y)
    if (solved, equal) != (met["solved"], met["equal"]):
        print(f"{item}: regions.csv and frequencies.csv disagree")
    if not met["pairs"]:
        return
    judged = met["pairs"] - met["solved"]
    good = judged > 0 and met["ahead"] == judged - met["equal"]
    yield f"freq-{space}", (asked(good), None, met["ahead"] / judged if judged else None,
                            met["pairs"])
    mode = max(sorted(kinds["edges"]), key=lambda k: kinds["edges"][k])
    total = sum(kinds["edges"].values())
    yield f"freq-{space}-edges", (
        asked(all(abs(m - at) <= reach for m in mode)), None,
        kinds["edges"][mode] / total, total)
    near = sum(c for (_, y), c in kinds["distance"].items() if y <= edits)
    total = sum(kinds["distance"].values())
    yield f"freq-{space}-range", (asked(near / total > 0.999), None,
                                  near / total, total)


def expected():
    done = {path.parent.name for path in DIR.glob("*/done.json")}
    for claim, (item, *rest) in DUELS.items():
        if item in done:
            yield claim, duel(item, *rest)
    for claim, (item, *rest) in MAPS.items():
        if item in done:
            yield claim, map_claim(item, *rest)
    if "improvement" in done:
        yield from improvement()
    if "permutation" in done:
        yield from permutation()
    if "frequencies-nb101" in done:
        yield from frequencies("nb101", 9, 0, 7)
    if "frequencies-nbnlp" in done:
        yield from frequencies("nbnlp", 11, 1, 13)


def near(a, b):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b)) + 1e-12


def compare(told):
    agreed = 0
    for claim, want in expected():
        got = told.pop(claim, None)
        if want is None or got is None:
            if want is not got:
                print(claim, "expected", want, "told", got)
            continue
        got = (got["verdict"], got["p"], got["effect"], got["n"])
        if got[0] == want[0] and all(map(near, got[1:], want[1:])):
            agreed += 1
        else:
            print(claim, "expected", want, "told", got)
    return agreed


def check_page(verdicts):
    page = (DIR / "report.html").read_text()
    if re.search(r"https?://|<script|@import|<link|<img", page):
        print("the page asks for something")
    for link in re.findall(r'(?:xlink:)?(?:href|src)=["\']([^"\']*)', page):
        if not link.startswith("#") and not (DIR / link).is_file():
            print("no such file:", link)
    ids = re.findall(r'\bid=["\']([^"\']*)', page)
    if len(ids) != len(set(ids)):
        print("ids are not unique")
    badges = re.findall(r'class="badge [a-z]+">\S+ ([a-z ]+)<', page)
    for verdict, count in verdicts.items():
        if badges.count(verdict) != count:
            print("the page has", badges.count(verdict), "times", verdict)


def main():
    told, verdicts = {}, dict.fromkeys(RANK, 0)
    for path in sorted(DIR.glob("*/result.json")):
        for claim in json.loads(path.read_text())["claims"]:
            told[claim["id"]] = claim
            verdicts[claim["verdict"]] += 1
    agreed = compare(told)
    check_page(verdicts)
    left = " ".join(sorted(told)) or "none"
    print(f"{agreed} claims agree; not judged here: {left}")


main()
