// SPDX-License-Identifier: Apache-2.0
// kernel: three_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out want=(i>0?i-1:0)+i+(i<999?i+1:0)
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: Constant edges: every cell of the tile is written, those outside the array with the constant.
__global__ void three_sum(float *out, const float *in, int n)
{
    __shared__ float tile[130];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0)
        tile[0] = i > 0 && i <= n ? in[i - 1] : 0.0f;
    if (t == 127)
        tile[129] = i + 1 < n ? in[i + 1] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
