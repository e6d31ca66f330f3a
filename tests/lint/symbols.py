#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a built tree's objects take from each other: no file uses a symbol of a folder that its own folder may not use
(the table in CONTRIBUTING.md), and no files use each other in a circle, but for those of CIRCLES.

A use is an undefined symbol that one other file defines. A function that is passed on and called back is a use by
the file that passes it; what a header defines inline belongs to the file that includes it."""
import glob
import os
import re
import subprocess
import sys

from rooms import TOP, allowed, folders

# Permitted circles, at most three, each with its reason.
CIRCLES = {}

LEFT_OUT = ("build/lint", "build/debug-kernel", "build/house", "build/kernel-series", "build/libpfm4", "build/qemu",
            "build/perf", "build/fuzz", "tests", "dpu/tests", "tools/monctl/libperf", ".git")


# Folders of public headers: their functions may be used by whoever may use the headers.
PUBLIC = ("libmon/include", "dpu/include")

# What is preloaded into programs takes the place of the C library's functions there; nothing is linked with it.
PRELOADED = ("libmon/upmem/preload.c",)


def public_words(folder):
    """What the headers of a folder say."""
    words = set()
    for path in glob.glob(os.path.join(TOP, folder, "*")):
        with open(path, encoding="utf-8") as text:
            words |= set(re.findall(r"\w+", text.read()))
    return words


def objects():
    for folder, subfolders, names in os.walk("."):
        here = os.path.relpath(folder, ".")
        subfolders[:] = [] if here.startswith(LEFT_OUT) else subfolders
        if not here.startswith(LEFT_OUT):
            yield from (os.path.join(here, name) for name in names
                        if name.endswith((".o", ".mo", ".qo")) and not name.endswith((".mod.o", ".probed.mo")))


def source(path):
    """dpu/as/libdpuas_a-asm.o -> dpu/as/asm.c; None for what is no file's object, or no longer."""
    folder, name = os.path.split(re.sub(r"^build/pmu/[^/]*/", "pmu/", path))
    folder = folder.removesuffix(".libs")
    parts = name.rsplit(".", 1)[0].split("-")
    for i in range(len(parts)):
        found = os.path.normpath(os.path.join(folder, "-".join(parts[i:]) + ".c"))
        if os.path.isfile(os.path.join(TOP, found)):
            return found
    return None


def read_symbols():
    """symbol -> files that define it, file -> symbols that it uses"""
    defined, used = {}, {}
    names = {path: name for path in objects() if (name := source(path))}
    out = subprocess.run(["nm", "-AP", *names], capture_output=True, text=True, check=True).stdout if names else ""
    for path, symbol, kind in (line.split()[:3] for line in out.splitlines()):
        name = names[path.removesuffix(":")]
        if kind == "U":
            used.setdefault(name, set()).add(symbol)
        elif kind.isupper() and name not in PRELOADED:
            defined.setdefault(symbol, set()).add(name)
    return defined, used


def graph_of(defined, used):
    """file -> {file: symbols}. Several programs may each have a symbol: the one of the same folder is meant."""
    graph = {}
    for name, symbols in used.items():
        for symbol in symbols:
            places = defined.get(symbol, set())
            near = {place for place in places if os.path.dirname(place) == os.path.dirname(name)}
            places = near if len(places) > 1 else places
            if len(places) == 1 and name not in places:
                graph.setdefault(name, {}).setdefault(*places, set()).add(symbol)
    return graph


def circles_of(graph):
    """The strongly connected components of more than one file (Tarjan)."""
    order, low, stack, found = {}, {}, [], []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph.get(name, ()):
            if other not in order:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == order[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                found.append(frozenset(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for name in sorted(graph):
        if name not in order:
            visit(name)
    return found


def main():
    table = folders()
    graph = graph_of(*read_symbols())
    public = {folder: public_words(folder) for folder in PUBLIC}
    bad = seen = 0
    for name, others in sorted(graph.items()):
        for other, symbols in sorted(others.items()):
            seen += 1
            for folder, words in public.items():
                if allowed(table, name, folder):
                    symbols = symbols - words
            if symbols and allowed(table, name, other) is False:
                print(f"{name} may not use {', '.join(sorted(symbols))} of {other} (CONTRIBUTING.md)")
                bad += 1
    if not seen:
        sys.exit("symbol check: no object was looked at: run make first")
    circles = circles_of(graph)
    for circle in circles:
        if circle not in CIRCLES:
            print("circle:", *sorted(circle))
            for name in sorted(circle):
                for other in sorted(circle & set(graph.get(name, ()))):
                    print(f"    {name} uses {', '.join(sorted(graph[name][other])[:4])} of {other}")
            bad += 1
    for circle in CIRCLES.keys() - set(circles):
        print("no circle any more, take it out of the list:", *sorted(circle))
        bad += 1
    print(f"symbol check: {seen} pairs of files, {len(circles)} circles, {bad} against the rules")
    sys.exit(bad != 0 or len(CIRCLES) > 3)


main()
