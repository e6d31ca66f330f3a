#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm --upmem-profile: the cost of DPU programs in the guest, with their names.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

./mon-vm --device upmem-rank,arch=v1B,refresh-ns=0 --upmem-profile "$tmp" -- \
	sh -c "$ex/bank-pmc $ex/page-kernel.dpu 32; $ex/frequency $ex/frequency.dpu" >/dev/null
is "a file for each program" "$(cd "$tmp" && echo *)" \
	"upmem-rank-0.profile upmem-rank-1.profile"
ok "with names" ./dpu-run --profile "$tmp/rank" --profile-of "$tmp/upmem-rank-0.profile" \
	$ex/page-kernel.dpu
./dpu-run --timing refresh-ns=0 --profile "$tmp/alone" $ex/page-kernel.dpu
# the rank of 64 DPUs ran it on the one that bank-pmc has
is "the same as without a guest" "$(grep -A100 ^fl= "$tmp/rank")" "$(grep -A100 ^fl= "$tmp/alone")"
like "not with another program" "$(./dpu-run --profile "$tmp/x" --profile-of "$tmp/upmem-rank-1.profile" \
	$ex/page-kernel.dpu 2>&1)" 'a profile of another program'
like "no such folder" "$(./mon-vm --upmem-profile "$tmp/none" -- true 2>&1)" \
	'--upmem-profile .*/none: No such file'
summary
