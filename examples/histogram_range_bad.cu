// SPDX-License-Identifier: Apache-2.0
// kernel: histogram
// grid: 4 1 1
// block: 128 1 1
// arg count: buf u32 len=64 io=inout init=0
// arg value: buf u32 len=1000 io=in init=i==777?64:i%64
// arg n: i32 1000
// expect: oob-shared line=17
// why: The bin number comes from the data and is used as it is; one value is 64.
__global__ void histogram(unsigned *count, const unsigned *value, int n)
{
    __shared__ unsigned bins[64];
    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[value[i]], 1u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&count[threadIdx.x], bins[threadIdx.x]);
}
