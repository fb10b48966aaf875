// SPDX-License-Identifier: Apache-2.0
// kernel: scale
// grid: 4
// block: 256
// arg x: buf f32 len=1000 io=inout
// arg n: i32 1000
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
