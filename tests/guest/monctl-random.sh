#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# monctl-random.py on each system in a guest: ROUNDS random programs and sets of events in all, from SEED on.
# usage: monctl-random.sh, from the top build directory
here=${srcdir:-.}
rounds=$(((${ROUNDS:-200} + 3) / 4))
status=0
vm=("${MON_VM:-./mon-vm}" --timeout 7200 --hexagon-dir examples/hexagon)
for device in espmon mrfld-visa upmem-rank hexagon-pmu,stalls=on; do
	pmu=${device%%,*}
	case $pmu in
	mrfld-visa) pmu=mrfld_visa ;;
	upmem-rank) pmu=upmem ;;
	hexagon-pmu) pmu=hexagon ;;
	esac
	"${vm[@]}" --device "$device" -- python3 -B "$here/tests/guest/monctl-random.py" "$pmu" "$rounds" "${SEED:-1}" || status=1
done
exit $status
