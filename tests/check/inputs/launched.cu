// SPDX-License-Identifier: Apache-2.0
// kernel: pick
// grid: 2
// block: 64
// arg out: buf f32 len=100 io=out
// arg table: buf f32 len=10 io=in
// arg index: buf i32 len=100 io=in init=i%10
// arg n: i32 100
__global__ void pick(float *out, const float *table, const int *index, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}
