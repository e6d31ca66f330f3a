#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A long recording does not have to fit in memory: six minutes of the 354 monitors of a 3x2 SoC, a
# sample each 10 ms, are 207 MB, 102 MB of them counts; monctl report and export --csv have 64 MB
# for their data.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tests/browser/write-hour "$dir/data" 36000 59
# within KIB COMMAND...: with at most that much memory
within()
{
	(ulimit -d "$1" && shift && "$@" 2>&1)
}
like "a page" "$(within 65536 ./monctl report "$dir/data" -o "$dir/page.html")" 'MB in .*page.html'
ok "is at most 20 MB" test "$(stat -c %s "$dir/page.html")" -le 20000000
like "a folder" "$(within 65536 ./monctl report "$dir/data" --dir "$dir/folder")" 'MB in .*folder'
# 36000 bins are 36 pieces of 1024; a page has 4096 bins of 88 ms, and 5 of 80 ms
is "with a piece for each 1024 bins of both levels" "$(find "$dir/folder/pieces" -name '0-*.js' | wc -l) \
$(find "$dir/folder/pieces" -name '1-*.js' | wc -l)" "36 5"
# event 0 of tile 5 counts 6000 in each sample, and a million more in one
is "whose sum is the recording's" "$(python3 - "$dir/folder/pieces" <<'END'
import glob, json, sys

for level in "0", "1":
    total = 0
    for name in glob.glob(f"{sys.argv[1]}/{level}-*.js"):
        text = open(name).read()
        bins = json.loads(text[text.index("["):text.rindex(")")])[5]
        total += sum(n for n in bins if n > 0)
    print(total, end=" ")
END
)" "217000000 217000000 "
is "and so is a table's" "$(within 98304 ./monctl export --csv "$dir/data" | awk -F, 'NR > 1 { s += $7; n++ } END { print n, s }')" \
	"36000 217000000"
summary
