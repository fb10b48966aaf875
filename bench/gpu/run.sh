#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# One run on a machine with a GPU, its driver, a C compiler and CUDA's headers, over what prepare.sh made:
#
#   run.sh FOLDER [RESULT] [CUDA]
#
# Each part goes on when another fails; all of it goes to RESULT (default FOLDER/result.txt) and to the terminal.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "${1:?usage: run.sh FOLDER [RESULT] [CUDA]}" && pwd) || exit 2
result=${2:-$folder/result.txt}
cuda=${3:-/usr/local/cuda}
failed=$folder/failed
[ -n "${LANEWISE_PART-}" ] || rm -f "$failed"

# part TITLE SECONDS COMMAND...: its output, and that it failed if it did.
part() {
    title=$1 seconds=$2
    shift 2
    echo "== $title"
    timeout "$seconds" "$@" 2>&1
    status=$?
    [ "$status" -eq 0 ] || { echo "-- ended with status $status"; echo "$title" >>"$failed"; }
    echo
}

# Of the table of time_kernels: over all rows, the second variant over raw and checked everywhere over raw.
means() {
    awk '$5 > 0 && $6 > 0 && /bits/ { sum += log($5); count++; if ($5 > worst) { worst = $5; name = $1 } all += log($6) }
         END { if (count) printf "geometric mean of %d: second/raw %.4f (worst %.3f, %s), all/raw %.3f\n", count, exp(sum / count), worst, name, exp(all / count) }'
}

timing() {
    cc -std=gnu17 -O2 -I"$here/../../src" -I"$cuda/include" -o "$folder/time_kernels" "$here/time_kernels.c" \
        -L"$cuda/lib64/stubs" -lcuda || return 1
    "$folder/time_kernels" "$1" 30 >"$1/times.txt" 2>&1
    status=$?
    cat "$1/times.txt"
    means <"$1/times.txt"
    return "$status"
}

both() {
    mkdir -p "$folder/cuda" "$folder/cpu_here"
    "$folder/host" run cuda "$folder/cuda" && "$folder/host" run cpu "$folder/cpu_here" && "$folder/host" compare "$folder/cuda" "$folder/cpu_here"
}

memcheck() {
    command -v compute-sanitizer >/dev/null 2>&1 || { echo "no compute-sanitizer"; return 0; }
    compute-sanitizer --tool memcheck "$folder/time_kernels" "$folder/plain" once raw
}

# `timeout` runs programs: a part that is a function is called by the script itself.
case ${LANEWISE_PART-} in
timing) timing "$folder/$LANEWISE_OF"; exit ;;
both) both; exit ;;
memcheck) memcheck; exit ;;
esac
self() {
    title=$1 seconds=$2 LANEWISE_PART=$3 LANEWISE_OF=${4-}
    export LANEWISE_PART LANEWISE_OF
    part "$title" "$seconds" sh "$here/run.sh" "$folder" "$result" "$cuda"
    unset LANEWISE_PART LANEWISE_OF
}

{
    nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader 2>&1
    echo
    part "the cost of a launch" 30 "$folder/host" cost
    part "planted faults, as the host sees them" 30 "$folder/host" fault cuda
    part "launches in parts" 60 "$folder/split/split"
    self "the same program on both backends" 60 both
    self "raw, checked, checked everywhere" 60 timing plain
    self "raw, optimised, checked everywhere" 60 timing optimised
    self "raw under memcheck, milliseconds of the second launch" 90 memcheck
    [ -s "$failed" ] && { echo "failed:"; cat "$failed"; }
} 2>&1 | tee "$result"
[ ! -s "$failed" ]
