#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device upmem-rank --mem 1G
# DPU programs in C on 64 DPUs with 1, 11 and 16 tasklets: their hosts verify every result.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem/c

for name in vecadd reduction gemv histogram bfs search scan spmv; do
	for tasklets in 1 11 16; do
		is "$name with $tasklets tasklets" "$($ex/$name-host $ex/$name-$tasklets.dpu 2>&1)" \
			"$name: 64 DPUs, 0 wrong"
	done
done
summary
