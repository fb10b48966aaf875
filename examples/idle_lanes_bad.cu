// SPDX-License-Identifier: Apache-2.0
// kernel: square
// grid: 10 1 1
// block: 100 1 1
// arg out: buf i32 len=1000 io=out want=i*i
// arg n: i32 1000
// expect: block-not-multiple-of-32 line=9
// why: The result is right, but a block of 100 threads takes 4 warps: 28 of 128 lane slots idle in every block.
__global__ void square(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * i;
}
