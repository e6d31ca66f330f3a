#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Releases before March 2023: beats of both directions.
# mon-vm: --device espmon,layout=2021
. "${srcdir:-.}/tests/guest/lib.sh"
. "${srcdir:-.}/tests/guest/esp/fft-words.inc"
fft_words ddr_accesses $((1 + 128 + 128)) 2021
summary
