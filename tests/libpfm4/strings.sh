#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libpfm4 reads names of events of our PMUs correctly.
. "${srcdir:-.}/tests/libpfm4/built.sh"
exec ./tests/libpfm4/test-strings
