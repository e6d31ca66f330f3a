# SPDX-License-Identifier: GPL-2.0-only
# The patches of the series, each a commit in $tree. build-aux/kernel sources this file and sets what it does not.
# The driver is composed of pmu/core, pmu/esp and events/esp (build-aux/compose); the rest stands beside this file.
# shellcheck shell=bash disable=SC2154
own=$top/docs/upstream/esp
maintainer="$(git -C "$tree" config user.name) <$(git -C "$tree" config user.email)>"
abi=Documentation/ABI/testing/sysfs-bus-event_source-devices-espmon
mkdir -p "$tree/${binding%/*}" "$tree/${abi%/*}"

# before TITLE FILE REGEX: standard input goes before the first line of this kind that comes later in the alphabet
before() {
	awk -v title="$1" -v kind="$3" -v text="$(cat && echo .)" '
		list && !done && $0 ~ kind && $0 > title { printf "%s", substr(text, 1, length(text) - 1); done = 1 }
		/^Maintainers List|^patternProperties|^menu / { list = 1 }
		{ print }' "$2" >"$tmp/before"
	cp "$tmp/before" "$2"
}

# maintained FILE...: these files have a maintainer, in the order that checkpatch wants
maintained() {
	printf 'F:\t%s\n' "$@" | sort -u - <(cat "$tmp/files" 2>/dev/null) >"$tmp/files.new"
	mv "$tmp/files.new" "$tmp/files"
	cp "$linux/MAINTAINERS" "$tree/MAINTAINERS"
	set -- "COLUMBIA ESP PMU DRIVER" "M:	$maintainer" "L:	linux-perf-users@vger.kernel.org" "S:	Maintained"
	printf '%s\n' "$@" "$(cat "$tmp/files")" '' | before "$1" "$tree/MAINTAINERS" '^[A-Z0-9][A-Z0-9]'
}

# built SYMBOL FILE: a line of the Makefile, and SYMBOL's entry, which standard input has, at the end of the menu
built() {
	printf '%s\n\n' "$(cat)" | before '' "$perf/Kconfig" '^endmenu'
	echo "obj-\$(CONFIG_$1) += $2.o" >>"$perf/Makefile"
}

before '  "^sld,.*":' "$tree/Documentation/devicetree/bindings/vendor-prefixes.yaml" '^  "\^[a-z]' <<'END'
  "^sld,.*":
    description: System-Level Design Group, Columbia University
END
commit "dt-bindings: vendor-prefixes: Add the makers of ESP" <<'END'
ESP, an open-source platform for heterogeneous systems on chip, comes from
the System-Level Design group of Columbia University and uses "sld" as the
prefix of its compatible strings.
END

# VESPA has not met the driver
sed -e "s/libmon maintainers <.*>/$maintainer/" -e '/VESPA/d' -e '/vespa/d' "$top/pmu/esp/${binding##*/}" \
	>"$tree/$binding"
maintained "$binding"
commit "dt-bindings: perf: Add the monitors of ESP SoCs" <<'END'
Each tile of a system on chip made with ESP has performance monitors behind
its APB window. Describe them.
END

cc -o "$tmp/unifdef" "$linux/scripts/unifdef.c"
for file in esp_pmu.h esp_pmu.c; do
	"$here/compose" "$own/$file.in" "$tmp/unifdef" "$number" "$linux/include/uapi/linux/perf_event.h" >"$perf/$file"
done
sed '/^config ESP_PMU_KUNIT_TEST$/,$d' "$own/Kconfig" | built ESP_PMU esp_pmu
maintained drivers/perf/esp_pmu.c drivers/perf/esp_pmu.h
commit "perf: Add the monitors of Columbia ESP SoCs" <<'END'
Each tile of an ESP SoC has 59 monitors of 32 bits, for caches, DRAM,
coherence, network on chip and accelerators, and a burst register that
latches all of them. They count all the time and have no interrupt.

Widen each monitor by polling, read the values of a group from one burst of
each tile, and follow CPU hotplug. What the tiles are comes from the device
tree, because the registers tell their numbers alone.
END

cp "$own/esp_pmu_test.c" "$perf/"
sed -n '/^config ESP_PMU_KUNIT_TEST$/,$p' "$own/Kconfig" | built ESP_PMU_KUNIT_TEST esp_pmu_test
maintained drivers/perf/esp_pmu_test.c
commit "perf: Add KUnit tests of the ESP PMU driver" <<'END'
Test where the monitors are in both layouts of the registers, which tiles
an event reads, and the arithmetic of counters that wrap.
END

cp "$own/espmon.rst" "$tree/Documentation/admin-guide/perf/"
sed -i 's/^   dwc_pcie_pmu$/&\n   espmon/' "$tree/Documentation/admin-guide/perf/index.rst"
sed "s/@VERSION@/$(cut -d. -f1,2 <<<"$number")/" "$own/${abi##*/}" >"$tree/$abi"
maintained Documentation/admin-guide/perf/espmon.rst "$abi"
commit "Documentation: perf: Describe the monitors of ESP" <<'END'
What the files in sysfs mean, what groups are good for, how long interrupts
wait, and which counts can be lost.
END

git -C "$tree" config branch.series.description "$(cat <<'END'
perf: The monitors of Columbia ESP SoCs

This series adds a perf driver for the monitors in each tile of a Columbia
ESP SoC, which are many, 32 bits wide and without an interrupt.

The driver was tested on an emulated SoC with a RISC-V processor that counts
real activity, with tests that compare counts with an independent reference.
It has not met an ESP SoC on a board yet.
END
)"
