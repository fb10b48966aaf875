// SPDX-License-Identifier: Apache-2.0
// kernel: reverse_live
// grid: 4 1 1
// block: 256 1 1
// arg out: buf f32 len=1000 io=out want=i<768?i/256*256+256-i%256:1768-i
// arg in: buf f32 len=1000 io=in init=i+1
// arg n: i32 1000
// expect: none
// why: The other cure of reverse_tile_bad.cu: the tail block mirrors its live elements among themselves, so no
//      fill is ever read or written.
__global__ void reverse_live(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int first = blockIdx.x * 256;
    int live = n - first < 256 ? n - first : 256;
    if (t < live)
        tile[t] = in[first + t];
    __syncthreads();
    if (t < live)
        out[first + t] = tile[live - 1 - t];
}
