#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The driver of the series for the kernel (docs/upstream/esp) can be composed of espmon's sources, and its KUnit tests
# pass in a program.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
unifdef=$(find /usr/lib/linux-kbuild-*/scripts/unifdef 2>/dev/null | head -n 1)
[ "$unifdef" ] || skip "unifdef not found: install linux-headers-amd64"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for version in 6.12 7.0; do
	for file in esp_pmu.c esp_pmu.h; do
		"$srcdir/build-aux/compose" "$srcdir/docs/upstream/esp/$file.in" "$unifdef" $version \
			/usr/include/linux/perf_event.h >"$dir/$file"
		is "$file for $version" $? 0
	done
done
fails "the tree's names are left" grep -n '\<mon_' "$dir/esp_pmu.c" "$dir/esp_pmu.h"
cp "$srcdir/docs/upstream/esp/esp_pmu_test.c" "$dir/"
ok "the tests build" "${CC:-gcc}" -Wall -Wextra -Werror -Wno-unused-function -Wno-sign-compare \
	-I"$srcdir/tests/unit/pmu/include" -o "$dir/test" "$dir/esp_pmu_test.c"
"$dir/test" >"$dir/out"
is "the tests pass" "$? $(tail -n 1 "$dir/out")" "0 $(sed -n 's/^\(100%: Checks: [1-9][0-9]*, Failures: 0, Errors: 0\)$/\1/p' "$dir/out")"
summary
