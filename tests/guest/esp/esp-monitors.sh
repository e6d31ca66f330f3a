#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# monitors.h against perf stat, monitor by monitor, on the SoC that the guest has (3x2 without
# further options; esp-monitors-4x4.sh and -16x16.sh ask for others).
. "${srcdir:-.}/tests/guest/lib.sh"
soc=${soc:-3x2}
program=tests/guest/esp/esp-monitors-$soc
[ -x "tests/guest/.libs/esp-monitors-$soc" ] && program=tests/guest/.libs/esp-monitors-$soc
dir=$(mktemp -d)
ulimit -n "$(ulimit -Hn)"

# compare MODE: perf stat counts the events that the program prints, around the whole program, in
# groups of 200 events; every line must agree. Of a large SoC, all that count and some that do not.
compare()
{
	local mode=$1

	"$program" "$mode" > "$dir/said"
	verdict "$mode runs" $?
	awk -v some="${some:-100000}" '$3 > 0 || ++zeros <= some {
		printf "espmon/%s,bytile,tile=%s/\n", $2, $1 }' "$dir/said" > "$dir/events"
	awk '{ l = l (NR % 200 == 1 ? (NR > 1 ? "}," : "") "{" : ",") $0 } END { print l "}" }' \
		"$dir/events" > "$dir/list"
	perf stat -x, -o "$dir/perf" -e "$(cat "$dir/list")" -- "$program" "$mode" > "$dir/said"
	verdict "$mode: perf stat" $?
	sed -n 's|^\([0-9]*\),[^,]*,espmon/\([^,]*\),bytile,tile=\([0-9]*\)/.*|\3 \2 \1|p' "$dir/perf" |
		sort > "$dir/counts"
	is "$mode: perf stat counts all events" "$(wc -l < "$dir/counts")" \
		"$(wc -l < "$dir/events")"
	sort "$dir/said" | comm -13 - "$dir/counts" > "$dir/differ"
	is "$mode: what perf stat says and the program does not" "$(head -n 5 "$dir/differ")" ""
	# the run has moved data, so the comparison can fail
	like "$mode: monitors that counted" "$(grep -c -v ' 0$' "$dir/counts")" '^[1-9]'
}

for mode in ${modes:-all many single}; do
	compare "$mode"
done

# system calls of COUNT reads: four more READ_ALL are four times the calls of one
calls()
{
	# from the last execve() on: before it, libtool's script of a build tree runs
	strace -f -o "$dir/trace" "$program" "$@" &&
		awk '/execve\(/ { n = 0 } !/exited|SIG|resumed/ { n++ } END { print n }' "$dir/trace"
}
few=$(calls reads 1)
is "system calls of a READ_ALL after the first" "$((($(calls reads 5) - few) / 4))" "${reads:-1}"
few=$(calls singles 1)
is "system calls of 1000 SINGLE after the first" "$(($(calls singles 1001) - few))" 1000
summary
