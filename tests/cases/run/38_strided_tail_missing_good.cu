// SPDX-License-Identifier: Apache-2.0
// case: 38_strided_tail_missing   variant: good
// kernel: halve
// grid: 3
// block: 64
// arg out: buf f32 len=130 io=out want=i*0.5f
// arg in: buf f32 len=130 io=in init=i
// arg n: i32 130
// expect: none
// why: one block more where n leaves a rest
#include <lanewise/contract.h>
LW_BLOCK(64) LW_DOMAIN(n) LW_REQUIRES(n >= 1)
__global__ void halve(float *out LW_SHAPE(n) LW_WRITES_ALL LW_DISJOINT, const float *in LW_SHAPE(n), int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * 0.5f;
}
