# SPDX-License-Identifier: GPL-2.0-only
"""The table of folders in CONTRIBUTING.md. A file belongs to the folder of the table that is the longest prefix
of its path."""
import os
import re

TOP = os.environ.get("srcdir", ".")


def folders():
    """folder -> (folders that it may use, None: all)"""
    table = {}
    with open(os.path.join(TOP, "CONTRIBUTING.md"), encoding="utf-8") as text:
        for line in text:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) != 3 or not re.fullmatch(r"`[a-z_/]+/`", cells[0]):
                continue
            uses = re.findall(r"`([a-z_/]+)/`", cells[2])
            table[cells[0].strip("`/")] = None if cells[2] == "all" else uses
    return table


def room(table, path):
    fits = [folder for folder in table if path == folder or path.startswith(folder + "/")]
    return max(fits, key=len, default=None)


def systems():
    """The names of systems.def, which are the names of their folders."""
    with open(os.path.join(TOP, "events/systems.def"), encoding="utf-8") as text:
        return re.findall(r"^MON_SYSTEM\((\w+),", text.read(), re.M)


SYSTEMS = systems()


def system(path):
    """The system that a file belongs to, or None."""
    parts = os.path.dirname(path).split("/")
    return next((part for part in parts if part in SYSTEMS), "upmem" if parts[0] == "dpu" else None)


def allowed(table, path, used):
    """May the file use the other one? None: the one is in no folder of the table."""
    here, there = room(table, path), room(table, used)
    if not here or not there:
        return None
    if system(path) and system(used) and system(path) != system(used):
        return False
    uses = table[here]
    return uses is None or here == there or there in uses
