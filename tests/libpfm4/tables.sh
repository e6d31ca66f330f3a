#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The events of our PMUs in libpfm4 are those of the catalogues.
. "${srcdir:-.}/tests/libpfm4/built.sh"
exec ./tests/libpfm4/test-tables
