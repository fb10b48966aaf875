// unchecked indexing without a reason
#include <lanewise/contract.h>

LW_UNCHECKED_INDEXING(hot)
__global__ void scale(float *a)
{
    a[threadIdx.x] = 1;
}

LW_UNCHECKED_INDEXING("")
__global__ void other(float *a)
{
    a[threadIdx.x] = 1;
}
