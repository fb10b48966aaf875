// macros where they do not belong
#include <lanewise/contract.h>

LW_SHAPE(n)
__global__ void scale(float *a LW_BLOCK(256), int n LW_SHAPE(4), const float *b LW_DISJOINT, void *c LW_SHAPE(n))
{
    a[threadIdx.x] = n;
}

LW_BLOCK(256)
__device__ int helper(int n)
{
    return n;
}

LW_REFERENCE(scale) LW_FOR("scale")
__global__ void other(float *a)
{
    a[0] = helper(1);
}
