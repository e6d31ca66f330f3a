#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The distribution's own PAPI and PCP count the words of a 128-point FFT, and so does perf stat:
# 257, one of the page table, 128 read and 128 written. PCP reads every tracepoint at its start,
# which takes long on a busy machine.
# not on riscv64 arm64: PAPI and PCP are those of this machine
# mon-vm: --env TEST_TIMEOUT=1000
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
pmcd_stop

pmcd_start "$srcdir/events/pcp/perfevent-libpfm4.conf" "$libpfm4"
before=$(pcp espmon__ddr_accesses)
tile=$(pcp espmon__ddr_accesses_tile_2)
"${fft[@]}" >/dev/null
is "PCP, libpfm4" "$(($(pcp espmon__ddr_accesses) - before))" 257
is "PCP, libpfm4, memory tile" "$(($(pcp espmon__ddr_accesses_tile_2) - tile))" 257
pmcd_stop
summary
