#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench/tails.sh LANEWISE [JOBS]
#
# How long `lanewise test` takes for about a thousand launches of small kernels on two threads, compilation included: kernels of examples/
# with the contracts of tests/tools/mutants.h.  Says what else the machine was doing, and the processor time, which does not depend on it.

set -u
tool=$(realpath "$1") || exit 2
jobs=${2:-2}
cd "$(dirname "$0")/.." || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
files=
for example in scale_tail block_sum copy_2d reverse_tile row_max scan stencil_2d stencil_clamped transpose warp_exchange warp_sum; do
    files="$files examples/${example}_good.cu"
done
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores"
start=$(date +%s.%N)
"$tool" test -j "$jobs" -c tests/tools/mutants.h --format text="$folder/report.txt" $files || exit 1
end=$(date +%s.%N)
times >"$folder/all.txt"
tail -1 "$folder/all.txt" >"$folder/times.txt"
grep 'launches' "$folder/report.txt"
awk -v start="$start" -v end="$end" '
    match($0, /[0-9,]+ launches/) { number = substr($0, RSTART, RLENGTH - 9); gsub(",", "", number); launches += number; kernels++ }
    /^[0-9]+m/ { gsub("s", ""); split($1, user, "m"); split($2, kernel, "m"); used = user[1] * 60 + user[2] + kernel[1] * 60 + kernel[2] }
    END {
        printf "%d kernels, %d launches: %.1f s, %.1f s a thousand; processor time %.1f s\n", kernels, launches, end - start,
            (end - start) * 1000 / launches, used
    }
' "$folder/report.txt" "$folder/times.txt"
