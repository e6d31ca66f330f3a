#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A CPU goes and hands its events over while work is done. Counters that events have to claim are
# theirs all the way, so nothing of it is lost.
. "${srcdir:-.}/tests/guest/lib.sh"
cpus=/sys/devices/system/cpu
devices=/sys/bus/event_source/devices
out=/tmp/pmu-move.csv

[ -w $cpus/cpu0/online ] || skip "this kernel keeps CPU 0, where the events are"

# around MOVES COMMAND...: runs COMMAND over and over while CPU 0 and 1 leave in turns, and tells how
# often it ran
around()
{
	local moves=$1 i

	shift
	rm -f /tmp/pmu-move.end
	(
		n=0
		until [ -e /tmp/pmu-move.end ]; do
			"$@" >/dev/null || exit
			n=$((n + 1))
		done
		echo $n
	) &
	for ((i = 0; i < moves; i++)); do
		echo 0 >$cpus/cpu$((i % 2))/online
		echo 1 >$cpus/cpu$((i % 2))/online
	done
	touch /tmp/pmu-move.end
	wait $!
}
export -f around
export cpus

# counts EVENTS COMMAND...: how often COMMAND ran, and the counts
counts()
{
	local events=$1

	shift
	perf stat -a -x, -o $out -e "$events" -- bash -c 'around 8 "$@"' - "$@"
	awk -F, 'NF > 2 { print $1 }' $out
}

mapfile -t n < <(counts '{mrfld_visa/group=6,counter=2/,mrfld_visa/group=6,counter=5/},mrfld_visa/group=6,counter=2/' \
	./examples/mrfld-traffic --bytes 1M)
ok "traffic ran" test "${n[0]}" -gt 0
# 1 MiB in reads of 64 bytes, no writes
is "reads" "${n[1]}" $((n[0] * 16384))
is "writes" "${n[2]}" 0
is "reads of an event alone" "${n[3]}" $((n[0] * 16384))

# tests/guest/upmem-counts.sh says where 539 comes from; each run switches the counters on for itself
mapfile -t n < <(counts upmem/dpu_instructions/,upmem/ldma_instruction,bydpu,dpu=0/ \
	examples/upmem/bank-pmc examples/upmem/page-kernel.dpu 32)
ok "DPU programs ran" test "${n[0]}" -gt 0
is "instructions" "${n[1]}" $((n[0] * 539))
is "loads" "${n[2]}" $((n[0] * 2))

for pmu in espmon mrfld_visa upmem; do
	is "late polls of $pmu" "$(cat $devices/$pmu/poll/late_polls)" 0
done
summary
