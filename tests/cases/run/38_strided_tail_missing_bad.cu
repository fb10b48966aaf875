// SPDX-License-Identifier: Apache-2.0
// case: 38_strided_tail_missing   variant: bad
// kernel: halve
// grid: 2
// block: 64
// arg out: buf f32 len=130 io=out
// arg in: buf f32 len=130 io=in init=i
// arg n: i32 130
// expect: missing-element line=13
// why: the grid is n / 64 blocks instead of one more: the last two elements have no thread, and no access is wrong
#include <lanewise/contract.h>
LW_BLOCK(64) LW_REQUIRES(n >= 64, grid.x == n / 64)
__global__ void halve(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 0.5f;
}
