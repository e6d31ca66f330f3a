#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --esp --mem 768M
# not on x86_64: ESP's own addresses are a RISC-V machine's
# A guest with less memory than ESP's SoC has a region up to the device tree, 16 MiB before 0xb0000000.
ESP_REGION=0x0ee00000 exec tests/guest/esp/esp-region
