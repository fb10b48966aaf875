// SPDX-License-Identifier: Apache-2.0
// kernel: square
// grid: 1 1 1
// block: 128 1 1
// arg out: buf i32 len=0 io=out
// arg n: i32 0
// expect: none
// why: At least one block; the tail guard sends all of its threads home. (Skipping the launch is as good.)
__global__ void square(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * i;
}
