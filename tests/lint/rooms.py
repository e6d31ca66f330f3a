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


def allowed(table, here, there):
    uses = table[here]
    return uses is None or here == there or there in uses
