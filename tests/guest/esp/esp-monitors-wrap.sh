#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon,preset=0xfffffff0
# esp-monitors.sh with every counter 16 counts before its wrap of 32 bits (of the low word of a
# pair): all counters that count wrap.
exec "${srcdir:-.}/tests/guest/esp/esp-monitors.sh"
