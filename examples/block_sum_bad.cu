// SPDX-License-Identifier: Apache-2.0
// kernel: block_sum
// grid: 4 1 1
// block: 256 1 1
// arg out: buf f32 len=4 io=out
// arg in: buf f32 len=1000 io=in init=i%5
// arg n: i32 1000
// expect: barrier-divergence line=21
// also-accept: shared-race line=20
// why: The barrier stands inside the branch that only half of the threads take.
__global__ void block_sum(float *out, const float *in, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int h = 128; h > 0; h >>= 1)
        if (t < h) {
            s[t] += s[t + h];
            __syncthreads();
        }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
