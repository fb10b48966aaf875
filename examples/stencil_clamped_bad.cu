// SPDX-License-Identifier: Apache-2.0
// kernel: second_difference
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out
// arg in: buf f32 len=1000 io=in init=i*i
// arg n: i32 1000
// expect: oob-global line=16
// expect: oob-global line=17
// why: The first element has no left neighbour and the last no right one; the guard looks at the middle alone.
__global__ void second_difference(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = in[i - 1];
    float right = in[i + 1];
    out[i] = left - 2.0f * in[i] + right;
}
