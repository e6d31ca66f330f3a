#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program without an operating system on the ESP SoC. Its FFT of 128 points reads a page table of
# one word and 128 words, and writes 128: 257 words; 3 + 3 + (3 + 128) and (1 + 1) + (1 + 128)
# flits.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
program=examples/esp/bare-metal/fft.elf
esp=(./mon-vm --arch riscv64 --esp --timeout 120)
bare=("${esp[@]}" --bare-metal "$program")

# status COMMAND...: its exit status as text; output goes to $dir/out and $dir/err
status()
{
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	echo $?
}

counts()
{
	awk '/espmon\// { printf "%s%s %s", sep, $2, $1; sep = ", " }' "$dir/err"
}

is "a run" "$(status "${bare[@]}" --counters espmon/ddr_accesses/,espmon/dma_reqs/,dma_rsps,acc_invocations)" 0
is "the APBUART's text" "$(cat "$dir/out")" "all 128 points are 1"
is "its counts" "$(counts)" \
	"espmon/ddr_accesses/ 257, espmon/dma_reqs/ 137, espmon/dma_rsps/ 131, espmon/acc_invocations/ 1"
is "the program's own status" \
	"$(status "${bare[@]}" --soc "$srcdir/tests/designs/sort-3x2.esp_config" --counters ddr_accesses)" 2
is "what it says" "$(cat "$dir/out")" "there is no FFT"
is "nothing moved" "$(counts)" "espmon/ddr_accesses/ 0"

# Without the word that ends it, the program loops: counts are printed nevertheless.
riscv64-linux-gnu-objcopy --strip-symbol=tohost $program "$dir/endless.elf"
is "a program that does not end" \
	"$(status "${esp[@]}" --bare-metal "$dir/endless.elf" --timeout 3 --counters ddr_accesses)" 124
like "why" "$(cat "$dir/err")" 'has no symbol tohost.*ended after 3 s'
is "it ran" "$(cat "$dir/out") $(counts)" "all 128 points are 1 espmon/ddr_accesses/ 257"

is "no RISC-V program" "$(status "${esp[@]}" --bare-metal /bin/true)" 125
like "its reason" "$(cat "$dir/err")" 'no ELF file of 64-bit RISC-V'
is "a program elsewhere" "$(riscv64-linux-gnu-objcopy --change-addresses 0x1000000 $program "$dir/high.elf"
	status "${esp[@]}" --bare-metal "$dir/high.elf")" 125
like "its reason" "$(cat "$dir/err")" 'nothing of it is at 0x80000000'
riscv64-linux-gnu-objcopy --set-start=0x80000024 $program "$dir/late.elf"
is "another start" "$(status "${esp[@]}" --bare-metal "$dir/late.elf")" 125
like "its reason" "$(cat "$dir/err")" 'first instruction is at 0x80000024'
is "no such event" "$(status "${bare[@]}" --counters nonsense)" 125
like "its reason" "$(cat "$dir/err")" 'there is no event nonsense'
is "not with a command" "$(status "${bare[@]}" -- true)" 125
is "not on PCI" "$(status ./mon-vm --bare-metal $program)" 125

# QEMU alone, as the manual says
symbol()
{
	riscv64-linux-gnu-nm $program | awk -v name="$1" '$3 == name { print "0x" $1 }'
}
is "QEMU alone" "$(status qemu-system-riscv64 -machine virt -m 1G -nodefaults -display none -no-reboot \
	-bios none -kernel $program -plugin qemu/mon-qemu-riscv64.so -chardev stdio,id=text \
	-device "espmon-soc,chardev=text,dtb=0x10800,tohost=$(symbol tohost),counters=ddr_accesses")" 0
is "its text" "$(cat "$dir/out")" "all 128 points are 1"
is "its count" "$(counts)" "espmon/ddr_accesses/ 257"
summary
