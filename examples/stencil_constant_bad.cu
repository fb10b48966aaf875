// SPDX-License-Identifier: Apache-2.0
// kernel: three_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: uninit-read line=24
// why: The halo cells are loaded only where a neighbour exists. At the left edge of the array nobody writes
//      tile[0], and the first element adds whatever the shared memory held before. When n is a multiple of 128
//      the right edge has the same fault.
__global__ void three_sum(float *out, const float *in, int n)
{
    __shared__ float tile[130];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    tile[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0 && i > 0)
        tile[0] = in[i - 1];
    if (t == 127 && i + 1 < n)
        tile[129] = in[i + 1];
    __syncthreads();
    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
