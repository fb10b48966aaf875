// SPDX-License-Identifier: Apache-2.0
// kernel: accumulate
// grid: 4 1 1
// block: 256 1 1
// arg sum: buf f32 len=1000 io=out
// arg x: buf f32 len=1000 io=in init=i
// arg n: i32 1000
// expect: uninit-read line=14
// why: The kernel adds to a buffer that nobody has set: cudaMalloc does not clear memory, though it often looks so.
__global__ void accumulate(float *sum, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] += x[i];
}
