#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --mem 1G --soc @srcdir@/tests/designs/sixteen-4x4.esp_config --append memmap=8M$0x0e000000,8M$0x1e000000,8M$0x2e000000,8M$0x3a000000 --module-param esp_accel.pool=0x0e000000+8M,0x1e000000+8M,0x2e000000+8M,0x3a000000+8M
# not on riscv64 arm64: memmap= is an option of x86 kernels; esp-region tests memory that a device tree reserves
# The same with a reserved pool of 8 chunks on each tile.
ESP_POOL=8 exec tests/guest/esp/esp-policy
