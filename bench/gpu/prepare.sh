#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes everything that run.sh needs, on a machine with clang 19 and a build of Lanewise; no GPU.
#
#   prepare.sh FOLDER [BUILD]
#
# FOLDER then has the PTX of bench/checked (raw, checked, checked everywhere), the same with --optimise in the place of checked, the host
# program bench/gpu/host (which has the library inside), and its results on the CPU.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${1:?usage: prepare.sh FOLDER [BUILD]}
build=${2:-$root/build}
kernels=$root/bench/checked/kernels.cu
mkdir -p "$folder/plain" "$folder/optimised" "$folder/launchers" "$folder/cpu"
folder=$(cd "$folder" && pwd)
sh "$root/bench/checked/prepare.sh" "$folder/plain" "$build/lanewise"
cp "$folder/plain/raw.ptx" "$folder/plain/all.ptx" "$folder/optimised/"
"$build/lanewise" build --optimise "$kernels" -o "$folder/launchers" >"$folder/optimised/report.txt" || [ $? -eq 1 ]
mv "$folder/launchers/kernels.ptx" "$folder/optimised/checked.ptx"
"$build/lanewise" build "$kernels" -o "$folder/launchers" >/dev/null || [ $? -eq 1 ]
cc -std=gnu17 -O2 -Wall -Wextra -I"$root/include" -I"$folder/launchers" -o "$folder/host" "$here/host.c" \
    "$folder/launchers/kernels_kernels.c" "$build/installed/liblanewise.a" -lm -ldl -pthread
"$folder/host" run cpu "$folder/cpu"
"$folder/host" fault cpu >"$folder/fault_cpu.txt"
