#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs pmu-suspend and dev-suspend in a guest, on a root in memory: when the guest wakes up the files of the host cannot
# be reached any more. The tests speak by warnings of the kernel, which the serial line carries: Linux 7.3.4 asks
# virtio-serial for its state before it offers a buffer for the answer, and so never writes to mon-vm's port again.
# MON_VM_FLAGS are for mon-vm.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expands in the guest; flags are words
# shellcheck disable=SC2016,SC2086
./mon-vm --timeout "${GUEST_TIMEOUT:-300}" --kernel-log "$dir/kernel" --env CK_TIMEOUT_MULTIPLIER=10 \
	--append loglevel=5 --mem 1G --device espmon --device hexagon-pmu --hexagon-dir examples/hexagon --device mrfld-visa \
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
	exec chroot . $run /bash -c "
		{ $run /pmu-suspend; one=\$?; $run /dev-suspend
			echo end: \$one \$?, \$(</sys/power/suspend_stats/success) sleeps; } >/out 2>&1
		while read -r line; do echo \"<4>\$line\" >/dev/kmsg; done </out
		echo o >/proc/sysrq-trigger"' >"$dir/out" 2>&1
said=$(cat "$dir/out"; sed -n "/Running suite/,\$p" "$dir/kernel")
passed='Checks: 3, Failures: 0, Errors: 0'
like "what pmu-suspend and dev-suspend say" "$said" "$passed.* dev-suspend.*$passed.* end: 0 0, [1-9][0-9]* sleeps"
grep ' rounds, ' "$dir/kernel"
is "complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel")" ""
summary
