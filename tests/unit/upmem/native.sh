#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Host programs without a guest: the tests of the guest pass in the simulator.
. "${srcdir:-.}/tests/guest/lib.sh"
export LIBMON_DPU_BACKEND=simulator
export LD_LIBRARY_PATH=$PWD/upmem-sdk PYTHONPATH=$PWD/upmem-sdk/python
tests=${srcdir:-.}/tests/guest/upmem
ex=examples/upmem
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# as_in_guest NAME SCRIPT: a test of the guest passes here
as_in_guest()
{
	local text status

	text=$(bash "$2" 2>&1)
	status=$?
	[ $status -eq 0 ] || [ $status -eq 77 ]
	verdict "$1" $? "$text"
}
as_in_guest "C, C++ and Python of the page, a prebuilt host" "$tests/upmem-page.sh"
[ -e $ex/c/vecadd-16.dpu ] && as_in_guest "DPU programs in C" "${srcdir:-.}/tests/guest/upmem/dpu-c.sh"

text=$(tests/guest/upmem/upmem-nonsense 2>&1)
verdict "errors of a host that passes nonsense" $? "$text"

# report PROGRAM ARGUMENTS...: the report of each launch
report()
{
	LIBMON_DPU_REPORT=$tmp/report "$@" >/dev/null && cat "$tmp/report"
	rm -f "$tmp/report"
}

# as in upmem-counts.sh; 2 x 2 MiB of words to WRAM and 1 x back on each of 64 DPUs
instructions=$((64 * (7 * 16 + 513 + 16 * 6 + 2048 * (8 + 256 * 6 + 4))))
words=$((64 * 3 * 2 * 1024 * 1024 / 8))
once=$(report $ex/vecadd $ex/vecadd.dpu)
like "a report counts as the guest does" "$once" \
	"dpu launch 1: 64 DPUs, [0-9.]+ ms modelled \+ 0.160 ms launch \+ [1-9][0-9.]* ms transfers before it, $instructions instructions, $words DMA words,"
for threads in 1 2 8; do
	is "$threads threads" "$(LIBMON_DPU_THREADS=$threads report $ex/vecadd $ex/vecadd.dpu)" "$once"
done
# compiled code counts the same; no compiler is started if you do not want it
printf '#!/bin/sh\necho >>"%s"\nexec %s "$@"\n' "$tmp/asked" "${CC:-cc}" >"$tmp/cc"
chmod +x "$tmp/cc"
mkdir "$tmp/cache"
export LIBMON_DPU_CC=$tmp/cc XDG_CACHE_HOME=$tmp/cache
LIBMON_DPU_BLOCKS=off report $ex/vecadd $ex/vecadd.dpu >/dev/null
is "no compiler runs with off" "$(ls -A "$tmp/asked" "$tmp/cache" 2>/dev/null)" "$tmp/cache:"
is "compiled code counts the same" "$(LIBMON_DPU_BLOCKS=now report $ex/vecadd $ex/vecadd.dpu)" "$once"
is "it was asked for once" "$(wc -l <"$tmp/asked")" 1
rm -rf "$tmp/cache/libmon-dpu"
is "and is by default" "$(report $ex/vecadd $ex/vecadd.dpu; wc -l <"$tmp/asked")" "$once"$'\n'2
unset LIBMON_DPU_CC XDG_CACHE_HOME
like "the time of a launch is a parameter, with that of its rank" \
	"$(LIBMON_DPU_TIMING=launch-us=330 report $ex/bank-pmc $ex/page-kernel.dpu 32)" ' \+ 0.340 ms launch '
# two loads and three stores of 8 bytes
like "words of DMA" "$(report $ex/bank-pmc $ex/page-kernel.dpu 32 | grep 'dpu launch')" \
	' 5 DMA words, slowest DPU 0 of rank 0, imbalance 1.00$'
like "no transfers when switched off" \
	"$(LIBMON_DPU_TIMING=transfers=0 report $ex/vecadd $ex/vecadd.dpu)" ' ms launch, '

# clocks.c: a launch of two ranks, on the program's clocks, in microseconds
${CC:-gcc} -I"${srcdir:-.}/libmon/upmem/include" "${srcdir:-.}/tests/unit/upmem/clocks.c" -o "$tmp/clocks" upmem-sdk/libdpu.so || exit 1
host()
{
	./dpu-run --host --report="$tmp/run.json" "$@"
}
# value EXPRESSION: of the only program of the last summary, p
value()
{
	python3 -c 'import json, sys; p = json.load(open(sys.argv[1]))["programs"][0]; print(eval(sys.argv[2]))' "$tmp/run.json" "$1"
	rm -f "$tmp/run.json"
}
text=$(host --clock=dpus "$tmp/clocks" $ex/vecadd.dpu)
# each of both launches: the slowest DPU, and 150 + 2 x 10 us
us=$(value 'round((p["dpu_ms"]["max"] / 2 + 0.170) * 1000)')
for name in clock_gettime gettimeofday clock timespec_get thread later; do
	got=$(sed -n "s/^$name //p" <<<"$text")
	ok "$name shows modelled time: $got of $us" test "$got" -ge $((us - 2)) -a "$got" -le $((us + 2))
