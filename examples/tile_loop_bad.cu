// SPDX-License-Identifier: Apache-2.0
// kernel: neighbour_sum
// grid: 1 1 1
// block: 64 1 1
// arg out: buf f32 len=64 io=out
// arg in: buf f32 len=150 io=in init=i
// arg n: i32 150
// expect: barrier-divergence line=19
// also-accept: barrier-divergence line=21, uninit-read line=20
// why: Each thread counts its own trips: with 150 elements and 64 threads, 22 threads make three trips around the
//      barriers and the others two.
__global__ void neighbour_sum(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = t; i < n; i += 64) {
        s[t] = in[i];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
