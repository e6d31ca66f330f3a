#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Host programs of examples/upmem/c on 64 DPUs, in the guest and without it: wall time, and counts,
# which must be equal. Prints a table.
#
#	upmem-native.sh			both
#	upmem-native.sh guest|host	one line for each program: name, ms, instructions, DMA words
set -eu
programs="vecadd reduction gemv histogram bfs search scan spmv"
ex=examples/upmem/c

now()
{
	echo $(($(date +%s%N) / 1000000))
}

in_guest()
{
	for name in $programs; do
		start=$(now)
		counts=$(perf stat -x, -e upmem/dpu_instructions/,upmem/read_64bit_instruction/ \
			-e upmem/write_64bit_instruction/ $ex/"$name"-host $ex/"$name"-16.dpu 2>&1 >/dev/null |
			awk -F, '$1 + 0 == $1 { n[NR] = $1; k++ } k == 3 && !done { done = 1; print n[NR - 2], n[NR - 1] + n[NR] }')
		echo "$name $(($(now) - start)) $counts"
	done
}

on_host()
{
	export LIBMON_DPU_BACKEND=simulator LIBMON_DPU_REPORT=1
	for name in $programs; do
		start=$(now)
		counts=$($ex/"$name"-host $ex/"$name"-16.dpu 2>&1 >/dev/null | awk '/^dpu launch/ {
			for (i = 1; i < NF; i++) {
				if ($(i + 1) == "instructions,") instructions += $i
				if ($(i + 1) == "DMA") words += $i
			}
		} END { print instructions, words }')
		echo "$name $(($(now) - start)) $counts"
	done
}

case ${1:-both} in
guest) in_guest ;;
host) on_host ;;
*)
	{ on_host; ./mon-vm --device upmem-rank --mem 1G -- bash "$0" guest; } | awk '
		BEGIN {
			print "| program | guest, ms | here, ms | times | instructions | DMA words | counts |"
			print "|---|---:|---:|---:|---:|---:|---|"
		}
		$1 in ms {
			same = counts[$1] == $3 " " $4
			split(counts[$1], n)
			printf "| %s | %d | %d | %.1f | %s | %s | %s |\n", $1, $2, ms[$1], $2 / (ms[$1] ? ms[$1] : 1), n[1],
				n[2], same ? "equal" : "in the guest " $3 " and " $4
			compared++
			differ += !same
		}
		{ ms[$1] = $2; counts[$1] = $3 " " $4 }
		END { exit differ || compared != 8 }'
	;;
esac
