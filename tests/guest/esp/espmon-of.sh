#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# espmon on a platform device, as on a real SoC (pmu/esp/sld,esp-monitors.yaml): the emulated device's
# default design, and wrong descriptions. The registers are those of
# the PCI function, which has no driver meanwhile.
# not on riscv64: esp_node replaces a device tree; esp-soc.sh has one
# kernel log: \] espmon espmon.[0-9]+: |\] espmon: probe of espmon.[0-9]+ failed with error
. "${srcdir:-.}/tests/guest/lib.sh"
modules=build/pmu/$(uname -r)
module=$modules/tests/guest/modules/esp_node.ko
pmu=/sys/bus/event_source/devices/espmon
driver=/sys/bus/platform/drivers/espmon
node=/sys/bus/platform/devices/espmon.2023
older=/sys/bus/platform/devices/espmon.2021
vespa=/sys/bus/platform/devices/espmon.65
pci=0000:01:00.0
good="columns=2 layout=2023 clock=78125000 acc=0,3,4 cpu=1 io=5 l2=0 mem=2"
marker="espmon-of starts"
# of the refused devices: the error, and the driver's message
wrong=()
reason=()

kernel_log()
{
	dmesg -x | sed "1,/$marker/d"
}

# node [PARAMETER=VALUE...]: the example's device with these changed; "name=" is a property that is
# missing
node()
{
	local parameter
	local -A value

	for parameter in $good "$@"; do
		value[${parameter%%=*}]=${parameter#*=}
	done
	set --
	for parameter in "${!value[@]}"; do
		[ -z "${value[$parameter]}" ] || set -- "$@" "$parameter=${value[$parameter]}"
	done
	insmod "$module" "$@"
}

# refused REGEX PARAMETER=VALUE...
refused()
{
	local name="${*:2}"

	wrong+=("$name")
	reason+=("$1")
	ok "$name: the device is there" node "${@:2}"
	fails "$name: it has a driver" test -e $node/driver
	fails "$name: there is a PMU" test -e $pmu
	fails "$name: somebody has the registers" grep -q ' espmon.2023 espmon.2023$' /proc/iomem
	ok "$name: the device goes" rmmod esp_node
}

# count EVENTS N: the counts around N FFTs
count()
{
	perf stat -x, -o /tmp/espmon-of.csv -e "$1" -- sh -c "$(fft "$2")"
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/espmon-of.csv
}

fft()
{
	local i

	for ((i = 0; i < $1; i++)); do
		echo 'echo 1 >/sys/module/esp_node/parameters/fft || echo "no FFT" >&2'
	done
}

has_event()
{
	[ "$(cat /sys/module/espmon/refcnt)" -gt "$1" ]
}

echo "<6>$marker" >/dev/kmsg
shape=$(cat $pmu/tiles/* $pmu/caps/{rows,columns,layout,clock_hz})

# registers that another driver has
wrong+=("registers in use")
reason+=("can't request region for resource")
ok "a second device" node
fails "it has a driver" test -e $node/driver
ok "it goes" rmmod esp_node
# reload DRIVER: the only one that the PCI function may have; empty: any
reload()
{
	rmmod esp_accel espmon
	echo "$1" >/sys/bus/pci/devices/$pci/driver_override
	insmod "$modules/espmon.ko"
	insmod "$modules/esp_accel.ko"
}

reload none
trap 'reload ""' EXIT

ok "the SoC" node
is "its driver" "$(basename "$(readlink $node/driver)")" espmon
is "its shape is what the PCI function says" \
	"$(cat $pmu/tiles/* $pmu/caps/{rows,columns,layout,clock_hz})" "$shape"
is "the processors' accesses count" "$(cat $pmu/caps/cpu)" 1
is "identifier" "$(cat $pmu/identifier)" esp-2023

# the counts of esp-fft-counts.sh: 1 + 128 + 128 words; 3 + 3 + (3 + 128) and 2 + (1 + 128) flits
trio='{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}'
is "128 points" "$(count "$trio" 1)" "257 137 131"
is "three times" "$(count "$trio" 3)" "771 411 393"
is "the memory tile has them" "$(count espmon/ddr_accesses,bytile,tile=2/ 1)" 257
is "runs" "$(count espmon/acc_invocations/ 2)" 2
is "the accelerator's flits" "$(count espmon/noc_injects_p5,bytile,tile=0/ 1)" 137
is "of another accelerator" "$(count espmon/noc_injects_p5,bytile,tile=3/ 1)" 0
like "cycles of a tile" "$(count espmon/dvfs_op3,bytile,tile=3/ 1)" '^[1-9][0-9]*$'

# an event outlives its device; if its PMU does, too, it counts with the device again
users=$(cat /sys/module/espmon/refcnt)
perf stat -a -x, -o /tmp/espmon-of-held.csv -e espmon/ddr_accesses/ \
	sh -c 'until [ -e /tmp/espmon-of-end ]; do sleep 0.1; done' &
perf=$!
wait_until has_event "$users"
ok "an FFT" sh -c "$(fft 1)"
ok "the device goes" rmmod esp_node
ok "and comes" node
ok "an FFT after that" sh -c "$(fft 1)"
touch /tmp/espmon-of-end
wait $perf
held=514
! pmu_goes || held=257
is "what it counted" "$(awk -F, '/espmon/ { print $1 }' /tmp/espmon-of-held.csv)" $held
ok "the device goes for good" rmmod esp_node
fails "an event opens without it" perf stat -e espmon/ddr_accesses/ true
fails "there are registers without it" grep -q ' espmon.2023 espmon.2023$' /proc/iomem

# another device at its address does not get its PMU
if ! pmu_goes; then
	wrong+=("another SoC at the same address")
	reason+=("another device was here, and espmon counts for that: unload espmon to forget it")
	ok "another device" node l2=
	fails "another device: it has a driver" test -e $node/driver
	ok "another device: it goes" rmmod esp_node
	reload none
fi
ok "another device in its place" node l2=
ok "it has a driver" test -e $node/driver
ok "and goes" rmmod esp_node

reload none
# a third-party accelerator has no counter of cycles
ok "third party" node compatible=other,fft l2=
is "its cycles" "$(count espmon/dvfs_op3,bytile,tile=4/ 1)" 0
like "another accelerator's cycles" "$(count espmon/dvfs_op3,bytile,tile=3/ 1)" '^[1-9]'
fails "there is an L2 cache" grep -q l2 -r $pmu/tiles
ok "it goes" rmmod esp_node
reload none
# the clock can be four times as fast: 2^32 - 1 counts at 312.5 MHz, a quarter of that time
ok "a clock that can be raised" node fastest=312500000
is "its rate" "$(cat $pmu/caps/clock_hz)" 78125000
next=$(perf stat -a -e espmon/dvfs_op3/ -o /dev/null -- sed -n '/mon_pmu_poll/ { n; s/.*\[in \([0-9]*\) to .*/\1/p }' /proc/timer_list)
ok "polls are for the fastest: $next" test "$next" -gt 2400000000 -a "$next" -le 3435973836
ok "it goes" rmmod esp_node
ok "it comes back with the clock raised" node clock=156250000 fastest=312500000
ok "its PMU is the one that it had" test -e $node/driver
is "its rate now" "$(cat $pmu/caps/clock_hz)" 156250000
ok "it goes again" rmmod esp_node
reload none
ok "the older registers" node layout=2021
ok "they have a driver" test -e $older/driver
is "their identifier" "$(cat $pmu/identifier)" esp-2021
fails "they have invocations" test -e $pmu/events/acc_invocations
ok "they go" rmmod esp_node

reload none
ok "VESPA's registers" node layout=65
ok "they have a driver" test -e $vespa/driver
is "their identifier" "$(cat $pmu/identifier)" vespa-2024
ok "they have ejects" test -e $pmu/events/noc_ejects_p5
ok "they go" rmmod esp_node

reload none
refused "no property sld,columns" columns=
refused "no clock" clock=
refused "a clock of 0 Hz is not possible" clock=0
refused "has no rows of 0 tiles" columns=0
refused "has no rows of 4 tiles" columns=4
refused "has no rows of 4294967295 tiles" columns=4294967295
refused "has no rows of 2 tiles" size=0x1ff
refused "has no rows of 1 tiles" size=0x20200 columns=1
refused "sld,cpu-tiles: there is no tile 6" cpu=1,6
refused "sld,l2-tiles: there is no tile 4294967295" l2=0,4294967295
refused "sld,l2-tiles: no accelerator is in tile 1" l2=1
refused "sld,io-tiles: tile 1 is something else" io=1
refused "sld,accelerators: no node for each tile" acc=0,3,4,1 cpu=
refused "sld,accelerators: node 2 says no name of letters, digits, _ and -" compatible=fft
refused "sld,accelerators: node 2 says no name of letters, digits, _ and -" compatible=sld,
refused "sld,accelerators: node 2 says no name of letters, digits, _ and -" 'compatible=sld,a!b'
refused "invalid resource" size=0
refused "has no rows of 2 tiles" size=0xbff
# below 0x90000 no register answers, and 0x90200 is tile 1
refused "tile 0 says that it is tile 0x1: not the 3 x 2 tiles of the tree" offset=0x90200
refused "tile 1 says that it is tile 0x0: not the 3 x 2 tiles of the tree" offset=0
refused "tile 0 says that it is tile 0x1:" wrong_id=0
refused "tile 5 says that it is tile 0x6:" wrong_id=5
refused "tile 6 says that it is tile 0x0: not the 4 x 2 tiles of the tree" size=0x1000
mapfile -t said < <(kernel_log | sed -n -e '/probe with driver/d' -e 's/.*\] espmon espmon.2023: //p')
for i in "${!wrong[@]}"; do
	like "${wrong[i]}: the reason" "${said[i]-}" "${reason[i]}"
done
is "reasons" ${#said[@]} ${#wrong[@]}

ok "nothing is left of them: the SoC" node
is "counts" "$(count "$trio" 1)" "257 137 131"
ok "and goes" rmmod esp_node

trap - EXIT
reload ""
ok "the PCI function has its driver again" test -e $pmu
perf stat -x, -o /tmp/espmon-of.csv -e espmon/ddr_accesses/ -- ./examples/esp/esp-fft --log-len 7 >/dev/null
is "and counts" "$(awk -F, '/espmon/ { print $1 }' /tmp/espmon-of.csv)" 257

# only the messages above
is "complaints of the kernel" "$(kernel_log |
	grep -E "$complaints|:(emerg|alert|crit|err|warn) .*\] (mon_pmu|espmon|esp_accel|esp_node)\b" |
	grep -v -E '\] espmon espmon.[0-9]+: |\] espmon: probe of espmon.[0-9]+ failed with error')" ""
summary
