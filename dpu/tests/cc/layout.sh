#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A struct in a common header is equal on the host and on a DPU: sizes, offsets, values in both
# directions.
. "${srcdir:-.}/tests/guest/lib.sh"
top=${srcdir:-.}
here=$top/dpu/tests/cc
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

ok "for the host" "${CC:-cc}" -Wall -Wextra -DHOST "$here/layout.c" -o "$tmp/host"
"$tmp/host" "$tmp/written" >"$tmp/expected"
ok "says where its members are" test "$(wc -l <"$tmp/expected")" -gt 30
for level in -O0 -O2; do
	ok "for a DPU, $level" ./dpu-cc -B "$top/dpu/cc" -B dpu/cc $level -Wall -Wextra \
		"$here/layout.c" -o "$tmp/dpu"
	./dpu-run --set "in=@$tmp/written" --dump "out=$tmp/dumped" "$tmp/dpu" >"$tmp/said"
	is "$level: sizes and offsets, nothing wrong" "$(cat "$tmp/said")" "$(cat "$tmp/expected")"
	ok "$level: the same bytes" cmp "$tmp/written" "$tmp/dumped"
done
summary
