// SPDX-License-Identifier: Apache-2.0
// kernel: warp_reverse
// grid: 8 1 1
// block: 128 1 1
// arg out: buf f32 len=1000 io=out
// arg in: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: warp-race line=19
// also-accept: warp-race line=17, uninit-read line=19
// why: The lanes of a warp pass values through shared memory and trust that they run in step. Since Volta a lane may
//      read before its partner has written.
__global__ void warp_reverse(float *out, const float *in, int n)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0.0f;
    if (i < n)
        out[i] = s[t ^ 31];
}
