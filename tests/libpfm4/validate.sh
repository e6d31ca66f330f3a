#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# libpfm4's own tests pass with our tables and our entries in them.
set -eu
. "${srcdir:-.}/tests/libpfm4/built.sh"
out=build/libpfm4

fail() {
	echo "FAIL: $*"
	exit 1
}

log=$("$out/source/tests/validate" 2>&1) || fail "tests/validate:
$log"
echo "$log" | grep -q '^All tests passed$' || fail "validate does not say that all tests passed"

while read -r pmu; do
	echo "$log" | grep "checking $pmu (.*Passed" || fail "validate has not checked $pmu"
done <"$out/pmus"

# "N perf_events generic events": what it was, plus the entries that our patches add
entries() {
	grep -c '{ SRC_LINE' "$1/tests/validate_perf.c"
}
added=$(cat build/libpfm4/series/*.patch | grep -c '^+	{ SRC_LINE')
[ "$added" -gt 0 ] || fail "the patches add no entries to tests/validate"
total=$(($(entries "$out/pristine") + added))
echo "$log" | grep "$total perf_events generic events: 0 errors" ||
	fail "validate has not run $total perf_events entries, $added of them ours"
