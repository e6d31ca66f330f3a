#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-sweep with a fake mon-vm: 30 designs, two of which fail; the count is twice the parameter's
# value.
. "${srcdir:-.}/tests/guest/lib.sh"
command -v parallel >/dev/null || skip "parallel not found: install parallel"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "${srcdir:-.}/tools/mon-sweep" "$dir"
cat >"$dir/mon-vm" <<'END'
#!/bin/bash
# --soc DESIGN --output DIR --env N=VALUE -- perf stat -a -x ; -o FILE -e EVENT -e EVENT -- COMMAND
echo "$2" >>"${0%/*}/runs"
case $2 in
*/d07.*) echo "mon-vm: $2: no memory tile"; exit 125 ;;
*/d19.*) echo "halted"; exit 3 ;;
*/d20.*) exit 0 ;;
esac
n=${6#N=}
printf '# started\n\n%s;words;espmon/ddr_accesses/;1;100.00;;\n<not counted>;;espmon/l2_hits/;0;0;;\n' $((n * 2)) \
	>"${14}"
[[ $* != *l2_hits* ]] || exit 0
END
chmod +x "$dir/mon-vm"
for i in $(seq -w 30); do
	: >"$dir/d$i.esp_config"
done
sweep=("$dir/mon-sweep" -j 4 -o "$dir/out" -p N=5,21)

"${sweep[@]}" "$dir"/d*.esp_config -- true >"$dir/table.csv" 2>"$dir/said"
is "a failing design fails the sweep" $? 1
is "a header and 30 designs twice" "$(wc -l <"$dir/table.csv")" 61
is "its columns" "$(head -n 1 "$dir/table.csv")" "design,N,status,reason,seconds,espmon/ddr_accesses/"
# 27 designs count, with 2 * 5 and 2 * 21
is "rows that counted 10" "$(grep -c '^d[0-9]*,5,0,,[0-9.]*,10$' "$dir/table.csv")" 27
is "rows that counted 42" "$(grep -c '^d[0-9]*,21,0,,[0-9.]*,42$' "$dir/table.csv")" 27
like "a design that mon-vm refuses" "$(grep '^d07,5,' "$dir/table.csv")" '^d07,5,125,mon-vm: .*/d07.esp_config: no memory tile,[0-9.]+,$'
like "a command that fails" "$(grep '^d19,21,' "$dir/table.csv")" '^d19,21,3,halted,[0-9.]+,$'
like "a guest that counts nothing" "$(grep '^d20,5,' "$dir/table.csv")" '^d20,5,0,not counted: espmon/ddr_accesses/,'
is "the order is that of the jobs" "$(tail -n +2 "$dir/table.csv" | cut -d , -f 1)" "$(tail -n +2 "$dir/table.csv" | cut -d , -f 1 | sort)"
is "guests" "$(wc -l <"$dir/runs")" 60

# a repetition runs nothing; after an interruption it runs only what is missing
"${sweep[@]}" "$dir"/d*.esp_config -- true >"$dir/again.csv" 2>/dev/null
ok "the same table" cmp "$dir/table.csv" "$dir/again.csv"
is "no guest" "$(wc -l <"$dir/runs")" 60
awk 'NR <= 58' "$dir/out/log" >"$dir/log"
mv "$dir/log" "$dir/out/log"
"${sweep[@]}" "$dir"/d*.esp_config -- true >/dev/null 2>&1
is "what the log lacks" "$(wc -l <"$dir/runs")" 63
"${sweep[@]}" "$dir"/d1*.esp_config -- true >/dev/null 2>"$dir/said"
is "another sweep in the folder" $? 1
like "its reason" "$(cat "$dir/said")" 'holds another sweep'

# by hand, as Slurm's arrays do
sweep=("$dir/mon-sweep" -o "$dir/slurm" -p N=1 -e espmon/ddr_accesses/ -e espmon/l2_hits/)
is "jobs" "$("${sweep[@]}" --prepare "$dir"/d0[1-3].esp_config -- true)" 3
"$dir/mon-sweep" --job "$dir/slurm" 2
is "an event that is not counted" $? 1
is "JSON" "$("$dir/mon-sweep" --table "$dir/slurm" --json | python3 -c '
import json, sys
print([(row["design"], row["reason"], row.get("espmon/ddr_accesses/")) for row in json.load(sys.stdin)])')" \
	"[('d01', 'did not run', None), ('d02', 'not counted: espmon/l2_hits/', 2), ('d03', 'did not run', None)]"
"$dir/mon-sweep" --job "$dir/slurm" 4 2>"$dir/said"
is "a job too many" $? 1
like "its sentence" "$(cat "$dir/said")" 'has jobs 1 to 3'
summary
