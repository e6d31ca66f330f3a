#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Pictures of profiles. profile.callgrind has 700 cycles in thread 0 (main 100, work 400, leaf 200) and 300 in thread 1
# (main). work calls itself once, and tiny has no cycles. Its names are numbered, its positions relative.
. "${srcdir:-.}/tests/guest/lib.sh"
profile=${srcdir:-.}/tests/unit/monctl/profile.callgrind
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# graph OPTION...: lines of the graph, without colours and tooltips
graph()
{
	./monctl callgraph "$@" -o "$dir/graph.dot" "$profile" 2>&1 &&
		sed -n 's/, fillcolor.*\|, penwidth.*//; /^\t\(f\|label\)/s/^\t//p' "$dir/graph.dot"
}

is "one thread" "$(graph --thread 0)" 'monctl callgraph: 4 functions in '"$dir"'/graph.dot
f0 [label="main\n14.3 % itself\n100.0 % with its calls"
f1 [label="work\n57.1 % itself\n85.7 % with its calls"
f2 [label="leaf\n28.6 % itself"
f0 -> f1 [label=" 85.7 %\n 4x"
f1 -> f2 [label=" 28.6 %\n 8x"
f1 -> f1 [label=" 1x"
label="program, thread 0\l700 Cycles: Cycles (modelled)\lnot drawn: 1 function below 0.5 %, 0.0 % in all\l";'
is "all threads: 400 of 1000 cycles are main's own" "$(graph | grep -E 'f0 \[|^label')" \
	'f0 [label="main\n40.0 % itself\n100.0 % with its calls"
label="program\l1000 Cycles: Cycles (modelled)\lnot drawn: 1 function below 0.5 %, 0.0 % in all\l";'
is "another event: 19 of 100" "$(graph -e Ir --min 0 | grep -E 'f[03] \[|^label')" \
	'f0 [label="main\n19.0 % itself\n99.0 % with its calls"
f3 [label="tiny\n1.0 % itself"
label="program\l100 Ir: Instructions\l";'
is "a limit" "$(graph --min 30 --thread 0 | grep -c "^f")" 4
is "an event that is not there" "$(graph -e Nothing)" "monctl callgraph: $profile: no event Nothing: it has Ir Cycles"
is "a thread that is not there" "$(graph -t 2)" \
	"monctl callgraph: $profile: no thread 2: write the profile with --threads, and count from 0"
like "a file that is no profile" "$(./monctl callgraph "$0" 2>&1)" "callgraph: .*test-callgraph.sh: line [0-9]+: not a line of a profile: give"
like "an empty file" "$(./monctl callgraph -o "$dir/x.dot" /dev/null 2>&1)" 'line 0: no costs'
like "a format that Graphviz need not know" "$(./monctl callgraph -o "$dir/x.txt" "$profile" 2>&1)" 'must end with \.svg'
like "without Graphviz" "$(LD_LIBRARY_PATH=$PWD/.libs PATH=$dir "$monctl" callgraph -o "$dir/x.svg" "$profile" 2>&1)" 'dot: cannot run: .*: install graphviz'
ok "a picture" ./monctl callgraph -o "$dir/picture.svg" "$profile"
like "it shows a function" "$(cat "$dir/picture.svg" 2>&1)" '<svg .*>work<'

# valgrind's own files, with its sum
valgrind --tool=callgrind --callgrind-out-file="$dir/true.callgrind" true 2>"$dir/log"
like "a profile by valgrind" "$(./monctl callgraph -o "$dir/true.dot" "$dir/true.callgrind" 2>&1; cat "$dir/true.dot")" \
	"\\\\l$(sed -n 's/^totals: //p' "$dir/true.callgrind") Ir"
summary
