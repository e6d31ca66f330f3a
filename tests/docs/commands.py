#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of the documents and compares what they print.

A document is Markdown. Its commands stand in fenced blocks whose first word is "console"; the second one says where
they run: "host", in a folder that looks like the build tree; "guest", all of them in one boot, with a leading
"./mon-vm -- " left out; "no: REASON", nowhere. Lines that begin with "$ " are commands, a backslash continues them, and
the lines below are the output: "..." in a line matches anything, a line "..." any lines. A command that shows no output
has to succeed. Lines that begin with a prompt such as "(dpu-dbg) " are typed, too. A block of another language with "file=NAME" is written to a file of that name first.

usage: commands.py DOCUMENT...   (in the build tree; $srcdir is the source tree)
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

BUILD = pathlib.Path.cwd()
WORK = BUILD / "build/docs"
TIMEOUT = 120
MARK = "@@commands.py "


class Command:
    """One command of a document, and what it should print."""

    def __init__(self, where, text, line):
        self.where, self.text, self.line = where, text, line
        self.expected = []
        self.output, self.status = "", None

    def error(self):
        """What is wrong, or None."""
        if self.status is None:
            return "did not run"
        lines = [line.rstrip() for line in self.expected]
        while lines and not lines[-1]:
            lines.pop()
        if not lines:
            return None if self.status == 0 else f"exit status {self.status}:\n{self.output}"
        pattern = ""
        for line in lines:
            if line.strip() == "...":
                pattern += r"(?:.*\n)*?"
            else:
                pattern += ".*?".join(re.escape(part) for part in line.split("...")) + r"[ \t]*\n"
        text = self.output.strip("\n") + "\n"
        if re.fullmatch(r"\n*" + pattern, text):
            return None
        return "expected:\n" + "\n".join(lines) + f"\nprinted (exit status {self.status}):\n{text}"


def parse(path):
    """The commands and files of a document; complaints about its form."""
    commands, files, complaints = [], [], []
    fence = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if fence is None:
            start = re.match(r"(\s*)```(.*)$", line)
            if start:
                fence = start.group(1)
                words = start.group(2).split()
                kind = words[0] if words else ""
                where = words[1] if len(words) > 1 else ""
                content = []
                if kind == "console" and where not in ("host", "guest") and not where.startswith("no:"):
                    complaints.append(f"{path}:{number}: a console block says host, guest or no: REASON")
            elif re.match(r" {4,}(\./|\$ |[a-z-]+ -)", line):
                complaints.append(f"{path}:{number}: a command without a fence: {line.strip()}")
            continue
        if line.strip() == "```":
            if where.startswith("file="):
                files.append((where[5:], "\n".join(content) + "\n"))
            fence = None
            continue
        line = line[len(fence):]
        content.append(line)
        if kind != "console" or where.startswith("no:"):
            continue
        if line.startswith("$ "):
            commands.append(Command(where, line[2:], number))
        elif not commands or len(content) == 1:
            complaints.append(f"{path}:{number}: output without a command")
        elif commands[-1].text.endswith("\\"):
            commands[-1].text += "\n" + line
        else:
            commands[-1].expected.append(line)
    if fence is not None:
        complaints.append(f"{path}: a fence does not end")
    return commands, files, complaints


def folder(path, files):
    """A folder that looks like the build tree, for what a document writes."""
    place = WORK / path.stem
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for entry in BUILD.iterdir():
        if entry.name != ".git":
            (place / entry.name).symlink_to(entry)
    for name, text in files:
        (place / name).write_text(text)
    return place


def script(document, commands, place):
    """A shell script that runs commands, and marks where the output of each begins and how it ended."""
    lines = [f"cd {shlex.quote(str(place))} && PATH=$PWD:$PATH"]
    for index, command in enumerate(commands):
        text = re.sub(r"^\./mon-vm -- ", "", command.text) if command.where == "guest" else command.text
        typed = [match[1] for match in (re.match(r"\([a-z-]+\) (.*)", line) for line in command.expected) if match]
        lines += [f"echo '{MARK}{document} {index}'", f"{{ {text}\n}} 2>&1 <<'{MARK}'", *typed, MARK,
                  f'echo "{MARK}= $?"']
    return "\n".join(lines) + "\n"


def collect(output, documents):
    """Gives each command what it printed."""
    current = None
    for line in output.splitlines():
        before, mark, rest = line.partition(MARK)
        if current and before:
            current.output += before + "\n" * (not mark)
        elif current and not mark:
            current.output += "\n"
        if mark and rest.startswith("= "):
            if current:
                current.status = int(rest[2:])
            current = None
        elif mark:
            document, index = rest.rsplit(" ", 1)
            current = documents[document][int(index)]
    return output


def run(argv, text, timeout):
    """What a shell prints that runs text."""
    try:
        done = subprocess.run([*argv, "bash", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=timeout, text=True, errors="replace", check=False)
        return done.stdout
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    documents, guests, complaints = {}, {}, {}
    for name in sys.argv[1:]:
        path = BUILD / name
        commands, files, bad = parse(path)
        place = folder(path, files)
        guest = [command for command in commands if command.where == "guest"]
        host = [command for command in commands if command.where == "host"]
        complaints[name], documents[name] = bad, commands
        guests[name] = (guest, place)
        collect(run([], script(name, host, place), TIMEOUT * (1 + len(host))), {name: host})
    text = "".join(script(name, guest, place) for name, (guest, place) in guests.items() if guest)
    if text:
        output = run(["./mon-vm", "--timeout", "0", "--"], text, TIMEOUT * 10)
        collect(output, {name: guest for name, (guest, _) in guests.items()})
        if not any(command.status is not None for guest, _ in guests.values() for command in guest):
            print(output)
    failed = False
    for name, commands in documents.items():
        wrong = [(command, command.error()) for command in commands if command.error()]
        bad = len(wrong) + len(complaints[name])
        total = len(commands) + len(complaints[name])
        if not total:
            continue
        for complaint in complaints[name]:
            print(f"  | {complaint}")
        for command, error in wrong:
            print(f"  | {name}:{command.line}: $ {command.text}")
            print("\n".join("  |   " + line for line in error.splitlines()))
        print(f"{'FAIL' if bad else 'PASS'}: {name}: {100 * (total - bad) // total}%: Checks: {total}, "
              f"Failures: {bad}, Errors: 0")
        failed = failed or bad
    sys.exit(1 if failed else 0)


main()
