#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# On a real Merrifield the driver refuses to load and says why. A subsystem id other than the
# emulated part's means silicon.
# not on riscv64 arm64: mrfld_visa stands on iosf_mbi, an x86 driver
# mon-vm: --no-modules --device mrfld-visa,x-silicon=on
. "${srcdir:-.}/tests/guest/lib.sh"
modules=build/pmu/$(uname -r)

ok "core loads" insmod "$modules/mon_pmu.ko"
fails "driver refuses" insmod "$modules/mrfld_visa.ko"
like "its reason" "$(dmesg | grep mrfld_visa: | tail -n 1)" 'are not public.*use the emulated device'
summary
