#!/bin/sh
# Scores a graph by its edges, after a while that differs from run to run.
n=$(grep -o '\[[0-9]*,[0-9]*' | wc -l)
sleep "0.0$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')"
echo "{\"score\": $n, \"trial\": $SEPX_TRIAL}"
