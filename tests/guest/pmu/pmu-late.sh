#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A poll that comes later than a counter needs to wrap is a loss, each time. The tile clock of 1 GHz
# wraps its counter in 4.3 s; QEMU is stopped for 6 s, in which the guest's time continues. A DPU's
# cycles at the same rate have 64 bits and lose nothing. Events that move from CPU to CPU more often
# than they are polled lose nothing either. MON_VM_FLAGS are for mon-vm.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expands in the guest; flags are words
# shellcheck disable=SC2016,SC2086
./mon-vm --timeout 300 --kernel-log "$dir/kernel" ${MON_VM_FLAGS-} --device espmon,clock=1000000000 \
	--device upmem-rank,dpus=1,clock=1000000000 -- bash -c '
	late=/sys/bus/event_source/devices/espmon/losses
	perf stat -a -e espmon/dvfs_op3/,upmem/dpu_cycles/ sleep 1000 &
	while [ "$(cat /sys/module/upmem/refcnt)" -eq 0 ]; do sleep 0.1; done
	n=$(cat $late)
	echo $n
	for _ in 1 2; do
		while [ "$(cat $late)" -eq "$n" ]; do sleep 0.1; done
		# a timer that is behind may be late more than once
		sleep 3
		n=$(cat $late)
		echo $n
	done
	cat /sys/bus/event_source/devices/upmem/losses
	cpus=/sys/devices/system/cpu
	end=$((SECONDS + 10)) moves=0
	while [ -w $cpus/cpu0/online ] && [ $SECONDS -lt $end ]; do
		for cpu in 0 1; do
			echo 0 >$cpus/cpu$cpu/online
			sleep 0.2
			echo 1 >$cpus/cpu$cpu/online
			moves=$((moves + 1))
		done
	done
	echo $moves
	sleep 3
	cat $late' >"$dir/out" 2>&1 &
vm=$!

# wait_for_lines N: until the guest has printed them
wait_for_lines()
{
	until [ "$(wc -l <"$dir/out")" -ge "$1" ] || ! kill -0 $vm 2>/dev/null; do
		sleep 0.1
	done
}

for lines in 1 2; do
	wait_for_lines $lines
	[ $lines -eq 1 ] && qemu=$(pgrep -P $vm -f qemu-system)
	ok "QEMU stops" kill -STOP "$qemu"
	sleep 6
	ok "and goes on" kill -CONT "$qemu"
done
wait $vm
is "exit status" $? 0
mapfile -t polls <"$dir/out"
verdict "losses before, after the first and the second stop" \
	$((!(polls[1] > polls[0] && polls[2] > polls[1]))) "${polls[*]}"
is "losses of a counter of 64 bits" "${polls[3]-}" 0
if [ "${polls[4]-}" = 0 ]; then
	echo "events do not move: this kernel keeps CPU 0, where they are"
else
	is "losses while events move" "${polls[5]-}" "${polls[2]}"
fi
is "complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel")" ""
summary
