#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm, from the host: input and output of a guest, and how it ends.
# shellcheck disable=SC2016 # expands in the guest
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
vm=(./mon-vm --device none --no-modules --timeout 120)

# status COMMAND...: its exit status as text; output goes to $dir/out and $dir/err
status()
{
	"$@" >"$dir/out" 2>"$dir/err"
	echo $?
}

# Arguments, streams and status in one boot: the two streams stay apart, no byte is changed.
is "exit status" "$(status "${vm[@]}" -- bash -c 'echo err >&2; printf "[%s]" "$@"; exit 7' x \
	'a b' '' "q'\"\\" $'new\nline' -- -x '*' </dev/null)" 7
is "arguments" "$(cat "$dir/out")" $'[a b][][q\'"\\][new\nline][--][-x][*]'
is "standard error" "$(cat "$dir/err")" err

# 3 MB of every byte value, to the guest and back; the sum inside shows that both ways are clean.
head -c 3000000 /dev/urandom >"$dir/in"
is "input and output" "$(status "${vm[@]}" -- bash -c 'tee /dev/stderr; sleep 0.1' <"$dir/in")" 0
ok "output is the input" cmp "$dir/in" "$dir/out"
ok "error output is the input" cmp "$dir/in" "$dir/err"

is "death by a signal" "$(status "${vm[@]}" -- bash -c 'kill -SEGV $$')" 139
is "its name" "$(cat "$dir/err")" "mon-vm: the command was killed by signal 11 (Segmentation fault)"
is "no such command" "$(status "${vm[@]}" -- /nonexistent)" 127
like "its reason" "$(cat "$dir/err")" '^mon-vm: /nonexistent: No such file or directory \(working directory: .*\): build it .*\(./bootstrap\)$'
printf '#!/nonexistent\n' >"$dir/script"
chmod +x "$dir/script"
is "nor one in PATH" "$(status "${vm[@]}" -- nonexistent)" 127
like "where it was looked for" "$(cat "$dir/err")" '^mon-vm: nonexistent: not in PATH \(/.*\): install it'
is "nor an interpreter" "$(status "${vm[@]}" -- "$dir/script")" 127
like "what does not exist" "$(cat "$dir/err")" '^mon-vm: .*/script: its interpreter '

# Properties of the guest: limits, writable places, processors, environment, working directory.
is "inside" "$(status "${vm[@]}" --smp 3 --env 'X=a b=c' --env TERM=xyz -- bash -c '
	ulimit -Hn; nproc; echo "$X" "$TERM"; pwd
	for d in /tmp /var/tmp /run /dev/shm /root . ; do echo x >$d/mon-vm-test.$$ || exit 1; done
	# newer kernels keep CPU 0
	[ -e /sys/devices/system/cpu/cpu0/online ] && cpu=0 || cpu=2
	echo 0 >/sys/devices/system/cpu/cpu$cpu/online || exit 2
	nproc
	test -d /sys/kernel/debug/x86 && test -e /sys/kernel/tracing/trace && test -e /dev/pts/ptmx &&
	test -d /lib/modules/"$(uname -r)"')" 0
is "what it says" "$(cat "$dir/out")" $'1048576\n3\na b=c xyz\n'"$(pwd)"$'\n2'
ok "the host's files are untouched" test -z "$(ls ./mon-vm-test.* /tmp/mon-vm-test.* 2>/dev/null)"

# Write protection of the kernel, whose check takes long, is on where somebody asks for it.
is "unprotected" "$(status "${vm[@]}" --kernel-log "$dir/log" -- grep -w erms /proc/cpuinfo)" 1
ok "the kernel says so" grep -q 'Kernel memory protection disabled' "$dir/log"
is "protected" "$(status "${vm[@]}" --append rodata=on --kernel-log "$dir/log" -- true)" 0
ok "the kernel says so, too" grep -q 'Write protecting the kernel' "$dir/log"

# Ends that are not COMMAND's own.
is "panic" "$(status "${vm[@]}" --kernel-log "$dir/log" -- \
	bash -c 'echo c >/proc/sysrq-trigger')" 125
like "panic's reason" "$(cat "$dir/err")" 'kernel panicked: sysrq triggered crash'
ok "panic's log" grep -q 'Call Trace' "$dir/log"
is "timeout" "$(status "${vm[@]}" --timeout 3 --kernel-log "$dir/log" -- sleep 1000)" 124
like "timeout's reason" "$(cat "$dir/err")" 'ended after 3 s'
# mon-vm reports a guest that hangs, and one that continues.
"${vm[@]}" --silence 3 --kernel-log "$dir/log" -- bash -c 'echo runs; read -r line; echo "$line"' \
	< <(wait_until grep -q 'goes on' "$dir/err"; echo done) >"$dir/out" 2>"$dir/err" &
guest=$!
wait_until grep -q runs "$dir/out"
qemu=$(pgrep -P $guest -f qemu-system)
ok "QEMU stops" kill -STOP "$qemu"
wait_until grep -q hangs "$dir/err"
ok "QEMU goes on" kill -CONT "$qemu"
wait $guest
is "a guest that hung goes on" "$?:$(tail -n 1 "$dir/out")" 0:done
is "what is said of it" "$(sed -E 's/(for|after) ([3-9]|[1-9][0-9]+) s/\1 N s/' "$dir/err")" \
	"mon-vm: the guest hangs: nothing from it for N s; kernel log: $dir/log; waiting until it goes on or --timeout ends it
