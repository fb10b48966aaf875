#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes everything that run.sh needs, on a machine with clang 19 and a build of Lanewise; no GPU.
#
#   prepare.sh FOLDER [BUILD]
#
# FOLDER then has the PTX of kernels.cu (raw, checked, checked everywhere), the same with --optimise in the place of checked, the host
# program bench/gpu/host (which has the library inside), its results on the CPU, and split/split, which launches in parts.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${1:?usage: prepare.sh FOLDER [BUILD]}
build=${2:-$root/build}
kernels=$here/kernels.cu

# make_ptx NAME.ptx OPTIONS...
make_ptx() {
    made=$1
    shift
    "$build/lanewise" build "$@" "$kernels" -o "$folder/launchers" >"${made%.ptx}.txt"
    cp "$folder/launchers/kernels.ptx" "$made"
}

mkdir -p "$folder/plain" "$folder/optimised" "$folder/launchers" "$folder/cpu"
folder=$(cd "$folder" && pwd)
make_ptx "$folder/plain/all.ptx" --check-all
make_ptx "$folder/optimised/checked.ptx" --optimise
make_ptx "$folder/plain/checked.ptx" --keep-ptx "$folder/plain/raw.ptx" # last: its launchers are the ones that host has inside
cp "$folder/plain/raw.ptx" "$folder/plain/all.ptx" "$folder/optimised/"
cc -std=gnu17 -O2 -Wall -Wextra -I"$root/include" -I"$folder/launchers" -o "$folder/host" "$here/host.c" \
    "$folder/launchers/kernels_kernels.c" "$build/installed/liblanewise.a" -lm -ldl -pthread
mkdir -p "$folder/split"
"$build/lanewise" build --split "$kernels" -o "$folder/split" >"$folder/split.txt"
cc -std=gnu17 -O2 -Wall -Wextra -I"$root/include" -I"$folder/split" -o "$folder/split/split" "$here/split.c" \
    "$folder/split/kernels_kernels.c" "$build/installed/liblanewise.a" -lm -ldl -pthread
"$folder/host" run cpu "$folder/cpu"
"$folder/host" fault cpu >"$folder/fault_cpu.txt"
