// what CUDA calls it, and what differs from thread to thread
#include <lanewise/contract.h>

LW_REQUIRES(blockDim.x == 256, threadIdx.x < n, a[0] < 5, block.w == 1, sizeof(float) == 4)
__global__ void scale(float *a LW_SHAPE(n), int n)
{
    a[threadIdx.x] = n;
}
