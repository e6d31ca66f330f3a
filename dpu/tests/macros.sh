#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Macros, repetitions, conditions and operators of dpu-as: each text, what it stands for, and GNU as beside it.
. "${srcdir:-.}/tests/guest/lib.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# bytes FILE: of .data, as one line
bytes()
{
	readelf -x .data "$1" 2>/dev/null | sed -n 's/^ *0x[0-9a-f]* //p' | cut -c1-36 | tr -d ' \n'
}

# data TEXT: assembled by dpu-as
data()
{
	printf '.text; .quad 0; .data\n%s\n.balign 8\n' "$1" >"$tmp/in.s"
	rm -f "$tmp/out"
	./dpu-as --no-runtime -o "$tmp/out" "$tmp/in.s" 2>&1 && bytes "$tmp/out"
}

# same NAME EXPANSION: standard input is the text
same()
{
	local text plain

	text=$(cat)
	plain=$(data "$2")
	[ -n "$plain" ]
	verdict "$1: what it stands for" $? "$2"
	is "$1" "$(data "$text")" "$plain"
	if as --32 -o "$tmp/gnu.o" "$tmp/in.s" 2>"$tmp/gnu.log"; then
		is "$1: GNU as" "$(bytes "$tmp/gnu.o")" "$plain"
	elif type as >/dev/null 2>&1; then
		is "$1: GNU as takes it" "$(cat "$tmp/gnu.log")" ""
	fi
}

same "a macro that uses itself (the manual's sum)" '.long 0, 1, 2, 3, 4, 5' <<'END'
	.macro  sum from=0, to=5
	.long   \from
	.if     \to-\from
	sum     "(\from+1)",\to
	.endif
	.endm
	sum
END
same "defaults, positions and names (the manual's reserve_str)" '.byte 7, 9, 0, 2, 5, 0, 4, 3' <<'END'
	.macro reserve_str p1=0 p2
	.byte \p1
	.ifb \p2
	.byte 0
	.else
	.byte \p2
	.endif
	.endm
	reserve_str 7,9
	reserve_str ,2
	reserve_str p1=5
	reserve_str p2=3,p1=4
END
same "white space between arguments, not beside operators" '.byte 1, 2, 3, 7, 5' <<'END'
	.macro two a b
	.byte \a, \b
	.endm
	two 1 2
	two 1 + 2, 3+4
	.byte 5
END
same "req and vararg" '.byte 9, 1, 2, 3, 4' <<'END'
	.macro m p1:req, p2=9, p3:vararg
	.byte \p2
	.byte \p1, \p3
	.endm
	m 1,,2, 3, 4
END
same "a quoted argument" '.ascii "one, two"
	.byte 3' <<'END'
	.macro say text
	.ascii "\text"
	.endm
	say "one, two"
	.byte 3
END
same "names that are put together" 'a.b: .byte 1
	x1: .byte 2
	.byte 3' <<'END'
	.macro label l, rest
	\l\().\rest\(): .byte 1
	.endm
	label a b
	.irp n,1
	x\n: .byte 2
	.endr
	.byte a.b + 3 - a.b
END
same "the number of an expansion" '.byte 0, 1, 2, 3' <<'END'
	.macro number
	.Lat\@: .byte \@
	.endm
	.macro twice
	.byte \@
	number
	.endm
	number
	twice
	.byte 3
END
same "a macro that defines a macro" '.byte 1, 3, 2, 3' <<'END'
	.macro make name value
	.macro \name second
	.byte \value, \second
	.endm
	.endm
	make one 1
	make two 2
	one 3
	two 3
END
same ".exitm, also out of a condition and a repetition" '.byte 1, 5, 6, 2, 2, 7' <<'END'
	.macro until n
	.byte 1
	.if \n
	.exitm
	.endif
	.byte 4
	.endm
	until 1
	.byte 5
	.macro in
	.byte 6
	.rept 3
	.byte 2
	.endr
	.endm
	.macro first
	.irp x,2,2,3
	.byte \x
	.ifc \x,2
	.else
	.exitm
	.endif
	.endr
	.endm
	.byte 6, 2, 2, 7
END
same ".rept in .rept, on lines of their own and on one" '.byte 1, 2, 2, 1, 2, 2, 3, 3' <<'END'
	.rept 2
	.byte 1
	.rept 1 + 1
	.byte 2
	.endr
	.endr
	.rept 2; .byte 3; .endr
	.rept 0
	.byte 4
	.endr
END
same "a table by .rept and a symbol" '.byte 0, 1, 4, 9, 16' <<'END'
	.set i, 0
	.rept 5
	.byte i * i
	i = i + 1
	.endr
END
same ".irp and .irpc" '.long 1, 2, 3
	.byte 4, 5, 6, 0, 77' <<'END'
	.irp param,1,2,3
	.long \param
	.endr
	.irpc digit,456
	.byte \digit
	.endr
	.irp none
	.byte 0\none
	.endr
	.byte 77
END
same "conditions on numbers" '.byte 1, 2, 3, 4, 5, 6, 7, 8' <<'END'
	.set x, 3
	.if x > 2 && x != 4
	.byte 1
	.endif
	.ifeq x - 3
	.byte 2
	.endif
	.ifne x
	.byte 3
	.endif
	.ifge x - 3
	.byte 4
	.endif
	.iflt x - 4
	.byte 5
	.endif
	.ifgt x - 3
	.byte 99
	.endif
	.ifle x
	.byte 99
	.elseif x == 3
	.byte 6
	.elseif 1
	.byte 99
	.else
	.byte 99
	.endif
	.if 0
	.if 1
	.byte 99
	.else
	.byte 99
	.endif
	.macro nothing
	.nothing
	.else
	.byte 7
	.endif
