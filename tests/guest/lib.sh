# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For test scripts, sourced: counts checks and prints the summary line that Check prints.
#
#	. "${srcdir:-.}/tests/guest/lib.sh"
#	is "sum of all tiles" "$(count ddr_accesses)" 257
#	like "reason" "$text" 'Invalid argument'
#	ok "module unloads" rmmod espmon
#	fails "unload of a used module" rmmod mon_pmu
#	summary
checks=0
failures=0

# the program itself, which a guest starts faster than libtool's script
# shellcheck disable=SC2034
monctl=$PWD/monctl
[ ! -x .libs/monctl ] || monctl=$PWD/.libs/monctl

# Complaints of the kernel; for grep -E
# shellcheck disable=SC2034
complaints='WARNING:|BUG:|Oops|Call Trace|UBSAN:|KASAN:|KCSAN:|general protection|possible recursive locking|possible circular locking|inconsistent lock state|suspicious RCU usage|refcount_t:|unchecked MSR|DMAR:.*fault'

# pmus: those of events/systems.def
pmus()
{
	sed -n 's/^MON_SYSTEM([^,]*, *\([a-z0-9_]*\),.*/\1/p' "${srcdir:-.}/events/systems.def"
}

# catalogue PMU: its file
catalogue()
{
	echo "${srcdir:-.}/events/$(sed -n "s/^MON_SYSTEM(\([a-z0-9_]*\), $1,.*/\1/p" "${srcdir:-.}/events/systems.def")/events.def"
}

# Since Linux 6.16 a PMU goes with its device, and an event that is open then keeps what it had counted.
pmu_goes()
{
	[ "$(printf '%s\n' 6.16 "$(uname -r)" | sort -V | head -n 1)" = 6.16 ]
}

# events PMU: its names in the catalogue
events()
{
	sed -n 's/^MON_EVENT(\([a-z0-9_]*\),.*/\1/p' "$(catalogue "$1")" | sort
}

# events_here PMU: those of the guest's variant, which the PMU's identifier names
events_here()
{
	local def variant

	def=$(catalogue "$1")
	variant=$(sed -n "s/^MON_IDENTIFIER(\"$(cat "/sys/bus/event_source/devices/$1/identifier")\", *\(.*\))/\1/p" "$def")
	sed -n 's/^MON_EVENT(\([a-z0-9_]*\),[^,]*,[^,]*, *\([^,]*\),.*/\1 \2/p' "$def" |
		awk -v variant="$variant" '$2 == "0" || index($0, variant) { print $1 }' | sort
}

# acc_row NAME FIELD: of an accelerator's row: 6 bytes that are read, 7 written behind them, 8 limit of the sum
acc_row()
{
	echo $(($(sed -n "s/^ESP_ACC(\($1,.*\),\$/\1/p" "${srcdir:-.}/events/esp/accelerators.def" | cut -d, -f"$2")))
}

# acc_most REGISTER: the limit of its value
acc_most()
{
	echo $(($(sed -n "s/.*ESP_ACC_REG($1, \(.*\)).*/\1/p" "${srcdir:-.}/events/esp/accelerators.def" | cut -d, -f5)))
}

# verdict NAME STATUS [DETAIL]
verdict()
{
	checks=$((checks + 1))
	[ "$2" -eq 0 ] && return
	failures=$((failures + 1))
	echo "not ok: $1${3:+: $3}"
}

# is NAME ACTUAL EXPECTED
is()
{
	[ "$2" = "$3" ]
	verdict "$1" $? "got '$2', expected '$3'"
}

# like NAME ACTUAL EXTENDED_REGEX
like()
{
	[[ $2 =~ $3 ]]
	verdict "$1" $? "got '$2', expected a match of '$3'"
}

# numbers NAME COUNT TEXT: TEXT is so many numbers. Nothing, fewer of them, or "<not counted>" is a failure.
numbers()
{
	like "$1" "$3" "^[0-9]+( [0-9]+){$(($2 - 1))}\$"
}

# holds NAME EXPRESSION: true in the shell's arithmetic. Write values into it ("$a > $b"), not
# names: then a missing value is a failure.
holds()
{
	local text

	text=$( (($2)) 2>&1)
	verdict "$1" $? "$2${text:+ ($text)}"
}

# ok NAME COMMAND [ARG...]
ok()
{
	local name=$1 text status

	shift
	text=$("$@" 2>&1)
	status=$?
	verdict "$name" $status "'$*' ended with $status: $text"
}

# fails NAME COMMAND [ARG...]
fails()
{
	local name=$1 text

	shift
	! text=$("$@" 2>&1)
	verdict "$name" $? "'$*' did not fail: $text"
}

# wait_until COMMAND [ARG...]: until it succeeds; a failure after two minutes
wait_until()
{
	local i

	for ((i = 0; i < 1200; i++)); do
		"$@" && return
		sleep 0.1
	done
	verdict "waiting for" 1 "'$*' never succeeded"
}

# skip REASON: ends the script
skip()
{
	echo "$1"
	exit 77
}

summary()
{
	local percent=100

	[ $checks -gt 0 ] && percent=$(((checks - failures) * 100 / checks))
	echo "$percent%: Checks: $checks, Failures: $failures, Errors: 0"
	[ $failures -eq 0 ] && [ $checks -gt 0 ]
	exit
}
