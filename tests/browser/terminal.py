#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""HTML of a terminal: text with the colours that "tmux capture-pane -e" writes, from standard input to standard output.

The size of the picture in pixels goes to standard error, as WIDTH,HEIGHT.
"""
import html
import re
import sys
import unicodedata

FONT = 14
CELL = (FONT * 1233 / 2048, FONT * 1.25)  # DejaVu Sans Mono is 1233/2048 em wide
MARGIN = 16
BASIC = ["#1c2128", "#f47067", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#adbac7",
         "#768390", "#ff938a", "#6bc46d", "#daaa3f", "#6cb6ff", "#dcbdfb", "#56d4dd", "#cdd9e5"]


def colour(number):
    """A colour of xterm's 256: 16 basic ones, a cube of 6 x 6 x 6, 24 greys."""
    if number < 16:
        return BASIC[number]
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    levels = [(number - 16) // 36, (number - 16) // 6 % 6, (number - 16) % 6]
    return "#" + "".join(f"{55 + 40 * v if v else 0:02x}" for v in levels)


class Pen:
    """The attributes of the next characters."""

    def __init__(self):
        self.set([0])

    def set(self, codes):
        """Applies the numbers of an SGR sequence."""
        codes = list(codes)
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.front, self.back, self.bold, self.reverse = BASIC[7], None, False, False
            elif code in (1, 22):
                self.bold = code == 1
            elif code in (7, 27):
                self.reverse = code == 7
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.front = BASIC[code % 10 + (8 if code >= 90 else 0)]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.back = BASIC[code % 10 + (8 if code >= 100 else 0)]
            elif code in (38, 48):
                kind = codes.pop(0)
                value = colour(codes.pop(0)) if kind == 5 else \
                    "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
                if code == 38:
                    self.front = value
                else:
                    self.back = value
            elif code == 39:
                self.front = BASIC[7]
            elif code == 49:
                self.back = None

    def style(self):
        """The same as CSS."""
        front, back = (self.back or BASIC[0], self.front) if self.reverse else (self.front, self.back)
        return f"color:{front}" + (f";background:{back}" if back else "") + \
            (";font-weight:bold" if self.bold else "")


def main():
    """Filters standard input."""
    lines = sys.stdin.read().rstrip("\n").expandtabs(8).split("\n")
    pen, out, columns = Pen(), [], 0
    for line in lines:
        width = 0
        for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
            if piece.startswith("\x1b["):
                pen.set([int(n or 0) for n in piece[2:-1].split(";")])
            elif piece:
                out.append(f'<span style="{pen.style()}">{html.escape(piece)}</span>')
                width += sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in piece)
        columns = max(columns, width)
        out.append("\n")
    print(f'<!doctype html><meta charset="utf-8"><body style="margin:0;background:{BASIC[0]}">'
          f'<pre style="margin:{MARGIN}px;font:{FONT}px/{CELL[1]}px \'DejaVu Sans Mono\',monospace">'
          + "".join(out) + "</pre>")
    print(f"{int(columns * CELL[0]) + 2 * MARGIN + 1},{int(len(lines) * CELL[1]) + 2 * MARGIN}", file=sys.stderr)


main()
