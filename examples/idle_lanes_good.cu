// SPDX-License-Identifier: Apache-2.0
// kernel: square
// grid: 8 1 1
// block: 128 1 1
// arg out: buf i32 len=1000 io=out want=i*i
// arg n: i32 1000
// expect: none
// why: A multiple of 32 threads: only the last block has idle lanes.
__global__ void square(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * i;
}
