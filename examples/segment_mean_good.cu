// SPDX-License-Identifier: Apache-2.0
// kernel: segment_mean
// grid: 1 1 1
// block: 64 1 1
// arg mean: buf i32 len=50 io=out want=i
// arg total: buf i32 len=50 io=in init=i*i
// arg count: buf i32 len=50 io=in init=i
// arg n: i32 50
// expect: none
// why: An empty segment has the mean 0, and nothing is divided.
__global__ void segment_mean(int *mean, const int *total, const int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        mean[i] = count[i] > 0 ? total[i] / count[i] : 0;
}
