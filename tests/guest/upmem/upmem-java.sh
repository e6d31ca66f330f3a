#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank --mem 2G
# The Java program of UPMEM's "Performance Counters" page as it is printed, and the rest of com.upmem.dpu.
. "${srcdir:-.}/tests/guest/lib.sh"
classes=$PWD/tests/guest/upmem/upmem-page/classes
lang=$PWD/tests/guest/upmem/upmem-page/lang.dpu
frequency=$PWD/examples/upmem/frequency.dpu
run=(java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$classes:$CLASSPATH")
cd "$(mktemp -d)" || exit 1
cp "$frequency" frequency_example

like "the page's program" "$("${run[@]}" FrequencyExampleHost 2>&1)" \
	$'^DPU allocated\nDPU cycles: 1100000(00|16)\nDPU time: 2.75e-01 secs.\nHost elapsed time: '
text=$("${run[@]}" Lang "$lang" 2>&1)
is "the rest" "$(grep -x 'all right' <<<"$text")" "all right"
like "and an uncaught DpuException" "$text" \
	'com.upmem.dpu.DpuException: dpu is in fault: DPU 0 of rank 0 is in fault: fault 3 \(assertion failed\)'
summary