here:	.if . - here == 0
	.byte 8
	.endif
END
same "conditions on names and texts" '.byte 1, 2, 3, 4, 5, 6' <<'END'
	.ifdef later
	.byte 99
	.endif
	.ifndef later
	.byte 1
	.endif
later:	.byte 2
	.ifdef later
	.byte 3
	.endif
	.ifc one, one
	.byte 4
	.endif
	.ifnc one, two
	.byte 5
	.endif
	.ifeqs "a","b"
	.byte 99
	.endif
	.ifnes "a","b"
	.byte 6
	.endif
END
same "ranks of operators" '.byte 5, 0, 7, 4, 255, 255, 0, 1, 1, 6, 2, 255, 1' <<'END'
	.byte 1+2*2, 3&2*2, 1|2+4, 1+1|2, 3==1+2, 1<2, 2<1, 1&&2, 0||3, 5^3, 1+1<<0, !0 - 1 == 0, 2>1==-1 && 1
END
same "a body with comments and strings" '.ascii "#;\\"
	.byte 1, 2' <<'END'
	.macro all /* of it */
	.ascii "#;\\"	# not ; here
	.byte 1 ; .byte 2
	.endm
	all
END

# refused NAME WORDS: standard input is refused with words
refused()
{
	cat >"$tmp/in.s"
	./dpu-as -o "$tmp/out" "$tmp/in.s" >"$tmp/error" 2>&1
	is "$1: status" $? 1
	like "$1: why" "$(cat "$tmp/error")" "$2"
}

refused "an error in a macro" "in\.s:2: unknown directive '\.nothing'; in 'inner' used at .*in\.s:5; in 'outer' used at .*in\.s:7$" <<'END'
	.macro inner
	.nothing
	.endm
	.macro outer
	inner
	.endm
	outer
END
refused "a repetition without its end" "in\.s:2: '\.rept' of line 2 has no end; in 'm' used at .*in\.s:5$" <<'END'
	.macro m
	.rept 2
	.endm
	nop
	m
END
refused "a macro without its end" "in\.s:2: 'm' of line 1 has no end$" <<'END'
	.macro m
	nop
END
refused "a condition without its end" "in\.s:2: '\.if' without '\.endif'$" <<'END'
	.if 0
	nop
END
refused "an end of nothing" "in\.s:1: '\.endr' without its beginning$" <<'END'
	.endr
END
refused ".else twice" "in\.s:4: '\.else' without its '\.if'$" <<'END'
	.if 0
	.else
	nop
	.else
	.endif
END
refused "a number that is not known yet" "in\.s:1: 'later' must be a number that is known here$" <<'END'
	.if later
	.endif
later:	nop
END
refused "a parameter without its value" "in\.s:3: parameter 'a' needs a value$" <<'END'
	.macro m a:req
	.endm
	m
END
refused "too many arguments" "in\.s:3: no parameter for '3'$" <<'END'
	.macro m a b
	.endm
	m 1, 2, 3
END
refused "a name that is no parameter" "in\.s:3: no parameter for 'c=3'$" <<'END'
	.macro m a b
	.endm
	m 1, c=3
END
refused "a second macro of the name" "in\.s:3: 'm': \.macro needs a name that no other macro has" <<'END'
	.macro m
	.endm
	.macro m
	.endm
END
refused "a macro that uses itself for ever" "in\.s:2: files or macros nested too deeply; in 'm' used at" <<'END'
	.macro m
	m
	.endm
	m
END
refused ".error" "in\.s:1: \.error not for this chip$" <<'END'
	.error "not for this chip"
END
for directive in altmacro purgem struct octa; do
	refused ".$directive by its name" "in\.s:1: unknown directive '\.$directive'$" <<<"	.$directive"
done

# Instructions in macros
cat >"$tmp/in.s" <<'END'
	.macro count variable, by=1
	lw r0, zero, \variable
	add r0, r0, \by
	sw zero, \variable, r0
	.endm
	.macro twice variable
.Lagain\@:
	count \variable, by=2
	jltu r0, 8, .Lagain\@
	.endm
	.section .dpu_host
	.irp name,a,b
\name:	.long 0
	.size \name, 4
	.endr
	.text
main:	twice a
	.rept 3; count b; .endr
	twice b
	jump r23
END
./dpu-as -g -o "$tmp/out" "$tmp/in.s" || cat "$tmp/in.s"
is "instructions" "$(./dpu-run -p a -p b "$tmp/out")" $'a = 8\nb = 9'
# a program's own unit of dpu-cc: the library that a macro names is linked
cat >"$tmp/main.c" <<'END'
#include <stdio.h>
extern int sum(void);
int main(void)
{
	printf("%d\n", sum());
	return 0;
}
END
cat >"$tmp/sum.S" <<'END'
#define FIRST 1
	.macro function name
	.globl \name
\name:
	.endm
	function sum
	move r0, 0
	.irp n, FIRST, 2, 3
	add r0, r0, \n
	.endr
#ifdef DOUBLE
	add r0, r0, r0
#endif
	jump r23
END
ok "dpu-cc" ./dpu-cc -O2 -DDOUBLE -o "$tmp/out" "$tmp/main.c" "$tmp/sum.S"
is "a macro in a .S" "$(./dpu-run "$tmp/out")" 12
summary
