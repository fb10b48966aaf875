// SPDX-License-Identifier: Apache-2.0
// kernel: gather
// grid: 4
// block: 256
// arg y: buf f32 len=1000 io=out want=table[index[i]]
// arg index: buf u32 len=1000 io=in init=i*7%300
// arg table: buf f32 len=300 io=in init=i
// arg n: u32 1000
// arg m: u32 300
// expect: checked line=21
// verdict: unproved
// why: Nothing says what the indices are, so the access to the table stays checked. A reason on the kernel leaves the check out.
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void gather(float *y LW_SHAPE(n) LW_DISJOINT, const unsigned *index LW_SHAPE(n), const float *table LW_SHAPE(m), unsigned n,
                       unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = table[index[i]];
}
