// SPDX-License-Identifier: Apache-2.0
// case: zero_then_count
// kernel: zero_then_count
// grid: 1
// block: 64
// arg out: buf u32 len=32 io=out
// expect: shared-race line=18
// also-accept: shared-race line=16, wrong-result
// why: no barrier between the zeros and the counts; the thread that stored the zero counts first, which must not hide its store from the
//      other warp
__global__ void zero_then_count(unsigned *out)
{
    __shared__ unsigned bins[32];
    int t = threadIdx.x;
    if (t < 32)
        bins[t] = 0;
    if (t < 64)
        atomicAdd(&bins[t % 32], 1u);
    __syncthreads();
    if (t < 32)
        out[t] = bins[t];
}
