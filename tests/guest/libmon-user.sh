#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Permissions that the library needs, and its messages if something is missing.
. "${srcdir:-.}/tests/guest/lib.sh"
program=tests/guest/esp/esp-monitors-3x2
[ -x tests/guest/.libs/esp-monitors-3x2 ] && program=tests/guest/.libs/esp-monitors-3x2
paranoid=/proc/sys/kernel/perf_event_paranoid
before=$(cat $paranoid)
as_user="setpriv --reuid 65534 --regid 65534 --clear-groups"

echo 0 > $paranoid
ok "an ordinary user reads all, level 0" $as_user "$program" reads 2
ok "an ordinary user reads one, level 0" $as_user "$program" singles 2
for level in 1 2 3; do
	echo $level > $paranoid
	for how in reads singles; do
		like "an ordinary user, level $level, $how" "$($as_user "$program" $how 2 2>&1)" \
			"no permission .* CAP_PERFMON or kernel.perf_event_paranoid at 0 .*it is $level"
	done
	ok "root, level $level" "$program" reads 2
done
echo "$before" > $paranoid

device=$(basename "$(ls -d /sys/bus/pci/drivers/espmon/0*)")
echo 1 > "/sys/bus/pci/devices/$device/remove"
fails "a device that has gone" "$program" reads 1
rmmod esp_accel
rmmod espmon
echo 1 > /sys/bus/pci/rescan
like "device without module" "$("$program" reads 1 2>&1)" "not loaded: modprobe espmon"
like "esp_alloc without module" "$("$program" all 2>&1)" \
	"/dev/contig_alloc not found: load the module esp_accel"
insmod "build/pmu/$(uname -r)/espmon.ko"
insmod "build/pmu/$(uname -r)/esp_accel.ko"
ok "and back" "$program" reads 1

# BAR0 is ESP's APB window, with the monitors at 0x90000
bar0=$(sed -n '1s/ .*//p' "/sys/bus/pci/devices/$device/resource")
is "mon-socgen --monitor-base" "$(./mon-socgen --monitor-base)" "$(printf '0x%x' $((bar0 + 0x90000)))"
like "of another SoC" "$(./mon-socgen --monitor-base=espmon_1 2>&1)" "espmon_1: no such PMU"

out=$(mktemp -d)
ok "mon-socgen --from-device" ./mon-socgen --from-device -o "$out"
# a program without an operating system is made for a file
ok "is what it writes from the file, but for esplink.h" diff -x esplink.h "$out" tests/guest/soc-3x2
summary
