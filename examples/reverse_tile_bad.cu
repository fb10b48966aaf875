// SPDX-License-Identifier: Apache-2.0
// kernel: reverse_tile
// grid: 4 1 1
// block: 256 1 1
// arg out: buf f32 len=1000 io=out
// arg in: buf f32 len=1000 io=in init=i+1
// arg n: i32 1000
// expect: barrier-divergence line=20
// also-accept: uninit-read line=21
// why: In the last block the threads past n return before the barrier at which the others wait. Many GPUs forgive
//      it, and then the live threads read tile elements that nobody wrote.
__global__ void reverse_tile(float *out, const float *in, int n)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    if (i >= n)
        return;
    tile[t] = in[i];
    __syncthreads();
    out[i] = tile[255 - t];
}