done
text=$(host "$tmp/clocks" $ex/vecadd.dpu)
us=$(value 'round((p["dpu_ms"]["max"] / 2 + 0.170) * 1000)')
got=$(sed -n 's/^gettimeofday //p' <<<"$text")
ok "the host's own computing counts as it is: $got of $us" test "$got" -ge "$us" -a "$got" -lt $((us + 20000))
like "a program that was not started so" "$(LIBMON_DPU_CLOCK=modelled "$tmp/clocks" $ex/vecadd.dpu 2>&1)" \
	'start it with dpu-run --host'
cat >"$tmp/clocks.py" <<END
import time, dpu
with dpu.DpuSet(1, binary="$ex/page-kernel.dpu") as dpus:
    before = time.monotonic_ns()
    dpus.exec()
    print("ns", round((time.monotonic_ns() - before) / 1000))
END
text=$(host --clock=dpus python3 "$tmp/clocks.py")
like "Python's clocks, too" "$text" "ns $(value 'round((p["dpu_ms"]["max"] + 0.160) * 1e3)')"
echo 'int main(void) { return __builtin_ia32_rdtsc() == 0; }' | ${CC:-gcc} -x c - -o "$tmp/tsc" 2>/dev/null &&
	like "a program that reads the processor's counter" "$(host "$tmp/tsc" 2>&1)" 'reads the time-stamp counter'
like "and one that does not" "$(host "$tmp/clocks" $ex/vecadd.dpu 2>&1 | grep -c counter)" '^0$'
echo 'int main(void) { return 0; }' | ${CC:-gcc} -x c - -static -o "$tmp/static" 2>/dev/null &&
	like "a static program" "$(host "$tmp/static" 2>&1)" 'a static program: .* Link it dynamically'

# the summary: the bytes of vecadd's vectors
host $ex/vecadd $ex/vecadd.dpu >/dev/null
is "a summary in JSON" "$(value '[p["launches"], p["chip"], p["tasklets"], p["dpus"], p["instructions"], p["CPU-DPU"]["bytes"], p["inter-DPU"]["bytes"], p["DPU-CPU"]["bytes"]]')" \
	"[1, 'v1B', 16, 64, $instructions, $((64 * 4194304)), 0, $((64 * 2097152))]"
./dpu-run --host --report="$tmp/run.csv" $ex/vecadd $ex/vecadd.dpu >/dev/null
is "and in CSV" "$(python3 -c 'import csv, sys; r, = csv.DictReader(open(sys.argv[1])); print(r["program"], r["launches"], r["cpu_dpu_bytes"], r["bottleneck"])' "$tmp/run.csv")" \
	"vecadd.dpu 1 $((64 * 4194304)) host transfers"
# 4 and 8 bytes to 128 DPUs; 8 from and 16 to them; 16 from them
host "$tmp/clocks" $ex/vecadd.dpu phases >/dev/null
is "CPU-DPU, inter-DPU and DPU-CPU" \
	"$(value '[p["launches"], p["CPU-DPU"]["bytes"], p["inter-DPU"]["bytes"], p["DPU-CPU"]["bytes"]]')" "[2, 1536, 3072, 2048]"

# sums of a profile are those of the counters
ok "a profile" env LIBMON_DPU_PROFILE="$tmp/p" $ex/bank-pmc $ex/page-kernel.dpu 32
is "has each instruction" "$(awk '{ n += $3 } END { print n }' "$tmp/p-0-0.profile")" 539
ok "and lines for callgrind" ./dpu-run --profile-of "$tmp/p-0-0.profile" --profile "$tmp/lines" $ex/page-kernel.dpu
like "of the program" "$(cat "$tmp/lines")" 'fn=main'

# two programs at a time, and one that is killed while its DPUs run: counts of the others do not
# change, and no file or process is left
cat >"$tmp/forever.s" <<'END'
	.text
	.globl main
