#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# On a machine with a GPU, the driver, a C compiler and CUDA's headers: times what prepare.sh made, and shows planted faults.
#   run.sh FOLDER [CUDA]
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: run.sh FOLDER [CUDA]}
cuda=${2:-/usr/local/cuda}
cc -std=gnu17 -O2 -I"$here/../../src" -I"$cuda/include" -o "$folder/time_kernels" "$here/time_kernels.c" \
    -L"$cuda/lib64/stubs" -lcuda || exit 1
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader
"$folder/time_kernels" "$folder" 30
echo
"$folder/time_kernels" "$folder" fault
if command -v compute-sanitizer >/dev/null 2>&1; then
    echo
    echo "raw under compute-sanitizer --tool memcheck, milliseconds of the second launch"
    timeout 120 compute-sanitizer --tool memcheck "$folder/time_kernels" "$folder" once raw
fi
