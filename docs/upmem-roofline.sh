#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The data of docs/upmem-roofline.svg: program, tasklets, instructions a byte, instructions a cycle.
for name in vecadd reduction gemv histogram bfs search scan spmv; do
	for tasklets in 1 16; do
		LIBMON_DPU_REPORT=1 examples/upmem/c/$name-host examples/upmem/c/$name-$tasklets.dpu 2>&1 >/dev/null |
			awk -v name=$name -v tasklets=$tasklets '/^dpu launch/ {
				for (i = 1; i < NF; i++) {
					if ($(i + 1) == "DPUs,") dpus = $i
					if ($(i + 1) == "ms" && !ms) ms = $i
					if ($(i + 1) == "instructions,") instructions = $i
					if ($(i + 1) == "DMA") words = $i
				}
				printf "%s %d %.3f %.4f\n", name, tasklets, instructions / words / 8,
					instructions / dpus / (ms * 400000)
			}'
	done
done
