#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --mem 1G --soc @srcdir@/tests/designs/sixteen-4x4.esp_config
# not on riscv64: its memory begins at 2 GiB, above the tiles of a SoC on PCI; esp-region tests buffers on tiles
# Buffers on four memory tiles, from the kernel's page allocator.
exec tests/guest/esp/esp-policy
