// SPDX-License-Identifier: Apache-2.0
// kernel: ring_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out want=(i+999)%1000+(i+1)%1000
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: Periodic edges: add n before the remainder, so that it is taken of a number that is not negative.
__global__ void ring_sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = in[(i + n - 1) % n];
    float right = in[(i + 1) % n];
    out[i] = left + right;
}
