#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The busiest interval of each counter of a recording: recording.py [FILE]"""
import sys

import mon


def main() -> None:
    recording = mon.Recording(sys.argv[1] if len(sys.argv) > 1 else "monctl.data")
    for name, column in recording.counts.items():
        most = max(column, default=0)
        if most:
            print(f"{name}: {most} at {recording.seconds[column.index(most)]:.3f} s, {sum(column)} in all")


if __name__ == "__main__":
    main()
