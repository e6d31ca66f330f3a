#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm --accel with a fake QEMU, which prints its arguments and then is silent, or dies.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/qemu-system-x86_64" <<'END'
#!/bin/sh
case $* in
--version) PATH=${PATH#*:} exec qemu-system-x86_64 --version ;;
*"-smp 1 "*) exit 1 ;;
*"-smp 3 "*) while :; do :; done ;;
*"-smp 4 "*) kill -ABRT $$ ;;
*) echo "$*" >"${0%/*}/arguments" && exec sleep 1000 ;;
esac
END
chmod +x "$dir/qemu-system-x86_64"

# vm ARGUMENT...: status; the messages are in $dir/said
vm()
{
	PATH=$dir:$PATH ./mon-vm --device none --no-modules --kernel-log "$dir/log" "$@" >"$dir/said" 2>&1
	echo $?
}

# What waits for long waits together: long NAME ARGUMENT...; its status and messages are in $dir/NAME.
long()
{
	local name=$1

	shift
	PATH=$dir:$PATH ./mon-vm --device none --no-modules --kernel-log "$dir/$name.log" "$@" >"$dir/$name" 2>&1
	echo $? >>"$dir/$name"
}
long kvm --accel kvm --smp 2 --timeout 300 -- true &
# without KVM a slow guest is no error, but one that does nothing is
long slow --smp 3 --timeout 17 -- true &
long still --smp 2 --mem 128M --timeout 60 -- true &
long silence --smp 2 --silence 0 --timeout 16 -- true &
wait
is "a guest that does not start" "$(tail -n 1 "$dir/kvm")" 125
like "what mon-vm says" "$(cat "$dir/kvm")" 'the guest did not start within 10 s: .*leave --accel kvm out'
ok "QEMU is gone" test -z "$(pgrep -f "$dir/qemu-system")"
is "a slow guest" "$(tail -n 1 "$dir/slow")" 124
is "one that stands still" "$(tail -n 1 "$dir/still")" 125
like "the reason" "$(cat "$dir/still")" 'the guest has stopped: .* for 15 s: try more memory than --mem 128M'
is "with --silence 0 it is the user's" "$(tail -n 1 "$dir/silence")" 124
is "a guest with KVM" "$(vm --accel kvm --smp 2 --timeout 1 -- true)" 124
like "QEMU's arguments" "$(cat "$dir/arguments")" ' -accel kvm '
ok "no clock of TCG" test "$(grep -c tsc_early_khz "$dir/arguments")" -eq 0
is "QEMU that ends" "$(vm --accel kvm --smp 1 -- true)" 125
like "its status" "$(cat "$dir/said")" 'QEMU ended with status 1 .*; leave --accel kvm out'
is "QEMU that aborts" "$(vm --accel kvm --smp 4 -- true)" 125
like "its signal" "$(cat "$dir/said")" 'QEMU was killed by signal 6 .*; leave --accel kvm out'
for size in 0 64M 0.1G -1 131071k; do
	is "--mem $size" "$(vm --mem=$size -- true)" 125
	like "its reason" "$(cat "$dir/said")" "^mon-vm: --mem $size: the guest needs memory: give 128 M or more"
done
is "--smp 0" "$(vm --smp 0 -- true)" 125
like "its reason" "$(cat "$dir/said")" '^mon-vm: --smp 0: give a number of processors, 1 or more'
is "TCG" "$(vm --smp 2 --timeout 1 -- true)" 124
like "TCG's arguments" "$(cat "$dir/arguments")" ' -accel tcg,thread=single '
is "a thread for each processor" "$(vm --threads --smp 2 --timeout 1 -- true)" 124
like "its arguments" "$(cat "$dir/arguments")" ' -accel tcg '
# a terminal shows that the guest boots, and removes the line afterwards; a pipe gets nothing
is "no progress in a pipe" "$(grep -c 'guest boots' "$dir/said")" 0
PATH=$dir:$PATH script -qec "./mon-vm --device none --no-modules --kernel-log $dir/log --smp 2 --timeout 6 -- true" \
	/dev/null >"$dir/said" </dev/null
like "progress on a terminal" "$(cat "$dir/said")" 'the guest boots: 0 s .*the guest boots: 2 s'
is "it goes" "$(tr '\r' '\n' <"$dir/said" | sed -n "s/^$(printf '\033')\[K//p" | head -n 1 | cut -c 1-15)" "mon-vm: timeout"
is "--cpu" "$(vm --accel kvm --cpu -- true)" 125
like "--cpu's reason" "$(cat "$dir/said")" 'leave --accel kvm out'
is "another architecture" "$(vm --accel kvm --arch riscv64 -- true)" 125
like "its reason" "$(cat "$dir/said")" 'cannot run a guest of riscv64'
is "another accelerator" "$(vm --accel xen -- true)" 125
like "the two that there are" "$(cat "$dir/said")" 'there are tcg \(default\) and kvm'
summary
