#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of folders in CONTRIBUTING.md is true: no file includes, and no Makefile.inc names, what is in a
folder that its own folder may not use. And code outside of the systems' folders names no system, but for NAMES."""
import glob
import os
import re
import sys

from rooms import SYSTEMS, TOP, allowed, folders, room, system
from sources import sources

# folders of quoted names after the folder of the includer: the -I options of the build
SEARCH = ["", "models", "qemu", "libmon/include"] + sorted(glob.glob("libmon/*/include", root_dir=TOP))

# Common files that name a system, at most ten, each with its reason.
NAMES = {
    "debian/tests/words.c": "a program as a user of the packages writes it",
    "events/metrics/metrics.c": "the word of a preset that has a table of its own",
    "qemu/compat.h": "what differs between QEMU's releases stands in one place",
    "vm/devices.c": "options of mon-vm become options of devices",
    "vm/hexagon.c": "a device whose programs run outside of the guest",
    "vm/main.c": "mon-vm's options",
    "vm/qemu.c": "options of mon-vm become options of QEMU",
    "vm/run.c": "a device whose programs run outside of the guest",
    "vm/vm.h": "mon-vm's options",
}


def names():
    """The number of common files with code that names a system and may not."""
    pattern = "|".join(SYSTEMS + ["espmon", "dpu"])
    named = re.compile(rf"(?<![A-Za-z])({pattern})(?![a-z])|(?<![A-Za-z])({pattern.upper()})_")
    found = set()
    for path in sources(TOP):
        if not path.endswith((".c", ".h", ".js", ".py")) or path.startswith("tests/") or system(path):
            continue
        with open(os.path.join(TOP, path), encoding="utf-8") as text:
            code = text.read()
        comment = r'"""(?:(?!""").)*"""|#[^\n]*' if path.endswith(".py") else r"/\*.*?\*/|//[^\n]*"
        match = named.search(re.sub(comment, "", code, flags=re.S))
        if match:
            found.add(path)
            if path not in NAMES:
                print(f"{path}: a common file names {match[0]}")
    for path in NAMES.keys() - found:
        print(f"{path}: names no system any more, take it out of NAMES")
    return len(found ^ NAMES.keys()) + (len(NAMES) > 10)


def target(path, name, quoted):
    """The file of this project that an #include means, or None."""
    places = ([os.path.dirname(path)] if quoted else []) + (["dpu/cc/include"] if path.startswith("dpu/cc/") else []) + SEARCH
    for place in places:
        found = os.path.normpath(os.path.join(place, name))
        if os.path.isfile(os.path.join(TOP, found)):
            return found
    return name if name.split("/")[0] in ("qemu", "models", "pmu") and not path.startswith("qemu/") else None


def main():
    table = folders()
    seen, bad = 0, names()
    if len(table) < 8:
        sys.exit("include check: CONTRIBUTING.md has no table of folders")
    for path in sources(TOP):
        here = room(table, path)
        full = os.path.join(TOP, path)
        if not here or not os.path.isfile(full):
            continue
        makefile = path.endswith(("Makefile.inc", "Kbuild"))
        if not path.endswith((".c", ".h", ".def")) and not makefile:
            continue
        with open(full, encoding="utf-8") as text:
            for number, line in enumerate(text, 1):
                if makefile:
                    named = [name for name in re.findall(r"(?<![\w$({/.-])([a-z]+/[\w./-]+\.[ch])\b", line)
                             if room(table, name)]
                else:
                    match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
                    found = match and target(path, match[2], match[1] == '"')
                    named = [found] if found else []
                for name in named:
                    seen += 1
                    if allowed(table, path, name) is False:
                        print(f"{path}:{number}: {os.path.dirname(path)}/ may not use {name} (CONTRIBUTING.md)")
                        bad += 1
    if not seen:
        sys.exit("include check: no include was looked at")
    print(f"include check: {seen} includes, {bad} against the table")
    sys.exit(bad != 0)


main()
