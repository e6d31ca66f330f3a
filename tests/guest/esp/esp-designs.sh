#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Designs of many shapes, in the old and the new .esp_config format, boot and count: run on the host,
# one guest for each. The counts are those of esp-fft-counts.sh, in words of the architecture.
. "${srcdir:-.}/tests/guest/lib.sh"
designs=${srcdir:-.}/tests/designs

# what DESIGN SCRIPT: the output of the script in a guest with this design
what()
{
	./mon-vm --soc "$designs/$1.esp_config" -- sh -c "$2" 2>&1
}

tiles='ls /sys/bus/event_source/devices/espmon/tiles | wc -l'
trio='{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}'
fft="perf stat -x, -e '$trio' ./examples/esp/esp-fft --log-len 7 2>&1 | sed -n 's/,.*espmon.*//p' | xargs"

# 64-bit words: 1 + 128 + 128; 3 + 3 + 131; 2 + 129
for design in fft-3x2 fft-3x2-old nocache-fft-3x2-old sixteen-4x4 slm-3x2; do
	is "$design" "$(what $design "$fft")" "257 137 131"
done
# 32-bit words, two for a point: 1 + 256 + 256; 3 + 3 + 259; 2 + 257
is "leon3-2x2" "$(what leon3-2x2 "$fft")" "513 265 259"
# without an accelerator that this project can run: they boot, and every tile is there
is "dummy-16x16" "$(what dummy-16x16 "$tiles")" 256
text=$(what nine-3x3 "$tiles")
is "nine-3x3" "$(tail -n 1 <<<"$text")" 9
like "what has no model is told" "$text" "no model of FFT2_STRATUS"
text=$(./mon-vm --device espmon --accelerator NOSUCH=tests/unit/esp/adder.acc \
	--accelerator FFT_STRATUS=tests/unit/esp/vadd_sc.acc -- true 2>&1)
like "so is a model without a tile" "$text" "accelerator NOSUCH: no tile of the design has this name"
like "and the file of another accelerator" "$text" "accelerator FFT_STRATUS: .*vadd_sc.acc is VADD_SC: .*ENOTTY"
is "nvdla-2x2" "$(what nvdla-2x2 "$tiles")" 4
is "nvdla-2x2-old" "$(what nvdla-2x2-old "$tiles")" 4
is "nocache-2x2" "$(what nocache-2x2 "$tiles")" 4

# the FFT's requests: page table, 128 points in, 128 out, of tile 0 to the memory in tile 2
requests=$(mktemp)
./mon-vm --device espmon,requests="$requests" -- ./examples/esp/esp-fft --log-len 7 --coherence none >/dev/null 2>&1
is "requests" "$(cut -d, -f2-5,7- "$requests" | xargs)" "tile,accelerator,what,offset,bytes,partner \
0,FFT_STRATUS.0,table,0,8,2 0,FFT_STRATUS.0,load,0,1024,2 0,FFT_STRATUS.0,store,0,1024,2"
ok "cycles grow" sh -c "sed 1d '$requests' | cut -d, -f1 | sort -cnu"
like "a file that cannot be written" "$(./mon-vm --device "espmon,requests=/nowhere/x" -- true 2>&1)" "requests=/nowhere/x: No such file"
like "a full disk" "$(./mon-vm --device espmon,requests=/dev/full -- ./examples/esp/esp-fft --log-len 7 --coherence none 2>&1)" \
	"requests=/dev/full: No space left on device: no further request is written"
rm -f "$requests"

# parts of such a design that the model does not have
dvfs=$(mktemp)
sed 's/^#CONFIG_HAS_DVFS is not set/CONFIG_HAS_DVFS = y/' "$designs/fft-3x2.esp_config" >"$dvfs"
like "a design with DVFS is told" "$(./mon-vm --soc "$dvfs" -- true 2>&1)" "dvfs_op0, dvfs_op1 and dvfs_op2 stay 0"
rm -f "$dvfs"

# a broken file: QEMU names the line and does not start
broken=$(mktemp)
printf 'CPU_ARCH = ariane\nCONFIG_NOC_ROWS = -3\n' >"$broken"
text=$(./mon-vm --soc "$broken" -- true 2>&1)
verdict "a broken file ends mon-vm" $(($? == 0)) "$text"
like "its file and line" "$text" "$broken:2:"
rm -f "$broken"
summary
