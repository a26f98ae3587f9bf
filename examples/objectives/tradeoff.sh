#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two numbers of a network of dense layers: its units and its edges.
graph=$(cat)
width=$(($(echo "$graph" | grep -o 'dense[0-9]*' | tr -d a-z | paste -sd +)))
edges=$(echo "$graph" | grep -o '\[[0-9]' | wc -l)
echo "{\"width\": $width, \"edges\": $edges}"
