// SPDX-License-Identifier: Apache-2.0
// kernel: neighbour_sum
// grid: 1 1 1
// block: 64 1 1
// arg out: buf f32 len=64 io=out want=63-i<22?3*(63-i)+192:2*(63-i)+64
// arg in: buf f32 len=150 io=in init=i
// arg n: i32 150
// expect: none
// why: The loop counts tiles, which is the same for all threads; the tail is a matter of the load.
__global__ void neighbour_sum(float *out, const float *in, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < n; first += 64) {
        s[t] = first + t < n ? in[first + t] : 0.0f;
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    out[t] = sum;
}
