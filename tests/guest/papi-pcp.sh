#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The distribution's own PAPI and PCP count the words of a 128-point FFT, and so does perf stat:
# 257, one of the page table, 128 read and 128 written. PCP reads every tracepoint at its start,
# which takes long on a busy machine. pminfo, pmval, pmlogger and pmrep show the metrics of derived.conf.
# not on riscv64 arm64: PAPI and PCP are those of this machine
# mon-vm: --env TEST_TIMEOUT=1000 --hexagon-dir examples/hexagon --mem 1G
. "${srcdir:-.}/tests/guest/lib.sh"
srcdir=${srcdir:-.}
fft=(./examples/esp/esp-fft --log-len 7)
[ -x ./examples/.libs/esp-fft ] && fft[0]=./examples/.libs/esp-fft
libpfm4=$PWD/build/libpfm4/lib

[ -x ./examples/papi-count ] || skip "papi-count is not built: install libpapi-dev and configure again"
[ -e "$libpfm4/libpfm.so.4" ] || skip "libpfm4 is not built: make libpfm4-parts says why"
[ -d build/pcp ] || skip "build/pcp is missing: make build/pcp"
for tool in papi_native_avail papi_command_line; do
	command -v $tool >/dev/null || skip "$tool not found: install papi-tools"
done

is "perf stat" "$(perf stat -a -x, -e espmon/ddr_accesses/ "${fft[@]}" 2>&1 >/dev/null | cut -d, -f1)" 257

# PAPI. Every PMU of ours that the kernel has is in its uncore component, with all events.
papi()
{
	LD_LIBRARY_PATH=$libpfm4${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@" 2>&1
}

native=$(papi papi_native_avail)
is "PAPI's espmon events" "$(grep -c '^| espmon::' <<<"$native")" "$(events espmon | wc -w)"
if [ -d /sys/bus/event_source/devices/mrfld_visa ]; then
	is "PAPI's mrfld_visa events" "$(grep -c '^| mrfld_visa::' <<<"$native")" "$(events mrfld_visa | wc -w)"
fi
like "PAPI's component" "$(papi papi_component_avail)" 'PMUs supported: [a-z0-9_, ]*espmon'
like "the stock libpfm4 has no espmon" "$(papi_command_line espmon::ddr_accesses:cpu=0 2>&1)" \
	'Failed adding: espmon::ddr_accesses'
like "papi_command_line" "$(papi papi_command_line espmon::ddr_accesses:cpu=0)" \
	'Successfully added: espmon::ddr_accesses:cpu=0.*espmon::ddr_accesses:cpu=0 :[^0-9]*[0-9]+'
like "PAPI wants a CPU" "$(papi papi_command_line espmon::ddr_accesses)" 'Failed adding'
like "PAPI" "$(papi ./examples/papi-count espmon::ddr_accesses:cpu=0 "${fft[@]}")" \
	'257 espmon::ddr_accesses:cpu=0$'
like "PAPI, memory tile" "$(papi ./examples/papi-count espmon::ddr_accesses:tile=2:cpu=0 "${fft[@]}")" \
	'257 espmon::ddr_accesses:tile=2:cpu=0$'
like "PAPI, CPU tile" "$(papi ./examples/papi-count espmon::ddr_accesses:tile=1:cpu=0 "${fft[@]}")" \
	'0 espmon::ddr_accesses:tile=1:cpu=0$'

# PCP, as its package would install it, in the guest's own layer of files.
tar -C build/pcp -c . | tar -C / -x --keep-directory-symlink 2>/tmp/tar.log
ok "PCP is unpacked" test -x /usr/lib/pcp/pmdas/perfevent/pmdaperfevent
mkdir -p /var/lib/pcp/tmp /run/pcp
socket=/run/pcp/test.socket
cat >/tmp/pmns <<'END'
root { perfevent }
perfevent {
	version    127:0:0
	active     127:0:1
	hwcounters 127:*:*
	derived    127:*:*
}
END
agent="/usr/lib/pcp/pmdas/perfevent/pmdaperfevent -d 127 -U root -l /tmp/perfevent.log"
echo "perfevent 127 pipe binary $agent" >/tmp/pmcd.conf

# a busy machine must not make pmcd give up its agent, or pminfo pmcd; all in seconds
export PMCD_CONNECT_TIMEOUT=120 PMCD_REQUEST_TIMEOUT=120

# pmcd_start CONFIGURATION [LIBRARY_PATH]
pmcd_start()
{
	cp "$1" /etc/pcp/perfevent/perfevent.conf
	LD_LIBRARY_PATH=${2-} /usr/lib/pcp/bin/pmcd -f -A -U root -q 120 -t 120 -c /tmp/pmcd.conf \
		-n /tmp/pmns -l /tmp/pmcd.log -s $socket &
	pmcd=$!
	for _ in {1..600}; do
		pminfo -h unix:$socket perfevent.version >/dev/null 2>&1 && return
		sleep 0.2
	done
	verdict "pmcd starts" 1 "$(tail -n 5 /tmp/pmcd.log | cut -c 1-300)"
}

pmcd_stop()
{
	kill $pmcd
	wait $pmcd
	rm -f $socket
}

# pcp METRIC: the value of its only instance
pcp()
{
	pminfo -h unix:$socket -f "perfevent.hwcounters.$1.value" 2>&1 |
		sed -n 's/.*inst \[.*\] value //p'
}

# the counters run from the start of the agent; [dynamic] needs nothing of ours but the driver
pmcd_start "$srcdir/events/pcp/perfevent.conf"
before=$(pcp espmon.ddr_accesses)
"${fft[@]}" >/dev/null
is "PCP, [dynamic]" "$(($(pcp espmon.ddr_accesses) - before))" 257
"${fft[@]}" >/dev/null
is "PCP, [dynamic], again" "$(($(pcp espmon.ddr_accesses) - before))" 514

# ratio FACTOR NAME... / NAME...: of the counters themselves
ratio()
{
	local factor=$1 part=0 sums=(0 0) name

	shift
	for name in "$@"; do
		if [ "$name" = / ]; then
			part=1
		else
			sums[part]=$((sums[part] + $(pcp "$name")))
		fi
	done
	awk -v f="$factor" -v a="${sums[0]}" -v b="${sums[1]}" 'BEGIN { printf "%.3f", f * a / b }'
}

# what has caches, DPUs and a DSP in it
"${fft[@]}" --coherence full >/dev/null
examples/upmem/bank-pmc examples/upmem/page-kernel.dpu 32 >/dev/null
./hexagon-run hand >/dev/null 2>&1
# tests/guest/upmem/upmem-counts.sh and docs/hexagon.md derive these
is "DPU instructions" "$(pcp upmem.dpu_instructions)" 539
is "Hexagon packets" "$(pcp hexagon.committed_pkt_any)" 36
is "Hexagon instructions" "$(pcp hexagon.committed_insts)" 61
export PCP_DERIVED_CONFIG=$PWD/events/pcp/derived.conf
declare -A want=(
	[esp_acc_memory_share]=$(ratio 100 espmon.acc_mem_cycles / espmon.acc_tot_cycles)
	[esp_l2_miss_ratio]=$(ratio 100 espmon.l2_misses / espmon.l2_hits espmon.l2_misses)
	[esp_llc_miss_ratio]=$(ratio 100 espmon.llc_misses / espmon.llc_hits espmon.llc_misses)
	[esp_words_per_invocation]=$(ratio 1 espmon.ddr_accesses / espmon.acc_invocations)
	[upmem_cpi]=$(ratio 1 upmem.dpu_cycles / upmem.dpu_instructions)
	[hexagon_packet_density]=1.694
)
is "metrics of derived.conf" "$(pminfo -h unix:$socket libmon | sort | tr '\n' ' ')" \
	"$(printf 'libmon.%s\n' "${!want[@]}" | sort | tr '\n' ' ')"
for name in "${!want[@]}"; do
	holds "$name is no zero" "${want[$name]//[.]/} > 0"
	is "pminfo $name" "$(pminfo -h unix:$socket -f "libmon.$name" 2>&1 |
		awk '$1 == "value" { printf "%.3f", $2 }')" "${want[$name]}"
	is "pmval $name" "$(pmval -h unix:$socket -s 1 -f 3 "libmon.$name" 2>&1 | awk 'END { print $1 }')" "${want[$name]}"
