# SPDX-License-Identifier: GPL-2.0-only
# gnuplot -e "data='docs/upmem-prim.csv'; recorded='docs/upmem-prim-recorded.csv'" docs/upmem-prim.gp
set terminal svg size 1000,820 font "sans,11" background "white"
set datafile separator ","
set multiplot layout 3,3 title "VA, GEMV and RED of PrIM: modelled (left bars) and recorded on a server (right bars)"
set grid y
set ytics nomirror
set xtics scale 0
set yrange [0:*]
set style fill solid 0.9 border lc "white"

parts = "kernel CPU-DPU inter-DPU DPU-CPU"	# columns 5 to 8
colours = "#0550ae #54aeff #57606a #bc4c00"
at(d) = sum [i = 1:words(list)] (word(list, i) eq d ? i : 0)
x(by) = strcol(1) eq figure && strcol(2) eq program && at(strcol(3)) ? at(strcol(3)) + by : 1 / 0
top(part) = part ? (sum [c = 5:4 + part] column(c)) : 0

do for [program in "VA GEMV RED"] {
	do for [figure in "weak rank ranks"] {
		list = figure eq "weak" ? "1 4 16 64" : figure eq "rank" ? "1 4 16 60 64" : "64 256 480 512 1024 2048"
		set title program.(figure eq "weak" ? ": weak scaling" : figure eq "rank" ? ": strong scaling, one rank" : \
			": strong scaling, ranks")
		set xrange [0.5:words(list) + 0.5]
		set xtics ("" 0)
		do for [i = 1:words(list)] { set xtics add (word(list, i) i) }
		set xlabel program eq "RED" ? "DPUs" : ""
		set ylabel figure eq "weak" ? "ms" : ""
		if (program eq "VA" && figure eq "ranks") { set key top right reverse Left } else { set key off }
		plot for [k = 1:4] data using (x(-0.2)):(0):(x(-0.38)):(x(-0.01)):(top(k - 1)):(top(k)) \
				with boxxyerror lc rgb word(colours, k) title word(parts, k), \
			for [k = 1:4] recorded using (x(0.2)):(0):(x(0.01)):(x(0.38)):(top(k - 1)):(top(k)) \
				with boxxyerror fs solid 0.35 lc rgb word(colours, k) notitle
	}
}
unset multiplot
