// SPDX-License-Identifier: Apache-2.0
// kernel: reverse_tile
// grid: 4 1 1
// block: 256 1 1
// arg out: buf f32 len=1000 io=out want=i/256*256+255-i%256<1000?i/256*256+256-i%256:0
// arg in: buf f32 len=1000 io=in init=i+1
// arg n: i32 1000
// expect: none
// why: Every thread reaches the barrier; the tail guard stands around the loads and stores only.
// note: In the tail block this kernel writes fills: tile elements past n hold 0, and the mirrored store puts those
//       zeros into out[768..791]. reverse_live_good.cu mirrors within the live elements instead.
__global__ void reverse_tile(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    tile[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (i < n)
        out[i] = tile[255 - t];
}
