#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank,arch=v1A,dpus=2
# Generation v1A: no bank interface counters, one counter on the DPU, another clock.
. "${srcdir:-.}/tests/guest/lib.sh"
sysfs=/sys/bus/event_source/devices/upmem
ex=examples/upmem

is "events" "$(find $sysfs/events -type f ! -name '*.*' -printf '%f\n' | sort | tr '\n' ' ')" \
	"dpu_cycles dpu_instructions "
is "clock" "$(cat $sysfs/caps/clock_hz)" 350000000
like "a bank event is refused" "$(perf stat -vv -a -e upmem/event=1/ true 2>&1)" \
	'sys_perf_event_open failed, error -22'
like "the API refuses, too" "$($ex/bank-pmc $ex/page-kernel.dpu 32 2>&1)" 'DPU Error \(internal error: .*generation v1A'
like "instructions count" "$(perf stat -a -x, -e upmem/dpu_instructions/ \
	$ex/frequency $ex/frequency.dpu 2>&1 >/dev/null)" '^10000[0-9]{3},'
like "110000000 cycles at 350 MHz" "$($ex/frequency $ex/frequency.dpu)" 'DPU time: 3.14e-01 secs'
summary
