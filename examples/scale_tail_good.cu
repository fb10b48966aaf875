// SPDX-License-Identifier: Apache-2.0
// kernel: scale
// grid: 4 1 1
// block: 256 1 1
// arg y: buf f32 len=1000 io=out want=2.5f*i
// arg x: buf f32 len=1000 io=in init=i
// arg a: f32 2.5
// arg n: i32 1000
// expect: none
// why: The tail guard: threads past the last element do nothing.
__global__ void scale(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}
