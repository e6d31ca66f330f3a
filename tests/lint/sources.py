# SPDX-License-Identifier: GPL-2.0-only
"""The files of the sources, in a clone or in an unpacked tarball."""
import os
import subprocess


def sources(top):
    try:
        out = subprocess.run(["git", "-C", top, "ls-files"], capture_output=True, text=True, check=True)
        names = out.stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        names = []
    # a tarball may be unpacked in a clone, which does not track its files
    return names or [os.path.relpath(os.path.join(folder, name), top)
                     for folder, _, found in os.walk(top) for name in found
                     if not os.path.relpath(folder, top).startswith(("build", "_build", "."))]


if __name__ == "__main__":
    print("\n".join(sources(os.environ.get("srcdir", "."))))
