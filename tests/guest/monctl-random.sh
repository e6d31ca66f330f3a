#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# monctl-random.py on each system in a guest, and on ESP's beside processors whose accesses count, of which one has a clock of
# executed instructions: ROUNDS random programs and sets of events in all, from SEED on.
# usage: monctl-random.sh, from the top build directory
here=${srcdir:-.}
rounds=$(((${ROUNDS:-200} + 5) / 6))
status=0

# random PMU OPTION...: of mon-vm
random()
{
	local pmu=$1

	shift
	"${MON_VM:-./mon-vm}" --timeout 7200 --hexagon-dir examples/hexagon "$@" -- \
		sh -c 'echo 40 >/proc/sys/vm/nr_hugepages && exec python3 -B "$@"' \
		sh "$here/tests/guest/monctl-random.py" "$pmu" "$rounds" "${SEED:-1}" || status=1
}

random espmon --device espmon
random espmon --cpu --smp 2 --device espmon
# 16 ns an instruction: with 1 ns a second of the guest takes a minute
random espmon --cpu --smp 1 --device espmon --qemu-arg -icount --qemu-arg shift=4
random mrfld_visa --device mrfld-visa
random upmem --device upmem-rank
random hexagon --device hexagon-pmu,stalls=on
exit $status
