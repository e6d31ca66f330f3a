#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The events of a device live on a processor of its node.
# mon-vm: --smp 4 --qemu-arg -smp --qemu-arg sockets=2,cores=2,threads=1 --mem 1G --qemu-arg -object --qemu-arg memory-backend-ram,id=m0,size=512M --qemu-arg -object --qemu-arg memory-backend-ram,id=m1,size=512M --qemu-arg -numa --qemu-arg node,nodeid=0,cpus=0-1,memdev=m0 --qemu-arg -numa --qemu-arg node,nodeid=1,cpus=2-3,memdev=m1 --device espmon --device upmem-rank --device hexagon-pmu
# kernel log: Firmware Bug
# not on riscv64 arm64: their machines take no nodes from these options
. "${srcdir:-.}/tests/guest/lib.sh"
modules=build/pmu/$(uname -r)
drivers="espmon upmem hexagon"
runners="esp_accel upmem_rank hexagon_run"
devices=$(for driver in $drivers; do readlink -f /sys/bus/pci/drivers/$driver/0*; done)

is "nodes" "$(cat /sys/devices/system/node/online)" 0-1
for node in 1 0; do
	# words are wanted
	# shellcheck disable=SC2086
	ok "the drivers go" rmmod $runners $drivers
	for device in $devices; do
		# what the firmware tells with two sockets
		echo $node >"$device/numa_node"
	done
	# Three PMUs whose numbers follow each other: not all of them would be near by chance.
	for driver in $drivers; do
		ok "$driver comes" insmod "$modules/$driver.ko"
		cpu=$(cat /sys/bus/event_source/devices/$driver/cpumask)
		ok "$driver, node $node: its CPU $cpu" test -e "/sys/devices/system/node/node$node/cpu$cpu"
	done
	for runner in $runners; do
		insmod "$modules/$runner.ko"
	done
done
summary
