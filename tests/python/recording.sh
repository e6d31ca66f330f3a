#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The module mon on this machine, with the library of this build.
export LD_LIBRARY_PATH="$PWD/.libs" PYTHONDONTWRITEBYTECODE=1
exec python3 "${srcdir:-.}/tests/python/test-recording.py"
