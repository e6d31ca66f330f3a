#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""debian/copyright agrees with the SPDX line of each file, and names each source that becomes part of a package."""
import fnmatch
import os
import re
import sys

from rooms import TOP
from sources import sources

# Debian's names
NAMES = {
    "GPL-2.0-only": "GPL-2", "LGPL-2.1-or-later": "LGPL-2.1+", "MIT": "Expat",
    "GPL-2.0-only OR MIT": "GPL-2 or Expat", "GPL-2.0-only OR BSD-2-Clause": "GPL-2 or BSD-2-clause",
    "(GPL-2.0-only WITH Linux-syscall-note) OR MIT": "GPL-2 with Linux-syscall-note exception or Expat",
}
# what a Makefile uses of it -> the Debian source, and the package whose Built-Using names it
PARTS = {"$(LIBPERF_LIBS)": ("linux", "libmon-tools"), "$(DYGRAPHS)": ("dygraphs", "libmon-tools"),
         "$(QEMU_CFLAGS)": ("qemu", "mon-vm"), "$(INIT_LDFLAGS)": ("glibc", "mon-vm")}
# whose text the pages have as a whole
NOTICE = "/usr/share/doc/libjs-dygraphs/copyright"


def text_of(path):
    with open(os.path.join(TOP, path), encoding="utf-8", errors="replace") as f:
        return f.read()


def paragraphs(path):
    """A list of {field: value}."""
    result = []
    for paragraph in re.split(r"\n\s*\n", text_of(path)):
        fields = re.findall(r"^([\w-]+):[ ]*(.*(?:\n[ \t].*)*)", paragraph, re.M)
        result.append({name: value.strip() for name, value in fields})
    return result


def licence_of(stanzas, path):
    """Of the last stanza that has the file, as the format wants it."""
    found = None
    for stanza in stanzas:
        if any(fnmatch.fnmatchcase(path, pattern) for pattern in stanza.get("Files", "").split()):
            found = stanza["License"].split("\n")[0]
    return found


def holders(path):
    """Of the copyright lines up to the licence, and of those that continue them."""
    if not os.path.exists(path):
        return []
    notice = text_of(path).split("\nPermission is hereby")[0]
    lines = re.findall(r"^Copyright \(c\) ([\d, ]+(?:\n[ \t]+)?.*(?:\n[ \t]+\S.*)*)", notice, re.M)
    return [name for line in lines for name in re.findall(r"[^\d\s,<>][^<>\n]*[^\s<>]", re.sub(r"<[^>]*>", "\n", line))]


def main():
    stanzas, control = paragraphs("debian/copyright"), paragraphs("debian/control")
    texts = {s["License"].split("\n")[0] for s in stanzas if "Files" not in s and "License" in s}
    problems, seen = [], 0
    for path in sources(TOP):
        full = os.path.join(TOP, path)
        if os.path.islink(full) or not os.path.isfile(full):
            continue
        with open(full, "rb") as f:
            if f.read(4) in (b"\x7fELF", b"\xca\xfe\xba\xbe") and "/corpus/" not in path:
                problems.append(f"{path}: made by a compiler: take it out of the sources")
        with open(full, encoding="utf-8", errors="replace") as f:
            line = re.search(r"SPDX-License-Identifier: *(.*?) *(?:\*/|-->|\n)", f.read(600) + "\n")
        if not line:
            continue
        seen += 1
        spdx = line[1]
        if re.fullmatch(r"\([^()]*\)", spdx):
            spdx = spdx[1:-1]
        stated = licence_of(stanzas, path)
        if NAMES.get(spdx) != stated:
            problems.append(f"{path}: {spdx}, but debian/copyright has {stated}")
    used = {s["License"].split("\n")[0] for s in stanzas if "Files" in s}
    for name in used:
        problems += [f"debian/copyright: no text of {part}" for part in re.split(" or ", name) if part not in texts]
    makefiles = "".join(text_of(path) for path in sources(TOP) if path.endswith("Makefile.inc"))
    variables = dict(re.findall(r"-V'([\w]+:Built-Using)=\$\(call source_of,([^)]+\)?)\)'", text_of("debian/rules")))
    for word, (source, package) in PARTS.items():
        if word not in makefiles:
            problems.append(f"no Makefile.inc uses {word}: take it out of tests/lint/licences.py")
        fields = " ".join(p.get("Built-Using", "") for p in control
                          if p.get("Package") == package)
        if not any(f"${{{variable}}}" in fields for variable in variables if variable.split(":")[0] in
                   (source, {"glibc": "libc"}.get(source))):
            problems.append(f"debian/control: {package} has a part of {source} and no Built-Using of it")
        if not re.search(rf"^ {source}: ", text_of("debian/copyright"), re.M):
            problems.append(f"debian/copyright: it does not name {source}, of which {package} has a part")
    words = " ".join(text_of("debian/copyright").split())
    problems += [f"debian/copyright: {NOTICE} has {name}" for name in holders(NOTICE) if name not in words]
    print("\n".join(problems + [f"licences: {seen} files, {len(problems)} problems"]))
    sys.exit(bool(problems) or not seen)


main()
