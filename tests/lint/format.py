#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The layout of C as .uncrustify.cfg says: checks it, or makes it with --write. Kernel code is checkpatch's."""
import os
import re
import subprocess
import sys

from sources import sources

TOP = os.environ.get("srcdir", ".")
TOOL = "uncrustify"
VERSION = "0.72"  # others lay out some lines differently
SKIP = re.compile("|".join((
    r"pmu/",  # kernel-lint holds it
    r"events/libpfm4/", r"tests/guest/upmem-page/", r"tests/lint/house/",  # in the form of libpfm4, UPMEM and QEMU
    r"tools/mon-esp-acc/systemc/",  # C++
    # what uncrustify does not understand: a type's name that is a macro, tables in tables
    r"tools/dpu-cc/lib/float\.h", r"tests/unit/monctl/test-verdict\.c")))
# QEMU's devices have QEMU's four spaces; the plugin of Hexagon's programs is no device
SPACES = re.compile(r"qemu/(?!hexagon/)|qemu/hexagon/hexagon-dev\.c")
AS_QEMU = ["indent_columns=4", "indent_with_tabs=0", "input_tab_size=4", "align_with_tabs=false",
           "indent_cmt_with_tabs=false"]


def run(names, settings, how):
    options = [word for setting in settings for word in ("--set", setting)]
    return subprocess.run([TOOL, "-q", "-l", "C", "-c", os.path.join(TOP, ".uncrustify.cfg"), *options, *how,
                           *[os.path.join(TOP, name) for name in names]], capture_output=True, text=True, check=False)


def main():
    try:
        version = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
    except OSError:
        print("check-format: not run: uncrustify not found: install the package uncrustify")
        return 0
    if VERSION not in version:
        print(f"check-format: not run: this is {version.strip()}, and the layout is that of version {VERSION}")
        return 0
    names = [name for name in sources(TOP) if name.endswith((".c", ".h")) and not SKIP.match(name)]
    how = ["--no-backup", "--replace"] if "--write" in sys.argv else ["--check"]
    failed = False
    for settings in ([], AS_QEMU):
        done = run([name for name in names if bool(SPACES.match(name)) == bool(settings)], settings, how)
        failed |= done.returncode != 0
        for line in (done.stdout + done.stderr).splitlines():
            if not line.startswith("PASS"):
                print(line)
    if not failed:
        print(f"check-format: {len(names)} files are laid out as .uncrustify.cfg says")
    else:
        print("check-format: these files are laid out differently: `make format` changes them")
    return failed


if __name__ == "__main__":
    sys.exit(main())
