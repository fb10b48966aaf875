#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo.sh LANEWISE      (from the root of the source tree)
#
# Runs pairs of examples, a kernel with a fault and its cure, and shows what the tool says about each.  Fails when a fault
# goes unseen or a cure is blamed.

set -u
lanewise=$1
bad=0

# show STATUS FILE: runs one example, which must end with STATUS.
show() {
    printf '\n$ lanewise run %s\n' "$2"
    "$lanewise" run "$2"
    status=$?
    if [ "$status" -ne "$1" ]; then
        printf 'demo: exit status %d, expected %d\n' "$status" "$1"
        bad=1
    fi
}

pair() {
    printf '\n---- %s ----\n' "$1"
    show 1 "examples/$2"
    show 0 "examples/$3"
}

pair "the tail of the grid: one thread too many passes the test" scale_tail_bad.cu scale_tail_good.cu
pair "a copy whose index is formed from the width of the launch" copy_2d_bad.cu copy_2d_good.cu
pair "an early return before a barrier, and its cure" reverse_tile_bad.cu reverse_tile_good.cu

printf '\n'
if [ "$bad" -ne 0 ]; then
    echo "demo: not as it should be, see above"
    exit 1
fi
echo "Each fault was found and each cure ran clean.  More: lanewise run examples/FILE, lanewise explain LW101."
