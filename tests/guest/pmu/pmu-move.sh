#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU goes offline and its events move to another one during work. Events keep their counters
# during the move, so no count is lost.
. "${srcdir:-.}/tests/guest/lib.sh"
cpus=/sys/devices/system/cpu
out=/tmp/pmu-move.csv

[ -w $cpus/cpu0/online ] || skip "this kernel keeps CPU 0, where the events are"

# around RUNS COMMAND...: runs COMMAND this often, while CPU 0 and 1 go offline in turns
# perf runs it
# shellcheck disable=SC2317
around()
{
	local runs=$1 cpu=0 moves=0 load i

	shift
	for ((i = 0; i < runs; i++)); do
		"$@" >/dev/null || exit
	done &
	load=$!
	while kill -0 "$load" 2>/dev/null; do
		echo 0 >"$cpus/cpu$cpu/online"
		echo 1 >"$cpus/cpu$cpu/online"
		cpu=$((1 - cpu))
		moves=$((moves + 1))
	done
	wait "$load" && echo "$moves"
}
export -f around
export cpus

# counts EVENTS COMMAND...: how often the CPUs changed while COMMAND ran, and the counts
counts()
{
	local events=$1

	shift
	perf stat -a -x, -o $out -e "$events" -- bash -c 'around 20 "$@"' - "$@"
	awk -F, 'NF > 2 { print $1 }' $out
}

# program FILE: the program itself, not libtool's wrapper, which takes longer than the work
program()
{
	local real=${1%/*}/.libs/${1##*/}

	[ -x "$real" ] || real=$1
	echo "$real"
}

if [ "$(uname -m)" = x86_64 ]; then
	traffic='{mrfld_visa/group=6,counter=2/,mrfld_visa/group=6,counter=5/}'
	mapfile -t n < <(counts "$traffic,mrfld_visa/group=6,counter=2/" \
		"$(program examples/mrfld/mrfld-traffic)" --bytes 1M)
	ok "CPUs changed during traffic" test "${n[0]}" -gt 2
	# 1 MiB in reads of 64 bytes, no writes
	is "reads" "${n[1]}" $((20 * 16384))
	is "writes" "${n[2]}" 0
	is "reads of an event alone" "${n[3]}" $((20 * 16384))
else
	echo "mrfld_visa is not here: it stands on iosf_mbi, an x86 driver"
fi

# tests/guest/upmem/upmem-counts.sh says where 539 and 2 come from
mapfile -t n < <(counts upmem/dpu_instructions/,upmem/ldma_instruction,bydpu,dpu=0/ \
	"$(program examples/upmem/bank-pmc)" examples/upmem/page-kernel.dpu 32)
ok "CPUs changed during DPU programs" test "${n[0]}" -gt 2
is "instructions" "${n[1]}" $((20 * 539))
is "loads" "${n[2]}" $((20 * 2))

summary
