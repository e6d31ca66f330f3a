#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A host program that is set-uid does not follow the environment of who calls it: no compiler, file or folder of theirs.
. "${srcdir:-.}/tests/guest/lib.sh"
[ "$(id -u)" -eq 0 ] || skip "only root can make a set-uid program for another user"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cat >"$dir/host.c" <<'END'
#include <dpu.h>
int main(int argc, char **argv)
{
	struct dpu_set_t set;

	DPU_ASSERT(dpu_alloc(1, "backend=simulator", &set));
	DPU_ASSERT(dpu_load(set, argv[argc - 1], NULL));
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	return dpu_free(set) != DPU_OK;
}
END
# by its rpath: a loader takes no library path for a set-uid program
ok "a host" "${CC:-cc}" "$dir/host.c" -o "$dir/host" -I"$srcdir/libmon/include" -I"$srcdir/libmon/upmem/include" \
	-Wl,-rpath,"$PWD/.libs" -L.libs -lmon-dpu
cp examples/upmem/hello.dpu "$dir/"
chmod 755 "$dir/host"
cat >"$dir/evil" <<END
#!/bin/sh
id -u >>$dir/open/ran
exit 1
END
chmod 755 "$dir/evil"
mkdir "$dir/open"
chmod 777 "$dir/open"

# as_user [VARIABLE=VALUE]: runs the host as another user, whose environment names files and a compiler
as_user()
{
	rm -rf "$dir/open"/*
	(cd "$dir/open" && setpriv --reuid 54321 --regid 54321 --clear-groups env -i PATH="$PATH" HOME="$dir/open" \
		LIBMON_DPU_CC="$dir/evil" LIBMON_DPU_BLOCKS=now LIBMON_DPU_REPORT="$dir/open/report" \
		LIBMON_DPU_CORE="$dir/open/core" XDG_CACHE_HOME="$dir/open" "$@" "$dir/host" "$dir/hello.dpu" >"$dir/said" 2>&1)
	echo "$? $(ls -A "$dir/open" | tr '\n' ' ')"
}
# this user's own program does
like "an ordinary program" "$(as_user)" '^0 .*ran report $'
like "one with a profile" "$(as_user LIBMON_DPU_PROFILE="$dir/open/profile")" '^0 profile.* report $'
chmod 4755 "$dir/host"
[ "$(findmnt -no OPTIONS -T "$dir" | grep -c nosuid)" -eq 0 ] || skip "$dir is mounted nosuid"
is "a set-uid program" "$(as_user)" "0 "
is "one with a profile" "$(as_user LIBMON_DPU_PROFILE="$dir/open/profile")" "0 "
summary
