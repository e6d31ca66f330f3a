# SPDX-License-Identifier: GPL-2.0-only
#
# awk -f derived.awk perfevent.conf FILE.metrics... : the metrics whose events perfevent.conf counts, as derived metrics
# of PCP, libmon.METRIC. Each event has the value that it counted since pmcd has started its agent: each counter of the
# agent has an instance domain of its own, PCP divides only within one, scalar() takes the domain away, and of delta()
# and rate() it cannot (PCP 6.0.3 crashes). A metric of time, or one whose events are not counted, is left out.
FILENAME ~ /\.conf$/ {
	if (/^[a-z]/)
		counted[$1] = 1
	next
}
$1 == "pmu" { pmu = $2 }
$1 == "metric" { name = $2 }
$1 == "formula" {
	sub(/^[ \t]*formula /, "")
	formula = $0
	scale = ""
}
$1 == "scale" { scale = $2 " * " }
$1 == "text" && name {
	sub(/^[ \t]*text /, "")
	derive()
	name = ""
}

function derive(    rest, out, word, known)
{
	known = 1
	rest = formula
	out = ""
	while (match(rest, /[a-z][a-z0-9_]*|{[^}]*}/)) {
		word = substr(rest, RSTART, RLENGTH)
		known = known && (pmu "." word) in counted
		out = out substr(rest, 1, RSTART - 1) "scalar(instant(perfevent.hwcounters." pmu "." word ".value))"
		rest = substr(rest, RSTART + RLENGTH)
	}
	if (known)
		printf "# %s\nlibmon.%s = %s(%s)\n", $0, name, scale, out rest
}
