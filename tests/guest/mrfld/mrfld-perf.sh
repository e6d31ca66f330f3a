#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf list, perf stat and the examples on mrfld_visa. Expected counts: bytes / request size for an
# agent's events, bytes / 32 for the DRAM channels; 64 MiB are 67.11 MB.
# not on riscv64 arm64: mrfld_visa stands on iosf_mbi, an x86 driver
. "${srcdir:-.}/tests/guest/lib.sh"
traffic=./examples/mrfld/mrfld-traffic
bw=./examples/mrfld/mrfld-bw
pmu=/sys/bus/event_source/devices/mrfld_visa
out=/tmp/mrfld-perf.csv
before=$(cat $pmu/losses)

# counts EVENTS COMMAND...: values of all events, separated by spaces
counts()
{
	local events=$1

	shift
	perf stat -a -x, -o $out -e "$events" -- "$@" >/tmp/mrfld-perf.out 2>&1 || {
		echo "failed: $(tail -n 3 /tmp/mrfld-perf.out)"
		return
	}
	awk -F, '/mrfld_visa/ { printf "%s%s", sep, $1; sep = " " }' $out
}

# shares: for each event of the last counts, the percentage of the time for which it counted
shares()
{
	grep mrfld_visa $out | grep -oE ',[0-9.]+,,$' | tr -d ,
}

# start_display GEOMETRY: returns when the display has begun to scan out
start_display()
{
	$traffic --scan-out "$1" --seconds 100000 >/tmp/mrfld-display.out &
	display=$!
	until grep -q runs /tmp/mrfld-display.out || ! kill -0 $display; do
		sleep 0.1
	done
}

stop_display()
{
	kill $display
	wait $display 2>/dev/null
}

listed=$(perf list mrfld_visa 2>/dev/null | grep -o 'mrfld_visa/[a-z0-9_]*/' | sort -u)
[ -n "$listed" ] || listed=$(perf list 2>/dev/null | grep -o 'mrfld_visa/[a-z0-9_]*/' | sort -u)
is "perf list: 45 events, 9 group clocks, clock_counter" "$(echo "$listed" | wc -l)" 55
is "group clocks" "$(echo "$listed" | grep -c '_clock/')" 9
is "generic clock" "$(echo "$listed" | grep -c '/clock_counter/')" 1

# 64 MiB in 64-byte reads
is "raw count" "$(counts mrfld_visa/group=6,counter=2/ $traffic)" 1048576
is "in MB" "$(counts mrfld_visa/gfx_read64b/ $traffic)" 67.11
ddr=$(counts '{mrfld_visa/group=1,counter=0/,mrfld_visa/group=1,counter=2/}' $traffic)
is "both channels" "$((${ddr/ /+}))" 2097152
is "requests, no scale" "$(counts mrfld_visa/gfx_reqs/ $traffic --bytes 1M)" 16384
like "data of a write" "$($traffic --op write --bytes 4M)" \
	'wrote 4194304 bytes in 65536 requests of 64; data verified'
like "a buffer that is moved several times" "$($traffic --op write --size 32 --bytes 97M --agent imaging)" \
	'wrote 101711872 bytes in 3178496 requests of 32; data verified'
like "partial requests" "$($traffic --size partial --bytes 10M --agent lowspeedpf)" \
	'read 10485760 bytes in 655360 requests of 16; data verified'

# groups: the kernel refuses events that can never count together
for events in '{mrfld_visa/gfx_read64b/,mrfld_visa/disp_read64b/}' \
	mrfld_visa/group=10,counter=0/ mrfld_visa/group=5,counter=3/ mrfld_visa/group=0,counter=1/ \
	mrfld_visa/config=0x10602/; do
	like "refused: $events" "$(perf stat -v -a -e "$events" true 2>&1)" 'not supported|Invalid argument'
done

# clock_counter joins another group's events: no event takes turns
values=$(counts mrfld_visa/gfx_read64b/,mrfld_visa/gfx_write64b/,mrfld_visa/clock_counter/ \
	$traffic --bytes 10M)
like "clock_counter joins" "$values" '^10.49 0.00 [1-9][0-9]*$'
is "without turns" "$(shares | sort -u)" "100.00"
# in one perf group it is the clock of that group: read at one instant
values=$(counts '{mrfld_visa/clock_counter/,mrfld_visa/graphics_bw_clock/,mrfld_visa/gfx_read64b/}' \
	sleep 0.2)
read -r generic own _ <<<"$values"
is "the same clock" "$generic" "$own"

# two groups on a steady load take turns: times add up and scaled values are near the real ones
start_display 1280x720x4@60
# 1280 * 720 * 4 * 60 = 221.184 MB/s at the display and in both channels together. On a busy host
# the guest's processors may stop when the groups change: so turns are long, and there are several
# tries.
interval=$(cat $pmu/perf_event_mux_interval_ms)
echo 100 >$pmu/perf_event_mux_interval_ms
for _ in 1 2 3; do
	values=$(counts mrfld_visa/disp_read64b/,mrfld_visa/ddr_chan0_read32b/,duration_time sleep 5)
	elapsed=$(awk -F, '/duration_time/ { print $1 }' $out)
	mapfile -t share < <(shares)
	awk -v v="$values" -v ns="${elapsed:-1}" -v a="${share[0]:-0}" -v b="${share[1]:-0}" 'BEGIN {
		split(v, mb, " ")
		want = 221.184 * ns / 1e9
		disp = mb[1] / want; ddr = 2 * mb[2] / want
		exit !(disp > 0.95 && disp < 1.05 && ddr > 0.95 && ddr < 1.05 &&
		       a > 20 && b > 20 && a + b > 97 && a + b < 103) }'
	good=$?
	[ $good -eq 0 ] && break
done
verdict "two groups take turns, times add up, scaled values are within 5 % of the truth" "$good" \
	"$values MB in $elapsed ns, shares ${share[*]}"
echo "$interval" >$pmu/perf_event_mux_interval_ms
stop_display

# full HD at 60 Hz: 1920 * 1080 * 4 * 60 = 497.664 MB/s, by the group's own clock
start_display 1920x1080x4@60
for group in UNC_SOC_Display_BW UNC_VISA_Memory_DDR_BW; do
	row=$($bw $group 4)
	awk -v row="$row" 'BEGIN { n = split(row, f, " "); exit !(n == 7 && f[3] > 492.7 && f[3] < 502.7) }'
	verdict "mrfld-bw shows 497.7 MB/s within 1 %: $group" $? "$row"
done
is "one display at a time" \
	"$($traffic --scan-out 640x480x4@60 2>&1)" "mrfld-traffic: scan-out: another program has the display"
stop_display

# reasons
like "unknown group" "$($bw UNC_VISA_Module1_BW 2>&1)" 'not an event group of Merrifield'
like "unknown agent" "$($traffic --agent mod0 2>&1)" 'use gfx, disp, imaging or lowspeedpf'
like "too fast" "$($traffic --rate 100000 2>&1)" 'at most 40 million requests a second'
is "nothing was lost" "$(cat $pmu/losses)" "$before"
summary
