// SPDX-License-Identifier: Apache-2.0
// kernel: halves
// grid: 1 1 1
// block: 128 1 1
// arg out: buf i32 len=32
// expect: warp-race line=12
// expect: shared-race line=12
// why: two lanes of each warp store to one place, and so do the warps among themselves: the first does not hide the second
extern "C" __global__ void halves(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x / 2 % 32] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 32)
        out[threadIdx.x] = s[threadIdx.x];
}
