#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --mem 1G --soc @srcdir@/examples/esp-designs/sixteen-4x4.esp_config
# Buffers on four memory tiles from the page allocator, which knows nothing of tiles.
exec tests/guest/esp-policy
