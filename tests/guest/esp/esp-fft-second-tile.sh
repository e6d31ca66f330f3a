#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --mem 1G --soc @srcdir@/tests/designs/sixteen-4x4.esp_config --append memmap=8M$0x1e000000 --module-param esp_accel.pool=0x1e000000+8M
# not on riscv64 arm64: memmap= is an option of x86 kernels; esp-region tests memory that a device tree reserves
# The second of four memory tiles has the buffer, from which an FFT of 128 points reads 128 words and to which it writes as
# many. The word of the page table is of the tile that the kernel took. esp-fft counts all of them.
. "${srcdir:-.}/tests/guest/lib.sh"

ddr=espmon/ddr_accesses,bytile,tile=11/
said=$(perf stat -x, -o /tmp/second-tile.csv -e "$ddr" -- ./tests/guest/esp/esp-fft-4x4 --log-len 7)
is "the second tile served them" "$(awk -F, '/espmon/ { print $1 }' /tmp/second-tile.csv)" 256
like "esp-fft says so" "$said" 'fft_stratus.0: 257 DRAM words'
summary
