#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank --mem 1G
# not on riscv64 arm64: its C++ is this machine's compiler's; dpu-c.sh runs host programs in C there
# The host programs of UPMEM's "Performance Counters" page as they are printed, in C, C++ and Python; the
# rest of <dpu> and the module dpu; a host program that was built for another library.
. "${srcdir:-.}/tests/guest/lib.sh"
source=$(realpath "${srcdir:-.}")/tests/guest/upmem/upmem-page
built=$PWD/tests/guest/upmem/upmem-page
examples=$PWD/examples/upmem
# the folder in which the page's programs expect their DPU programs
cd "$(mktemp -d)" || exit 1
cp "$examples/frequency.dpu" frequency_example

# 10 million rounds of one instruction of 11 cycles, and 16 of precision; at 400 MHz
frequency=$'DPU allocated\nDPU cycles: 1100000(00|16)\nDPU time: 2.75e-01 secs.\nHost elapsed time: '
like "C" "$("$built/frequency-c" 2>&1)" "^$frequency"
like "Python" "$(/usr/bin/python3 "$source/frequency.py" 2>&1)" "^$frequency"
# two loads, three stores
is "bank interface, 32 bits" "$("$built/bank-pmc" "$examples/page-kernel.dpu" 32 2>&1)" \
	$'counter_1 = 0x1 => 2\ncounter_2 = 0x2 => 3'
is "bank interface, 64 bits" "$("$built/bank-pmc" "$examples/page-kernel.dpu" 64 2>&1)" \
	"counter_1 = 0x1 => 2"

fault='dpu is in fault: DPU 0 of rank 0 is in fault: fault 3 \(assertion failed\) at 0x80000[0-9a-f]+, main\+0x48'
like "the rest of Python, and an uncaught DpuError" \
	"$(/usr/bin/python3 "$source/lang.py" "$built/lang.dpu" 2>&1)" \
	"^all right.*dpu.driver.DpuError: $fault"

hello=$'=== DPU#0x%d ===\nhello\n'
# shellcheck disable=SC2059 # the format is wanted
is "a host program for libdpu.so.2021.3" "$("$built/prebuilt" "$built/lang.dpu" 2>error)" \
	"$(for i in 0 1 2; do printf "$i of 3: $((10 * i + 11))\n$hello" $i; done)"
like "and its DPU_ASSERT" "$(cat error)" "^DPU Error \($fault"
is "it does not run libmon by other ways" \
	"$(LD_LIBRARY_PATH=$built/stub "$built/prebuilt" "$built/lang.dpu")" "the stub's dpu_alloc"

if [ -x "$built/frequency-cpp" ]; then
	like "C++" "$("$built/frequency-cpp" 2>&1)" "^$frequency"
	like "the rest of C++, and an uncaught DpuError" "$("$built/lang-cpp" "$built/lang.dpu" 2>&1)" \
		"^all right.*terminate called after throwing an instance of 'dpu::DpuError'.*what\(\):  $fault"
else
	[ $failures -eq 0 ] && echo "C++: install g++, then ./configure and make" && exit 77
fi
summary
