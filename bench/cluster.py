#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""bench/cluster.py SEPX [--workers 1,8,32] [--seconds S] [--rounds N]
                 [--window N] [--no-fsync] [--trials N]

Trials a second on one PostgreSQL server, started here, with so many workers
of one slot each: Optuna's RDB storage with a function that costs nothing;
sepx with an evaluator that is a program (/bin/echo 1), and with one that
computes in the process; and how often so many processes start that program
and wait for its end, which no evaluator that is a program exceeds. They take
turns, in several rounds, and all rounds count (LC_ALL=C for everybody). A second row has the processor
time of the workers and what they start for a trial, in milliseconds, which
other work on the machine changes less. Random search on both sides. Results
of evaluations this quick are told by sepx without a wait for the disk; with
--no-fsync the same holds for Optuna. With --trials N also the times of
status, verify and resume (a replay each) of a study with so many trials.
Needs postgresql, python3-optuna and python3-psycopg2 of Debian."""

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM = ["/bin/echo", "1"]


def crew_sum(workers, target, *args):
    """What so many processes put into the queue behind `args`, together."""
    queue = multiprocessing.Queue()
    crew = [multiprocessing.Process(target=target, args=(*args, queue))
            for _ in range(workers)]
    for process in crew:
        process.start()
    total = sum(queue.get() for _ in crew)
    for process in crew:
        process.join()
    return total


def optuna_worker(url, name, seconds, used):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.load_study(study_name=name, storage=url,
                              sampler=optuna.samplers.RandomSampler())
    began = time.process_time()
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1),
                   timeout=seconds)
    used.put(time.process_time() - began)


def optuna_rate(url, workers, seconds, number):
    import optuna
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    name = f"bench{number}"
    study = optuna.create_study(study_name=name, storage=url)
    began = time.monotonic()
    processor = crew_sum(workers, optuna_worker, url, name, seconds)
    spent = time.monotonic() - began
    trials = study.get_trials(deepcopy=False)
    done = [t for t in trials if t.state.is_finished()]
    # Starting Python takes long; from the first trial on is fairer.
    first = min(t.datetime_start for t in done)
    last = max(t.datetime_complete for t in done)
    return len(done), (last - first).total_seconds() or spent, processor


def sepx_rate(sepx, url, evaluator, workers, seconds, number, window):
    name = f"{url}&study=bench{number}"
    more = ["--eval", evaluator] if evaluator.startswith("command:") else []
    subprocess.run([sepx, "study", "run", name, "--space", "nb101", "--eval",
                    evaluator, "--evals", "1000000", "--repeats", "--window",
                    str(window), "--no-work", "-m", "random", "-q"], check=True,
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
    return len(ends), spent, processor


def start_worker(begin, end, count):
    null = os.open("/dev/null", os.O_WRONLY)
    made = 0
    time.sleep(max(0, begin - time.monotonic()))
    while time.monotonic() < end:
        pid = os.posix_spawn(PROGRAM[0], PROGRAM, os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
        os.waitpid(pid, 0)
        made += 1
    count.put(made)


def start_rate(workers, seconds):
    """The program alone, without anybody who wants its answer."""
    before = processor_time()
    begin = time.monotonic() + 1
    made = crew_sum(workers, start_worker, begin, begin + seconds)
    return made, seconds, processor_time() - before


def processor_time():
    """Of children that have ended; the server is none of them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sepx")
    parser.add_argument("--workers", default="1,8,32")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--window", type=int, default=1024)
    parser.add_argument("--no-fsync", action="store_true")
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


def compare(given, sepx, url, database, workers):
    sums = [[0, 0, 0] for _ in range(4)]
    for number in range(given.rounds):
        number += 1000 * workers
        rows = [optuna_rate(database, workers, given.seconds, number)]
        for i, evaluator in enumerate(("command:" + " ".join(PROGRAM),
                                       "target:optimum")):
            rows.append(sepx_rate(sepx, url, evaluator, workers,
                                  given.seconds, f"{number}_{i}",
                                  given.window))
        rows.append(start_rate(workers, given.seconds / 2))
        sums = [[a + b for a, b in zip(*both)] for both in zip(sums, rows)]
    rate = [count / spent for count, spent, _ in sums]
    cost = [1000 * processor / count for count, _, processor in sums]
    print(f"{workers:7} {'a second':10} {rate[0]:8.1f} {rate[1]:8.1f} "
          f"{rate[2]:10.1f} {rate[3]:8.1f} {rate[1] / rate[0]:6.1f} "
          f"{rate[2] / rate[0]:6.1f}")
    print(f"{workers:7} {'ms a trial':10} {cost[0]:8.2f} {cost[1]:8.2f} "
          f"{cost[2]:10.2f} {cost[3]:8.2f} {cost[0] / cost[1]:6.1f} "
          f"{cost[0] / cost[2]:6.1f}", flush=True)


def run(given, sepx, url, server):
    os.environ["PGPASSFILE"] = server + "/owner.pgpass"
    os.environ["LC_ALL"] = "C"  # echo reads a dozen files for others
    database = url.split("?")[0].replace("postgresql:",
                                         "postgresql+psycopg2:")
    if given.no_fsync:
        database += "?options=-csynchronous_commit%3Doff"
    print(f"{'workers':>7} {'':10} {'optuna':>8} {'program':>8} "
          f"{'in process':>10} {'starts':>8} {'times':>6} {'times':>6}",
          flush=True)
    for workers in map(int, given.workers.split(",")):
        compare(given, sepx, url, database, workers)
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
