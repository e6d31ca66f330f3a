#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The order of a run: first the driver cleans the buffer from the processor's own caches, because
# write-back caches clean into ESP's; then it flushes ESP's caches; then the accelerator starts;
# after the run the buffer is synchronized for the processor.
# not on riscv64: the function that run_order probes is inlined there
. "${srcdir:-.}/tests/guest/lib.sh"

ok "the probe loads" insmod "build/pmu/$(uname -r)/tests/guest/modules/run_order.ko"
ok "an FFT" ./examples/esp/esp-fft --coherence none
is "its order" "$(cat /sys/module/run_order/parameters/order)" "clean flush start take"
ok "the probe goes" rmmod run_order
summary
