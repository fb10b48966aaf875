// SPDX-License-Identifier: Apache-2.0
// kernel: accumulate
// grid: 4 1 1
// block: 256 1 1
// arg sum: buf f32 len=1000 io=inout init=0 want=i
// arg x: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: none
// why: The same kernel; the host clears the buffer first (`io=inout init=0`).
__global__ void accumulate(float *sum, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] += x[i];
}
