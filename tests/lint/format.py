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
    r"events/(\w+/)?libpfm4/", r"tests/guest/upmem/upmem-page/", r"tests/lint/house/",  # in the form of libpfm4, UPMEM and QEMU
    r"tools/esp/mon-esp-acc/systemc/",  # C++
    # what uncrustify does not understand: a type's name that is a macro, tables in tables
    r"dpu/cc/lib/float\.h", r"tests/unit/monctl/test-verdict\.c")))
# QEMU's devices have QEMU's four spaces; the plugin of Hexagon's programs is no device
SPACES = re.compile(r"qemu/(?!hexagon/)|qemu/hexagon/hexagon-dev\.c")
AS_QEMU = ["indent_columns=4", "indent_with_tabs=0", "input_tab_size=4", "align_with_tabs=false",
           "indent_cmt_with_tabs=false"]


def run(names, settings, how):
    options = [word for setting in settings for word in ("--set", setting)]
    return subprocess.run([TOOL, "-q", "-l", "C", "-c", os.path.join(TOP, ".uncrustify.cfg"), *options, *how,
                           *[os.path.join(TOP, name) for name in names]], capture_output=True, text=True, check=False)


def verdict(result, reason):
    """Prints it and keeps it for .ci/run, to which a skip is a failure."""
    text = f"{result}: check-format: {reason}"
    print(text)
    os.makedirs("tests/lint", exist_ok=True)
    with open("tests/lint/format.log", "w", encoding="utf-8") as log:
        print(text, file=log)
    return result == "FAIL"


def main():
    try:
        version = subprocess.run([TOOL, "--version"], capture_output=True, text=True, check=True).stdout
    except OSError:
        return verdict("SKIP", "uncrustify not found: install the package uncrustify")
    if VERSION not in version:
        return verdict("SKIP", f"this is {version.strip()}, and the layout is that of version {VERSION}")
    names = [name for name in sources(TOP) if name.endswith((".c", ".h")) and not SKIP.match(name)]
    how = ["--no-backup", "--replace"] if "--write" in sys.argv else ["--check"]
    failed = False
    for settings in ([], AS_QEMU):
        done = run([name for name in names if bool(SPACES.match(name)) == bool(settings)], settings, how)
        failed |= done.returncode != 0
        for line in (done.stdout + done.stderr).splitlines():
            if not line.startswith("PASS"):
                print(line)
    if failed:
        return verdict("FAIL", "these files are laid out differently: `make format` changes them")
    return verdict("PASS", f"{len(names)} files are laid out as .uncrustify.cfg says")


if __name__ == "__main__":
    sys.exit(main())
