// SPDX-License-Identifier: Apache-2.0
// kernel: ring_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: oob-global line=15
// why: In C, -1 % n is -1 and not n - 1: the first element reads in[-1].
__global__ void ring_sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = in[(i - 1) % n];
    float right = in[(i + 1) % n];
    out[i] = left + right;
}
