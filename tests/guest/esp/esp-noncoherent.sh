#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The device tree says that the accelerators' DMA does not see the processor's caches. The region
# for buffers is not in the kernel's map of the memory (no-map); the DMA API provides its memory.
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
[ "$failures" = 0 ] || cat "$dir/out"
summary
