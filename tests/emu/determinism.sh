#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reports and results are the same, to the byte, for every number of jobs and every instruction set: kernels without findings, with races
# between blocks (the launch starts again in order), with barriers that diverge, with used atomics, with printing.
set -eu
tool=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
for file in \
    tests/cases/run/37_last_block_ticket_bad.cu tests/cases/run/24_volatile_warp_tail_bad.cu \
    tests/cases/run/16_early_return_barrier_bad.cu tests/cases/run/05_i32_row_gather_bad.cu \
    tests/cases/order/grid_barrier.cu tests/emu/race_between_blocks.cu tests/emu/histogram_and_print.cu; do
    name=$(basename "$file" .cu)
    "$tool" run "$root/$file" --keep-ptx "$work/$name.ptx" --exit-zero -q >/dev/null 2>&1 || true
    sed -n '/^\/\//p' "$root/$file" >"$work/$name.launch"
    "$tool" run "$work/$name.ptx" --launch "@$work/$name.launch" --jobs 1 --isa plain --format json --exit-zero >"$work/first" 2>&1
    for jobs in 1 2 3 8; do
        for isa in plain avx2 avx512; do
            "$tool" run "$work/$name.ptx" --launch "@$work/$name.launch" --jobs $jobs --isa $isa --format json --exit-zero >"$work/other" 2>&1
            cmp -s "$work/first" "$work/other" || {
                echo "$file: --jobs $jobs --isa $isa differs from --jobs 1 --isa plain"
                diff "$work/first" "$work/other" | head -20
                exit 1
            }
            count=$((count + 1))
        done
    done
done
echo "$count runs agree"
