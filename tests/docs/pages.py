#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What users see is documented: public functions, options, module parameters, events, files in sysfs and debugfs. Links
lead somewhere, manual pages have no error, words are spelled right.

usage: pages.py      (in the build tree; $srcdir is the source tree)
"""
import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("srcdir", "."))
# some are made in the build tree
MAN = sorted({path.name: path for folder in (pathlib.Path("man"), SOURCE / "man", SOURCE / "dpu/man") for path in folder.glob("*.[1-8]")}.values())
PAGES = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("**/*.md")), *sorted((SOURCE / "dpu").glob("**/*.md"))]
# every program of argp has these
COMMON = {"--help", "--usage", "--version"}
# what monitors.h calls for ESP's names, which are documented
BEHIND_MACROS = "libmon_esp_"
# its options are those of pkg-config
FOREIGN = {"dpu-pkg-config"}
# Paths of other projects, of debugfs, placeholders, and what another configuration builds
ELSEWHERE = ("tools/perf/", "tools/include", "common/utils", "tests/validate", "qemu/osdep", "qemu/mon-qemu-riscv64.so",
             "qemu/hexagon/qemu-hexagon", "events/hexagon_run/", "events/upmem_rank/", "events/SYSTEM", "tests/guest/x",
             "tests/guest/modules/", "tests/libpfm4/NAME", "tests/unit/esp/test-libmon-esp")
# name and variants of a line of a catalogue
EVENT_LINE = r"^MON_EVENT\((\w+), (?:\w+(?:\([^)]*\))?), [^,]*, ([^,]*),"
# where a text tells how many monitors a tile of ESP has
MONITORS = {
    "pmu/esp/sld,esp-monitors.yaml": r"(\d+) monitors of 32 bits",
    "docs/esp.md": r"has (\d+) registers",
    "docs/esp-model.md": r"58, (\d+) and 65 monitors",
    "man/esp_soc.4": r"2023 \(default, (\d+) monitors\)",
}


def functions():
    """Functions that no manual page names."""
    text = "\n".join(path.read_text() for path in MAN)
    for header in sorted([*(SOURCE / "libmon").glob("include/**/*"), *(SOURCE / "libmon").glob("*/include/**/*")]):
        if header.is_dir():
            continue
        for name in re.findall(r"^MON_API [^;(]*?\b(\w+)\(", header.read_text(errors="replace"), re.M):
            if not name.startswith(BEHIND_MACROS) and not re.search(rf"\b{name}\b", text):
                yield f"{header}: {name}() is in no manual page"


def commands(name):
    """The commands whose options a manual page of section 1 describes."""
    if name == "monctl":
        return [["./monctl", command] for command in ("list", "topology", "report", "export", "mark")]
    if name.startswith("monctl-"):
        return [["./monctl", name[len("monctl-"):]]]
    for folder in (".", *pathlib.Path("examples").glob("*/"), SOURCE / "tools/esp" / name):
        path = pathlib.Path(folder) / name
        if path.is_file():
            kinds = ("c", "systemc", "verilog", "header") if name == "mon-esp-acc" else ()
            return [[path.absolute()], *([path.absolute(), kind] for kind in kinds)]
    return []


def options():
    """Options that --help shows and the manual page does not."""
    for page in MAN:
        if page.suffix != ".1" or page.stem in FOREIGN:
            continue
        # monctl(1) has the options of all commands; monctl-record(1) those of report and export
        more = ["monctl.1", "monctl-record.1"] if page.stem == "monctl" else ["monctl.1"] * ("monctl-" in page.stem)
        text = "".join((page.parent / name).read_text() for name in [page.name, *more])
        text = re.sub(r"\\f.", "", text.replace("\\-", "-"))
        found = set()
        for command in commands(page.stem):
            shown = subprocess.run([*command, "--help"], capture_output=True, text=True, check=False).stdout
            found.update(re.findall(r"^ +(?:-\w(?: \w+)?, )?(--[a-z-]+)", shown, re.M))
        if not found:
            yield f"{page}: no program {page.stem} shows its options with --help"
        for option in sorted(found - COMMON):
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", text):
                yield f"{page}: {page.stem} {option} is not described"


def events():
    """Events of the catalogues that perf's JSON does not describe."""
    described = {entry["EventName"] for path in pathlib.Path("events/perf").glob("*.json") for entry in json.loads(path.read_text())
                 if "EventName" in entry and len(re.sub(r"\[.*?\]", "", entry["BriefDescription"]).split()) > 1}
    for catalogue in sorted((SOURCE / "events").glob("*/events.def")):
        text = catalogue.read_text()
        identifiers = " ".join(re.findall(r"^MON_IDENTIFIER\(.*", text, re.M))
        names = re.findall(r"^HEXAGON_V65_EVENT\((\w+),", text, re.M)
        # an event of variants that no device has is in no table
        names += [name for name, variants in re.findall(EVENT_LINE, text, re.M) if variants == "0" or any(re.search(rf"\b{v}\b", identifiers) for v in variants.split(" | "))]
        if not names:
            yield f"{catalogue}: no events found"
        for name in names:
            if name not in described:
                yield f"{catalogue}: {name} has no description"


