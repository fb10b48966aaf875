#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: mutants.sh LANEWISE FOLDER [FILE.cu ...]
#
# How many faults put into right kernels `check` or `test` find.  By default right kernels of examples/ and tests/cases; each kind of
# mutation is made at up to two places of each.  A mutant whose PTX is that of the original, or that no longer compiles, does not count.
#
# Contracts are completed first.  Kernels without one have it in mutants.h; LW_WRITES_ALL and LW_DISJOINT are written behind every array
# where the right kernel passes with them; a kernel whose results no contract can describe has a reference in references/.
# `test` finds a mutant when it exits 1; `check` when it exits 1 or a verdict is `violated` (an index that wraps for a launch that the
# contract admits is a warning).  A mutant that has a new warning and nothing else is alive: `warned` counts those among the living.
#
# Two kernels at a time.  FOLDER keeps a line for each mutant: a script that was ended goes on where it was.  A quarter of
# an hour on two busy cores.

set -u
kinds="guard-le guard-dropped early-return fill-changed narrowed clamp-dropped row-dropped block-fixed mask-widened sync-removed"
limit=60 # seconds of one command
root=$(cd "$(dirname "$0")/../.." && pwd)

# The code alone: lines and names of files differ.
code() {
    timeout "$limit" "$tool" run "$1" --keep-ptx "$work/out.ptx" --launch 'kernel: none; grid: 1; block: 1' >/dev/null 2>&1
    [ -s "$work/out.ptx" ] || return 1
    sed -e 's,//.*,,' -e '/\.loc/d' -e '/\.file/d' -e '/^[[:space:]]*$/d' -e '/\.section/,$d' "$work/out.ptx"
    rm -f "$work/out.ptx"
}

# What check and test say of a file: "both 1 1", with the exit statuses.
judge() {
    timeout "$limit" "$tool" check -q $contracts -f json="$work/check.json" "$1" >/dev/null 2>&1
    by_check=$?
    timeout "$limit" "$tool" test -q -j 1 $contracts -f json="$work/test.json" "$1" >/dev/null 2>&1
    by_test=$?
    [ "$by_check" -eq 0 ] && grep -Eq '"(bounds|sync|races)": "violated"' "$work/check.json" && by_check=1
    case "$by_check $by_test" in
    "1 1") echo "both 1 1" ;;
    "1 "*) echo "check 1 $by_test" ;;
    *" 1") echo "test $by_check 1" ;;
    *)
        if cat "$work/check.json" "$work/test.json" 2>/dev/null | grep '"id"' | sort -u | grep -vxFf "$work/right.ids" | grep -q .; then
            echo "warned $by_check $by_test"
        else
            echo "alive $by_check $by_test"
        fi
        ;;
    esac
}

complete() {
    for word in LW_WRITES_ALL LW_DISJOINT; do
        for number in 1 2 3; do
            awk -v word=$word -v number=$number -f "$root/tests/tools/complete.awk" "$1" >"$work/completed.cu" || continue
            case $(judge "$work/completed.cu") in
            "alive 0 0") cp "$work/completed.cu" "$1" ;;
            esac
        done
    done
}

