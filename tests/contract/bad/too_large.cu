// more than any device has
#include <lanewise/contract.h>

LW_BLOCK(64, 32)
__global__ void many(float *a)
{
    a[threadIdx.x] = 1;
}

LW_BLOCK(1, 1, 65)
__global__ void deep(float *a)
{
    a[threadIdx.x] = 1;
}
