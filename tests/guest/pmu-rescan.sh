#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The PCI function is removed and found again while its events are open and being read. QEMU before 8.2
# moves the windows of a device under virtual processors that have threads of their own, and crashes
# now and then; in one thread that cannot happen.
# mon-vm: --qemu-arg -accel --qemu-arg tcg,thread=single
CK_RUN_CASE=device exec tests/guest/pmu-life
