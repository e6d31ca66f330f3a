#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The model of time of docs/hexagon-model.md, cycle by cycle and slowly, beside the model's account of the same random
programs: threads that start and stop each other, wait for caches, branches and vector contexts, meet at locks, semaphores,
barriers and condition variables, and a program that ends while some of them run. 3 * 10^5 cycles of threads, or STEPS."""
import importlib.util
import os
import random
import subprocess
import sys

FAST = "tests/unit/hexagon/time-random"
THREADS, COUNTS, CAUSES = 6, 47, 5
OBJECTS, MEET = 2, 3
PARTS = 840
FETCH, LOAD, STORE, ZERO, VECTOR_LOAD, VECTOR_STORE = range(6)
REDIRECT, L2FETCH, VECTOR = 11, 12, 13
(BRANCH_WAIT, FETCH_WAIT, DATA_WAIT, VECTOR_WAIT, CONTEXT_WAIT) = range(5)
SHAPES = ((256, 2, 64), (512, 4, 32), (2048, 4, 64))

spec = importlib.util.spec_from_file_location("caches", os.path.join(os.path.dirname(__file__), "slow-caches.py"))
caches = importlib.util.module_from_spec(spec)


def load_caches():
    """Its classes, without its main()."""
    text = open(spec.origin).read().rsplit("\nmain()", 1)[0]
    exec(compile(text, spec.origin, "exec"), caches.__dict__)


class Thread:
    def __init__(self, items):
        self.items, self.at = items, 0
        self.runs = self.blocked = self.context = False
        self.in_packet = 0      # cycles of the present packet that are left
        self.waits = []         # causes, one for each cycle
        self.block, self.done = None, 0     # block that runs, packets of it that began
        self.again = False      # it follows itself
        self.entry = 0          # of the present packet, that is done next
        self.sleeps = self.vector = False


class Core:
    def __init__(self, program):
        self.p = program
        self.caches = caches.Core(*SHAPES)
        self.threads = [Thread(items) for items in program["threads"]]
        self.ending = False
        self.free = program["contexts"]
        self.queue = []         # (cycle, number) of threads that wait for a context
        self.now = 0
        self.packets, self.insts, self.jumps = ([0] * 8 for _ in range(3))
        self.memory = [[0] * 23 for _ in range(8)]
        self.cycles, self.active, self.shown = [0] * 256, [0] * 256, [0] * 256
        self.set_packets = [[0] * 8 for _ in range(256)]
        self.contexts = [0] * 9
        self.hidden, self.open, self.parts = ([[0] * CAUSES for _ in range(8)] for _ in range(3))
        self.begun = []         # packets that began in this cycle
        self.steps = 0
        self.tokens, self.waiters, self.sleepers = [1] * OBJECTS, [[] for _ in range(OBJECTS)], [[] for _ in range(OBJECTS)]
        self.met = []

    def access(self, number, what, address):
        """Cycles of waiting, and their cause."""
        c, p = self.caches, self.p
        before = dict(c.n)
        if what == FETCH:
            c.fetch(address)
            miss, far, cause = "fetch miss", "l2 fetch miss", FETCH_WAIT
        elif what in (LOAD, STORE, ZERO):
            c.data(address, what == STORE, what == ZERO)
            miss, far, cause = "data miss", "l2 read miss", DATA_WAIT
        else:
            c.vector(address, what == VECTOR_STORE)
            miss, far, cause = None, "vector load miss", VECTOR_WAIT
        more = [c.n[k] - before[k] for k in c.n]
        for i, n in enumerate(more):
            self.memory[number][i] += n
        missed = miss and c.n[miss] > before[miss]
        is_far = c.n[far] > before[far]
        if what in (STORE, VECTOR_STORE):
            return []
        if what == VECTOR_LOAD:
            return [cause] * (p["memory"] if is_far else 0)
        if not missed:
            return []
        return [cause] * (p["memory"] if is_far else p["l2"])

    def need_context(self, t):
        t.vector = True
        if t.context:
            return
        if self.free:
            self.free -= 1
            t.context = True
        else:
            t.blocked = True
            self.queue.append((self.now, self.threads.index(t)))

    def start(self, number, vector):
        t = self.threads[number]
        if t.runs or t.sleeps or t.at == len(t.items):
            return
        t.runs = True
        t.vector = False
        if vector:
            self.need_context(t)

    def stop(self, t):
        t.runs = t.blocked = False
        t.block = None
        self.queue = [entry for entry in self.queue if self.threads[entry[1]] is not t]
        if t.context:
            t.context = False
            self.free += 1
            if self.queue:
                entry = min(self.queue)
                self.queue.remove(entry)
                first = self.threads[entry[1]]
                first.blocked = False
                first.context = True
                self.free -= 1

    def end(self, t):
        self.stop(t)
        self.ending = True
        for t in self.threads:
            if t.blocked:
                self.stop(t)

    def sleep(self, number, queue):
        self.stop(self.threads[number])
        self.threads[number].sleeps = True
        queue.append(number)

    def wake(self, number):
        self.threads[number].sleeps = False
        self.start(number, self.threads[number].vector)

    def take(self, number, n):
        """A token of semaphore n for a thread that runs or sleeps."""
        if not self.tokens[n]:
            if self.threads[number].runs:
                self.sleep(number, self.waiters[n])
            else:
                self.waiters[n].append(number)
            return
        self.tokens[n] -= 1
        if self.threads[number].sleeps:
            self.wake(number)

    def post(self, n):
        self.tokens[n] += 1
        if self.waiters[n]:
            self.take(self.waiters[n].pop(0), n)

    def use_object(self, number, what, n):
        if what == "w":
            self.take(number, n)
        elif what == "k":
            self.post(n)
        elif what == "c":
            self.post(0)
            self.sleep(number, self.sleepers[n])
        elif what == "n" and self.sleepers[n]:
            self.take(self.sleepers[n].pop(0), 0)
        elif what == "r":
            if len(self.met) < MEET - 1:
                self.sleep(number, self.met)
            else:
                met, self.met = self.met, []
                for other in met:
                    self.wake(other)

    def act(self, number):
        """A thread that has nothing under way begins a packet, or does what is no packet."""
        t = self.threads[number]
        if t.block is None or t.done == len(t.block):
            if t.block is not None:
                self.insts[number] += 2 * len(t.block)
                self.jumps[number] += t.again
            t.block = None
            if self.ending:
                self.stop(t)
                return
            if t.at == len(t.items):
                self.stop(t)
                return
            item = t.items[t.at]
            if item[0] == "s":
                t.at += 1
                self.start(item[1], item[2])
            elif item[0] == "x":
                t.at += 1
                self.stop(t)
            elif item[0] == "e":
                self.end(t)
            elif item[0] != "b":
                t.at += 1
                self.use_object(number, *item)
            else:
                t.block, t.done, t.at, t.again = item[1], 0, t.at + 1, not item[2]
                t.entry = 0
            return
        packet = t.block[t.done]
        while t.entry < len(packet):
            what, address = packet[t.entry]
            t.entry += 1
            if what == VECTOR:
                self.need_context(t)
                if t.blocked:
                    return
            elif what == L2FETCH:
                self.memory[number][20] += 1
            elif what == REDIRECT:
                t.waits += [BRANCH_WAIT] * self.p["redirect"]
            else:
                t.waits += self.access(number, what, address)
        t.done += 1
        t.entry = 0
        t.in_packet = self.p["cycles"]
        self.begun.append(number)

    def cycle(self):
        while True:
            idle = [i for i, t in enumerate(self.threads)
                    if t.runs and not t.blocked and not t.in_packet and not t.waits]
            if not idle:
                break
            self.act(idle[0])
        running = [i for i, t in enumerate(self.threads) if t.runs]
        if not running:
            return False
        waiting = {i: CONTEXT_WAIT if self.threads[i].blocked else self.threads[i].waits[0]
                   for i in running if self.threads[i].blocked or not self.threads[i].in_packet}
        mask = sum(1 << i for i in running)
        self.cycles[mask] += 1
        self.active[mask - sum(1 << i for i in waiting)] += 1
        self.contexts[sum(self.threads[i].context for i in running)] += 1
        for i in self.begun:
            self.packets[i] += 1
            self.set_packets[mask][i] += 1
        self.begun = []
        if len(waiting) == len(running):
            self.shown[mask] += 1
        for i, cause in waiting.items():
            if len(waiting) == len(running):
                self.open[i][cause] += 1
                self.parts[i][cause] += PARTS // len(running)
            else:
                self.hidden[i][cause] += 1
        for i in running:
            t = self.threads[i]
            if t.in_packet:
                t.in_packet -= 1
            elif not t.blocked:
                t.waits.pop(0)
        self.steps += len(running)
        self.now += 1
        return True

    def totals(self):
        out = []
        for i in range(8):
            count = [0] * COUNTS
            count[0], count[1], count[2] = self.packets[i], self.insts[i], self.jumps[i]
            count[COUNTS - 23:] = self.memory[i]
            out += count
        out += self.cycles + self.active + self.shown
        for line in self.set_packets + [self.contexts] + self.hidden + self.open + self.parts:
            out += line
        return out


def random_program(r, large):
    timed = r.random() < 0.8
    p = {"cycles": r.choice((1, 2, 3, 3)), "contexts": r.randint(1, 4), "l2": r.randint(1, 20) if timed else 0,
         "memory": r.randint(20, 150) if timed else 0, "redirect": r.randint(0, 9) if timed else 0, "threads": []}
    spread = r.choice((512, 2048, 8192))
    # it ends the program; it needs no vector context, so that at each clock it is where its number places it
    ender = r.choice((None,) + tuple(range(THREADS)))
    objects = r.choice((0, 0.1, 0.4))
    for number in range(THREADS):
        items, vector = [], number == ender
        for _ in range(r.randint(1, 30 * (large if number else large * 2))):
            what = r.random()
            if what < 0.15:
                other = r.randrange(THREADS)
                items.append(("s", other, other != ender and r.random() < 0.2))
            elif what < 0.18 and number:
                items.append(("x",))
                vector = number == ender
            elif what < 0.18 + objects:
                # mostly a lock around something, and nothing without a packet
                items += [("b", [[]], 1), (r.choice("wwkkkrccnnn"), r.randrange(OBJECTS))]
            else:
                length, times = r.randint(1, 7), 1 if timed else r.randint(1, 4)
                busy = r.random() < 0.5
                for k in range(times):
                    block = []
                    for _ in range(length):
                        entries = []
                        for _ in range(r.choice((0, 0, 1, 2)) if busy else 0):
                            entries.append((r.choice((FETCH, LOAD, LOAD, STORE, ZERO, VECTOR_LOAD, VECTOR_STORE,
                                                      REDIRECT, L2FETCH)), r.randrange(spread)))
                        # a block that repeats has its first vector packet in its first execution
                        if not vector and not k and r.random() < 0.02:
                            entries.insert(0, (VECTOR, 0))
                            vector = True
                        block.append(entries)
                    # a run of a block: its first execution has their number
                    items.append(("b", block, times if not k else 0))
        if not number:
            items = [("s", i, False) for i in range(1, THREADS) if r.random() < 0.8] + items
        if number == ender:
            # the packet of the system call: no thread ends the program in the clock in which another one starts it
            items += [("b", [[]], 1), ("e",)]
        p["threads"].append(items)
    return p


def as_text(p, seed):
    lines = ["%d %d %d %d %d %d" % (p["cycles"], p["contexts"], p["l2"], p["memory"], p["redirect"], seed)]
    lines += ["%d %d %d" % shape for shape in SHAPES]
    for items in p["threads"]:
        words = []
        for item in items:
            if item[0] == "s":
                words.append("s %d %d" % (item[1], item[2]))
            elif item[0] == "r":
                words.append("r")
            elif item[0] != "b":
                words.append(" ".join(map(str, item)))
            else:
                if item[2]:
                    words.append("b %d %d" % (item[2], len(item[1])))
                for entries in item[1]:
                    words.append(" ".join([str(len(entries))] + ["%d %d" % e for e in entries]))
        lines.append(" ".join(words + ["."]))
    return "\n".join(lines) + "\n"


def main():
    load_caches()
    wanted, steps, checks, failures, seed = int(os.environ.get("STEPS", 300000)), 0, 0, 0, 0
    while steps < wanted:
        seed += 1
        r = random.Random(seed)
        p = random_program(r, 1 + seed % 4)
        text = as_text(p, seed)
        fast = subprocess.run([FAST], input=text, capture_output=True, text=True)
        core = Core(p)
        core.start(0, False)
        while core.cycle():
            pass
        steps += core.steps
        checks += 1
        slow = core.totals()
        if fast.returncode or slow != [int(x) for x in fast.stdout.split()]:
            failures += 1
            values = [int(x) for x in fast.stdout.split()]
            print("not ok: program", seed, fast.returncode, [(i, s, f) for i, (s, f) in enumerate(zip(slow, values))
                                                             if s != f][:12])
            if failures > 5:
                break
    print("%d cycles of threads" % steps)
    print("%d%%: Checks: %d, Failures: %d, Errors: 0" % (100 * (checks - failures) // checks, checks, failures))
    sys.exit(failures != 0)


main()
