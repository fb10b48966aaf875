#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tails_shapes.sh LANEWISE COMPILER
#
# Reductions and scans in blocks of every shape: one thread, one more than a warp, the largest, two and three axes.  `lanewise test` itself
# tries few blocks.  Prints what failed; exit status 1 then.

set -u
lanewise=$1 compiler=$2
folder=$(dirname "$0")
failed=0

# expect_clean WHAT ARGUMENTS...
expect_clean() {
    what=$1
    shift
    if ! output=$("$lanewise" "$@" --compiler "$compiler" 2>&1) || printf '%s\n' "$output" | grep -q '^error'; then
        printf '%s:\n%s\n' "$what" "$output"
        failed=1
    fi
}

for block in "1" "31" "33" "100" "1000" "1024" "5 7 3" "16 33" "1 1 7" "2 2 64"; do
    set -- $block 1 1
    threads=$(($1 * $2 * $3))
    elements=$((3 * threads - threads / 2))
    # Each lane against sums over its own warp.
    first="i/32*32" end="min(i/32*32+32,$threads)"
    expect_clean "warps of $block" run "$folder/tails_warps.cu" --launch "kernel: warp_parts; grid: 1; block: $block
        arg below: buf u32 len=$threads io=out want=sum(k,$first,i,k)
        arg upto: buf u32 len=$threads io=out want=sum(k,$first,i+1,k)
        arg all: buf u32 len=$threads io=out want=sum(k,$first,$end,k)"
    # The contract's LW_REDUCES is the judge.
    expect_clean "blocks of $block" test "$folder/tails_blocks.cu" --launch "kernel: block_sum_i32; grid: 3; block: $block
        arg out: buf i32 len=3 io=out
        arg x: buf i32 len=$elements io=in init=i*7%23-11
        arg n: u32 $elements"
done
for block in 1 33 1000 1024; do
    expect_clean "scan of $block" run "$folder/tails_scans.cu" --launch "kernel: sum_i32; grid: 1; block: $block
        arg upto: buf i32 len=$block io=out want=sum(k,0,i+1,x[k])
        arg before: buf i32 len=$block io=out want=sum(k,0,i,x[k])
        arg x: buf i32 len=$block io=in init=i*7%23-11
        arg n: u32 $block"
done
exit $failed
