#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/cluster.py SEPX [--workers 1,8,32] [--seconds S] [--trials N]

Trials a second on one PostgreSQL server, started here: sepx with an evaluator
that is a program ('echo 1'), with one that computes in the process, and
Optuna's RDB storage with a function that costs nothing, one after the other
in one run; a second time as processor time of the workers for a trial, in
milliseconds, which other work on the machine hardly changes. With --trials N
also the times of status, verify and resume (a replay each) of a study with so
many trials. Needs postgresql, python3-optuna and python3-psycopg2 of
Debian."""

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time


def optuna_worker(url, name, seconds, used):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.load_study(study_name=name, storage=url,
                              sampler=optuna.samplers.RandomSampler())
    began = time.process_time()
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1),
                   timeout=seconds)
    used.put(time.process_time() - began)


def optuna_rate(url, workers, seconds):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    name = f"bench{workers}"
    study = optuna.create_study(study_name=name, storage=url)
    began = time.monotonic()
    used = multiprocessing.Queue()
    crew = [multiprocessing.Process(target=optuna_worker,
                                    args=(url, name, seconds, used))
            for _ in range(workers)]
    for process in crew:
        process.start()
    processor = sum(used.get() for _ in crew)
    for process in crew:
        process.join()
    spent = time.monotonic() - began
    trials = study.get_trials(deepcopy=False)
    done = [t for t in trials if t.state.is_finished()]
    # Starting Python takes long; from the first trial on is fairer.
    first = min(t.datetime_start for t in done)
    last = max(t.datetime_complete for t in done)
    return (len(done), (last - first).total_seconds() or spent,
            processor / len(done))


def sepx_rate(sepx, url, evaluator, workers, seconds, number):
    name = f"{url}&study=bench{number}"
    more = ["--eval", evaluator] if evaluator.startswith("command:") else []
    subprocess.run([sepx, "study", "run", name, "--space", "nb101", "--eval",
                    evaluator, "--evals", "1000000", "--repeats", "--crew",
                    str(workers), "--no-work", "-m", "random", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    before = processor_time()
    crew = [subprocess.Popen([sepx, "study", "work", name, "-q", *more],
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
            for _ in range(workers)]
    time.sleep(seconds)
    for process in crew:
        process.terminate()
    for process in crew:
        process.wait()
    processor = processor_time() - before
    out = subprocess.run([sepx, "study", "export", name, "--format", "jsonl",
                          "--times"], stdout=subprocess.PIPE, text=True).stdout
    import json
    rows = [json.loads(line) for line in out.splitlines()]
    ends = [row["finished"] for row in rows if row.get("finished")]
    subprocess.run([sepx, "study", "verify", name], check=True,
                   stdout=subprocess.DEVNULL)
    spent = max(ends) - min(ends) if len(ends) > 1 else seconds
    return len(ends), spent, processor / len(ends)


def processor_time():
    """Of children that have ended; the server is none of them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sepx")
    parser.add_argument("--workers", default="1,8,32")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--trials", type=int, default=0)
    given = parser.parse_args()
    sepx = os.path.abspath(given.sepx)
    with tempfile.TemporaryDirectory(prefix="sepx-bench-") as folder:
        os.chmod(folder, 0o755)
        server = os.path.join(folder, "server")
        url = subprocess.run([sepx, "server", "start", server], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.strip()
        try:
            run(given, sepx, url, server)
        finally:
            subprocess.run([sepx, "server", "stop", server])


def run(given, sepx, url, server):
    os.environ["PGPASSFILE"] = server + "/owner.pgpass"
    database = url.split("?")[0].replace("postgresql:",
                                         "postgresql+psycopg2:")
    number = 0
    print(f"{'workers':>7} {'':10} {'optuna':>10} {'program':>10} "
          f"{'in process':>10} {'times':>6} {'times':>6}", flush=True)
    for workers in map(int, given.workers.split(",")):
        rows = [optuna_rate(database, workers, given.seconds)]
        for evaluator in ("command:/bin/echo 1", "target:optimum"):
            number += 1
            rows.append(sepx_rate(sepx, url, evaluator, workers,
                                  given.seconds, number))
        rates = [count / spent for count, spent, _ in rows]
        print(f"{workers:7} {'a second':10} {rates[0]:10.1f} "
              f"{rates[1]:10.1f} {rates[2]:10.1f} "
              f"{rates[1] / rates[0]:6.1f} {rates[2] / rates[0]:6.1f}")
        cost = [1000 * processor for _, _, processor in rows]
        print(f"{workers:7} {'ms a trial':10} {cost[0]:10.1f} {cost[1]:10.1f} "
              f"{cost[2]:10.1f} {cost[0] / cost[1]:6.1f} "
              f"{cost[0] / cost[2]:6.1f}", flush=True)
    if not given.trials:
        return
    name = f"{url}&study=long"
    subprocess.run([sepx, "study", "run", name, "--space", "nb101", "--eval",
                    "target:optimum", "--evals", str(given.trials),
                    "--workers", "8", "--window", "64", "-q"], check=True,
                   stdout=subprocess.DEVNULL)
    for words in (["status"], ["verify"], ["work", "-q"]):
        began, before = time.monotonic(), processor_time()
        subprocess.run([sepx, "study", words[0], name, *words[1:]], check=True,
                       stdout=subprocess.DEVNULL)
        what = "resume" if words[0] == "work" else words[0]
        print(f"{given.trials} trials: {what} "
              f"{time.monotonic() - began:.2f} s, of which its processor time "
              f"{processor_time() - before:.2f} s", flush=True)


sys.exit(main())
