#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Other users of the kernel's message bus driver do not disturb counts; iosf_mbi, not mrfld_visa, is
# bound to the PCI device.
# not on riscv64 arm64: mrfld_visa stands on iosf_mbi, an x86 driver
. "${srcdir:-.}/tests/guest/lib.sh"
modules=build/pmu/$(uname -r)
out=/tmp/mrfld-mbi.csv
traffic=./examples/mrfld/mrfld-traffic
losses=/sys/bus/event_source/devices/mrfld_visa/losses
before=$(cat $losses)

like "iosf_mbi has the device" "$(readlink -f /sys/bus/pci/drivers/iosf_mbi_pci/*:*)" '/pci'

ok "noise starts" insmod "$modules/tests/guest/modules/mbi_noise.ko"
for run in 1 2 3 4 5; do
	# 4 MiB / 64
	perf stat -a -x, -o $out -e '{mrfld_visa/group=6,counter=2/,mrfld_visa/group=6,counter=5/}' \
		-- $traffic --bytes 4M >/dev/null
	is "reads, run $run" "$(awk -F, '/mrfld_visa/ { printf "%s ", $1 }' $out)" "65536 0 "
	perf stat -a -x, -o $out -I 50 -e mrfld_visa/group=6,counter=5/ \
		-- $traffic --op write --bytes 4M >/dev/null
	is "writes in intervals, run $run" "$(awk -F, '/mrfld_visa/ { n += $2 } END { print n }' $out)" 65536
done
ok "noise ends" rmmod mbi_noise
noise=$(dmesg | sed -n 's/.*mbi_noise: \([0-9]*\) transactions/\1/p' | tail -n 1)
verdict "it was loud" $((!(noise > 1000))) "$noise transactions"
is "nothing was lost" "$(cat $losses)" "$before"

# the module can be loaded and unloaded, but not while an event is open
perf stat -a -e mrfld_visa/clock_counter/ 2>/dev/null &
perf=$!
wait_until grep -q '[1-9]' /sys/module/mrfld_visa/refcnt
fails "unload of a used module" rmmod mrfld_visa
kill -TERM $perf
wait $perf
ok "module unloads" rmmod mrfld_visa
fails "no PMU then" test -e /sys/bus/event_source/devices/mrfld_visa
ok "module loads again" insmod "$modules/mrfld_visa.ko"
perf stat -a -x, -o $out -e mrfld_visa/group=6,counter=2/ -- $traffic --bytes 1M >/dev/null
is "and counts" "$(awk -F, '/mrfld_visa/ { print $1 }' $out)" 16384

# The device is removed and found again while an event is open; the claim of its memory goes and
# returns with it.
pci=/sys/bus/pci/drivers/iosf_mbi_pci
device=$(basename $pci/*:*)
claimed()
{
	grep -c ' : mrfld_visa$' /proc/iomem
}
go_and_come()
{
	echo 1 >/sys/bus/pci/devices/$device/remove
	is "memory without the device" "$(claimed)" 0
	fails "agents without the device" test -e /dev/mrfld_agents
	fails "new events without the device" perf stat -a -e mrfld_visa/clock_counter/ true
	echo 1 >/sys/bus/pci/rescan
	is "memory of the device that came" "$(claimed)" 1
}
perf stat -a -x, -o $out -e mrfld_visa/group=6,counter=2/ &
perf=$!
wait_until grep -q '[1-9]' /sys/module/mrfld_visa/refcnt
ok "traffic before it goes" $traffic --bytes 1M
go_and_come
ok "traffic after it came" $traffic --bytes 1M
kill -INT $perf
wait $perf
both=32768
! pmu_goes || both=16384
is "what the event counted" "$(awk -F, '/mrfld_visa/ { print $1 }' $out)" $both

# also if the module was loaded while iosf_mbi did not have the device
echo $device >$pci/unbind
is "memory of a device without driver" "$(claimed)" 0
ok "module unloads without the device" rmmod mrfld_visa
ok "module loads without the device" insmod "$modules/mrfld_visa.ko"
is "memory that it leaves alone" "$(claimed)" 0
go_and_come
perf stat -a -x, -o $out -e mrfld_visa/group=6,counter=2/ -- $traffic --bytes 1M >/dev/null
is "and counts again" "$(awk -F, '/mrfld_visa/ { print $1 }' $out)" 16384
summary
