// SPDX-License-Identifier: Apache-2.0
// kernel: turn
// grid: 1 1 1
// block: 32 1 1
// arg out: buf i32 len=32
// expect: barrier-divergence line=18
// expect: warp-race line=16
// also-accept: warp-race line=17
// also-accept: barrier-divergence line=20
// why: lanes in lockstep all see their neighbour's 1; lanes that run apart do not, and wait at different barriers
extern "C" __global__ void turn(int *out)
{
    __shared__ volatile int s[32];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = 1;
    if (s[threadIdx.x ^ 1] == 1)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
}
