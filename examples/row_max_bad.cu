// SPDX-License-Identifier: Apache-2.0
// kernel: row_max
// grid: 5 1 1
// block: 128 1 1
// arg out: buf f32 len=5 io=out want=-10-i
// arg in: buf f32 len=385 shape=5x77 io=in init=-10-i/77-i%77*31%77
// arg cols: i32 77
// expect: wrong-identity line=16
// expect: wrong-result
// why: The 51 spare threads of each row bring 0 into a maximum. All values are negative, so every row reports 0.
// note: One block a row; cols <= 128.
__global__ void row_max(float *out, const float *in, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = t < cols ? in[blockIdx.x * cols + t] : 0.0f;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
