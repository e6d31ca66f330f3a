#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of the feed: CPU time of qemu-hexagon with and without hexagon-feed.so, the least of
# several runs that take turns. The scalar loop, with one and with six threads, and the short nested loops
# of fir, which change blocks most often, must stay within 1.10. With the
# caches modelled one thread must stay within 3, with stalls within 4; six are shown.
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
	cached=
	stalled=
	for ((i = 0; i < runs; i++)); do
		ms=$(cpu qemu-hexagon "$program")
		[ -z "$bare" ] || [ "$ms" -lt "$bare" ] && bare=$ms
		ms=$(cpu qemu-hexagon -plugin "$plugin,feed=$feed" "$program")
		[ -z "$fed" ] || [ "$ms" -lt "$fed" ] && fed=$ms
		ms=$(cpu qemu-hexagon -plugin "$plugin,feed=$feed,features=1" "$program")
		[ -z "$cached" ] || [ "$ms" -lt "$cached" ] && cached=$ms
		ms=$(cpu qemu-hexagon -plugin "$plugin,feed=$feed,features=2" "$program")
		[ -z "$stalled" ] || [ "$ms" -lt "$stalled" ] && stalled=$ms
	done
	awk -v name="${program##*/}" -v bare="$bare" -v fed="$fed" \
		-v cached="$cached" -v stalled="$stalled" -v limit="$limit" 'BEGIN {
		printf "%-16s bare %6d ms  with feed %6d ms  factor %.3f", name, bare, fed, fed / bare
		if (limit)
			printf "  (limit %s)", limit
		printf "\n%-16s with caches %6d ms  factor %.3f", "", cached, cached / bare
		one = name !~ /six/
		print one ? "  (limit 3)" : ""
		printf "%-16s with stalls %6d ms  factor %.3f%s\n", "", stalled, stalled / bare, one ? "  (limit 4)" : ""
		exit limit && fed > limit * bare || one && (cached > 3 * bare || stalled > 4 * bare)
	}' || bad=1
done
exit $bad
