#!/usr/bin/awk -f
# SPDX-License-Identifier: Apache-2.0
# How far a circuit is from multiplying: wrong bits of 64, then gates.
# Reads {"nodes":["a0",...],"edges":[[0,4],...]}; sources come first.
BEGIN { FS = "\"edges\":" }
{
    n = split($1, word, "\"")
    for (i = 4; i < n; i += 2)
        label[nodes++] = word[i]
    n = split($2, number, /[^0-9]+/)
    for (i = 2; i < n; i += 2)
        source[number[i + 1], fan[number[i + 1]]++] = number[i]
    for (row = 0; row < 16; row++) {
        a = int(row / 4)
        b = row % 4
        for (i = 0; i < nodes; i++) {
            x = on[source[i, 0]]
            y = on[source[i, 1]]
            place = 2 ^ substr(label[i], 2)
            if (label[i] == "and") on[i] = x && y
            else if (label[i] == "or") on[i] = x || y
            else if (label[i] == "xor") on[i] = x != y
            else if (label[i] ~ /^a/) on[i] = int(a / place) % 2
            else if (label[i] ~ /^b/) on[i] = int(b / place) % 2
            else wrong += x != int(a * b / place) % 2
        }
    }
    print wrong + (nodes - 8) / 100
}
