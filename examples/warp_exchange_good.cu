// SPDX-License-Identifier: Apache-2.0
// kernel: warp_reverse
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out want=(i^31)<1000?i^31:0
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: __syncwarp() between the store and the load orders them, and costs next to nothing.
// note: As in reverse_tile_good.cu, the last warp writes fills.
__global__ void warp_reverse(float *out, const float *in, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncwarp();
    if (i < n)
        out[i] = s[t ^ 31];
}
