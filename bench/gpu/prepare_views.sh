#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes what time_views needs of examples/gemm_views/gemm.cu, on a machine with clang 19, nvcc and a build of Lanewise; no GPU.
#
#   prepare_views.sh FOLDER [BUILD]
#
# For each compiler: raw.ptx as it compiles, checked.ptx as `lanewise build` makes it, all.ptx with a check at every access, alone.ptx as it
# compiles without Lanewise, when the header's own checks stand in the code.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${1:?usage: prepare_views.sh FOLDER [BUILD]}
build=${2:-$root/build}
source=$root/examples/gemm_views/gemm.cu

for compiler in clang nvcc; do
    out=$folder/$compiler
    mkdir -p "$out"
    "$build/lanewise" build --compiler "$compiler" --check-all "$source" -o "$out" >"$out/all.txt"
    mv "$out/gemm.ptx" "$out/all.ptx"
    "$build/lanewise" build --compiler "$compiler" --keep-ptx "$out/raw.ptx" "$source" -o "$out" >"$out/checked.txt"
    mv "$out/gemm.ptx" "$out/checked.ptx"
    cat "$out/checked.txt"
done
nvcc -ptx -arch=sm_80 -I"$root/include" "$source" -o "$folder/nvcc/alone.ptx"
clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path="$root/shim/no-toolkit" --cuda-feature=+ptx83 -nocudainc -nocudalib \
    -Xclang -target-sdk-version=12.3 -include "$root/shim/lanewise_cuda_prelude.h" -isystem "$root/shim" -I"$root/include" -O2 -S \
    -o "$folder/clang/alone.ptx" "$source"
