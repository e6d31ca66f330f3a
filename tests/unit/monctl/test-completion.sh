#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Completion of monctl: bash with its variables set by hand, zsh in a terminal with the Tab key.
# Events come from sysfs: tests/guest/monctl.sh runs this for them.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
command -v zsh >/dev/null || skip "no zsh: install the package zsh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/monctl" "$dir/monctl"
PATH=$dir:$PATH
commands="diff export list mark record report serve stat top topology"
presets="accelerators budget caches coherence display dma fabric gfx imaging links memory module0 noc packets pipeline profile threads"

. "$srcdir/tools/monctl/completion/monctl"

# in_bash WORD...: what completes the last one, in one line
in_bash()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_monctl
	printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' '
}

# in_zsh LINE: the line after Tab
in_zsh()
{
	zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste; fpath=($1 \$fpath)"
		zpty -w shell "autoload -Uz compinit; compinit -u -D; bindkey \"^I\" complete-word"
		zpty -w shell "print-line() { print -r -- \"<<\$BUFFER>>\" >$3 }; zle -N print-line; bindkey \"^X\" print-line"
		zpty -w -n shell "$2"$'\''\t\x18'\''
		repeat 1200; do
			[[ -s $3 ]] && break
			zpty -r -t shell junk
			sleep 0.05
		done
		zpty -d shell' zsh "$srcdir/tools/monctl/completion" "$1" "$dir/line" >/dev/null 2>&1
	sed 's/^<<\(.*\)>>$/\1/' "$dir/line"
	rm -f "$dir/line"
}
srcdir=$(cd "$srcdir" && pwd)

if [ -d /sys/bus/event_source/devices/espmon ]; then
	is "bash: events" "$(in_bash monctl stat -e espmon/ddr)" "espmon/ddr_accesses/"
	is "bash: one more" "$(in_bash monctl stat -e espmon/l2_hits/,espmon/ddr)" \
		"espmon/l2_hits/,espmon/ddr_accesses/"
	# zsh's completion system takes minutes to start in a guest: only the words are tested,
	# without it
	is "zsh: events" "$(zsh -f -c '
		_describe() { }
		compadd() { print -rl -- $events }
		CURRENT=2
		. "$1"
		setopt extended_glob
		_monctl_events' zsh "$srcdir/tools/monctl/completion/_monctl" | grep '^espmon/ddr')" \
		"espmon/ddr_accesses"
	summary
fi

is "bash: commands" "$(in_bash monctl '')" "--help --version $commands"
is "bash: begun" "$(in_bash monctl re)" "record report"
is "bash: presets" "$(in_bash monctl stat -p '')" "$presets"
like "bash: options of a command" "$(in_bash monctl record --)" '--interval .*--no-marks .*--output'
is "bash: one option" "$(in_bash monctl serve --li)" "--listen"
touch "$dir/some.data"
is "bash: files" "$(cd "$dir" && in_bash monctl report some)" "some.data"
is "bash: a command behind --" "$(in_bash monctl stat -- tru)" "$(compgen -c tru | sort | paste -sd ' ')"

is "zsh: a command" "$(in_zsh 'monctl ser')" "monctl serve "
is "zsh: a preset" "$(in_zsh 'monctl stat -p coh')" "monctl stat -p coherence "
is "zsh: an option" "$(in_zsh 'monctl record --no-m')" "monctl record --no-marks "
is "zsh: a file" "$(cd "$dir" && in_zsh 'monctl report som')" "monctl report some.data "
is "zsh: a command behind --" "$(in_zsh 'monctl stat -- chgr')" "monctl stat -- chgrp "
is "zsh: what two commands share" "$(in_zsh 'monctl r')" "monctl re"
summary
