# SPDX-License-Identifier: GPL-2.0-only
# gnuplot -e "data='docs/esp-contention.txt'" docs/esp-contention.gp > docs/esp-contention.svg
set terminal svg size 860,360 font "sans,12" background "white"
set multiplot layout 1,2
set xlabel "accelerators that run at the same time"
set xrange [0.8:6.2]
set yrange [0:*]
set key top left
set grid
modes = "none llc full"
set title "cycles of DMA of each (acc\\_mem), thousands"
plot for [m in modes] data using 2:(strcol(1) eq m ? $3 / 1000 : 1/0) with linespoints title m
set title "cycles that a flit occupies a link (noc\\_queue\\_full)"
plot for [m in modes] data using 2:(strcol(1) eq m ? $5 / $6 : 1/0) with linespoints title m
