#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The series for upstream applies to the distribution's source and makes the tree that was built.
set -eu
. "${srcdir:-.}/tests/libpfm4/built.sh"
out=build/libpfm4
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

cp -R "$out/pristine/." "$tmp/tree"
for patch in "$out"/series/*.patch; do
	sed 1q "$patch" | grep -q '^Subject: ' || fail "$(basename "$patch") has no subject"
	patch -d "$tmp/tree" -p1 -s -F0 <"$patch" || fail "$(basename "$patch") does not apply"
done

# The build adds only files that make writes.
(cd "$tmp/tree" && find . -type f | sort) >"$tmp/files"
while read -r file; do
	cmp -s "$tmp/tree/$file" "$out/source/$file" || fail "$file is not what was built"
done <"$tmp/files"
(cd "$out/source" && find . -name '*.[ch3]' -o -name '*.def' | sort) >"$tmp/built"
comm -13 "$tmp/files" "$tmp/built" | grep . && fail "files above are not in the series"
echo "$(wc -l <"$tmp/files") files are the same"
