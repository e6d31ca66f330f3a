#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The caches of docs/hexagon-model.md, "Modelled: caches", sentence by sentence and slowly, beside the model's counts
of the same random accesses: 10^6, or ACCESSES."""
import os
import subprocess
import sys

FAST = "tests/unit/hexagon/caches-random"


class Cache:
    """Line number n is in set n modulo the number of sets; the line that was used least recently leaves a full set."""

    def __init__(self, size, ways, line):
        self.ways, self.line = ways, line
        # for each set: line number -> dirty; the line that was used last is the last one
        self.sets = [{} for _ in range(size // (ways * line))]

    def of(self, address):
        number = address // self.line
        return number, self.sets[number % len(self.sets)]

    def use(self, address, dirty):
        """Is the line there? And the line that left, if it was dirty."""
        number, lines = self.of(address)
        hit = number in lines
        left = None
        if not hit and len(lines) == self.ways:
            oldest = next(iter(lines))
            if lines.pop(oldest):
                left = oldest * self.line
        lines[number] = lines.pop(number, False) or dirty
        return hit, left


class Core:
    def __init__(self, l1i, l1d, l2):
        self.l1i, self.l1d, self.l2 = Cache(*l1i), Cache(*l1d), Cache(*l2)
        self.n = dict.fromkeys(("fetch", "fetch miss", "data", "data miss", "store miss", "l2 fetch", "l2 fetch miss",
                                "l2 read", "l2 read miss", "l2 store", "l2 store miss", "du read", "du write",
                                "vector load", "vector load miss", "vector store", "vector store miss",
                                "dcfetch hit", "dcfetch miss", "dcfetch far", "l2fetch", "l2fetch line",
                                "l2fetch line miss"), 0)

    def ask_l2(self, what, address):
        self.n[what] += 1
        if not self.l2.use(address, False)[0]:
            self.n[what + " miss"] += 1

    def write(self, address):
        self.n["du write"] += 1
        self.ask_l2("l2 store", address)

    def fetch(self, address):
        self.n["fetch"] += 1
        if not self.l1i.use(address, False)[0]:
            self.n["fetch miss"] += 1
            self.ask_l2("l2 fetch", address)

    def data(self, address, store, zero):
        self.n["data"] += 1
        hit, left = self.l1d.use(address, store or zero)
        if hit:
            return
        self.n["data miss"] += 1
        if zero:
            self.write(address)
        else:
            self.n["store miss"] += store
            self.n["du read"] += 1
            self.ask_l2("l2 read", address)
        if left is not None:
            self.write(left)

    def vector(self, address, store):
        start = address // self.l2.line * self.l2.line
        for part in range(start, start + self.l2.line, self.l1d.line):
            number, lines = self.l1d.of(part)
            if lines.get(number):
                self.write(part)
                lines[number] = False
            if store:
                lines.pop(number, None)
        self.ask_l2("vector store" if store else "vector load", address)

    def prefetch(self, address):
        hit, left = self.l1d.use(address, False)
        self.n["dcfetch hit" if hit else "dcfetch miss"] += 1
        if not hit:
            missed = self.n["l2 read miss"]
            self.n["du read"] += 1
            self.ask_l2("l2 read", address)
            self.n["dcfetch far"] += self.n["l2 read miss"] - missed
            if left is not None:
                self.write(left)

    def maintain(self, address, drop):
        """What it writes counts nothing."""
        number, lines = self.l1d.of(address)
        if lines.get(number):
            self.l2.use(address, False)
            lines[number] = False
        if drop:
            lines.pop(number, None)

    def drop_code(self, address):
        number, lines = self.l1i.of(address)
        lines.pop(number, None)

    def run(self, accesses, spread):
        state = 1
        for _ in range(accesses):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            kind, address = (state >> 58) % 11, (state >> 24) % spread
            if kind == 0:
                self.fetch(address)
            elif kind < 4:
                self.data(address, kind == 2, kind == 3)
            elif kind < 6:
                self.vector(address, kind == 5)
            elif kind == 6:
                self.prefetch(address)
            elif kind == 7:
                self.ask_l2("l2fetch line", address)
            elif kind < 10:
                self.maintain(address, kind == 9)
            else:
                self.drop_code(address)
        return list(self.n.values())


# small caches with many evictions; those of a V69 core
SHAPES = (((256, 2, 64), (512, 4, 32), (1024, 4, 64), 3072),
          ((2048, 1, 16), (1024, 8, 64), (4096, 2, 64), 16384),
          ((32 << 10, 4, 64), (32 << 10, 8, 32), (1 << 20, 8, 64), 3 << 20))


def main():
    accesses = int(os.environ.get("ACCESSES", 1000000))
    failures = 0
    for *shapes, spread in SHAPES:
        command = [FAST, str(accesses), str(spread)] + ["%d:%d:%d" % shape for shape in shapes]
        fast = [int(n) for n in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]
        core = Core(*shapes)
        slow = core.run(accesses, spread)
        # hits + misses = accesses on each level: the misses of the L1s are the accesses of the L2
        n = core.n
        sound = (n["fetch miss"] == n["l2 fetch"] and n["data miss"] + n["dcfetch miss"] >= n["l2 read"] and
                 0 < n["vector store miss"] <= n["vector store"] and n["du write"] == n["l2 store"])
        if slow != fast or not sound:
            failures += 1
            print("not ok:", shapes, spread, dict(zip(core.n, zip(slow, fast))))
    print("%d%%: Checks: %d, Failures: %d, Errors: 0" % (100 * (len(SHAPES) - failures) // len(SHAPES), len(SHAPES),
                                                       failures))
    sys.exit(failures != 0)


main()
