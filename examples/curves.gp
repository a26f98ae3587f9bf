# SPDX-License-Identifier: Apache-2.0
# Curves of 'sepx compare --csv': the mean of the best score so far with its
# standard error.
#
#     gnuplot -c curves.gp CURVES.csv PICTURE.svg "WHAT THE SCORE IS" METHOD...
set terminal svg size 640,400 dynamic background rgb "white" font "sans-serif,13"
set output ARG2
set datafile separator comma
set xlabel "evaluations"
set ylabel ARG3
set key top right
set grid lc rgb "#dddddd"
set style fill transparent solid 0.2 noborder
colours = "#0060ad #d95319 #5e8c31"
methods = ARG4." ".ARG5." ".ARG6
# Rows of one method; its options are part of the first column.
is(label, name) = label[1:strlen(name)] eq name
plot for [i = 1:words(methods)] ARG1 skip 1 \
        using 3:(is(strcol(1), word(methods, i)) ? $4 - $5 : NaN):($4 + $5) \
        with filledcurves lc rgb word(colours, i) notitle, \
    for [i = 1:words(methods)] ARG1 skip 1 \
        using 3:(is(strcol(1), word(methods, i)) ? $4 : NaN) \
        with lines lw 2 lc rgb word(colours, i) title word(methods, i)
