// SPDX-License-Identifier: Apache-2.0
// kernel: scale
// grid: 4 1 1
// block: 256 1 1
// arg y: buf f32 len=1000 io=out
// arg x: buf f32 len=1000 io=in init=i
// arg a: f32 2.5
// arg n: i32 1000
// expect: oob-global line=16
// why: The grid covers 1024 threads, the arrays hold 1000 elements, and the test lets i == n through: one thread
//      reads and writes one element past the end. Most runs survive it.
__global__ void scale(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a * x[i];
}
