#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/guest/pmu/checklist.md names files that exist and tests that run.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"

# runs NAME FILE: the file has the test; a file without tests of its own defines it
runs()
{
	if grep -qE '^(LOOP_)?TEST\(' "$2"; then
		grep -qE "^(LOOP_)?TEST\($1\>" "$2"
	else
		grep -qE "^[a-z].*\<$1\(" "$2"
	fi
}

file=
while read -r word; do
	case $word in
	\`*) file=$srcdir/tests/${word//\`/}; ok "$word" test -e "$file" ;;
	*_*) ok "$word in $file" runs "$word" "$file" ;;
	esac
done < <(grep '^|' "$srcdir/tests/guest/pmu/checklist.md" | cut -d'|' -f3 | tr -s ' ,;()' '\n' | grep -v make)
ok "it names many" test $checks -gt 60
summary
