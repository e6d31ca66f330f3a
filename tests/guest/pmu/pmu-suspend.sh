#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs pmu-suspend and dev-suspend in a guest, on a root in memory: when the guest wakes up the files of the host cannot
# be reached any more. MON_VM_FLAGS are for mon-vm.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expands in the guest; flags are words
# shellcheck disable=SC2016,SC2086
./mon-vm --timeout "${GUEST_TIMEOUT:-300}" --kernel-log "$dir/kernel" --env CK_TIMEOUT_MULTIPLIER=10 \
	--mem 1G --device espmon --device hexagon-pmu --hexagon-dir examples/hexagon --device mrfld-visa \
	--device upmem-rank ${MON_VM_FLAGS-} -- bash -c '
	programs="/bin/bash tests/guest/pmu/pmu-suspend tests/guest/dev-suspend"
	root=/dev/shm/test
	mkdir -p $root/{tmp,dev,proc,sys}
	cp $programs $(ldd $programs | grep -o "/[^ ]*\.so[^ ]*" | sort -u) $root
	for place in dev proc sys; do
		mount --rbind /$place $root/$place
	done
	cd $root
	run="/ld-linux-x86-64.so.2 --library-path /"
	exec chroot . $run /bash -c "$run /pmu-suspend; one=\$?; $run /dev-suspend && exit \$one"' >"$dir/out" 2>&1
is "exit status" $? 0
grep ' rounds, ' "$dir/out"
passed='Checks: 3, Failures: 0, Errors: 0'
like "what pmu-suspend and dev-suspend say" "$(cat "$dir/out")" "$passed.* dev-suspend.*$passed"
ok "it did sleep" grep -q 'PM: suspend exit' "$dir/kernel"
is "complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel")" ""
summary
