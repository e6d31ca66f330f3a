#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-sweep with guests: an FFT of 128 points moves 257 words, 1 of the page table, 128 read and 128
# written, one of 256 points 1 + 256 + 256. Also a file that is no design.
. "${srcdir:-.}/tests/guest/lib.sh"
command -v parallel >/dev/null || skip "parallel not found: install parallel"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo nonsense >"$dir/bad.esp_config"
cp "${srcdir:-.}"/examples/esp/designs/fft-3x2.esp_config "$dir/good.esp_config"
# shellcheck disable=SC2016 # expands in the guest
"${srcdir:-.}/tools/mon-sweep" -o "$dir/out" -p LEN=7,8 "$dir/good.esp_config" "$dir/bad.esp_config" -- \
	sh -c './examples/esp/esp-fft --log-len $LEN --coherence none' >"$dir/table" 2>"$dir/said"
is "one of them fails" $? 1
is "128 points" "$(grep -c '^good,7,0,,[0-9.]*,257$' "$dir/table")" 1
is "256 points" "$(grep -c '^good,8,0,,[0-9.]*,513$' "$dir/table")" 1
is "no design" "$(grep -c '^bad,[78],125,.*bad.esp_config:1: .*not of the form KEY = value' "$dir/table")" 2
summary
