#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One minute with sepx; ./quickstart runs it. Needs sepx on PATH.
set -eu
cd "$(dirname "$0")/graphs"
pictures=$(mktemp -d)

show() {
    echo
    echo "\$ $*"
    "$@"
}

echo "Two cells: how far apart are they, and by which edits?"
show sepx ged --pinned input,output --path parent.json child.json
show sepx ged --pinned input,output --json parent.json child.json
echo
echo "Are they the same graph, whatever the order of their nodes?"
show sepx canon parent.json child.json
echo
echo "The edits as a picture: red goes, green comes, orange changes."
show sepx draw --pinned input,output parent.json child.json \
    -o "$pictures/diff.svg"
echo "(see $pictures/diff.svg)"
echo
echo "Two cells of NAS-Bench-101 have a child: which edits does it take (+)?"
show sepx cross cell-1.json cell-2.json --explain -o "$pictures/cross.svg"
echo "(see $pictures/cross.svg)"
echo
echo "How fast is it here? (some seconds; 'sepx bench ged' has the rest)"
show sepx bench ged --quick --no-networkx
echo
echo "The main job: the noise-free comparison on NAS-Bench-101. Six search"
echo "methods, 50 runs of 2,000 evaluations each; 0 is the optimum."
show sepx compare --times
