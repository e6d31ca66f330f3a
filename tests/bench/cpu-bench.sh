#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The cost of counting the guest's own accesses: CPU time of the emulator divided by that without
# the option, for a boot and for four loads (without their boot). The least of RUNS runs (default
# 3); the configurations take turns.
#
#	plain	cpu=off
#	idle	cpu=on, while no event is open
#	armed	cpu=always: every access goes through the model of the ESP SoC
#	contrib	QEMU's own plugin `cache`, if CACHE_PLUGIN names it
#
# usage: cpu-bench.sh [CACHE_PLUGIN]
set -eu
runs=${RUNS:-3}
plugin=${1:-}
[ -z "$plugin" ] || [ -e "$plugin" ] || plugin=
TIMEFORMAT='%U %S'
huge='echo 40 >/proc/sys/vm/nr_hugepages; exec'
declare -A loads=(
	[boot]=true
	[hits]="$huge ./examples/memwalk --pattern chase --stride 16 --bytes 16K --repeat 1000000"
	[misses]="$huge ./examples/memwalk --pattern seq --bytes 4M --repeat 600"
	[chase]="$huge ./examples/memwalk --pattern chase --stride 64 --bytes 64M --repeat 15"
	[gzip]='for i in {1..10}; do gzip -9 <./mon-vm >/dev/null; done'
)
declare -A least
configs=(plain idle armed)
[ -z "$plugin" ] || configs+=(contrib)

# cpu_ms CONFIG COMMAND: user and system time of one guest
cpu_ms()
{
	local args

	case $1 in
	plain) args=(--plugin-args cpu=off) ;;
	idle) args=(--plugin-args cpu=on) ;;
	armed) args=(--plugin-args cpu=always) ;;
	contrib) args=(--qemu-arg -plugin --qemu-arg "$plugin") ;;
	esac
	{ time ./mon-vm --smp 1 --device espmon --timeout 1200 "${args[@]}" -- bash -c "$2" \
		>/dev/null 2>/dev/null; } 2>&1 | awk 'END { printf "%d\n", ($1 + $2) * 1000 }'
}

for ((run = 0; run < runs; run++)); do
	for load in boot hits misses chase gzip; do
		for config in "${configs[@]}"; do
			# one run is enough for the comparison
			[ "$config" = contrib ] && [ $run -gt 0 ] && continue
			ms=$(cpu_ms "$config" "${loads[$load]}")
			key=$load-$config
			[ "${least[$key]:-$ms}" -lt "$ms" ] || least[$key]=$ms
		done
	done
done

printf '%-8s' load
printf '%18s' "${configs[@]}"
echo
for load in boot hits misses chase gzip; do
	printf '%-8s' $load
	for config in "${configs[@]}"; do
		awk -v ms="${least[$load-$config]}" -v boot="${least[boot-$config]}" \
			-v plain="${least[$load-plain]}" -v plain_boot="${least[boot-plain]}" \
			-v load=$load 'BEGIN {
			if (load != "boot") {
				ms -= boot
				plain -= plain_boot
			}
			printf "%9d ms x%5.2f", ms, ms / plain
		}'
	done
	echo
done
