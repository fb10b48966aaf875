// SPDX-License-Identifier: Apache-2.0
// kernel: warp_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=32 io=out
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: shuffle-inactive line=17
// why: The shuffles stand under the tail guard. In the last warp 8 lanes run them with a mask that names all 32, so
//      they read lanes that are not there.
__global__ void warp_sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = in[i];
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0xffffffffu, v, d);
        if (threadIdx.x % 32 == 0)
            out[i / 32] = v;
    }
}