main:	jump main
END
cat >"$tmp/victim.c" <<'END'
#include <dpu.h>
int main(int argc, char **argv)
{
	struct dpu_set_t set;

	return argc < 2 || dpu_alloc(64, NULL, &set) || dpu_load(set, argv[1], NULL) || dpu_launch(set, DPU_SYNCHRONOUS);
}
END
./dpu-as "$tmp/forever.s" -o "$tmp/forever.dpu" || exit 1
${CC:-gcc} -I"${srcdir:-.}/libmon/upmem/include" "$tmp/victim.c" -o "$tmp/victim" upmem-sdk/libdpu.so || exit 1
left()
{
	# without the files of compilers that other tests run
	{ find /dev/shm /tmp /var/tmp "$tmp" -maxdepth 1 ! -name 'dpu-cc-*' 2>/dev/null; ipcs -m -s -q; } | sort
}
# whether DPU programs are compiled is said once, also of several DPUs, and why not
blocks_of()
{
	"$@" 2>&1 >/dev/null | grep -E 'compiled|interpreted'
}
is "-v says that a program is compiled" "$(XDG_CACHE_HOME=$tmp blocks_of ./dpu-run -v --blocks=now --dpus 2 $ex/vecadd.dpu)" \
	"dpu-run: $ex/vecadd.dpu: compiled"
is "-v says that a program is not" "$(blocks_of ./dpu-run -v --blocks=off --dpus 2 $ex/vecadd.dpu)" \
	"dpu-run: $ex/vecadd.dpu: interpreted"
is "without -v nothing" "$(XDG_CACHE_HOME=$tmp blocks_of ./dpu-run --blocks=now $ex/vecadd.dpu)" ""
like "a host program's are compiled" "$(XDG_CACHE_HOME=$tmp blocks_of ./dpu-run --host -v $ex/vecadd $ex/vecadd.dpu)" \
	'^dpu-run: DPU programs that run long are compiled with /[^ ]+$'
is "or why not: as told" "$(LIBMON_DPU_BLOCKS=off blocks_of ./dpu-run --host -v $ex/vecadd $ex/vecadd.dpu)" \
	"dpu-run: DPU programs are interpreted: LIBMON_DPU_BLOCKS=off"
like "or why not: no compiler" "$(LIBMON_DPU_CC=/none blocks_of ./dpu-run --host -v $ex/vecadd $ex/vecadd.dpu)" \
	'^dpu-run: DPU programs are interpreted: /none: no such compiler: '

# a compiler that does not end, nor heed SIGTERM, ends with its host: when the program is done, and when it is killed
printf '#!/bin/sh\ntrap "" TERM\nsleep 98765432\n' >"$tmp/hang"
chmod +x "$tmp/hang"
mkdir "$tmp/hangs"
LIBMON_DPU_CC=$tmp/hang XDG_CACHE_HOME=$tmp/hangs ok "a compiler hangs" $ex/vecadd $ex/vecadd.dpu
is "and ends with its host" "$(pgrep -f "sleep 98765432")" ""
LIBMON_DPU_CC=$tmp/hang XDG_CACHE_HOME=$tmp/hangs "$tmp/victim" "$tmp/forever.dpu" >/dev/null 2>&1 &
victim=$!
until_is()
{
	for _ in {1..100}; do
		[ "$(pgrep -c -f "sleep 98765432")" -eq "$1" ] && return
		sleep 0.1
	done
	return 1
}
ok "another one hangs" until_is 1
kill -9 $victim
wait $victim 2>/dev/null
ok "and ends with its host that is killed" until_is 0
is "and leaves nothing" "$(ls -A "$tmp/hangs/libmon-dpu")" ""

before=$(left)
for who in one two; do
	LIBMON_DPU_REPORT=$tmp/report-$who $ex/vecadd $ex/vecadd.dpu >"$tmp/out-$who" &
done
setsid "$tmp/victim" "$tmp/forever.dpu" >/dev/null 2>&1 &
victim=$!
# its threads exist, so its DPUs run
for _ in {1..100}; do
	[ "$(find /proc/$victim/task -maxdepth 1 -mindepth 1 2>/dev/null | wc -l)" -gt 1 ] && break
	sleep 0.1
done
ok "the victim runs" kill -0 $victim
kill -9 $victim
wait $victim 2>/dev/null
wait
is "two at a time do not meet" "$(cat "$tmp/out-one" "$tmp/out-two")" \
	$'64 DPUs, 33554432 sums, 0 wrong\n64 DPUs, 33554432 sums, 0 wrong'
is "nor do their counts" "$(cat "$tmp/report-one" "$tmp/report-two")" "$once"$'\n'"$once"
rm -f "$tmp"/report-* "$tmp"/out-*
is "no process is left of the one that was killed" "$(pgrep -f "^$tmp/victim ")" ""
is "no shared memory and no file" "$(diff <(echo "$before") <(left) | grep -i "dpu\|0x")" ""
like "no device and backend=hw" "$(LIBMON_DPU_BACKEND=hw $ex/bank-pmc $ex/page-kernel.dpu 32 2>&1)" \
	'no /dev/dpu_rank\*: .* or use backend=simulator'
summary
