#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Probes, function tracing and tracepoints of all system calls change the kernel's code at run time.
# They are switched on and off together with events of our PMUs, alone and in groups that a software
# event leads. The guest survives, and no access is lost. MON_SECONDS says how long (default: 5).
. "${srcdir:-.}/tests/guest/lib.sh"
seconds=${MON_SECONDS:-5}
tracing=/sys/kernel/tracing
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cpu=$(cat /sys/bus/event_source/devices/espmon/cpumask)
end=$((SECONDS + seconds))

# over: true if the time is over
over()
{
	[ $SECONDS -ge $end ]
}

# rounds NAME COMMAND...: until the time is over; their number goes to $dir/NAME, the first failure to
# $dir/NAME.failed
rounds()
{
	local name=$1 n=0

	shift
	until over; do
		"$@" >"$dir/$name.log" 2>&1 || {
			cp "$dir/$name.log" "$dir/$name.failed"
			break
		}
		n=$((n + 1))
	done
	echo "$n" >"$dir/$name"
}

trace_calls()
{
	perf trace -a -o "$dir/trace" sleep 1 && [ -s "$dir/trace" ]
}

# the probe must be hit: sleep opens files. A RISC-V kernel cannot probe the instructions that ftrace changes, which
# are 8 bytes at the beginning.
probed=do_sys_openat2
[ "$(uname -m)" != riscv64 ] || probed+=+8
probe()
{
	perf probe -q --add mon_trace=$probed &&
		perf stat -x, -o "$dir/probe.csv" -a -e "probe:mon_trace,espmon/ddr_accesses/" sleep 0.5 &&
		perf probe -q --del mon_trace &&
		[ "$(awk -F, '/probe:mon_trace/ { print $1 }' "$dir/probe.csv")" -gt 0 ]
}

trace_functions()
{
	echo 'vfs_*' >$tracing/set_ftrace_filter && echo function >$tracing/current_tracer &&
		sleep 0.3 && grep -q vfs_ $tracing/trace &&
		echo nop >$tracing/current_tracer && echo >$tracing/set_ftrace_filter
}

# Values of the members in the samples of a group that a software event leads: none goes back.
sample()
{
	perf record -q -C "$cpu" -o "$dir/perf.data" \
		-e '{cpu-clock,espmon/ddr_accesses/,espmon/dma_reqs/}:S' sleep 0.5 &&
		perf script -D -i "$dir/perf.data" 2>/dev/null | awk '
			/\.\.\.\.\. id [0-9a-f]+, value [0-9]+/ {
				# 16 hexadecimal digits each: their order is that of text
				sub(/.*id /, ""); split($0, f, /, value |,/)
				if (f[2] "" < last[f[1]] "") { print "went back: " $0; bad = 1; exit }
				last[f[1]] = f[2]; n++
			}
			END { if (n < 3) print n " values"; exit bad || n < 3 }'
}

# FFTs of 128 points: each is 257 accesses
ffts()
{
	local n=0

	until over; do
		./examples/esp/esp-fft --log-len 7 --coherence none >/dev/null || exit
		n=$((n + 1))
	done
	echo "$n" >"$dir/ffts"
}
export -f ffts over
export dir end seconds

names="trace probe functions sample"
rounds trace trace_calls &
rounds probe probe &
rounds functions trace_functions &
rounds sample sample &
# the shell's SECONDS begins anew in another one
# shellcheck disable=SC2016
perf stat -a -x, -o "$dir/counts.csv" -e espmon/ddr_accesses/ -- bash -c '
	end=$seconds
	ffts'
wait
for name in $names; do
	ok "$name: no failure" test ! -e "$dir/$name.failed"
	[ ! -e "$dir/$name.failed" ] || sed 's/^/  | /' "$dir/$name.failed"
	ok "$name: rounds" test "$(cat "$dir/$name")" -gt 0
done
is "accesses" "$(awk -F, '/ddr_accesses/ { print $1 }' "$dir/counts.csv")" $(($(cat "$dir/ffts") * 257))
echo "rounds: $(for name in $names ffts; do echo "$name $(cat "$dir/$name")"; done | paste -sd ' ')" |
	tee "/dev/fd/${TEST_PROGRESS:-1}"
summary
