# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For scripts, sourced: ends them if libpfm4 could not be built here.
[ -e build/libpfm4/validate.log ] || {
	echo "libpfm4 is not built: $(tail -n 1 build/libpfm4.log 2>/dev/null)"
	exit 77
}
