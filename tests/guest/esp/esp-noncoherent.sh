#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The device tree says that the accelerators' DMA does not see the processor's caches. The region
# for buffers is not in the kernel's map of the memory (no-map); the DMA API provides its memory. In a second guest
# the bus of the accelerators has addresses of its own (dma-ranges), which the emulator does not translate: so there
# only the processor uses a buffer.
# The test has a guest of its own, because the kernel complains that QEMU's processor has no
# instructions to clean caches.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expands in the guest
# shellcheck disable=SC2016
./mon-vm --arch riscv64 --share "$srcdir" --timeout 600 --kernel-log "$dir/kernel" \
	--esp --qemu-arg=-global --qemu-arg=espmon-soc.dma-coherent=off -- bash -c '
	at=/sys/bus/platform/devices/60000000.accelerators
	test -e $at/driver && test -e $at/of_node/dma-noncoherent && ./examples/esp/esp-fft --log-len 11 &&
		perf stat -a -x, -e espmon/ddr_accesses/ ./examples/esp/esp-fft --log-len 7' >"$dir/out" 2>&1
is "the driver, the tree, transforms" $? 0
# 1 + 128 + 128 words, as with DMA that is coherent (esp-fft-counts.sh)
is "counts" "$(sed -n 's/,.*espmon.*//p' "$dir/out")" 257
like "the region is the DMA API's" "$(cat "$dir/kernel")" "assigned reserved memory node accelerators@a0200000"
is "other complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel" | grep -v -e arch_setup_dma_ops -e 'Call Trace')" ""

# window ADDRESS: the tree on standard input with the accelerators behind a bus that starts at another address
window()
{
	dtc -q -I dtb -O dts | awk -v ranges="$1" '
		/^\t\taccelerators@6/ {
			print "\t\tesp-bus {\n\t\t\tcompatible = \"simple-bus\";\n\t\t\t#address-cells = <2>;"
			print "\t\t\t#size-cells = <2>;\n\t\t\tranges;\n\t\t\tdma-ranges = <" ranges ">;"
			inside = 1
		}
		{ print }
		inside && /^\t\t};/ { print "\t\t};"; inside = 0 }' | dtc -q -I dts -O dtb
}

vm=(./mon-vm --arch riscv64 --share "$srcdir" --timeout 600 --esp
	--qemu-arg=-global --qemu-arg=espmon-soc.dma-coherent=off)
command -v dtc >/dev/null || skip "dtc not found: install device-tree-compiler"
"${vm[@]}" -- base64 /sys/firmware/fdt | tr -d '\r' | base64 -d |
	window "0x00 0x80000000 0x00 0x90000000 0x00 0x40000000" >"$dir/dtb"
ok "a tree with a bus" test -s "$dir/dtb"
"${vm[@]}" --qemu-arg=-dtb --qemu-arg="$dir/dtb" --append iomem=relaxed --env WINDOW=0x10000000 -- \
	tests/guest/esp/esp-window >>"$dir/out" 2>&1
is "a buffer behind the bus" $? 0
[ "$failures" = 0 ] || cat "$dir/out"
summary
