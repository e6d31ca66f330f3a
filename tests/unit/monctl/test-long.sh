#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A long recording does not have to fit in memory: six minutes of the 354 monitors of a 3x2 SoC, a
# sample each 10 ms, are 207 MB, 102 MB of them counts; monctl report and export --csv have 64 MB
# for their data.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tests/browser/write-hour "$dir/data" 36000 59
# within KIB COMMAND...: with at most that much memory
within()
{
	(ulimit -d "$1" && shift && "$@" 2>&1)
}
like "a page" "$(within 65536 ./monctl report "$dir/data" -o "$dir/page.html")" 'MB in .*page.html'
ok "is at most 20 MB" test "$(stat -c %s "$dir/page.html")" -le 20000000
# event 0 of tile 5 counts 6000 in each sample, and a million more in one
is "the sum of a table is the recording's" "$(within 98304 ./monctl export --csv "$dir/data" | awk -F, 'NR > 1 { s += $7; n++ } END { print n, s }')" \
	"36000 217000000"
summary
