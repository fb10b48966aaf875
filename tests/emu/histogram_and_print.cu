// kernel: count
// grid: 40 1 1
// block: 96 1 1
// arg bins: buf u32 len=7 io=inout init=0 want=(i<4?549:548)
// arg n: i32 3840
// expect: none
#include <stdio.h>
extern "C" __global__ void count(unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i % 7], 1u);
    if (threadIdx.x == 95 && blockIdx.x % 8 == 0)
        printf("block %d of %d, %s %.2f\n", blockIdx.x, gridDim.x, "done", i * 0.5);
}
