# SPDX-License-Identifier: GPL-2.0-only
# gnuplot -e "data='docs/upmem-roofline.txt'" docs/upmem-roofline.gp > docs/upmem-roofline.svg
set terminal svg size 860,460 font "sans,12" background "white"
set logscale xy
set xlabel "instructions for each byte of MRAM traffic"
set ylabel "instructions a cycle of a DPU"
set xrange [0.25:20]
set yrange [0.02:1.6]
set key bottom left reverse Left
set grid
roof(x) = 2 * x < 1 ? 2 * x : 1
plot roof(x) with lines lw 2 lc "#57606a" title "2 bytes and 1 instruction a cycle", \
	1.0 / 11 with lines dt 2 lc "#57606a" title "one tasklet", \
	for [t in "1 16"] data using (strcol(2) eq t ? $3 : 1/0):4 with points pt (t eq "1" ? 6 : 7) ps 0.8 \
		lc rgb (t eq "1" ? "#0550ae" : "#bc4c00") title t." tasklet".(t eq "1" ? "" : "s"), \
	data using 3:(strcol(2) eq "16" ? $4 : 1/0):1 with labels offset 0,0.7 font "sans,10" notitle
