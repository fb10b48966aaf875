// SPDX-License-Identifier: Apache-2.0
// kernel: segment_mean
// grid: 1 1 1
// block: 64 1 1
// arg mean: buf i32 len=50 io=out
// arg total: buf i32 len=50 io=in init=i*i
// arg count: buf i32 len=50 io=in init=i
// arg n: i32 50
// expect: div-by-zero line=15
// why: Segment 0 is empty. An integer division by zero does not stop a GPU: it gives some number.
__global__ void segment_mean(int *mean, const int *total, const int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        mean[i] = total[i] / count[i];
}
