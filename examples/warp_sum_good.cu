// SPDX-License-Identifier: Apache-2.0
// kernel: warp_sum
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=32 io=out want=i<31?1024*i+496:7964
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: Predicate the load, not the shuffle: lanes past n bring 0, the identity of the sum, and all 32 take part.
__global__ void warp_sum(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0 && i < n)
        out[i / 32] = v;
}
