#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In a kernel without modules, which has the PMU drivers built in, each of them has its device and counts. Since Linux
# 6.16 perf takes the events of a PMU that goes away from it; so here devices are unbound, removed and reset while their
# events are open and read. build-aux/kernel runs it.
. "${srcdir:-.}/tests/guest/lib.sh"
devices=/sys/bus/event_source/devices

fails "there are modules" test -e /proc/modules
mapfile -t n < <(perf stat -a -x, -e 'espmon/dvfs_op3,bytile,tile=2/,mrfld_visa/memory_ddr_bw_clock/' \
	-e upmem/dpu_cycles/,hexagon/committed_pkt_any/ sleep 1 2>&1 | cut -d, -f1)
# a clock each, and two unused devices
numbers "counts" 4 "${n[*]}"
holds "cycles of ESP's memory tile" "${n[0]} > 0"
holds "ticks of the memory's clock" "${n[1]} > 0"
is "cycles of DPUs and packets" "${n[2]} ${n[3]}" "0 0"
for pmu in $(pmus); do
	is "losses of $pmu" "$(cat "$devices/$pmu/losses")" 0
	is "$pmu is not on the isolated processor" "$(cat "$devices/$pmu/cpumask")" 0
done

# readers PMU EVENT: one of a group and one of a single event, until they are killed
readers()
{
	perf stat -a -I 10 -x, -o "/tmp/$1.group" -e "{$1/$2/,$1/$2/}" sleep 600 2>/dev/null &
	pids+=($!)
	perf stat -a -I 10 -x, -o "/tmp/$1.single" -e "$1/$2/" sleep 600 2>/dev/null &
	pids+=($!)
}

# counts NAME: the clock of ESP's memory tile goes on
counts()
{
	numbers "$1" 1 "$(perf stat -a -x, -e espmon/dvfs_op3,bytile,tile=2/ sleep 0.1 2>&1 | cut -d, -f1)"
}

pci=/sys/bus/pci
pids=()
declare -A event=([espmon]=dvfs_op3 [upmem]=dpu_cycles [hexagon]=committed_pkt_any)
for pmu in "${!event[@]}"; do
	device=$(cd "$pci/drivers/$pmu" && echo 0000:*)
	type=$(cat "$devices/$pmu/type")
	readers "$pmu" "${event[$pmu]}"
	sleep 1
	for round in 1 2 3; do
		if [ -e "$pci/drivers/$pmu/unbind" ]; then
			echo "$device" >"$pci/drivers/$pmu/unbind"
			fails "$pmu without a driver, $round" test -e "$devices/$pmu"
			echo "$device" >"$pci/drivers/$pmu/bind"
			ok "$pmu with a driver, $round" test -e "$devices/$pmu"
			# its events have gone with it
			readers "$pmu" "${event[$pmu]}"
		fi
		echo 1 >"$pci/devices/$device/remove"
		fails "events of $pmu without a device, $round" perf stat -a -e "$pmu/${event[$pmu]}/" true
		echo 1 >$pci/rescan
		ok "events of $pmu with a device, $round" perf stat -a -e "$pmu/${event[$pmu]}/" -o /dev/null true
		readers "$pmu" "${event[$pmu]}"
		echo 1 >"$pci/devices/$device/reset"
		sleep 0.1
		[ -e "$pci/drivers/$pmu/unbind" ] || is "type of $pmu, $round" "$(cat "$devices/$pmu/type")" "$type"
	done
done
counts "cycles after all that"
lost=$(cat "$devices/espmon/losses")
kill "${pids[@]}"
wait
perf stat -a -I 300 -x, -o /tmp/reset -e '{espmon/dvfs_op3/,espmon/dvfs_op3,bytile,tile=2/}' sleep 3 2>/dev/null &
until [ -s /tmp/reset ]; do sleep 0.1; done
echo 1 >"$(echo $pci/drivers/espmon/0*/reset)"
wait
holds "the reset is a loss" "$(cat "$devices/espmon/losses") > $lost"
is "values of the interval of the reset" "$(grep -c '<not counted>' /tmp/reset)" 2
holds "values of the others" "$(grep -c '^ *[0-9.]*,[0-9]' /tmp/reset) >= 12"
summary
