// SPDX-License-Identifier: Apache-2.0
// kernel: square
// grid: 0 1 1
// block: 128 1 1
// arg out: buf i32 len=0 io=out
// arg n: i32 0
// expect: zero-launch line=10
// why: The host computed (n + 127) / 128 blocks with n = 0. A grid of 0 is no legal launch: it fails, and the error
//      shows up at the next call that is checked.
__global__ void square(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i * i;
}
