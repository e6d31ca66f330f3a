#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What users see is documented: each public function and each option has its manual page; links lead somewhere, manual
pages have no error, words are spelled right.

usage: pages.py      (in the build tree; $srcdir is the source tree)
"""
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("srcdir", "."))
MAN = sorted(path for path in (SOURCE / "man").iterdir() if re.search(r"\.[1-8]$", path.name))
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("**/*.md"))]
# every program of argp has these
COMMON = {"--help", "--usage", "--version"}
# what monitors.h calls for ESP's names, which are documented
BEHIND_MACROS = "libmon_esp_"
# its options are those of pkg-config
FOREIGN = {"dpu-pkg-config"}
# the handbook's own pages, which its script makes
GENERATED = {"manual.md", "upstream.md", "admin-guide-espmon.md"}


def functions():
    """Functions that no manual page names."""
    text = "\n".join(path.read_text() for path in MAN)
    for header in sorted((SOURCE / "libmon/include").glob("**/*")):
        if header.is_dir():
            continue
        for name in re.findall(r"^MON_API [^;(]*?\b(\w+)\(", header.read_text(errors="replace"), re.M):
            if not name.startswith(BEHIND_MACROS) and not re.search(rf"\b{name}\b", text):
                yield f"{header}: {name}() is in no manual page"


def options():
    """Options that --help shows and the manual page does not."""
    for page in MAN:
        program = pathlib.Path(page.stem)
        if page.suffix != ".1" or page.stem in FOREIGN or not program.exists():
            continue
        text = page.read_text().replace("\\-", "-")
        shown = subprocess.run([f"./{program}", "--help"], capture_output=True, text=True, check=False).stdout
        for option in sorted(set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", shown, re.M)) - COMMON):
            if option not in re.sub(r"\\f.", "", text):
                yield f"{page}: {program} {option} is not described"


def links():
    """Links of documents to files that are not there."""
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            folder = SOURCE / "docs" if page.name == "pages.md" else page.parent
            if not re.match(r"\w+:", target) and target not in GENERATED and \
                    not (folder / target).exists() and not (page.parent / target).exists():
                yield f"{page}: {target} is not there"


def tool(*command):
    """Lines that a checker prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return [f"{command[0]}: not found: install the package {command[0]}"]
    return done.stdout.splitlines()


def main():
    checks = {
        "functions": functions(), "options": options(), "links": links(),
        # the pages have no date: they are those of the release
        "manual pages": (line for line in tool("mandoc", "-T", "lint", "-W", "warning", *map(str, MAN))
                         if "missing date" not in line),
        "spelling": tool("codespell", "--ignore-words-list", "te", str(SOURCE / "NEWS"), *map(str, PAGES + MAN)),
    }
    failures = 0
    for name, complaints in checks.items():
        complaints = list(complaints)
        failures += bool(complaints)
        for complaint in complaints:
            print(f"  | {name}: {complaint}")
    print(f"{'FAIL' if failures else 'PASS'}: pages: {100 * (len(checks) - failures) // len(checks)}%: "
          f"Checks: {len(checks)}, Failures: {failures}, Errors: 0")
    sys.exit(1 if failures else 0)


main()