mon-vm: the guest goes on after N s"

"${vm[@]}" -- sleep 1000 >"$dir/out" 2>&1 &
sleep 1
kill -INT $!
wait $!
is "interrupt" $? 130

# If the reader ends, the command gets SIGPIPE; the guest does not run on.
is "closed output" "$("${vm[@]}" -- bash -c 'yes; echo $? >&2' 2>"$dir/err" | head -n 1)" y
is "its signal" "$(cat "$dir/err")" 141

# A full disk is no reader that ends: what is lost is told, and is an error.
is "full disk" "$("${vm[@]}" --kernel-log /dev/full -- echo hi 2>"$dir/err" >/dev/full; echo $?)" 125
like "what is lost" "$(cat "$dir/err")" 'mon-vm: standard output: No space left on device: .*--kernel-log /dev/full: it is not'

# unplug ID: takes a device out of the guest behind $dir/qmp once that has printed something
unplug()
{
	python3 - "$dir/qmp" "$dir/out" "$1" <<'END'
import json, os, socket, sys, time
def wait(what):
    for _ in range(600):
        if what():
            return
        time.sleep(0.1)
wait(lambda: os.path.exists(sys.argv[1]) and os.path.getsize(sys.argv[2]))
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
f = s.makefile("rw")
f.readline()
for command in ({"execute": "qmp_capabilities"},
                {"execute": "device_del", "arguments": {"id": sys.argv[3]}}):
    f.write(json.dumps(command) + "\n")
    f.flush()
    while "event" in json.loads(f.readline()):
        pass
END
}

# A device can be unplugged while the guest runs, and the kernel releases it.
./mon-vm --timeout 60 --qmp "$dir/qmp" --device espmon --device espmon -- bash -c '
	cd /sys/bus/pci/drivers/espmon
	ls -d 0* | wc -l
	for i in {1..100}; do
		[ -e 0000:02:00.0 ] || break
		sleep 0.2
	done
	ls -d 0*' >"$dir/out" 2>"$dir/err" &
unplug espmon-2
wait $!
is "two devices, then one" "$(cat "$dir/out")" $'2\n0000:01:00.0'

# The same while the device counts the guest's accesses.
rm -f "$dir/qmp" "$dir/out"
./mon-vm --cpu --timeout 240 --qmp "$dir/qmp" --device espmon -- perf stat -e espmon/l2_misses/ -- \
	bash -c 'echo counts
	for i in {1..200}; do
		ls /sys/bus/pci/drivers/espmon | grep -q : || break
		sleep 0.2
	done
	ls /sys/bus/pci/drivers/espmon | grep -c :' >"$dir/out" 2>"$dir/err" &
unplug espmon
wait $!
is "a device that counts accesses goes" "$(cat "$dir/out")" $'counts\n0'

# One folder is writable, and nothing else of the host; one port can be reached.
mkdir "$dir/output"
port=$((20000 + $$ % 20000))
"${vm[@]}" --output "$dir/output" --forward $port -- bash -c '
	echo kept >"$1/output/kept"; mkdir "$1/output/folder"; echo gone >"$1/gone"
	exec python3 -m http.server --directory "$1/output" --bind 0.0.0.0 "$2"' x "$dir" $port \
	</dev/null >"$dir/out" 2>"$dir/err" &
guest=$!
for ((i = 0; i < 1000; i++)); do
	page=$(python3 -c "import urllib.request as r; print(r.urlopen('http://127.0.0.1:$port/kept', timeout=5).read().decode())" 2>&1) &&
		break
	sleep 0.1
done
is "a forwarded port answers" "$page" kept
kill $guest
wait $guest
is "what was written to --output" "$(cat "$dir/output/kept"; ls "$dir/output")" $'kept\nfolder\nkept'
ok "nothing else was" test ! -e "$dir/gone"
is "--output of nothing" "$(status "${vm[@]}" --output "$dir/none" -- true)" 125
like "its remedy" "$(cat "$dir/err")" 'none: No such file or directory: make the folder first'
is "--forward of no port" "$(status "${vm[@]}" --forward 70000 -- true)" 125

# Errors of the user, found before a guest starts.
is "no command" "$(status "${vm[@]}")" 125
is "no such kernel" "$(status "${vm[@]}" --kernel /boot/none -- true)" 125
is "its remedy" "$(cat "$dir/err")" \
	"mon-vm: /boot/none: No such file or directory: pass another --kernel FILE"
is "not a kernel" "$(status "${vm[@]}" --kernel /bin/true -- true)" 125
is "bad option" "$(status "${vm[@]}" --frobnicate -- true)" 125
is "bad QEMU option" "$(status "${vm[@]}" --qemu-arg -frobnicate -- true)" 125
printf 'CPU_ARCH = ariane\nCONFIG_NOC_ROWS = x\n' >"$dir/bad.esp_config"
is "broken design" "$(status ./mon-vm --soc "$dir/bad.esp_config" -- true)" 125
like "its place" "$(cat "$dir/err")" 'bad.esp_config:2: '
is "parameter of a module that is not ours" \
	"$(status "${vm[@]}" --module-param e1000.debug=1 -- true)" 125
summary
