#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""No two places of the sources share six or more identical lines.

What does not count: empty lines, comments, #include lines and conditionals, lone braces and other punctuation, and rows of
tables (a line of nothing but values in braces, or of one string). Space within a line is folded."""
import collections
import os
import re
import sys

from sources import sources

TOP = os.environ.get("srcdir", ".")
RUN = 6
ENDINGS = (".c", ".h", ".sh", ".py", ".inc", ".js")
# catalogues and recorded data are tables
SKIP = re.compile(r"(^|/)(corpus|vectors)(/|$)")


def files():
    return [name for name in sources(TOP) if name.endswith(ENDINGS) and not SKIP.search(name)]


def lines(path):
    """(number, folded text) of the lines that count."""
    comment = False
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as text:
        for number, line in enumerate(text, 1):
            line = " ".join(line.split())
            if comment:
                comment = "*/" not in line
                continue
            if line.startswith("/*"):
                comment = "*/" not in line
                continue
            if line.startswith(("//", "#include", "#if", "#e", "from ", "import ")) or re.match(r"(if [A-Z_]+|else|endif|include \S+)$", line) or re.match(r"#($| |!)", line):
                continue
            if not re.search(r"[A-Za-z]", line) or re.fullmatch(r'\{.*\},?|"[^"]*"[,;]?', line):
                continue
            if re.fullmatch(r"(break|return|return 0|else|do|fi|done|then|END);?", line):
                continue
            yield number, line


def main():
    runs = collections.defaultdict(list)
    kept = {}
    for path in files():
        if not os.path.isfile(os.path.join(TOP, path)):
            continue
        kept[path] = list(lines(path))
        for i in range(len(kept[path]) - RUN + 1):
            window = kept[path][i:i + RUN]
            runs["\n".join(line for _, line in window)].append((path, i))
    if len(kept) < 50:
        sys.exit("check-duplicates: no sources found")
    reported = set()
    bad = 0
    for places in runs.values():
        for (a, i), (b, k) in zip(places, places[1:]):
            if a == b and k < i + RUN:
                continue
            # one row for each run, not for each of its windows
            if (a, i - 1, b, k - 1) not in reported:
                first, second = kept[a][i][0], kept[b][k][0]
                print(f"{a}:{first} ~ {b}:{second}: {kept[a][i][1]}")
                bad += 1
            reported.add((a, i, b, k))
    print(f"check-duplicates: {len(kept)} files, {bad} runs of {RUN} or more identical lines")
    sys.exit(bad != 0)


main()
