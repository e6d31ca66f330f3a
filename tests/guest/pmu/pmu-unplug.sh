#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Pulls espmon out of a running guest and puts it in again, as pmu-unplug, inside, asks for it.
# MON_STRESS=N makes N cycles, MON_VM_FLAGS are for mon-vm. A port waits for 5 s before it releases
# a device, and the drivers may take 5 s more; that depends on the load, so it is only checked with
# UNPLUG_SECONDS=10, on an idle machine.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# expands in the guest; flags are words
# shellcheck disable=SC2016,SC2086
python3 - "$dir/qmp" ./mon-vm --timeout "${GUEST_TIMEOUT:-600}" --qmp "$dir/qmp" \
	--kernel-log "$dir/kernel" \
	--env "srcdir=$srcdir" --env "MON_STRESS=${MON_STRESS-}" --env TEST_PROGRESS=1 \
	--env CK_TIMEOUT_MULTIPLIER=10 \
	${MON_VM_FLAGS-} -- bash -c 'tests/guest/pmu/pmu-unplug && "$srcdir/tests/guest/kernel-verdict"' \
	>"$dir/out" 2>&1 <<'END'
import json, os, socket, subprocess, sys, time

guest = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
monitor = None

def receive():
    message = json.loads(monitor.readline())
    if "error" in message:
        sys.exit(f"QEMU: {message}")
    return message

def execute(command, **arguments):
    """Sends it; True if the device's end was reported before the answer."""
    monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
    monitor.flush()
    deleted = False
    while "return" not in (message := receive()):
        deleted |= is_deleted(message)
    return deleted

def is_deleted(message):
    return message.get("event") == "DEVICE_DELETED" and message["data"].get("device") == "espmon"

deleted = False
longest = 0
for line in guest.stdout:
    line = line.rstrip()
    if line not in ("plug", "unplug"):
        print(line)
        continue
    if not monitor:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(sys.argv[1])
        monitor = connection.makefile("rw")
        receive()
        execute("qmp_capabilities")
    if line == "unplug":
        begin = time.monotonic()
        deleted = execute("device_del", id="espmon")
        continue
    while not deleted:
        deleted = is_deleted(receive())
    longest = max(longest, time.monotonic() - begin)
    execute("device_add", driver="espmon", id="espmon", bus="mon-port1")
status = guest.wait()
print(f"the longest unplug took {longest:.1f} s")
if longest > float(os.environ.get("UNPLUG_SECONDS", "inf")):
    sys.exit("longer than UNPLUG_SECONDS")
sys.exit(status)
END
is "exit status" $? 0
grep -E ' rounds, |longest unplug' "$dir/out"
like "what the guest says" "$(cat "$dir/out")" 'Checks: 1, Failures: 0, Errors: 0'
is "complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel")" ""
summary
