#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# docs/esp-contention.txt is the model's output and shows what the page says: with each further
# accelerator all take longer and links stall more, and each moves the same words.
docs=${srcdir:-.}/docs/esp-contention.txt
design=${srcdir:-.}/tests/bench/esp/contention.esp_config
now=$(mktemp) || exit 1
trap 'rm -f "$now"' EXIT

./tests/bench/esp/esp-contention "$design" >"$now" || exit 1
diff -u "$docs" "$now" || {
	echo "contention.sh: the model counts otherwise than $docs says; if that is meant, make plot-esp-contention"
	exit 1
}
awk '
function fail(what) { print "contention.sh: " $1 ", " $2 " accelerators: " what; failed = 1 }
NR == 1 { next }
$1 == mode {
	if ($3 <= mem)
		fail("acc_mem did not grow")
	if ($7 != words)
		fail("other words than with one")
	if ($5 <= $6)
		fail("no link stalled")
	if ($2 > 2 && $5 / $6 <= share)
		fail("links did not stall more")
}
{ mode = $1; mem = $3; words = $7; share = $5 / $6; runs++ }
END {
	if (runs != 24) {
		print "contention.sh: " runs " runs, not 24"
		failed = 1
	}
	exit failed
}' "$now"
