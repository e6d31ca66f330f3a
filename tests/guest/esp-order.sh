#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The order of a run: the buffer is cleaned out of the processor's own caches first, because a write-back one cleans
# into ESP's; then these are flushed; then the accelerator starts; after it the buffer is taken back.
# not on riscv64: the probe of run_order stands in a function that is inlined there
. "${srcdir:-.}/tests/guest/lib.sh"

ok "the probe loads" insmod "build/pmu/$(uname -r)/tests/guest/modules/run_order.ko"
ok "an FFT" ./examples/esp-fft --coherence none
is "its order" "$(cat /sys/module/run_order/parameters/order)" "clean flush start take"
ok "the probe goes" rmmod run_order
summary
