// a declaration and a definition that differ
#include <lanewise/contract.h>

LW_BLOCK(256) LW_DOMAIN(n)
__global__ void scale(float *a LW_SHAPE(n), int n);

LW_BLOCK(128)
__global__ void scale(float *a, int n)
{
    a[threadIdx.x] = n;
}
