#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --cpu --smp 1 --qemu-arg -icount --qemu-arg shift=0 --soc @srcdir@/tests/designs/fft-3x2-large.esp_config --append iomem=relaxed
# When the guest's accesses are counted, and the lines that an accelerator finds in the CPU's L2.
. "${srcdir:-.}/tests/guest/lib.sh"
# Small pages of a buffer, and the memory of the debug kernel's checkers, evict lines from the CPU's
# L2. That kernel has no huge pages: hits of an accelerator in that L2 are not compared there.
huge=/proc/sys/vm/nr_hugepages
[ ! -e $huge ] || echo 8 >$huge

# ESP_TOPO_CPU, the register that lets accesses count
register()
{
	python3 - /sys/bus/pci/drivers/espmon/*:*/resource2 <<'END'
import mmap, struct, sys
with open(sys.argv[1], "rb") as f:
    print("%x" % struct.unpack("<I", mmap.mmap(f.fileno(), 4096, prot=mmap.PROT_READ)[0x58:0x5c]))
END
}

# values EVENTS COMMAND...
values()
{
	local events=$1

	shift
	perf stat -x, -o /tmp/cpu-count.csv -e "$events" -- "$@" >/tmp/cpu-count.out 2>&1 || {
		echo "failed: $(tail -n 3 /tmp/cpu-count.out)"
		return
	}
	awk -F, '/espmon|mrfld/ { printf "%s%s", sep, $1; sep = " " }' /tmp/cpu-count.csv
}

# near NAME COUNT EXPECTED: within 2 %, if there are huge pages
near()
{
	[ ! -e $huge ] || verdict "$1" $(($2 * 50 < $3 * 49 || $2 * 50 > $3 * 51)) "$2, expected $3"
}

is "nobody counts" "$(register)" 80000000
is "an event of the caches is open" \
	"$(values espmon/l2_misses/ true >/dev/null; perf stat -o /dev/null -e espmon/l2_misses/ -- \
		bash -c "$(declare -f register); register")" 80000001
is "an event that no access changes is open" \
	"$(perf stat -o /dev/null -e espmon/acc_invocations/,espmon/dvfs_op3/,espmon/noc_injects_p4/ -- \
		bash -c "$(declare -f register); register")" 80000000
is "two events are open, then one, then none" \
	"$(perf stat -o /dev/null -e espmon/ddr_accesses/ -- bash -c "$(declare -f register)
		perf stat -o /dev/null -e espmon/llc_hits/ true; register") $(register)" \
	"80000001 80000000"
before=$(values espmon/l2_misses/ true)
verdict "accesses count while their event is open" $((!(before > 1000))) "$before"

# The first FFT has a private L2. Each run reads the page table's line and 64 lines of input, and
# writes 128 words (facts of the RTL: 65 misses, 128 hits), and the driver does not flush anything.
fft=(./examples/esp/esp-fft --log-len 7 --coherence full)
acc='{espmon/l2_hits,bytile,tile=0/,espmon/l2_misses,bytile,tile=0/}'
is "hits and misses of the accelerator's L2" "$(values "$acc" "${fft[@]}")" "128 65"

# Between the runs of --repeat N the CPU only copies the input to the buffer. So its L2, 256 KiB
# here, owns those 64 lines and the page table's at the start of each run but the first. Each line
# that the accelerator reads then is FWD_GETS to the CPU, 2 flits, and DATA to the LLC, 4. Its first
# write of each of the 64 lines is an upgrade, with INV to the CPU, 2, which answers to the
# accelerator.
coh='{espmon/coh_fwds/,espmon/coh_rsps_rcv/}'
read -r -a one <<<"$(values "$coh" "${fft[@]}" --repeat 1)"
read -r -a many <<<"$(values "$coh" "${fft[@]}" --repeat 21)"
near "forwards to the CPU's L2" $((many[0] - one[0])) $((20 * (65 * 2 + 64 * 2)))
near "data from the CPU's L2" $((many[1] - one[1])) $((20 * 65 * 4))
like "the result is right" "$("${fft[@]}" --repeat 3)" "passed"

# The driver asks again when the device comes back.
device=$(basename "$(dirname /sys/bus/pci/drivers/espmon/*:*/resource2)")
# an event that outlives its device
perf stat -o /tmp/cpu-count.txt -e espmon/l2_misses/ -- bash -c "$(declare -f register)
	echo 1 >/sys/bus/pci/devices/$device/remove
	echo 1 >/sys/bus/pci/rescan
	register" >/tmp/cpu-count.out
back=80000001
! pmu_goes || back=80000000
is "the device came back, and the event if its PMU stayed" "$(cat /tmp/cpu-count.out)" $back
is "then the event is closed" "$(register)" 80000000
summary
