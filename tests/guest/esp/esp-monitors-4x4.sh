#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --soc @srcdir@/tests/designs/sixteen-4x4.esp_config
# esp-monitors.sh on 16 tiles, four of them memory.
soc=4x4 reads=1 exec "${srcdir:-.}/tests/guest/esp/esp-monitors.sh"
