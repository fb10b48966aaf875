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
// why: The proof is the same; a build leaves the check out and prints the reason. Nothing but tests stands behind it.
#include <lanewise/contract.h>

LW_UNCHECKED_INDEXING("index comes from our own sort, which keeps it below m") LW_BLOCK(256) LW_DOMAIN(n) LW_REQUIRES(n <= 2147483647)
__global__ void gather(float *y LW_SHAPE(n) LW_DISJOINT, const unsigned *index LW_SHAPE(n), const float *table LW_SHAPE(m), unsigned n,
                       unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = table[index[i]];
}
