// SPDX-License-Identifier: Apache-2.0
// kernel: second_difference
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out want=i==0?1:i==999?-1997:2
// arg in: buf f32 len=1000 io=in init=i*i
// arg n: i32 1000
// expect: none
// why: Clamped edges: a missing neighbour is the nearest element that exists.
__global__ void second_difference(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = in[i > 0 ? i - 1 : 0];
    float right = in[i < n - 1 ? i + 1 : n - 1];
    out[i] = left - 2.0f * in[i] + right;
}
