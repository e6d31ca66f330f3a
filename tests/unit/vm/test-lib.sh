#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/guest/lib.sh: a check of a missing count fails.
. "${srcdir:-.}/tests/guest/lib.sh"

# passes CHECK ARG...: 1 if it passes, 0 if not, in a shell of its own
passes()
{
	(
		checks=0 failures=0
		"$@" >/dev/null 2>&1
		echo $((checks == 1 && failures == 0))
	)
}

is "three numbers" "$(passes numbers x 3 "1 22 0")" 1
is "two of three" "$(passes numbers x 3 "1 22")" 0
is "four of three" "$(passes numbers x 3 "1 22 0 4")" 0
is "nothing" "$(passes numbers x 1 "")" 0
is "not counted" "$(passes numbers x 3 "1 <not counted> 2")" 0
is "true" "$(passes holds x "7 > 6")" 1
is "false" "$(passes holds x "6 > 7")" 0
is "a value is missing" "$(passes holds x " > 6")" 0
is "both are missing" "$(passes holds x " >= ")" 0
is "a bound is missing" "$(passes holds x "7 > ")" 0
is "a word is no value" "$(passes holds x "<not counted> > 6")" 0
is "nothing at all" "$(passes holds x "")" 0
summary
