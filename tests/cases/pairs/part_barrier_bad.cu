// SPDX-License-Identifier: Apache-2.0
// kernel: halves
// grid: 1 1 1
// block: 128 1 1
// arg out: buf i32 len=128 io=out
// expect: shared-race line=16
// also-accept: shared-race line=13
// also-accept: uninit-read line=16
// why: the barrier is for two of the four warps: the other two read what nothing has ordered
extern "C" __global__ void halves(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[127 - threadIdx.x];
}
