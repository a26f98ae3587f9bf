#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/cluster/simulate.py [--workers N] [--trials N] [--window W]
[--mean SECONDS] [--spread S] [--faults SHARE] [--seed N] [--break RULE]

The protocol of docs/cluster.md as discrete events, for more workers than a
test machine has: a lock that is held for a round trip or two, claims, signs
of life, leases by two clocks, late answers, results that wait for a server
that is away. Workers crash, stop for longer than their lease, are cut off,
and come back. Times of evaluations are lognormal around the median --mean,
with a deviation of --spread (0: all alike). At the end the log must be that of one worker: the same graph
and value for each trial, each told exactly once, in an order in which every
proposal follows the results that it is made from. --break leaves out one rule,
to show that the check notices: 'accept' (a late answer counts although the
trial has one) or 'lease' (trials of dead workers are never taken)."""

import argparse
import hashlib
import heapq
import math
import random
import sys

LOCK = 0.002        # seconds that the lock is held: two round trips
LEASE = 60.0
POLL = 0.75         # at most so long until someone who waits looks again


def graph_of(k, results, window):
    """Proposal k: a function of the results up to k - window alone."""
    end = max(0, k - window + 1)
    tail = results[max(0, end - 32):end]
    return hashlib.sha256(repr((k, end, tail)).encode()).hexdigest()[:12]


def value_of(graph):
    return int(graph, 16) % 1000


def one_worker(trials, window):
    values = []
    for k in range(trials):
        values.append(value_of(graph_of(k, values, window)))
    return values


class Simulation:
    def __init__(self, given):
        self.given = given
        self.random = random.Random(given.seed)
        self.now = 0.0
        self.queue = []
        self.serial = 0
        self.log = []           # (kind, trial, value or graph)
        self.asked = 0
        self.graph = {}
        self.value = {}
        self.told_below = 0     # all trials below it are told
        self.values = []        # of those, in order
        self.claim = {}         # trial -> the life that has it
        self.free = []          # trials that someone handed back or lost
        self.lock_until = 0.0
        self.lock_wait = 0.0
        self.lock_turns = 0
        self.away_until = 0.0   # the server
        self.evaluations = 0
        self.needless = 0       # evaluations of trials that had an answer
        self.idle = {}          # worker -> its life: waits for a trial
        self.alive = {}         # worker -> its life; None: it crashed
        self.quiet = {}         # life -> since when nobody hears of it
        self.holds = {}         # life -> the trial that it has
        self.asking = 0         # of those, how many are about to look
        self.lives = 0
        self.faults = {"crash": 0, "stop": 0, "cut": 0, "server": 0}

    def at(self, time, action, *words):
        self.serial += 1
        heapq.heappush(self.queue, (time, self.serial, action, words))

    # ---- the server ----

    def locked(self, action, *words):
        """A turn: wait for the lock, and for a server that is away."""
        start = max(self.now, self.lock_until, self.away_until)
        self.lock_wait += start - self.now
        self.lock_turns += 1
        self.lock_until = start + LOCK
        self.at(start + LOCK, action, *words)

    def tell(self, trial, value):
        if trial in self.value and self.given.broken != "accept":
            self.needless += 1
            return
        self.value[trial] = value
        self.log.append(("told", trial, value))
        self.release(trial)
        while self.told_below in self.value:
            self.values.append(self.value[self.told_below])
            self.told_below += 1

    def release(self, trial):
        life = self.claim.pop(trial, None)
        if life is not None:
            self.holds.pop(life, None)

    def room(self):
        """How many trials could be taken now."""
        most = min(self.given.trials, self.told_below + self.given.window)
        return len(self.free) + max(0, most - self.asked)

    def wake(self):
        """As many of those that wait as there are trials look again."""
        while self.idle and self.asking < self.room():
            worker, life = self.idle.popitem()
            self.asking += 1
            self.at(self.now + self.random.uniform(0, POLL), self.ask, worker,
                    life)

    def next_trial(self):
        while self.free:
            trial = heapq.heappop(self.free)
            if trial not in self.value and trial not in self.claim:
                return trial
        k = self.asked
        if k < self.given.trials and k - self.given.window < self.told_below:
            self.graph[k] = graph_of(k, self.values, self.given.window)
            self.log.append(("asked", k, self.graph[k]))
            self.asked += 1
            return k
        return None

    # ---- workers ----

    def lives_on(self, worker, life):
        return self.alive.get(worker) == life

    def ask(self, worker, life):
        self.asking -= 1
        if self.lives_on(worker, life):
            self.locked(self.turn, worker, life, None)

    def turn(self, worker, life, trial):
        """Tell what is done, take what is next, in one transaction."""
        if not self.lives_on(worker, life):
            return              # it died while it waited for the lock
        self.quiet.pop(life, None)
        if trial is not None:
            self.tell(trial, value_of(self.graph[trial]))
        found = self.next_trial()
        if found is None:
            self.idle[worker] = life
        else:
            self.claim[found] = life
            self.holds[life] = found
            self.evaluations += 1
            self.begin(worker, life, found,
                       self.random.lognormvariate(0, self.given.spread) *
                       self.given.mean)
        self.wake()

    def begin(self, worker, life, trial, spent):
        """An evaluation, and what may happen to it."""
        end = self.now + spent
        if self.random.random() >= self.given.faults:
            self.at(end, self.done, worker, life, trial)
            return
        kind = self.random.choice(("crash", "stop", "cut"))
        self.faults[kind] += 1
        moment = self.now + self.random.uniform(0, spent)
        self.at(moment, self.silence, life)
        if kind == "crash":
            self.at(moment, self.crash, worker, life)
            self.at(moment + self.random.uniform(1, 300), self.start, worker)
        elif kind == "stop":    # it goes on later, and answers late
            pause = self.random.uniform(0.5, 4) * LEASE
            self.at(moment + pause, self.heard, life)
            self.at(end + pause, self.done, worker, life, trial)
        else:                   # it computes, but nobody hears of it
            pause = self.random.uniform(0.1, 3) * LEASE
            self.at(moment + pause, self.heard, life)
            self.at(max(end, moment + pause), self.done, worker, life, trial)

    def done(self, worker, life, trial):
        if self.lives_on(worker, life):
            self.locked(self.turn, worker, life, trial)

    def crash(self, worker, life):
        if self.lives_on(worker, life):
            self.alive[worker] = None

    def start(self, worker):
        self.lives += 1
        self.alive[worker] = self.lives
        self.locked(self.turn, worker, self.lives, None)

    # ---- what others notice ----

    def silence(self, life):
        self.quiet[life] = self.now
        self.at(self.now + 1.5 * LEASE, self.expire, life, self.now)

    def heard(self, life):
        self.quiet.pop(life, None)

    def expire(self, life, since):
        """The claim of one that gave no sign for a lease and a half."""
        if self.quiet.get(life) != since or self.given.broken == "lease":
            return
        # Nobody was heard of while the server was away.
        again = self.away_until + LEASE / 2
        if again > self.now:
            self.at(again, self.expire, life, since)
            return
        trial = self.holds.get(life)
        if trial is not None:
            self.release(trial)
            heapq.heappush(self.free, trial)
            self.wake()

    def outage(self):
        if self.told_below < self.given.trials and self.now < self.give_up:
            self.faults["server"] += 1
            self.away_until = self.now + self.random.uniform(1, 120)
            self.at(self.now + self.random.expovariate(1 / 7200), self.outage)

    def run(self):
        given = self.given
        ideal = (given.trials * given.mean * math.exp(given.spread ** 2 / 2) /
                 given.workers)
        self.give_up = 50 * ideal + 100 * LEASE + 10 * given.mean
        for worker in range(given.workers):
            self.at(self.random.uniform(0, 5), self.start, worker)
        self.at(self.random.expovariate(1 / 7200), self.outage)
        while self.queue and self.told_below < given.trials:
            self.now, _, action, words = heapq.heappop(self.queue)
            if self.now > self.give_up:
                break
            action(*words)

    def judge(self):
        """None, or what is wrong with the log."""
        given = self.given
        values = one_worker(given.trials, given.window)
        told, asked, below = {}, 0, 0
        for kind, trial, what in self.log:
            if kind == "asked":
                if trial != asked:
                    return f"trial {trial} where {asked} belongs"
                if trial - given.window >= below:
                    return f"trial {trial} before what it is made from"
                if what != graph_of(trial, values, given.window):
                    return f"trial {trial} is not that of one worker"
                asked += 1
            else:
                if trial in told:
                    return f"trial {trial} is told twice"
                if trial >= asked or what != values[trial]:
                    return f"the result of trial {trial}"
                told[trial] = what
                while below in told:
                    below += 1
        if len(told) != given.trials:
            return f"{given.trials - len(told)} trials without a result"
        return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--trials", type=int, default=20000)
    parser.add_argument("--window", type=int, default=0)
    parser.add_argument("--mean", type=float, default=600)
    parser.add_argument("--spread", type=float, default=0.5)
    parser.add_argument("--faults", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--break", dest="broken", default="")
    given = parser.parse_args()
    given.window = given.window or min(1024, given.workers * 3 // 2)
    sim = Simulation(given)
    sim.run()
    wrong = sim.judge()
    busy = sim.evaluations * given.mean * math.exp(given.spread ** 2 / 2)
    print(f"{given.workers} workers, window {given.window}, {given.trials} "
          f"trials of {given.mean:g} s, seed {given.seed}")
    print(f"faults: {sim.faults}")
    print(f"{sim.evaluations} evaluations, {sim.needless} answers too late; "
          f"{sim.now / 3600:.2f} h, workers busy "
          f"{100 * busy / (sim.now * given.workers or 1):.0f} %")
    print(f"lock: {sim.lock_turns / (sim.now or 1):.1f} turns a second, "
          f"{1000 * sim.lock_wait / max(1, sim.lock_turns):.1f} ms of waiting "
          f"each, server away included")
    print("the log is that of one worker" if not wrong else f"WRONG: {wrong}")
    return 1 if wrong else 0


sys.exit(main())
