#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A device that changes its answer: the driver reads each word of the topology block once, and uses
# the value that it has checked. The default design has 3 x 2 tiles of layout 2023 at 78.125 MHz and
# 3 accelerators. And devices without a rate of their counters are refused, because a late poll
# could not be detected.
#
# mon-vm: --device espmon --device upmem-rank --device hexagon-pmu
# kernel log: error -EINVAL: the (tile clock|rate of the counters) is not known|accelerator 0: name .* is not letters, digits, _ and -|: probe .* failed with error -22
# not on riscv64: the function that topo_change probes is inlined there
. "${srcdir:-.}/tests/guest/lib.sh"
module=build/pmu/$(uname -r)/tests/guest/modules/topo_change.ko
pmu=/sys/bus/event_source/devices/espmon
pci=/sys/bus/pci

# once NAME OFFSET VALUE: events/esp/regs.h has the offsets
once()
{
	ok "$1: the probe loads" insmod "$module" "offset=$2" "value=$3"
	echo 1 >$pci/devices/0000:01:00.0/remove
	echo 1 >$pci/rescan
	is "$1: reads" "$(cat /sys/module/topo_change/parameters/reads)" 1
	ok "$1: the probe goes" rmmod topo_change
	is "$1: rows" "$(cat $pmu/caps/rows)" 3
	is "$1: columns" "$(cat $pmu/caps/columns)" 2
	is "$1: layout" "$(cat $pmu/caps/layout)" 2023
	is "$1: clock" "$(cat $pmu/caps/clock_hz)" 78125000
	is "$1: accelerators" "$(find /dev -name 'fft_stratus.*' | wc -l)" 3
}

once ESP_TOPO_ROWS 0x00c 64
once ESP_TOPO_COLS 0x010 64
once ESP_TOPO_LAYOUT 0x008 7
once ESP_TOPO_CLOCK_HZ 0x014 0
once ESP_TOPO_NACC 0x020 200
once "ESP_TOPO_TILE(1)" 0x404 255
once "ESP_TOPO_ACC(1)" 0x1040 5

# silent NAME DRIVER USER OFFSET MASK REASON [VALUE]: a rate of 0, or this value; USER is the module that uses the driver's device
silent()
{
	local driver=/sys/bus/pci/drivers/$2 modules=${module%/tests/*} lines

	rmmod "$3" "$2"
	lines=$(dmesg | wc -l)
	ok "$1: the probe loads" insmod "$module" "offset=$4" "mask=$5" "value=${7-0}" right=0
	ok "$1: so does the driver" insmod "$modules/$2.ko"
	ok "$1: the probe goes" rmmod topo_change
	is "$1: devices of the driver" "$(cd "$driver" && echo ????:??:??.?)" "????:??:??.?"
	like "$1: the reason" "$(dmesg | tail -n +$((lines + 1)))" "$2 ....:..:..[.].: error -EINVAL: $6"
	rmmod "$2"
	insmod "$modules/$2.ko"
	insmod "$modules/$3.ko"
	like "$1: with a rate it has a device" "$(cd "$driver" && echo ????:??:??.?)" :
}

silent ESP_TOPO_CLOCK_HZ espmon esp_accel 0x014 0xffff "the tile clock is not known"
# its first four bytes are "a!b"; a name is a file
silent ESP_TOPO_ACC_NAME espmon esp_accel 0x1008 0xffff 'accelerator 0: name "a!b" is not letters' 0x00622161
silent UPMEM_MAX_MHZ upmem upmem_rank 0x02c 0x7ffff "the rate of the counters is not known"
silent HEXAGON_CLOCK_HZ hexagon hexagon_run 0x118 0x3fff "the rate of the counters is not known"

# counters of 4 PHz would wrap in a microsecond: polls come each millisecond, not more often
rmmod upmem_rank upmem
ok "the probe loads" insmod "$module" offset=0x02c mask=0x7ffff value=4000000000 right=0
ok "so does the driver" insmod "${module%/tests/*}/upmem.ko"
ok "an event of it" perf stat -a -e upmem/event=0x1/ -o /dev/null sleep 0.2
ok "the probe goes" rmmod topo_change
rmmod upmem
insmod "${module%/tests/*}/upmem.ko"
insmod "${module%/tests/*}/upmem_rank.ko"
summary
