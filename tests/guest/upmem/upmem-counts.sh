#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank --mem 1G
# perf, dpu.h and the bank interface's API count what DPU programs did, exactly.
. "${srcdir:-.}/tests/guest/lib.sh"
sysfs=/sys/bus/event_source/devices/upmem
ex=examples/upmem

# counts EVENTS COMMAND...: the values, one a line
counts()
{
	local events=$1

	shift
	perf stat -a -x, -e "$events" "$@" 2>&1 >/dev/null | sed -n 's/^\([0-9]\+\),.*/\1/p'
}

names=$(events upmem)
is "events in sysfs" "$(find $sysfs/events -type f ! -name '*.*' -printf '%f\n' | sort)" "$names"
is "formats" "$(cat $sysfs/format/{event,dpu,bydpu,chain} | tr '\n' ' ')" \
	"config:0-11 config:12-19 config:20 config:21 "
for name in $names; do
	is "$name counts" "$(counts "upmem/$name/" true | wc -l)" 1
done

# the kernel of UPMEM's page: two loads, three stores
is "32-bit mode" "$($ex/bank-pmc $ex/page-kernel.dpu 32)" $'counter_1 = 0x1 => 2\ncounter_2 = 0x2 => 3'
is "64-bit mode" "$($ex/bank-pmc $ex/page-kernel.dpu 64)" "counter_1 = 0x1 => 2"
is "perf around a program that has the counters" \
	"$(counts upmem/ldma_instruction/,upmem/sdma_instruction/ $ex/bank-pmc $ex/page-kernel.dpu 32)" \
	$'2\n3'
is "perf on one DPU" \
	"$(counts upmem/ldma_instruction,bydpu,dpu=0/,upmem/ldma_instruction,bydpu,dpu=1/ \
		$ex/bank-pmc $ex/page-kernel.dpu 32)" $'2\n0'
is "one counter of 64 bits" \
	"$(counts upmem/sdma_instruction,chain/ $ex/bank-pmc $ex/page-kernel.dpu 64 | head -n 1 | wc -l)" 1
# start-up code 520 and 19 of the kernel: dpu/tests/rig.h
is "instructions of one program" "$(counts upmem/dpu_instructions/ $ex/bank-pmc $ex/page-kernel.dpu 32)" \
	539

# 10 million rounds of one instruction of 11 cycles, and 16 of precision
like "frequency" "$($ex/frequency $ex/frequency.dpu)" 'DPU cycles: 1100000(00|16)'
like "both counters" "$($ex/both $ex/both.dpu)" 'CPI=11\.000'
is "256 MiB there, their sums back" "$($ex/vecadd $ex/vecadd.dpu)" "64 DPUs, 33554432 sums, 0 wrong"
like "reduction" "$($ex/reduction $ex/reduction.dpu)" '64 DPUs: 0 wrong'

# 64 DPUs, 16 tasklets, 2048 blocks: 7 * 16 + 513, 16 * 6, 2048 * (8 + 256 * 6 + 4) each; 256 MiB go
# to MRAM and 128 MiB come back
is "instructions on 64 DPUs" "$(counts upmem/dpu_instructions/ $ex/vecadd $ex/vecadd.dpu)" \
	$((64 * (7 * 16 + 513 + 16 * 6 + 2048 * (8 + 256 * 6 + 4))))

# refused NAME EVENT: EINVAL
refused()
{
	like "$1" "$(perf stat -vv -a -e "$2" true 2>&1)" 'sys_perf_event_open failed, error -22'
}

# The DPUs of upmem-windows, three times: 534 and their rounds, 1000 * (n + 1) + n
is "instructions while the programs measure themselves" \
	"$(counts upmem/dpu_instructions/ tests/guest/upmem/upmem-windows)" \
	$((3 * (64 * 534 + 1000 * 64 * 65 / 2 + 63 * 64 / 2)))

refused "dpu without bydpu" upmem/dpu_cycles,dpu=1/
refused "DPU behind the last" upmem/dpu_cycles,bydpu,dpu=64/
refused "chain of an extension counter" upmem/dpu_cycles,chain/
refused "two events at once" upmem/event=3/
refused "unknown bit" upmem/config=0x400000/
# a rank has one owner at a time, and is free when that one dies
sleep 1000 3<>/dev/dpu_rank0 &
wait_until test -e /proc/$!/fd/3
like "two processes" "$($ex/bank-pmc $ex/page-kernel.dpu 32 2>&1)" 'DPU Error \(dpu allocation error: .*another process has a rank'
kill -9 $!
wait $! 2>/dev/null
ok "free again" $ex/bank-pmc $ex/page-kernel.dpu 32

perf stat -a -e upmem/dpu_cycles/ sleep 1000 2>/dev/null &
wait_until grep -q '[1-9]' /sys/module/upmem/refcnt
fails "unload with an open event" rmmod upmem
kill $!
wait $!
ok "unload without" rmmod upmem
ok "loads again" insmod "build/pmu/$(uname -r)/upmem.ko"
ok "and works" $ex/bank-pmc $ex/page-kernel.dpu 32
summary
