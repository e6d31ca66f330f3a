#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the feed costs: CPU time of qemu-hexagon with and without hexagon-feed.so, the least of
# several runs that take turns. The scalar loop, with one and with six threads, must stay within
# 1.10; the short nested loops of fir are shown, because they change blocks most often.
# usage: hexagon-bench.sh PLUGIN PROGRAM[=LIMIT]...
set -eu
plugin=$1
shift
runs=${RUNS:-5}
feed=$(mktemp)
trap 'rm -f "$feed"' EXIT
TIMEFORMAT='%U %S'
bad=0

# cpu COMMAND...: milliseconds of user and system time
cpu()
{
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%d\n", ($1 + $2) * 1000 }'
}

for item in "$@"; do
	program=${item%%=*}
	limit=${item#*=}
	[ "$limit" = "$item" ] && limit=
	bare=
	fed=
	for ((i = 0; i < runs; i++)); do
		ms=$(cpu qemu-hexagon "$program")
		[ -z "$bare" ] || [ "$ms" -lt "$bare" ] && bare=$ms
		ms=$(cpu qemu-hexagon -plugin "$plugin,feed=$feed" "$program")
		[ -z "$fed" ] || [ "$ms" -lt "$fed" ] && fed=$ms
	done
	awk -v name="${program##*/}" -v bare="$bare" -v fed="$fed" -v limit="$limit" 'BEGIN {
		printf "%-16s bare %6d ms  with feed %6d ms  factor %.3f", name, bare, fed, fed / bare
		if (limit)
			printf "  (limit %s)", limit
		print ""
		exit limit && fed > limit * bare
	}' || bad=1
done
exit $bad
