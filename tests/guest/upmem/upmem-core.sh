#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank,dpus=2
# The core file of a device's DPU that faulted, in dpu-dbg.
. "${srcdir:-.}/tests/guest/lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/bad.s" <<'END'
	.text
	.globl main
	.type main, @function
main:	add r5, id, 77
	move r1, block
	move r2, there
	sdma r1, r2, 0
	jneq id, 1, 1f
	move r0, 0x20000
	sw r0, 0, r5
1:	jump r23
	.size main, . - main
	.data
	.balign 8
	.globl block
	.type block, @object
block:	.quad 0x1122334455667788
	.size block, 8
	.section .mram
	.globl there
	.type there, @object
there:	.quad 0
	.size there, 8
END
ok "a program that faults" ./dpu-as -g --tasklets=2 "$tmp/bad.s" -o "$tmp/bad.dpu"
text=$(LIBMON_DPU_CORE=$tmp/core tests/guest/upmem/upmem-core-host "$tmp/bad.dpu" 2>&1)
is "the host sees the fault" $? 0
for dpu in 0 1; do
	like "the core of DPU $dpu" "$text" "DPU $dpu of rank 0 has faulted: dpu-dbg $tmp/core-0-$dpu.core"
done
text=$(./dpu-dbg "$tmp/core-0-1.core" <<<$'info registers r5\nthread 0\ninfo registers r5\nprint/x block\nprint/x there' 2>&1)
is "dpu-dbg reads it" $? 0
like "the fault, with its line" "$text" 'accesses WRAM address 0x20000.*tasklet 1, main \(\) at bad.s:10'
# 77 and the tasklet's number
is "registers of both tasklets" "$(grep -o '^r5 .*' <<<"$text" | tr -s ' ' | cut -d' ' -f3 | paste -sd' ')" "78 77"
is "WRAM and MRAM" "$(grep -o '0x1122334455667788' <<<"$text" | wc -l)" 2
summary
