# SPDX-License-Identifier: GPL-2.0-only
"""The files of the sources: what a clone tracks; in an unpacked tarball or another copy, the list in .sources."""
import os
import subprocess


def sources(top):
    try:
        with open(os.path.join(top, ".sources"), encoding="utf-8") as listed:
            return [name for name in listed.read().splitlines() if os.path.exists(os.path.join(top, name))]
    except FileNotFoundError:
        return subprocess.check_output(["git", "-C", top, "ls-files"], text=True).splitlines()


if __name__ == "__main__":
    print("\n".join(sources(os.environ.get("srcdir", "."))))
