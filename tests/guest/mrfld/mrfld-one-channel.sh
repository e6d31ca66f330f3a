#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A part with one DRAM channel: everything is in channel 0, and channel 1 counts nothing.
# not on riscv64 arm64: mrfld_visa stands on iosf_mbi, an x86 driver
# mon-vm: --device mrfld-visa,channels=1
. "${srcdir:-.}/tests/guest/lib.sh"
out=/tmp/mrfld-one.csv

is "channels" "$(cat /sys/bus/event_source/devices/mrfld_visa/caps/channels)" 1
perf stat -a -x, -o $out -e '{mrfld_visa/group=1,counter=0/,mrfld_visa/group=1,counter=1/,mrfld_visa/group=1,counter=2/,mrfld_visa/group=1,counter=3/}' \
	-- ./examples/mrfld/mrfld-traffic --bytes 1M >/dev/null
# 1 MiB / 32
is "32-byte accesses" "$(awk -F, '/mrfld_visa/ { printf "%s ", $1 }' $out)" "32768 0 0 0 "
perf stat -a -x, -o $out -e '{mrfld_visa/ddr_chan0_deep_self_refresh/,mrfld_visa/ddr_chan1_deep_self_refresh/,mrfld_visa/ddr_chan1_shallow_self_refresh/}' -- sleep 0.1
like "self-refresh" "$(awk -F, '/mrfld_visa/ { printf "%s ", $1 }' $out)" '^[1-9][0-9]+ 0 0 $'
summary
