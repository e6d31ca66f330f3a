#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# pmu/checklist.md names files and tests that exist.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
file=
while read -r word; do
	case $word in
	\`*) file=$srcdir/tests/${word//\`/}; ok "$word" test -e "$file" ;;
	*_*_*) ok "$word in $file" grep -qw "$word" "$file" ;;
	esac
done < <(grep '^|' "$srcdir/pmu/checklist.md" | cut -d'|' -f3 | tr -s ' ,;()' '\n' | grep -v make)
ok "it names many" test $checks -gt 60
summary
