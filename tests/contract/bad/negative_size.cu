// negative numbers where a size is meant, and no threads
#include <lanewise/contract.h>

LW_BLOCK(0) LW_DOMAIN(-5) LW_SHARED_BYTES(4 - 8)
__global__ void scale(float *a LW_SHAPE(n, -3), int n)
{
    a[threadIdx.x] = n;
}
LW_BLOCK_MULTIPLE(0)
__global__ void other(float *a LW_SHAPE(n), int n)
{
    a[threadIdx.x] = n;
}
