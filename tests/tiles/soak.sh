#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: soak.sh TILES FIRST COUNT LOG [LAUNCHES [clang|nvcc]]
#
# Random tiles (tiles.c) in pieces of 250 seeds, one at a time.  LOG gets the output of each piece behind a line that names it; pieces that it
# names already are left out, so that a run that was broken off goes on where it was.  Ends with the sums over all of LOG.

set -u
[ $# -ge 4 ] || { sed -n '4p' "$0" | cut -c3- >&2; exit 2; }
tiles=$1 first=$2 count=$3 log=$4 launches=${5:-6} compiler=${6:-clang}
piece=250 at=$first end=$((first + count))
touch "$log" || exit 2
while [ "$at" -lt "$end" ]; do
    size=$((end - at < piece ? end - at : piece))
    name="piece $at $size $launches $compiler"
    if ! grep -qx "$name" "$log"; then
        # A piece that is broken off leaves nothing behind.
        "$tiles" "$at" "$size" "$launches" "$compiler" >"$log.part"
        [ $? -le 1 ] || { echo "soak.sh: $name ended by a signal" >&2; exit 2; }
        { echo "$name"; cat "$log.part"; } >>"$log"
        rm -f "$log.part"
    fi
    at=$((at + size))
done
awk '
    / kernels, / { kernels += $1; launches += $3; faulted += $5; unsound += $8; failed += $10; seconds += $1 * $12 }
    /^(sync|races): / { proved[$1] += $2; open[$1] += $5 + $7; still_proved[$1] += $10; still[$1] += $12 }
    END {
        printf "%d kernels, %d launches, %d with faults; %d unsound, %d failed; prover %.3f s a kernel\n", kernels, launches, faulted, unsound, failed,
            kernels ? seconds / kernels : 0
        for (family in proved)
            printf "%s %d sites proved, %d not; %d of %d proved where nothing was seen\n", family, proved[family], open[family],
                still_proved[family], still[family]
    }' "$log"
