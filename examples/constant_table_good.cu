// SPDX-License-Identifier: Apache-2.0
// kernel: filter
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out want=9*i+18
// arg in: buf f32 len=1005 io=in init=i
// arg taps: i32 6
// arg n: i32 1000
// expect: none
// why: The number of weights that are used never passes the table's.
__constant__ float weight[5] = {1.0f, 2.0f, 3.0f, 2.0f, 1.0f};

__global__ void filter(float *out, const float *in, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (taps > 5)
        taps = 5;
    float sum = 0.0f;
    for (int k = 0; k < taps; k++)
        sum += weight[k] * in[i + k];
    out[i] = sum;
}
