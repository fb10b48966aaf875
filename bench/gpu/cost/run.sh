#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# On a machine with a GPU, nvcc and Nsight Compute whose counters may be read: profiles the kernels once and writes the raw numbers and the machine code.
#
#   run.sh FOLDER [ARCH]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: run.sh FOLDER [ARCH]}
arch=${2:-sm_90}
metrics=launch__grid_size,launch__block_size,launch__thread_count,smsp__warps_launched.sum
metrics=$metrics,smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__thread_inst_executed_pred_on.sum
metrics=$metrics,smsp__sass_branch_targets.sum,smsp__sass_branch_targets_threads_divergent.sum,smsp__sass_branch_targets_threads_uniform.sum
for op in ld st; do
    metrics=$metrics,l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum
    metrics=$metrics,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum
done
mkdir -p "$folder"
nvcc -O3 -arch="$arch" -std=c++17 -lineinfo -DWITH_MAIN -I"$here/../../../include" -o "$folder/kernels" "$here/kernels.cu"
cuobjdump -sass "$folder/kernels" >"$folder/sass.txt"
nvcc --version | tail -2
ncu --version | tail -1
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
ncu --clock-control none --csv --page raw --print-units base --metrics "$metrics" "$folder/kernels" >"$folder/ncu.csv" || { cat "$folder/ncu.csv"; exit 1; }