# All mutants of one kernel: lines "KIND NUMBER both|check|test|warned|alive|equal|broken STATUS STATUS CHANGED-LINE".
do_kernel() {
    original=$1
    stem=$(basename "$original" .cu)
    results=$folder/$stem.txt
    touch "$results"
    grep -q '^done' "$results" && return
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
    file=$work/$stem.cu
    cp "$original" "$file"
    contracts=
    grep -q LW_ "$file" || contracts="-c $root/tests/tools/mutants.h"
    [ -e "$root/tests/tools/references/$stem.cu" ] && cat "$root/tests/tools/references/$stem.cu" >>"$file"
    : >"$work/right.ids"
    case $(judge "$file") in
    "alive 0 0" | "warned 0 0") ;;
    *) echo "not-right 0 - 0 0 the original does not pass" >"$results"; return ;;
    esac
    cat "$work/check.json" "$work/test.json" 2>/dev/null | grep '"id"' | sort -u >"$work/right.ids"
    complete "$file"
    code "$file" >"$work/right.code" || { echo "not-right 0 - 0 0 the original does not compile" >"$results"; return; }
    for kind in $kinds; do
        for number in 1 2; do
            mutant=$work/mutant.cu
            grep -q "^$kind $number " "$results" && continue
            awk -v kind="$kind" -v number="$number" -f "$root/tests/tools/mutate.awk" "$file" >"$mutant" || break
            changed=$(diff "$file" "$mutant" | sed -n 's/^> *//p' | head -1)
            if ! code "$mutant" >"$work/mutant.code"; then
                verdict="broken 0 0"
            elif cmp -s "$work/right.code" "$work/mutant.code"; then
                verdict="equal 0 0"
            else
                verdict=$(judge "$mutant")
            fi
            echo "$kind $number $verdict $changed" >>"$results"
        done
    done
    echo "done 0 - 0 0" >>"$results"
}

if [ "${1-}" = --kernel ]; then
    tool=$2
    folder=$3
    cd "$root" && do_kernel "$4"
    exit
fi

[ $# -ge 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
tool=$(realpath "$1") && mkdir -p "$2" && folder=$(realpath "$2") || exit 2
shift 2
cd "$root" || exit 2
if [ $# -eq 0 ]; then
    for case in s01_scale s03_gemm s07_stencil_clamped s23_pitched s25_dynamic_shared s27_batched; do
        set -- "$@" "tests/cases/check/$case.cu"
    done
    for example in big_index block_sum compact copy_2d dynamic_shared gemm_naive gemm_tiled histogram last_block reverse_tile row_max accumulate \
        idle_lanes grid_stride reverse_live stencil_constant stencil_periodic constant_table scale_tail scan stencil_2d stencil_clamped \
        tile_loop transpose warp_exchange warp_sum; do
        set -- "$@" "examples/${example}_good.cu"
    done
    set -- tests/cases/proved/*.cu "$@" tests/cases/pairs/ballot.cu tests/cases/run/15_partial_warp_xor_good.cu \
        tests/cases/run/20_full_mask_in_branch_good.cu tests/cases/pairs/branch_by_block.cu tests/cases/pairs/double_buffer.cu \
        tests/cases/pairs/warp_tail.cu tests/cases/pairs/whole_trips.cu tests/cases/check/s13_return_uniform_by_contract.cu \
        tests/cases/check/s14_return_by_block.cu
fi
printf '%s\n' "$@" | xargs -P 2 -n 1 sh "$0" --kernel "$tool" "$folder" || exit 2

for original in "$@"; do
    sed -n -e "s,^not-right [^ ]* [^ ]* [^ ]* [^ ]*,left out: $original:,p" \
        -e "s,^\([^ ]*\) \([0-9]*\) \(alive\|warned\) \([0-9]*\) \([0-9]*\) ,\3: $original \1 \2 (check \4\, test \5): ,p" \
        "$folder/$(basename "$original" .cu).txt"
done
for original in "$@"; do
    cat "$folder/$(basename "$original" .cu).txt"
done | awk '
    $1 == "done" { kernels++ }
    $1 == "done" || $1 == "not-right" { next }
    { count[$1 " " $3]++; if (!($1 in known)) { known[$1] = 1; order[++kinds] = $1 } }
    $3 != "equal" && $3 != "broken" { all++; killed += $3 != "alive" && $3 != "warned" }
    END {
        printf "%-16s %8s %8s %8s %8s %8s %8s %8s\n", "mutation", "both", "check", "test", "warned", "alive", "equal", "broken"
        for (i = 1; i <= kinds; i++) {
            k = order[i]
            printf "%-16s %8d %8d %8d %8d %8d %8d %8d\n", k, count[k " both"], count[k " check"], count[k " test"], count[k " warned"],
                count[k " alive"], count[k " equal"], count[k " broken"]
        }
        printf "%d kernels, %d mutants that differ, %d killed: %.1f %%\n", kernels, all, killed, all ? 100 * killed / all : 0
    }
'