def kernel_files():
    """Parameters of modules and files in sysfs and debugfs that the drivers make and no text names.

    Files of format/ and caps/ are made by MON_PMU_TEXT() and MON_PMU_CAP(). The guest test pmu-abi.sh compares all files
    of the PMUs with the texts, in both directions.
    """
    texts = "".join(path.read_text() for path in (SOURCE / "pmu").glob("*/ABI-*.txt"))
    names = re.findall(r"^What:\s+/\S*/([^/\s]+)$", texts, re.M)
    pages = "".join(path.read_text() for path in MAN if path.suffix == ".4")
    parameters = names + re.findall(r"^\.B (\w+)$", pages, re.M)
    for source in sorted((SOURCE / "pmu").glob("*/*.[ch]")):
        text = source.read_text()
        for name in re.findall(r"^module_param(?:_\w+)?\((\w+),", text, re.M):
            if name not in parameters:
                yield f"{source}: the parameter {name} is not described"
        for name in re.findall(r'DEVICE_ATTR_\w+\((\w+)\)|debugfs_create_(?!dir)\w+\("(\w+)"|\.statistic = "(\w+)"|'
                               r"\n\s+MON_PMU_(?:TEXT|CAP)\((\w+),", text):
            if "".join(name) not in names:
                yield f"{source}: the file {''.join(name)} is in no ABI-*.txt"


def links():
    """Links of documents to files that are not there."""
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
            if not re.match(r"\w+:", target) and not (page.parent / target).exists():
                yield f"{page}: {target} is not there"


def paths():
    """Files and folders that a document, a manual page or a comment names and that are not there."""
    tops = "build-aux|common|docs|dpu|events|examples|libmon|man|models|pmu|qemu|tests|tools|vm"
    named = re.compile(rf"(?<![\w/.$()%*-])(?:{tops})/[\w./-]*[\w/](?![\w*$(%{{<,-])")
    for path in subprocess.run(["git", "-C", SOURCE, "ls-files"], capture_output=True, text=True, check=False).stdout.split():
        if path.endswith((".c", ".h", ".def", ".s", ".js")):
            text = "".join(re.findall(r"/\*.*?\*/|(?m:^\s*//.*$)", (SOURCE / path).read_text(errors="replace"), re.S))
        elif path.endswith((".md", ".1", ".3", ".4", ".7", ".rst")) and not path.startswith("docs/upstream/"):
            text = (SOURCE / path).read_text()
        else:
            continue
        for name in sorted({name.rstrip(".") for name in named.findall(text)}):
            if not name.startswith(ELSEWHERE) and not path.startswith("tests/lint/house/") and \
                    not any((top / name).exists() for top in (SOURCE, pathlib.Path("."), SOURCE / path.split("/", 1)[0])) and not any(SOURCE.glob(name + ".*")):
                yield f"{path}: names {name}, which is not there"


def numbers():
    """Texts that tell another number of monitors than the catalogue has."""
    codes = re.findall(r"^MON_EVENT\(\w+, (\w+),", (SOURCE / "events/esp/events.def").read_text(), re.M)
    monitors = sum(int(code, 0) < 0x80 for code in codes)
    for name, told in MONITORS.items():
        found = re.findall(told, (SOURCE / name).read_text())
        if found != [str(monitors)]:
            yield f"{name}: {told}: {found or 'not there'}, the catalogue has {monitors}"


def tool(*command):
    """Lines that a checker prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return [f"{command[0]}: not found: install the package {command[0]}"]
    return done.stdout.splitlines()


def main():
    checks = {
        "functions": functions(), "options": options(), "events": events(), "kernel files": kernel_files(),
        "links": links(), "paths": paths(), "numbers": numbers(),
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
