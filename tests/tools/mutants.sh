#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: mutants.sh LANEWISE [FILE.cu ...]
#
# How many faults put into right kernels `check` or `test` find.  By default 30 right kernels of examples/ and tests/cases; each kind
# of mutation is made at up to two places of each.  A mutant whose PTX is that of the original, or that no longer compiles, does not
# count.  Contracts are completed first: an array that is written as a whole is said to be (LW_WRITES_ALL) where the right kernel passes
# with that.  Prints a line for each survivor, then a table.  Takes a quarter of an hour: run by hand; bench/results/mutants.txt keeps
# what it said.

set -u
tool=$(realpath "$1") || exit 2
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
kinds="guard-le guard-dropped early-return fill-changed narrowed clamp-dropped row-dropped block-fixed mask-widened sync-removed"

if [ $# -eq 0 ]; then
    cd "$root" || exit 2
    set -- tests/cases/proved/*.cu tests/cases/check/s01_scale.cu tests/cases/check/s03_gemm.cu tests/cases/check/s07_stencil_clamped.cu \
        tests/cases/check/s23_pitched.cu tests/cases/check/s25_dynamic_shared.cu tests/cases/check/s27_batched.cu \
        examples/block_sum_good.cu examples/copy_2d_good.cu examples/dynamic_shared_good.cu examples/gemm_naive_good.cu \
        examples/gemm_tiled_good.cu examples/histogram_good.cu examples/reverse_tile_good.cu examples/row_max_good.cu \
        examples/scale_tail_good.cu examples/scan_good.cu examples/stencil_2d_good.cu examples/stencil_clamped_good.cu \
        examples/tile_loop_good.cu examples/transpose_good.cu examples/warp_sum_good.cu
fi

# The code alone: lines and names of files differ.
code() {
    timeout 120 "$tool" run "$1" --keep-ptx "$folder/out.ptx" --launch 'kernel: none; grid: 1; block: 1' >/dev/null 2>&1
    [ -s "$folder/out.ptx" ] || return 1
    sed -e 's,//.*,,' -e '/\.loc/d' -e '/\.file/d' -e '/^[[:space:]]*$/d' -e '/\.section/,$d' "$folder/out.ptx"
    rm -f "$folder/out.ptx"
}

: >"$folder/results"
kernels=0
for original in "$@"; do
    kernels=$((kernels + 1))
    file=$folder/right_$(basename "$original")
    sed -e '/const/!s/\*\([a-z_]*\) LW_SHAPE([^()]*)/& LW_WRITES_ALL/g' \
        -e 's/^\(.*global__.*(\)\([a-z]* \*[a-z_]* LW_SHAPE([^()]*)\)\( LW_DISJOINT\)*, const/\1\2 LW_WRITES_ALL, const/' \
        "$original" >"$file"
    "$tool" test -q "$file" >/dev/null 2>&1 || cp "$original" "$file"
    code "$file" >"$folder/right.code" || { echo "$original: does not compile"; continue; }
    for kind in $kinds; do
        for number in 1 2; do
            mutant=$folder/$(basename "$file" .cu)_$kind$number.cu
            awk -v kind="$kind" -v number="$number" -f "$root/tests/tools/mutate.awk" "$file" >"$mutant" || break
            if ! code "$mutant" >"$folder/mutant.code"; then
                echo "$kind broken" >>"$folder/results"
            elif cmp -s "$folder/right.code" "$folder/mutant.code"; then
                echo "$kind equal" >>"$folder/results"
            else
                timeout 120 "$tool" check -q "$mutant" >/dev/null 2>&1
                by_check=$?
                timeout 120 "$tool" test -q "$mutant" >/dev/null 2>&1
                by_test=$?
                if [ "$by_check" -eq 1 ] && [ "$by_test" -eq 1 ]; then
                    echo "$kind both" >>"$folder/results"
                elif [ "$by_check" -eq 1 ]; then
                    echo "$kind check" >>"$folder/results"
                elif [ "$by_test" -eq 1 ]; then
                    echo "$kind test" >>"$folder/results"
                else
                    echo "$kind alive" >>"$folder/results"
                    echo "survivor: $original $kind $number (check $by_check, test $by_test): $(diff "$file" "$mutant" | sed -n 's/^> *//p' | head -1)"
                fi
            fi
            rm -f "$mutant"
        done
    done
done

awk -v kernels="$kernels" '
    { count[$1 " " $2]++; if (!($1 in known)) { known[$1] = 1; order[++kinds] = $1 } }
    $2 != "equal" && $2 != "broken" { all++; killed += $2 != "alive" }
    END {
        printf "%-16s %8s %8s %8s %8s %8s\n", "mutation", "both", "check", "test", "alive", "equal"
        for (i = 1; i <= kinds; i++) {
            k = order[i]
            printf "%-16s %8d %8d %8d %8d %8d\n", k, count[k " both"], count[k " check"], count[k " test"], count[k " alive"],
                count[k " equal"]
        }
        printf "%d kernels, %d mutants that differ, %d killed: %.1f %%\n", kernels, all, killed, all ? 100 * killed / all : 0
    }
' "$folder/results"
