#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Counts events while a command runs: count.py EVENT... -- COMMAND [ARGUMENT...]"""
import subprocess
import sys

import mon


def main() -> int:
    if "--" not in sys.argv or sys.argv[-1] == "--":
        sys.exit(__doc__)
    at = sys.argv.index("--")
    try:
        with mon.Group(*sys.argv[1:at]) as group:
            status = subprocess.run(sys.argv[at + 1:], check=False).returncode
    except OSError as error:
        sys.exit(f"count.py: {error.strerror}")
    for name, count in group.counts.items():
        print(f"{count:16} {name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
