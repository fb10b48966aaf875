#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: check.sh LANEWISE LIBLANEWISE.A SOURCE_FOLDER
#
# Builds inputs/split.cu with --split, and host.c with its launchers: whole launches and launches in parts end with the same bits, on the CPU and, where there
# is one, on a GPU.  ptxas, where it is installed, takes the parts.
set -u
tool=$1 archive=$2 source=$3
here=$source/tests/guard/split
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$*"
    exit 1
}

for options in '' --optimise --check-all --entry-check; do
    # shellcheck disable=SC2086 # at most one word
    "$tool" build "$source/tests/guard/inputs/split.cu" -o "$scratch/out" -q --split --allow-not-checkable $options >"$scratch/log" 2>&1
    status=$?
    [ "$status" -lt 2 ] || fail "lanewise build $options: $(cat "$scratch/log")"
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$source/include" -I"$scratch/out" "$here/host.c" "$scratch/out/split_kernels.c" "$archive" -lm -ldl \
        -pthread -o "$scratch/host" 2>"$scratch/log" || fail "cc: $(cat "$scratch/log")"
    "$scratch/host" >"$scratch/output" || fail "build --split $options: $(cat "$scratch/output")"
    cat "$scratch/output"
    "$scratch/host" --device cuda >"$scratch/output"
    status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 5 ] || fail "build --split $options: $(cat "$scratch/output")"
    cat "$scratch/output"
    if command -v ptxas >/dev/null; then
        ptxas -arch=sm_80 "$scratch/out/split.ptx" -o "$scratch/cubin" || fail "ptxas refuses the parts"
    fi
done
