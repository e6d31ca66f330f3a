#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Speed of monctl: what recording costs a program, a mark, monctl top at 16x16, the page of an hour. With BEFORE=PROGRAM
# the same of another monctl, in turn. Ratios and the least of RUNS runs (default 3). The guest runs with -icount: its time
# is that of its instructions, 8 ns each, so load of the host hardly matters.
#
# usage: monctl-bench.sh [record|top]: without an argument from the top build directory, with one in a guest
. "${srcdir:-.}/tests/guest/lib.sh"
set -eu
runs=${RUNS:-3}
TIMEFORMAT=%R
monctls=("$PWD/monctl")
[ -z "${BEFORE-}" ] || monctls=("$BEFORE" "${monctls[@]}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# seconds COMMAND...: of the host or, in a guest, of the guest
seconds()
{
	{ time "$@" >/dev/null 2>"$dir/said"; } 2>&1
}

# a_smaller A B: the smaller one of two, A may be empty
a_smaller()
{
	awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b < a ? b : a }'
}

record()
{
	local load=(./examples/esp/esp-fft --log-len 10 --repeat 100) plain='' list='' monctl i took event tile counters
	declare -A least samples opened

	for event in $(events_here espmon | grep -vE '^acc_(mem|tot)_cycles$'); do
		for tile in 0 1 2 3 4 5; do
			list+=,espmon/$event,bytile,tile=$tile/
		done
	done
	list=${list#,}
	for ((i = 0; i < runs; i++)); do
		plain=$(a_smaller "$plain" "$(seconds "${load[@]}")")
		for monctl in "${monctls[@]}"; do
			for counters in "$(tr -cd , <<<"$list," | wc -c) 10ms" "96 1ms"; do
				"$monctl" record --no-marks -i "${counters#* }" -e "$(cut -d , -f "1-${counters% *}" <<<"$list")" \
					-o "$dir/data" -- "${load[@]}" 2>"$dir/said" >/dev/null
				took=$(sed -n 's/.* samples in \([0-9.]*\) s .*/\1/p' "$dir/said")
				least[$monctl $counters]=$(a_smaller "${least[$monctl $counters]-}" "$took")
				opened[$monctl $counters]=$(sed -n 's/^monctl record: \([0-9]*\) counters, .*/\1/p' "$dir/said")
				samples[$monctl $counters]=$(sed -n 's/.* samples in [0-9.]* s (\([0-9.]* %\) of.*/\1/p' "$dir/said")
			done
			took=$("$monctl" record -q -i 1s -e ddr_accesses -o "$dir/data" -- ./tests/guest/marks 5000)
			least[$monctl mark]=$(a_smaller "${least[$monctl mark]-}" "$took")
		done
	done
	for monctl in "${!least[@]}"; do
		case $monctl in
		*' mark') echo "${monctl% *}: a mark takes ${least[$monctl]} ns" ;;
		*) awk -v name="$monctl" -v took="${least[$monctl]}" -v plain="$plain" -v samples="${samples[$monctl]}" -v opened="${opened[$monctl]}" 'BEGIN {
			split(name, part, " ")
			printf "%s: %d counters every %s: %.2f times slower, %s of the samples\n", part[1], opened, part[3],
				took / plain, samples }' ;;
		esac
	done | sort
}

# CPU time of a reading, in a terminal that tmux makes: of twenty, as a history that grows takes longer to draw
top()
{
	local monctl pid ticks

	export TERM=screen-256color TMUX_TMPDIR=$dir
	for monctl in "${monctls[@]}"; do
		tmux -u new-session -d -x 200 -y 60 "$monctl" top -d 10
		sleep 15
		pid=$(pgrep -nf 'monctl top')
		ticks=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
		sleep 200
		awk -v name="$monctl" -v before="$ticks" -v hz="$(getconf CLK_TCK)" '{
			printf "%s: top at 16x16: %.0f ms of a processor for a reading\n", name, ($14 + $15 - before) / hz / 20 * 1000
			}' "/proc/$pid/stat"
		tmux kill-server
	done
}

page()
{
	local monctl i
	declare -A least

	tests/browser/write-hour "$dir/hour" 360000 6
	for ((i = 0; i < runs; i++)); do
		for monctl in "${monctls[@]}"; do
			least[$monctl]=$(a_smaller "${least[$monctl]-}" "$(seconds "$monctl" report "$dir/hour" -o "$dir/hour.html")")
		done
	done
	for monctl in "${monctls[@]}"; do
		"$monctl" report "$dir/hour" -o "$dir/hour.html" 2>/dev/null
		echo "$monctl: page of an hour, 36 counters every 10 ms: ${least[$monctl]} s, $(stat -c %s "$dir/hour.html") bytes"
	done
}

if [ $# -gt 0 ]; then
	"$1"
	exit
fi
guest=(./mon-vm --smp 1 --qemu-arg -icount --qemu-arg "shift=3,sleep=off" --env srcdir="${srcdir:-.}" --env RUNS="$runs" --env BEFORE="${BEFORE-}")
"${guest[@]}" --device espmon -- "$0" record
"${guest[@]}" --soc "${srcdir:-.}/tests/designs/dummy-16x16.esp_config" -- bash -c "ulimit -n \$(ulimit -Hn); '$0' top"
page
