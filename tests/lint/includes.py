#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of folders in CONTRIBUTING.md is true: no file includes, and no Makefile.inc names, what is in a
folder that its own folder may not use."""
import glob
import os
import re
import sys

from rooms import TOP, allowed, folders, room
from sources import sources

# folders of quoted names after the folder of the includer: the -I options of the build
SEARCH = ["", "models", "qemu", "libmon/include"] + sorted(glob.glob("libmon/*/include", root_dir=TOP))


def target(path, name, quoted):
    """The file of this project that an #include means, or None."""
    places = ([os.path.dirname(path)] if quoted else []) + SEARCH
    for place in places:
        found = os.path.normpath(os.path.join(place, name))
        if os.path.isfile(os.path.join(TOP, found)):
            return found
    return name if name.split("/")[0] in ("qemu", "models", "pmu") and not path.startswith("qemu/") else None


def main():
    table = folders()
    bad = seen = 0
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