done
echo 'log mandatory on once { libmon perfevent.hwcounters }' >/tmp/pmlogger.conf
ok "pmlogger" pmlogger -h unix:$socket -c /tmp/pmlogger.conf -s 1 -t 1 -l /tmp/pmlogger.log /tmp/archive

# pmrep's bindings load libraries by names that only development packages have
mkdir /tmp/lib
for library in /usr/lib/libpcp*.so.[0-9] /usr/lib/*/libpcp*.so.[0-9]; do
	[ ! -e "$library" ] || ln -sf "$library" "/tmp/lib/$(basename "${library%.[0-9]}")"
done
# view NAME: the last line, the counters' rates are left out
view()
{
	LD_LIBRARY_PATH=/tmp/lib /usr/bin/python3 /usr/bin/pmrep -h unix:$socket -c "$srcdir/events/pcp/pmrep.conf" -s 2 \
		-t 1 -o csv ":$1" 2>&1 | tail -n 1 | cut -d ' ' -f "$2"
}

tenth()
{
	printf '%.1f' "${want[$1]}"
}

is "pmrep, ESP" "$(view libmon-esp 5-7)" \
	"$(tenth esp_words_per_invocation) $(tenth esp_acc_memory_share) $(tenth esp_llc_miss_ratio)"
is "pmrep, UPMEM" "$(view libmon-upmem 7)" "$(tenth upmem_cpi)"
is "pmrep, Hexagon" "$(view libmon-hexagon 5)" "$(tenth hexagon_packet_density)"
unset PCP_DERIVED_CONFIG
pmcd_stop

pmcd_start "$srcdir/events/pcp/perfevent-libpfm4.conf" "$libpfm4"
# writes back the 128 words that the run with coherence left dirty in its caches
"${fft[@]}" >/dev/null
before=$(pcp espmon__ddr_accesses)
tile=$(pcp espmon__ddr_accesses_tile_2)
"${fft[@]}" >/dev/null
is "PCP, libpfm4" "$(($(pcp espmon__ddr_accesses) - before))" 257
is "PCP, libpfm4, memory tile" "$(($(pcp espmon__ddr_accesses_tile_2) - tile))" 257
pmcd_stop
summary
